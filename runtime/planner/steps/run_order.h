#ifndef VDNN_RUNTIME_PLANNER_STEPS_RUN_ORDER_H
#define VDNN_RUNTIME_PLANNER_STEPS_RUN_ORDER_H

/* The order in which layers run, and the groups of steps that it makes.
 *
 * A *run* is one part of one layer, forward or backward. Chains run one after the other, and the
 * parts of a chain in turn; the tail runs each part forward and then backward. A *group* has the
 * steps that hide the copies of one run or of several:
 *
 *     forward     each run of a chain; a layer alone is one group with all its parts
 *     backward    all runs of a chain; in the tail each run
 *
 *     conv1 | conv2 relu2 chained, in 2 parts   | loss, the tail, in 2 parts
 *     f1    | f2.0  f2r.0  f2.1  f2r.1          | fL.0  bL.0  fL.1  bL.1   | b2r.0 b2.0 b2r.1 ...
 *     group 0     1      2     3     4               5     6     7     8     9
 *
 * Nothing else knows this order: groups are asked for here, before the steps in them exist.
 *
 * Invariant: chains cover all layers in order; only the last may be a tail, and only in training.
 * Threads: a value; its arrays are in the builder's region.
 *
 *     for (int32_t i = 0; i < vdnn_run_order_count(of, half); i++) {
 *         vdnn_run run = vdnn_run_order_at(of, half, i);
 *         ... the steps of part run.part of layer run.layer ...
 *     }
 */

#include "runtime/plan/decisions.h"
#include "runtime/planner/workbench/region.h"

/* Layers [begin, end) whose parts run in turn, in backward from the last layer to the first. Most
 * chains have one layer. */
typedef struct vdnn_chain {
    int32_t begin, end, parts;
    bool is_tail;          /* each part runs forward just before its backward */
    int32_t forward_group; /* its first in forward, counted from the first of the micro-batch; of a
                              tail, its first of all */
} vdnn_chain;

typedef struct vdnn_run {
    int32_t layer, part;
    vdnn_pass half; /* forward, or backward data for both passes of backward */
    bool begins_group;
} vdnn_run;

/* Per layer: the chain that it is in. The region tells of a failed allocation. */
vdnn_chain *vdnn_run_order_chains(vdnn_region *region, const vdnn_graph *graph,
                                  const vdnn_decisions *decisions, bool training);

/* How many runs a chain has in one half of the step, and the i-th of them. A tail has all of its
 * runs in backward. */
int32_t vdnn_run_order_count(vdnn_chain of, vdnn_pass half);
vdnn_run vdnn_run_order_at(vdnn_chain of, vdnn_pass half, int32_t i);

/* The group by whose end a map has left that is decided to leave by the end of `layer`. In a tail
 * it is in the first half of the runs, so that about as much time has passed as in an ordinary
 * forward. */
int32_t vdnn_run_order_leaving_group(vdnn_chain of, int32_t layer);
/* The same of the current part of a map that exists one part at a time: during the run of `layer`,
 * or, if that is after the chain, as many parts later as `ahead` says; counted on beyond the last
 * part, group by group. `last_reader` is the map's in forward. */
int32_t vdnn_run_order_leaving_group_of_part(vdnn_chain of, int32_t layer, int32_t part,
                                             int32_t ahead, int32_t last_reader);

/* The layer for whose backward maps return during run `i` of a tail: as long before the tail's end
 * as what leaves by the end of that layer leaves after its begin; -1: none. */
int32_t vdnn_run_order_returning_in(vdnn_chain tail, int32_t i);

#endif
