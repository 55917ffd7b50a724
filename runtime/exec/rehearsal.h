#ifndef VDNN_RUNTIME_EXEC_REHEARSAL_H
#define VDNN_RUNTIME_EXEC_REHEARSAL_H

/* Every kernel of a plan runs once before the arena is taken, each on a block of its own size that
 * is freed again. On a device that loads kernels when they first run (vdnn_device_properties.
 * loads_late), its own and those of libraries, they take their part of the memory now, and what is
 * free behind it is all the arena's.
 *
 * Invariant: a kernel that ran here needs nothing more of the device's memory than what the plan
 * lends it. Between the tiers nothing is copied; no result is kept.
 * Threads: one; before the device's tiers are reserved, which are empty afterwards.
 *
 *     status = vdnn_rehearsal_run(plan, device);
 *     if (plan->arena_bytes > vdnn_device_free_bytes(device)) ...    // plan again, with that
 */

#include "runtime/device/device.h"

vdnn_status vdnn_rehearsal_run(const vdnn_plan *plan, vdnn_device *device);

#endif
