#ifndef VDNN_POLICIES_POLICY_H
#define VDNN_POLICIES_POLICY_H

/* Policies: pure functions from a graph, a profile and a budget to decisions.
 *
 * Invariant: a policy has no device, clock, randomness or I/O; the same request gives the same
 * decisions.
 * Threads: any.
 *
 *     vdnn_policy_request request = {
 *         graph, profile, VDNN_ALGO_P, {device_bytes, host_bytes}, &trial};
 *     status = policy->decide(&request, &decisions);
 *
 * A new policy is one file with a vdnn_policy and one line in VDNN_POLICY_TABLE
 * (policies/registry.c).
 */

#include "runtime/plan/decisions.h"
#include "runtime/plan/trial.h"

/* m: the least workspace; p: the fastest */
typedef enum vdnn_algo_mode { VDNN_ALGO_M, VDNN_ALGO_P } vdnn_algo_mode;

typedef struct vdnn_policy vdnn_policy;

/* How long a policy may search: asked with the number of plans it tried so far. Of the same answers
 * the same decisions come. */
typedef struct vdnn_policy_patience {
    bool (*lasts)(void *argument, int64_t trials);
    void *argument;
} vdnn_policy_patience;

/* Whether the program wants the run to end: then a search ends, however it is bounded. */
typedef struct vdnn_policy_stop {
    bool (*asked)(const void *argument);
    const void *argument;
} vdnn_policy_stop;

/* What a policy has found that no budget of the device changes, for further requests that differ in
 * that alone and are made as long as the graphs of their variants live. */
typedef struct vdnn_policy_findings {
    void *found; /* the policy's own; NULL: nothing yet */
    void (*forget)(void *found);
} vdnn_policy_findings;

/* Frees what is in it, which is nothing then. */
void vdnn_policy_forget(vdnn_policy_findings *findings);

/* What was decided last (vdnn_policy_plan), for further requests of the same network and variants
 * whose times are others: a search begins with it, so that what it finds is no slower. */
typedef struct vdnn_policy_last {
    vdnn_decisions decisions; /* owned */
    bool is_known;            /* else there are none */
} vdnn_policy_last;

/* In place of what was there; VDNN_NO_MEMORY: nothing is known. */
vdnn_status vdnn_policy_last_set(vdnn_policy_last *last, const vdnn_decisions *decisions);
void vdnn_policy_last_fini(vdnn_policy_last *last);

typedef struct vdnn_policy_request {
    const vdnn_graph *graph;     /* borrowed */
    const vdnn_profile *profile; /* borrowed; its choices are the only ones: pinned algorithms are a
                                    profile with one choice each */
    vdnn_algo_mode algo;         /* for the static policies */
    size_t budget_bytes[VDNN_TIER_COUNT];
    const vdnn_trial *trial;              /* borrowed; of the same graph, profile and budgets */
    const vdnn_policy_patience *patience; /* borrowed; NULL: none, what comes first is taken */
    const vdnn_policy_stop *stop;         /* borrowed; NULL: never */
    vdnn_variants *variants;        /* borrowed; NULL: layers are run in the parts that they have */
    vdnn_policy_findings *findings; /* borrowed; NULL: all is found anew */
    vdnn_policy_last *last;         /* borrowed; NULL: the search begins from nothing */
    vdnn_packings *packings;        /* borrowed; NULL: each plan is packed anew */
    vdnn_answers *answers;          /* borrowed; of this graph and profile; NULL: there are none */
    bool asks_fit; /* only whether a plan fits is asked: what would use spare memory is left out */
} vdnn_policy_request;

struct vdnn_policy {
    const char *name, *help;
    bool is_static; /* obeys the algo mode; a report shows it with both */
    /* decisions->policy and ->algo name the choice. VDNN_NO_FIT if a dynamic policy finds nothing
     * that fits (static policies leave that to the plan); then *decisions is still set, to the
     * candidate with the smallest arena, so that the caller can name the smallest budget. NULL: a
     * custom policy, which vdnn_custom_policy_decide calls (policies/custom.h).
     */
    vdnn_status (*decide)(const vdnn_policy_request *request, vdnn_decisions *decisions);
};

/* What the plan of some decisions takes, by the request's trial (runtime/plan/trial.h): bounds; by
 * how much it exceeds the budget of one tier, or with VDNN_TIER_COUNT of any, and whether it fits
 * them; its arenas, and whether all are within their budgets; the plan. */
vdnn_status vdnn_policy_bound(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                              vdnn_trial_live *live, vdnn_trial_bound *bound);
vdnn_status vdnn_policy_excess(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                               vdnn_tier tier, size_t *excess_bytes);
vdnn_status vdnn_policy_fits(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                             vdnn_tier tier, bool *fits);
vdnn_status vdnn_policy_pack(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                             size_t arena_bytes[VDNN_TIER_COUNT], bool *fits);
vdnn_status vdnn_policy_try(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                            vdnn_trial_result *result);
/* Whether an evaluation in the arena of the training fits the budgets, too. */
vdnn_status vdnn_policy_evaluates(const vdnn_policy_request *request,
                                  const vdnn_decisions *decisions, bool *fits);

/* The request for the network in the parts that are decided. */
vdnn_status vdnn_policy_in_parts(const vdnn_policy_request *request,
                                 const vdnn_decisions *decisions, vdnn_policy_request *own);

#endif
