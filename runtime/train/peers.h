#ifndef VDNN_RUNTIME_TRAIN_PEERS_H
#define VDNN_RUNTIME_TRAIN_PEERS_H

// clang-format off
/* The devices that train one network, each with a share of every batch. They are all of this
 * process, each further one with a thread that drives it, or each of a separate process; either
 * way the caller's thread drives the caller's device, whose run is the session's.
 *
 *   caller's thread   device 0   begin | step | step | ... | drain | evaluates, writes the files
 *   thread 1          device 1   begin | step | step | ... | drain |
 *   thread 2          device 2   begin | step | step | ... | drain |    the lesser share of 2 of 3
 *
 * Of devices that share the batch there are at most two shapes: where it does not divide evenly, the
 * first ones have one sample more than the others. All devices of a shape run one plan. The stages
 * of a pipeline have a plan each. Every process makes all plans.
 *
 * Invariant: all devices make the same steps, and parameters are the same on each, bit for bit, but
 * for running statistics, which differ by device. A device that fails ends the step of all, and
 * every later one.
 * Threads: one; NULL in the place of peers: the caller's device trains alone.
 *
 *     status = vdnn_peers_create(&fit_request, &options, &plans, group, &peers); // plans the others
 *     status = vdnn_peers_begin(peers, &request, &run);      // all devices, the caller's too
 *     status = vdnn_peers_step(peers, &run, run.step_count, NULL);
 *     status = vdnn_peers_drain(peers, &run);
 *     vdnn_training_end(&run), vdnn_peers_destroy(peers);
 */
// clang-format on

#include "runtime/train/training/training.h"

typedef struct vdnn_peers vdnn_peers;

/* How many devices train a setup's network: those that share its batch, or one a stage. */
int32_t vdnn_peers_count(const vdnn_setup *setup);

/* For a setup of several devices and the plans of the first device's share; both are borrowed. As
 * is `group`, this process's end where each device has a process; NULL: all are of this one. The
 * options say how long a stage's plan is searched for.
 * VDNN_NO_FIT if the lesser share does not fit; VDNN_INTERNAL if the plans do not go together, or
 * processes plan differently. */
vdnn_status vdnn_peers_create(const vdnn_fit_request *request, const vdnn_run_options *options,
                              const vdnn_fit_plans *plans, vdnn_group *group, vdnn_peers **peers);
/* After the first device's run has ended. Accepts NULL. */
void vdnn_peers_destroy(vdnn_peers *peers);

/* Does what vdnn_training_begin does, on each device; `request` is the first one's share. */
vdnn_status vdnn_peers_begin(vdnn_peers *peers, const vdnn_training_request *request,
                             vdnn_training_run *run);
/* Do what vdnn_training_step and vdnn_training_drain do, on each device; the error of the first
 * device that failed. */
vdnn_status vdnn_peers_step(vdnn_peers *peers, vdnn_training_run *run, int64_t last,
                            vdnn_sample *sample);
vdnn_status vdnn_peers_drain(vdnn_peers *peers, vdnn_training_run *run);

/* Does what vdnn_training_evaluate does, of stages on all devices, and then in every process. */
bool vdnn_peers_evaluate_together(const vdnn_peers *peers);
vdnn_status vdnn_peers_evaluate(vdnn_peers *peers, vdnn_training_run *run, vdnn_test_scores *found);

/* As vdnn_training_can_change_plan, of each device of this process, and vdnn_training_change_plan.
 */
bool vdnn_peers_can_change_plan(const vdnn_peers *peers, const vdnn_training_run *run);
vdnn_status vdnn_peers_change_plan(vdnn_peers *peers, vdnn_training_run *run,
                                   const vdnn_fit_plans *plans);

/* After vdnn_training_trace_begin of the caller's device: the steps of the others are in its trace,
 * too. Accepts NULL. */
void vdnn_peers_trace(vdnn_peers *peers, const vdnn_training_run *run);

/* The caller's device writes files, by `writes`, of what may be in shares on all of them: the
 * others lend theirs meanwhile. A process that is not the first lends instead. Every process calls
 * it, at the same step; where no device has shares, the first one may alone. */
typedef vdnn_status vdnn_peers_write(void *context);
vdnn_status vdnn_peers_save(vdnn_peers *peers, vdnn_training_run *run, vdnn_peers_write *writes,
                            void *context);
/* Whether this process lends to the first one. Accepts NULL. */
bool vdnn_peers_lends(const vdnn_peers *peers);

/* Has every process know what the others' devices measured so far. */
vdnn_status vdnn_peers_gather(vdnn_peers *peers, const vdnn_training_run *run);
/* What is known of another device than the caller's: its plan, and what was measured since begin;
 * of another process's device what was gathered last. */
vdnn_status vdnn_peers_record(const vdnn_peers *peers, int32_t device, vdnn_record_share *record);

#endif
