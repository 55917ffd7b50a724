#include "policies/opt/climb.h"

#include "policies/opt/copies.h"
#include "policies/opt/descend.h"
#include "policies/opt/prospects.h"
#include "runtime/base/heap.h"

#include <math.h>
#include <stdlib.h>

enum { HELPED = 6, ROUNDS = 6, REPAIRS = 8, DESCENTS = 100000 };

/* Below the budget by what packing loses, until the plan fits or cannot be better. */
vdnn_status vdnn_opt_fit(vdnn_opt_search *own, vdnn_decisions *decisions, const vdnn_opt_move *kept,
                         int most_moves, bool *taken)
{
    const size_t budget = own->request->budget_bytes[VDNN_TIER_DEVICE];
    vdnn_opt_limits limits = {.device_bytes = budget,
                              .kept = kept,
                              .divides = true,
                              .most_moves = most_moves,
                              .one_by_one = own->pace == VDNN_OPT_THOROUGH,
                              .most_helped = own->pace == VDNN_OPT_HASTY ? 1 : HELPED,
                              .most_seconds = own->found              ? own->time.step_seconds
                                              : own->most_seconds > 0 ? own->most_seconds
                                                                      : HUGE_VAL};
    vdnn_status status = VDNN_OK;
    bool fits = true;
    *taken = false;
    for (int round = 0; round < ROUNDS && fits && !*taken && status == VDNN_OK; round++) {
        vdnn_trial_bound time = {.may_fit = false};
        status = vdnn_opt_descend(own, decisions, &limits, &fits);
        if (status != VDNN_OK || !fits)
            return status;
        status = vdnn_opt_search_offer(own, decisions, &time, taken);
        size_t arena = time.arena_bytes[VDNN_TIER_DEVICE];
        if (time.may_fit || arena <= budget || arena - budget >= limits.device_bytes)
            return status; /* or another tier is too small */
        limits.device_bytes -= arena - budget;
    }
    return status;
}

vdnn_status vdnn_opt_climb_from(vdnn_opt_search *own, vdnn_decisions *decisions)
{
    bool taken;
    vdnn_opt_search_sign(decisions);
    return vdnn_opt_fit(own, decisions, NULL, DESCENTS, &taken);
}

/* ---- the climb ------------------------------------------------------------------------------- */

/* Moves of the best; those that were tried since all were tried last come at the end. */
typedef struct climb {
    vdnn_opt_search *own;
    vdnn_decisions scratch;
    bool (*tries)(const vdnn_opt_search *own, const vdnn_opt_move *move);
    vdnn_opt_order order;
    int repairs;          /* that a move may take to fit */
    vdnn_opt_move *list;  /* owned; what saves the most comes first */
    vdnn_opt_move *tried; /* in the same block */
    int count, capacity, tried_count;
} climb;

enum { MOST_TRIED = 4096 };

/* Some pieces of a map within a chain are recomputed, fewer than now. */
static bool recomputes_less(const vdnn_map_decision *now, const vdnn_map_decision *made)
{
    return made->recomputed > 0 &&
           (now->action == VDNN_RECOMPUTE || made->recomputed < now->recomputed);
}

/* Copies that are hidden by more layers. */
static bool hides_more(const vdnn_map_decision *now, const vdnn_map_decision *made)
{
    return now->action == VDNN_OFFLOAD && made->action == VDNN_OFFLOAD &&
           made->leaves >= now->leaves && made->returns >= now->returns &&
           made->pieces >= now->pieces && made->recomputed == now->recomputed;
}

static bool stays_longer(const vdnn_params_decision *now, const vdnn_params_decision *made)
{
    return made->action == VDNN_OFFLOAD && now->action == VDNN_OFFLOAD &&
           made->ahead >= now->ahead && made->stays >= now->stays && made->behind >= now->behind;
}

