#ifndef VDNN_RUNTIME_PLANNER_STEPS_FORWARD_H
#define VDNN_RUNTIME_PLANNER_STEPS_FORWARD_H

/* The forward steps of a chain of layers, which is mostly a single layer.
 *
 *     in       | parameters of conv3 |
 *     compute  | conv2 0 | relu2 0 | conv2 1 | relu2 1 |     a chain of two layers, in two parts
 *     out      | map of conv1      | map of conv2 ...
 *
 * Invariant: chains come in the order of their layers.
 * Threads: one.
 *
 *     for (int32_t l = 0; l < graph->layer_count; l = of.end)
 *         vdnn_forward_chain(emit, of = emit->chains[l]);
 */

#include "runtime/planner/steps/emitter.h"

/* Adds a group (step_group.h); for a chain of several layers one for each part. For a tail nothing
 * runs yet; copies out run while the tail does. */
void vdnn_forward_chain(vdnn_emitter *emit, vdnn_chain of);

/* Adds the current part of a layer. */
void vdnn_forward_part(vdnn_emitter *emit, const vdnn_layer *layer);

#endif
