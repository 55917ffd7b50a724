#include "runtime/planner/lifetime.h"

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
    size_t count = (size_t)builder->step_count;
    if (builder->clocks == NULL) {
        builder->clocks = vdnn_region_take(&builder->region, count, sizeof *builder->clocks);
        builder->position = vdnn_region_take(&builder->region, count, sizeof *builder->position);
    }
    VDNN_TRY(vdnn_builder_status(builder));
    int32_t last[VDNN_STREAM_COUNT];
    memset(last, -1, sizeof last);
    for (int32_t s = 0; s < builder->step_count; s++) {
        int32_t before = last[builder->steps[s].stream];
        static const vdnn_vector_clock none = {{0}};
        builder->clocks[s] = before < 0 ? none : after(builder, before);
        builder->position[s] = before < 0 ? 0 : builder->position[before] + 1;
        join_waits(builder, s);
        last[builder->steps[s].stream] = s;
    }
    return VDNN_OK;
}

bool vdnn_lifetime_before(const vdnn_builder *builder, int32_t a, int32_t b)
{
    return builder->position[a] < builder->clocks[b].done[builder->steps[a].stream];
}

/* For each stream of copies and position: the first compute step that starts after that step is
 * complete. */
typedef struct completion {
    int32_t *seen_at[VDNN_STREAM_COUNT]; /* compute position; compute_count: only the step's end */
    int32_t compute_count;
    int32_t *group_end; /* per group: position of the last compute step up to its end */
} completion;

/* What is complete when a compute step starts, and was not before. */
static void see(const vdnn_builder *builder, int32_t step, int32_t filled[VDNN_STREAM_COUNT],
                completion *known)
{
    for (int k = 0; k < VDNN_STREAM_COUNT; k++)
        while (filled[k] < builder->clocks[step].done[k])
            known->seen_at[k][filled[k]++] = builder->position[step];
}

static vdnn_status completion_init(vdnn_builder *builder, completion *known)
{
    int32_t counts[VDNN_STREAM_COUNT] = {0}, groups = 0;
    for (int32_t s = 0; s < builder->step_count; s++) {
        counts[builder->steps[s].stream]++;
        if (builder->group[s] >= groups)
            groups = builder->group[s] + 1;
    }
    known->compute_count = counts[VDNN_STREAM_COMPUTE];
    for (int k = 0; k < VDNN_STREAM_COUNT; k++)
        known->seen_at[k] =
            vdnn_region_take(&builder->region, (size_t)counts[k], sizeof *known->seen_at[k]);
    known->group_end =
        vdnn_region_zeros(&builder->region, (size_t)groups, sizeof *known->group_end);
    VDNN_TRY(vdnn_builder_status(builder));
    int32_t filled[VDNN_STREAM_COUNT] = {[VDNN_STREAM_COMPUTE] = known->compute_count};
    for (int32_t s = 0; s < builder->step_count; s++) {
        if (builder->steps[s].stream != VDNN_STREAM_COMPUTE)
            continue;
        if (!vdnn_builder_waits_are_none(&builder->waits[s])) /* else nothing new */
            see(builder, s, filled, known);
        if (builder->group[s] >= 0)
            known->group_end[builder->group[s]] = builder->position[s];
    }
    for (int32_t g = 1; g < groups; g++)
        if (known->group_end[g] < known->group_end[g - 1])
            known->group_end[g] = known->group_end[g - 1]; /* it has none */
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
    VDNN_TRY(completion_init(builder, &known));
    if (builder->lifetimes == NULL)
        builder->lifetimes = vdnn_region_take(&builder->region, (size_t)builder->buffer_count,
                                              sizeof *builder->lifetimes);
    VDNN_TRY(vdnn_builder_status(builder));
    for (int32_t b = 0; b < builder->buffer_count; b++)
        builder->lifetimes[b] = (vdnn_lifetime){INT32_MAX, 0};
    vdnn_lifetime span = {0, 0};
    for (int32_t i = 0, of = -1; i < builder->access_count; i++) {
        const vdnn_builder_access_record *record = &builder->accesses[i];
        if (record->step != of) /* a step's are mostly one behind the other */
            span = access_span(builder, &known, record->step, assume_hidden);
        of = record->step;
        vdnn_lifetime *life = &builder->lifetimes[record->access.buffer];
        if (span.start < life->start)
            life->start = span.start;
        if (span.end > life->end)
            life->end = span.end;
        /* Of copies alone, hidden by a compute step that they come after: the gap behind it. */
        if (life->end == life->start)
            life->end++;
    }
    return VDNN_OK;
}
