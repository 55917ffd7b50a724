#ifndef VDNN_TRACES_STEP_RANGES_H
#define VDNN_TRACES_STEP_RANGES_H

/* A plan's steps as external profilers see them: an NVTX range for each, with its title, on the
 * thread that runs it or launches it on a GPU. Its bytes are those that a copy moves; for other
 * steps those of the buffers it accesses.
 *
 * Invariant: all texts are registered when the ranges are created.
 * Threads: create and destroy by one; the observer's functions by any.
 *
 *     status = vdnn_step_ranges_create(plan, &ranges);
 *     vdnn_device_observe(device, vdnn_step_ranges_observer(ranges));
 *     vdnn_step_ranges_destroy(ranges);
 */

#include "runtime/device/device.h"

typedef struct vdnn_step_ranges vdnn_step_ranges;

/* Sets *ranges to NULL if no profiler is attached. VDNN_NO_MEMORY. The plan must outlive the
 * ranges. */
vdnn_status vdnn_step_ranges_create(const vdnn_plan *plan, vdnn_step_ranges **ranges);
/* Accepts NULL. */
void vdnn_step_ranges_destroy(vdnn_step_ranges *ranges);
/* Opens and closes the range of the step whose number is the operation's event. NULL for NULL. */
const vdnn_device_observer *vdnn_step_ranges_observer(const vdnn_step_ranges *ranges);

#endif
