#ifndef VDNN_RUNTIME_GRAPH_MAPS_H
#define VDNN_RUNTIME_GRAPH_MAPS_H

/* The maps of a graph: for each piece of memory which layers write it, which read it, and which
 * need it in backward.
 *
 * Invariant: the maps follow from tensor->map, in_place, needs and aux_bytes alone.
 * Threads: the one that creates the graph.
 *
 *     int32_t count = vdnn_needs_resolve(graph, scratch);
 *     status = vdnn_maps_create(graph, count); // graph->maps, map_count, aux_map
 *     vdnn_maps_destroy(graph);
 */

#include "runtime/graph/graph.h"

/* Creates `map_count` maps for tensors, then one for each layer with aux_bytes. VDNN_NO_MEMORY. */
vdnn_status vdnn_maps_create(vdnn_graph *graph, int32_t map_count);
void vdnn_maps_destroy(vdnn_graph *graph);

#endif
