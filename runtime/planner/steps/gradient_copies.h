#ifndef VDNN_RUNTIME_PLANNER_STEPS_GRADIENT_COPIES_H
#define VDNN_RUNTIME_PLANNER_STEPS_GRADIENT_COPIES_H

// clang-format off
/* Copies of gradients between tiers while decisions become steps: a gradient that nothing computes
 * with for a while is copied out behind the layer that used it last, and in before the next use.
 *
 * That of a map, where branches join or fork:
 *
 *     compute  | bwd add | bwd conv3 | ... | bwd conv2 | bwd conv1 |
 *     out                | d of add's other input      |
 *     in                                   | the same  |
 *
 * That of parameters, over micro-batches, layers that share a block, and up to a late update:
 *
 *     compute  | bwd fc1, norm | bwd relu1 | ... | bwd conv1, norm | update fc1 | update conv1 |
 *     out                      | d fc1     |
 *     in                                                           | d fc1      |
 *
 * Gradients are numbered: those of tensors, then those of blocks by their owners.
 *
 * Invariant: a gradient is on the device while a step computes with it; its copies in other tiers
 * are gone as soon as it is there. Threads: one.
 *
 *     vdnn_gradient_copies_begin(emit, layer);   // a layer of backward: copies that it hides
 *     ... its steps ...
 *     vdnn_gradient_copies_drop(emit, layer, layer->index);   // what it used, and what waits now
 *     vdnn_gradient_copies_out(emit, 0);         // behind the last layer of a micro-batch
 */
// clang-format on

#include "runtime/planner/steps/emitter.h"

int32_t vdnn_gradient_copies_count(const vdnn_graph *graph);
/* VDNN_INTERNAL if a gradient that is decided to be offloaded cannot be. */
vdnn_status vdnn_gradient_copies_check(const vdnn_emitter *emit);
/* Whether a buffer is that of a gradient that is decided to be offloaded. */
bool vdnn_gradient_copies_has(const vdnn_emitter *emit, const vdnn_buffer *buffer);

/* The gradient of a block, by its owner. */
int32_t vdnn_gradient_copies_block(const vdnn_emitter *emit, int32_t owner);

/* Copies out what was left by the layer before, and copies in the gradients of maps that this layer
 * and the next one use. */
void vdnn_gradient_copies_begin(vdnn_emitter *emit, const vdnn_layer *layer);
/* Of the gradients of maps that the layer used: those that wait now for a layer that does not come
 * soon leave. `behind`: the last layer of backward that has run: the first one of its chain. */
void vdnn_gradient_copies_drop(vdnn_emitter *emit, const vdnn_layer *layer, int32_t behind);

/* A gradient that waits is copied out while the next layer of backward runs, if that is decided. */
void vdnn_gradient_copies_leave(vdnn_emitter *emit, int32_t gradient);
/* Those that leave; hidden by `layer`. */
void vdnn_gradient_copies_out(vdnn_emitter *emit, int32_t layer);
/* One that is in another tier; hidden by `layer`. */
void vdnn_gradient_copies_in(vdnn_emitter *emit, int32_t gradient, int32_t layer);

#endif
