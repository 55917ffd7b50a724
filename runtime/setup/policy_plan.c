#include "runtime/setup/policy_plan.h"

#include "runtime/base/heap.h"
#include "runtime/base/text.h"
#include "runtime/planner/planner.h"

#include <string.h>

/* The message: which budget is too small for these spans, and by how much. */
static vdnn_status refuse(const vdnn_policy_request *request, const char *policy,
                          const size_t span_bytes[VDNN_TIER_COUNT])
{
    vdnn_tier tier = vdnn_tier_exceeded(span_bytes, request->budget_bytes);
    size_t needed = span_bytes[tier], budget = request->budget_bytes[tier];
    char needed_text[32], budget_text[32];
    return vdnn_status_fail(
        VDNN_NO_FIT,
        "policy %s cannot train %s at batch %lld in a %s budget of %zu bytes (%s); "
        "its smallest is %zu bytes (%s)",
        policy, request->graph->name, (long long)request->graph->batch, vdnn_tier_text(tier),
        budget, vdnn_text_bytes(budget_text, sizeof budget_text, (double)budget), needed,
        vdnn_text_bytes(needed_text, sizeof needed_text, (double)needed));
}

/* ---- variants -------------------------------------------------------------------------------- */

/* A variant's trials, begun when the policy asks for it. */
typedef struct trials {
    const vdnn_graph *graph;
    vdnn_trial trial;
    struct trials *next;
} trials;

struct vdnn_variants_state {
    const vdnn_policy_request *request; /* of the setup's own graph */
    vdnn_setup_variants *setup;
    trials *first;
};

static vdnn_status begin_trials(struct vdnn_variants_state *state, const vdnn_variant *of,
                                trials **begun)
{
    trials *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to try plans");
    vdnn_status status =
        vdnn_planner_begin_trials(of->graph, of->profile, state->request->budget_bytes,
                                  state->request->packings, NULL, &fresh->trial);
    if (status != VDNN_OK) {
        vdnn_heap_free(fresh);
        return status;
    }
    fresh->graph = of->graph;
    fresh->next = state->first;
    state->first = *begun = fresh;
    return VDNN_OK;
}

static vdnn_status find_variant(vdnn_variants *variants, const int32_t *parts, vdnn_variant *found)
{
    struct vdnn_variants_state *state = variants->state;
    vdnn_variant own = {.trial = state->request->trial};
    vdnn_status status = vdnn_setup_variants_find(state->setup, parts, &own.graph, &own.profile);
    if (status != VDNN_OK)
        return status;
    trials *at = state->first;
    while (at != NULL && at->graph != own.graph)
        at = at->next;
    if (at == NULL && own.graph != state->request->graph)
        status = begin_trials(state, &own, &at);
    if (status != VDNN_OK)
        return status;
    if (at != NULL)
        own.trial = &at->trial;
    *found = own;
    return VDNN_OK;
}

static void end_variants(struct vdnn_variants_state *state)
{
    while (state->first != NULL) {
        trials *own = state->first;
        state->first = own->next;
        vdnn_planner_end_trials(&own->trial);
        vdnn_heap_free(own);
    }
}

/* ---- planning -------------------------------------------------------------------------------- */

/* Of the network as the file says, which is what all its plans are compared with. */
static vdnn_status find_oracle(const vdnn_policy_request *request, const vdnn_decisions *like,
                               double *seconds)
{
    vdnn_decisions plain;
    vdnn_trial_result tried;
    VDNN_TRY(vdnn_decisions_init(&plain, request->graph));
    plain.gradients = like->gradients;
    plain.sync = like->sync;
    plain.updates = like->updates;
    vdnn_status status = vdnn_policy_try(request, &plain, &tried);
    vdnn_decisions_fini(&plain);
    *seconds = status == VDNN_OK ? tried.facts.oracle_step_seconds : 0;
    return status;
}

/* What is wanted of a policy: its plan, maybe with that of an evaluation, or the plan's spans;
 * neither: whether it has one that fits. */
typedef struct wanted {
    vdnn_plan **plan, **evaluation;
    size_t *span_bytes;
} wanted;

static vdnn_status plan_as_decided(const vdnn_policy_request *request,
                                   const vdnn_decisions *decisions, const wanted *wants)
{
    vdnn_policy_request own;
    vdnn_plan *made = NULL;
    vdnn_status status = vdnn_policy_in_parts(request, decisions, &own);
    VDNN_IF_OK(status, vdnn_planner_plan_tried(own.trial, decisions, &made));
    if (status == VDNN_OK && own.graph != request->graph)
        status = find_oracle(request, decisions, &made->oracle_step_seconds);
    if (status == VDNN_OK && wants->evaluation != NULL)
        status = vdnn_planner_plan_tried_evaluation(own.trial, decisions, wants->evaluation);
    if (status != VDNN_OK) {
        vdnn_plan_destroy(made);
        return status;
    }
    *wants->plan = made;
    return vdnn_plan_fits(made, own.budget_bytes)
               ? VDNN_OK
               : refuse(&own, decisions->policy, made->span_bytes);
}

