#ifndef VDNN_RUNTIME_EXEC_EXECUTOR_H
#define VDNN_RUNTIME_EXEC_EXECUTOR_H

/* The executor: runs a checked plan on a device, again and again. It has no `if` on policy and
 * decides nothing.
 *
 * Invariant: a plan is checked before it is made ready; nothing is allocated while a step runs.
 * Threads: one thread drives it.
 *
 *     status = vdnn_executor_create(plan, device, device_bytes, host_bytes, &executor);
 *     vdnn_executor_batch batch = {images, labels, &context};
 *     status = vdnn_executor_step(executor, &batch, &result);   // as often as wanted
 *     vdnn_executor_destroy(executor);
 */

#include "runtime/device/device.h"
#include "runtime/plan/plan.h"
#include "traces/timeline.h"

typedef struct vdnn_executor vdnn_executor;

typedef struct vdnn_executor_batch {
    const void *images; /* staging block, batch x channels x height x width of the graph's dtype */
    const int32_t *labels; /* staging block, batch */
    vdnn_step_context context;
    /* Called once, from the caller's thread, when images and labels are no longer read, however the
     * step ends; NULL: nobody asks. */
    void (*taken)(void *argument);
    void *argument;
} vdnn_executor_batch;

typedef struct vdnn_executor_result {
    double loss;          /* mean over the batch */
    double correct;       /* predictions that were right */
    double seconds;       /* from the first start to the last end */
    double stall_seconds; /* in which the compute stream had work but waited */
    size_t device_live_peak_bytes, host_live_peak_bytes; /* from real starts and completions */
    size_t offload_bytes, prefetch_bytes;
} vdnn_executor_result;

/* Checks the plan and makes kernels ready. The device's tiers must hold the plan's spans. */
vdnn_status vdnn_executor_create(const vdnn_plan *plan, vdnn_device *device, size_t device_bytes,
                                 size_t host_bytes, vdnn_executor **executor);
/* From the next step on, every offloaded buffer is hashed on its way out and back; one that comes
 * back changed makes the step fail with VDNN_MISMATCH. Once; between steps. */
vdnn_status vdnn_executor_verify(vdnn_executor *executor);
void vdnn_executor_destroy(vdnn_executor *executor);

vdnn_status vdnn_executor_step(vdnn_executor *executor, const vdnn_executor_batch *batch,
                               vdnn_executor_result *result);

/* What ran when in the last step; borrowed, until the next step. */
const vdnn_timeline *vdnn_executor_timeline(const vdnn_executor *executor);

#endif
