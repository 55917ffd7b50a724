#include "tests/support/policy_ask.h"

vdnn_planning *vdnn_policy_ask_planning(const vdnn_policy_ask *ask)
{
    vdnn_planning *planning = NULL;
    if (vdnn_planning_create(ask->graph, ask->profile, NULL, NULL, &planning) == VDNN_OK)
        vdnn_planning_begin(planning, ask->budget_bytes);
    return planning;
}

vdnn_status vdnn_policy_ask_plan(const vdnn_policy *policy, const vdnn_policy_ask *ask,
                                 vdnn_plan **training, vdnn_plan **evaluation)
{
    const vdnn_policy_request request = {.planning = vdnn_policy_ask_planning(ask),
                                         .algo = ask->algo,
                                         .patience = ask->patience,
                                         .last = ask->last};
    if (request.planning == NULL)
        return VDNN_NO_MEMORY;
    vdnn_status status = vdnn_policy_plan(policy, &request, training, evaluation);
    vdnn_planning_destroy(request.planning);
    return status;
}
