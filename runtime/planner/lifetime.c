#include "runtime/planner/lifetime.h"

#include "runtime/base/heap.h"

#include <string.h>

static void join_clock(vdnn_vector_clock *clock, const vdnn_vector_clock *other)
{
    for (int k = 0; k < VDNN_STREAM_COUNT; k++)
        if (other->done[k] > clock->done[k])
            clock->done[k] = other->done[k];
}

/* The clock after `step` is complete. */
static vdnn_vector_clock after(const vdnn_builder *builder, int32_t step)
{
    vdnn_vector_clock clock = builder->clocks[step];
    clock.done[builder->steps[step].stream] = builder->position[step] + 1;
    return clock;
}

/* Joins the waits of a step, the latest first, and keeps only those that add something. */
static void join_waits(vdnn_builder *builder, int32_t step)
{
    int32_t targets[VDNN_STREAM_COUNT];
    int32_t count = vdnn_builder_list_waits(&builder->waits[step], targets);
    vdnn_vector_clock *clock = &builder->clocks[step];
    for (int32_t i = 0; i < count; i++) {
        vdnn_stream_id stream = builder->steps[targets[i]].stream;
        if (builder->position[targets[i]] < clock->done[stream]) {
            builder->waits[step].on[stream] = -1;
            continue;
        }
        vdnn_vector_clock known = after(builder, targets[i]);
        join_clock(clock, &known);
    }
}

vdnn_status vdnn_lifetime_clocks(vdnn_builder *builder)
{
    if (builder->failed)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a plan");
    size_t count = (size_t)builder->step_count;
    vdnn_heap_free(builder->clocks);
    vdnn_heap_free(builder->position);
    builder->clocks = vdnn_heap_calloc(count, sizeof *builder->clocks);
    builder->position = vdnn_heap_calloc(count, sizeof *builder->position);
    if (builder->clocks == NULL || builder->position == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a plan of %zu steps", count);
    int32_t last[VDNN_STREAM_COUNT];
    memset(last, -1, sizeof last);
    for (int32_t s = 0; s < builder->step_count; s++) {
        int32_t before = last[builder->steps[s].stream];
        if (before >= 0) {
            builder->clocks[s] = after(builder, before);
            builder->position[s] = builder->position[before] + 1;
        }
        join_waits(builder, s);
        last[builder->steps[s].stream] = s;
    }
    return VDNN_OK;
}

bool vdnn_lifetime_before(const vdnn_builder *builder, int32_t a, int32_t b)
{
    return builder->position[a] < builder->clocks[b].done[builder->steps[a].stream];
}

/* For each stream and position: the first compute step that starts after that step is complete. */
typedef struct completion {
    int32_t *seen_at[VDNN_STREAM_COUNT]; /* compute position; compute_count: only the step's end */
    int32_t compute_count;
    int32_t *group_end; /* per group: position of its last compute step, -1 */
} completion;

static void completion_fini(completion *known)
{
    for (int k = 0; k < VDNN_STREAM_COUNT; k++)
        vdnn_heap_free(known->seen_at[k]);
    vdnn_heap_free(known->group_end);
}

static vdnn_status completion_init(const vdnn_builder *builder, completion *known)
{
    memset(known, 0, sizeof *known);
    int32_t counts[VDNN_STREAM_COUNT] = {0}, groups = 0;
    for (int32_t s = 0; s < builder->step_count; s++) {
        counts[builder->steps[s].stream]++;
        if (builder->group[s] >= groups)
            groups = builder->group[s] + 1;
    }
    known->compute_count = counts[VDNN_STREAM_COMPUTE];
    bool enough = true;
    for (int k = 0; k < VDNN_STREAM_COUNT; k++) {
        known->seen_at[k] = vdnn_heap_calloc((size_t)counts[k] + 1, sizeof(int32_t));
        enough = enough && known->seen_at[k] != NULL;
    }
    known->group_end = vdnn_heap_calloc((size_t)groups + 1, sizeof(int32_t));
    if (!enough || known->group_end == NULL) {
        completion_fini(known);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a plan of %d steps",
                                (int)builder->step_count);
    }
    int32_t filled[VDNN_STREAM_COUNT] = {0};
    for (int32_t s = 0; s < builder->step_count; s++) {
        if (builder->steps[s].stream != VDNN_STREAM_COMPUTE)
            continue;
        for (int k = 0; k < VDNN_STREAM_COUNT; k++)
            while (filled[k] < builder->clocks[s].done[k])
                known->seen_at[k][filled[k]++] = builder->position[s];
        if (builder->group[s] >= 0)
            known->group_end[builder->group[s]] = builder->position[s];
    }
    for (int k = 0; k < VDNN_STREAM_COUNT; k++)
        while (filled[k] < counts[k])
            known->seen_at[k][filled[k]++] = known->compute_count;
    return VDNN_OK;
}

static vdnn_lifetime access_span(const vdnn_builder *builder, const completion *known, int32_t step,
                                 bool assume_hidden)
{
    int32_t position = builder->position[step];
    vdnn_stream_id stream = builder->steps[step].stream;
    if (stream == VDNN_STREAM_COMPUTE)
        return (vdnn_lifetime){2 * position, 2 * position + 1};
    int32_t gate = builder->clocks[step].done[VDNN_STREAM_COMPUTE];
    vdnn_lifetime span = {gate > 0 ? 2 * gate - 1 : 0, 2 * known->seen_at[stream][position]};
    if (assume_hidden && builder->group[step] >= 0) {
        int32_t hidden = 2 * known->group_end[builder->group[step]] + 1;
        if (hidden < span.end)
            span.end = hidden;
    }
    return span;
}

vdnn_status vdnn_lifetime_compute(vdnn_builder *builder, bool assume_hidden)
{
    completion known;
    vdnn_status status = completion_init(builder, &known);
    if (status != VDNN_OK)
        return status;
    vdnn_heap_free(builder->lifetimes);
    builder->lifetimes =
        vdnn_heap_calloc((size_t)builder->buffer_count + 1, sizeof *builder->lifetimes);
    if (builder->lifetimes == NULL) {
        completion_fini(&known);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %d buffers",
                                (int)builder->buffer_count);
    }
    for (int32_t b = 0; b < builder->buffer_count; b++)
        builder->lifetimes[b] = (vdnn_lifetime){INT32_MAX, 0};
    for (int32_t i = 0; i < builder->access_count; i++) {
        const vdnn_builder_access_record *record = &builder->accesses[i];
        vdnn_lifetime span = access_span(builder, &known, record->step, assume_hidden);
        vdnn_lifetime *life = &builder->lifetimes[record->access.buffer];
        if (span.start < life->start)
            life->start = span.start;
        if (span.end > life->end)
            life->end = span.end;
        /* Of copies alone, hidden by a compute step that they come after: the gap behind it. */
        if (life->end == life->start)
            life->end++;
    }
    completion_fini(&known);
    return VDNN_OK;
}
