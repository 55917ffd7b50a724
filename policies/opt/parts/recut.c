#include "policies/opt/parts/recut.h"

#include "policies/opt/parts/attempt.h"

#include <math.h>
#include <stdlib.h>

/* Chains are made around so many layers; all trials of a round, those of a cut times so many. */
enum { SLOW_LAYERS = 3, CUTS = 6 };

/* Of the chains around a layer so many are tried, at most. */
enum { TRIED = 6 };

typedef struct recutter {
    const vdnn_policy_request *request;
    vdnn_opt_stage *best;
    vdnn_opt_cut cut; /* scratch */
    int64_t trials;   /* of each cut */
    int64_t until;    /* no cut begins after so many */
    bool better;
} recutter;

static bool lasts(const recutter *own)
{
    return own->best->search.trials < own->until && vdnn_opt_search_lasts(&own->best->search);
}

/* ---- one cut --------------------------------------------------------------------------------- */

static bool is_cut_so(const vdnn_opt_stage *stage, const vdnn_opt_chain *of)
{
    for (int32_t l = of->first; l <= of->last; l++)
        if ((int32_t)stage->request.graph->layers[l].parts != of->parts ||
            (stage->search.chained[l] != 0) != (l > of->first))
            return false;
    return of->last + 1 == stage->request.graph->layer_count ||
           !stage->search.chained[of->last + 1];
}

static bool may_be(const recutter *own, const vdnn_opt_chain *of)
{
    return !is_cut_so(own->best, of) && vdnn_opt_chains_may_be(own->request, of);
}

static vdnn_status try_cut(recutter *own, vdnn_opt_chain of)
{
    vdnn_opt_attempt next;
    vdnn_opt_stage *best = own->best;
    if (!may_be(own, &of) || !lasts(own))
        return VDNN_OK;
    vdnn_opt_chains_link(best, &of, &own->cut);
    vdnn_status status =
        vdnn_opt_attempt_init(own->request, &own->cut, best, &best->search.best, &of, &next);
    if (status != VDNN_OK)
        return status;
    status = vdnn_opt_attempt_climb(&next, best, VDNN_OPT_MOST_FIRST, own->trials);
    own->better = vdnn_opt_attempt_take_better(best, &next) || own->better;
    return status;
}

static vdnn_status try_counts(recutter *own, int32_t first, int32_t last)
{
    vdnn_status status = VDNN_OK;
    for (int i = 0; i < VDNN_OPT_COUNTS && status == VDNN_OK; i++)
        status = try_cut(own, (vdnn_opt_chain){first, last, vdnn_opt_counts[i]});
    return status;
}

/* ---- in which order -------------------------------------------------------------------------- */

/* What its algorithms lose to the fastest ones of the layer as the file has it. */
static double lost_seconds(const recutter *own, int32_t layer)
{
    const vdnn_opt_stage *best = own->best;
    double seconds = 0;
    for (int p = 0; p < VDNN_PASS_COUNT; p++) {
        const vdnn_choice *chosen =
            vdnn_decisions_choice(&best->search.best, best->request.profile, layer, (vdnn_pass)p);
        if (chosen == NULL)
            continue;
        const int32_t fastest = vdnn_profile_fastest(own->request->profile, layer, (vdnn_pass)p);
        seconds +=
            chosen->seconds - own->request->profile->layers[layer].choices[p][fastest].seconds;
    }
    return seconds;
}

static double largest_workspace(const recutter *own, int32_t layer)
{
    const vdnn_opt_stage *best = own->best;
    size_t largest = 0;
    for (int p = 0; p < VDNN_PASS_COUNT; p++) {
        const vdnn_choice *chosen =
            vdnn_decisions_choice(&best->search.best, best->request.profile, layer, (vdnn_pass)p);
        if (chosen != NULL && chosen->workspace_bytes > largest)
            largest = chosen->workspace_bytes;
    }
    return (double)largest;
}

/* Of layers by what they have of something, the most first. */
typedef struct order {
    double (*of)(const recutter *own, int32_t layer);
    double last; /* what the layer before had */
    int32_t layer;
} order;

static const order slowest_first = {lost_seconds, HUGE_VAL, -1},
                   widest_first = {largest_workspace, HUGE_VAL, -1};

/* The next one; false: no other has any. */
static bool next(const recutter *own, order *at)
{
    int32_t found = -1;
    double most = 0;
    for (int32_t l = 0; l < own->request->graph->layer_count; l++) {
        const double of_layer = at->of(own, l);
        if (of_layer <= most || of_layer > at->last || (of_layer >= at->last && l <= at->layer))
            continue;
        most = of_layer;
        found = l;
    }
    at->last = most;
    at->layer = found;
    return found >= 0;
}

