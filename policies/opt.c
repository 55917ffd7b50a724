/* The policy of our own: for each value keep, offload or recompute, for each pass an algorithm,
 * chosen together against the plan's time on the clock, under the budgets of all tiers.
 *
 *   1. what base, all, conv and dyn decide, and descents from what takes too much (opt/descend.h)
 *   2. the best of these, improved by one move after the other (opt/climb.h), then by a few drawn
 *      at once and one after the other from there (opt/kick.h)
 *
 * Under the paper's rules it is dyn: the moves are not the paper's.
 */

#include "policies/offload_rule.h"
#include "policies/opt/climb.h"
#include "policies/opt/cuts.h"
#include "policies/opt/kick.h"
#include "policies/opt/smallest.h"
#include "runtime/base/heap.h"

/* How many trials the moves from one start may take before layers are cut; how often they are. */
enum { CLIMB_TRIALS = 1500, CUT_ROUNDS = 3, LEAST_PARTS = 4, MOST_PARTS = 16 };

/* Of all layers, where nothing fits else: plans of more are too slow to descend with. */
enum { MOST_PARTS_IN_ALL = 1000 };

/* Of sums of times. */
static const double ROUNDING = 1e-6;

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

/* What is recomputed needs a deterministic one. */
static void choose_fastest(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    for (int32_t l = 0; l < request->graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            const vdnn_layer_profile *at = &request->profile->layers[l];
            if (at->choice_count[p] == 0)
                continue;
            int32_t fastest = vdnn_profile_fastest(request->profile, l, (vdnn_pass)p);
            if (p != VDNN_FORWARD || at->choices[p][fastest].algorithm->deterministic)
                decisions->choice[l][p] = fastest;
        }
}

/* Everything kept, by the fastest algorithms: descends from there. */
static vdnn_status offer_fastest(vdnn_opt_search *own)
{
    vdnn_decisions made;
    vdnn_status status =
        vdnn_offload_rule_decide(own->request, &vdnn_offload_none, VDNN_ALGO_P, &made);
    if (status != VDNN_OK)
        return status;
    choose_fastest(own->request, &made);
    status = vdnn_opt_climb_from(own, &made);
    vdnn_decisions_fini(&made);
    return status;
}

/* ---- one network ----------------------------------------------------------------------------- */

/* A search in the network as it is cut. */
typedef struct stage {
    vdnn_policy_request request;
    vdnn_opt_search search;
} stage;

static vdnn_status stage_init(const vdnn_policy_request *request, const vdnn_variant *of,
                              int64_t trials, stage *own)
{
    own->request = *request;
    if (of != NULL) {
        own->request.graph = of->graph;
        own->request.profile = of->profile;
        own->request.trial = of->trial;
    }
    vdnn_status status = vdnn_opt_search_init(&own->request, &own->search);
    own->search.trials = trials;
    return status;
}

/* The later stage takes the place of the earlier one. */
static void stage_replace(stage *earlier, const stage *later)
{
    vdnn_opt_search_fini(&earlier->search);
    *earlier = *later;
    earlier->search.request = &earlier->request;
}

/* The best of all starts, then of what a few moves reach from it. */
static vdnn_status search(vdnn_opt_search *own)
{
    vdnn_status status = offer_policies(own);
    if (status == VDNN_OK && vdnn_opt_search_lasts(own))
        status = offer_fastest(own);
    own->until = own->trials + CLIMB_TRIALS;
    if (status == VDNN_OK && own->found)
        status = vdnn_opt_climb(own);
    own->until = 0;
    return status;
}

/* Replaces *smallest if the smallest arena in these parts is smaller; a plan that fits is offered.
 */
