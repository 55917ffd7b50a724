#ifndef VDNN_RUNTIME_EXEC_STEP_DIGEST_H
#define VDNN_RUNTIME_EXEC_STEP_DIGEST_H

/* A hash of what one step of a plan computed: maps and their gradients, gradients of parameters,
 * parameters and optimizer state. Of two steps from the same state they are equal, byte for byte.
 *
 * Not hashed are copies and sums over devices, which show in the next step that reads them, and
 * what may differ without being read: workspace, stashes, and the gaps between gradients.
 *
 * Invariant: reads the device alone. Threads: the one that drives the device, where no later
 * operation was enqueued.
 *
 *     status = vdnn_jobs_enqueue(jobs, step, &inputs);
 *     status = vdnn_step_digest(plan, device, step, &digest);    // waits for it
 */

#include "runtime/device/device.h"
#include "runtime/plan/plan.h"

vdnn_status vdnn_step_digest(const vdnn_plan *plan, vdnn_device *device, int32_t step,
                             uint64_t *digest);

#endif