/* ---- chains around slow layers --------------------------------------------------------------- */

typedef struct candidate {
    vdnn_opt_chain of;
    double worth; /* seconds that it may save, by a bound, for each byte that then has to go; 0: it
                     saves none */
} candidate;

static vdnn_status weigh(recutter *own, candidate *at)
{
    vdnn_opt_attempt next;
    vdnn_opt_stage *best = own->best;
    if (!may_be(own, &at->of) || !lasts(own))
        return VDNN_OK;
    vdnn_opt_chains_link(best, &at->of, &own->cut);
    vdnn_status status =
        vdnn_opt_attempt_init(own->request, &own->cut, best, &best->search.best, &at->of, &next);
    if (status != VDNN_OK)
        return status;
    at->worth =
        (best->search.time.step_seconds - next.bound.step_seconds) / (1 + next.peak.overflow_bytes);
    vdnn_opt_attempt_fini(&next);
    return VDNN_OK;
}

/* What is worth more comes first; of equals shorter chains, then those in fewer parts. */
static int by_worth(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    if (a->worth < b->worth || a->worth > b->worth)
        return a->worth > b->worth ? -1 : 1;
    const int32_t longer = (a->of.last - a->of.first) - (b->of.last - b->of.first);
    return longer != 0 ? longer : a->of.parts - b->of.parts;
}

/* The most worthwhile, until one of them helps. */
static vdnn_status try_best(recutter *own, candidate *list, int count)
{
    const double before = own->best->search.time.step_seconds;
    vdnn_status status = VDNN_OK;
    qsort(list, (size_t)count, sizeof *list, by_worth);
    for (int i = 0; i < count && i < TRIED && list[i].worth > 0 && status == VDNN_OK &&
                    own->best->search.time.step_seconds >= before;
         i++)
        status = try_cut(own, list[i].of);
    return status;
}

static vdnn_status chain_around(recutter *own, int32_t layer)
{
    vdnn_opt_chain chains[VDNN_OPT_CHAINS_MOST];
    candidate list[VDNN_OPT_CHAINS_MOST] = {{.worth = 0}};
    vdnn_opt_attempts all = {.request = own->request,
                             .from = own->best,
                             .decisions = &own->best->search.best,
                             .list = chains,
                             .is_anew = true,
                             .cut = &own->cut};
    vdnn_status status = vdnn_opt_chains_around(own->request, layer, &own->cut, chains, &all.count);
    for (int i = 0; i < all.count && status == VDNN_OK; i++) {
        list[i].of = chains[i];
        status = vdnn_opt_attempts_reach(&all, i);
        if (status == VDNN_OK)
            status = weigh(own, &list[i]);
    }
    return status == VDNN_OK ? try_best(own, list, all.count) : status;
}

static vdnn_status chain_slow_layers(recutter *own)
{
    vdnn_status status = VDNN_OK;
    order at = slowest_first;
    for (int i = 0; i < SLOW_LAYERS && status == VDNN_OK && next(own, &at); i++)
        status = chain_around(own, at.layer);
    return status;
}

/* ---- all chains ------------------------------------------------------------------------------ */

static vdnn_status cut_around(recutter *own, int32_t layer)
{
    const int32_t layers = own->request->graph->layer_count, *chained = own->best->search.chained;
    int32_t first = layer, last = layer;
    while (chained[first])
        first--;
    while (last + 1 < layers && chained[last + 1])
        last++;
    return try_counts(own, first, last);
}

/* The largest workspaces first: those that parts make smaller. */
static vdnn_status cut_chains(recutter *own)
{
    vdnn_status status = VDNN_OK;
    order at = widest_first;
    while (status == VDNN_OK && next(own, &at))
        status = cut_around(own, at.layer);
    return status;
}

static vdnn_status recut(recutter *own)
{
    vdnn_status status = VDNN_OK;
    own->better = true;
    while (status == VDNN_OK && own->better && lasts(own)) {
        own->better = false;
        status = chain_slow_layers(own);
        if (status == VDNN_OK)
            status = cut_chains(own);
    }
    return status;
}

vdnn_status vdnn_opt_recut(const vdnn_policy_request *request, int64_t trials, vdnn_opt_stage *best)
{
    recutter own = {.request = request,
                    .best = best,
                    .trials = trials,
                    .until = best->search.trials + CUTS * trials};
    vdnn_status status = vdnn_opt_cut_init(&own.cut, request->graph);
    if (status == VDNN_OK)
        status = recut(&own);
    vdnn_opt_cut_fini(&own.cut);
    return status;
}
