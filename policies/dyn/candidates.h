#ifndef VDNN_POLICIES_DYN_CANDIDATES_H
#define VDNN_POLICIES_DYN_CANDIDATES_H

/* What dyn chooses from: rules of what is offloaded, each with the fastest or the leanest
 * algorithms.
 *
 *     fast     p    no offload   conv   all
 *     lean     m    all          conv   no offload
 *     greedy        conv   all               algorithms stepped down to what fits (dyn/greedy.h)
 *
 * Invariant: keeping everything is among the lean ones, and requires no other tier.
 * Threads: pure functions.
 *
 *     status = vdnn_dyn_candidates_decide(request, &vdnn_dyn_fast[i], &decisions);
 *     status = vdnn_dyn_candidates_decide_for_host(request, &vdnn_dyn_lean[i], &decisions);
 */

#include "policies/offload_rule.h"

typedef struct vdnn_dyn_candidate {
    const char *policy; /* that it is reported as */
    const vdnn_offload_rule *rule;
    vdnn_algo_mode mode;
} vdnn_dyn_candidate;

enum { VDNN_DYN_CANDIDATES = 3, VDNN_DYN_GREEDY = 2 };

/* In the order in which the paper tries them. */
extern const vdnn_dyn_candidate vdnn_dyn_fast[VDNN_DYN_CANDIDATES];
extern const vdnn_dyn_candidate vdnn_dyn_lean[VDNN_DYN_CANDIDATES];
extern const vdnn_dyn_candidate *const vdnn_dyn_greedy[VDNN_DYN_GREEDY];

vdnn_status vdnn_dyn_candidates_decide(const vdnn_policy_request *request,
                                       const vdnn_dyn_candidate *candidate,
                                       vdnn_decisions *decisions);
/* Decides the same, except that under the lean rules maps that the host cannot hold stay on the
 * device. */
vdnn_status vdnn_dyn_candidates_decide_for_host(const vdnn_policy_request *request,
                                                const vdnn_dyn_candidate *candidate,
                                                vdnn_decisions *decisions);

/* The lean candidate with the smallest arena among those whose copies the other tiers can hold, and
 * that arena. Keeping everything requires none of them, so there is always one. */
vdnn_status vdnn_dyn_candidates_smallest(const vdnn_policy_request *request,
                                         vdnn_decisions *decisions, size_t *arena_bytes);

#endif
