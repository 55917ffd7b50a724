#ifndef VDNN_RUNTIME_PLANNER_STEPS_MOVES_GRADIENT_COPIES_H
#define VDNN_RUNTIME_PLANNER_STEPS_MOVES_GRADIENT_COPIES_H

// clang-format off
/* Copies of gradients between tiers while decisions become steps. A gradient that no step uses for a
 * while is copied out after the layer that used it last, and copied in before the next use.
 *
 * For the gradient of a map, where branches join or fork:
 *
 *     compute  | bwd add | bwd conv3 | ... | bwd conv2 | bwd conv1 |
 *     out                | d of add's other input      |
 *     in                                   | same grad |
 *
 * For the gradient of parameters, over micro-batches, layers that share a block, or a late update:
 *
 *     compute  | bwd fc1, norm | bwd relu1 | ... | bwd conv1, norm | update fc1 | update conv1 |
 *     out                      | d fc1     |
 *     in                                                           | d fc1      |
 *
 * Invariant: a gradient is on the device while a step uses it; then it has no copies in other tiers.
 * Threads: one.
 *
 *     vdnn_gradient_copies_begin(emit, layer);   // a layer of backward: copies that it hides
 *     ... its steps ...
 *     vdnn_gradient_copies_drop(emit, layer, layer->index);   // those it used that wait now
 *     vdnn_gradient_copies_out(emit, 0);         // after the last layer of a micro-batch
 */
// clang-format on

#include "runtime/planner/steps/moves/residency.h"

typedef struct vdnn_gradient_copies {
    vdnn_value_id *idle; /* gradients that leave while the next layer of backward runs */
    int32_t idle_count;
    int32_t away_count; /* the number of gradients that are not on the device */
} vdnn_gradient_copies;

void vdnn_gradient_copies_init(vdnn_emitter *emit);
/* Whether a buffer holds a gradient that is decided to be offloaded. */
bool vdnn_gradient_copies_has(const vdnn_emitter *emit, const vdnn_buffer *buffer);

/* Copies out the gradients that the layer before no longer uses, and copies in the gradients of
 * maps that this layer and the next one use. */
void vdnn_gradient_copies_begin(vdnn_emitter *emit, const vdnn_layer *layer);
/* Lets gradients of maps that the layer used leave if their next user does not run soon after the
 * given layer, the last one of backward that has run (the first one of its chain). */
void vdnn_gradient_copies_drop(vdnn_emitter *emit, const vdnn_layer *layer, int32_t behind);

/* Marks a gradient, of a tensor or a sum of a block's, that waits to be copied out in the next
 * layer of backward, if so decided. */
void vdnn_gradient_copies_leave(vdnn_emitter *emit, vdnn_value_id gradient);
/* Copies out the gradients that leave, hidden by `layer`. */
void vdnn_gradient_copies_out(vdnn_emitter *emit, int32_t layer);
/* Copies in a gradient that is in another tier, hidden by `layer`. */
void vdnn_gradient_copies_in(vdnn_emitter *emit, vdnn_value_id gradient, int32_t layer);

#endif
