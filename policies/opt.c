/* The policy that searches: for each value keep, offload or recompute, for each pass an algorithm,
 * chosen together against the plan's time on the clock, under the budgets of all tiers.
 *
 *   1. what base, all, conv and dyn decide, starts by prices (opt/prices.h), a hasty descent from
 *      what takes too much; where dyn finds nothing that fits, before these the way down to the
 *      smallest plan, and chains, until one fits (all in opt/starts.h)
 *   2. where memory slows the best of these, candidates: with layers chained (opt/chains.h),
 *      without, and after descents at several prices of the link
 *   3. a portfolio of these (opt/portfolio.h): what takes memory that is free, speculative changes
 *      (opt/speculation.h); then turns of all that makes a plan better
 *
 * Under the paper's rules it is dyn: the moves are not the paper's.
 */

#include "policies/offload_rule.h"
#include "policies/opt/chains.h"
#include "policies/opt/local_search.h"
#include "policies/opt/portfolio.h"
#include "policies/opt/speculation.h"
#include "policies/opt/starts.h"

/* Trials: of hill climbing in a candidate with chains, or from descents; of the use of free memory
 * before the first speculative changes; and of each of these. */
enum { CANDIDATE_TRIALS = 500, RELAX_TRIALS = 512, EARLY_TRIALS = 64 };

/* ---- candidates ------------------------------------------------------------------------------ */

static vdnn_status speculate_early(const vdnn_policy_request *request, vdnn_opt_variant *best)
{
    return vdnn_policy_may_cut(request) && vdnn_opt_variant_is_slowed(best) &&
                   vdnn_opt_search_lasts(&best->search)
               ? vdnn_opt_speculate(request, EARLY_TRIALS, best)
               : VDNN_OK;
}

/* Uses free memory first, because speculative changes are chosen by what they may still gain. */
static vdnn_status relax_and_speculate(const vdnn_policy_request *request, vdnn_opt_variant *best)
{
    VDNN_TRY(vdnn_opt_search_until(vdnn_opt_relax, RELAX_TRIALS, &best->search));
    return speculate_early(request, best);
}

/* Begins a candidate with descents, which take more trials than what the others begin with. */
static vdnn_status descend_and_speculate(const vdnn_policy_request *request, vdnn_opt_variant *best)
{
    VDNN_TRY(vdnn_opt_descend_at_prices(&best->search));
    VDNN_TRY(vdnn_opt_search_until(vdnn_opt_climb, CANDIDATE_TRIALS, &best->search));
    return speculate_early(request, best);
}

/* Replaces `best` by the best plan of a sequence of chains. */
static vdnn_status probe_chains(const vdnn_policy_request *request, vdnn_opt_variant *best)
{
    vdnn_decisions made;
    vdnn_opt_chain_sequence sequence;
    VDNN_TRY(vdnn_offload_rule_decide(request, &vdnn_offload_all, VDNN_ALGO_M, &made));
    vdnn_status status =
        vdnn_opt_chain_sequence_init(request, &made, best->search.trials, &sequence);
    vdnn_decisions_fini(&made);
    if (status != VDNN_OK)
        return status;
    status = vdnn_opt_probe_chains(&sequence, best);
    best->search.trials = sequence.at.search.trials;
    vdnn_opt_chain_sequence_fini(&sequence);
    return status;
}

/* Adds a candidate with chains. How good chains are shows only after moves from their best plan, so
 * a few of these are made at once. */
static vdnn_status add_chained(vdnn_opt_portfolio *portfolio, const vdnn_opt_variant *start)
{
    vdnn_opt_variant own;
    if (!vdnn_opt_variant_is_slowed(start) || !vdnn_opt_search_lasts(&start->search))
        return VDNN_OK;
    VDNN_TRY(vdnn_opt_variant_copy(start, &own));
    own.search.trials = portfolio->trials;
    vdnn_status status = probe_chains(portfolio->request, &own);
    const bool helped = own.search.time.step_seconds < start->search.time.step_seconds;
    if (status == VDNN_OK && helped)
        status = vdnn_opt_search_until(vdnn_opt_climb, CANDIDATE_TRIALS, &own.search);
    portfolio->trials = own.search.trials;
    if (status == VDNN_OK && helped)
        status = vdnn_opt_portfolio_add(portfolio, &own, relax_and_speculate);
    vdnn_opt_variant_fini(&own);
    return status;
}

/* ---- patience -------------------------------------------------------------------------------- */

/* Trials that a search gets after the first plan that fits, however many that one took: it is a
 * small plan with slow algorithms, and nobody should get it only because finding it took the whole
 * search limit. Networks with many layers get fewer trials, since each takes longer: about a tenth
 * of a second in all. */
enum { LEAST_TRIALS = 1000, LEAST_LAYERS = 100000 };

static int64_t least_trials(const vdnn_graph *graph)
{
    const int64_t trials = LEAST_LAYERS / (graph->layer_count + 1);
    return trials < LEAST_TRIALS ? trials : LEAST_TRIALS;
}

typedef struct least_patience {
    const vdnn_policy_request *request; /* whose patience and stop count */
    int64_t until;                      /* in trials */
} least_patience;

static bool lasts(void *argument, int64_t trials)
{
    const least_patience *own = argument;
    const vdnn_policy_patience *patience = own->request->patience;
    const vdnn_policy_stop *stop = own->request->stop;
    const bool is_stopped = stop != NULL && stop->asked(stop->argument);
    return (trials < own->until && !is_stopped) || patience->lasts(patience->argument, trials);
}

/* ---- the policy ------------------------------------------------------------------------------ */