/* What only frees memory makes no plan faster that fits: it is left to what has to fit. */
static bool may_save(const vdnn_opt_search *own, const vdnn_opt_move *move)
{
    const vdnn_decisions *best = &own->best;
    const vdnn_map_decision *now = &best->maps[move->index], *map = &move->map;
    switch (move->subject) {
    case VDNN_OPT_MAP:
        if (vdnn_decisions_keeps_all(now) || now->action == VDNN_DROP)
            return false;
        return now->action != VDNN_OFFLOAD || map->action != VDNN_OFFLOAD || hides_more(now, map) ||
               map->recomputed != now->recomputed;
    case VDNN_OPT_GRADIENT:
        return move->gradient == VDNN_TIER_DEVICE;
    case VDNN_OPT_PARAMS:
        return best->params[move->index].action != VDNN_KEEP;
    case VDNN_OPT_PASS:
        return move->seconds < 0;
    default:
        return true;
    }
}

static bool any_move(const vdnn_opt_search *own, const vdnn_opt_move *move)
{
    (void)own, (void)move;
    return true;
}

/* What takes memory, and nothing else. */
static bool gives_back(const vdnn_opt_search *own, const vdnn_opt_move *move)
{
    const vdnn_decisions *best = &own->best;
    switch (move->subject) {
    case VDNN_OPT_MAP:
        return vdnn_decisions_keeps_all(&move->map) || move->map.action == VDNN_DROP ||
               hides_more(&best->maps[move->index], &move->map) ||
               recomputes_less(&best->maps[move->index], &move->map);
    case VDNN_OPT_GRADIENT:
        return move->gradient == VDNN_TIER_DEVICE;
    case VDNN_OPT_PARAMS:
        return move->params.action == VDNN_KEEP ||
               stays_longer(&best->params[move->index], &move->params);
    case VDNN_OPT_PASS:
        return move->seconds < 0;
    default:
        return true;
    }
}

/* What is recomputed, copied behind the copies that there are. */
static bool is_queued(const vdnn_opt_search *own, const vdnn_opt_move *move)
{
    const vdnn_map_decision *map = &move->map;
    return move->subject == VDNN_OPT_MAP && map->action == VDNN_OFFLOAD &&
           own->best.maps[move->index].action == VDNN_RECOMPUTE && map->pieces == 0 &&
           map->between == VDNN_KEEP &&
           map->leaves == vdnn_opt_copies_leave_queued(own, &own->best, move->index, NULL) &&
           map->returns == vdnn_opt_copies_return_queued(own, &own->best, move->index, NULL);
}

static bool gives_back_and_saves(const vdnn_opt_search *own, const vdnn_opt_move *move)
{
    return is_queued(own, move) || (move->seconds < 0 && gives_back(own, move));
}

