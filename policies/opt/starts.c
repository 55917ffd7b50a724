#include "policies/opt/starts.h"

#include "policies/algorithm_choice.h"
#include "policies/late_load.h"
#include "policies/offload_rule.h"
#include "policies/opt/chains.h"
#include "policies/opt/local_search.h"
#include "policies/opt/prices.h"
#include "runtime/base/heap.h"
#include "runtime/plan/required.h"

#include <math.h>
#include <string.h>

/* Offers decisions, packed with full effort if little effort finds no packing that fits. */
static vdnn_status offer_packed(vdnn_opt_search *own, const vdnn_decisions *decisions)
{
    const vdnn_policy_request *request = own->request;
    vdnn_outcome least, packed, time = {.fits = false};
    bool taken;
    vdnn_status status = vdnn_opt_search_offer(own, decisions, &time, &taken);
    if (status != VDNN_OK || time.fits)
        return status;
    status = vdnn_planning_evaluate(request->planning, decisions, VDNN_BOUND, &least);
    if (status != VDNN_OK || !least.fits)
        return status;
    status = vdnn_planning_evaluate(request->planning, decisions, VDNN_WHOLE, &packed);
    return status == VDNN_OK ? vdnn_opt_search_offer(own, decisions, NULL, &taken) : status;
}

/* Offers the decisions, and also with the next batch loaded ahead or late, as the policy's own plan
 * may have it. */
static vdnn_status offer_all(vdnn_opt_search *own, vdnn_decisions *decisions)
{
    vdnn_status status = offer_packed(own, decisions);
    if (status != VDNN_OK || !vdnn_decisions_may_load_ahead(own->graph, own->profile))
        return status;
    decisions->loads = VDNN_LOADS_AHEAD;
    status = offer_packed(own, decisions);
    vdnn_late_load_decide(own->graph, own->profile, decisions);
    VDNN_IF_OK(status, offer_packed(own, decisions));
    decisions->loads = VDNN_LOADS_OWN;
    decisions->load_layer = 0;
    return status;
}

