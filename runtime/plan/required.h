#ifndef VDNN_RUNTIME_PLAN_REQUIRED_H
#define VDNN_RUNTIME_PLAN_REQUIRED_H

/* Bytes that are on the device while a pass of a layer runs, in every plan, whatever it decides.
 *
 * Threads: pure functions.
 *
 *     size_t beside = vdnn_required_backward(graph, layer, VDNN_BACKWARD_DATA) +
 *                     vdnn_required_params(graph, layer, VDNN_BACKWARD_DATA);
 */

#include "runtime/plan/decisions.h"

/* During the whole step: parameters that may not leave, with the optimizer's state of theirs, and
 * a batch that is there ahead. What is loaded late takes none of it in forward, nor at the turn
 * from there to backward. */
size_t vdnn_required_always(const vdnn_graph *graph, vdnn_loads loads);

/* Parameters that may be in the host tier but for the passes that use them, and their state: of the
 * blocks of all layers before that one. */
size_t vdnn_required_sometimes(const vdnn_graph *graph, int32_t end);

/* Of these, what a pass uses. */
size_t vdnn_required_params(const vdnn_graph *graph, const vdnn_layer *layer, vdnn_pass pass);

/* Its maps; of a backward pass with dy and each dx that is not written over it. */
size_t vdnn_required_maps(const vdnn_graph *graph, const vdnn_layer *layer, vdnn_pass pass);

/* dy and each such dx alone. */
size_t vdnn_required_gradients(const vdnn_graph *graph, const vdnn_layer *layer, vdnn_pass pass);

/* The most of all this while any layer runs that is run as a whole. */
size_t vdnn_required_by_whole_layers(const vdnn_graph *graph);

#endif
