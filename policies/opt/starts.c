#include "policies/opt/starts.h"

#include "policies/algorithm_choice.h"
#include "policies/late_load.h"
#include "policies/offload_rule.h"
#include "policies/opt/climb.h"
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

/* What a second of the link is taken to cost: with a low price all is offloaded as long as copies
 * are hidden, with a high one only what takes longer to recompute. 0: as busy as it is. */
static const double link_prices[] = {0.06, 0.12, 0.25, 0, 0.03, 0.5, 1};

enum { LINK_PRICES = sizeof link_prices / sizeof *link_prices };

/* Trials of each descent but the first, once something fits. */
enum { DESCENT_TRIALS = 800 };

static vdnn_status descend_once(vdnn_opt_search *own, const vdnn_decisions *start,
                                vdnn_decisions *made, bool is_first)
{
    const double seconds = own->found ? own->time.step_seconds : HUGE_VAL;
    vdnn_decisions_assign(made, start);
    own->until = own->found && !is_first ? own->trials + DESCENT_TRIALS : 0;
    vdnn_status status = vdnn_opt_climb_from(own, made);
    own->until = 0;
    if (own->found && own->time.step_seconds < seconds)
        own->price_of_best = own->link_price;
    return status;
}

static vdnn_status descend_at_prices(vdnn_opt_search *own, const vdnn_decisions *start,
                                     vdnn_decisions *made)
{
    const double from = own->price_of_best;
    bool is_first = true;
    vdnn_status status = VDNN_OK;
    for (int i = 0; i < LINK_PRICES && status == VDNN_OK && vdnn_opt_search_lasts(own); i++) {
        if (from > 0 && (link_prices[i] < from || link_prices[i] > from))
            continue;
        own->link_price = link_prices[i];
        status = descend_once(own, start, made, is_first);
        is_first = false;
    }
    own->link_price = 0;
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

/* A tenth of the trials of another descent: something good to have early. */
static vdnn_status descend_hastily(vdnn_opt_search *own, vdnn_decisions *start,
                                   vdnn_decisions *made)
{
    own->pace = VDNN_OPT_HASTY;
    vdnn_status status = descend_once(own, start, made, true);
    own->pace = VDNN_OPT_STEADY;
    return status;
}

/* At all prices, and once with batches that are not loaded ahead. */
static vdnn_status descend_fully(vdnn_opt_search *own, vdnn_decisions *start, vdnn_decisions *made)
{
    vdnn_status status = descend_at_prices(own, start, made);
    own->pace = VDNN_OPT_THOROUGH;
    start->loads = VDNN_LOADS_OWN;
    if (status == VDNN_OK && vdnn_opt_search_lasts(own))
        status = descend_once(own, start, made, false);
    own->pace = VDNN_OPT_STEADY;
    return status;
}

typedef vdnn_status descend(vdnn_opt_search *own, vdnn_decisions *start, vdnn_decisions *made);

static vdnn_status from_fastest(vdnn_opt_search *own, descend *by)
{
    vdnn_decisions start, made;
    VDNN_TRY(vdnn_opt_start_fastest(own, &start));
    vdnn_status status = vdnn_decisions_copy(&made, &start);
    if (status == VDNN_OK) {
        status = by(own, &start, &made);
        vdnn_decisions_fini(&made);
    }
    vdnn_decisions_fini(&start);
    return status;
}

/* Where everything kept fits, it is the best, and moves nothing. */
static vdnn_status offer_start(vdnn_opt_search *own, vdnn_decisions *start, vdnn_decisions *made)
{
    (void)made;
    start->loads = VDNN_LOADS_OWN;
    return offer_all(own, start);
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

typedef vdnn_status take(vdnn_opt_search *own, vdnn_decisions *made);

static vdnn_status from_policies(vdnn_opt_search *own, take *by, bool asks_patience)
{
    vdnn_decisions made[POLICIES];
    int count;
    vdnn_status status = decide_policies(own, made, &count);
    for (int i = 0; i < count; i++) {
        if (status == VDNN_OK && (!asks_patience || vdnn_opt_search_lasts(own)))
            status = by(own, &made[i]);
        vdnn_decisions_fini(&made[i]);
    }
    return status;
}

vdnn_status vdnn_opt_offer_starts(vdnn_opt_search *own)
{
    vdnn_status status = from_policies(own, offer_all, false);
    if (status == VDNN_OK)
        status = from_fastest(own, offer_start);
    if (status == VDNN_OK && vdnn_opt_search_lasts(own))
        status = vdnn_opt_offer_relaxed(own);
    if (status == VDNN_OK && vdnn_opt_search_lasts(own))
        status = from_fastest(own, descend_hastily);
    return status;
}

/* The descent from the fastest comes first: what it finds ends the others early. */
vdnn_status vdnn_opt_descend_starts(vdnn_opt_search *own)
{
    vdnn_status status = from_fastest(own, descend_fully);
    return status == VDNN_OK ? from_policies(own, vdnn_opt_climb_from, true) : status;
}
