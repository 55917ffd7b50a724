#ifndef VDNN_RUNTIME_PLANNER_STEPS_PARAMETERS_H
#define VDNN_RUNTIME_PLANNER_STEPS_PARAMETERS_H

/* The steps of parameters: copies of those in the host tier, sums of gradients over micro-batches
 * and over layers that share a block (runtime/graph/ties.h), and updates. Gradients that wait in
 * another tier are in gradient_copies.h.
 *
 *   kept        always on the device
 *   offloaded   in fc6 --> fwd fc6 | ...... | in fc6, in its state --> bwd fc6, update --> out both
 *               hidden by one or more layers with parameters that run before fc6; parameters that
 *               stay are not copied in for backward; later layers, as many as decided, hide the
 *               copies out, and the memory is reused only after them
 *
 * With several devices, gradients are summed over them in buckets (buckets.h) during the backward
 * of the next bucket's blocks, and used after it:
 *
 *   compute   bwd fc7 | bwd fc6 | update fc7 | bwd conv5 | update fc6 | ...
 *   reduce            | fc7     |              fc6     |
 *
 * Invariant: emit->params.weights and .states of a block's owner are the places on the device, none
 * if it is not there. One step changes each of them: the last one that uses it.
 * Threads: one.
 *
 *     vdnn_parameters_fetch(emit, layer, VDNN_FORWARD);   // in the group that hides the copy
 *     vdnn_emitter_read(emit, step, emit->params.weights[layer->owner], VDNN_BIND_W, 0);
 *     vdnn_parameters_drop(emit, layer, VDNN_FORWARD);    // after the last pass of this half
 */

#include "runtime/planner/steps/moves/residency.h"

/* Per block, at its owner; gradients at the layer in whose place they are added up
 * (vdnn_graph_sum_of). */
typedef struct vdnn_parameters {
    vdnn_place *weights, *states; /* on the device */
    vdnn_place *gradients;        /* the last part of the gradient */
    vdnn_place *earlier;          /* the sum of the parts before it */
    int32_t *leaves_at;           /* the layer whose backward hides the copies out; -1: it does not
                                     wait for them */
    int32_t staying;              /* how many blocks wait */
    bool are_offloaded;           /* those of a block are */
    bool updates_are_late;        /* an update comes after passes of other layers */
    int32_t lent_by;              /* the last step that sends weights to a later stage; -1: none */
    vdnn_place norm;              /* the sum of squares of gradients so far */
} vdnn_parameters;

void vdnn_parameters_init(vdnn_emitter *emit);

/* Creates the blocks that are kept between steps. */
void vdnn_parameters_create(vdnn_emitter *emit);

/* Copies in what a layer's passes of one half use, unless it is on the device. */
void vdnn_parameters_fetch(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_pass half);
/* Does so for the layer, and for the layers whose copies it hides. */
void vdnn_parameters_fetch_ahead(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_pass half);
/* Ends the use of an offloaded block on the device, unless the next layer with parameters uses the
 * same block. */
void vdnn_parameters_drop(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_pass half);
/* Copies out the blocks that were updated earlier and stay until the passes of this layer. */
void vdnn_parameters_leave(vdnn_emitter *emit, int32_t layer);

/* Whether backward filter updates the parameters itself; adds the accesses of such a step. */
bool vdnn_parameters_updates_itself(const vdnn_emitter *emit, const vdnn_layer *layer);
void vdnn_parameters_change(vdnn_emitter *emit, int32_t step, const vdnn_layer *layer);

/* Begin comes before a pass that writes a term of its block's gradient: in the last micro-batch it
 * joins the sum of the later layers with the layer's. Write adds the access of such a pass, or of
 * a part of one. Sum adds the sum of earlier terms to it. Use comes after the layer's last term: if
 * the gradient is complete for the last micro-batch, it updates the parameters, or adds to the norm
 * that updates wait for. */
void vdnn_parameters_begin_gradient(vdnn_emitter *emit, const vdnn_layer *layer);
void vdnn_parameters_write_gradient(vdnn_emitter *emit, int32_t step, const vdnn_layer *layer);
void vdnn_parameters_sum_gradient(vdnn_emitter *emit, const vdnn_layer *layer);
void vdnn_parameters_use_gradient(vdnn_emitter *emit, const vdnn_layer *layer);
/* Adds the squares of all gradients to the norm, in the order of backward, where they were complete
 * in another one: filter passes were deferred. */
void vdnn_parameters_add_squares(vdnn_emitter *emit);
/* With several devices, uses the sums that are not used yet, after all of backward. */
void vdnn_parameters_use_reduced(vdnn_emitter *emit);
/* Adds all updates if they had to wait for the norm of all gradients. */
void vdnn_parameters_update_late(vdnn_emitter *emit);

#endif
