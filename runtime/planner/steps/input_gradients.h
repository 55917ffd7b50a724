#ifndef VDNN_RUNTIME_PLANNER_STEPS_INPUT_GRADIENTS_H
#define VDNN_RUNTIME_PLANNER_STEPS_INPUT_GRADIENTS_H

/* Where backward data writes the gradients of a layer's inputs, and how they are summed.
 *
 * The first reader in backward (the last in forward order) writes a tensor's gradient itself, every
 * further one a summand that is added to it; so the order of the sum is that of backward, under
 * every policy:
 *
 *     compute  | bwd conv3: dx of pool1 | ... | bwd conv2: a summand | accumulate: dx of pool1 |
 *
 * By parts of the samples each writes its own samples; by parts of the channels that read the same,
 * each adds its share to what those before it wrote.
 *
 * Invariant: emit->gradients of a tensor is the sum over the readers whose backward has run.
 * Threads: one.
 *
 *     vdnn_input_gradient **own = vdnn_input_gradients_take(emit, of); // a chain's
 *     vdnn_input_gradients_find(emit, layer, own[0]);                  // of one part of a layer:
 *     ... its step of backward data ...
 *     vdnn_input_gradients_write(emit, step, layer, own[0]);
 *     vdnn_input_gradients_sum(emit, layer, own[0]);                   // behind the step
 */

#include "runtime/planner/steps/emitter.h"

/* Of one input, if its gradient is wanted. */
typedef struct vdnn_input_gradient {
    bool is_first;      /* the layer writes the tensor's gradient itself */
    bool adds_share;    /* the current part does */
    vdnn_place summand; /* of the samples of a part */
    vdnn_place share;   /* that a part of the channels adds to what the parts before it wrote */
} vdnn_input_gradient;

/* Of each layer of a chain its inputs', in the builder's region; NULL: no memory. */
vdnn_input_gradient **vdnn_input_gradients_take(vdnn_emitter *emit, vdnn_chain of);

/* Whether the gradient of a tensor is made and read within the chain of its producer, so that it is
 * there a part at a time. */
bool vdnn_input_gradients_by_parts(const vdnn_emitter *emit, int32_t tensor);

/* Of the current part of a layer, and the inputs whose gradients it wants. Before its step: where
 * they are written; what is nowhere yet is made. */
void vdnn_input_gradients_find(vdnn_emitter *emit, const vdnn_layer *layer,
                               vdnn_input_gradient *own);
/* What the step writes. */
void vdnn_input_gradients_write(vdnn_emitter *emit, int32_t step, const vdnn_layer *layer,
                                vdnn_input_gradient *own);
/* Behind it: the steps that add shares and summands. */
void vdnn_input_gradients_sum(vdnn_emitter *emit, const vdnn_layer *layer,
                              vdnn_input_gradient *own);

#endif
