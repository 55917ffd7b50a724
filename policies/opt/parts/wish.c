#include "policies/opt/parts/wish.h"

#include "policies/opt/copies.h"
#include "policies/opt/descend.h"
#include "policies/opt/parts/attempt.h"
#include "runtime/base/heap.h"

#include <math.h>
#include <stdlib.h>

/* Wishes that are tried; what is done for one of them; times the trials of one that fits, those in
 * which it is paid for, and those after which a turn begins with no other. */
enum { TRIED = 8, ROUNDS = 24, PAID = 2, TURN = 12 };

/* A wish saves at least such a part of the step. */
static const double LEAST_GAIN = 1e-3;

/* What is done takes such a part of the bytes that are too many, or of the budget. */
static const double LEAST_TAKEN = 0.2, LEAST_OF_BUDGET = 1.0 / 64;

/* A move that costs no more of the step is made without looking at chains. */
static const double FREE_SHARE = 1e-5;

static const double FREE = 1e-9; /* seconds of what costs none */

/* Either a map, kept, or offloaded, whole or in part; or layers in so many parts, behind some that
 * then run as a whole. */
typedef struct wish {
    int32_t map; /* -1: none */
    vdnn_action action;
    int32_t recomputed; /* of its pieces, within its chain */
    vdnn_opt_chain of;
    int32_t whole; /* the layers right before it */
    double worth;  /* seconds that it may save, for each byte that then has to go */
} wish;

typedef struct wisher {
    const vdnn_policy_request *request;
    vdnn_opt_stage *best;
    vdnn_opt_cut cut; /* scratch */
    int64_t trials;   /* of each */
    wish *list;       /* owned */
    int32_t count;
} wisher;

static bool lasts(const wisher *own)
{
    return vdnn_opt_search_lasts(&own->best->search);
}

/* ---- what is wished for ---------------------------------------------------------------------- */

static void unchain(int32_t first, int32_t last, vdnn_opt_cut *cut)
{
    for (int32_t l = first; l <= last; l++)
        cut->chained[l] = 0;
}

/* Parameters do not come between them. */
static void queue_copies(vdnn_opt_search *own, vdnn_decisions *made)
{
    const vdnn_graph *graph = own->request->graph;
    for (int32_t l = 0; l < graph->layer_count; l++)
        made->params[l] = (vdnn_params_decision){.action = VDNN_KEEP};
    vdnn_opt_copies_queue(own, made);
}

/* Between chains: one that it was inside of ends where it is made. */
static void decide_map(wisher *own, const wish *of, vdnn_decisions *made)
{
    const vdnn_graph *graph = own->best->request.graph;
    vdnn_map_decision *at = &made->maps[of->map];
    const vdnn_map_decision before = *at;
    const bool is_whole = of->recomputed == 0;
    if (is_whole && vdnn_decisions_is_inside(graph, made, of->map))
        own->cut.chained[graph->maps[of->map].last_writer + 1] = 0;
    *at = of->action == VDNN_OFFLOAD && !is_whole
              ? vdnn_opt_copies_beside_parts(&own->best->search, made, of->map)
              : (vdnn_map_decision){.action = of->action};
    at->recomputed = of->recomputed;
    at->gradient = before.gradient;
    if (of->action == VDNN_OFFLOAD && is_whole)
        queue_copies(&own->best->search, made);
}

/* As the file has them. */
static void make_whole(const wisher *own, const wish *of, vdnn_opt_cut *cut)
{
    for (int32_t l = of->of.first - of->whole; l < of->of.first; l++) {
        cut->parts[l] = (int32_t)own->request->graph->layers[l].parts;
        cut->chained[l] = 0;
    }
}

static vdnn_status grant(wisher *own, const wish *of, vdnn_opt_attempt *to)
{
    vdnn_decisions made;
    vdnn_opt_stage *best = own->best;
    vdnn_status status = vdnn_decisions_copy(&made, &best->search.best);
    if (status != VDNN_OK)
        return status;
    vdnn_opt_cut_take(&own->cut, best);
    if (of->map >= 0)
        decide_map(own, of, &made);
    else
        vdnn_opt_chains_link(best, &of->of, &own->cut);
    if (of->map < 0 && of->of.parts == 1)
        unchain(of->of.first, of->of.last, &own->cut);
    make_whole(own, of, &own->cut);
    status = vdnn_opt_attempt_init(own->request, &own->cut, best, &made,
                                   of->map < 0 ? &of->of : NULL, to);
    vdnn_decisions_fini(&made);
    return status;
}

