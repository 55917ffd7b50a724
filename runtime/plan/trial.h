#ifndef VDNN_RUNTIME_PLAN_TRIAL_H
#define VDNN_RUNTIME_PLAN_TRIAL_H

/* Trials: the footprint and time of a plan of some decisions, for policies that search. The
 * function hides who plans; the planner provides one (vdnn_planner_trial).
 *
 * Invariant: the same decisions give the same result, which is that of the plan made from them.
 * Threads: one at a time for each trial.
 *
 *     vdnn_trial_memo memo = {NULL};
 *     vdnn_trial trial = vdnn_planner_trial(graph, profile, budget_bytes, &memo);
 *     vdnn_trial_result result;
 *     status = trial.run(&trial, &decisions, NULL, &result);
 *     if (status == VDNN_OK && result.fits) ...
 *     vdnn_planner_forget(&memo);
 */

#include "runtime/plan/plan.h"
#include "runtime/profile/profile.h"

typedef struct vdnn_trial_result {
    bool fits; /* the budgets of all tiers */
    /* As from vdnn_plan_describe; texts are NULL. */
    vdnn_plan_facts facts;
} vdnn_trial_result;

/* The most device bytes that are alive beside the workspace while a layer's kernels run: in
 * forward, in backward. */
typedef size_t vdnn_trial_live[2];

/* What was tried, with its result; owned by who makes the trial. */
typedef struct vdnn_trial_memo {
    struct vdnn_trial_record *first;
} vdnn_trial_memo;

typedef struct vdnn_trial vdnn_trial;

struct vdnn_trial {
    /* `live`: one for each layer, set to 0 by the caller; NULL: not required. VDNN_NO_MEMORY, or
     * VDNN_INTERNAL for decisions that cannot be planned. */
    vdnn_status (*run)(const vdnn_trial *trial, const vdnn_decisions *decisions,
                       vdnn_trial_live *live, vdnn_trial_result *result);
    /* Whether the arena in one tier is within its budget: the result of `run`, faster. */
    vdnn_status (*fits)(const vdnn_trial *trial, const vdnn_decisions *decisions, vdnn_tier tier,
                        bool *fits);
    const vdnn_graph *graph;     /* borrowed */
    const vdnn_profile *profile; /* borrowed */
    vdnn_trial_memo *memo;       /* borrowed */
    size_t budget_bytes[VDNN_TIER_COUNT];
};

#endif
