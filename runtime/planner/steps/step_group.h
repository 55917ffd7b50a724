#ifndef VDNN_RUNTIME_PLANNER_STEPS_STEP_GROUP_H
#define VDNN_RUNTIME_PLANNER_STEPS_STEP_GROUP_H

/* Groups of steps: those of one layer or chain in one half of the step; for a chain in forward and
 * for a tail, those of one part of one layer. A group's copies begin after the compute steps of the
 * group before it. Where copies are joined at each layer, its end waits for them:
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

/* Ends a group. In the paper's synchronization, at the end of a layer that copied, the compute
 * stream waits for the copies, and the layer's buffers are freed only then. A group without compute
 * steps always ends so. */
void vdnn_step_group_end(vdnn_emitter *emit, int32_t layer, vdnn_pass half);

#endif
