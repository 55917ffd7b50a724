#include "tests/support/plan_surgery.h"

#include "runtime/base/heap.h"
#include "tests/support/plan_edit.h"

#include <string.h>

enum { NONE = -1 };

int32_t vdnn_plan_surgery_pick(vdnn_test_rng *rng, int32_t low, int32_t high)
{
    return low >= high ? high : (int32_t)vdnn_test_between(rng, low, high);
}

vdnn_access vdnn_plan_surgery_whole(const vdnn_plan *plan, int32_t buffer, unsigned mode,
                                    vdnn_bind bind)
{
    return (vdnn_access){.buffer = buffer,
                         .writer = NONE,
                         .mode = (uint8_t)mode,
                         .bind = (uint8_t)bind,
                         .bytes = plan->buffers[buffer].bytes};
}

void vdnn_plan_surgery_insert(vdnn_plan *plan, int32_t at, const vdnn_step *step,
                              const vdnn_access *accesses, int32_t count)
{
    vdnn_step *steps = vdnn_heap_realloc(plan->steps, (size_t)plan->step_count + 1, sizeof *steps);
    vdnn_access *all =
        vdnn_heap_realloc(plan->accesses, (size_t)plan->access_count + (size_t)count, sizeof *all);
    assert_non_null(steps);
    assert_non_null(all);
    plan->steps = steps;
    plan->accesses = all;
    memcpy(&all[plan->access_count], accesses, (size_t)count * sizeof *accesses);
    steps[plan->step_count] = *step;
    steps[plan->step_count].first_access = plan->access_count;
    steps[plan->step_count].access_count = count;
    steps[plan->step_count].first_wait = steps[plan->step_count].wait_count = 0;
    plan->access_count += count;
    plan->step_count++;
    vdnn_plan_edit_move(plan, plan->step_count - 1, at);
}

void vdnn_plan_surgery_redirect(vdnn_plan *plan, int32_t begin, int32_t end, int32_t from,
                                int32_t to)
{
    for (int32_t i = begin; i < end; i++)
        for (int32_t k = 0; k < plan->steps[i].access_count; k++) {
            vdnn_access *access = &plan->accesses[plan->steps[i].first_access + k];
            if (access->buffer == from)
                vdnn_plan_edit_take(plan, access, to);
        }
}

void vdnn_plan_surgery_set_apart(vdnn_plan *plan, int32_t buffer)
{
    vdnn_buffer *own = &plan->buffers[buffer];
    const size_t alignment = vdnn_tier_alignment(own->tier);
    vdnn_plan_edit_fit_spans(plan);
    own->offset = (plan->span_bytes[own->tier] + alignment - 1) / alignment * alignment;
    vdnn_plan_edit_fit_spans(plan);
}

int32_t vdnn_plan_surgery_add(vdnn_plan *plan, int32_t like, vdnn_tier tier, size_t bytes)
{
    const int32_t fresh = vdnn_plan_edit_add_buffer(plan, like, true);
    plan->buffers[fresh].tier = tier;
    plan->buffers[fresh].bytes = bytes;
    plan->buffers[fresh].persistent = false;
    plan->buffers[fresh].offset = 0;
    vdnn_plan_surgery_set_apart(plan, fresh);
    return fresh;
}

static bool is_left_late(const vdnn_plan *plan, int32_t buffer)
{
    bool is = false;
    for (int32_t i = 0; i < plan->graph->input_count && plan->loads == VDNN_LOADS_LATE; i++)
        is = is || plan->ahead[i] == buffer || plan->arrived[i] == buffer;
    return is;
}

void vdnn_plan_surgery_spread(vdnn_plan *plan)
{
    for (int32_t b = 0; b < plan->buffer_count; b++)
        if (!plan->buffers[b].persistent && !is_left_late(plan, b))
            vdnn_plan_surgery_set_apart(plan, b);
}

bool vdnn_plan_surgery_uses(const vdnn_plan *plan, int32_t step, int32_t buffer, unsigned mode)
{
    for (int32_t k = 0; k < plan->steps[step].access_count; k++) {
        const vdnn_access *access = &plan->accesses[plan->steps[step].first_access + k];
        if (access->buffer == buffer && (access->mode & mode) != 0)
            return true;
    }
    return false;
}

int32_t vdnn_plan_surgery_writer(const vdnn_plan *plan, int32_t step, int32_t buffer)
{
    int32_t i = step - 1;
    while (i >= 0 && !vdnn_plan_surgery_uses(plan, i, buffer, VDNN_WRITE))
        i--;
    return i;
}

int32_t vdnn_plan_surgery_rewrite(const vdnn_plan *plan, int32_t step, int32_t buffer)
{
    int32_t i = step;
    while (i < plan->step_count && (!vdnn_plan_surgery_uses(plan, i, buffer, VDNN_WRITE) ||
                                    vdnn_plan_surgery_uses(plan, i, buffer, VDNN_READ)))
        i++;
    return i;
}

/* Whether step `early` must stay before `late`, by what the latter reads. */
static bool feeds(const vdnn_plan *plan, int32_t early, int32_t late)
{
    for (int32_t k = 0; k < plan->steps[late].access_count; k++) {
        const vdnn_access *access = &plan->accesses[plan->steps[late].first_access + k];
        if ((access->mode & VDNN_READ) != 0 &&
            vdnn_plan_surgery_uses(plan, early, access->buffer, VDNN_WRITE))
            return true;
    }
    return false;
}

int32_t vdnn_plan_surgery_pull(vdnn_plan *plan, int32_t step, int32_t to)
{
    bool *comes = vdnn_heap_calloc((size_t)plan->step_count, sizeof *comes);
    int32_t at = to;
    assert_non_null(comes);
    comes[step] = true;
    for (int32_t i = step - 1; i >= to; i--)
        for (int32_t k = i + 1; k <= step && !comes[i]; k++)
            comes[i] = comes[k] && feeds(plan, i, k);
    for (int32_t i = to; i <= step; i++)
        if (comes[i])
            vdnn_plan_edit_move(plan, i, at++);
    vdnn_heap_free(comes);
    return at - 1;
}
