#include "runtime/checker/checker_internal.h"

#include "runtime/base/heap.h"

#include <stdio.h>
#include <string.h>

/* Recomputes the peaks that a plan reports. The points of the compute stream are its steps (step i
 * is point 2i) and the gaps behind them (2i + 1). A buffer counts at a point unless all that access
 * it come before the point, or all after it:
 *
 *   compute   |  0  |  1  |  2  |  3  |  4  |     counts from the gap behind 0 to step 3:
 *   in              '--- copy in ---^              the copy may start in that gap, step 3 reads
 */

/* Of each category on the device, then of each tier. */
enum { TIER_SUM = VDNN_CATEGORY_COUNT, SUMS = TIER_SUM + VDNN_TIER_COUNT };

typedef struct peaks {
    const vdnn_checker *checker;
    int32_t *compute; /* the steps of the compute stream */
    int64_t (*change)[SUMS];
    int64_t live[SUMS], most[SUMS], at_peak[SUMS];
    int32_t peak_step;
} peaks;

/* The first compute step at which `step` is known to be complete, by position; length: none. */
static int32_t seen_at(const peaks *p, int32_t step)
{
    int32_t low = 0, high = p->checker->length[VDNN_STREAM_COMPUTE];
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (vdnn_checker_before(p->checker, step, p->compute[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void change(peaks *p, int sum, int32_t begin, int32_t end, size_t bytes)
{
    p->change[begin][sum] += (int64_t)bytes;
    p->change[end][sum] -= (int64_t)bytes;
}

static void add_buffer(peaks *p, int32_t b)
{
    const vdnn_checker *checker = p->checker;
    const vdnn_buffer *buffer = &checker->plan->buffers[b];
    const vdnn_checker_users *users = &checker->users[b];
    const int32_t length = 2 * checker->length[VDNN_STREAM_COMPUTE];
    int32_t begin = buffer->persistent ? 0 : length, end = buffer->persistent ? length : 0;
    for (int s = 0; s < VDNN_STREAM_COUNT && !buffer->persistent; s++) {
        if (users->first[s] < 0)
            continue;
        const int32_t before = checker->clock[users->first[s]][VDNN_STREAM_COMPUTE],
                      after = seen_at(p, users->last[s]);
        const bool compute = s == VDNN_STREAM_COMPUTE;
        const int32_t from = compute || before == 0 ? 2 * before : 2 * before - 1,
                      to = compute ? 2 * after - 1 : 2 * after;
        begin = from < begin ? from : begin;
        end = to > end ? to : end;
    }
    if (begin >= end)
        return;
    change(p, TIER_SUM + (int)buffer->tier, begin, end, buffer->bytes);
    if (buffer->tier == VDNN_TIER_DEVICE)
        change(p, (int)vdnn_class_category(buffer->class), begin, end, buffer->bytes);
}

static void sum_up(peaks *p)
{
    for (int32_t i = 0; i < 2 * p->checker->length[VDNN_STREAM_COMPUTE]; i++) {
        const int64_t before = p->most[TIER_SUM + VDNN_TIER_DEVICE];
        for (int c = 0; c < SUMS; c++) {
            p->live[c] += p->change[i][c];
            if (p->live[c] > p->most[c])
                p->most[c] = p->live[c];
        }
        if (p->most[TIER_SUM + VDNN_TIER_DEVICE] == before)
            continue;
        p->peak_step = p->compute[i / 2];
        memcpy(p->at_peak, p->live, sizeof p->live);
    }
}

static vdnn_status check_sum(const peaks *p, const char *what, size_t claimed, int64_t found)
{
    if (claimed != (size_t)found)
        return vdnn_checker_refuse(p->checker, p->peak_step, -1, -1,
                                   "the plan claims %zu bytes as %s, but it is %lld", claimed, what,
                                   (long long)found);
    return VDNN_OK;
}

/* Two buffers that alternate on the same bytes without synchronizing with the compute stream both
 * count; buffers alive at one time have distinct bytes, so the span is a bound, too. */
static int64_t within(int64_t sum, size_t span)
{
    return (size_t)sum > span ? (int64_t)span : sum;
}

/* What the device's peak is less than its sum is no part of the categories there: of maps first. */
static void leave_out_excess(peaks *p)
{
    const int64_t sum = p->most[TIER_SUM + VDNN_TIER_DEVICE];
    int64_t excess = sum - within(sum, p->checker->plan->span_bytes[VDNN_TIER_DEVICE]);
    for (int c = VDNN_CATEGORY_feature_maps; excess > 0; c = (c + 1) % VDNN_CATEGORY_COUNT) {
        const int64_t left = p->at_peak[c] > excess ? p->at_peak[c] - excess : 0;
        excess -= p->at_peak[c] - left;
        p->at_peak[c] = left;
    }
}

static vdnn_status compare(const peaks *p)
{
    const vdnn_plan *plan = p->checker->plan;
    vdnn_status status = VDNN_OK;
    for (int t = 0; t < VDNN_TIER_COUNT && status == VDNN_OK; t++) {
        char what[64];
        (void)snprintf(what, sizeof what, "the peak of the %s", vdnn_tier_text((vdnn_tier)t));
        status = check_sum(p, what, plan->peak_bytes[t],
                           within(p->most[TIER_SUM + t], plan->span_bytes[t]));
    }
    for (int c = 0; c < VDNN_CATEGORY_COUNT && status == VDNN_OK; c++) {
        status =
            check_sum(p, vdnn_category_text((vdnn_category)c), plan->by_category[c], p->most[c]);
        VDNN_IF_OK(status, check_sum(p, vdnn_category_text((vdnn_category)c),
                                     plan->by_category_at_peak[c], p->at_peak[c]));
    }
    if (status == VDNN_OK && plan->peak_step != p->peak_step)
        return vdnn_checker_refuse(p->checker, p->peak_step, -1, -1,
                                   "the plan claims its peak at step %d", plan->peak_step);
    return status;
}

static vdnn_status check_copied(const vdnn_checker *checker)
{
    const vdnn_plan *plan = checker->plan;
    const struct {
        vdnn_step_kind kind;
        size_t claimed;
    } sums[] = {{VDNN_STEP_COPY_OUT, plan->offload_bytes},
                {VDNN_STEP_COPY_IN, plan->prefetch_bytes},
                {VDNN_STEP_SPILL, plan->spill_bytes},
                {VDNN_STEP_FILL, plan->fill_bytes}};
    for (size_t k = 0; k < sizeof sums / sizeof *sums; k++) {
        size_t found = 0;
        for (int32_t i = 0; i < plan->step_count; i++)
            found += plan->steps[i].kind == sums[k].kind ? plan->steps[i].bytes : 0;
        if (found != sums[k].claimed)
            return vdnn_checker_refuse(checker, -1, -1, -1,
                                       "the plan claims %zu bytes of kind %s, but it is %zu",
                                       sums[k].claimed, vdnn_step_kind_text(sums[k].kind), found);
    }
    return VDNN_OK;
}

vdnn_status vdnn_checker_peak(vdnn_checker *checker)
{
    const vdnn_plan *plan = checker->plan;
    const size_t length = (size_t)checker->length[VDNN_STREAM_COMPUTE];
    peaks p = {.checker = checker};
    p.compute = vdnn_heap_calloc(length, sizeof *p.compute);
    p.change = vdnn_heap_calloc(2 * length + 1, sizeof *p.change);
    vdnn_status status = check_copied(checker);
    if (p.compute == NULL || p.change == NULL)
        status = vdnn_checker_no_memory(length);
    if (status == VDNN_OK) {
        int32_t next = 0;
        for (int32_t i = 0; i < plan->step_count; i++)
            if (plan->steps[i].stream == VDNN_STREAM_COMPUTE)
                p.compute[next++] = i;
        for (int32_t b = 0; b < plan->buffer_count; b++)
            add_buffer(&p, b);
        sum_up(&p);
        leave_out_excess(&p);
        status = compare(&p);
    }
    vdnn_heap_free(p.compute);
    vdnn_heap_free(p.change);
    return status;
}
