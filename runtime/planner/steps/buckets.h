#ifndef VDNN_RUNTIME_PLANNER_STEPS_BUCKETS_H
#define VDNN_RUNTIME_PLANNER_STEPS_BUCKETS_H

// clang-format off
/* Buckets: the gradients of several blocks of parameters in one block of memory, which one step sums
 * over the devices, so that small ones do not pay a sum's latency each.
 *
 *     compute  | bwd fc8 | bwd fc7 | bwd fc6 | bwd conv5 | update fc8, fc7 | bwd conv4 | ...
 *     reduce             | fc8, fc7          | fc6                         | conv5, ...
 *
 * A bucket is full with the bytes that are decided, or with as many as are left for those behind it:
 * what is summed last, of the first layers, is not hidden by any compute, so that it is little. A
 * block whose gradient leaves the device while it waits is a bucket of its own.
 *
 * Invariant: which blocks are in which bucket depends on the graph's parameters and on decisions
 * that all devices share, so that all sum the same bytes in the same order.
 * Threads: one.
 *
 *     vdnn_buckets_init(emit);
 *     if (vdnn_buckets_takes(emit, layer)) place = vdnn_buckets_place(emit, owner);
 *     if (vdnn_buckets_hand_in(emit, owner)) ... what was handed in before is used ...
 */
// clang-format on

#include "runtime/planner/steps/emitter.h"

/* Fills the emitter's lists; of a plan for one device, or of an evaluation, there are none. */
void vdnn_buckets_init(vdnn_emitter *emit);

/* Whether what a layer's current pass, or part, writes is the last of its block's gradient, which
 * is in a bucket; where that is, not written yet. */
bool vdnn_buckets_takes(const vdnn_emitter *emit, const vdnn_layer *layer);
vdnn_place vdnn_buckets_place(vdnn_emitter *emit, const vdnn_layer *owner);

/* The gradient of a block is whole. Sums its bucket, if that is full; false: it is not. */
bool vdnn_buckets_hand_in(vdnn_emitter *emit, const vdnn_layer *owner);

#endif
