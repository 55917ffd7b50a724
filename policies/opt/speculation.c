#include "policies/opt/speculation.h"

#include "policies/opt/chains.h"
#include "runtime/base/heap.h"

#include <math.h>
#include <stdlib.h>

/* Changes that are tried in a round, and rounds of repair for each. As multiples of the trials of
 * one change: those of a repair, those after which no other change is tried, and those after which
 * none is added to the list. */
enum { TRIED = 8, ROUNDS = 24, REPAIR = 2, TURN = 12, LISTED = 4 };

/* Chains are made around this many layers. */
enum { SLOW_LAYERS = 3 };

/* The most changes of a map, and of a chain or a layer in none. */
enum { OF_MAP = 2, OF_CHAIN = VDNN_OPT_COUNTS + 1 };

/* To free workspace, a layer is cut into up to this many times as many parts. */
enum { MOST_MORE = 4 };

/* A change must save at least this share of the step. */
static const double LEAST_GAIN = 1e-3;

/* A repair must free at least this share of the bytes above the budget, or of the budget. */
static const double LEAST_FREED = 0.2, LEAST_OF_BUDGET = 1.0 / 64;

/* A move that costs at most this share of the step is made without trying chains. */
static const double FREE_SHARE = 1e-5;

static const double FREE = 1e-9; /* seconds of what costs none */

/* Either a map that is kept or offloaded, or layers in this many parts. */
typedef struct change {
    int32_t map; /* -1: none */
    vdnn_action action;
    vdnn_opt_chain of;
    int32_t whole; /* the layers right before these, which then run as a whole */
    double worth;  /* seconds saved for each byte that then has to be freed; below 0: none, but it
                      may free memory, the one nearest to 0 the most */
} change;

typedef struct speculation {
    const vdnn_policy_request *request; /* borrowed */
    vdnn_opt_variant *best;             /* borrowed */
    vdnn_opt_cut cut;                   /* owned; scratch */
    change *list;                       /* owned; what is worth the most comes first */
    int32_t count;
    int64_t trials;       /* of each change */
    int64_t until;        /* no change is tried after this many, */
    int64_t listed_until; /* and none is weighed after this many */
    double seconds;       /* of the best, by a bound */
} speculation;

static bool may_continue(const speculation *own)
{
    return own->best->search.trials < own->until && vdnn_opt_search_lasts(&own->best->search);
}

/* ---- one change ------------------------------------------------------------------------------ */

/* Keeps parameters, so that their copies do not come between those of maps, and queues the copies.
 */
static void queue_copies(vdnn_opt_search *search, vdnn_decisions *made)
{
    const vdnn_graph *graph = search->graph;
    for (int32_t l = 0; l < graph->layer_count; l++)
        made->params[l] = (vdnn_params_decision){.action = VDNN_KEEP};
    vdnn_opt_copies_queue(search, made);
}

/* Ends the chain of `layer` before it. What is left behind begins there, and again where that
 * beginning leaves no room for a gradient. */
static void end_chain(const vdnn_graph *graph, int32_t layer, int32_t *chained)
{
    int32_t begin = layer;
    chained[layer] = 0;
    for (int32_t l = layer + 1; l < graph->layer_count && chained[l]; l++)
        if (!vdnn_decisions_chain_has_room(graph, begin, l)) {
            chained[l] = 0;
            begin = l;
        }
}

/* Makes the change for a map. A chain that the map is inside of is made to end where the map is
 * written. */
static void decide_map(speculation *own, const change *of, vdnn_decisions *made)
{
    const vdnn_graph *graph = own->best->search.graph;
    vdnn_map_decision *at = &made->maps[of->map];
    if (vdnn_decisions_is_inside(graph, made, of->map))
        end_chain(graph, graph->maps[of->map].last_writer + 1, own->cut.chained);
    *at = (vdnn_map_decision){.action = of->action, .gradient = at->gradient};
    if (of->action == VDNN_OFFLOAD)
        queue_copies(&own->best->search, made);
}

/* Cuts the layers into other parts. In one part they are not chained. */
static void decide_parts(speculation *own, const change *of)
{
    vdnn_opt_chains_link(own->best, &of->of, &own->cut);
    for (int32_t l = of->of.first; l <= of->of.last && of->of.parts == 1; l++)
        own->cut.chained[l] = 0;
    for (int32_t l = of->of.first - of->whole; l < of->of.first; l++) {
        own->cut.parts[l] = (int32_t)own->request->planning->graph->layers[l].parts;
        own->cut.chained[l] = 0;
    }
}

