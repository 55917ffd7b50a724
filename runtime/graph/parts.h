#ifndef VDNN_RUNTIME_GRAPH_PARTS_H
#define VDNN_RUNTIME_GRAPH_PARTS_H

/* The parts of a graph's layers; a part of the making of a graph.
 *
 * Invariant: the ranges of a layer are in order, disjoint and cover it; their bytes of its
 * auxiliary map are disjoint. Threads: one.
 *
 *     status = vdnn_parts_create(graph, "net.yaml"); // layers are complete, maps are made behind
 * it vdnn_parts_destroy(graph);
 */

#include "runtime/graph/graph.h"

/* Sets parts, first_part and part_layers, and the aux_bytes of layers in parts. VDNN_BAD_INPUT with
 * file and line for a layer that is not run in so many parts. */
vdnn_status vdnn_parts_create(vdnn_graph *graph, const char *path);
void vdnn_parts_destroy(vdnn_graph *graph);

#endif
