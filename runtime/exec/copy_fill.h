#ifndef VDNN_RUNTIME_EXEC_COPY_FILL_H
#define VDNN_RUNTIME_EXEC_COPY_FILL_H

/* Initial values of the copies of weights that a plan keeps (vdnn_weight_copies): later updates
 * write them.
 *
 * Invariant: a copy is filled completely, with its padding, which no update writes.
 * Threads: the one that drives the device, between rounds.
 *
 *     status = vdnn_device_write(device, ...);      // the weights, into the plan's buffers
 *     status = vdnn_copy_fill(plan, device);        // nothing where none is kept
 */

#include "runtime/device/device.h"
#include "runtime/plan/plan.h"

vdnn_status vdnn_copy_fill(const vdnn_plan *plan, vdnn_device *device);

/* The copy of one layer's weight. */
vdnn_status vdnn_copy_fill_layer(const vdnn_plan *plan, vdnn_device *device, int32_t layer);

#endif
