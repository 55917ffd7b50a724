#include "runtime/planner/builder.h"

#include <string.h>

enum { FIRST_CAPACITY = 64 };

/* ---- memory ---------------------------------------------------------------------------------- */

/* A copy with so much capacity; NULL, and `failed`, at a plan's limit too. */
static void *resize(vdnn_builder *builder, const void *array, int32_t count, int32_t capacity,
                    size_t size)
{
    void *copy = capacity > VDNN_PLAN_MOST_ITEMS
                     ? NULL
                     : vdnn_region_take(&builder->region, (size_t)capacity, size);
    if (copy == NULL)
        builder->failed = true;
    else if (count > 0)
        memcpy(copy, array, (size_t)count * size);
    return copy;
}

static void resize_steps(vdnn_builder *builder, int32_t capacity)
{
    int32_t count = builder->step_count;
    builder->steps = resize(builder, builder->steps, count, capacity, sizeof *builder->steps);
    builder->group = resize(builder, builder->group, count, capacity, sizeof *builder->group);
    builder->waits = resize(builder, builder->waits, count, capacity, sizeof *builder->waits);
    builder->step_capacity = capacity;
}

static void resize_buffers(vdnn_builder *builder, int32_t capacity)
{
    builder->buffers = resize(builder, builder->buffers, builder->buffer_count, capacity,
                              sizeof *builder->buffers);
    builder->buffer_capacity = capacity;
}

static void resize_accesses(vdnn_builder *builder, int32_t capacity)
{
    builder->accesses = resize(builder, builder->accesses, builder->access_count, capacity,
                               sizeof *builder->accesses);
    builder->access_capacity = capacity;
}

static int32_t first_capacity(int32_t before)
{
    return before > FIRST_CAPACITY ? before : FIRST_CAPACITY;
}

void vdnn_builder_begin(vdnn_builder *builder, size_t zone_bytes)
{
    const vdnn_builder before = *builder;
    *builder = (vdnn_builder){.region = before.region, .zone_bytes = zone_bytes};
    vdnn_region_clear(&builder->region);
    resize_steps(builder, first_capacity(before.step_capacity));
    resize_buffers(builder, first_capacity(before.buffer_capacity));
    resize_accesses(builder, first_capacity(before.access_capacity));
}

/* About what a step has: each is a buffer of its own less often than not, and reads and writes. */
enum { STEPS_PER_BUFFER = 2, ACCESSES_PER_STEP = 4 };

void vdnn_builder_expect(vdnn_builder *builder, int64_t steps)
{
    if (steps > VDNN_PLAN_MOST_ITEMS / ACCESSES_PER_STEP)
        return;
    const int32_t count = (int32_t)steps;
    if (builder->step_capacity < count)
        resize_steps(builder, count);
    if (builder->buffer_capacity < count / STEPS_PER_BUFFER)
        resize_buffers(builder, count / STEPS_PER_BUFFER);
    if (builder->access_capacity < ACCESSES_PER_STEP * count)
        resize_accesses(builder, ACCESSES_PER_STEP * count);
}

void vdnn_builder_fini(vdnn_builder *builder)
{
    vdnn_region_fini(&builder->region);
    memset(builder, 0, sizeof *builder);
}

vdnn_status vdnn_builder_status(const vdnn_builder *builder)
{
    if (!builder->failed && !builder->region.failed)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a plan of %d steps and %d buffers",
                            (int)builder->step_count, (int)builder->buffer_count);
}

/* ---- adding ---------------------------------------------------------------------------------- */

int32_t vdnn_builder_buffer(vdnn_builder *builder, vdnn_buffer buffer)
{
    if (!builder->failed && builder->buffer_count == builder->buffer_capacity)
        resize_buffers(builder, 2 * builder->buffer_capacity);
    if (builder->failed)
        return -1;
    builder->buffers[builder->buffer_count] = buffer;
    return builder->buffer_count++;
}

int32_t vdnn_builder_step(vdnn_builder *builder, vdnn_step step, int32_t group)
{
    if (!builder->failed && builder->step_count == builder->step_capacity)
        resize_steps(builder, 2 * builder->step_capacity);
    if (builder->failed)
        return -1;
    builder->steps[builder->step_count] = step;
    builder->group[builder->step_count] = group;
    memset(&builder->waits[builder->step_count], -1, sizeof *builder->waits);
    return builder->step_count++;
}

