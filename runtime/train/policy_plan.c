#include "runtime/train/policy_plan.h"

#include "runtime/plan/planner.h"
#include "runtime/text.h"

/* What is too small, by how much, in words. */
static vdnn_status refuse(const vdnn_policy_request *request, const vdnn_plan *plan)
{
    bool device = plan->arena_bytes > request->device_bytes;
    size_t needed = device ? plan->arena_bytes : plan->host_arena_bytes;
    size_t budget = device ? request->device_bytes : request->host_bytes;
    char needed_text[32], budget_text[32];
    return vdnn_status_fail(
        VDNN_NO_FIT,
        "policy %s cannot train %s at batch %lld in a %s budget of %zu bytes (%s); "
        "its smallest is %zu bytes (%s)",
        plan->policy, request->graph->name, (long long)request->graph->batch,
        device ? "device" : "host", budget,
        vdnn_text_bytes(budget_text, sizeof budget_text, (double)budget), needed,
        vdnn_text_bytes(needed_text, sizeof needed_text, (double)needed));
}

vdnn_status vdnn_policy_plan(const vdnn_policy *policy, const vdnn_policy_request *request,
                             vdnn_plan **plan)
{
    vdnn_trial trial = vdnn_planner_trial(request->graph, request->profile, request->device_bytes,
                                          request->host_bytes);
    vdnn_policy_request ask = *request;
    vdnn_decisions decisions;
    vdnn_plan *made = NULL;
    ask.trial = &trial;
    vdnn_status decided = vdnn_policy_decide(policy, &ask, &decisions);
    if (decided != VDNN_OK && decided != VDNN_NO_FIT)
        return decided;
    vdnn_status status = vdnn_planner_plan(request->graph, request->profile, &decisions, &made);
    vdnn_decisions_fini(&decisions);
    if (status != VDNN_OK)
        return status;
    *plan = made;
    return vdnn_plan_fits(made, request->device_bytes, request->host_bytes) ? VDNN_OK
                                                                            : refuse(request, made);
}
