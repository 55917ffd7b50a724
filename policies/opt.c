/* The policy of our own: for each value keep, offload or recompute, for each pass an algorithm,
 * chosen together against the plan's time on the clock, under the budgets of all tiers.
 *
 *   1. what base, all, conv and dyn decide, starts by prices (opt/relaxed.h), a hasty descent from
 *      what takes too much (opt/starts.h); where dyn finds nothing that fits, before these the way
 *      down to the smallest plan, and chains, until one fits (opt/parts/first.h)
 *   2. where memory slows the best of these: layers chained (opt/parts/look.h); then what takes
 *      memory that is free (opt/climb.h), slow layers chained and cut in other ways
 *      (opt/parts/recut.h), what would be faster without a limit paid for by moves and cuts
 *      (opt/parts/wish.h), more layers cut (opt/parts/cuts.h)
 *   3. the best, in turns improved by one move after the other (opt/climb.h), first by those that
 *      save the most, by wishes, in other chains, by rebuilding a stretch of layers (opt/ruin.h),
 *      and by drifting away from it over plans that are no slower than some moves ago (opt/drift.h)
 *   4. where none of these helps any more, descents from all starts, and 2 and 3 from there
 *
 * Under the paper's rules it is dyn: the moves are not the paper's.
 */

#include "policies/offload_rule.h"
#include "policies/opt/climb.h"
#include "policies/opt/drift.h"
#include "policies/opt/parts/cuts.h"
#include "policies/opt/parts/first.h"
#include "policies/opt/parts/look.h"
#include "policies/opt/parts/recut.h"
#include "policies/opt/parts/wish.h"
#include "policies/opt/ruin.h"
#include "policies/opt/starts.h"

/* How many trials the moves from one start may take before layers are cut; how often they are. */
enum {
    CLIMB_TRIALS = 1500,
    CONTEND_TRIALS = 500,
    RELAX_TRIALS = 512,
    EARLY_TRIALS = 256,
    CUT_ROUNDS = 3
};

/* Of sums of times. */
static const double ROUNDING = 1e-6;

/* ---- one network ----------------------------------------------------------------------------- */

/* By so many trials at most. */
static vdnn_status search_until(vdnn_status (*search)(vdnn_opt_search *own), int64_t trials,
                                vdnn_opt_search *own)
{
    own->until = own->trials + trials;
    vdnn_status status = search(own);
    own->until = 0;
    return status;
}

static vdnn_status climb_most_first(vdnn_opt_search *own)
{
    return vdnn_opt_climb(own, VDNN_OPT_MOST_FIRST);
}

/* What a few moves reach from the best. */
static vdnn_status climb(vdnn_opt_search *own, int64_t trials)
{
    return own->found ? search_until(climb_most_first, trials, own) : VDNN_OK;
}

/* What moves reach that take no others to fit. */
static vdnn_status relax(vdnn_opt_search *own)
{
    return vdnn_opt_relax(own, VDNN_OPT_MOST_FIRST);
}

/* From all starts, then from the best of them. */
static vdnn_status descend(vdnn_opt_search *own)
{
    vdnn_status status = vdnn_opt_descend_starts(own);
    return status == VDNN_OK ? climb(own, CLIMB_TRIALS) : status;
}

static vdnn_status search(vdnn_opt_search *own)
{
    vdnn_status status = vdnn_opt_offer_starts(own);
    return status == VDNN_OK ? descend(own) : status;
}

/* ---- cuts ------------------------------------------------------------------------------------ */

/* From the best of the earlier stage: as it is, and descending with the fastest algorithms; from
 * all starts where neither fits. */
static vdnn_status search_from(const vdnn_opt_stage *earlier, vdnn_opt_stage *own)
{
    vdnn_decisions made;
    vdnn_status status = vdnn_decisions_copy(&made, &earlier->search.best);
    if (status != VDNN_OK)
        return status;
    vdnn_opt_stage_bring(earlier, own, &made);
    own->search.price_of_best = earlier->search.price_of_best;
    status = vdnn_opt_climb_from(&own->search, &made);
    vdnn_opt_choose_fastest(&own->request, &made);
    if (status == VDNN_OK)
        status = vdnn_opt_climb_from(&own->search, &made);
    vdnn_decisions_fini(&made);
    return status == VDNN_OK && !own->search.found ? search(&own->search) : status;
}