/* The best plan with the change, whatever memory it takes. */
static vdnn_status make(speculation *own, const change *of, vdnn_opt_attempt *to)
{
    vdnn_decisions made;
    vdnn_opt_variant *best = own->best;
    VDNN_TRY(vdnn_decisions_copy(&made, &best->search.best));
    vdnn_opt_cut_take(&own->cut, best);
    if (of->map >= 0)
        decide_map(own, of, &made);
    else
        decide_parts(own, of);
    vdnn_status status = vdnn_opt_attempt_init(own->request, &own->cut, best, &made,
                                               of->map < 0 ? &of->of : NULL, to);
    vdnn_decisions_fini(&made);
    return status;
}

/* ---- the list -------------------------------------------------------------------------------- */

/* Adds a change to the list unless it saves too little; one that frees memory is always added. */
static vdnn_status add(speculation *own, change of)
{
    vdnn_opt_attempt to;
    bool saves = false;
    if (own->best->search.trials < own->listed_until && vdnn_opt_search_lasts(&own->best->search)) {
        VDNN_TRY(make(own, &of, &to));
        const double gain = own->seconds - to.bound.step_seconds;
        saves = gain >= LEAST_GAIN * own->seconds;
        of.worth = saves ? gain / (1 + to.peak.overflow_bytes) : of.worth;
        vdnn_opt_attempt_fini(&to);
    }
    if (saves || of.worth < 0)
        own->list[own->count++] = of;
    return VDNN_OK;
}

static vdnn_status add_map(speculation *own, int32_t map)
{
    const vdnn_action now = own->best->search.best.maps[map].action;
    const bool may_offload = own->request->planning->profile->copy_out_bytes_per_second > 0;
    vdnn_status status = VDNN_OK;
    if (now == VDNN_RECOMPUTE || now == VDNN_OFFLOAD)
        status = add(own, (change){.map = map, .action = VDNN_KEEP});
    if (status == VDNN_OK && now == VDNN_RECOMPUTE && may_offload)
        status = add(own, (change){.map = map, .action = VDNN_OFFLOAD});
    return status;
}

/* Adds changes of the maps that backward needs, or that others are recomputed from. */
static vdnn_status add_maps(speculation *own)
{
    const vdnn_graph *graph = own->best->search.graph;
    vdnn_status status = VDNN_OK;
    for (int32_t m = 0; m < graph->map_count && status == VDNN_OK; m++)
        if (graph->maps[m].needed_count > 0 ||
            vdnn_decisions_is_read_again(graph, &own->best->search.best, m))
            status = add_map(own, m);
    return status;
}

static bool is_cut_so(const vdnn_opt_variant *variant, const vdnn_opt_chain *of)
{
    for (int32_t l = of->first; l <= of->last; l++)
        if ((int32_t)variant->search.graph->layers[l].parts != of->parts ||
            (variant->search.chained[l] != 0) != (l > of->first))
            return false;
    return of->last + 1 == variant->search.graph->layer_count ||
           !variant->search.chained[of->last + 1];
}

static vdnn_status add_parts(speculation *own, change of)
{
    bool may_be = of.of.parts == 1 || vdnn_opt_chains_may_be(own->request, &of.of);
    for (int32_t l = of.of.first; l <= of.of.last && of.of.parts == 1; l++)
        may_be = may_be && own->request->planning->graph->layers[l].parts == 1;
    of.map = -1;
    return may_be && !is_cut_so(own->best, &of.of) ? add(own, of) : VDNN_OK;
}

/* Returns the seconds that the layer's algorithms lose to the fastest ones of the network as its
 * file says. */
static double lost_seconds(const speculation *own, int32_t layer)
{
    const vdnn_profile *profile = own->request->planning->profile;
    const vdnn_opt_variant *best = own->best;
    double seconds = 0;
    for (int p = 0; p < VDNN_PASS_COUNT; p++) {
        const vdnn_choice *chosen =
            vdnn_decisions_choice(&best->search.best, best->search.profile, layer, (vdnn_pass)p);
        if (chosen == NULL)
            continue;
        const int32_t fastest = vdnn_profile_fastest(profile, layer, (vdnn_pass)p);
        seconds += chosen->seconds - profile->layers[layer].choices[p][fastest].seconds;
    }
    return seconds;
}