static bool is_chained(const vdnn_opt_variant *best)
{
    for (int32_t l = 0; l < best->search.graph->layer_count; l++)
        if (best->search.chained[l])
            return true;
    return false;
}

/* Whether the search may cut layers. If other parts are the last resort and a plan fits without
 * them, it may not; nor may it if parts are those of an earlier run. */
static bool may_be_cut(const vdnn_policy_request *request, const vdnn_opt_variant *best)
{
    const vdnn_parts_source *source = request->planning->source;
    return source != NULL && source->chained == NULL &&
           (is_chained(best) || !source->is_last_resort);
}

/* Adds the start with chains, as it is, and after descents, because none of these leads to the best
 * plan of all networks. */
static vdnn_status list_starts(vdnn_opt_portfolio *portfolio, const vdnn_opt_variant *start)
{
    vdnn_status status =
        vdnn_policy_may_cut(portfolio->request) ? add_chained(portfolio, start) : VDNN_OK;
    VDNN_IF_OK(status, vdnn_opt_portfolio_add(portfolio, start, relax_and_speculate));
    return status == VDNN_OK && !is_chained(start)
               ? vdnn_opt_portfolio_add(portfolio, start, descend_and_speculate)
               : status;
}

/* Looks at chains, which takes few trials, before it does more without them. */
static vdnn_status search_candidates(const vdnn_policy_request *request, vdnn_opt_variant *best)
{
    vdnn_status status =
        is_chained(best) ? vdnn_opt_probe(best) : vdnn_opt_offer_starts(&best->search);
    if (status != VDNN_OK || !best->search.found)
        return status;
    vdnn_opt_portfolio portfolio = {.request = request, .trials = best->search.trials};
    status = list_starts(&portfolio, best);
    VDNN_IF_OK(status, vdnn_opt_portfolio_run(&portfolio));
    vdnn_opt_portfolio_end(&portfolio, best);
    return status;
}

static vdnn_status search_with_patience(const vdnn_policy_request *request, vdnn_opt_variant *best)
{
    const int64_t begun = best->search.trials;
    least_patience least = {request,
                            begun > 0 ? begun + least_trials(request->planning->graph) : 0};
    const vdnn_policy_patience patience = {lasts, &least};
    vdnn_policy_request own = *request;
    own.keeps_parts = !may_be_cut(request, best);
    own.patience = best->request.patience = &patience;
    vdnn_status status = search_candidates(&own, best);
    best->request.patience = request->patience;
    return status;
}

/* Finds the oracle of the network as its file says. Any plan of the network gives the same one. */
static vdnn_status find_oracle(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                               vdnn_opt_variant *best)
{
    vdnn_outcome tried;
    vdnn_status status = vdnn_planning_evaluate(request->planning, decisions, VDNN_WHOLE, &tried);
    best->oracle_seconds = status == VDNN_OK ? tried.facts->oracle_step_seconds : 0;
    best->search.least_seconds = best->oracle_seconds;
    return status;
}

/* Takes the best decisions, and makes the planning commit to the plan that was timed for them. */
static vdnn_status take_best(const vdnn_opt_variant *best, vdnn_decisions *decisions)
{
    vdnn_decisions_assign(decisions, &best->search.best);
    return vdnn_planning_settle(best->request.planning, decisions);
}

/* Begins with the last decisions, timed by what is known now. */
static vdnn_status begin_with_last(const vdnn_policy_request *request, vdnn_opt_variant *best)
{
    const vdnn_policy_last *last = request->last;
    vdnn_opt_variant own;
    if (last == NULL || !last->is_known || !vdnn_policy_may_cut(request))
        return VDNN_OK;
    VDNN_TRY(vdnn_opt_variant_as(request, &last->decisions, best->search.trials, &own));
    best->search.trials = own.search.trials;
    (void)vdnn_opt_variant_take_better(best, &own);
    return VDNN_OK;
}

/* Returns the trials to report. If the last decisions are only timed again, these are the trials of
 * the search that found them. */
static int64_t trials_of(const vdnn_policy_request *request, const vdnn_opt_variant *best)
{
    const bool is_last = request->last != NULL && request->last->is_known;
    return is_last && request->patience == NULL && best->search.found ? best->search.best.trials
                                                                      : best->search.trials;
}

static vdnn_status search_all(const vdnn_policy_request *request, vdnn_opt_variant *best,
                              vdnn_decisions *decisions)
{
    extern const vdnn_policy vdnn_policy_dyn;
    size_t arena_bytes = SIZE_MAX;
    vdnn_status status = vdnn_policy_dyn.decide(request, decisions);
    if (status != VDNN_OK && status != VDNN_NO_FIT)
        return status;
    bool fits = status == VDNN_OK;
    status = find_oracle(request, decisions, best);
    VDNN_IF_OK(status, begin_with_last(request, best));
    if (status == VDNN_OK && !fits && !best->search.found)
        status = vdnn_opt_find_first(request, best, decisions, &arena_bytes);
    fits = fits || best->search.found;
    if (status == VDNN_OK && fits && request->patience != NULL)
        status = search_with_patience(request, best);
    if (status == VDNN_OK && best->search.found)
        status = take_best(best, decisions);
    decisions->trials = trials_of(request, best);
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
    vdnn_opt_variant best;
    if (request->planning->graph->rules == VDNN_RULES_PAPER)
        return vdnn_policy_dyn.decide(request, decisions);
    VDNN_TRY(vdnn_opt_variant_init(request, &best));
    vdnn_status status = search_all(request, &best, decisions);
    vdnn_opt_variant_fini(&best);
    return status;
}

const vdnn_policy vdnn_policy_opt = {
    .name = "opt",
    .help = "keep, offload or recompute each map, searched for the fastest plan",
    .is_static = false,
    .decide = decide};
