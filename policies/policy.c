#include "policies/policy.h"

vdnn_status vdnn_policy_try(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                            vdnn_trial_live *live, vdnn_trial_result *result)
{
    return request->trial->run(request->trial, decisions, live, result);
}

vdnn_status vdnn_policy_fits(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                             vdnn_tier tier, bool *fits)
{
    return request->trial->fits(request->trial, decisions, tier, fits);
}
