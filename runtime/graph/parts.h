#ifndef VDNN_RUNTIME_GRAPH_PARTS_H
#define VDNN_RUNTIME_GRAPH_PARTS_H

/* Creates the parts of a graph's layers while the graph is created.
 *
 * Invariant: the ranges of a layer are in order, disjoint and cover it; their ranges of its
 * auxiliary map are disjoint. Threads: the one that creates the graph.
 *
 *     status = vdnn_parts_create(graph, "net.yaml"); // after the layers, before the maps
 *     vdnn_parts_destroy(graph);
 */

#include "runtime/graph/graph.h"

/* Sets parts, first_part and part_layers, and the aux_bytes of layers in parts. VDNN_BAD_INPUT with
 * file and line for a layer that cannot be run in that many parts. */
vdnn_status vdnn_parts_create(vdnn_graph *graph, const char *path);
void vdnn_parts_destroy(vdnn_graph *graph);

#endif
