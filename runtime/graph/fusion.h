#ifndef VDNN_RUNTIME_GRAPH_FUSION_H
#define VDNN_RUNTIME_GRAPH_FUSION_H

/* Pairs of layers that share one forward pass: the first applies the second as its epilogue while
 * it writes y, and the second has no forward pass (vdnn_layer_has_pass). Backward is unchanged.
 *
 *     conv1 --a--> relu1 (in place) --b--> pool1        fwd conv1 writes b; bwd relu1, bwd conv1
 *
 * Invariant: the second layer works in place, so no other layer reads the first one's unfused
 * output. A pair of types is one line in VDNN_FUSION_TABLE (layers/registry.h).
 * Threads: the one that creates the graph.
 *
 *     map_count = vdnn_needs_resolve(graph, scratch); // in_place, needs
 *     vdnn_fusion_apply(graph);                       // epilogue, is_fused
 *     ... maps and signatures are made from them ...
 */

#include "runtime/graph/graph.h"

/* Fuses the pairs of a graph, unless the graph is unfused. A second layer that saves data for
 * backward is not fused, since it must read every element itself. */
void vdnn_fusion_apply(vdnn_graph *graph);

#endif