static size_t largest_workspace(const vdnn_opt_variant *best, int32_t first, int32_t last)
{
    size_t largest = 0;
    for (int32_t l = first; l <= last; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            const vdnn_choice *chosen =
                vdnn_decisions_choice(&best->search.best, best->search.profile, l, (vdnn_pass)p);
            if (chosen != NULL && chosen->workspace_bytes > largest)
                largest = chosen->workspace_bytes;
        }
    return largest;
}

/* Adds changes that run a chain, or a layer in none, in other parts. A few more parts free
 * workspace. */
static vdnn_status add_counts(speculation *own, int32_t first, int32_t last)
{
    const int32_t parts = (int32_t)own->best->search.graph->layers[first].parts;
    const double workspace = (double)largest_workspace(own->best, first, last);
    vdnn_status status = VDNN_OK;
    for (int i = 0; i < VDNN_OPT_COUNTS && status == VDNN_OK; i++) {
        const int32_t other = vdnn_opt_counts[i];
        const bool frees = workspace > 0 && other > parts && other <= MOST_MORE * parts;
        status = add_parts(
            own, (change){.of = {first, last, other}, .worth = frees ? -1 / workspace : 0});
    }
    return status == VDNN_OK && parts > 2
               ? add_parts(own, (change){.of = {first, last, parts - parts / 4}})
               : status;
}

static vdnn_status add_all_counts(speculation *own)
{
    const int32_t layers = own->best->search.graph->layer_count,
                  *chained = own->best->search.chained;
    vdnn_status status = VDNN_OK;
    for (int32_t first = 0, last; first < layers && status == VDNN_OK; first = last + 1) {
        for (last = first; last + 1 < layers && chained[last + 1];)
            last++;
        status = add_counts(own, first, last);
    }
    return status;
}

/* Returns the layer that loses the most among those that lose less than `less`; -1: none. */
static int32_t next_slowest(const speculation *own, double less)
{
    int32_t found = -1;
    double most = 0;
    for (int32_t l = 0; l < own->request->planning->graph->layer_count; l++) {
        const double seconds = lost_seconds(own, l);
        if (seconds <= most || seconds >= less)
            continue;
        most = seconds;
        found = l;
    }
    return found;
}

/* Adds chains around the slowest layers. A layer alone is in the list already. */
static vdnn_status add_chains(speculation *own)
{
    vdnn_opt_chain list[VDNN_OPT_CHAINS_MOST];
    vdnn_status status = VDNN_OK;
    int32_t layer = next_slowest(own, HUGE_VAL);
    for (int i = 0; i < SLOW_LAYERS && layer >= 0 && status == VDNN_OK; i++) {
        int count;
        status = vdnn_opt_chains_around(own->request, layer, &own->cut, list, &count);
        for (int k = 0; k < count && status == VDNN_OK; k++)
            if (list[k].parts > 1)
                status = add_parts(own, (change){.of = list[k]});
        layer = next_slowest(own, lost_seconds(own, layer));
    }
    return status;
}

/* Adds chains up to the loss. Layers of a longer chain before it then run as a whole. */
static vdnn_status add_tails(speculation *own)
{
    vdnn_opt_chain list[VDNN_OPT_TAILS_MOST];
    const int32_t begin = vdnn_decisions_tail_begin(&own->best->search.best);
    int count;
    vdnn_status status = vdnn_opt_chains_to_loss(own->request, &own->cut, list, &count);
    for (int i = 0; i < count * VDNN_OPT_COUNTS && status == VDNN_OK; i++) {
        change of = {.of = list[i / VDNN_OPT_COUNTS]};
        of.of.parts = vdnn_opt_counts[i % VDNN_OPT_COUNTS];
        of.whole = of.of.first > begin ? of.of.first - begin : 0;
        if (of.of.parts > 1)
            status = add_parts(own, of);
    }
    return status;
}

static int by_worth(const void *left, const void *right)
{
    const change *a = left, *b = right;
    if (a->worth < b->worth || a->worth > b->worth)
        return a->worth > b->worth ? -1 : 1;
    if (a->map != b->map || a->of.first != b->of.first)
        return a->map != b->map ? a->map - b->map : a->of.first - b->of.first;
    return a->of.last != b->of.last ? a->of.last - b->of.last : a->of.parts - b->of.parts;
}

