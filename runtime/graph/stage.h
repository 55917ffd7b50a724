#ifndef VDNN_RUNTIME_GRAPH_STAGE_H
#define VDNN_RUNTIME_GRAPH_STAGE_H

/* Stages of a pipeline: ranges of a network's layers, each of which a separate device runs.
 *
 * The graph of a stage has all layers of the network, with their numbers and shapes, but passes,
 * parameters and needs only of those in its range. A tensor that a layer before a cut makes, and
 * one after it reads, crosses the cut: its map goes to the next stage in forward, and its gradient
 * returns in backward. One that crosses several cuts is passed on by the stages between them:
 *
 *     stage 0              | stage 1             | stage 2
 *     conv1 --t1-----------> conv2 --t2----------> fc, loss         t1, t2 -->  maps
 *       \---------t3-------> (passes it on) -----> concat           <-- their gradients
 *
 * In the stage that it comes to, a tensor has no producer, and its map no writer, as an input. In
 * the stage that it leaves, the layer after the cut stands for all that read it there. So the
 * gradient of a tensor is added up in the same order as on one device: the readers of later stages
 * come before those of this one.
 *
 * A block of parameters that layers on both sides of a cut share is kept, and updated, by the stage
 * that has its first layer. That lends its weights to the later ones at the begin of each step. In
 * the last micro-batch each stage sends the sum of its layers' gradients, and of those of later
 * ones, to the stage before it:
 *
 *     stage 0              | stage 1             | stage 2
 *     words --weights------> (passes them on) ---> decoder
 *           <------------sum (passes it on) <----- decoder's gradient
 *
 * Invariant: no map is written in place on both sides of a cut, and none separates the owner of a
 * block from a layer before it that reads its weight.
 * Threads: pure.
 *
 *     for (int32_t l = 1; l < graph->layer_count; l++)      // of the whole network
 *         if (vdnn_stage_may_cut(graph, l)) bytes = vdnn_stage_crossing_bytes(graph, l);
 *     options.stage = (vdnn_stage){.first = 7, .end = 12, .number = 1, .count = 3, ...};
 *     status = vdnn_graph_create(model, &options, &graph);
 */

#include "runtime/base/status.h"
#include "runtime/graph/pipeline_schedule.h"

#include <stdbool.h>

typedef struct vdnn_graph vdnn_graph;

typedef struct vdnn_stage {
    int32_t first, end;    /* layers [first, end) */
    int32_t number, count; /* of all stages; count 0: the network is not cut */
    vdnn_schedule schedule;
    const vdnn_graph *whole; /* borrowed: the network that is cut; NULL: it is not needed */
} vdnn_stage;

/* A block of which other stages have layers too. */
typedef struct vdnn_stage_block {
    int32_t owner;        /* in the whole network */
    int32_t here;         /* the first layer here, in whose block the others here are; -1: none */
    int32_t below, above; /* the last layer in a stage before, the first in a later one; -1: none */
    size_t param_bytes, trainable_bytes;
} vdnn_stage_block;

/* Whether filter passes wait for the data passes of all layers, and updates for the step's end. */
static inline bool vdnn_stage_defers_filters(const vdnn_stage *stage)
{
    return stage->count > 0 && stage->schedule == VDNN_SCHEDULE_ZB1P;
}

/* The network that a graph is of: itself, or that which it is a stage of. */
const vdnn_graph *vdnn_stage_whole(const vdnn_graph *graph);

/* Whether the network can be cut in front of a layer: of a graph that is not a stage's. */
bool vdnn_stage_may_cut(const vdnn_graph *graph, int32_t layer);
/* Bytes of the tensors that cross that cut, for one micro-batch. */
size_t vdnn_stage_crossing_bytes(const vdnn_graph *graph, int32_t layer);
/* Bytes of the blocks that layers on both sides of it share: their weights cross it once in a
 * training step, and so do the sums of their gradients, back. */
size_t vdnn_stage_lent_bytes(const vdnn_graph *graph, int32_t layer);

/* Leaves of a complete graph what is in its stage. */
vdnn_status vdnn_stage_take(vdnn_graph *graph);

#endif
