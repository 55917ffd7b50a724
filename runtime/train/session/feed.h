#ifndef VDNN_RUNTIME_TRAIN_SESSION_FEED_H
#define VDNN_RUNTIME_TRAIN_SESSION_FEED_H

/* Batches that the program gives, one for each step (vdnn_session_step_on) or for a prediction, as
 * a source of data: the loader reads them like any other, once they are there.
 *
 *     sample of the source   0 ... batch - 1 | batch ... 2 batch - 1 | ...
 *     of the arrays          0 ... batch - 1 | 0 ... batch - 1       | ...
 *
 * Invariant: arrays are read between give and end only.
 * Threads: begin, give and end by one, while no step is under way; the loader's read.
 *
 *     vdnn_feed_begin(&feed, graph, &options);
 *     status = vdnn_feed_give(&feed, batch);
 *     ... a step ...
 *     vdnn_feed_end(&feed);
 */

#include "runtime/graph/graph.h"

typedef struct vdnn_feed {
    vdnn_data_source source; /* of these batches */
    const vdnn_graph *graph; /* borrowed */
    vdnn_batch batch;        /* its arrays are borrowed; none while none is given */
} vdnn_feed;

/* Becomes the source of the options. The feed stays where it is. */
void vdnn_feed_begin(vdnn_feed *feed, const vdnn_graph *graph, vdnn_dataset_options *dataset);

/* VDNN_USAGE for another number of samples, or an array that is missing. */
vdnn_status vdnn_feed_give(vdnn_feed *feed, const vdnn_batch *batch);
/* A feed of these samples alone, of any number and without labels, which are all 0 then. VDNN_USAGE
 * for an array that is missing. The feed stays where it is. */
vdnn_status vdnn_feed_lend(vdnn_feed *feed, const vdnn_graph *graph, const vdnn_batch *batch);
void vdnn_feed_end(vdnn_feed *feed);

#endif
