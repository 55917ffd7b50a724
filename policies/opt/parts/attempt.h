#ifndef VDNN_POLICIES_OPT_PARTS_ATTEMPT_H
#define VDNN_POLICIES_OPT_PARTS_ATTEMPT_H

/* Decisions brought into other parts and chains, and what is known of their plan by bounds, whether
 * it fits or not.
 *
 * Threads: one.
 *
 *     status = vdnn_opt_attempt_init(request, &cut, &best, &decisions, NULL, &own);
 *     ... own.bound.step_seconds, own.peak.overflow_bytes ...
 *     vdnn_opt_attempt_fini(&own);
 */

#include "policies/opt/local_search.h"
#include "policies/opt/parts/chains.h"

typedef struct vdnn_opt_attempt {
    vdnn_opt_stage stage;
    vdnn_decisions made;
    vdnn_trial_peak peak; /* against the device's budget */
    vdnn_trial_bound bound;
} vdnn_opt_attempt;

/* Of a request with variants, from decisions over the network of a stage, which counts the trial,
 * too; `anew`: a chain whose layers get the fastest algorithms, NULL: all keep theirs. What is made
 * within chains is offloaded: only so is it there a part at a time. */
vdnn_status vdnn_opt_attempt_init(const vdnn_policy_request *request, const vdnn_opt_cut *cut,
                                  vdnn_opt_stage *from, const vdnn_decisions *decisions,
                                  const vdnn_opt_chain *anew, vdnn_opt_attempt *own);
void vdnn_opt_attempt_fini(vdnn_opt_attempt *own);

/* Attempts from the same decisions, a chain more in each. All is borrowed. */
typedef struct vdnn_opt_attempts {
    const vdnn_policy_request *request;
    const vdnn_opt_stage *from;
    const vdnn_decisions *decisions;
    const vdnn_opt_chain *list;
    int count;
    bool is_anew;      /* the chain's layers get the fastest algorithms */
    vdnn_opt_cut *cut; /* scratch */
    int next;          /* the first that is not expected yet */
} vdnn_opt_attempts;

/* While the i-th of them is tried, those behind it are expected (vdnn_trial.expect). */
vdnn_status vdnn_opt_attempts_reach(vdnn_opt_attempts *own, int i);

/* Bounds of the decisions as they are now. */
vdnn_status vdnn_opt_attempt_look(vdnn_opt_attempt *own);

/* From there to a plan that fits, and what can be given back then: so many trials,
 * as long as it may be better than the best or takes little longer. */
vdnn_status vdnn_opt_attempt_climb(vdnn_opt_attempt *own, const vdnn_opt_stage *best,
                                   int64_t trials);

/* Its stage takes the place of the best if the plan is better: whether it does. It is freed. */
bool vdnn_opt_attempt_take_better(vdnn_opt_stage *best, vdnn_opt_attempt *own);

/* The other takes its place, with the trials of both. */
void vdnn_opt_attempt_replace(vdnn_opt_attempt *own, const vdnn_opt_attempt *by);

#endif
