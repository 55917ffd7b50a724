/* The baseline, which moves nothing. Under the paper's rules it is the paper's network-wide
 * allocation: everything is kept to the end of the step; the fewest gradient buffers, each as large
 * as the largest gradient map; one workspace. With the lean rules it is what a framework does that
 * frees each map after its last use, and recomputes maps at next to no cost. */

#include "policies/offload_rule.h"

/* m recomputes all that is cheap, p up to a twentieth of the step. */
static const vdnn_offload_rule lean = {.recomputes = 1}, quick = {.recomputes = 0.05};

static vdnn_status decide(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    const vdnn_offload_rule *rule = request->algo == VDNN_ALGO_M ? &lean : &quick;
    VDNN_TRY(vdnn_offload_rule_decide(request, rule, request->algo, decisions));
    decisions->policy = "base";
    if (request->planning->graph->rules == VDNN_RULES_PAPER) {
        decisions->release = VDNN_RELEASE_END_OF_STEP;
        decisions->gradients = VDNN_GRADIENTS_SHARED_MAX;
    }
    return VDNN_OK;
}

const vdnn_policy vdnn_policy_base = {
    .name = "base", .help = "keep everything (no offloading)", .is_static = true, .decide = decide};