static int by_seconds(const void *left, const void *right)
{
    const vdnn_opt_move *a = left, *b = right;
    if (a->seconds < b->seconds || a->seconds > b->seconds)
        return a->seconds < b->seconds ? -1 : 1;
    if (a->subject != b->subject)
        return a->subject < b->subject ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static bool was_tried(const climb *c, const vdnn_opt_move *move)
{
    for (int i = 0; i < c->tried_count; i++)
        if (vdnn_opt_moves_are_same(&c->tried[i], move))
            return true;
    return false;
}

static void add_moves(climb *c, const vdnn_opt_move *moves, int count)
{
    for (int i = 0; i < count && c->count < c->capacity; i++)
        if (c->tries(c->own, &moves[i]) && !was_tried(c, &moves[i]))
            c->list[c->count++] = moves[i];
}

static void list_moves(climb *c)
{
    const vdnn_graph *graph = c->own->request->graph;
    const vdnn_decisions *best = &c->own->best;
    vdnn_opt_search *own = c->own;
    vdnn_opt_move moves[VDNN_OPT_MOVES_MOST];
    const double share = vdnn_opt_moves_link_share(own, best);
    c->count = 0;
    vdnn_opt_copies_note(own, best);
    add_moves(c, moves, vdnn_opt_moves_of_loads(own, best, moves));
    for (int32_t l = 0; l < graph->layer_count; l++)
        add_moves(c, moves, vdnn_opt_moves_of_layer(own, best, l, moves));
    for (int32_t l = 0; l < graph->layer_count; l++)
        add_moves(c, moves, vdnn_opt_moves_of_params(own, best, share, l, moves));
    for (int32_t m = 0; m < graph->map_count; m++)
        add_moves(c, moves, vdnn_opt_moves_of_map(own, best, share, m, moves));
    for (int32_t m = 0; m < graph->map_count; m++)
        add_moves(c, moves, vdnn_opt_moves_of_gradient(own, best, share, m, moves));
    if (c->order == VDNN_OPT_MOST_FIRST)
        qsort(c->list, (size_t)c->count, sizeof *c->list, by_seconds);
}

/* A move, and what it takes to fit. */
static vdnn_status try_move(climb *c, const vdnn_opt_move *move, bool *taken)
{
    vdnn_decisions_assign(&c->scratch, &c->own->best);
    vdnn_opt_moves_make(move, &c->scratch);
    vdnn_opt_search_sign(&c->scratch);
    return vdnn_opt_fit(c->own, &c->scratch, move, c->repairs, taken);
}

/* One after the other, until one helps: then the list is another. */
static vdnn_status try_moves(climb *c, bool *helped)
{
    const vdnn_policy_request *request = c->own->request;
    vdnn_opt_prospects prospects = {.list = c->list,
                                    .count = c->count,
                                    .from = &c->own->best,
                                    .scratch = &c->scratch,
                                    .limit_bytes = request->budget_bytes[VDNN_TIER_DEVICE]};
    vdnn_status status = VDNN_OK;
    *helped = false;
    for (int i = 0; i < c->count && status == VDNN_OK && !*helped && vdnn_opt_search_lasts(c->own);
         i++) {
        vdnn_opt_prospects_reach(&prospects, request->trial, i);
        status = try_move(c, &c->list[i], helped);
        if (c->tried_count < MOST_TRIED)
            c->tried[c->tried_count++] = c->list[i];
    }
    return status;
}

static vdnn_status climb_until_none_helps(climb *c)
{
    vdnn_status status = VDNN_OK;
    bool helped = true, any = true;
    while ((helped || any) && status == VDNN_OK && vdnn_opt_search_lasts(c->own)) {
        if (!helped) {
            c->tried_count = 0;
            any = false;
        }
        list_moves(c);
        status = try_moves(c, &helped);
        any = any || helped;
    }
    return status;
}

static vdnn_status begin_climb(climb c)
{
    const vdnn_graph *graph = c.own->request->graph;
    c.capacity = (2 * graph->map_count + 2 * graph->layer_count + 1) * VDNN_OPT_MOVES_MOST;
    c.list = vdnn_heap_calloc((size_t)c.capacity + MOST_TRIED, sizeof *c.list);
    if (c.list == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to choose among %d maps",
                                (int)graph->map_count);
    c.tried = c.list + c.capacity;
    vdnn_status status = vdnn_decisions_copy(&c.scratch, &c.own->best);
    if (status == VDNN_OK) {
        c.own->pace = VDNN_OPT_THOROUGH;
        status = climb_until_none_helps(&c);
        c.own->pace = VDNN_OPT_STEADY;
        vdnn_decisions_fini(&c.scratch);
    }
    vdnn_heap_free(c.list);
    return status;
}

vdnn_status vdnn_opt_relax(vdnn_opt_search *own, vdnn_opt_order order)
{
    return begin_climb(
        (climb){.own = own,
                .tries = order == VDNN_OPT_MOST_FIRST ? gives_back_and_saves : gives_back,
                .order = order});
}

/* Those that need no others take a trial or two each, so that they come first. */
vdnn_status vdnn_opt_climb(vdnn_opt_search *own, vdnn_opt_order order)
{
    VDNN_TRY(order == VDNN_OPT_MOST_FIRST ? vdnn_opt_relax(own, order) : VDNN_OK);
    return begin_climb((climb){.own = own,
                               .tries = order == VDNN_OPT_MOST_FIRST ? may_save : any_move,
                               .order = order,
                               .repairs = REPAIRS});
}

vdnn_status vdnn_opt_climb_most_first(vdnn_opt_search *own)
{
    return vdnn_opt_climb(own, VDNN_OPT_MOST_FIRST);
}