static vdnn_status find(speculation *own)
{
    vdnn_device_peak peak;
    vdnn_outcome bound;
    vdnn_opt_search *best = &own->best->search;
    own->count = 0;
    own->listed_until = best->trials + LISTED * own->trials;
    VDNN_TRY(vdnn_opt_search_peak(best, &best->best,
                                  own->best->search.budget_bytes[VDNN_TIER_DEVICE], &peak, &bound));
    own->seconds = bound.step_seconds;
    VDNN_TRY(add_maps(own));
    VDNN_TRY(add_chains(own));
    VDNN_TRY(add_tails(own));
    VDNN_TRY(add_all_counts(own));
    qsort(own->list, (size_t)own->count, sizeof *own->list, by_worth);
    return VDNN_OK;
}

/* ---- repair ---------------------------------------------------------------------------------- */

/* Returns the seconds for each byte that a repair frees of those above the budget; HUGE_VAL: it
 * frees too few, or costs all that the change saves, for example because it undoes the change. */
static double price(const speculation *own, const vdnn_opt_attempt *from,
                    const vdnn_opt_attempt *to)
{
    const double freed = from->peak.overflow_bytes - to->peak.overflow_bytes,
                 seconds = to->bound.step_seconds - from->bound.step_seconds,
                 budget = (double)own->best->search.budget_bytes[VDNN_TIER_DEVICE];
    if (freed <= 0 || to->bound.step_seconds >= own->best->search.time.step_seconds)
        return HUGE_VAL;
    if (freed < LEAST_FREED * from->peak.overflow_bytes && freed < LEAST_OF_BUDGET * budget)
        return HUGE_VAL;
    return (fmax(seconds, 0) + FREE) / freed;
}

static vdnn_status copy(speculation *own, vdnn_opt_attempt *from, vdnn_opt_attempt *to)
{
    vdnn_opt_cut_take(&own->cut, &from->variant);
    return vdnn_opt_attempt_init(own->request, &own->cut, &from->variant, &from->made, NULL, to);
}

/* Makes one move, or several that cost about as little, except for those that would undo the
 * change. */
static vdnn_status move(const speculation *own, int32_t map, vdnn_opt_attempt *at)
{
    const vdnn_opt_move kept = {.subject = VDNN_OPT_MAP, .index = map};
    const vdnn_opt_limits limits = {.device_bytes =
                                        own->best->search.budget_bytes[VDNN_TIER_DEVICE],
                                    .kept = &kept,
                                    .most_moves = 1,
                                    .most_helped = 6,
                                    .most_seconds = HUGE_VAL,
                                    .useless_seconds = own->best->search.time.step_seconds};
    bool fits;
    vdnn_status status = vdnn_opt_descend(&at->variant.search, &at->made, &limits, &fits);
    return status == VDNN_OK ? vdnn_opt_attempt_bound(at) : status;
}

/* Tries one chain more, and replaces *cheapest by it if it costs less than *least. */
static vdnn_status try_chain(speculation *own, vdnn_opt_attempt *at, const vdnn_opt_chain *of,
                             double *least, vdnn_opt_attempt *cheapest)
{
    vdnn_opt_attempt next;
    if (!vdnn_opt_chains_may_be(own->request, of) || !vdnn_opt_search_lasts(&at->variant.search))
        return VDNN_OK;
    vdnn_opt_chains_link(&at->variant, of, &own->cut);
    if (vdnn_opt_cut_is(&own->cut, &at->variant))
        return VDNN_OK;
    VDNN_TRY(vdnn_opt_attempt_init(own->request, &own->cut, &at->variant, &at->made, NULL, &next));
    const double cost = price(own, at, &next);
    if (cost < *least) {
        *least = cost;
        vdnn_opt_attempt_replace(cheapest, &next);
    } else
        vdnn_opt_attempt_fini(&next);
    return VDNN_OK;
}

/* Tries chains around the live peak, where the most has to be freed. */
static vdnn_status try_chains(speculation *own, vdnn_opt_attempt *at, double *least,
                              vdnn_opt_attempt *cheapest)
{
    vdnn_opt_chain list[VDNN_OPT_CHAINS_MOST];
    int count = 0;
    if (at->peak.layer < 0)
        return VDNN_OK;
    vdnn_status status =
        vdnn_opt_chains_around(own->request, at->peak.layer, &own->cut, list, &count);
    for (int i = 0; i < count && status == VDNN_OK; i++)
        status = try_chain(own, at, &list[i], least, cheapest);
    return status;
}

/* Repairs by moves or by one chain more, whichever costs the least. Sets *found to whether the plan
 * then takes less memory. */
