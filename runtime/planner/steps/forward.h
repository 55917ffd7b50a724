#ifndef VDNN_RUNTIME_PLANNER_STEPS_FORWARD_H
#define VDNN_RUNTIME_PLANNER_STEPS_FORWARD_H

/* The steps of forward, of a chain of layers: mostly of a layer alone.
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

/* A group (step_group.h); of a chain of several layers as many as they have parts. Of a tail
 * nothing runs yet; what has to leave does so while it runs. */
void vdnn_forward_chain(vdnn_emitter *emit, vdnn_chain of);

/* The current part of a layer. */
void vdnn_forward_part(vdnn_emitter *emit, const vdnn_layer *layer);

#endif
