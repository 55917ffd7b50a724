#include "policies/opt/local_search.h"

#include "policies/opt/moves.h"
#include "runtime/base/heap.h"
#include "runtime/base/numbers/random.h"

#include <math.h>
#include <stdlib.h>

/* ---- descents -------------------------------------------------------------------------------- */

/* How many of the moves that may help are tried. If none of these does, more are. */
enum { TRIED = 18 };

/* A move that saves less than this part of what has to be saved is left for the end, as a step for
 * each of many small blocks takes more trials than it is worth. */
enum { LEAST_PART = 64 };

/* What a tried move costs for each byte, and by how many bytes its plan exceeds the limit. */
typedef struct outcome {
    double price, saved;
    bool is_made;
} outcome;

typedef struct descent {
    vdnn_opt_search *own;
    vdnn_decisions *decisions;
    const vdnn_opt_limits *limits;
    vdnn_device_peak peak; /* of the decisions */
    vdnn_outcome bound;
    vdnn_opt_move *list; /* owned */
    int count, capacity;
    outcome *tried; /* owned; of the list */
    vdnn_opt_move_set failed;
} descent;

/* Compares the seconds for each byte saved; of equals, moves that save the most come first. */
static int by_price(const void *left, const void *right)
{
    const vdnn_opt_move *a = left, *b = right;
    double price_a = a->seconds * (double)b->saved_bytes,
           price_b = b->seconds * (double)a->saved_bytes;
    if (price_a < price_b || price_a > price_b)
        return price_a < price_b ? -1 : 1;
    if (a->saved_bytes != b->saved_bytes)
        return a->saved_bytes > b->saved_bytes ? -1 : 1;
    if (a->subject != b->subject)
        return a->subject < b->subject ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static void add_freeing(descent *d, size_t least_bytes, const vdnn_opt_move *moves, int count)
{
    for (int i = 0; i < count && d->count < d->capacity; i++) {
        bool is_kept = d->limits->kept != NULL && vdnn_opt_moves_share(d->limits->kept, &moves[i]);
        bool is_held =
            moves[i].subject == VDNN_OPT_MAP &&
            (vdnn_decisions_keeps_all(&moves[i].map) || moves[i].map.action == VDNN_DROP);
        if (moves[i].saved_bytes > least_bytes && !is_kept && !is_held &&
            !vdnn_opt_move_set_has(&d->failed, &moves[i]))
            d->list[d->count++] = moves[i];
    }
}

static void list_freeing(descent *d, size_t least_bytes)
{
    const vdnn_graph *graph = d->own->graph;
    vdnn_opt_move moves[VDNN_OPT_MOVES_MOST];
    const double share = vdnn_opt_moves_link_share(d->own, d->decisions);
    d->count = 0;
    d->own->lists_few = d->own->pace != VDNN_OPT_THOROUGH;
    vdnn_opt_copies_note(d->own, d->decisions);
    for (int32_t m = 0; m < graph->map_count; m++)
        if (d->own->alive[m].map_bytes > 0)
            add_freeing(d, least_bytes, moves,
                        vdnn_opt_moves_of_map(d->own, d->decisions, share, m, moves));
    for (int32_t m = 0; m < graph->map_count; m++)
        if (d->own->alive[m].gradient_bytes > 0)
            add_freeing(d, least_bytes, moves,
                        vdnn_opt_moves_of_gradient(d->own, d->decisions, share, m, moves));
    if (d->peak.layer >= 0)
        add_freeing(d, least_bytes, moves,
                    vdnn_opt_moves_of_layer(d->own, d->decisions, d->peak.layer, moves));
    for (int32_t l = 0; l < graph->layer_count; l++)
        add_freeing(d, least_bytes, moves,
                    vdnn_opt_moves_of_params(d->own, d->decisions, share, l, moves));
    add_freeing(d, least_bytes, moves, vdnn_opt_moves_of_loads(d->own, d->decisions, moves));
    d->own->lists_few = false;
    qsort(d->list, (size_t)d->count, sizeof *d->list, by_price);
}

static const double FREE = 1e-9; /* seconds of what costs none */

/* Returns what a move costs for each byte that it frees of those above the limit; HUGE_VAL: it
 * frees none, or the plan takes too long with it. */
static double price_of(const descent *d, const vdnn_opt_move *move, const vdnn_device_peak *peak,
                       const vdnn_outcome *bound)
{
    const size_t *budget_bytes = d->own->budget_bytes;
    double seconds = bound->step_seconds - d->bound.step_seconds;
    double saved = d->peak.overflow_bytes - peak->overflow_bytes;
    bool spills = bound->arena_bytes[VDNN_TIER_HOST] > budget_bytes[VDNN_TIER_HOST] &&
                  bound->arena_bytes[VDNN_TIER_HOST] > d->bound.arena_bytes[VDNN_TIER_HOST];
    bool is_useless =
        d->limits->useless_seconds > 0 && bound->step_seconds >= d->limits->useless_seconds;
    if (saved <= 0 || spills || is_useless)
        return HUGE_VAL;
    return (fmax(fmax(seconds, move->seconds), 0) + FREE) / saved;
}

static bool may_descend(const descent *d)
{
    return d->limits->until > 0
               ? d->own->trials < d->limits->until && !vdnn_opt_search_is_stopped(d->own)
               : vdnn_opt_search_lasts(d->own);
}

/* Moves that cost at most this many times as much for each byte as the best one are made with it.
 */
static const double AS_GOOD = 1.05;

static vdnn_status try_freeing(descent *d, int i, vdnn_decisions *scratch)
{
    vdnn_planning *planning = d->own->request->planning;
    vdnn_device_peak peak;
    vdnn_outcome bound;
    vdnn_decisions_assign(scratch, d->decisions);
    vdnn_opt_moves_make(&d->list[i], scratch);
    d->own->trials++;
    d->tried[i] = (outcome){.price = HUGE_VAL};
    VDNN_TRY(vdnn_planning_peak(planning, scratch, d->limits->device_bytes, NULL, &peak, &bound));
    d->tried[i].price = price_of(d, &d->list[i], &peak, &bound);
    d->tried[i].saved = d->peak.overflow_bytes - peak.overflow_bytes;
    if (d->tried[i].price >= HUGE_VAL)
        vdnn_opt_move_set_add(&d->failed, &d->list[i]);
    return VDNN_OK;
}

/* Tries moves of the list until enough of them help. Sets *count to how many were tried, and *best
 * to the best one; -1: none helps. If none does, the list is long, so the search limit may end a
 * descent within it. A descent with separate trials has to find a plan, so it ends only between
 * steps. */
static vdnn_status try_first(descent *d, int *count, int *best)
{
    vdnn_decisions scratch;
    vdnn_status status = vdnn_decisions_copy(&scratch, d->decisions);
    if (status != VDNN_OK)
        return status;
    *best = -1;
    int i = 0;
    for (int helped = 0; i < d->count && helped < (i < TRIED ? d->limits->most_helped : 1) &&
                         status == VDNN_OK && (d->limits->until > 0 || may_descend(d));
         i++) {
        status = try_freeing(d, i, &scratch);
        helped += d->tried[i].price < HUGE_VAL;
        if (d->tried[i].price < (*best < 0 ? HUGE_VAL : d->tried[*best].price))
            *best = i;
    }
    *count = i;
    vdnn_decisions_fini(&scratch);
    return status;
}

static void make_tried(descent *d, int i, double *saved)
{
    vdnn_opt_moves_make(&d->list[i], d->decisions);
    d->tried[i].is_made = true;
    *saved += d->tried[i].saved;
}

/* Whether none of the moves that are made now decides the same thing as move `i`. */
static bool decides_else(const descent *d, int count, int i)
{
    for (int k = 0; k < count; k++)
        if (d->tried[k].is_made && vdnn_opt_moves_share(&d->list[k], &d->list[i]))
            return false;
    return true;
}

/* Makes the best of the first moves of the list, and those that are about as good, as long as bytes
 * have to be freed. Sets *moved to whether there is one. */
static vdnn_status make_best(descent *d, bool *moved)
{
    int count = 0, best = -1;
    double saved = 0;
    vdnn_status status = try_first(d, &count, &best);
    *moved = status == VDNN_OK && best >= 0;
    if (!*moved)
        return status;
    make_tried(d, best, &saved);
    for (int i = 0; i < count && !d->limits->one_by_one; i++) {
        const outcome *at = &d->tried[i];
        if (at->price < HUGE_VAL &&
            at->price <= fmax(AS_GOOD * d->tried[best].price, FREE / at->saved) &&
            saved + at->saved <= d->peak.overflow_bytes && decides_else(d, count, i))
            make_tried(d, i, &saved);
    }
    return VDNN_OK;
}

/* Makes a move of those that save much and have not failed; if none of these helps, of all moves.
 */
static vdnn_status free_some(descent *d, bool *moved)
{
    const size_t excess = d->peak.bytes - d->limits->device_bytes;
    const size_t least_bytes[] = {excess / LEAST_PART, 0, 0};
    vdnn_status status = VDNN_OK;
    *moved = false;
    for (int i = 0; i < 3 && status == VDNN_OK && !*moved; i++) {
        if (i == 2)
            vdnn_opt_move_set_clear(&d->failed);
        list_freeing(d, least_bytes[i]);
        status = make_best(d, moved);
    }
    return status;
}

static vdnn_status find_peak(descent *d)
{
    return vdnn_opt_search_peak(d->own, d->decisions, d->limits->device_bytes, &d->peak, &d->bound);
}

static vdnn_status descend(descent *d, bool *fits)
{
    const vdnn_opt_limits *limits = d->limits;
    bool moved = true;
    vdnn_status status = find_peak(d);
    for (int i = 0; status == VDNN_OK && moved && d->peak.overflow_bytes > 0; i++) {
        moved = i < limits->most_moves && d->bound.step_seconds < limits->most_seconds &&
                may_descend(d);
        if (moved)
            status = free_some(d, &moved);
        if (status == VDNN_OK && moved)
            status = find_peak(d);
    }
    *fits = status == VDNN_OK && d->peak.overflow_bytes <= 0 &&
            d->bound.step_seconds < limits->most_seconds;
    return status;
}

vdnn_status vdnn_opt_descend(vdnn_opt_search *own, vdnn_decisions *decisions,
                             const vdnn_opt_limits *limits, bool *fits)
{
    const vdnn_graph *graph = own->graph;
    descent d = {.own = own,
                 .decisions = decisions,
                 .limits = limits,
                 .capacity = (2 * graph->map_count + graph->layer_count + 2) * VDNN_OPT_MOVES_MOST};
    *fits = false;
    VDNN_TRY(vdnn_opt_move_set_init(graph, &d.failed));
    d.list = vdnn_heap_calloc((size_t)d.capacity, sizeof *d.list);
    d.tried = vdnn_heap_calloc((size_t)d.capacity, sizeof *d.tried);
    vdnn_status status = VDNN_OK;
    if (d.list == NULL || d.tried == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory to choose among %d maps",
                                  (int)graph->map_count);
    VDNN_IF_OK(status, descend(&d, fits));
    vdnn_opt_move_set_fini(&d.failed);
    vdnn_heap_free(d.list);
    vdnn_heap_free(d.tried);
    return status;
}

/* ---- to a plan that fits --------------------------------------------------------------------- */

/* How many moves that help are compared; how many descents are made at most, each further below the
 * budget by the bytes that packing lost; and how many moves a descent has at most. */
enum { HELPED = 6, ROUNDS = 6, DESCENTS = 100000 };

/* Descends, further below the budget by the bytes that packing loses each time, until the plan fits
 * or cannot be better. Makes at most `most_moves` moves, and undoes none that `kept` decides; NULL:
 * any. A better plan becomes the best: *taken. */
static vdnn_status fit(vdnn_opt_search *own, vdnn_decisions *decisions, const vdnn_opt_move *kept,
                       int most_moves, bool *taken)
{
    const size_t budget = own->budget_bytes[VDNN_TIER_DEVICE];
    vdnn_opt_limits limits = {.device_bytes = budget,
                              .kept = kept,
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
        vdnn_outcome time = {.fits = false};
        status = vdnn_opt_descend(own, decisions, &limits, &fits);
        if (status != VDNN_OK || !fits)
            return status;
        status = vdnn_opt_search_offer(own, decisions, &time, taken);
        size_t arena = time.arena_bytes[VDNN_TIER_DEVICE];
        if (time.fits || arena <= budget || arena - budget >= limits.device_bytes)
            return status; /* or another tier is too small */
        limits.device_bytes -= arena - budget;
    }
    return status;
}

vdnn_status vdnn_opt_descend_from(vdnn_opt_search *own, vdnn_decisions *decisions)
{
    bool taken;
    vdnn_opt_search_sign(decisions);
    return fit(own, decisions, NULL, DESCENTS, &taken);
}

/* ---- local search ---------------------------------------------------------------------------- */

/* How many further moves may make a plan fit again after one move. */
enum { REPAIRS = 8 };

/* Makes a move on the best plan, and further ones until it fits. */
static vdnn_status try_move(vdnn_opt_search *own, const vdnn_opt_move *move,
                            vdnn_decisions *scratch, int repairs, bool *taken)
{
    vdnn_decisions_assign(scratch, &own->best);
    vdnn_opt_moves_make(move, scratch);
    vdnn_opt_search_sign(scratch);
    return fit(own, scratch, move, repairs, taken);
}

/* ---- hill climbing --------------------------------------------------------------------------- */

/* The moves of the best plan. Moves that were tried since the list was last tried to its end come
 * last. */
typedef struct climb {
    vdnn_opt_search *own;
    vdnn_decisions scratch; /* owned */
    bool (*tries)(const vdnn_opt_search *own, const vdnn_opt_move *move);
    int repairs;         /* that a move may take to fit */
    vdnn_opt_move *list; /* owned; what saves the most comes first */
    int count, capacity;
    vdnn_opt_move_set tried;
} climb;

/* Whether more layers hide the copies. */
static bool hides_more(const vdnn_map_decision *now, const vdnn_map_decision *made)
{
    return now->action == VDNN_OFFLOAD && made->action == VDNN_OFFLOAD &&
           made->leaves >= now->leaves && made->returns >= now->returns &&
           made->pieces >= now->pieces;
}

static bool stays_longer(const vdnn_params_decision *now, const vdnn_params_decision *made)
{
    return made->action == VDNN_OFFLOAD && now->action == VDNN_OFFLOAD &&
           made->ahead >= now->ahead && made->stays >= now->stays;
}

/* Whether a move may save time. One that only frees memory does not, and is left to descents. */
static bool may_save(const vdnn_opt_search *own, const vdnn_opt_move *move)
{
    const vdnn_decisions *best = &own->best;
    const vdnn_map_decision *now = &best->maps[move->index], *map = &move->map;
    switch (move->subject) {
    case VDNN_OPT_MAP:
        if (vdnn_decisions_keeps_all(now) || now->action == VDNN_DROP)
            return false;
        return now->action != VDNN_OFFLOAD || map->action != VDNN_OFFLOAD || hides_more(now, map);
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

/* Whether a move only takes memory. */
static bool gives_back(const vdnn_opt_search *own, const vdnn_opt_move *move)
{
    const vdnn_decisions *best = &own->best;
    switch (move->subject) {
    case VDNN_OPT_MAP:
        return vdnn_decisions_keeps_all(&move->map) || move->map.action == VDNN_DROP ||
               hides_more(&best->maps[move->index], &move->map);
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

/* Whether a move offloads a map that is recomputed now, in the queue after the other copies. */
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

static void add_moves(climb *c, const vdnn_opt_move *moves, int count)
{
    for (int i = 0; i < count && c->count < c->capacity; i++)
        if (c->tries(c->own, &moves[i]) && !vdnn_opt_move_set_has(&c->tried, &moves[i]))
            c->list[c->count++] = moves[i];
}

static void list_moves(climb *c)
{
    const vdnn_graph *graph = c->own->graph;
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
    qsort(c->list, (size_t)c->count, sizeof *c->list, by_seconds);
}

/* Tries one move after the other until one helps, since the list is another one after that. */
static vdnn_status try_moves(climb *c, bool *helped)
{
    vdnn_status status = VDNN_OK;
    *helped = false;
    for (int i = 0; i < c->count && status == VDNN_OK && !*helped && vdnn_opt_search_lasts(c->own);
         i++) {
        status = try_move(c->own, &c->list[i], &c->scratch, c->repairs, helped);
        vdnn_opt_move_set_add(&c->tried, &c->list[i]);
    }
    return status;
}

static vdnn_status climb_until_none_helps(climb *c)
{
    vdnn_status status = VDNN_OK;
    bool helped = true, any = true;
    while ((helped || any) && status == VDNN_OK && vdnn_opt_search_lasts(c->own)) {
        if (!helped) {
            vdnn_opt_move_set_clear(&c->tried);
            any = false;
        }
        list_moves(c);
        status = try_moves(c, &helped);
        any = any || helped;
    }
    return status;
}

static vdnn_status hill_climb(climb c)
{
    const vdnn_graph *graph = c.own->graph;
    c.capacity = (2 * graph->map_count + 2 * graph->layer_count + 1) * VDNN_OPT_MOVES_MOST;
    VDNN_TRY(vdnn_opt_move_set_init(graph, &c.tried));
    c.list = vdnn_heap_calloc((size_t)c.capacity, sizeof *c.list);
    vdnn_status status = VDNN_OK;
    if (c.list == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory to choose among %d maps",
                                  (int)graph->map_count);
    VDNN_IF_OK(status, vdnn_decisions_copy(&c.scratch, &c.own->best));
    c.own->pace = VDNN_OPT_THOROUGH;
    VDNN_IF_OK(status, climb_until_none_helps(&c));
    c.own->pace = VDNN_OPT_STEADY;
    vdnn_decisions_fini(&c.scratch);
    vdnn_heap_free(c.list);
    vdnn_opt_move_set_fini(&c.tried);
    return status;
}

vdnn_status vdnn_opt_relax(vdnn_opt_search *own)
{
    return hill_climb((climb){.own = own, .tries = gives_back_and_saves});
}

/* Moves that require no other moves take a trial or two each, so they are tried first. */
vdnn_status vdnn_opt_climb(vdnn_opt_search *own)
{
    VDNN_TRY(vdnn_opt_relax(own));
    return hill_climb((climb){.own = own, .tries = may_save, .repairs = REPAIRS});
}

/* ---- late acceptance ------------------------------------------------------------------------- */

/* A plan is compared with the one this many moves ago. */
enum { HISTORY = 64 };

/* This many draws that find no move count as a trial, so that the search limit is reached. */
enum { EMPTY_DRAWS = 8 };

/* A plan that is slower by no more than rounding is no slower. */
static const double ROUNDING = 1e-7;

static const uint64_t DRAWS_KEY = 20;

typedef struct walk {
    vdnn_opt_search *own;
    vdnn_opt_search at; /* its best is where it is now */
    vdnn_decisions scratch;
    double history[HISTORY]; /* seconds */
    uint32_t draws;
} walk;

/* Lists the moves of one subject: the passes or the parameters of a layer, a map, or the loads. */
static int moves_of(vdnn_opt_search *own, uint32_t subject, vdnn_opt_move list[VDNN_OPT_MOVES_MOST])
{
    const vdnn_graph *graph = own->graph;
    const vdnn_decisions *decisions = &own->best;
    const int32_t layers = graph->layer_count, at = (int32_t)subject;
    const double share = vdnn_opt_moves_link_share(own, decisions);
    vdnn_opt_copies_note(own, decisions);
    if (at < layers)
        return vdnn_opt_moves_of_layer(own, decisions, at, list);
    if (at < 2 * layers)
        return vdnn_opt_moves_of_params(own, decisions, share, at - layers, list);
    if (at < 2 * layers + graph->map_count)
        return vdnn_opt_moves_of_map(own, decisions, share, at - 2 * layers, list);
    return vdnn_opt_moves_of_loads(own, decisions, list);
}

/* Draws a move; false if there is no other decision for what was drawn. */
static bool draw_move(walk *d, uint32_t draw, vdnn_opt_move *move)
{
    const vdnn_graph *graph = d->own->graph;
    const uint32_t subjects = (uint32_t)(2 * graph->layer_count + graph->map_count + 1);
    vdnn_opt_move list[VDNN_OPT_MOVES_MOST];
    uint32_t bits[4], counter[4] = {draw, d->own->walks, 0, 0};
    vdnn_random_philox(DRAWS_KEY, counter, bits);
    const int count = moves_of(&d->at, bits[0] % subjects, list);
    if (count > 0)
        *move = list[bits[1] % (uint32_t)count];
    return count > 0;
}

/* Makes the move if it leads to a plan that takes less than these seconds. */
static vdnn_status take_move(walk *d, const vdnn_opt_move *move, double seconds)
{
    const vdnn_outcome now = d->at.time;
    bool taken;
    d->at.time.step_seconds = seconds;
    vdnn_status status = try_move(&d->at, move, &d->scratch, REPAIRS, &taken);
    if (!taken)
        d->at.time = now;
    return status;
}

static void keep_better(walk *d)
{
    if (!vdnn_opt_search_is_better(d->own, &d->at.time))
        return;
    vdnn_decisions_assign(&d->own->best, &d->at.best);
    d->own->time = d->at.time;
}

static double slower_of(double a, double b)
{
    return a > b ? a : b;
}

static vdnn_status walk_on(walk *d)
{
    vdnn_status status = VDNN_OK;
    for (int moves = 0; status == VDNN_OK && vdnn_opt_search_lasts(&d->at);) {
        vdnn_opt_move move;
        if (!draw_move(d, d->draws++, &move)) {
            d->at.trials += d->draws % EMPTY_DRAWS == 0;
            continue;
        }
        double *before = &d->history[moves++ % HISTORY];
        status = take_move(d, &move, (1 + ROUNDING) * slower_of(*before, d->at.time.step_seconds));
        *before = d->at.time.step_seconds;
        keep_better(d);
    }
    return status;
}

/* Begins at the search's best plan. */
static vdnn_status begin_walk(walk *d)
{
    vdnn_opt_search *own = d->own;
    VDNN_TRY(vdnn_opt_search_init(own->request, own->chained, &d->at));
    vdnn_status status = vdnn_decisions_copy(&d->at.best, &own->best);
    d->at.found = status == VDNN_OK;
    d->at.time = own->time;
    d->at.trials = own->trials;
    d->at.until = own->until;
    d->at.least_seconds = own->least_seconds;
    d->at.pace = VDNN_OPT_THOROUGH;
    for (int i = 0; i < HISTORY; i++)
        d->history[i] = own->time.step_seconds;
    return status == VDNN_OK ? vdnn_decisions_copy(&d->scratch, &own->best) : status;
}

vdnn_status vdnn_opt_accept_late(vdnn_opt_search *own)
{
    walk d = {.own = own};
    vdnn_status status = begin_walk(&d);
    VDNN_IF_OK(status, walk_on(&d));
    own->walks++;
    own->trials = d.at.found ? d.at.trials : own->trials;
    vdnn_decisions_fini(&d.scratch);
    vdnn_opt_search_fini(&d.at);
    return status;
}
