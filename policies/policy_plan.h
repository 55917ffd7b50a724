#ifndef VDNN_POLICIES_POLICY_PLAN_H
#define VDNN_POLICIES_POLICY_PLAN_H

/* From a policy to a plan: the policy decides, and the planning plans what is decided, which
 * nothing changes any more.
 *
 * Invariant: the same request gives the same plan.
 * Threads: one for each planning.
 *
 *     vdnn_planning_begin(planning, budget_bytes);
 *     vdnn_policy_request request = {.planning = planning, .algo = VDNN_ALGO_P};
 *     status = vdnn_policy_plan(vdnn_policy_find("dyn"), &request, &plan, NULL);
 *     vdnn_plan_destroy(plan);                               // also after VDNN_NO_FIT
 */

#include "policies/registry.h"

/* On VDNN_NO_FIT the plans are set, too (owned by the caller): the smallest of the policy, for
 * reports; the message names its bytes. `evaluation`: of an evaluation in the same arena; NULL:
 * none is wanted. */
vdnn_status vdnn_policy_plan(const vdnn_policy *policy, const vdnn_policy_request *request,
                             vdnn_plan **training, vdnn_plan **evaluation);

/* Sets the spans that the policy's plan takes, also on VDNN_NO_FIT. Only a plan that fits is made.
 */
vdnn_status vdnn_policy_need(const vdnn_policy *policy, const vdnn_policy_request *request,
                             size_t span_bytes[VDNN_TIER_COUNT]);

/* Whether the planning's budgets are enough for the policy's plan: VDNN_OK or VDNN_NO_FIT. */
vdnn_status vdnn_policy_is_enough(const vdnn_policy *policy, const vdnn_policy_request *request);

#endif