static vdnn_status add(wisher *own, wish of)
{
    vdnn_opt_attempt to;
    const double seconds = own->best->search.time.step_seconds;
    if (!lasts(own))
        return VDNN_OK;
    vdnn_status status = grant(own, &of, &to);
    if (status != VDNN_OK)
        return status;
    const double gain = seconds - to.bound.step_seconds;
    of.worth = gain / (1 + to.peak.overflow_bytes);
    vdnn_opt_attempt_fini(&to);
    if (gain >= LEAST_GAIN * seconds)
        own->list[own->count++] = of;
    return VDNN_OK;
}

/* Of a map within a chain, the half of its pieces that are recomputed; 0: of others. */
static int32_t half_of(const vdnn_opt_search *best, int32_t map)
{
    const vdnn_graph *graph = best->request->graph;
    const vdnn_map_decision *now = &best->best.maps[map];
    if (!vdnn_decisions_recomputes(&best->best, map) || graph->maps[map].needed_count == 0 ||
        !vdnn_decisions_is_inside(graph, &best->best, map))
        return 0;
    return now->action == VDNN_RECOMPUTE
               ? vdnn_graph_part_count(graph, graph->maps[map].needed_by[0]) / 2
               : now->recomputed / 2;
}

static vdnn_status add_map(wisher *own, int32_t map)
{
    const vdnn_opt_search *best = &own->best->search;
    const vdnn_action now = best->best.maps[map].action;
    const int32_t half = half_of(best, map);
    const bool may_offload = best->request->profile->copy_out_bytes_per_second > 0;
    const struct {
        bool may_be;
        wish of;
    } wishes[] = {
        {now == VDNN_RECOMPUTE || now == VDNN_OFFLOAD, {.action = VDNN_KEEP}},
        {now == VDNN_RECOMPUTE && may_offload, {.action = VDNN_OFFLOAD}},
        {half > 0 && now != VDNN_OFFLOAD, {.action = VDNN_KEEP, .recomputed = half}},
        {half > 0 && may_offload, {.action = VDNN_OFFLOAD, .recomputed = half}},
    };
    vdnn_status status = VDNN_OK;
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes && status == VDNN_OK; i++) {
        wish of = wishes[i].of;
        of.map = map;
        status = wishes[i].may_be ? add(own, of) : VDNN_OK;
    }
    return status;
}

static vdnn_status add_maps(wisher *own)
{
    vdnn_status status = VDNN_OK;
    for (int32_t m = 0; m < own->request->graph->map_count && status == VDNN_OK; m++)
        status = add_map(own, m);
    return status;
}

/* Layers in fewer parts; in one they are not chained. */
static vdnn_status add_cut(wisher *own, vdnn_opt_chain of)
{
    bool may_be = of.parts > 1 && vdnn_opt_chains_may_be(own->request, &of);
    for (int32_t l = of.first; l <= of.last && of.parts == 1; l++)
        may_be = own->request->graph->layers[l].parts == 1 && (may_be || l == of.first);
    return may_be ? add(own, (wish){.map = -1, .of = of}) : VDNN_OK;
}

/* Each chain, and each layer that is in none, in half its parts, and in one. */
static vdnn_status add_cuts(wisher *own)
{
    const vdnn_graph *graph = own->best->request.graph;
    const int32_t *chained = own->best->search.chained;
    vdnn_status status = VDNN_OK;
    for (int32_t first = 0, last; first < graph->layer_count && status == VDNN_OK;
         first = last + 1) {
        const int32_t parts = (int32_t)graph->layers[first].parts;
        for (last = first; last + 1 < graph->layer_count && chained[last + 1];)
            last++;
        const int32_t fewer[] = {parts - parts / 4, parts / 2, 1};
        for (int i = 0; i < 3 && status == VDNN_OK; i++)
            if (fewer[i] < (i == 0 ? parts : fewer[i - 1]))
                status = add_cut(own, (vdnn_opt_chain){first, last, fewer[i]});
    }
    return status;
}

/* The tail begins later. */
static vdnn_status add_tail(wisher *own, int32_t first, vdnn_opt_chain later)
{
    const int32_t parts = (int32_t)own->best->request.graph->layers[first].parts;
    vdnn_status status = VDNN_OK;
    for (later.parts = parts; later.parts > 1 && status == VDNN_OK && 2 * later.parts >= parts;
         later.parts /= 2)
        if (later.first > first && vdnn_opt_chains_may_be(own->request, &later))
            status = add(own, (wish){.map = -1, .of = later, .whole = later.first - first});
    return status;
}