static vdnn_status offer_smallest(vdnn_opt_search *own, vdnn_decisions *smallest,
                                  size_t *arena_bytes)
{
    extern const vdnn_policy vdnn_policy_dyn;
    vdnn_decisions made;
    size_t arena = 0;
    bool taken;
    vdnn_status status = vdnn_policy_dyn.decide(own->request, &made);
    if (status != VDNN_OK && status != VDNN_NO_FIT)
        return status;
    status = vdnn_opt_smallest(own, &made, &arena);
    if (status == VDNN_OK && arena <= own->request->budget_bytes[VDNN_TIER_DEVICE])
        status = vdnn_opt_search_offer(own, &made, NULL, &taken);
    if (status == VDNN_OK && arena < *arena_bytes) {
        vdnn_decisions_assign(smallest, &made);
        *arena_bytes = arena;
    }
    vdnn_decisions_fini(&made);
    return status;
}

/* ---- cuts ------------------------------------------------------------------------------------ */

static vdnn_status find_parts(const vdnn_policy_request *request, const int32_t *parts,
                              int64_t trials, stage *own)
{
    vdnn_variant of;
    vdnn_status status = request->variants->find(request->variants, parts, &of);
    return status == VDNN_OK ? stage_init(request, &of, trials, own) : status;
}

/* Decisions over one network as those over another: the algorithms of the same names. */
static void translate(const vdnn_policy_request *from, const vdnn_policy_request *to,
                      vdnn_decisions *decisions)
{
    for (int32_t l = 0; l < to->graph->layer_count; l++) {
        decisions->parts[l] = (int32_t)to->graph->layers[l].parts;
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            const vdnn_choice *own =
                vdnn_decisions_choice(decisions, from->profile, l, (vdnn_pass)p);
            int32_t found =
                own == NULL ? 0
                            : vdnn_profile_find(to->profile, l, (vdnn_pass)p, own->algorithm->name);
            decisions->choice[l][p] = found < 0 ? 0 : found;
        }
    }
    for (int32_t m = 0; m < to->graph->map_count; m++)
        if (decisions->maps[m].pieces &&
            vdnn_decisions_pieces_refusal(to->graph, decisions, m) != NULL)
            decisions->maps[m].pieces = 0;
}

/* From the best of the earlier stage: as it is, and descending with the fastest algorithms. */
static vdnn_status search_from(const stage *earlier, stage *own)
{
    vdnn_decisions made;
    vdnn_status status = vdnn_decisions_copy(&made, &earlier->search.best);
    if (status != VDNN_OK)
        return status;
    translate(&earlier->request, &own->request, &made);
    status = vdnn_opt_climb_from(&own->search, &made);
    choose_fastest(&own->request, &made);
    if (status == VDNN_OK)
        status = vdnn_opt_climb_from(&own->search, &made);
    vdnn_decisions_fini(&made);
    return status == VDNN_OK ? search(&own->search) : status;
}

/* Whether the best takes longer than with unlimited memory: else no cut makes it better. */
static vdnn_status is_slowed(const stage *best, bool *slowed)
{
    vdnn_trial_result tried;
    vdnn_status status = vdnn_policy_try(&best->request, &best->search.best, &tried);
    *slowed = status == VDNN_OK &&
              tried.facts.step_seconds > tried.facts.oracle_step_seconds * (1 + ROUNDING);
    return status;
}

/* Cuts the layers that gain by it, as long as the plan gets better. */
static vdnn_status cut(const vdnn_policy_request *request, int32_t *parts, stage *best)
{
    vdnn_status status = VDNN_OK;
    for (int round = 0; round < CUT_ROUNDS && status == VDNN_OK; round++) {
        stage next;
        bool slowed = false;
        status = is_slowed(best, &slowed);
        if (status != VDNN_OK || !slowed || !vdnn_opt_search_lasts(&best->search))
            return status;
        status = vdnn_opt_cuts_choose(request, best->request.trial, &best->search.best, parts);
        if (status == VDNN_OK)
            status = find_parts(request, parts, best->search.trials, &next);
        if (status != VDNN_OK || next.request.graph == best->request.graph) {
            if (status == VDNN_OK)
                vdnn_opt_search_fini(&next.search);
            return status;
        }
        status = search_from(best, &next);
        best->search.trials = next.search.trials;
        if (status == VDNN_OK && next.search.found &&
            next.search.time.step_seconds < best->search.time.step_seconds) {
            stage_replace(best, &next);
        } else {
            vdnn_opt_search_fini(&next.search);
            return status;
        }
    }
    return status;
}

