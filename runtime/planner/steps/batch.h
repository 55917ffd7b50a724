#ifndef VDNN_RUNTIME_PLANNER_STEPS_BATCH_H
#define VDNN_RUNTIME_PLANNER_STEPS_BATCH_H

/* The steps that bring a batch, its inputs and labels, to the device.
 *
 *   own     load | fwd conv1 | ...                           compute waits for the load
 *   ahead   take | load the next | fwd conv1 | ...           from memory that is kept for it
 *   late    take | fwd conv1 | ... | bwd conv2 | load the next     into memory others used before
 *
 * Invariant: labels are loaded before inputs. The first layer waits for its input, and then both
 * are loaded.
 * Threads: one.
 *
 *     vdnn_batch_create(emit);
 *     vdnn_batch_load(emit);      // once for each micro-batch
 *     vdnn_batch_load_late(emit); // in backward, if it is late
 */

#include "runtime/planner/steps/emitter.h"

/* Creates the buffers for the next and for this batch: plan->ahead and plan->arrived. */
void vdnn_batch_create(vdnn_emitter *emit);

/* Loads a micro-batch into separate maps and labels while the last layer of the one before it runs:
 * earlier it would take memory during the peak. */
void vdnn_batch_load(vdnn_emitter *emit);

/* Loads the next batch, after the steps that the current layer of backward waits for. */
void vdnn_batch_load_late(vdnn_emitter *emit);

#endif
