#ifndef VDNN_RUNTIME_GRAPH_TIES_H
#define VDNN_RUNTIME_GRAPH_TIES_H

// clang-format off
/* Tied weights: layers that read another layer's weight (`weight_of`). For example, the last layer
 * of a language model reads the weight of its embedding.
 *
 * Parameters lie in blocks. A block is named after its owner, whose weight is at its beginning.
 * Layers that read that weight have their other parameters in the same block:
 *
 *     words        embedding, owner                 | words.weight | decoder.bias |
 *     decoder      fc, weight_of: words               params[0]      params[1] of decoder
 *
 * So a block has one update, one block of optimizer state and one gradient. Without micro-batches
 * the gradient is the sum over the layers of the block and their parts, in the order in which
 * backward computes them, the last layer first. With micro-batches each layer has a sum over these.
 * In the last one, a layer adds the sum of the later layers before its own last terms:
 *
 *     micro-batch          0            1                        2, the last
 *     decoder     D =      d0           D + d1                   D + d2
 *     words       W =      w0           W + w1                   (D + W) + w2, and the update
 *
 * This order is the same whether the layers are in one stage of a pipeline or in several. A layer
 * adds 0 to the gradients of parameters that only other layers have.
 *
 * Invariant: an owner reads no other layer's weight; the layers of a block read one weight, of one
 * shape, in plain layout. Threads: pure functions over a graph that is being created.
 *
 *     status = vdnn_ties_check(model, &order, is_tied);
 *     ... layers are inferred, with is_tied ...
 *     status = vdnn_ties_join(model, &order, tensor_of, graph);
 */
// clang-format on

#include "runtime/graph/graph.h"
#include "runtime/graph/order.h"

/* Finds which layers of the file share a block. VDNN_BAD_INPUT with file, line and names if a type
 * has no weight to share, or if the weight's owner itself reads another layer's weight. */
vdnn_status vdnn_ties_check(const vdnn_model *model, const vdnn_order *order, bool *is_tied);

/* Puts the parameters of such layers into their owners' blocks. tensor_of: the output of each layer
 * of the file. VDNN_BAD_INPUT with both shapes if two weights differ in shape. */
vdnn_status vdnn_ties_join(const vdnn_model *model, const vdnn_order *order,
                           const int32_t *tensor_of, vdnn_graph *graph);

#endif
