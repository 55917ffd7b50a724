#ifndef VDNN_RUNTIME_PLANNER_STEPS_PASSES_H
#define VDNN_RUNTIME_PLANNER_STEPS_PASSES_H

/* The steps of a chain's runs (run_order.h), forward and backward.
 *
 * In backward, first the values that the passes need are copied in or recomputed, then the passes
 * run, then values that are not needed further are dropped. Backward filter runs before backward
 * data if x is freed before dx is written: one memory serves both.
 *
 *     in       | parameters of conv3 |
 *     compute  | conv2 0 | relu2 0 | conv2 1 | relu2 1 |     a chain of two layers, in two parts
 *     out      | map of conv1      | map of conv2 ...
 *
 *     in       | map of conv2 |
 *     compute  | recompute relu2 | bwd data conv3 | accumulate | bwd filter conv3 | update conv3 |
 *     compute  | recompute norm2 | bwd filter conv3 | bwd data conv3 | accumulate | update conv3 |
 *     out                        | a gradient that waits                          |
 *
 * A group's copies begin after the compute steps of the group before it. Where copies are joined at
 * each layer, its end waits for them:
 *
 *     compute  | conv1 | conv2     | join | conv3 ...
 *     out              | map of conv1 |
 *               group 0  group 1            group 2
 *
 * Invariant: chains come in the order of their layers, in backward in the reverse order.
 * Threads: one.
 *
 *     for (int32_t l = 0; l < graph->layer_count; l = of.end)
 *         vdnn_passes_forward(emit, of = emit->chains[l]);
 *     vdnn_emitter_begin_backward(emit);
 *     for (int32_t l = graph->layer_count - 1; l >= 0; l = of.begin - 1)
 *         vdnn_passes_backward(emit, of = emit->chains[l]);
 */

#include "runtime/planner/steps/emitter.h"

/* For a tail no layer runs yet; copies out run while the tail does. */
void vdnn_passes_forward(vdnn_emitter *emit, vdnn_chain of);
/* Runs a tail forward, too. */
void vdnn_passes_backward(vdnn_emitter *emit, vdnn_chain of);
/* Of a layer the filter pass that was deferred, and what leaves with it; chains have one layer
 * then. */
void vdnn_passes_filter(vdnn_emitter *emit, const vdnn_layer *layer);

#endif
