/* The paper's baseline: network-wide allocation. Everything is kept to the end of the step; the
 * fewest gradient buffers, each as large as the largest gradient map; one workspace. */

#include "policies/common.h"

static vdnn_status decide(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    vdnn_status status = vdnn_common_decide(request, &vdnn_offload_none, request->algo, decisions);
    if (status != VDNN_OK)
        return status;
    decisions->policy = "base";
    decisions->release = VDNN_RELEASE_END_OF_STEP;
    decisions->gradients = VDNN_GRADIENTS_SHARED_MAX;
    return VDNN_OK;
}

const vdnn_policy vdnn_policy_base = {
    .name = "base", .help = "keep everything (no offloading)", .is_static = true, .decide = decide};
