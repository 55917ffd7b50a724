#include "policies/opt/starts.h"

#include "policies/algorithm_choice.h"
#include "policies/late_load.h"
#include "policies/offload_rule.h"
#include "policies/opt/local_search.h"
#include "policies/opt/relaxed.h"
#include "runtime/base/heap.h"
#include <math.h>

/* Where little work does not pack it, with all of it. */
static vdnn_status offer_packed(vdnn_opt_search *own, const vdnn_decisions *decisions)
{
    const vdnn_policy_request *request = own->request;
    vdnn_trial_bound least, time = {.may_fit = false};
    vdnn_trial_result packed;
    bool taken;
    vdnn_status status = vdnn_opt_search_offer(own, decisions, &time, &taken);
    if (status != VDNN_OK || time.may_fit)
        return status;
    status = vdnn_policy_bound(request, decisions, NULL, &least);
    if (status != VDNN_OK || !least.may_fit)
        return status;
    status = vdnn_policy_try(request, decisions, &packed);
    return status == VDNN_OK ? vdnn_opt_search_offer(own, decisions, NULL, &taken) : status;
}

/* As it is, and with the next batch loaded ahead or late: what the policy's plan would be, too. */
static vdnn_status offer_all(vdnn_opt_search *own, vdnn_decisions *decisions)
{
    const vdnn_policy_request *request = own->request;
    vdnn_status status = offer_packed(own, decisions);
    if (status != VDNN_OK || !vdnn_decisions_may_load_ahead(request->graph, request->profile))
        return status;
    decisions->loads = VDNN_LOADS_AHEAD;
    status = offer_packed(own, decisions);
    vdnn_late_load_decide(request->graph, request->profile, decisions);
    if (status == VDNN_OK)
        status = offer_packed(own, decisions);
    decisions->loads = VDNN_LOADS_OWN;
    decisions->load_layer = 0;
    return status;
}

void vdnn_opt_choose_fastest_of(const vdnn_policy_request *request, int32_t layer,
                                vdnn_decisions *decisions)
{
    const vdnn_layer_profile *at = &request->profile->layers[layer];
    for (int p = 0; p < VDNN_PASS_COUNT; p++) {
        if (at->choice_count[p] == 0)
            continue;
        int32_t fastest = vdnn_profile_fastest(request->profile, layer, (vdnn_pass)p);
        if (p != VDNN_FORWARD || at->choices[p][fastest].algorithm->deterministic)
            decisions->choice[layer][p] = fastest;
    }
}

void vdnn_opt_choose_fastest(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    for (int32_t l = 0; l < request->graph->layer_count; l++)
        vdnn_opt_choose_fastest_of(request, l, decisions);
}

void vdnn_opt_choose_within(const vdnn_layer_profile *at, vdnn_pass pass, size_t free_bytes,
                            double seconds, int32_t *choice)
{
    for (int32_t i = 0; i < at->choice_count[pass]; i++) {
        const vdnn_choice *other = &at->choices[pass][i];
        if (other->workspace_bytes > free_bytes || other->seconds >= seconds ||
            (pass == VDNN_FORWARD && !other->algorithm->deterministic))
            continue;
        seconds = other->seconds;
        *choice = i;
    }
}

vdnn_status vdnn_opt_choose_fitting(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    const size_t budget = request->budget_bytes[VDNN_TIER_DEVICE];
    const int32_t layers = request->graph->layer_count;
    vdnn_trial_bound bound;
    vdnn_trial_live *live = vdnn_heap_calloc((size_t)layers, sizeof(vdnn_trial_live));
    if (live == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to choose algorithms of %d layers",
                                (int)layers);
    vdnn_status status = vdnn_algorithm_choice(request, VDNN_ALGO_M, decisions);
    if (status == VDNN_OK)
        status = request->trial->bound(request->trial, decisions, live, &bound);
    for (int32_t l = 0; l < layers && status == VDNN_OK; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            const vdnn_layer_profile *at = &request->profile->layers[l];
            const size_t taken = live[l][p != VDNN_FORWARD];
            int32_t *choice = &decisions->choice[l][p];
            if (at->choice_count[p] > 0)
                vdnn_opt_choose_within(at, (vdnn_pass)p, budget > taken ? budget - taken : 0,
                                       at->choices[p][*choice].seconds, choice);
        }
    vdnn_heap_free(live);
    return status;
}