void vdnn_builder_grow_accesses(vdnn_builder *builder)
{
    if (!builder->failed)
        resize_accesses(builder, 2 * builder->access_capacity);
}

void vdnn_builder_wait_for(vdnn_builder *builder, int32_t step, int32_t target)
{
    if (builder->failed || builder->steps[step].stream == builder->steps[target].stream)
        return;
    int32_t *latest = &builder->waits[step].on[builder->steps[target].stream];
    if (target > *latest)
        *latest = target;
}

int32_t vdnn_builder_list_waits(const vdnn_builder_waits *waits, int32_t targets[VDNN_STREAM_COUNT])
{
    int32_t count = 0;
    if (vdnn_builder_waits_are_none(waits))
        return 0;
    for (int k = 0; k < VDNN_STREAM_COUNT; k++) {
        int32_t target = waits->on[k], at = count;
        if (target < 0)
            continue;
        for (; at > 0 && targets[at - 1] < target; at--)
            targets[at] = targets[at - 1];
        targets[at] = target;
        count++;
    }
    return count;
}

/* Counts per step become first positions; each item then moves to the next place of its step, so
 * the order in which a step's items were added stays. */
static void place_accesses(const vdnn_builder *builder, vdnn_plan *plan)
{
    for (int32_t i = 0; i < builder->access_count; i++)
        plan->steps[builder->accesses[i].step].access_count++;
    int32_t next = 0;
    for (int32_t s = 0; s < plan->step_count; s++) {
        plan->steps[s].first_access = next;
        next += plan->steps[s].access_count;
        plan->steps[s].access_count = 0;
    }
    for (int32_t i = 0; i < builder->access_count; i++) {
        vdnn_step *step = &plan->steps[builder->accesses[i].step];
        vdnn_access *access = &plan->accesses[step->first_access + step->access_count++];
        *access = builder->accesses[i].access;
        if (access->bytes == 0)
            access->bytes = plan->buffers[access->buffer].bytes;
    }
}

static void place_waits(const vdnn_builder *builder, vdnn_plan *plan)
{
    for (int32_t s = 0; s < plan->step_count; s++) {
        vdnn_step *step = &plan->steps[s];
        step->first_wait = plan->wait_count;
        step->wait_count =
            vdnn_builder_list_waits(&builder->waits[s], plan->waits + plan->wait_count);
        plan->wait_count += step->wait_count;
    }
}

static void mark_buffer_steps(const vdnn_builder *builder, vdnn_plan *plan)
{
    for (int32_t b = 0; b < plan->buffer_count; b++)
        plan->buffers[b].first_step = plan->buffers[b].last_step = -1;
    for (int32_t i = 0; i < builder->access_count; i++) {
        int32_t step = builder->accesses[i].step;
        vdnn_buffer *buffer = &plan->buffers[builder->accesses[i].access.buffer];
        if (buffer->first_step < 0 || step < buffer->first_step)
            buffer->first_step = step;
        if (step > buffer->last_step)
            buffer->last_step = step;
    }
}

vdnn_status vdnn_builder_finish_steps(vdnn_builder *builder, vdnn_plan *plan)
{
    plan->waits =
        vdnn_region_take(&builder->region, (size_t)builder->step_count, sizeof(vdnn_builder_waits));
    VDNN_TRY(vdnn_builder_status(builder));
    plan->steps = builder->steps;
    plan->step_count = builder->step_count;
    plan->buffers = builder->buffers;
    plan->buffer_count = builder->buffer_count;
    place_waits(builder, plan);
    mark_buffer_steps(builder, plan);
    return VDNN_OK;
}

vdnn_status vdnn_builder_finish(vdnn_builder *builder, vdnn_plan *plan)
{
    VDNN_TRY(vdnn_builder_finish_steps(builder, plan));
    plan->accesses =
        vdnn_region_take(&builder->region, (size_t)builder->access_count, sizeof *plan->accesses);
    if (plan->accesses == NULL)
        return vdnn_builder_status(builder);
    plan->access_count = builder->access_count;
    place_accesses(builder, plan);
    return VDNN_OK;
}