/* Whether the best takes longer than with unlimited memory: else no cut makes it better. */
static bool is_slowed(const vdnn_opt_stage *best)
{
    return best->search.time.step_seconds > best->oracle_seconds * (1 + ROUNDING);
}

/* A search in other parts; its best is the best if it is better: *better. */
static vdnn_status search_cut(const vdnn_policy_request *request, const vdnn_opt_cut *cut,
                              vdnn_opt_stage *best, bool *better)
{
    vdnn_opt_stage next;
    vdnn_status status = vdnn_opt_stage_find(request, cut, best->search.trials, &next);
    if (status != VDNN_OK)
        return status;
    status = search_from(best, &next);
    best->search.trials = next.search.trials;
    *better = vdnn_opt_stage_take_better(best, &next);
    return status;
}

/* Cuts the layers that gain by it, as long as the plan gets better. */
static vdnn_status cut_layers(const vdnn_policy_request *request, vdnn_opt_stage *best)
{
    vdnn_opt_cut cut;
    vdnn_status status = vdnn_opt_cut_init(&cut, request->graph);
    bool better = true;
    for (int round = 0; round < CUT_ROUNDS && better && status == VDNN_OK; round++) {
        if (!is_slowed(best) || !vdnn_opt_search_lasts(&best->search))
            break;
        status = vdnn_opt_cuts_choose(request, best, 1, &cut);
        better = !vdnn_opt_cut_is(&cut, best);
        if (status == VDNN_OK && better)
            status = search_cut(request, &cut, best, &better);
    }
    vdnn_opt_cut_fini(&cut);
    return status;
}

/* ---- chains ---------------------------------------------------------------------------------- */

/* One rule's best. */
static vdnn_status look_by(const vdnn_policy_request *request, const vdnn_decisions *from,
                           vdnn_opt_thrift thrift, vdnn_opt_stage *best)
{
    vdnn_opt_ladder ladder;
    vdnn_status status = vdnn_opt_ladder_init(request, from, thrift, best->search.trials, &ladder);
    if (status != VDNN_OK)
        return status;
    status = vdnn_opt_look_down(&ladder, best);
    best->search.trials = ladder.at.search.trials;
    vdnn_opt_ladder_fini(&ladder);
    return status;
}

/* One rule's best against that of others: how good it is shows only when the moves from there are
 * made. *helped: it is better than the start. */
static vdnn_status contend(const vdnn_policy_request *request, const vdnn_decisions *from,
                           vdnn_opt_thrift thrift, const vdnn_opt_stage *start,
                           vdnn_opt_stage *best, bool *helped)
{
    vdnn_opt_stage own;
    vdnn_status status = vdnn_opt_stage_copy(start, &own);
    if (status != VDNN_OK)
        return status;
    own.search.trials = best->search.trials;
    status = look_by(request, from, thrift, &own);
    *helped = own.search.time.step_seconds < start->search.time.step_seconds;
    if (status == VDNN_OK && *helped)
        status = climb(&own.search, CONTEND_TRIALS);
    best->search.trials = own.search.trials;
    if (*helped)
        vdnn_opt_stage_take_better(best, &own);
    else
        vdnn_opt_stage_fini(&own);
    return status;
}

/* Chains layers, if that makes the plan better; where it does not by one rule, others are not
 * tried. */
static vdnn_status chain_layers(const vdnn_policy_request *request, vdnn_opt_stage *best)
{
    vdnn_decisions made;
    vdnn_opt_stage start;
    bool helped = true;
    if (!is_slowed(best) || !vdnn_opt_search_lasts(&best->search))
        return VDNN_OK;
    vdnn_status status = vdnn_offload_rule_decide(request, &vdnn_offload_all, VDNN_ALGO_M, &made);
    if (status != VDNN_OK)
        return status;
    status = vdnn_opt_stage_copy(best, &start);
    if (status == VDNN_OK) {
        for (int t = 0; t < VDNN_OPT_THRIFTS && helped && status == VDNN_OK; t++)
            status = contend(request, &made, (vdnn_opt_thrift)t, &start, best, &helped);
        vdnn_opt_stage_fini(&start);
    }
    vdnn_decisions_fini(&made);
    return status;
}

/* ---- to the end of patience ------------------------------------------------------------------ */

static vdnn_status climb_in_order(vdnn_opt_search *own)
{
    return vdnn_opt_climb(own, VDNN_OPT_IN_ORDER);
}

/* A way to a better plan. One that found none gets twice the trials, unless it is to be short, and
 * rests for twice as many turns as before, unless it is tireless; one that came to its end waits
 * for another best. */
