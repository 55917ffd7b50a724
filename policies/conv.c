/* The paper's vDNN_conv: only the inputs of convolutions are offloaded; convolutions compute long
 * enough to hide the copies. */

#include "policies/offload_rule.h"

static vdnn_status decide(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    vdnn_status status =
        vdnn_offload_rule_decide(request, &vdnn_offload_conv, request->algo, decisions);
    if (status == VDNN_OK)
        decisions->policy = "conv";
    return status;
}

const vdnn_policy vdnn_policy_conv = {.name = "conv",
                                      .help = "offload the inputs of convolutions",
                                      .is_static = true,
                                      .decide = decide};
