#ifndef VDNN_RUNTIME_TRAIN_LOSSES_H
#define VDNN_RUNTIME_TRAIN_LOSSES_H

/* Where steps lost time, by layer: stalls, copies that nothing hid, recomputing. Of steps that ran,
 * or of one on the planner's clock.
 *
 * Invariant: compute, recompute, exposed copies and stalls of all layers, and of what belongs to
 * none, sum to the time of the steps. All figures that are written are means over the steps.
 * Threads: a value; adding allocates nothing.
 *
 *     status = vdnn_losses_init(graph, &losses);
 *     vdnn_losses_add(&timeline, &losses);           // of each timed step
 *     json_t *lost = vdnn_losses_record(&losses, VDNN_LOSSES_MOST);
 *     vdnn_losses_fini(&losses);
 */

#include "traces/timeline.h"

#include <jansson.h>

typedef struct vdnn_losses {
    const vdnn_graph *graph;                /* borrowed */
    vdnn_time_split (*splits)[VDNN_HALVES]; /* owned; one more than there are layers */
    double copy_seconds, hidden_seconds;    /* of copies, and of those beside compute */
    int64_t step_count;
} vdnn_losses;

enum { VDNN_LOSSES_MOST = 10 };

vdnn_status vdnn_losses_init(const vdnn_graph *graph, vdnn_losses *losses);
/* Accepts what was never begun, all zero. */
void vdnn_losses_fini(vdnn_losses *losses);

void vdnn_losses_add(const vdnn_timeline *timeline, vdnn_losses *losses);

/* {compute_seconds, recompute_seconds, exposed_copy_seconds, stall_seconds} of a whole step. */
json_t *vdnn_losses_split(const vdnn_losses *losses);
/* {stall_seconds, exposed_copy_seconds, recompute_seconds} of a layer, in both halves. */
json_t *vdnn_losses_of_layer(const vdnn_losses *losses, int32_t layer);
/* The layers that lost the most, at most so many, the worst first: [{layer, pass, ...those}]. */
json_t *vdnn_losses_record(const vdnn_losses *losses, size_t most);
/* The same in one sentence without its full stop: "lost the most: conv2 forward 1.2 ms, ...";
 * nothing where no layer lost any. */
void vdnn_losses_tell(const vdnn_losses *losses, size_t most, vdnn_text *text);

#endif