typedef struct way {
    vdnn_status (*search)(vdnn_opt_search *own); /* NULL: in other parts and chains, by `cut` */
    vdnn_status (*cut)(const vdnn_policy_request *request, int64_t trials, vdnn_opt_stage *best);
    int64_t trials; /* of a turn; of one cut */
    bool is_tireless, is_short;
    int rest, resting;
    double ended_at; /* the seconds of the best; 0: it did not come to its end */
} way;

static vdnn_status search_by(const way *own, const vdnn_policy_request *request,
                             vdnn_opt_stage *best)
{
    if (own->search == NULL)
        return request->variants != NULL ? own->cut(request, own->trials, best) : VDNN_OK;
    return search_until(own->search, own->trials, &best->search);
}

static vdnn_status take_turn(way *own, const vdnn_policy_request *request, vdnn_opt_stage *best)
{
    const double seconds = best->search.time.step_seconds;
    const int64_t begun = best->search.trials;
    if (own->resting > 0) {
        own->resting--;
        return VDNN_OK;
    }
    if (own->ended_at > 0 && seconds >= own->ended_at)
        return VDNN_OK;
    vdnn_status status = search_by(own, request, best);
    const bool helped = best->search.time.step_seconds < seconds,
               has_ended = best->search.trials - begun < own->trials;
    own->ended_at = has_ended ? best->search.time.step_seconds : 0;
    own->trials *= helped || own->is_short ? 1 : 2;
    own->resting = own->rest = helped || own->is_tireless ? 0 : 2 * own->rest + 1;
    return status;
}

/* In turns, where memory slows the best; `ends`: once a turn of each has found none, not only with
 * patience. */
static vdnn_status improve(const vdnn_policy_request *request, bool ends, vdnn_opt_stage *best)
{
    way ways[] = {{.search = climb_most_first, .trials = 512},
                  {.search = climb_in_order, .trials = 512},
                  {.cut = vdnn_opt_wish, .trials = 192},
                  {.cut = vdnn_opt_recut, .trials = 96},
                  {.search = vdnn_opt_ruin, .trials = 512, .is_short = true},
                  {.search = vdnn_opt_drift, .trials = 512, .is_tireless = true}};
    vdnn_status status = VDNN_OK;
    bool helped = true;
    while (status == VDNN_OK && (helped || !ends) && is_slowed(best) &&
           vdnn_opt_search_lasts(&best->search)) {
        const double seconds = best->search.time.step_seconds;
        for (size_t i = 0; i < sizeof ways / sizeof *ways && status == VDNN_OK; i++)
            status = take_turn(&ways[i], request, best);
        helped = best->search.time.step_seconds < seconds;
    }
    return status;
}

/* ---- patience -------------------------------------------------------------------------------- */

/* Trials behind those that find the first plan that fits, however many these were: it is a small
 * plan with slow algorithms, which nobody should have because finding it took all the patience. Of
 * networks with many layers fewer, since each takes longer: some tenth of a second. */
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

static bool is_chained(const vdnn_opt_stage *best)
{
    for (int32_t l = 0; l < best->request.graph->layer_count; l++)
        if (best->search.chained[l])
            return true;
    return false;
}

/* A plan that fits in the parts that layers have is looked for in these alone, if others are the
 * last resort; one in the parts of an earlier run in no others. */
static bool may_be_cut(const vdnn_policy_request *request, const vdnn_opt_stage *best)
{
    const vdnn_variants *variants = request->variants;
    return variants != NULL && variants->chained == NULL &&
           (is_chained(best) || !variants->is_last_resort);
}

/* In other parts and chains: around slow layers, and what those would make possible. */
static vdnn_status recut(const vdnn_policy_request *request, vdnn_opt_stage *best)
{
    const bool may =
        request->variants != NULL && is_slowed(best) && vdnn_opt_search_lasts(&best->search);
    vdnn_status status = may ? vdnn_opt_recut(request, EARLY_TRIALS, best) : VDNN_OK;
    return may && status == VDNN_OK ? vdnn_opt_wish(request, EARLY_TRIALS, best) : status;
}

/* What is free is taken first: cuts are weighed by what is left to gain. */
static vdnn_status relax_and_cut(const vdnn_policy_request *request, vdnn_opt_stage *best)
{
    vdnn_status status = search_until(relax, RELAX_TRIALS, &best->search);
    if (status == VDNN_OK)
        status = recut(request, best);
    return status == VDNN_OK && request->variants != NULL ? cut_layers(request, best) : status;
}

