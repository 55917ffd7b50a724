#ifndef VDNN_RUNTIME_PLANNER_STEPS_BACKWARD_H
#define VDNN_RUNTIME_PLANNER_STEPS_BACKWARD_H

/* The steps of backward, of a chain of layers: what its passes need is copied in or recomputed
 * first, they run, and what they needed last is forgotten. Backward filter runs before backward
 * data where x is then gone before dx comes: of the two the memory of one is enough.
 *
 *     in       | map of conv2 |
 *     compute  | recompute relu2 | bwd data conv3 | accumulate | bwd filter conv3 | update conv3 |
 *     compute  | recompute norm2 | bwd filter conv3 | bwd data conv3 | accumulate | update conv3 |
 *     out                        | a gradient that waits                          |
 *
 * Invariant: chains come in the reverse order of their layers, behind all of forward.
 * Threads: one.
 *
 *     vdnn_emitter_begin_backward(emit);
 *     for (int32_t l = graph->layer_count - 1; l >= 0; l = of.begin - 1)
 *         vdnn_backward_chain(emit, of = emit->chains[l]);
 */

#include "runtime/planner/steps/emitter.h"

/* A group (step_group.h); of a tail one for each run of a layer, of each part first forward. */
void vdnn_backward_chain(vdnn_emitter *emit, vdnn_chain of);

#endif
