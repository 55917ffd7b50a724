/* The policy of our own: for each value keep, offload or recompute, for each pass an algorithm,
 * chosen together against the plan's time on the clock, under the budgets of all tiers.
 *
 *   1. what base, all, conv and dyn decide, and descents from what takes too much (opt/descend.h)
 *   2. the best of these, improved by one move after the other (opt/climb.h)
 *
 * Under the paper's rules it is dyn: the moves are not the paper's.
 */

#include "policies/offload_rule.h"
#include "policies/opt/climb.h"
#include "policies/opt/smallest.h"

/* ---- where the search starts ----------------------------------------------------------------- */

/* As it is, and with the next batch loaded ahead: what the policy's plan would be, too. */
static vdnn_status offer_both(vdnn_opt_search *own, vdnn_decisions *decisions)
{
    const vdnn_policy_request *request = own->request;
    bool taken;
    vdnn_status status = vdnn_opt_search_offer(own, decisions, NULL, &taken);
    if (status != VDNN_OK || !vdnn_decisions_may_load_ahead(request->graph, request->profile))
        return status;
    decisions->loads = VDNN_LOADS_AHEAD;
    status = vdnn_opt_search_offer(own, decisions, NULL, &taken);
    decisions->loads = VDNN_LOADS_OWN;
    return status;
}

static vdnn_status offer_policy(vdnn_opt_search *own, const vdnn_policy *policy,
                                vdnn_algo_mode mode)
{
    vdnn_policy_request request = *own->request;
    vdnn_decisions made;
    request.algo = mode;
    vdnn_status status = policy->decide(&request, &made);
    if (status != VDNN_OK && status != VDNN_NO_FIT)
        return status;
    status = offer_both(own, &made);
    if (status == VDNN_OK && vdnn_opt_search_lasts(own))
        status = vdnn_opt_climb_from(own, &made);
    vdnn_decisions_fini(&made);
    return status;
}

static vdnn_status offer_policies(vdnn_opt_search *own)
{
    extern const vdnn_policy vdnn_policy_base, vdnn_policy_all, vdnn_policy_conv, vdnn_policy_dyn;
    static const struct {
        const vdnn_policy *policy;
        vdnn_algo_mode mode;
    } starts[] = {{&vdnn_policy_dyn, VDNN_ALGO_P},  {&vdnn_policy_base, VDNN_ALGO_P},
                  {&vdnn_policy_conv, VDNN_ALGO_P}, {&vdnn_policy_all, VDNN_ALGO_P},
                  {&vdnn_policy_base, VDNN_ALGO_M}, {&vdnn_policy_conv, VDNN_ALGO_M},
                  {&vdnn_policy_all, VDNN_ALGO_M}};
    vdnn_status status = VDNN_OK;
    for (size_t i = 0; i < sizeof starts / sizeof *starts && status == VDNN_OK; i++)
        status = offer_policy(own, starts[i].policy, starts[i].mode);
    return status;
}

/* Everything kept, by the fastest algorithms: descends from there. */
static vdnn_status offer_fastest(vdnn_opt_search *own)
{
    const vdnn_graph *graph = own->request->graph;
    vdnn_decisions made;
    vdnn_status status =
        vdnn_offload_rule_decide(own->request, &vdnn_offload_none, VDNN_ALGO_P, &made);
    if (status != VDNN_OK)
        return status;
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            if (own->request->profile->layers[l].choice_count[p] > 0)
                made.choice[l][p] = vdnn_profile_fastest(own->request->profile, l, (vdnn_pass)p);
    status = vdnn_opt_climb_from(own, &made);
    vdnn_decisions_fini(&made);
    return status;
}

/* ---- the policy ------------------------------------------------------------------------------ */

/* The best of all starts, then of what can be reached from it. */
static vdnn_status search(vdnn_opt_search *own)
{
    vdnn_status status = offer_policies(own);
    if (status == VDNN_OK && vdnn_opt_search_lasts(own))
        status = offer_fastest(own);
    return status == VDNN_OK && own->found ? vdnn_opt_climb(own) : status;
}

/* dyn finds nothing that fits: *decisions are its smallest, and become those of the smallest arena.
 */
static vdnn_status take_smallest(vdnn_opt_search *own, vdnn_decisions *decisions)
{
    size_t arena_bytes = 0;
    bool taken;
    vdnn_status status = vdnn_opt_smallest(own, decisions, &arena_bytes);
    if (status != VDNN_OK)
        return status;
    if (arena_bytes > own->request->budget_bytes[VDNN_TIER_DEVICE])
        return vdnn_status_fail(VDNN_NO_FIT, "the smallest arena that was found is %zu bytes",
                                arena_bytes);
    return vdnn_opt_search_offer(own, decisions, NULL, &taken);
}

/* What dyn can train, opt can. */
static vdnn_status decide(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    extern const vdnn_policy vdnn_policy_dyn;
    vdnn_opt_search own;
    if (request->graph->rules == VDNN_RULES_PAPER)
        return vdnn_policy_dyn.decide(request, decisions);
    vdnn_status status = vdnn_opt_search_init(request, &own);
    if (status != VDNN_OK)
        return status;
    vdnn_decisions made;
    status = vdnn_policy_dyn.decide(request, &made);
    const bool is_made = status == VDNN_OK || status == VDNN_NO_FIT;
    if (status == VDNN_NO_FIT)
        status = take_smallest(&own, &made);
    if (status == VDNN_OK && request->patience != NULL)
        status = search(&own);
    if (status == VDNN_OK && own.found)
        vdnn_decisions_assign(&made, &own.best);
    if (is_made && (status == VDNN_OK || status == VDNN_NO_FIT)) {
        made.trials = own.trials;
        *decisions = made;
    } else if (is_made) {
        vdnn_decisions_fini(&made);
    }
    vdnn_opt_search_fini(&own);
    return status;
}

const vdnn_policy vdnn_policy_opt = {
    .name = "opt",
    .help = "keep, offload or recompute each map, searched for the fastest plan",
    .is_static = false,
    .decide = decide};
