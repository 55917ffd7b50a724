#ifndef VDNN_RUNTIME_PLANNER_STEPS_PARAMETERS_H
#define VDNN_RUNTIME_PLANNER_STEPS_PARAMETERS_H

/* The steps of parameters: copies of those that live in the host tier, sums of gradients over
 * micro-batches and over the layers that share a block (runtime/graph/ties.h), updates. Where a
 * gradient is meanwhile: gradient_copies.h.
 *
 *   kept        on the device all the time
 *   offloaded   in fc6 --> fwd fc6 | ...... | in fc6, in its state --> bwd fc6, update --> out both
 *               hidden by the layer with parameters that runs before fc6, or by more of them;
 *               where the parameters stay, they are not copied in for backward; out while layers
 *               behind run, as many as are decided: their memory is used again only then
 *
 * Of several devices gradients are summed over them in buckets (buckets.h), beside the backward of
 * the blocks of the next one, and used behind that:
 *
 *   compute   bwd fc7 | bwd fc6 | update fc7 | bwd conv5 | update fc6 | ...
 *   reduce            | fc7     |              fc6     |
 *
 * Invariant: emit->weights and emit->states of a block's owner are where it is on the device, none
 * where it is not there; each is changed by one step, the last that uses it.
 * Threads: one.
 *
 *     vdnn_parameters_fetch(emit, layer, VDNN_FORWARD);   // of a layer before: its pass hides that
 *     vdnn_emitter_read(emit, step, emit->weights[layer->owner], VDNN_BIND_W, 0);
 *     vdnn_parameters_drop(emit, layer, VDNN_FORWARD);    // after the last pass of this half
 */

#include "runtime/planner/steps/emitter.h"

/* VDNN_INTERNAL if parameters that are decided to be offloaded cannot be. */
vdnn_status vdnn_parameters_check(const vdnn_emitter *emit);

/* Blocks that are kept between steps. */
void vdnn_parameters_create(vdnn_emitter *emit);

/* Copies what a layer's passes of one half use to the device, unless it is there. */
void vdnn_parameters_fetch(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_pass half);
/* Likewise for the layer, and for the one that is hidden by it. */
void vdnn_parameters_fetch_ahead(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_pass half);
/* The device copies of an offloaded block are not used further, unless the next layer with
 * parameters has them in the same block. */
void vdnn_parameters_drop(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_pass half);
/* Copies out the blocks that were updated before, and stayed until the passes of this layer. */
void vdnn_parameters_leave(vdnn_emitter *emit, int32_t layer);

/* Whether backward filter updates the parameters itself, and the accesses of a step that does. */
bool vdnn_parameters_updates_itself(const vdnn_emitter *emit, const vdnn_layer *layer);
void vdnn_parameters_change(vdnn_emitter *emit, int32_t step, const vdnn_layer *layer);

/* The pass of a micro-batch, or of a part of it, that writes a layer's gradient, a part of its
 * block's, writes it here, and the sum of those before it is added. Behind the layer's last the sum
 * is used, if it is that of the micro-batch: that of the last micro-batch updates, or counts in the
 * norm that updates wait for. */
void vdnn_parameters_write_gradient(vdnn_emitter *emit, int32_t step, const vdnn_layer *layer);
void vdnn_parameters_sum_gradient(vdnn_emitter *emit, const vdnn_layer *layer);
void vdnn_parameters_use_gradient(vdnn_emitter *emit, const vdnn_layer *layer);
/* Of several devices: what is summed over them and not used yet, behind all of backward. */
void vdnn_parameters_use_reduced(vdnn_emitter *emit);
/* All updates, if they had to wait for the norm of all gradients. */
void vdnn_parameters_update_late(vdnn_emitter *emit);

#endif
