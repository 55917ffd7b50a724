/* The paper's vDNN_all: the inputs of all feature-extraction layers are offloaded. */

#include "policies/offload_rule.h"

static vdnn_status decide(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    vdnn_status status =
        vdnn_offload_rule_decide(request, &vdnn_offload_all, request->algo, decisions);
    if (status == VDNN_OK)
        decisions->policy = "all";
    return status;
}

const vdnn_policy vdnn_policy_all = {.name = "all",
                                     .help = "offload the inputs of all feature layers",
                                     .is_static = true,
                                     .decide = decide};
