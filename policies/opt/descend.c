#include "policies/opt/descend.h"

#include "runtime/base/heap.h"

#include <math.h>
#include <stdlib.h>

/* Of the moves that may help, so many are tried; and more of them if none of these does. */
enum { TRIED = 18 };

/* What saves less than this part of what is to be saved is left for the end: a step for each of
 * many small blocks takes more trials than it is worth. */
enum { LEAST_PART = 64 };

/* Of a move that was tried: what it costs for each byte; bytes above the limit that it takes. */
typedef struct outcome {
    double price, saved;
    bool is_made;
} outcome;

typedef struct descent {
    vdnn_opt_search *own;
    vdnn_decisions *decisions;
    const vdnn_opt_limits *limits;
    vdnn_trial_peak peak; /* of the decisions */
    vdnn_trial_bound bound;
    vdnn_opt_move *list; /* owned */
    int count, capacity;
    outcome *tried; /* owned; of the list */
    vdnn_opt_move_set failed;
} descent;

/* Seconds per byte that it saves; those that save the most come first of equals. */
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

static void add(descent *d, size_t least_bytes, const vdnn_opt_move *moves, int count)
{
    for (int i = 0; i < count && d->count < d->capacity; i++) {
        bool is_kept = d->limits->kept != NULL && vdnn_opt_moves_share(d->limits->kept, &moves[i]);
        bool is_held =
            moves[i].subject == VDNN_OPT_MAP &&
            (vdnn_decisions_keeps_all(&moves[i].map) || moves[i].map.action == VDNN_DROP);
        bool is_divided = moves[i].subject == VDNN_OPT_MAP && moves[i].map.recomputed > 0;
        bool may_be = !is_kept && !is_held && (d->limits->divides || !is_divided);
        if (moves[i].saved_bytes > least_bytes && may_be &&
            !vdnn_opt_move_set_has(&d->failed, &moves[i]))
            d->list[d->count++] = moves[i];
    }
}

static void list_moves(descent *d, size_t least_bytes)
{
    const vdnn_graph *graph = d->own->request->graph;
    vdnn_opt_move moves[VDNN_OPT_MOVES_MOST];
    const double share = vdnn_opt_moves_link_share(d->own, d->decisions);
    d->count = 0;
    d->own->lists_few = d->own->pace != VDNN_OPT_THOROUGH;
    vdnn_opt_copies_note(d->own, d->decisions);
    for (int32_t m = 0; m < graph->map_count; m++)
        if (d->own->alive[m].map_bytes > 0)
            add(d, least_bytes, moves,
                vdnn_opt_moves_of_map(d->own, d->decisions, share, m, moves));
    for (int32_t m = 0; m < graph->map_count; m++)
        if (d->own->alive[m].gradient_bytes > 0)
            add(d, least_bytes, moves,
                vdnn_opt_moves_of_gradient(d->own, d->decisions, share, m, moves));
    if (d->peak.layer >= 0)
        add(d, least_bytes, moves,
            vdnn_opt_moves_of_layer(d->own, d->decisions, d->peak.layer, moves));
    for (int32_t l = 0; l < graph->layer_count; l++)
        add(d, least_bytes, moves, vdnn_opt_moves_of_params(d->own, d->decisions, share, l, moves));
    add(d, least_bytes, moves, vdnn_opt_moves_of_loads(d->own, d->decisions, moves));
    d->own->lists_few = false;
    qsort(d->list, (size_t)d->count, sizeof *d->list, by_price);
}

static const double FREE = 1e-9; /* seconds of what costs none */

/* What a move costs for each byte that it takes from above the limit; HUGE_VAL: it takes none, or
 * the plan takes too long with it. */
