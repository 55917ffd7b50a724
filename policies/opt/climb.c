#include "policies/opt/climb.h"

#include "policies/opt/descend.h"

#include <math.h>

enum { HELPED = 6, ROUNDS = 6, REPAIRS = 8, DESCENTS = 100000 };

/* Descends below the budget by what packing loses, until the plan fits or cannot be better. */
static vdnn_status fit(vdnn_opt_search *own, vdnn_decisions *decisions, const vdnn_opt_move *kept,
                       int most_moves, bool *taken)
{
    const size_t budget = own->request->budget_bytes[VDNN_TIER_DEVICE];
    vdnn_opt_limits limits = {.device_bytes = budget,
                              .kept = kept,
                              .most_moves = most_moves,
                              .most_helped = HELPED,
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
    return fit(own, decisions, NULL, DESCENTS, &taken);
}

typedef struct climb {
    vdnn_opt_search *own;
    vdnn_decisions scratch;
    bool (*tries)(const vdnn_opt_move *move); /* NULL: every move */
    int repairs;                              /* that a move may take to fit */
    bool helped;
} climb;

/* A move, and what it takes to fit. */
static vdnn_status try_move(climb *c, const vdnn_opt_move *move, bool *taken)
{
    vdnn_decisions_assign(&c->scratch, &c->own->best);
    vdnn_opt_moves_make(move, &c->scratch);
    vdnn_opt_search_sign(&c->scratch);
    return fit(c->own, &c->scratch, move, c->repairs, taken);
}

/* All moves of one kind of the best; anew from the one that helped. */
static vdnn_status try_moves(climb *c, const vdnn_opt_move *list, int count)
{
    vdnn_status status = VDNN_OK;
    for (int i = 0; i < count && status == VDNN_OK && vdnn_opt_search_lasts(c->own); i++) {
        bool taken = false;
        if (c->tries != NULL && !c->tries(&list[i]))
            continue;
        status = try_move(c, &list[i], &taken);
        c->helped = c->helped || taken;
    }
    return status;
}

static vdnn_status sweep(climb *c)
{
    const vdnn_graph *graph = c->own->request->graph;
    vdnn_opt_search *own = c->own;
    vdnn_opt_move list[VDNN_OPT_MOVES_MOST];
    vdnn_status status = try_moves(c, list, vdnn_opt_moves_of_loads(own, &own->best, list));
    for (int32_t l = 0; l < graph->layer_count && status == VDNN_OK; l++)
        status = try_moves(c, list, vdnn_opt_moves_of_layer(own, &own->best, l, list));
    for (int32_t l = 0; l < graph->layer_count && status == VDNN_OK; l++)
        status = try_moves(c, list, vdnn_opt_moves_of_params(own, &own->best, l, list));
    for (int32_t m = 0; m < graph->map_count && status == VDNN_OK; m++)
        status = try_moves(c, list, vdnn_opt_moves_of_map(own, &own->best, m, list));
    return status;
}

static vdnn_status sweep_until_none_helps(climb c)
{
    vdnn_status status = vdnn_decisions_copy(&c.scratch, &c.own->best);
    if (status != VDNN_OK)
        return status;
    c.helped = true;
    while (c.helped && status == VDNN_OK && vdnn_opt_search_lasts(c.own)) {
        c.helped = false;
        status = sweep(&c);
    }
    vdnn_decisions_fini(&c.scratch);
    return status;
}

vdnn_status vdnn_opt_climb(vdnn_opt_search *own)
{
    return sweep_until_none_helps((climb){.own = own, .repairs = REPAIRS});
}

/* What costs nothing beside memory. */
static bool gives_back(const vdnn_opt_move *move)
{
    switch (move->subject) {
    case VDNN_OPT_MAP:
        return move->map.action == VDNN_KEEP;
    case VDNN_OPT_PARAMS:
        return move->params.action == VDNN_KEEP;
    case VDNN_OPT_PASS:
        return move->seconds < 0;
    default:
        return true;
    }
}

vdnn_status vdnn_opt_relax(vdnn_opt_search *own)
{
    return sweep_until_none_helps((climb){.own = own, .tries = gives_back});
}
