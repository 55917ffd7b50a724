#ifndef VDNN_RUNTIME_PLANNER_STEPS_BATCH_H
#define VDNN_RUNTIME_PLANNER_STEPS_BATCH_H

/* The steps that bring a batch to the device: its inputs and labels.
 *
 *   own     load | fwd conv1 | ...                           nothing is computed until it is there
 *   ahead   take | load the next | fwd conv1 | ...           from memory that is kept for that
 *   late    take | fwd conv1 | ... | bwd conv2 | load the next     to where others were until then
 *
 * Invariant: labels come before inputs, since the first layer waits for its input, and then both
 * are loaded.
 * Threads: one.
 *
 *     vdnn_batch_create(emit);
 *     vdnn_batch_load(emit);      // once for each micro-batch
 *     vdnn_batch_load_late(emit); // in backward, if it is late
 */

#include "runtime/planner/steps/emitter.h"

/* VDNN_INTERNAL if it cannot be loaded as decided. */
vdnn_status vdnn_batch_check(const vdnn_emitter *emit);

/* Where the next batch is loaded, and this one was: plan->ahead and plan->arrived. */
void vdnn_batch_create(vdnn_emitter *emit);

/* Into maps and labels of its own. A micro-batch is loaded while the last layer of the one before
 * it runs: earlier it would take memory beside the peak. */
void vdnn_batch_load(vdnn_emitter *emit);

/* The next one, behind what the layer waits for whose backward comes now. */
void vdnn_batch_load_late(vdnn_emitter *emit);

#endif
