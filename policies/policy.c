#include "policies/policy.h"

vdnn_status vdnn_policy_bound(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                              vdnn_trial_live *live, vdnn_trial_bound *bound)
{
    return request->trial->bound(request->trial, decisions, live, bound);
}

vdnn_status vdnn_policy_fits(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                             vdnn_tier tier, bool *fits)
{
    return request->trial->fits(request->trial, decisions, tier, fits);
}

vdnn_status vdnn_policy_try(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                            vdnn_trial_result *result)
{
    return request->trial->run(request->trial, decisions, result);
}
