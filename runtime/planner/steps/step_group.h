#ifndef VDNN_RUNTIME_PLANNER_STEPS_STEP_GROUP_H
#define VDNN_RUNTIME_PLANNER_STEPS_STEP_GROUP_H

/* Groups of steps: what belongs to one layer, or chain, in one half of the step; of a chain in
 * forward, or of a tail, to one part of one layer. A group's copies begin behind the compute steps
 * of the one before it, and, where copies are joined at each layer, its end waits for them:
 *
 *     compute  | conv1 | conv2     | join | conv3 ...
 *     out              | map of conv1 |
 *               group 0  group 1            group 2
 *
 * Invariant: one group at a time, and each ends before the next begins.
 * Threads: one.
 *
 *     vdnn_step_group_begin(emit);
 *     ... steps of a layer, and copies that it hides ...
 *     vdnn_step_group_end(emit, layer->index, VDNN_FORWARD);
 */

#include "runtime/planner/steps/emitter.h"

void vdnn_step_group_begin(vdnn_emitter *emit);

/* The paper's synchronization at the end of a layer that copied: the compute stream waits for the
 * copies, and the layer's buffers are freed only then. A group without compute steps ends so in any
 * case. */
void vdnn_step_group_end(vdnn_emitter *emit, int32_t layer, vdnn_pass half);

#endif
