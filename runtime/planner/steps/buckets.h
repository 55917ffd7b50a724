#ifndef VDNN_RUNTIME_PLANNER_STEPS_BUCKETS_H
#define VDNN_RUNTIME_PLANNER_STEPS_BUCKETS_H

// clang-format off
/* Buckets: the gradients of several blocks of parameters in one piece of memory, which one step sums
 * over the devices, so that small gradients do not each pay the latency of a sum.
 *
 *     compute  | bwd fc8 | bwd fc7 | bwd fc6 | bwd conv5 | update fc8, fc7 | bwd conv4 | ...
 *     reduce             | fc8, fc7          | fc6                         | conv5, ...
 *
 * A bucket is full at the decided size, or at the size that is left for the blocks after it: the last
 * sum, that of the first layers, is not hidden by compute, so it is kept small. A block whose
 * gradient leaves the device while it waits has a separate bucket.
 *
 * Invariant: which blocks are in which bucket depends only on the graph's parameters and on decisions
 * that all devices share, so that all sum the same bytes in the same order.
 * Threads: one.
 *
 *     vdnn_buckets_init(emit);
 *     if (vdnn_buckets_takes(emit, layer)) place = vdnn_buckets_place(emit, owner);
 *     if (vdnn_buckets_hand_in(emit, owner)) ... use what was handed in before ...
 */
// clang-format on

#include "runtime/planner/steps/moves/residency.h"

typedef struct vdnn_bucket {
    int32_t first, count; /* its range of blocks */
    size_t bytes, summed; /* of its memory; the bytes from its start that are summed */
    int32_t buffer;       /* -1: not created, since nothing is written yet */
} vdnn_bucket;

typedef struct vdnn_buckets {
    int32_t *blocks; /* in the order in which backward completes their gradients */
    vdnn_bucket *list;
    int32_t count, full, used; /* the first of them are full, or used */
    int32_t *of;               /* per block, at its owner: the bucket that it is in */
    size_t *offset;            /* per block: in its bucket */
} vdnn_buckets;

/* Sets the emitter's lists; they are empty for a plan of one device and for an evaluation. */
void vdnn_buckets_init(vdnn_emitter *emit);

/* Whether the layer's current pass, or part, writes the last term of its block's gradient, which
 * is in a bucket; the place of the gradient there, not written yet. */
bool vdnn_buckets_takes(const vdnn_emitter *emit, const vdnn_layer *layer);
vdnn_place vdnn_buckets_place(vdnn_emitter *emit, const vdnn_layer *owner);

/* Hands in the complete gradient of a block. Sums its bucket if that is full; false: it is not. */
bool vdnn_buckets_hand_in(vdnn_emitter *emit, const vdnn_layer *owner);

#endif
