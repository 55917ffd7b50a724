#ifndef VDNN_RUNTIME_TRAIN_LOST_TIME_H
#define VDNN_RUNTIME_TRAIN_LOST_TIME_H

/* Where steps lost time, by layer: stalls, copies that nothing hid, recomputing. Of steps that ran,
 * or of one on the planner's clock.
 *
 * Invariant: compute, recompute, exposed copies and stalls of all layers, and of what belongs to
 * none, sum to the time of the steps. All figures that are written are means over the steps.
 * Threads: a value; adding allocates nothing.
 *
 *     status = vdnn_lost_time_init(graph, &lost);
 *     vdnn_lost_time_add(&timeline, &overlap, &lost); // of each timed step
 *     json_t *worst = vdnn_lost_time_record(&lost, VDNN_LOST_TIME_MOST);
 *     vdnn_lost_time_fini(&lost);
 */

#include "traces/timeline.h"

#include <jansson.h>

typedef struct vdnn_lost_time {
    const vdnn_graph *graph;                /* borrowed */
    vdnn_time_split (*splits)[VDNN_HALVES]; /* owned; one more than there are layers */
    double copy_seconds, hidden_seconds;    /* of copies, and of those during compute */
    int64_t step_count;
} vdnn_lost_time;

enum { VDNN_LOST_TIME_MOST = 10 };

vdnn_status vdnn_lost_time_init(const vdnn_graph *graph, vdnn_lost_time *own);
/* Accepts what was never begun, all zero. */
void vdnn_lost_time_fini(vdnn_lost_time *own);

/* `overlap` is that of the timeline. */
void vdnn_lost_time_add(const vdnn_timeline *timeline, const vdnn_overlap *overlap,
                        vdnn_lost_time *own);

/* The bytes that hold what was added so far, for other processes that run the same layers. */
size_t vdnn_lost_time_packed_bytes(const vdnn_lost_time *own);
void vdnn_lost_time_pack(const vdnn_lost_time *own, void *packed);
/* Replaces what was added to one of as many layers. */
void vdnn_lost_time_unpack(const void *packed, vdnn_lost_time *own);

/* {compute_seconds, recompute_seconds, exposed_copy_seconds, stall_seconds} of a whole step. */
json_t *vdnn_lost_time_split(const vdnn_lost_time *own);
/* Seconds of a layer's kernels in a half of the step, recomputing with them. */
double vdnn_lost_time_kernels(const vdnn_lost_time *own, int32_t layer, int half);
/* The mean of a layer in both halves; of index layer_count, what belongs to no layer. */
vdnn_time_split vdnn_lost_time_mean(const vdnn_lost_time *own, int32_t layer);
/* Seconds that a step lost. */
double vdnn_lost_time_all(const vdnn_lost_time *own);
/* The part of the copies' time that ran during compute; 1 if there were none. */
double vdnn_lost_time_hidden_share(const vdnn_lost_time *own);
/* {stall_seconds, exposed_copy_seconds, recompute_seconds} of a layer, in both halves. */
json_t *vdnn_lost_time_of_layer(const vdnn_lost_time *own, int32_t layer);
/* The layers that lost the most, at most `most`, the worst first: [{layer, pass, ...those}]. */
json_t *vdnn_lost_time_record(const vdnn_lost_time *own, size_t most);
/* The same as words: "conv2 forward 1.20 ms, ..."; those alone that lost a twentieth of it all. */
void vdnn_lost_time_tell(const vdnn_lost_time *own, size_t most, vdnn_text *text);

#endif
