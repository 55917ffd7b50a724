#ifndef VDNN_RUNTIME_EXEC_EXECUTOR_H
#define VDNN_RUNTIME_EXEC_EXECUTOR_H

/* The executor: runs a checked plan on a device, step after step. It has no `if` on policy and
 * decides nothing.
 *
 * Up to VDNN_DEVICE_ROUNDS steps are in flight: one is enqueued while the one before it still runs,
 * so that the device need not wait for the host between them. That is safe because a plan's "end"
 * joins all its streams, on the stream where the next step's "begin" follows: no operation of a
 * step starts before the step before it is complete.
 *
 * Invariant: a plan is checked before it is bound; nothing is allocated while a step runs.
 * Threads: one thread drives it; only one executor of a device at a time has steps in flight.
 *
 *     status = vdnn_executor_create(plan, device, budget_bytes, &executor);
 *     if (vdnn_executor_needs_batch(executor))          // only of a plan that loads ahead
 *         status = vdnn_executor_preload(executor, inputs);
 *     vdnn_executor_begin(executor, &batch);            // a step, after those that are under way
 *     status = vdnn_executor_finish(executor, &result); // the oldest of them
 *     status = vdnn_executor_step(executor, &batch, &result); // or both, for a step alone
 *     vdnn_executor_destroy(executor);
 */

#include "runtime/comm/group.h"
#include "runtime/device/device.h"
#include "runtime/exec/step_observer.h"
#include "runtime/plan/plan.h"
#include "traces/timeline.h"

typedef struct vdnn_executor vdnn_executor;

typedef struct vdnn_executor_batch {
    /* What is loaded while the step runs: its own batch, or, if the plan loads ahead, that of the
     * next step; NULL: that one is not known. Per input of the graph a staging block of
     * vdnn_graph_batch_bytes; the labels are the last. */
    const void *inputs[VDNN_INPUTS_MAX];
    vdnn_step_context context;
    /* Called once, by finish, when the inputs are no longer read, however the step ends; may be
     * NULL. Batches are taken in the order in which their steps began. */
    void (*taken)(void *argument);
    void *argument;
    bool untimed; /* operations are not timed: timing costs a device time */
    bool logged;  /* where they are timed: the timeline has their launches, too */
    /* Of several devices, where some labels are ignored: the labels that count in the step's batch,
     * on all devices. */
    int64_t counted;
    const vdnn_step_observer
        *observer; /* borrowed; the step is the only one in flight. NULL: none */
} vdnn_executor_batch;

/* What a step's updates found that is not finite, which they did not apply unless the context
 * admits it: none of the parameters and slots became so. Updates before it were applied. */
typedef struct vdnn_executor_found {
    int32_t layer;    /* of the first such update; -1: there was none */
    bool is_gradient; /* else its gradient is finite, and its parameters would not be */
} vdnn_executor_found;

typedef struct vdnn_executor_result {
    double loss;    /* mean over the batch; of several devices this one's
                       part of it, which add up to it */
    double correct; /* correct predictions */
    vdnn_executor_found found;
    bool timed;                              /* else the times and peaks below are 0 */
    double seconds;                          /* from the first start to the last end */
    double stall_seconds;                    /* in which the compute stream had work but waited */
    size_t live_peak_bytes[VDNN_TIER_COUNT]; /* from real starts and completions */
    /* Between the device and the host tier, and that and the file tier, as the device counted. */
    size_t offload_bytes, prefetch_bytes, spill_bytes, fill_bytes;
} vdnn_executor_result;

/* Checks the plan and creates its kernels. The device's tiers must hold the plan's spans. */
vdnn_status vdnn_executor_create(const vdnn_plan *plan, vdnn_device *device,
                                 const size_t budget_bytes[VDNN_TIER_COUNT],
                                 vdnn_executor **executor);
/* From the next step on, every offloaded buffer is hashed when it is copied out and in; a
 * difference makes the step fail with VDNN_MISMATCH. To be called once, while no step is in flight.
 */
vdnn_status vdnn_executor_verify(vdnn_executor *executor);
/* From the next step on operations run one at a time in memory filled with NaN, and one that writes
 * past a buffer makes the step fail with VDNN_MISMATCH (redzone.h). Requires a plan with zones. To
 * be called once, while no step is in flight; only one step at a time is in flight then. */
vdnn_status vdnn_executor_guard(vdnn_executor *executor);
/* In steps that begin from now on operations run one at a time, and a hash of what each step of the
 * plan computed is put into `digests`, plan->step_count of them, borrowed until the next call; 0
 * for one that computes nothing, or only what others do later too (vdnn_jobs). NULL: none is
 * hashed. While no step is in flight; only one step at a time is in flight with digests. */
void vdnn_executor_note_digests(vdnn_executor *executor, uint64_t *digests);
/* From the next step on gradients are summed over the group, which is borrowed: for a plan of
 * several devices, all of which join one and run the same steps. A step that fails leaves the
 * group, and so do steps that are drained: then those of the other devices fail, too. To be called
 * once, while no step is in flight, by all of them at a time: on cards it waits for the others.
 * VDNN_DEVICE where one cannot sum, VDNN_NO_MEMORY, or an error of the group. */
vdnn_status vdnn_executor_join(vdnn_executor *executor, vdnn_group *group);
/* Whether what counts in the mean is known from the labels of all devices: the batch says how many
 * count. */
bool vdnn_executor_weighs_labels(const vdnn_executor *executor);
/* Completes the steps in flight. Accepts NULL. */
void vdnn_executor_destroy(vdnn_executor *executor);

/* True if the plan loads ahead and no step has loaded the batch of the next one: it is the first,
 * the first after an error, or its batch was not known to the one before. */
bool vdnn_executor_needs_batch(const vdnn_executor *executor);
/* Loads that batch as if it had been loaded ahead, and waits until it is complete. Inputs are as
 * for a step, in any host memory. No step is in flight. */
vdnn_status vdnn_executor_preload(vdnn_executor *executor, const void *const *inputs);

/* How many steps may be in flight: VDNN_DEVICE_ROUNDS, or one if it is guarded. */
int vdnn_executor_most_under_way(const vdnn_executor *executor);
/* Enqueues a step that needs no batch; fewer than that are in flight. Its finish returns its
 * errors, now or later. */
void vdnn_executor_begin(vdnn_executor *executor, const vdnn_executor_batch *batch);
/* Waits for the oldest step in flight. If it fails, later ones are not computed, and none is in
 * flight any more. */
vdnn_status vdnn_executor_finish(vdnn_executor *executor, vdnn_executor_result *result);
/* Number of steps in flight. */
int vdnn_executor_under_way(const vdnn_executor *executor);
/* Completes all steps in flight; their results, and a batch loaded ahead, are lost. Accepts NULL.
 */
void vdnn_executor_drain(vdnn_executor *executor);

/* A single step, with the given batch even if the plan loads ahead: none is in flight before or
 * after it. */
vdnn_status vdnn_executor_step(vdnn_executor *executor, const vdnn_executor_batch *batch,
                               vdnn_executor_result *result);

/* The timeline of the last step that was finished and timed; borrowed until the next one is. */
const vdnn_timeline *vdnn_executor_timeline(const vdnn_executor *executor);
/* When, on the device's clock, the first timed step began, from which a timeline's offset counts.
 */
double vdnn_executor_first_begin(const vdnn_executor *executor);

#endif
