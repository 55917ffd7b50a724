#ifndef VDNN_RUNTIME_GRAPH_FUSION_H
#define VDNN_RUNTIME_GRAPH_FUSION_H

/* Pairs of layers whose forward passes are one: the first applies the second as its epilogue, while
 * it writes y, and the second has no forward pass (vdnn_layer_has_pass). Backward is unchanged.
 *
 *     conv1 --a--> relu1 (in place) --b--> pool1        fwd conv1 writes b; bwd relu1, bwd conv1
 *
 * Invariant: a layer is fused only if no other layer reads the unfused output of the layer before
 * it: it works in place on it. A pair of types is one line in VDNN_FUSION_TABLE
 * (layers/registry.h).
 * Threads: the one that makes the graph.
 *
 *     map_count = vdnn_needs_resolve(graph, scratch); // in_place, needs
 *     vdnn_fusion_apply(graph);                       // epilogue, is_fused
 *     ... maps and signatures are made from them ...
 */

#include "runtime/graph/graph.h"

/* Fuses the pairs of a graph; none if the graph is unfused, and none whose second layer saves data
 * for backward: it must read every element itself. */
void vdnn_fusion_apply(vdnn_graph *graph);

#endif
