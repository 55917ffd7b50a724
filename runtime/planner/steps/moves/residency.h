#ifndef VDNN_RUNTIME_PLANNER_STEPS_MOVES_RESIDENCY_H
#define VDNN_RUNTIME_PLANNER_STEPS_MOVES_RESIDENCY_H

/* Where values are while decisions become steps, and their copies between tiers.
 *
 * Steps compute with places on the device. A value that leaves is copied tier by tier down to the
 * one in which it waits, and back the same way:
 *
 *     device  --copy out-->  host  --spill-->  file
 *     device  <--copy in---  host  <--fill---  file
 *
 * A value that outlives the step has a home in one of these tiers, which its copies out are
 * written to; other values get a new buffer in each tier that they reach.
 *
 * Invariant: a copy waits for the step that wrote what it copies.
 * Threads: one.
 *
 *     vdnn_move move = {{VDNN_VALUE_GRADIENT, tensor}, .tier = VDNN_TIER_FILE, .layer = l, ...};
 *     vdnn_residency_out(emit, &move, emit->gradients[tensor]);
 *     ...
 *     vdnn_residency_in(emit, &move, &emit->gradients[tensor]);   // a new buffer on the device
 */

#include "runtime/plan/values.h"
#include "runtime/planner/builder.h"

typedef struct vdnn_emitter vdnn_emitter;

/* Where a value is now, and which step wrote it last; -1: none. */
typedef struct vdnn_place {
    int32_t buffer, writer;
    size_t first, bytes; /* a range of the buffer; 0 bytes: all of it */
} vdnn_place;

/* The place of a whole buffer that is not written yet. */
static inline vdnn_place vdnn_place_of(int32_t buffer)
{
    return (vdnn_place){.buffer = buffer, .writer = -1};
}

/* A value of values.h, but of a map, which may be copied in pieces, one of these (map_copies.h). */
typedef struct vdnn_value_id {
    vdnn_value_kind kind;
    int32_t of;
} vdnn_value_id;

/* A value between the device and the tier in which it waits. */
typedef struct vdnn_move {
    vdnn_value_id value;
    vdnn_tier tier;
    int32_t layer; /* that its steps are listed under, in this half of the step */
    vdnn_pass half;
    int32_t gate;       /* the compute step that it starts after; -1: any time (further tiers: after
                           the compute of the group before) */
    vdnn_stripes range; /* of the value's bytes; no bytes: all of its buffer */
} vdnn_move;

typedef struct vdnn_residency {
    vdnn_place *away[VDNN_VALUE_COUNT]; /* per kind, for each value one place per tier */
} vdnn_residency;

/* Creates the places of a kind's values, all of them none; again for each micro-batch: clear. */
void vdnn_residency_create(vdnn_emitter *emit, vdnn_value_kind kind, int32_t count);
void vdnn_residency_clear(vdnn_emitter *emit, vdnn_value_kind kind, int32_t count);

/* The place of a value's copy in a tier other than the device. */
vdnn_place *vdnn_residency_in_tier(const vdnn_emitter *emit, vdnn_value_id value, vdnn_tier tier);

/* Adds copies of `from` down to the tier, and up from there to *to. */
void vdnn_residency_out(vdnn_emitter *emit, const vdnn_move *move, vdnn_place from);
void vdnn_residency_in(vdnn_emitter *emit, const vdnn_move *move, vdnn_place *to);

#endif