static bool may_cut_all(const vdnn_graph *graph, int32_t count)
{
    return count <= MOST_PARTS && graph->layer_count * count <= MOST_PARTS_IN_ALL;
}

/* Nothing fits in the parts that the file says: the fewest that fit, of every layer. */
static vdnn_status cut_to_fit(const vdnn_policy_request *request, int32_t *parts, stage *best,
                              vdnn_decisions *smallest, size_t *arena_bytes)
{
    vdnn_status status = VDNN_OK;
    for (int32_t count = LEAST_PARTS;
         may_cut_all(request->graph, count) && !best->search.found && status == VDNN_OK;
         count *= LEAST_PARTS) {
        stage next;
        vdnn_opt_cuts_all(request, count, parts);
        status = find_parts(request, parts, best->search.trials, &next);
        if (status != VDNN_OK)
            return status;
        status = offer_smallest(&next.search, smallest, arena_bytes);
        stage_replace(best, &next);
    }
    return status;
}

/* For the rest of patience, where memory slows the best. */
static vdnn_status improve(stage *best)
{
    bool slowed = false;
    vdnn_status status = vdnn_opt_climb(&best->search);
    if (status == VDNN_OK)
        status = is_slowed(best, &slowed);
    return status == VDNN_OK && slowed ? vdnn_opt_kick(&best->search) : status;
}

/* ---- the policy ------------------------------------------------------------------------------ */

static vdnn_status search_all(const vdnn_policy_request *request, int32_t *parts, stage *best,
                              vdnn_decisions *decisions)
{
    extern const vdnn_policy vdnn_policy_dyn;
    size_t arena_bytes = SIZE_MAX;
    vdnn_status status = vdnn_policy_dyn.decide(request, decisions);
    if (status != VDNN_OK && status != VDNN_NO_FIT)
        return status;
    bool fits = status == VDNN_OK;
    if (!fits) {
        status = offer_smallest(&best->search, decisions, &arena_bytes);
        if (status == VDNN_OK && request->variants != NULL)
            status = cut_to_fit(request, parts, best, decisions, &arena_bytes);
        fits = best->search.found;
    }
    if (status == VDNN_OK && fits && request->patience != NULL) {
        status = search(&best->search);
        if (status == VDNN_OK && request->variants != NULL)
            status = cut(request, parts, best);
        if (status == VDNN_OK)
            status = improve(best);
    }
    if (status == VDNN_OK && best->search.found)
        vdnn_decisions_assign(decisions, &best->search.best);
    decisions->trials = best->search.trials;
    if (status == VDNN_OK && !fits)
        return vdnn_status_fail(VDNN_NO_FIT, "the smallest arena that was found is %zu bytes",
                                arena_bytes);
    if (status != VDNN_OK)
        vdnn_decisions_fini(decisions);
    return status;
}

/* What dyn can train, opt can. */
static vdnn_status decide(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    extern const vdnn_policy vdnn_policy_dyn;
    stage best;
    if (request->graph->rules == VDNN_RULES_PAPER)
        return vdnn_policy_dyn.decide(request, decisions);
    int32_t *parts = vdnn_heap_calloc((size_t)request->graph->layer_count, sizeof *parts);
    if (parts == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to cut layers");
    vdnn_status status = stage_init(request, NULL, 0, &best);
    if (status == VDNN_OK) {
        status = search_all(request, parts, &best, decisions);
        vdnn_opt_search_fini(&best.search);
    }
    vdnn_heap_free(parts);
    return status;
}

const vdnn_policy vdnn_policy_opt = {
    .name = "opt",
    .help = "keep, offload or recompute each map, searched for the fastest plan",
    .is_static = false,
    .decide = decide};