/* Only a plan that fits is made. */
static vdnn_status need_as_decided(const vdnn_policy_request *request,
                                   const vdnn_decisions *decisions,
                                   size_t span_bytes[VDNN_TIER_COUNT])
{
    vdnn_policy_request own;
    vdnn_plan *made = NULL;
    bool fits = false;
    VDNN_TRY(vdnn_policy_in_parts(request, decisions, &own));
    VDNN_TRY(vdnn_policy_pack(&own, decisions, span_bytes, &fits));
    if (!fits)
        return refuse(&own, decisions->policy, span_bytes);
    VDNN_TRY(vdnn_planner_plan_tried(own.trial, decisions, &made));
    memcpy(span_bytes, made->span_bytes, sizeof made->span_bytes);
    vdnn_plan_destroy(made);
    return VDNN_OK;
}

static vdnn_status fits_as_decided(const vdnn_policy_request *request,
                                   const vdnn_decisions *decisions)
{
    vdnn_policy_request own;
    bool fits = false;
    vdnn_status status = vdnn_policy_in_parts(request, decisions, &own);
    VDNN_IF_OK(status, vdnn_policy_fits(&own, decisions, VDNN_TIER_COUNT, &fits));
    if (status != VDNN_OK || fits)
        return status;
    return vdnn_status_fail(VDNN_NO_FIT, "policy %s does not fit", decisions->policy);
}

static vdnn_status give(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                        const wanted *own)
{
    if (own->plan != NULL)
        return plan_as_decided(request, decisions, own);
    return own->span_bytes != NULL ? need_as_decided(request, decisions, own->span_bytes)
                                   : fits_as_decided(request, decisions);
}

/* Without memory for that there is no plan, either. */
static vdnn_status remember(vdnn_policy_last *last, const vdnn_decisions *decisions,
                            const wanted *own)
{
    vdnn_status status = vdnn_policy_last_set(last, decisions);
    if (status == VDNN_OK)
        return VDNN_OK;
    vdnn_plan_destroy(*own->plan);
    *own->plan = NULL;
    if (own->evaluation != NULL) {
        vdnn_plan_destroy(*own->evaluation);
        *own->evaluation = NULL;
    }
    return status;
}

/* Of a request with its trial. */
static vdnn_status decide_and_plan(const vdnn_policy *policy, const vdnn_policy_request *request,
                                   const wanted *own)
{
    vdnn_decisions decisions;
    vdnn_status status = vdnn_policy_decide(policy, request, &decisions);
    if (status != VDNN_OK && status != VDNN_NO_FIT)
        return status;
    status = give(request, &decisions, own);
    const bool has_plan = own->plan != NULL && (status == VDNN_OK || status == VDNN_NO_FIT);
    if (has_plan && request->last != NULL) {
        vdnn_status remembered = remember(request->last, &decisions, own);
        status = remembered == VDNN_OK ? status : remembered;
    }
    vdnn_decisions_fini(&decisions);
    return status;
}

static vdnn_status answer(const vdnn_policy *policy, const vdnn_policy_request *request,
                          vdnn_setup_variants *variants, const wanted *own)
{
    vdnn_trial trial;
    vdnn_policy_request ask = *request;
    struct vdnn_variants_state state = {.request = &ask, .setup = variants};
    vdnn_variants of = {.find = find_variant,
                        .state = &state,
                        .is_last_resort = vdnn_setup_variants_are_last_resort(variants),
                        .chained = vdnn_setup_variants_chained(variants)};
    vdnn_status status = vdnn_setup_variants_begin(variants, &ask.graph, &ask.profile);
    VDNN_IF_OK(status,
               vdnn_planner_begin_trials(ask.graph, ask.profile, ask.budget_bytes, ask.packings,
                                         ask.graph == request->graph ? ask.answers : NULL, &trial));
    if (status != VDNN_OK)
        return status;
    ask.trial = &trial;
    ask.variants = variants == NULL ? NULL : &of;
    status = decide_and_plan(policy, &ask, own);
    end_variants(&state);
    vdnn_planner_end_trials(&trial);
    return status;
}

vdnn_status vdnn_policy_plan(const vdnn_policy *policy, const vdnn_policy_request *request,
                             vdnn_setup_variants *variants, vdnn_plan **plan)
{
    return answer(policy, request, variants, &(wanted){.plan = plan});
}

vdnn_status vdnn_policy_plan_both(const vdnn_policy *policy, const vdnn_policy_request *request,
                                  vdnn_setup_variants *variants, vdnn_plan **training,
                                  vdnn_plan **evaluation)
{
    return answer(policy, request, variants, &(wanted){.plan = training, .evaluation = evaluation});
}

vdnn_status vdnn_policy_need(const vdnn_policy *policy, const vdnn_policy_request *request,
                             vdnn_setup_variants *variants, size_t span_bytes[VDNN_TIER_COUNT])
{
    return answer(policy, request, variants, &(wanted){.span_bytes = span_bytes});
}

vdnn_status vdnn_policy_is_enough(const vdnn_policy *policy, const vdnn_policy_request *request,
                                  vdnn_setup_variants *variants)
{
    vdnn_policy_request ask = *request;
    ask.asks_fit = true;
    return answer(policy, &ask, variants, &(wanted){.plan = NULL});
}
