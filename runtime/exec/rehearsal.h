#ifndef VDNN_RUNTIME_EXEC_REHEARSAL_H
#define VDNN_RUNTIME_EXEC_REHEARSAL_H

/* Every kernel of a plan runs once before the arena is allocated, each on a block of its size that
 * is freed after it. On a device that loads kernels when they first run (vdnn_device_properties.
 * loads_late), those of vdnn and of libraries, they take their part of the memory now, and all
 * memory that is free afterwards can be the arena's.
 *
 * Invariant: a kernel that ran here needs no more of the device's memory than the plan gives it.
 * Nothing is copied between the tiers; no result is kept.
 * Threads: one; before the device's tiers are reserved, which are empty afterwards.
 *
 *     status = vdnn_rehearsal_run(plan, device);
 *     if (plan->span_bytes[VDNN_TIER_DEVICE] > vdnn_device_free_bytes(device)) ... // again
 */

#include "runtime/device/device.h"

vdnn_status vdnn_rehearsal_run(const vdnn_plan *plan, vdnn_device *device);

#endif
