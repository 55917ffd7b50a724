#ifndef VDNN_RUNTIME_PLANNER_STEPS_BACKWARD_H
#define VDNN_RUNTIME_PLANNER_STEPS_BACKWARD_H

/* The backward steps of a chain of layers: first the values that its passes need are copied in or
 * recomputed, then the passes run, then values that are not needed further are dropped. Backward
 * filter runs before backward data if x is freed before dx is written: one memory serves both.
 *
 *     in       | map of conv2 |
 *     compute  | recompute relu2 | bwd data conv3 | accumulate | bwd filter conv3 | update conv3 |
 *     compute  | recompute norm2 | bwd filter conv3 | bwd data conv3 | accumulate | update conv3 |
 *     out                        | a gradient that waits                          |
 *
 * Invariant: chains come in the reverse order of their layers, after all of forward.
 * Threads: one.
 *
 *     vdnn_emitter_begin_backward(emit);
 *     for (int32_t l = graph->layer_count - 1; l >= 0; l = of.begin - 1)
 *         vdnn_backward_chain(emit, of = emit->chains[l]);
 */

#include "runtime/planner/steps/emitter.h"

/* Adds a group (step_group.h); for a tail one for each run of a layer: each part forward first. */
void vdnn_backward_chain(vdnn_emitter *emit, vdnn_chain of);

#endif
