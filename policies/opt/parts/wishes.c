#include "policies/opt/parts/wishes.h"

#include "policies/opt/copies.h"
#include "runtime/base/heap.h"

#include <stdlib.h>

/* A wish saves at least such a part of the step. */
static const double LEAST_GAIN = 1e-3;

/* Places where a chain may be split. At the most, of a map, and of a chain or a layer alone: either
 * side of each place, and all of it in fewer parts. */
enum { PLACES = 2, OF_MAP = 4, OF_CHAIN = 2 * PLACES + 3 };

/* ---- granted --------------------------------------------------------------------------------- */

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
static void decide_map(vdnn_opt_wishes *own, const vdnn_opt_wished *of, vdnn_decisions *made)
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
static void make_whole(const vdnn_opt_wishes *own, const vdnn_opt_wished *of, vdnn_opt_cut *cut)
{
    for (int32_t l = of->of.first - of->whole; l < of->of.first; l++) {
        cut->parts[l] = (int32_t)own->request->graph->layers[l].parts;
        cut->chained[l] = 0;
    }
}

/* The chain ends before those layers, and behind them another one begins. */
static void split(const vdnn_opt_wished *of, vdnn_opt_cut *cut)
{
    for (int32_t l = of->of.first; l <= of->of.last; l++)
        cut->parts[l] = of->of.parts;
    unchain(of->of.first, of->of.first, cut);
    unchain(of->of.last + 1, of->of.last + 1, cut);
}

vdnn_status vdnn_opt_wishes_grant(vdnn_opt_wishes *own, const vdnn_opt_wished *of,
                                  vdnn_opt_attempt *to)
{
    vdnn_decisions made;
    vdnn_opt_stage *best = own->best;
    VDNN_TRY(vdnn_decisions_copy(&made, &best->search.best));
    vdnn_opt_cut_take(&own->cut, best);
    if (of->map >= 0)
        decide_map(own, of, &made);
    else if (of->splits)
        split(of, &own->cut);
    else
        vdnn_opt_chains_link(best, &of->of, &own->cut);
    if (of->map < 0 && of->of.parts == 1)
        unchain(of->of.first, of->of.last, &own->cut);
    make_whole(own, of, &own->cut);
    vdnn_status status = vdnn_opt_attempt_init(own->request, &own->cut, best, &made,
                                               of->map < 0 ? &of->of : NULL, to);
    vdnn_decisions_fini(&made);
    return status;
}

/* ---- listed ---------------------------------------------------------------------------------- */

static vdnn_status add(vdnn_opt_wishes *own, vdnn_opt_wished of)
{
    vdnn_opt_attempt to;
    const double seconds = own->best->search.time.step_seconds;
    if (!vdnn_opt_search_lasts(&own->best->search))
        return VDNN_OK;
    VDNN_TRY(vdnn_opt_wishes_grant(own, &of, &to));
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

static vdnn_status add_map(vdnn_opt_wishes *own, int32_t map)
{
    const vdnn_opt_search *best = &own->best->search;
    const vdnn_action now = best->best.maps[map].action;
    const int32_t half = half_of(best, map);
    const bool may_offload = best->request->profile->copy_out_bytes_per_second > 0;
    const struct {
        bool may_be;
        vdnn_opt_wished of;
    } wishes[] = {
        {now == VDNN_RECOMPUTE || now == VDNN_OFFLOAD, {.action = VDNN_KEEP}},
        {now == VDNN_RECOMPUTE && may_offload, {.action = VDNN_OFFLOAD}},
        {half > 0 && now != VDNN_OFFLOAD, {.action = VDNN_KEEP, .recomputed = half}},
        {half > 0 && may_offload, {.action = VDNN_OFFLOAD, .recomputed = half}},
    };
    vdnn_status status = VDNN_OK;
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes && status == VDNN_OK; i++) {
        vdnn_opt_wished of = wishes[i].of;
        of.map = map;
        status = wishes[i].may_be ? add(own, of) : VDNN_OK;
    }
    return status;
}

/* In backward, itself or to make another one. */
static bool is_needed(const vdnn_opt_search *best, int32_t map)
{
    const vdnn_graph *graph = best->request->graph;
    return graph->maps[map].needed_count > 0 ||
           vdnn_decisions_is_read_again(graph, &best->best, map);
}

static vdnn_status add_maps(vdnn_opt_wishes *own)
{
    vdnn_status status = VDNN_OK;
    for (int32_t m = 0; m < own->request->graph->map_count && status == VDNN_OK; m++)
        if (is_needed(&own->best->search, m))
            status = add_map(own, m);
    return status;
}

/* Whether a chain up to the last layer of one can begin with another of its layers. */
static bool may_begin(const vdnn_graph *graph, int32_t layer, int32_t last)
{
    bool may = true;
    for (int32_t l = layer; l <= last && may; l++)
        may = vdnn_decisions_chain_has_room(graph, layer, l);
    return may;
}

