#ifndef VDNN_RUNTIME_GRAPH_TIES_H
#define VDNN_RUNTIME_GRAPH_TIES_H

// clang-format off
/* Tied weights: layers whose weight is another layer's (`weight_of`), as that of a language model's
 * last layer, which is its embedding's.
 *
 * Parameters lie in blocks. A block has an owner, which it is named after, and whose weight is at
 * its beginning; layers that read that weight have their own parameters in the block too:
 *
 *     words        embedding, owner                 | words.weight | decoder.bias |
 *     decoder      fc, weight_of: words               params[0]      params[1] of decoder
 *
 * So a block has one update, one block of optimizer state and one gradient. That is the sum over
 * micro-batches, over the block's layers and over their parts, in the order in which backward
 * computes these: of a micro-batch the last layer first. The update comes behind the last of them,
 * that of the first layer, of the last micro-batch. What one layer adds is 0 where the parameters
 * are other layers'.
 *
 * Invariant: an owner's weight is its own; the weights of a block's layers have one shape, plain
 * layout, and one place. Threads: pure functions over a graph that is being made.
 *
 *     status = vdnn_ties_check(model, &order, is_tied);
 *     ... layers are inferred, with is_tied ...
 *     status = vdnn_ties_join(model, &order, tensor_of, graph);
 */
// clang-format on

#include "runtime/graph/graph.h"
#include "runtime/graph/order.h"

/* Finds which layers of the file have a block with others. VDNN_BAD_INPUT with file, line and names
 * if a type has no weight that can be another's, or a weight that is read is itself another's. */
vdnn_status vdnn_ties_check(const vdnn_model *model, const vdnn_order *order, bool *is_tied);

/* Puts the parameters of such layers into the blocks of their owners. tensor_of: the output of each
 * layer of the file. VDNN_BAD_INPUT with both shapes if they are not the same. */
vdnn_status vdnn_ties_join(const vdnn_model *model, const vdnn_order *order,
                           const int32_t *tensor_of, vdnn_graph *graph);

#endif