static vdnn_status add_tails(wisher *own)
{
    vdnn_opt_chain list[VDNN_OPT_TAILS_MOST];
    const int32_t first = vdnn_decisions_tail_begin(&own->best->search.best);
    int count;
    if (first == own->best->request.graph->layer_count)
        return VDNN_OK;
    vdnn_status status = vdnn_opt_chains_to_loss(own->request, &own->cut, list, &count);
    for (int i = 0; i < count && status == VDNN_OK; i++)
        status = add_tail(own, first, list[i]);
    return status;
}

static int by_worth(const void *left, const void *right)
{
    const wish *a = left, *b = right;
    if (a->worth < b->worth || a->worth > b->worth)
        return a->worth > b->worth ? -1 : 1;
    return a->map != b->map ? a->map - b->map : a->of.first - b->of.first;
}

/* ---- what it costs --------------------------------------------------------------------------- */

/* Seconds for each byte that it takes from those that are too many; HUGE_VAL: it takes too few, or
 * all that the wish saves, as by what undoes it. */
static double price(const wisher *own, const vdnn_opt_attempt *from, const vdnn_opt_attempt *to)
{
    const double taken = from->peak.overflow_bytes - to->peak.overflow_bytes,
                 seconds = to->bound.step_seconds - from->bound.step_seconds,
                 budget = (double)from->stage.request.budget_bytes[VDNN_TIER_DEVICE];
    if (to->bound.step_seconds >= own->best->search.time.step_seconds)
        return HUGE_VAL;
    if (taken < LEAST_TAKEN * from->peak.overflow_bytes && taken < LEAST_OF_BUDGET * budget)
        return HUGE_VAL;
    return taken <= 0 ? HUGE_VAL : (fmax(seconds, 0) + FREE) / taken;
}

static vdnn_status copy(wisher *own, vdnn_opt_attempt *from, vdnn_opt_attempt *to)
{
    vdnn_opt_cut_take(&own->cut, &from->stage);
    return vdnn_opt_attempt_init(own->request, &own->cut, &from->stage, &from->made, NULL, to);
}

/* One move, or several that cost as little. */
static vdnn_status move(const wisher *own, vdnn_opt_attempt *at)
{
    const vdnn_opt_limits limits = {.device_bytes = own->request->budget_bytes[VDNN_TIER_DEVICE],
                                    .most_moves = 1,
                                    .most_helped = 6,
                                    .most_seconds = HUGE_VAL};
    bool fits;
    vdnn_status status = vdnn_opt_descend(&at->stage.search, &at->made, &limits, &fits);
    return status == VDNN_OK ? vdnn_opt_attempt_look(at) : status;
}

/* A chain more; it takes the place of *cheapest if it costs less than that, or than *least. */
static vdnn_status try_chain(wisher *own, vdnn_opt_attempt *at, vdnn_opt_chain of, double *least,
                             vdnn_opt_attempt *cheapest)
{
    vdnn_opt_attempt next;
    if (!vdnn_opt_chains_may_be(own->request, &of) || !vdnn_opt_search_lasts(&at->stage.search))
        return VDNN_OK;
    vdnn_opt_chains_link(&at->stage, &of, &own->cut);
    if (vdnn_opt_cut_is(&own->cut, &at->stage))
        return VDNN_OK;
    vdnn_status status =
        vdnn_opt_attempt_init(own->request, &own->cut, &at->stage, &at->made, NULL, &next);
    if (status != VDNN_OK)
        return status;
    const double cost = price(own, at, &next);
    if (cost < *least) {
        *least = cost;
        vdnn_opt_attempt_replace(cheapest, &next);
    } else
        vdnn_opt_attempt_fini(&next);
    return VDNN_OK;
}

/* Of those around the peak, where the most has to go. */
static vdnn_status chain(wisher *own, vdnn_opt_attempt *at, double *least,
                         vdnn_opt_attempt *cheapest)
{
    vdnn_opt_chain list[VDNN_OPT_CHAINS_MOST];
    vdnn_opt_attempts all = {.request = own->request,
                             .from = &at->stage,
                             .decisions = &at->made,
                             .list = list,
                             .cut = &own->cut};
    if (at->peak.layer < 0)
        return VDNN_OK;
    vdnn_status status =
        vdnn_opt_chains_around(own->request, at->peak.layer, &own->cut, list, &all.count);
    for (int i = 0; i < all.count && status == VDNN_OK; i++) {
        status = vdnn_opt_attempts_reach(&all, i);
        if (status == VDNN_OK)
            status = try_chain(own, at, list[i], least, cheapest);
    }
    return status;
}

