#include "policies/policy.h"

vdnn_status vdnn_policy_bound(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                              vdnn_trial_live *live, vdnn_trial_bound *bound)
{
    return request->trial->bound(request->trial, decisions, live, bound);
}

vdnn_status vdnn_policy_excess(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                               vdnn_tier tier, size_t *excess_bytes)
{
    return request->trial->excess(request->trial, decisions, tier, excess_bytes);
}

vdnn_status vdnn_policy_fits(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                             vdnn_tier tier, bool *fits)
{
    size_t excess_bytes = 0;
    vdnn_status status = vdnn_policy_excess(request, decisions, tier, &excess_bytes);
    *fits = status == VDNN_OK && excess_bytes == 0;
    return status;
}

vdnn_status vdnn_policy_pack(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                             size_t arena_bytes[VDNN_TIER_COUNT], bool *fits)
{
    vdnn_status status = request->trial->pack(request->trial, decisions, arena_bytes);
    *fits = status == VDNN_OK &&
            vdnn_tier_exceeded(arena_bytes, request->budget_bytes) == VDNN_TIER_COUNT;
    return status;
}

vdnn_status vdnn_policy_try(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                            vdnn_trial_result *result)
{
    return request->trial->run(request->trial, decisions, result);
}

vdnn_status vdnn_policy_evaluates(const vdnn_policy_request *request,
                                  const vdnn_decisions *decisions, bool *fits)
{
    size_t arena_bytes[VDNN_TIER_COUNT];
    VDNN_TRY(request->trial->pack_evaluation(request->trial, decisions, arena_bytes));
    *fits = vdnn_tier_exceeded(arena_bytes, request->budget_bytes) == VDNN_TIER_COUNT;
    return VDNN_OK;
}

vdnn_status vdnn_policy_in_parts(const vdnn_policy_request *request,
                                 const vdnn_decisions *decisions, vdnn_policy_request *own)
{
    vdnn_variant of;
    *own = *request;
    if (request->variants == NULL)
        return VDNN_OK;
    VDNN_TRY(request->variants->find(request->variants, decisions->parts, &of));
    own->graph = of.graph;
    own->profile = of.profile;
    own->trial = of.trial;
    return VDNN_OK;
}

void vdnn_policy_forget(vdnn_policy_findings *findings)
{
    if (findings->found != NULL)
        findings->forget(findings->found);
    *findings = (vdnn_policy_findings){0};
}

vdnn_status vdnn_policy_last_set(vdnn_policy_last *last, const vdnn_decisions *decisions)
{
    vdnn_policy_last_fini(last);
    vdnn_status status = vdnn_decisions_copy(&last->decisions, decisions);
    last->is_known = status == VDNN_OK;
    return status;
}

void vdnn_policy_last_fini(vdnn_policy_last *last)
{
    if (last->is_known)
        vdnn_decisions_fini(&last->decisions);
    last->is_known = false;
}
