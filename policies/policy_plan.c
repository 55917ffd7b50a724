#include "policies/policy_plan.h"

#include "runtime/base/text.h"

#include <string.h>

/* The message: which budget is too small for these spans, and by how much. */
static vdnn_status refuse(const vdnn_planning *planning, const char *policy,
                          const size_t span_bytes[VDNN_TIER_COUNT])
{
    const vdnn_tier tier = vdnn_tier_exceeded(span_bytes, planning->budget_bytes);
    const size_t needed = span_bytes[tier], budget = planning->budget_bytes[tier];
    char needed_text[32], budget_text[32];
    return vdnn_status_fail(
        VDNN_NO_FIT,
        "policy %s cannot train %s at batch %lld in a %s budget of %zu bytes (%s); "
        "its smallest is %zu bytes (%s)",
        policy, planning->graph->name, (long long)planning->graph->batch, vdnn_tier_text(tier),
        budget, vdnn_text_bytes(budget_text, sizeof budget_text, (double)budget), needed,
        vdnn_text_bytes(needed_text, sizeof needed_text, (double)needed));
}

/* What is made of decisions: plans, the training's spans, or nothing but whether it fits. */
typedef struct wanted {
    vdnn_plan **training, **evaluation;
    size_t *span_bytes;
} wanted;

typedef vdnn_status give(vdnn_planning *planning, const vdnn_decisions *decisions,
                         const wanted *wants);

static vdnn_status give_plans(vdnn_planning *planning, const vdnn_decisions *decisions,
                              const wanted *wants)
{
    VDNN_TRY(vdnn_planning_plan(planning, decisions, wants->training, wants->evaluation));
    const vdnn_plan *made = *wants->training;
    return vdnn_plan_fits(made, planning->budget_bytes)
               ? VDNN_OK
               : refuse(planning, decisions->policy, made->span_bytes);
}

/* Only a plan that fits is made. */
static vdnn_status give_spans(vdnn_planning *planning, const vdnn_decisions *decisions,
                              const wanted *wants)
{
    vdnn_planning *own;
    vdnn_plan *made = NULL;
    vdnn_outcome packed;
    VDNN_TRY(vdnn_planning_in_parts(planning, decisions->parts, &own));
    VDNN_TRY(vdnn_planning_evaluate(own, decisions, VDNN_PACKED, &packed));
    memcpy(wants->span_bytes, packed.arena_bytes, sizeof packed.arena_bytes);
    if (!packed.fits)
        return refuse(planning, decisions->policy, packed.arena_bytes);
    VDNN_TRY(vdnn_planning_plan(own, decisions, &made, NULL));
    memcpy(wants->span_bytes, made->span_bytes, sizeof made->span_bytes);
    vdnn_plan_destroy(made);
    return VDNN_OK;
}

static vdnn_status give_answer(vdnn_planning *planning, const vdnn_decisions *decisions,
                               const wanted *wants)
{
    vdnn_planning *own;
    bool fits = false;
    (void)wants;
    VDNN_TRY(vdnn_planning_in_parts(planning, decisions->parts, &own));
    VDNN_TRY(vdnn_planning_fits(own, decisions, VDNN_TIER_COUNT, &fits));
    return fits ? VDNN_OK
                : vdnn_status_fail(VDNN_NO_FIT, "policy %s does not fit", decisions->policy);
}

static vdnn_status decide(const vdnn_policy *policy, const vdnn_policy_request *request,
                          give *give_what, const wanted *wants)
{
    vdnn_decisions made;
    vdnn_status status = vdnn_policy_decide(policy, request, &made);
    if (status != VDNN_OK && status != VDNN_NO_FIT)
        return status;
    const vdnn_decisions *decisions = &made;
    status = request->last != NULL ? vdnn_policy_last_set(request->last, decisions) : VDNN_OK;
    VDNN_IF_OK(status, give_what(request->planning, decisions, wants));
    vdnn_decisions_fini(&made);
    return status;
}

vdnn_status vdnn_policy_plan(const vdnn_policy *policy, const vdnn_policy_request *request,
                             vdnn_plan **training, vdnn_plan **evaluation)
{
    const wanted wants = {.training = training, .evaluation = evaluation};
    return decide(policy, request, give_plans, &wants);
}

vdnn_status vdnn_policy_need(const vdnn_policy *policy, const vdnn_policy_request *request,
                             size_t span_bytes[VDNN_TIER_COUNT])
{
    const wanted wants = {.span_bytes = span_bytes};
    return decide(policy, request, give_spans, &wants);
}

vdnn_status vdnn_policy_is_enough(const vdnn_policy *policy, const vdnn_policy_request *request)
{
    vdnn_policy_request ask = *request;
    const wanted wants = {.training = NULL};
    ask.asks_fit = true;
    return decide(policy, &ask, give_answer, &wants);
}