void vdnn_opt_choose_fastest_of(const vdnn_profile *profile, int32_t layer,
                                vdnn_decisions *decisions)
{
    const vdnn_layer_profile *at = &profile->layers[layer];
    for (int p = 0; p < VDNN_PASS_COUNT; p++) {
        if (at->choice_count[p] == 0)
            continue;
        int32_t fastest = vdnn_profile_fastest(profile, layer, (vdnn_pass)p);
        if (p != VDNN_FORWARD || at->choices[p][fastest].algorithm->deterministic)
            decisions->choice[layer][p] = fastest;
    }
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
    vdnn_planning *planning = request->planning;
    const size_t budget = planning->budget_bytes[VDNN_TIER_DEVICE];
    const int32_t layers = planning->graph->layer_count;
    vdnn_outcome bound;
    vdnn_live *live = vdnn_heap_calloc((size_t)layers, sizeof(vdnn_live));
    if (live == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to choose algorithms of %d layers",
                                (int)layers);
    vdnn_status status = vdnn_algorithm_choice(request, VDNN_ALGO_M, decisions);
    VDNN_IF_OK(status, vdnn_planning_live(planning, decisions, live, &bound));
    for (int32_t l = 0; l < layers && status == VDNN_OK; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            const vdnn_layer_profile *at = &planning->profile->layers[l];
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
    VDNN_TRY(vdnn_offload_rule_decide(own->request, &vdnn_offload_none, VDNN_ALGO_P, start));
    for (int32_t l = 0; l < own->graph->layer_count; l++)
        vdnn_opt_choose_fastest_of(own->profile, l, start);
    vdnn_opt_search_sign(start);
    vdnn_opt_search_chain(own, start);
    if (vdnn_decisions_may_load_ahead(own->graph, own->profile))
        start->loads = VDNN_LOADS_AHEAD;
    return VDNN_OK;
}

/* Offers the plan that keeps everything. If it fits, it is the best plan: it copies and recomputes
 * nothing. */
static vdnn_status offer_kept(vdnn_opt_search *own, vdnn_decisions *start)
{
    const vdnn_loads loads = start->loads;
    start->loads = VDNN_LOADS_OWN;
    vdnn_status status = offer_all(own, start);
    start->loads = loads;
    return status;
}

/* Descends in few trials, so that a good plan is known early. */
static vdnn_status descend_hastily(vdnn_opt_search *own, vdnn_decisions *start)
{
    own->pace = VDNN_OPT_HASTY;
    vdnn_status status = vdnn_opt_descend_from(own, start);
    own->pace = VDNN_OPT_STEADY;
    return status;
}

/* What a second of the link counts as. At a low price all is offloaded as long as copies are
 * hidden. 0: the share of time that the link is busy. */
static const double descent_prices[] = {0.06, 0};

enum { DESCENTS = sizeof descent_prices / sizeof *descent_prices, DESCENT_TRIALS = 800 };

vdnn_status vdnn_opt_descend_at_prices(vdnn_opt_search *own)
{
    vdnn_decisions start, made;
    VDNN_TRY(vdnn_opt_start_fastest(own, &start));
    vdnn_status status = vdnn_decisions_copy(&made, &start);
    for (int i = 0; i < DESCENTS && status == VDNN_OK && vdnn_opt_search_lasts(own); i++) {
        vdnn_decisions_assign(&made, &start);
        own->link_price = descent_prices[i];
        own->until = own->trials + DESCENT_TRIALS;
        status = vdnn_opt_descend_from(own, &made);
        own->until = 0;
    }
    own->link_price = 0;
    vdnn_decisions_fini(&made);
    vdnn_decisions_fini(&start);
    return status;
}

/* Offers what each of the other policies decides. */
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
    vdnn_policy_request request = *own->request;
    vdnn_status status = VDNN_OK;
    for (size_t i = 0; i < sizeof starts / sizeof *starts && status == VDNN_OK; i++) {
        vdnn_decisions made;
        request.algo = starts[i].mode;
        status = starts[i].policy->decide(&request, &made);
        if (status != VDNN_OK && status != VDNN_NO_FIT)
            return status;
        vdnn_opt_search_chain(own, &made);
        status = offer_all(own, &made);
        vdnn_decisions_fini(&made);
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

/* ---- the way down to the smallest plan ------------------------------------------------------- */

/* The next limit is a share of the last arena; if it cannot be reached, the next larger share is
 * tried. */
static const double shares[] = {0.9, 0.97, 0.995};

enum { SHARES = sizeof shares / sizeof *shares, MOST_MOVES = 10000, MOST_HELPED = 2 };

/* A descent ends after trials of this many steps of layers, which take some seconds. It is not
 * ended by time: the same plans come under every budget, so that the smallest is found again. */
enum { MOST_STEPS = 100000 };

/* The way down leads from each plan to a smaller one. A budget does not change it, but says where
 * it ends. */
typedef struct path {
    vdnn_opt_search *own;
    vdnn_decisions *smallest; /* borrowed; so far */
    size_t arena_bytes;       /* of these */
    int64_t begun;            /* trials that were made before */
} path;

static bool is_enough(const path *of)
{
    return of->arena_bytes <= of->own->budget_bytes[VDNN_TIER_DEVICE];
}

static bool may_go_on(const path *of)
{
    return !is_enough(of) && !vdnn_opt_search_is_stopped(of->own);
}

/* Remembers which plan follows the smallest so far; NULL: none is smaller. */
static vdnn_status remember_next(const path *of, const vdnn_decisions *next, size_t arena_bytes)
{
    const vdnn_policy_request *request = of->own->request;
    const vdnn_opt_answer found = {next, arena_bytes, of->own->trials - of->begun};
    if (vdnn_opt_findings_find(request, VDNN_OPT_SMALLER, of->smallest) != NULL)
        return VDNN_OK;
    return vdnn_opt_findings_keep(request, VDNN_OPT_SMALLER, of->smallest, &found);
}

static vdnn_status keep_smaller(path *of, const vdnn_decisions *made, size_t made_bytes)
{
    if (made_bytes >= of->arena_bytes)
        return VDNN_OK;
    vdnn_status status = remember_next(of, made, made_bytes);
    vdnn_decisions_assign(of->smallest, made);
    of->arena_bytes = made_bytes;
    return status;
}

/* Follows the plans that were found under earlier budgets. Returns whether one of these fits, or
 * the smallest is reached. */
static bool follow_known(path *of)
{
    int64_t trials = 0;
    const vdnn_opt_answer *next = NULL;
    while (!is_enough(of)) {
        next = vdnn_opt_findings_find(of->own->request, VDNN_OPT_SMALLER, of->smallest);
        if (next == NULL)
            return false;
        trials = next->trials;
        if (next->decisions == NULL)
            break;
        vdnn_decisions_assign(of->smallest, next->decisions);
        of->arena_bytes = next->arena_bytes;
    }
    of->own->trials += trials;
    return true;
}

/* ---- descents -------------------------------------------------------------------------------- */

static int64_t steps_of(const vdnn_graph *graph)
{
    int64_t steps = 1; /* beside the layers */
    for (int32_t l = 0; l < graph->layer_count; l++)
        steps += (int64_t)graph->layers[l].parts;
    return steps;
}

static vdnn_status descend_from(path *of, vdnn_decisions *made)
{
    vdnn_opt_search *own = of->own;
    const int64_t until = own->trials + MOST_STEPS / steps_of(own->graph);
    size_t arena, last;
    vdnn_decisions start;
    VDNN_TRY(vdnn_decisions_copy(&start, made));
    vdnn_status status = vdnn_opt_search_pack(own, made, &last);
    for (int share = 0; share < SHARES && status == VDNN_OK && may_go_on(of);) {
        bool fits;
        vdnn_opt_limits limits = {.device_bytes = (size_t)(shares[share] * (double)last),
                                  .most_moves = MOST_MOVES,
                                  .most_helped = MOST_HELPED,
                                  .until = until,
                                  .one_by_one = true,
                                  .most_seconds = HUGE_VAL};
        vdnn_decisions_assign(made, &start);
        status = vdnn_opt_descend(own, made, &limits, &fits);
        VDNN_IF_OK(status, vdnn_opt_search_pack(own, made, &arena));
        if (status == VDNN_OK && arena < last) {
            last = arena;
            vdnn_decisions_assign(&start, made);
            status = keep_smaller(of, made, arena);
        } else {
            share++;
        }
    }
    vdnn_decisions_fini(&start);
    return status;
}

/* Recomputes each map that no backward pass needs, so that it is live only while it is read. */
static void recompute_unneeded(const vdnn_opt_search *own, vdnn_decisions *made)
{
    for (int32_t m = 0; m < own->graph->map_count; m++)
        if (own->graph->maps[m].needed_count == 0 && vdnn_opt_may_recompute(own, made, m))
            made->maps[m].action = VDNN_RECOMPUTE;
}

/* ---- where from ------------------------------------------------------------------------------ */

static vdnn_status decide_by(const vdnn_opt_search *own, const vdnn_offload_rule *rule,
                             vdnn_decisions *made)
{
    VDNN_TRY(vdnn_offload_rule_decide(own->request, rule, VDNN_ALGO_M, made));
    vdnn_opt_search_chain(own, made);
    vdnn_opt_search_sign(made);
    return VDNN_OK;
}

/* Descends from what offloads the most, and, if it differs, from what recomputes the most. */
static vdnn_status descend_by_rules(path *of)
{
    static const vdnn_offload_rule recomputing = {
        .selects = {[VDNN_ROLE_CONV] = true, [VDNN_ROLE_FEATURE] = true}, .recomputes = 1};
    vdnn_decisions offloaded, recomputed;
    VDNN_TRY(decide_by(of->own, &vdnn_offload_all, &offloaded));
    vdnn_status status = decide_by(of->own, &recomputing, &recomputed);
    if (status == VDNN_OK) {
        const bool differs = !vdnn_decisions_same(&offloaded, &recomputed);
        status = descend_from(of, &offloaded);
        if (status == VDNN_OK && differs && may_go_on(of))
            status = descend_from(of, &recomputed);
        vdnn_decisions_fini(&recomputed);
    }
    vdnn_decisions_fini(&offloaded);
    return status;
}

static vdnn_status descend_staying(path *of)
{
    static const vdnn_offload_rule staying = {.recomputes = 1};
    vdnn_decisions made;
    VDNN_TRY(decide_by(of->own, &staying, &made));
    recompute_unneeded(of->own, &made);
    vdnn_status status = descend_from(of, &made);
    vdnn_decisions_fini(&made);
    return status;
}

/* Takes the smallest plan by prices, and descends from it if it is smaller than the smallest so
 * far. */
static vdnn_status descend_relaxed(path *of)
{
    vdnn_decisions made;
    size_t made_bytes = SIZE_MAX;
    VDNN_TRY(vdnn_decisions_copy(&made, of->smallest));
    vdnn_status status = vdnn_opt_relax_smallest(of->own, &made);
    VDNN_IF_OK(status, vdnn_opt_search_pack(of->own, &made, &made_bytes));
    if (status == VDNN_OK && made_bytes < of->arena_bytes) {
        status = keep_smaller(of, &made, made_bytes);
        VDNN_IF_OK(status, descend_from(of, &made));
    }
    vdnn_decisions_fini(&made);
    return status;
}

/* Whether the other tiers hold all that can be offloaded. */
static vdnn_status may_offload_all(const vdnn_opt_search *own, bool *may)
{
    vdnn_decisions made;
    size_t arena_bytes = SIZE_MAX;
    VDNN_TRY(decide_by(own, &vdnn_offload_all, &made));
    vdnn_status status = vdnn_opt_search_pack(own, &made, &arena_bytes);
    *may = arena_bytes < SIZE_MAX;
    vdnn_decisions_fini(&made);
    return status;
}

/* Descends by the rules. If the host is too small for the decisions that offload the most, descends
 * by prices instead, and if these find nothing, from the decisions that offload nothing. */
static vdnn_status go_down(path *of)
{
    const size_t before = of->arena_bytes;
    bool is_ample = false;
    vdnn_status status = may_offload_all(of->own, &is_ample);
    VDNN_IF_OK(status, is_ample ? descend_by_rules(of) : descend_relaxed(of));
    if (status == VDNN_OK && of->arena_bytes == before)
        status = descend_staying(of);
    return status == VDNN_OK && may_go_on(of) ? remember_next(of, NULL, of->arena_bytes) : status;
}

/* Replaces *decisions by those of a smaller arena, down to one that fits the device. */
static vdnn_status find_smallest(vdnn_opt_search *own, vdnn_decisions *decisions,
                                 size_t *arena_bytes)
{
    path of = {.own = own, .smallest = decisions, .begun = own->trials};
    vdnn_decisions start;
    vdnn_status status = vdnn_opt_search_pack(own, decisions, arena_bytes);
    VDNN_IF_OK(status, vdnn_decisions_copy(&start, decisions));
    if (status != VDNN_OK)
        return status;
    of.arena_bytes = *arena_bytes;
    if (!follow_known(&of)) {
        vdnn_decisions_assign(decisions, &start);
        of.arena_bytes = *arena_bytes;
        status = go_down(&of);
    }
    *arena_bytes = of.arena_bytes;
    vdnn_decisions_fini(&start);
    return status;
}

/* ---- the first plan that fits ---------------------------------------------------------------- */

/* Offers a plan that fits, packed with all of the work, and replaces *smallest if the plan is
 * smaller. */
static vdnn_status offer_small(vdnn_opt_search *own, const vdnn_decisions *made, size_t made_bytes,
                               vdnn_decisions *smallest, size_t *arena_bytes)
{
    const bool fits = made_bytes <= own->budget_bytes[VDNN_TIER_DEVICE];
    vdnn_outcome packed;
    bool taken;
    vdnn_status status =
        fits ? vdnn_planning_evaluate(own->request->planning, made, VDNN_WHOLE, &packed) : VDNN_OK;
    if (status == VDNN_OK && fits)
        status = vdnn_opt_search_offer(own, made, NULL, &taken);
    if (made_bytes < *arena_bytes) {
        vdnn_decisions_assign(smallest, made);
        *arena_bytes = made_bytes;
    }
    return status;
}

/* Offers the smallest plan in the parts of the search. */
static vdnn_status offer_smallest(vdnn_opt_search *own, vdnn_decisions *smallest,
                                  size_t *arena_bytes)
{
    extern const vdnn_policy vdnn_policy_dyn;
    vdnn_decisions made;
    size_t bytes = 0;
    vdnn_status status = vdnn_policy_dyn.decide(own->request, &made);
    if (status != VDNN_OK && status != VDNN_NO_FIT)
        return status;
    vdnn_opt_search_chain(own, &made);
    status = find_smallest(own, &made, &bytes);
    VDNN_IF_OK(status, offer_small(own, &made, bytes, smallest, arena_bytes));
    vdnn_decisions_fini(&made);
    return status;
}

/* The plan with the smallest bound of those that cannot fit. It is packed only if no other fits. */
typedef struct closest {
    vdnn_policy_request request; /* of its parts */
    vdnn_decisions decisions;    /* owned */
    size_t least_bytes;
} closest;

/* Packs a plan only if it may fit. */
static vdnn_status look_at_step(vdnn_opt_chain_sequence *sequence, closest *best,
                                vdnn_decisions *smallest, size_t *arena_bytes)
{
    vdnn_opt_search *search = &sequence->at.search;
    vdnn_outcome least;
    VDNN_TRY(vdnn_planning_evaluate(search->request->planning, &sequence->decisions, VDNN_BOUND,
                                    &least));
    size_t bytes = least.arena_bytes[VDNN_TIER_DEVICE];
    if (bytes <= search->budget_bytes[VDNN_TIER_DEVICE])
        VDNN_TRY(vdnn_opt_search_pack(search, &sequence->decisions, &bytes));
    if (bytes <= search->budget_bytes[VDNN_TIER_DEVICE])
        return offer_small(search, &sequence->decisions, bytes, smallest, arena_bytes);
    if (bytes < best->least_bytes) {
        best->request = *search->request;
        best->least_bytes = bytes;
        vdnn_decisions_assign(&best->decisions, &sequence->decisions);
    }
    return VDNN_OK;
}

static vdnn_status take_closest(const closest *best, vdnn_decisions *smallest, size_t *arena_bytes)
{
    const vdnn_opt_search of_parts = {.request = &best->request,
                                      .budget_bytes = best->request.planning->budget_bytes};
    size_t bytes = best->least_bytes;
    if (bytes < *arena_bytes)
        VDNN_TRY(vdnn_opt_search_pack(&of_parts, &best->decisions, &bytes));
    if (bytes < *arena_bytes) {
        vdnn_decisions_assign(smallest, &best->decisions);
        *arena_bytes = bytes;
    }
    return VDNN_OK;
}

/* Adds one chain after the other, until a plan fits. */
static vdnn_status chain_down(vdnn_opt_chain_sequence *sequence, vdnn_decisions *smallest,
                              size_t *arena_bytes)
{
    closest best = {.request = *sequence->request, .least_bytes = SIZE_MAX};
    bool found = true;
    VDNN_TRY(vdnn_decisions_copy(&best.decisions, &sequence->decisions));
    vdnn_status status = VDNN_OK;
    while (found && !sequence->at.search.found && status == VDNN_OK) {
        status = vdnn_opt_chain_sequence_step(sequence, &found);
        if (status == VDNN_OK && found)
            status = look_at_step(sequence, &best, smallest, arena_bytes);
    }
    if (status == VDNN_OK && !sequence->at.search.found)
        status = take_closest(&best, smallest, arena_bytes);
    vdnn_decisions_fini(&best.decisions);
    return status;
}

/* ---- ways ------------------------------------------------------------------------------------ */

typedef struct finder {
    const vdnn_policy_request *request;
    const vdnn_decisions *start; /* what dyn decided, over the network as the file has it */
    vdnn_opt_variant *best;
    vdnn_decisions *smallest;
    size_t *arena_bytes;
} finder;

/* Replaces a variant, which is freed, by the sequence's; the sequence gets a new one. */
static vdnn_status give_variant(vdnn_opt_chain_sequence *own, vdnn_opt_variant *to)
{
    vdnn_opt_variant again;
    VDNN_TRY(vdnn_opt_variant_find(own->request, &own->cut, own->at.search.trials, &again));
    vdnn_opt_variant_replace(to, &own->at);
    own->at = again;
    own->at.search.request = &own->at.request;
    return VDNN_OK;
}

/* Finds the first chains that fit or, if none do, the first plan that fits on the way down with all
 * chains. Replaces the best plan by a faster one. */
static vdnn_status chain_to_fit(const finder *own, const vdnn_decisions *from)
{
    vdnn_opt_chain_sequence sequence;
    vdnn_opt_search *search = &sequence.at.search, *best = &own->best->search;
    VDNN_TRY(vdnn_opt_chain_sequence_init(own->request, from, best->trials, &sequence));
    vdnn_status status = chain_down(&sequence, own->smallest, own->arena_bytes);
    if (status == VDNN_OK && !search->found)
        status = offer_smallest(search, own->smallest, own->arena_bytes);
    best->trials = search->trials;
    if (status == VDNN_OK && search->found && vdnn_opt_search_is_better(best, &search->time))
        status = give_variant(&sequence, own->best);
    vdnn_opt_chain_sequence_fini(&sequence);
    return status;
}

/* Chains layers from the smallest plan without chains if none fits, and from the first one, too, if
 * a layer does not fit as a whole: each leads to the better plans of some networks. If one of them
 * finds no plan, the other is tried, so that both refuse the same budgets. */
static vdnn_status chain_from_either(const finder *own)
{
    const size_t budget = own->request->planning->budget_bytes[VDNN_TIER_DEVICE];
    const bool may_be_whole =
        vdnn_required_by_whole_layers(own->request->planning->graph) <= budget;
    const bool *found = &own->best->search.found;
    vdnn_status status = *found ? VDNN_OK : chain_to_fit(own, own->smallest);
    return status == VDNN_OK && (!*found || !may_be_whole) ? chain_to_fit(own, own->start) : status;
}

/* Takes the chains of an earlier run, which need not be searched for. */
static vdnn_status chain_as_before(const finder *own)
{
    const vdnn_policy_request *request = own->request;
    const vdnn_graph *graph = request->planning->graph;
    vdnn_opt_cut cut;
    vdnn_opt_variant chained;
    VDNN_TRY(vdnn_opt_cut_init(&cut, graph));
    memcpy(cut.chained, request->planning->source->chained,
           (size_t)graph->layer_count * sizeof *cut.chained);
    vdnn_status status = vdnn_opt_variant_find(request, &cut, own->best->search.trials, &chained);
    vdnn_opt_cut_fini(&cut);
    if (status != VDNN_OK)
        return status;
    vdnn_opt_variant_bring(own->best, &chained, own->smallest);
    status = vdnn_opt_search_pack(&chained.search, own->smallest, own->arena_bytes);
    VDNN_IF_OK(status, offer_small(&chained.search, own->smallest, *own->arena_bytes, own->smallest,
                                   own->arena_bytes));
    if (status == VDNN_OK && !chained.search.found)
        status = offer_smallest(&chained.search, own->smallest, own->arena_bytes);
    vdnn_opt_variant_replace(own->best, &chained);
    return status;
}

static vdnn_status find_chained(const finder *own)
{
    const bool is_resumed = own->request->planning->source->chained != NULL;
    if (!is_resumed)
        return chain_from_either(own);
    return own->best->search.found ? VDNN_OK : chain_as_before(own);
}

vdnn_status vdnn_opt_find_first(const vdnn_policy_request *request, vdnn_opt_variant *best,
                                vdnn_decisions *smallest, size_t *arena_bytes)
{
    vdnn_decisions start;
    VDNN_TRY(vdnn_decisions_copy(&start, smallest));
    const finder own = {request, &start, best, smallest, arena_bytes};
    vdnn_status status = offer_smallest(&best->search, smallest, arena_bytes);
    if (status == VDNN_OK && vdnn_policy_may_cut(request))
        status = find_chained(&own);
    vdnn_decisions_fini(&start);
    return status;
}
