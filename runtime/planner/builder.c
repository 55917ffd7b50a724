#include "runtime/planner/builder.h"

#include "runtime/base/heap.h"

#include <string.h>

void vdnn_builder_init(vdnn_builder *builder)
{
    memset(builder, 0, sizeof *builder);
}

void vdnn_builder_fini(vdnn_builder *builder)
{
    vdnn_heap_free(builder->steps);
    vdnn_heap_free(builder->group);
    vdnn_heap_free(builder->buffers);
    vdnn_heap_free(builder->accesses);
    vdnn_heap_free(builder->waits);
    vdnn_heap_free(builder->clocks);
    vdnn_heap_free(builder->position);
    vdnn_heap_free(builder->lifetimes);
    memset(builder, 0, sizeof *builder);
}

/* Grows for one more item of `size` bytes; returns the array, or NULL and `failed`, also at a
 * plan's limit. */
static void *grow(vdnn_builder *builder, void *array, int32_t count, int32_t *capacity, size_t size)
{
    if (builder->failed)
        return NULL;
    if (count < *capacity)
        return array;
    if (count >= VDNN_PLAN_MOST_ITEMS) {
        builder->failed = true;
        return NULL;
    }
    int32_t wanted = *capacity == 0 ? 64 : *capacity * 2;
    void *grown = vdnn_heap_realloc(array, (size_t)wanted, size);
    if (grown == NULL) {
        builder->failed = true;
        return NULL;
    }
    *capacity = wanted;
    return grown;
}

int32_t vdnn_builder_buffer(vdnn_builder *builder, vdnn_buffer buffer)
{
    vdnn_buffer *array = grow(builder, builder->buffers, builder->buffer_count,
                              &builder->buffer_capacity, sizeof *array);
    if (array == NULL)
        return -1;
    builder->buffers = array;
    array[builder->buffer_count] = buffer;
    return builder->buffer_count++;
}

int32_t vdnn_builder_step(vdnn_builder *builder, vdnn_step step, int32_t group)
{
    vdnn_step *steps =
        grow(builder, builder->steps, builder->step_count, &builder->step_capacity, sizeof *steps);
    if (steps == NULL)
        return -1;
    builder->steps = steps;
    int32_t *groups = grow(builder, builder->group, builder->step_count, &builder->group_capacity,
                           sizeof *groups);
    if (groups == NULL)
        return -1;
    builder->group = groups;
    vdnn_builder_waits *waits =
        grow(builder, builder->waits, builder->step_count, &builder->wait_capacity, sizeof *waits);
    if (waits == NULL)
        return -1;
    builder->waits = waits;
    steps[builder->step_count] = step;
    groups[builder->step_count] = group;
    memset(&waits[builder->step_count], -1, sizeof *waits);
    return builder->step_count++;
}

void vdnn_builder_access(vdnn_builder *builder, int32_t step, vdnn_access access)
{
    vdnn_builder_access_record *array = grow(builder, builder->accesses, builder->access_count,
                                             &builder->access_capacity, sizeof *array);
    if (array == NULL)
        return;
    builder->accesses = array;
    array[builder->access_count++] = (vdnn_builder_access_record){step, access};
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

static void mark_buffer_steps(vdnn_plan *plan)
{
    for (int32_t b = 0; b < plan->buffer_count; b++)
        plan->buffers[b].first_step = plan->buffers[b].last_step = -1;
    for (int32_t s = 0; s < plan->step_count; s++)
        for (int32_t a = 0; a < plan->steps[s].access_count; a++) {
            vdnn_buffer *buffer =
                &plan->buffers[plan->accesses[plan->steps[s].first_access + a].buffer];
            if (buffer->first_step < 0)
                buffer->first_step = s;
            buffer->last_step = s;
        }
}

vdnn_status vdnn_builder_finish(vdnn_builder *builder, vdnn_plan *plan)
{
    if (builder->failed)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a plan of %d steps",
                                (int)builder->step_count);
    plan->accesses = vdnn_heap_calloc((size_t)builder->access_count, sizeof *plan->accesses);
    plan->waits = vdnn_heap_calloc((size_t)builder->step_count, sizeof(vdnn_builder_waits));
    if (plan->accesses == NULL || plan->waits == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a plan of %d steps",
                                (int)builder->step_count);
    plan->steps = builder->steps;
    plan->step_count = builder->step_count;
    plan->buffers = builder->buffers;
    plan->buffer_count = builder->buffer_count;
    builder->steps = NULL;
    builder->buffers = NULL;
    plan->access_count = builder->access_count;
    place_accesses(builder, plan);
    place_waits(builder, plan);
    mark_buffer_steps(plan);
    return VDNN_OK;
}