static vdnn_status repair_once(speculation *own, int32_t map, vdnn_opt_attempt *at, bool *found)
{
    vdnn_opt_attempt cheapest;
    VDNN_TRY(copy(own, at, &cheapest));
    vdnn_status status = move(own, map, &cheapest);
    at->variant.search.trials = cheapest.variant.search.trials;
    double least = status == VDNN_OK ? price(own, at, &cheapest) : HUGE_VAL;
    const double seconds = cheapest.bound.step_seconds - at->bound.step_seconds;
    if (status == VDNN_OK && !(least < HUGE_VAL && seconds <= FREE_SHARE * at->bound.step_seconds))
        status = try_chains(own, at, &least, &cheapest);
    *found = status == VDNN_OK && least < HUGE_VAL;
    if (*found)
        vdnn_opt_attempt_replace(at, &cheapest);
    else
        vdnn_opt_attempt_fini(&cheapest);
    return status;
}

static bool may_be_better(const speculation *own, const vdnn_opt_attempt *at)
{
    return at->bound.step_seconds < own->best->search.time.step_seconds &&
           vdnn_opt_search_lasts(&at->variant.search);
}

static vdnn_status repair(speculation *own, int32_t map, vdnn_opt_attempt *at)
{
    const int64_t until = at->variant.search.trials + REPAIR * own->trials;
    vdnn_status status = VDNN_OK;
    bool found = true;
    for (int i = 0; i < ROUNDS && at->variant.search.trials < until && status == VDNN_OK && found &&
                    at->peak.overflow_bytes > 0 && may_be_better(own, at);
         i++)
        status = repair_once(own, map, at, &found);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Tries a change. Memory that other parts take beyond the budget is freed by moves alone. */
static vdnn_status try_change(speculation *own, const change *of)
{
    vdnn_opt_attempt at;
    VDNN_TRY(make(own, of, &at));
    vdnn_status status = of->map >= 0 ? repair(own, of->map, &at) : VDNN_OK;
    if (status == VDNN_OK && may_be_better(own, &at))
        status = vdnn_opt_attempt_climb(&at, own->best, own->trials);
    vdnn_opt_attempt_take_better(own->best, &at);
    return status;
}

/* Tries changes, beginning with the first one that was not tried for this best plan; after the last
 * one it begins again. */
static vdnn_status try_changes(speculation *own)
{
    const double before = own->best->search.time.step_seconds;
    int32_t next = vdnn_opt_tried_of(&own->best->changes, before);
    const int32_t end = next + TRIED < own->count ? next + TRIED : own->count;
    vdnn_status status = VDNN_OK;
    for (; next < end && status == VDNN_OK && may_continue(own) &&
           own->best->search.time.step_seconds >= before;
         next++)
        status = try_change(own, &own->list[next]);
    own->best->changes = (vdnn_opt_tried){before, next < own->count ? next : 0};
    return status;
}

/* Speculates until none of the changes that are tried helps. */
static vdnn_status speculate(speculation *own)
{
    vdnn_status status = VDNN_OK;
    bool better = true;
    while (status == VDNN_OK && better && may_continue(own)) {
        const double before = own->best->search.time.step_seconds;
        status = find(own);
        VDNN_IF_OK(status, try_changes(own));
        better = own->best->search.time.step_seconds < before;
    }
    return status;
}

vdnn_status vdnn_opt_speculate(const vdnn_policy_request *request, int64_t trials,
                               vdnn_opt_variant *best)
{
    const vdnn_graph *graph = request->planning->graph;
    const size_t most = OF_MAP * (size_t)graph->map_count + OF_CHAIN * (size_t)graph->layer_count +
                        VDNN_OPT_COUNTS * (size_t)VDNN_OPT_TAILS_MOST +
                        SLOW_LAYERS * (size_t)VDNN_OPT_CHAINS_MOST;
    speculation own = {.request = request,
                       .best = best,
                       .trials = trials,
                       .until = best->search.trials + TURN * trials};
    VDNN_TRY(vdnn_opt_cut_init(&own.cut, graph));
    own.list = vdnn_heap_calloc(most, sizeof *own.list);
    vdnn_status status = VDNN_OK;
    if (own.list == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory to choose among %d maps",
                                  (int)graph->map_count);
    VDNN_IF_OK(status, speculate(&own));
    vdnn_heap_free(own.list);
    vdnn_opt_cut_fini(&own.cut);
    return status;
}
