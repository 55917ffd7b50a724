#ifndef VDNN_TESTS_SUPPORT_POLICY_ASK_H
#define VDNN_TESTS_SUPPORT_POLICY_ASK_H

/* A policy asked for one plan of a network, which nothing else is planned with.
 *
 *     const vdnn_policy_ask ask = {.graph = graph, .profile = profile, .budget_bytes = {...}};
 *     status = vdnn_policy_ask_plan(vdnn_policy_find("dyn"), &ask, &plan, NULL);
 *     planning = vdnn_policy_ask_planning(&ask); // begun; vdnn_planning_destroy
 */

#include "policies/policy_plan.h"

typedef struct vdnn_policy_ask {
    const vdnn_graph *graph;
    const vdnn_profile *profile;
    vdnn_algo_mode algo;
    size_t budget_bytes[VDNN_TIER_COUNT];
    const vdnn_policy_patience *patience;
    vdnn_policy_last *last;
} vdnn_policy_ask;

/* As vdnn_policy_plan. */
vdnn_status vdnn_policy_ask_plan(const vdnn_policy *policy, const vdnn_policy_ask *ask,
                                 vdnn_plan **training, vdnn_plan **evaluation);

/* NULL: no memory. */
vdnn_planning *vdnn_policy_ask_planning(const vdnn_policy_ask *ask);

#endif