vdnn_status vdnn_opt_start_fastest(const vdnn_opt_search *own, vdnn_decisions *start)
{
    const vdnn_policy_request *request = own->request;
    VDNN_TRY(vdnn_offload_rule_decide(request, &vdnn_offload_none, VDNN_ALGO_P, start));
    vdnn_opt_choose_fastest(request, start);
    vdnn_opt_search_sign(start);
    vdnn_opt_search_chain(own, start);
    if (vdnn_decisions_may_load_ahead(request->graph, request->profile))
        start->loads = VDNN_LOADS_AHEAD;
    return VDNN_OK;
}

/* Where everything kept fits, it is the best, and moves nothing. */
static vdnn_status offer_kept(vdnn_opt_search *own, vdnn_decisions *start)
{
    const vdnn_loads loads = start->loads;
    start->loads = VDNN_LOADS_OWN;
    vdnn_status status = offer_all(own, start);
    start->loads = loads;
    return status;
}

/* With few trials: something good to have early. */
static vdnn_status descend_hastily(vdnn_opt_search *own, vdnn_decisions *start)
{
    own->pace = VDNN_OPT_HASTY;
    vdnn_status status = vdnn_opt_descend_from(own, start);
    own->pace = VDNN_OPT_STEADY;
    return status;
}

enum { POLICIES = 7 };

/* What each of them decides. */
static vdnn_status decide_policies(const vdnn_opt_search *own, vdnn_decisions made[POLICIES],
                                   int *count)
{
    extern const vdnn_policy vdnn_policy_base, vdnn_policy_all, vdnn_policy_conv, vdnn_policy_dyn;
    static const struct {
        const vdnn_policy *policy;
        vdnn_algo_mode mode;
    } starts[POLICIES] = {{&vdnn_policy_dyn, VDNN_ALGO_P},  {&vdnn_policy_base, VDNN_ALGO_P},
                          {&vdnn_policy_conv, VDNN_ALGO_P}, {&vdnn_policy_all, VDNN_ALGO_P},
                          {&vdnn_policy_base, VDNN_ALGO_M}, {&vdnn_policy_conv, VDNN_ALGO_M},
                          {&vdnn_policy_all, VDNN_ALGO_M}};
    for (*count = 0; *count < POLICIES; ++*count) {
        vdnn_policy_request request = *own->request;
        request.algo = starts[*count].mode;
        vdnn_status status = starts[*count].policy->decide(&request, &made[*count]);
        if (status != VDNN_OK && status != VDNN_NO_FIT)
            return status;
        vdnn_opt_search_chain(own, &made[*count]);
    }
    return VDNN_OK;
}

static vdnn_status offer_policies(vdnn_opt_search *own)
{
    vdnn_decisions made[POLICIES];
    int count;
    vdnn_status status = decide_policies(own, made, &count);
    for (int i = 0; i < count; i++) {
        if (status == VDNN_OK)
            status = offer_all(own, &made[i]);
        vdnn_decisions_fini(&made[i]);
    }
    return status;
}

vdnn_status vdnn_opt_offer_starts(vdnn_opt_search *own)
{
    vdnn_decisions fastest;
    VDNN_TRY(offer_policies(own));
    VDNN_TRY(vdnn_opt_start_fastest(own, &fastest));
    vdnn_status status = offer_kept(own, &fastest);
    if (status == VDNN_OK && vdnn_opt_search_lasts(own))
        status = vdnn_opt_offer_relaxed(own);
    if (status == VDNN_OK && vdnn_opt_search_lasts(own))
        status = descend_hastily(own, &fastest);
    vdnn_decisions_fini(&fastest);
    return status;
}
