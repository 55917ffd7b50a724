#ifndef VDNN_RUNTIME_PLANNER_BUILDER_H
#define VDNN_RUNTIME_PLANNER_BUILDER_H

/* The plan under construction: steps, buffers, accesses and waits while they are added; and the
 * memory in which plans are made, one after the other.
 *
 * Invariant: steps are in the order of the plan; an access or a wait may be added to any step at
 * any time and is put in its place by vdnn_builder_finish. The first failed allocation sticks:
 * adding continues as a no-op and vdnn_builder_finish returns VDNN_NO_MEMORY, so that emitting code
 * needs no checks. Once the memory is large enough, nothing is allocated.
 * Threads: one.
 *
 *     vdnn_builder builder = {.failed = false};
 *     vdnn_builder_begin(&builder, zone_bytes);      // each plan; the one before is gone
 *     int32_t buffer = vdnn_builder_buffer(&builder, (vdnn_buffer){...});
 *     int32_t step = vdnn_builder_step(&builder, (vdnn_step){...}, group);
 *     vdnn_builder_access(&builder, step, (vdnn_access){...});
 *     status = vdnn_builder_finish(&builder, plan);  // and so on: see planner.c
 *     vdnn_builder_fini(&builder);
 */

#include "runtime/plan/plan.h"
#include "runtime/planner/workbench/region.h"
#include "runtime/profile/profile.h"

/* A buffer's life in half points of the compute stream: step i starts at 2i and ends at 2i + 1. It
 * is alive in [start, end): everything that accesses it happens after `start` and before `end`. */
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

/* A step's waits: per stream a step, -1: none. Earlier steps of that stream are complete then, too.
 */
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
    vdnn_region region; /* of all arrays here, and of those of the phases */
    vdnn_step *steps;
    int32_t *group;            /* per step: which layer pass hides it; -1: none */
    vdnn_builder_waits *waits; /* per step */
    int32_t step_count, step_capacity;
    vdnn_buffer *buffers;
    int32_t buffer_count, buffer_capacity;
    vdnn_builder_access_record *accesses;
    int32_t access_count, access_capacity;
    size_t zone_bytes; /* behind every buffer */
    bool failed;

    /* Filled by later phases; indexes are steps or buffers. */
    vdnn_vector_clock *clocks;
    int32_t *position; /* of a step on its own stream */
    vdnn_lifetime *lifetimes;
} vdnn_builder;

/* Empties it. What was made in it before is gone. */
void vdnn_builder_begin(vdnn_builder *builder, size_t zone_bytes);
/* Memory for about so many steps, so that a first plan does not grow into it by halves. */
void vdnn_builder_expect(vdnn_builder *builder, int64_t steps);
void vdnn_builder_fini(vdnn_builder *builder);

/* VDNN_NO_MEMORY after a failed allocation, by a phase too. */
vdnn_status vdnn_builder_status(const vdnn_builder *builder);

/* Return the index; -1 after a failure. */
int32_t vdnn_builder_buffer(vdnn_builder *builder, vdnn_buffer buffer);
int32_t vdnn_builder_step(vdnn_builder *builder, vdnn_step step, int32_t group);
void vdnn_builder_grow_accesses(vdnn_builder *builder);
/* Of no bytes: of the whole buffer, as large as it is in the end. */
static inline void vdnn_builder_access(vdnn_builder *builder, int32_t step, vdnn_access access)
{
    if (builder->access_count == builder->access_capacity)
        vdnn_builder_grow_accesses(builder);
    if (!builder->failed)
        builder->accesses[builder->access_count++] = (vdnn_builder_access_record){step, access};
}
/* Ignored if both are on one stream, whose order implies it, and if the step waits for a later one
 * of the target's stream. */
void vdnn_builder_wait_for(vdnn_builder *builder, int32_t step, int32_t target);

/* A step's waits, the latest first; returns their number. */
int32_t vdnn_builder_list_waits(const vdnn_builder_waits *waits,
                                int32_t targets[VDNN_STREAM_COUNT]);

/* Sorts accesses and waits by step, sets first and last steps of buffers, and gives the arrays to
 * the plan, in the builder's memory. */
vdnn_status vdnn_builder_finish(vdnn_builder *builder, vdnn_plan *plan);
/* Likewise, without the accesses. */
vdnn_status vdnn_builder_finish_steps(vdnn_builder *builder, vdnn_plan *plan);

#endif
