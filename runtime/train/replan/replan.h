#ifndef VDNN_RUNTIME_TRAIN_REPLAN_REPLAN_H
#define VDNN_RUNTIME_TRAIN_REPLAN_REPLAN_H

/* Where steps take longer than planned, a new plan is made by the times that the steps took,
 * with the algorithms that it has: no bit of the training changes. Once also where they do not, of
 * a plan by a first look at the network (first_look.h).
 *
 * Never where it could not help, or must not: of a policy that does not choose by time, of a plan
 * that neither copies nor recomputes, on simulated devices, while a trace is written, with
 * --profile (whose choices are to be the same each time), and of devices whose shares of the batch
 * differ.
 *
 * Invariant: at most VDNN_REPLANS_MOST times a run; a plan is exchanged only for one that is
 * expected to be faster than the steps are. The profile's file and the cache stay as they are. Of
 * several processes all do the same: rank 0's times count. Threads: the one that drives the device.
 *
 *     status = vdnn_replan_find(&replans, &request, &plans, &run, &slow);   // after each step
 *     if (slow.ratios.data != NULL)                                         // drain, then
 *         status = vdnn_replan_make(&replans, &request, &plans, &slow, &anew);
 *     if (anew.is_faster) ... vdnn_peers_change_plan(peers, &run, &anew.plans) ...
 *     vdnn_replans_fini(&replans);
 */

#include "runtime/train/training/training.h"

enum { VDNN_REPLANS_MOST = 3 };

typedef struct vdnn_replan {
    int64_t step; /* after which it was made */
    double planned_seconds, measured_seconds, new_planned_seconds;
    bool is_changed;
} vdnn_replan;

typedef struct vdnn_replans {
    vdnn_replan list[VDNN_REPLANS_MOST];
    vdnn_profile *profiles[VDNN_REPLANS_MOST]; /* owned: that other devices' setups may borrow */
    int count;
    int64_t seen;            /* timed steps of this plan, when it was last compared */
    double expected_seconds; /* of a step; 0: as the plan says */
    bool is_told;            /* that it is slow, but stays */
} vdnn_replans;

/* Steps that are too slow: their seconds, and what the profile is off by, as text for all
 * processes. */
typedef struct vdnn_replan_slow {
    vdnn_text ratios; /* owned; no data: they are not, or nothing can be done */
} vdnn_replan_slow;

/* The new plan. */
typedef struct vdnn_replan_anew {
    vdnn_fit_plans plans;  /* owned, unless the caller takes them */
    vdnn_profile *profile; /* owned so too; the plans are by it */
    bool is_faster;        /* than the steps are, and another plan */
} vdnn_replan_anew;

/* Whether the last steps ask for another plan; VDNN_OK and no ratios: not. */
vdnn_status vdnn_replan_find(vdnn_replans *replans, const vdnn_fit_request *request,
                             const vdnn_fit_plans *plans, vdnn_training_run *run,
                             vdnn_replan_slow *slow);
/* Where no plan is found, nothing is faster. An entry of the list, with the run's step, is added.
 */
vdnn_status vdnn_replan_make(vdnn_replans *replans, const vdnn_fit_request *request,
                             const vdnn_fit_plans *plans, const vdnn_training_run *run,
                             const vdnn_replan_slow *slow, vdnn_replan_anew *anew);
void vdnn_replan_anew_fini(vdnn_replan_anew *anew);
/* Says in a line what came of the last one, if the steps are slow or the plan is another one. */
void vdnn_replan_tell(const vdnn_replans *replans, const vdnn_messages *messages);
void vdnn_replans_fini(vdnn_replans *replans);

#endif
