#ifndef VDNN_RUNTIME_PLANNER_BUILDER_H
#define VDNN_RUNTIME_PLANNER_BUILDER_H

/* The plan under construction: the steps, buffers, accesses and waits that are added, and the
 * memory in which plans are made one after the other.
 *
 * Invariant: steps are in the order of the plan. An access or a wait may be added to any step at
 * any time; vdnn_builder_finish sorts them. After a failed allocation, adding is a no-op and
 * vdnn_builder_finish returns VDNN_NO_MEMORY, so that emitting code needs no checks. Once the
 * memory is large enough, nothing is allocated. Threads: one.
 *
 *     vdnn_builder builder = {.failed = false};
 *     vdnn_builder_begin(&builder, zone_bytes);      // for each plan; invalidates the one before
 *     int32_t buffer = vdnn_builder_buffer(&builder, (vdnn_buffer){...});
 *     int32_t step = vdnn_builder_step(&builder, (vdnn_step){...}, group);
 *     vdnn_builder_access(&builder, step, (vdnn_access){...});
 *     status = vdnn_builder_finish(&builder, plan);  // then further phases: workbench.c
 *     vdnn_builder_fini(&builder);
 */

#include "runtime/plan/plan.h"
#include "runtime/planner/workbench/region.h"
#include "runtime/profile/profile.h"

/* A buffer's life in half points of the compute stream: step i starts at 2i and ends at 2i + 1. It
 * is live in [start, end): everything that accesses it happens after `start` and before `end`. */
typedef struct vdnn_lifetime {
    int32_t start, end;
} vdnn_lifetime;

/* How many steps of each stream are complete before a step starts. */
typedef struct vdnn_vector_clock {
    int32_t done[VDNN_STREAM_COUNT];
} vdnn_vector_clock;

typedef struct vdnn_builder_access_record {
    int32_t step;
    vdnn_access access;
} vdnn_builder_access_record;

/* The steps that a step waits for, one per stream; -1: none. A wait for a step includes all earlier
 * steps of its stream. */
typedef struct vdnn_builder_waits {
    int32_t on[VDNN_STREAM_COUNT];
} vdnn_builder_waits;

static inline bool vdnn_builder_waits_are_none(const vdnn_builder_waits *waits)
{
    int32_t all = -1;
    for (int k = 0; k < VDNN_STREAM_COUNT; k++)
        all &= waits->on[k];
    return all == -1;
}

typedef struct vdnn_builder {
    vdnn_region region; /* of all arrays here, and of the phases' arrays */
    vdnn_step *steps;
    int32_t *group;            /* per step: the layer pass that hides it; -1: none */
    vdnn_builder_waits *waits; /* per step */
    int32_t step_count, step_capacity;
    vdnn_buffer *buffers;
    int32_t buffer_count, buffer_capacity;
    vdnn_builder_access_record *accesses;
    int32_t access_count, access_capacity;
    size_t zone_bytes; /* after every buffer */
    bool failed;

    /* Set by later phases; indexed by step or buffer. */
    vdnn_vector_clock *clocks;
    int32_t *position; /* of a step on its stream */
    vdnn_lifetime *lifetimes;
} vdnn_builder;

/* Empties the builder. Earlier results in its memory become invalid. */
void vdnn_builder_begin(vdnn_builder *builder, size_t zone_bytes);
/* Reserves memory for about this many steps, so that a first plan need not grow it step by step. */
void vdnn_builder_expect(vdnn_builder *builder, int64_t steps);
void vdnn_builder_fini(vdnn_builder *builder);

/* VDNN_NO_MEMORY after a failed allocation, also by a phase. */
vdnn_status vdnn_builder_status(const vdnn_builder *builder);

/* Add a buffer or a step and return its index; -1 after a failure. */
int32_t vdnn_builder_buffer(vdnn_builder *builder, vdnn_buffer buffer);
int32_t vdnn_builder_step(vdnn_builder *builder, vdnn_step step, int32_t group);
void vdnn_builder_grow_accesses(vdnn_builder *builder);
/* Adds an access. One with no bytes is of the whole buffer, in its final size. */
static inline void vdnn_builder_access(vdnn_builder *builder, int32_t step, vdnn_access access)
{
    if (builder->access_count == builder->access_capacity)
        vdnn_builder_grow_accesses(builder);
    if (!builder->failed)
        builder->accesses[builder->access_count++] = (vdnn_builder_access_record){step, access};
}
/* Adds a wait. Ignored if both steps are on one stream, whose order implies it, or if the step
 * already waits for a later step of the target's stream. */
void vdnn_builder_wait_for(vdnn_builder *builder, int32_t step, int32_t target);

/* Lists the steps that a step waits for, the latest first; returns their number. */
int32_t vdnn_builder_list_waits(const vdnn_builder_waits *waits,
                                int32_t targets[VDNN_STREAM_COUNT]);

/* Sorts accesses and waits by step, sets first and last steps of buffers, and sets the plan's
 * arrays, which stay in the builder's memory. */
vdnn_status vdnn_builder_finish(vdnn_builder *builder, vdnn_plan *plan);
/* Does the same without the accesses. */
vdnn_status vdnn_builder_finish_steps(vdnn_builder *builder, vdnn_plan *plan);

#endif
