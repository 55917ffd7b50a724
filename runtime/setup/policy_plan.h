#ifndef VDNN_RUNTIME_SETUP_POLICY_PLAN_H
#define VDNN_RUNTIME_SETUP_POLICY_PLAN_H

/* From a policy to a plan: the policy decides, the planner plans its decisions.
 *
 * Invariant: pure: the same request gives the same plan.
 * Threads: any.
 *
 *     vdnn_policy_request request = {.graph = graph, .profile = profile, .algo = VDNN_ALGO_P,
 *                                    .budget_bytes = {budget, host_budget}};
 *     status = vdnn_policy_plan(vdnn_policy_find("dyn"), &request, NULL, &plan);
 *     vdnn_plan_destroy(plan);                               // also after VDNN_NO_FIT
 */

#include "policies/registry.h"
#include "runtime/plan/plan.h"
#include "runtime/setup/variants.h"

/* Sets the request's trial. `variants`: of the request's graph, in which the policy may plan, too;
 * NULL: none. On VDNN_NO_FIT *plan is still set (owned by the caller): the smallest
 * plan of the policy, for reports; the message names its bytes. */
vdnn_status vdnn_policy_plan(const vdnn_policy *policy, const vdnn_policy_request *request,
                             vdnn_setup_variants *variants, vdnn_plan **plan);

/* The same, with the plan of an evaluation in the same arena. */
vdnn_status vdnn_policy_plan_both(const vdnn_policy *policy, const vdnn_policy_request *request,
                                  vdnn_setup_variants *variants, vdnn_plan **training,
                                  vdnn_plan **evaluation);

/* The spans of that plan, which is made only if it fits; set on VDNN_NO_FIT, too. */
vdnn_status vdnn_policy_need(const vdnn_policy *policy, const vdnn_policy_request *request,
                             vdnn_setup_variants *variants, size_t span_bytes[VDNN_TIER_COUNT]);

/* Whether the request's budgets are enough for it: VDNN_OK, VDNN_NO_FIT. */
vdnn_status vdnn_policy_is_enough(const vdnn_policy *policy, const vdnn_policy_request *request,
                                  vdnn_setup_variants *variants);

#endif
