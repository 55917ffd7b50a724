#ifndef VDNN_RUNTIME_PLAN_REQUIRED_H
#define VDNN_RUNTIME_PLAN_REQUIRED_H

/* Bytes that every plan has on the device while a pass of a layer runs, whatever is decided.
 *
 * Threads: pure functions.
 *
 *     size_t least = vdnn_required_maps(graph, layer, VDNN_BACKWARD_DATA) +
 *                    vdnn_required_params(graph, layer, VDNN_BACKWARD_DATA);
 */

#include "runtime/plan/decisions.h"

/* Bytes during the whole step: parameters that cannot be offloaded, with their optimizer state, and
 * a batch that is loaded ahead. A batch that is loaded late takes no bytes in forward and at the
 * start of backward. */
size_t vdnn_required_always(const vdnn_graph *graph, vdnn_loads loads);

/* Bytes of parameters, with their state, that may be in the host tier except during passes that use
 * them: of the blocks of all layers before `end`. */
size_t vdnn_required_sometimes(const vdnn_graph *graph, int32_t end);

/* The part of these bytes that a pass uses. */
size_t vdnn_required_params(const vdnn_graph *graph, const vdnn_layer *layer, vdnn_pass pass);

/* Bytes of the maps of a pass; in backward with dy and each dx that does not overwrite it. */
size_t vdnn_required_maps(const vdnn_graph *graph, const vdnn_layer *layer, vdnn_pass pass);

/* Bytes of dy and each such dx alone. */
size_t vdnn_required_gradients(const vdnn_graph *graph, const vdnn_layer *layer, vdnn_pass pass);

/* The largest sum of all of these over the layers that are run as a whole. */
size_t vdnn_required_by_whole_layers(const vdnn_graph *graph);

#endif