/* *found: whether it takes less memory now. */
static vdnn_status pay(wisher *own, vdnn_opt_attempt *at, bool *found)
{
    vdnn_opt_attempt cheapest;
    vdnn_status status = copy(own, at, &cheapest);
    if (status != VDNN_OK)
        return status;
    status = move(own, &cheapest);
    at->stage.search.trials = cheapest.stage.search.trials;
    double least = status == VDNN_OK ? price(own, at, &cheapest) : HUGE_VAL;
    const double seconds = cheapest.bound.step_seconds - at->bound.step_seconds;
    if (status == VDNN_OK && !(least < HUGE_VAL && seconds <= FREE_SHARE * at->bound.step_seconds))
        status = chain(own, at, &least, &cheapest);
    *found = status == VDNN_OK && least < HUGE_VAL;
    if (*found)
        vdnn_opt_attempt_replace(at, &cheapest);
    else
        vdnn_opt_attempt_fini(&cheapest);
    return status;
}

static bool may_be_better(const wisher *own, const vdnn_opt_attempt *at)
{
    return at->bound.step_seconds < own->best->search.time.step_seconds &&
           vdnn_opt_search_lasts(&at->stage.search);
}

static vdnn_status pay_all(wisher *own, vdnn_opt_attempt *at)
{
    const int64_t until = at->stage.search.trials + PAID * own->trials;
    vdnn_status status = VDNN_OK;
    bool found = true;
    for (int i = 0; i < ROUNDS && at->stage.search.trials < until && status == VDNN_OK && found &&
                    at->peak.overflow_bytes > 0 && may_be_better(own, at);
         i++)
        status = pay(own, at, &found);
    return status;
}

static vdnn_status try_wish(wisher *own, const wish *of)
{
    vdnn_opt_attempt at;
    vdnn_status status = grant(own, of, &at);
    if (status != VDNN_OK)
        return status;
    status = pay_all(own, &at);
    if (status == VDNN_OK && may_be_better(own, &at))
        status = vdnn_opt_attempt_climb(&at, own->best, VDNN_OPT_IN_ORDER, own->trials);
    vdnn_opt_attempt_take_better(own->best, &at);
    return status;
}

/* From those on that were tried of the same best before; behind the last the first. */
static vdnn_status try_wishes(wisher *own)
{
    const double before = own->best->search.time.step_seconds;
    int32_t next = vdnn_opt_tried_of(&own->best->wishes, before);
    const int32_t end = next + TRIED < own->count ? next + TRIED : own->count;
    const int64_t until = own->best->search.trials + TURN * own->trials;
    vdnn_status status = VDNN_OK;
    qsort(own->list, (size_t)own->count, sizeof *own->list, by_worth);
    for (; next < end && status == VDNN_OK && lasts(own) && own->best->search.trials < until &&
           own->best->search.time.step_seconds >= before;
         next++)
        status = try_wish(own, &own->list[next]);
    own->best->wishes = (vdnn_opt_tried){before, next < own->count ? next : 0};
    return status;
}

static vdnn_status find_wishes(wisher *own)
{
    const vdnn_graph *graph = own->request->graph;
    const size_t most = 4 * ((size_t)graph->map_count + (size_t)graph->layer_count) +
                        2 * (size_t)VDNN_OPT_TAILS_MOST;
    own->list = vdnn_heap_calloc(most, sizeof *own->list);
    if (own->list == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to choose among %d maps",
                                (int)graph->map_count);
    vdnn_status status = add_maps(own);
    if (status == VDNN_OK)
        status = add_cuts(own);
    return status == VDNN_OK ? add_tails(own) : status;
}

vdnn_status vdnn_opt_wish(const vdnn_policy_request *request, int64_t trials, vdnn_opt_stage *best)
{
    wisher own = {.request = request, .best = best, .trials = trials};
    vdnn_status status = vdnn_opt_cut_init(&own.cut, request->graph);
    if (status == VDNN_OK)
        status = find_wishes(&own);
    if (status == VDNN_OK)
        status = try_wishes(&own);
    vdnn_heap_free(own.list);
    vdnn_opt_cut_fini(&own.cut);
    return status;
}
