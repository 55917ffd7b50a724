#ifndef VDNN_RUNTIME_GRAPH_NEEDS_H
#define VDNN_RUNTIME_GRAPH_NEEDS_H

/* Which map holds which value, and what backward needs by the rules of a graph.
 *
 * A layer overwrites its input if no backward pass needs it:
 *
 *     conv1 --a--> relu1 --b--> drop1 --c--> fc1      paper: relu1's backward reads b,
 *     map m1: a, then b         map m2: c             so drop1 must not overwrite it
 *     map m1: a, then b, then c                       lean: relu1 has its own mask
 *
 * Invariant: a value that a backward pass reads is the last one written to its map.
 * Threads: the one that creates the graph.
 *
 *     ... layers, shapes and tensors are complete ...
 *     vdnn_needs_resolve(graph, scratch); // needs, in_place, tensor->map
 *     ... then vdnn_maps_create ...
 */

#include "runtime/graph/graph.h"

/* Sets needs, in_place and aux_bytes of all layers and `map` of all tensors, and returns the number
 * of maps. `scratch` has one item for each tensor. */
int32_t vdnn_needs_resolve(vdnn_graph *graph, int32_t *scratch);

#endif