/* Cut and improved at once; where nothing helps any more, behind more descents: neither leads to
 * the best plan of all networks, and the first takes fewer trials. */
static vdnn_status search_both(const vdnn_policy_request *request, vdnn_opt_stage *best)
{
    vdnn_opt_stage late;
    vdnn_status status = vdnn_opt_stage_copy(best, &late);
    if (status != VDNN_OK)
        return status;
    status = relax_and_cut(request, best);
    if (status == VDNN_OK)
        status = improve(request, true, best);
    late.search.trials = best->search.trials;
    if (status == VDNN_OK && is_slowed(best))
        status = descend(&late.search);
    if (status == VDNN_OK)
        status = recut(request, &late);
    best->search.trials = late.search.trials;
    vdnn_opt_stage_take_better(best, &late);
    return status;
}

/* What costs few trials comes first: chains are looked at before more is done without them. */
static vdnn_status search_stages(const vdnn_policy_request *request, vdnn_opt_stage *best)
{
    vdnn_status status =
        is_chained(best) ? vdnn_opt_look_at(best) : vdnn_opt_offer_starts(&best->search);
    if (status == VDNN_OK && request->variants != NULL)
        status = chain_layers(request, best);
    if (status == VDNN_OK)
        status = is_chained(best) ? relax_and_cut(request, best) : search_both(request, best);
    return status == VDNN_OK ? improve(request, false, best) : status;
}

static vdnn_status search_with_patience(const vdnn_policy_request *request, vdnn_opt_stage *best)
{
    const int64_t begun = best->search.trials;
    least_patience least = {request, begun > 0 ? begun + least_trials(request->graph) : 0};
    const vdnn_policy_patience patience = {lasts, &least};
    vdnn_policy_request own = *request;
    if (!may_be_cut(request, best))
        own.variants = NULL;
    own.patience = best->request.patience = &patience;
    vdnn_status status = search_stages(&own, best);
    best->request.patience = request->patience;
    return status;
}

/* Of any plan of the network as the file has it. */
static vdnn_status find_oracle(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                               vdnn_opt_stage *best)
{
    vdnn_trial_result tried;
    vdnn_status status = vdnn_policy_try(request, decisions, &tried);
    best->oracle_seconds = status == VDNN_OK ? tried.facts.oracle_step_seconds : 0;
    best->search.least_seconds = best->oracle_seconds;
    return status;
}

/* Its plan will be the one that was timed. */
static vdnn_status take_best(const vdnn_opt_stage *best, vdnn_decisions *decisions)
{
    const vdnn_trial *trial = best->request.trial;
    vdnn_decisions_assign(decisions, &best->search.best);
    return trial->settle(trial, decisions);
}

static vdnn_status search_all(const vdnn_policy_request *request, vdnn_opt_stage *best,
                              vdnn_decisions *decisions)
{
    extern const vdnn_policy vdnn_policy_dyn;
    size_t arena_bytes = SIZE_MAX;
    vdnn_status status = vdnn_policy_dyn.decide(request, decisions);
    if (status != VDNN_OK && status != VDNN_NO_FIT)
        return status;
    bool fits = status == VDNN_OK;
    status = find_oracle(request, decisions, best);
    if (status == VDNN_OK && !fits) {
        status = vdnn_opt_find_first(request, best, decisions, &arena_bytes);
        fits = best->search.found;
    }
    if (status == VDNN_OK && fits && request->patience != NULL)
        status = search_with_patience(request, best);
    if (status == VDNN_OK && best->search.found)
        status = take_best(best, decisions);
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
    vdnn_policy_findings findings = {0};
    vdnn_policy_request own = *request;
    vdnn_opt_stage best;
    if (request->graph->rules == VDNN_RULES_PAPER)
        return vdnn_policy_dyn.decide(request, decisions);
    if (own.findings == NULL)
        own.findings = &findings;
    vdnn_status status = vdnn_opt_stage_init(&own, &best);
    if (status == VDNN_OK) {
        status = search_all(&own, &best, decisions);
        vdnn_opt_stage_fini(&best);
    }
    vdnn_policy_forget(&findings);
    return status;
}

const vdnn_policy vdnn_policy_opt = {
    .name = "opt",
    .help = "keep, offload or recompute each map, searched for the fastest plan",
    .is_static = false,
    .decide = decide};