static double price(const descent *d, const vdnn_opt_move *move, const vdnn_trial_peak *peak,
                    const vdnn_trial_bound *bound)
{
    const size_t *budget_bytes = d->own->request->budget_bytes;
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

static bool lasts(const descent *d)
{
    return d->limits->until > 0
               ? d->own->trials < d->limits->until && !vdnn_opt_search_is_stopped(d->own)
               : vdnn_opt_search_lasts(d->own);
}

/* Those that cost at most so many times as much for each byte as the best are made with it. */
static const double AS_GOOD = 1.05;

static vdnn_status try_move(descent *d, int i, vdnn_decisions *scratch)
{
    const vdnn_trial *trial = d->own->request->trial;
    vdnn_trial_peak peak;
    vdnn_trial_bound bound;
    vdnn_decisions_assign(scratch, d->decisions);
    vdnn_opt_moves_make(&d->list[i], scratch);
    d->own->trials++;
    d->tried[i] = (outcome){.price = HUGE_VAL};
    VDNN_TRY(trial->peak(trial, scratch, d->limits->device_bytes, NULL, &peak, &bound));
    d->tried[i].price = price(d, &d->list[i], &peak, &bound);
    d->tried[i].saved = d->peak.overflow_bytes - peak.overflow_bytes;
    if (d->tried[i].price >= HUGE_VAL)
        vdnn_opt_move_set_add(&d->failed, &d->list[i]);
    return VDNN_OK;
}

/* Of the list, until enough of them help: how many were tried, and the best; -1: none helps. Where
 * none does the list is long: a descent ends within it. One with trials of its own is for a plan
 * that there has to be, and ends between steps alone. */
static vdnn_status try_first(descent *d, int *count, int *best)
{
    vdnn_decisions scratch;
    vdnn_status status = vdnn_decisions_copy(&scratch, d->decisions);
    if (status != VDNN_OK)
        return status;
    vdnn_opt_lookahead lookahead = {.list = d->list,
                                    .count = d->count,
                                    .from = d->decisions,
                                    .scratch = &scratch,
                                    .limit_bytes = d->limits->device_bytes};
    *best = -1;
    int i = 0;
    for (int helped = 0; i < d->count && helped < (i < TRIED ? d->limits->most_helped : 1) &&
                         status == VDNN_OK && (d->limits->until > 0 || lasts(d));
         i++) {
        vdnn_opt_lookahead_reach(&lookahead, d->own->request->trial, i);
        status = try_move(d, i, &scratch);
        helped += d->tried[i].price < HUGE_VAL;
        if (d->tried[i].price < (*best < 0 ? HUGE_VAL : d->tried[*best].price))
            *best = i;
    }
    *count = i;
    vdnn_decisions_fini(&scratch);
    return status;
}

static void make(descent *d, int i, double *saved)
{
    vdnn_opt_moves_make(&d->list[i], d->decisions);
    d->tried[i].is_made = true;
    *saved += d->tried[i].saved;
}

/* Whether none that is made decides the same thing. */
static bool decides_anew(const descent *d, int count, int i)
{
    for (int k = 0; k < count; k++)
        if (d->tried[k].is_made && vdnn_opt_moves_share(&d->list[k], &d->list[i]))
            return false;
    return true;
}

/* Makes the best of the first moves of the list, and those about as good, as far as they are
 * required; *moved: there is one. */
static vdnn_status step(descent *d, bool *moved)
{
    int count = 0, best = -1;
    double saved = 0;
    vdnn_status status = try_first(d, &count, &best);
    *moved = status == VDNN_OK && best >= 0;
    if (!*moved)
        return status;
    make(d, best, &saved);
    for (int i = 0; i < count && !d->limits->one_by_one; i++) {
        const outcome *at = &d->tried[i];
        if (at->price < HUGE_VAL &&
            at->price <= fmax(AS_GOOD * d->tried[best].price, FREE / at->saved) &&
            saved + at->saved <= d->peak.overflow_bytes && decides_anew(d, count, i))
            make(d, i, &saved);
    }
    return VDNN_OK;
}

/* Of the moves that save much and have not failed; if none of these helps, of all. */
static vdnn_status move(descent *d, bool *moved)
{
    const size_t excess = d->peak.bytes - d->limits->device_bytes;
    const size_t least_bytes[] = {excess / LEAST_PART, 0, 0};
    vdnn_status status = VDNN_OK;
    *moved = false;
    for (int i = 0; i < 3 && status == VDNN_OK && !*moved; i++) {
        if (i == 2)
            vdnn_opt_move_set_clear(&d->failed);
        list_moves(d, least_bytes[i]);
        status = step(d, moved);
    }
    return status;
}

static vdnn_status look(descent *d)
{
    return vdnn_opt_search_peak(d->own, d->decisions, d->limits->device_bytes, &d->peak, &d->bound);
}

static vdnn_status descend(descent *d, bool *fits)
{
    const vdnn_opt_limits *limits = d->limits;
    bool moved = true;
    vdnn_status status = look(d);
    for (int i = 0; status == VDNN_OK && moved && d->peak.overflow_bytes > 0; i++) {
        moved = i < limits->most_moves && d->bound.step_seconds < limits->most_seconds && lasts(d);
        if (moved)
            status = move(d, &moved);
        if (status == VDNN_OK && moved)
            status = look(d);
    }
    *fits = status == VDNN_OK && d->peak.overflow_bytes <= 0 &&
            d->bound.step_seconds < limits->most_seconds;
    return status;
}

vdnn_status vdnn_opt_descend(vdnn_opt_search *own, vdnn_decisions *decisions,
                             const vdnn_opt_limits *limits, bool *fits)
{
    const vdnn_graph *graph = own->request->graph;
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
    if (status == VDNN_OK)
        status = descend(&d, fits);
    vdnn_opt_move_set_fini(&d.failed);
    vdnn_heap_free(d.list);
    vdnn_heap_free(d.tried);
    return status;
}

/* ---- to a plan that fits --------------------------------------------------------------------- */

/* Of moves that help, this many are compared; rounds of descents, each further below the budget by
 * what packing lost. */
enum { HELPED = 6, ROUNDS = 6, DESCENTS = 100000 };

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

vdnn_status vdnn_opt_descend_from(vdnn_opt_search *own, vdnn_decisions *decisions)
{
    bool taken;
    vdnn_opt_search_sign(decisions);
    return vdnn_opt_fit(own, decisions, NULL, DESCENTS, &taken);
}
