#ifndef VDNN_RUNTIME_PLANNER_STEPS_INPUT_GRADIENTS_H
#define VDNN_RUNTIME_PLANNER_STEPS_INPUT_GRADIENTS_H

/* Where backward data writes the gradients of a layer's inputs, and how they are summed.
 *
 * The first reader in backward (the last in forward order) writes a tensor's gradient itself; each
 * further reader writes a summand that is added to it. So under every policy the order of the sum
 * is that of backward:
 *
 *     compute  | bwd conv3: dx of pool1 | ... | bwd conv2: a summand | accumulate: dx of pool1 |
 *
 * With parts of the samples, each part writes its samples; with parts of the channels that read the
 * same input, each part adds its share to what earlier parts wrote.
 *
 * Invariant: emit->gradients of a tensor is the sum over the readers whose backward has run.
 * Threads: one.
 *
 *     vdnn_input_gradient **own = vdnn_input_gradients_take(emit, of); // for a chain
 *     vdnn_input_gradients_find(emit, layer, own[0]);                  // for one part of a layer:
 *     ... its step of backward data ...
 *     vdnn_input_gradients_write(emit, step, layer, own[0]);
 *     vdnn_input_gradients_sum(emit, layer, own[0]);                   // after the step
 */

#include "runtime/planner/steps/emitter.h"

/* The gradient of one input, if it is required. */
typedef struct vdnn_input_gradient {
    bool is_first;      /* the layer writes the tensor's gradient itself */
    bool adds_share;    /* the current part adds a share */
    vdnn_place summand; /* for the samples of a part */
    vdnn_place share;   /* that a part of the channels adds to what earlier parts wrote */
} vdnn_input_gradient;

/* For each layer of a chain, those of its inputs; in the builder's region; NULL: no memory. */
vdnn_input_gradient **vdnn_input_gradients_take(vdnn_emitter *emit, vdnn_chain of);

/* Whether the gradient of a tensor is written and read within the chain of its producer, so that it
 * exists one part at a time. */
bool vdnn_input_gradients_by_parts(const vdnn_emitter *emit, int32_t tensor);

/* For the current part of a layer, before its step: finds where the gradients of its inputs are
 * written, and creates buffers that do not exist yet. */
void vdnn_input_gradients_find(vdnn_emitter *emit, const vdnn_layer *layer,
                               vdnn_input_gradient *own);
/* Adds the step's writes. */
void vdnn_input_gradients_write(vdnn_emitter *emit, int32_t step, const vdnn_layer *layer,
                                vdnn_input_gradient *own);
/* After the step: adds the steps that add shares and summands. */
void vdnn_input_gradients_sum(vdnn_emitter *emit, const vdnn_layer *layer,
                              vdnn_input_gradient *own);

#endif