/* Behind which layer of a chain, other than that, the least crosses to the next one, and another
 * chain can begin there; -1: behind none. */
static int32_t find_narrowest(const vdnn_graph *graph, int32_t first, int32_t last, int32_t other)
{
    size_t least = SIZE_MAX;
    int32_t found = -1;
    for (int32_t l = first; l < last; l++) {
        const size_t bytes = vdnn_opt_chains_crossing_bytes(graph, l + 1);
        if (l == other || bytes >= least || !may_begin(graph, l + 1, last))
            continue;
        least = bytes;
        found = l;
    }
    return found;
}

static vdnn_status add_split(vdnn_opt_wishes *own, vdnn_opt_chain of)
{
    return vdnn_opt_chains_may_be(own->request, &of)
               ? add(own, (vdnn_opt_wished){.map = -1, .of = of, .splits = true})
               : VDNN_OK;
}

/* A chain is split in one of two places, and one of both that it becomes is in half its parts. One
 * up to the loss is not: it begins later. */
static vdnn_status add_splits(vdnn_opt_wishes *own, int32_t first, int32_t last)
{
    const vdnn_graph *graph = own->best->request.graph;
    const int32_t half = (int32_t)graph->layers[first].parts / 2;
    vdnn_status status = VDNN_OK;
    if (half < 2 || last + 1 == graph->layer_count)
        return VDNN_OK;
    for (int32_t k = 0, at = -1; k < PLACES && status == VDNN_OK; k++) {
        at = find_narrowest(graph, first, last, at);
        if (at < 0)
            return VDNN_OK;
        status = add_split(own, (vdnn_opt_chain){first, at, half});
        if (status == VDNN_OK)
            status = add_split(own, (vdnn_opt_chain){at + 1, last, half});
    }
    return status;
}

/* Layers in fewer parts; in one they are not chained. */
static vdnn_status add_cut(vdnn_opt_wishes *own, vdnn_opt_chain of)
{
    bool may_be = of.parts > 1 && vdnn_opt_chains_may_be(own->request, &of);
    for (int32_t l = of.first; l <= of.last && of.parts == 1; l++)
        may_be = own->request->graph->layers[l].parts == 1 && (may_be || l == of.first);
    return may_be ? add(own, (vdnn_opt_wished){.map = -1, .of = of}) : VDNN_OK;
}

/* Each chain, and each layer that is in none, in half its parts, and in one. */
static vdnn_status add_cuts(vdnn_opt_wishes *own)
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
        if (status == VDNN_OK)
            status = add_splits(own, first, last);
    }
    return status;
}

/* The tail begins later. */
static vdnn_status add_tail(vdnn_opt_wishes *own, int32_t first, vdnn_opt_chain later)
{
    const int32_t parts = (int32_t)own->best->request.graph->layers[first].parts;
    vdnn_status status = VDNN_OK;
    for (later.parts = parts; later.parts > 1 && status == VDNN_OK && 2 * later.parts >= parts;
         later.parts /= 2)
        if (later.first > first && vdnn_opt_chains_may_be(own->request, &later))
            status =
                add(own, (vdnn_opt_wished){.map = -1, .of = later, .whole = later.first - first});
    return status;
}

static vdnn_status add_tails(vdnn_opt_wishes *own)
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
    const vdnn_opt_wished *a = left, *b = right;
    if (a->worth < b->worth || a->worth > b->worth)
        return a->worth > b->worth ? -1 : 1;
    if (a->map != b->map || a->of.first != b->of.first)
        return a->map != b->map ? a->map - b->map : a->of.first - b->of.first;
    return a->of.parts - b->of.parts;
}

vdnn_status vdnn_opt_wishes_find(const vdnn_policy_request *request, vdnn_opt_stage *best,
                                 vdnn_opt_wishes *own)
{
    const vdnn_graph *graph = request->graph;
    const size_t most = OF_MAP * (size_t)graph->map_count + OF_CHAIN * (size_t)graph->layer_count +
                        2 * (size_t)VDNN_OPT_TAILS_MOST;
    *own = (vdnn_opt_wishes){.request = request, .best = best};
    VDNN_TRY(vdnn_opt_cut_init(&own->cut, graph));
    own->list = vdnn_heap_calloc(most, sizeof *own->list);
    if (own->list == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to choose among %d maps",
                                (int)graph->map_count);
    vdnn_status status = add_maps(own);
    if (status == VDNN_OK)
        status = add_cuts(own);
    if (status == VDNN_OK)
        status = add_tails(own);
    if (status == VDNN_OK)
        qsort(own->list, (size_t)own->count, sizeof *own->list, by_worth);
    return status;
}

void vdnn_opt_wishes_fini(vdnn_opt_wishes *own)
{
    vdnn_heap_free(own->list);
    vdnn_opt_cut_fini(&own->cut);
}
