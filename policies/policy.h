#ifndef VDNN_POLICIES_POLICY_H
#define VDNN_POLICIES_POLICY_H

/* Policies: pure functions from a graph, a profile and a budget to decisions.
 *
 * Invariant: a policy has no device, clock, randomness or I/O; the same request gives the same
 * decisions.
 * Threads: any.
 *
 *     vdnn_policy_request request = {.planning = planning, .algo = VDNN_ALGO_P};
 *     status = policy->decide(&request, &decisions);
 *
 * A new policy is one file with a vdnn_policy and one line in VDNN_POLICY_TABLE
 * (policies/registry.c).
 */

#include "runtime/planning/planning.h"

/* m: the least workspace; p: the fastest */
typedef enum vdnn_algo_mode { VDNN_ALGO_M, VDNN_ALGO_P } vdnn_algo_mode;

typedef struct vdnn_policy vdnn_policy;

/* How long a policy may search: `lasts` is asked with the number of plans that were tried so far.
 * The same answers give the same decisions. */
typedef struct vdnn_policy_patience {
    bool (*lasts)(void *argument, int64_t trials);
    void *argument;
} vdnn_policy_patience;

/* Whether the program wants the run to end: then a search ends, whatever its limit. */
typedef struct vdnn_policy_stop {
    bool (*asked)(const void *argument);
    const void *argument;
} vdnn_policy_stop;

/* The last decisions (vdnn_policy_plan). A further request for the same network and variants, with
 * other times, begins its search with them, so that what it finds is no slower. */
typedef struct vdnn_policy_last {
    vdnn_decisions decisions; /* owned */
    bool is_known;            /* else there are none */
} vdnn_policy_last;

/* Replaces the decisions that were kept; after VDNN_NO_MEMORY none are. */
vdnn_status vdnn_policy_last_set(vdnn_policy_last *last, const vdnn_decisions *decisions);
void vdnn_policy_last_fini(vdnn_policy_last *last);

typedef struct vdnn_policy_request {
    vdnn_planning *planning;              /* borrowed: network, profile, budgets */
    vdnn_algo_mode algo;                  /* for the static policies */
    const vdnn_policy_patience *patience; /* borrowed; NULL: the first feasible plan is used */
    const vdnn_policy_stop *stop;         /* borrowed; NULL: never */
    vdnn_policy_last *last;               /* borrowed; NULL: the search begins from nothing */
    bool keeps_parts; /* layers stay in the parts that they have, whatever the planning offers */
    bool asks_fit; /* only whether a plan fits is asked: what would use spare memory is left out */
} vdnn_policy_request;

/* Whether the layers may be run in other parts. */
static inline bool vdnn_policy_may_cut(const vdnn_policy_request *request)
{
    return request->planning->source != NULL && !request->keeps_parts;
}

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

#endif
