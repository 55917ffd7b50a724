#include "policies/opt/smallest.h"

#include "policies/offload_rule.h"
#include "policies/opt/descend.h"
#include "policies/opt/findings.h"
#include "policies/opt/relaxed.h"

#include <math.h>

/* The next limit as a share of the last arena: where one cannot be reached, a larger one is tried.
 */
static const double shares[] = {0.9, 0.97, 0.995};

enum { SHARES = sizeof shares / sizeof *shares, MOST_MOVES = 10000, MOST_HELPED = 2 };

/* Steps of layers in all trials of a descent, some seconds: the same plans come at every budget, so
 * that a budget found once is found again. */
enum { MOST_STEPS = 100000 };

/* The way down, from one plan to the next that is smaller, which no budget changes; a budget only
 * says where it ends. */
typedef struct path {
    vdnn_opt_search *own;
    vdnn_decisions *smallest; /* borrowed; so far */
    size_t arena_bytes;       /* of these */
    int64_t begun;            /* trials that were made before */
} path;

static bool is_enough(const path *of)
{
    return of->arena_bytes <= of->own->request->budget_bytes[VDNN_TIER_DEVICE];
}

static bool may_go_on(const path *of)
{
    return !is_enough(of) && !vdnn_opt_search_is_stopped(of->own);
}

/* NULL: there is none smaller. */
static vdnn_status remember_next(const path *of, const vdnn_decisions *next, size_t arena_bytes)
{
    const vdnn_policy_request *request = of->own->request;
    const vdnn_opt_answer found = {next, arena_bytes, of->own->trials - of->begun};
    if (vdnn_opt_findings_find(request, VDNN_OPT_SMALLER, of->smallest) != NULL)
        return VDNN_OK;
    return vdnn_opt_findings_keep(request, VDNN_OPT_SMALLER, of->smallest, &found);
}

static vdnn_status keep_smaller(path *of, const vdnn_decisions *made, size_t made_bytes)
{
    if (made_bytes >= of->arena_bytes)
        return VDNN_OK;
    vdnn_status status = remember_next(of, made, made_bytes);
    vdnn_decisions_assign(of->smallest, made);
    of->arena_bytes = made_bytes;
    return status;
}

/* What an earlier budget found; whether that is enough, or all there is. */
static bool follow(path *of)
{
    int64_t trials = 0;
    const vdnn_opt_answer *next = NULL;
    while (!is_enough(of)) {
        next = vdnn_opt_findings_find(of->own->request, VDNN_OPT_SMALLER, of->smallest);
        if (next == NULL)
            return false;
        trials = next->trials;
        if (next->decisions == NULL)
            break;
        vdnn_decisions_assign(of->smallest, next->decisions);
        of->arena_bytes = next->arena_bytes;
    }
    of->own->trials += trials;
    return true;
}

/* ---- descents -------------------------------------------------------------------------------- */

static int64_t steps_of(const vdnn_graph *graph)
{
    int64_t steps = 1; /* beside the layers */
    for (int32_t l = 0; l < graph->layer_count; l++)
        steps += (int64_t)graph->layers[l].parts;
    return steps;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

enum { MAPS_OF_MOVE = 3, TRIALS_OF_MOVE = 3 };

/* What a move takes at the most from what is alive at one time: a map, its gradient and what it is
 * recomputed from; parameters with state and gradient; or the workspace that is decided. */
static size_t most_taken(const vdnn_policy_request *request, const vdnn_decisions *made)
{
    const vdnn_graph *graph = request->graph;
    size_t most = 0;
    for (int32_t m = 0; m < graph->map_count; m++)
        most = larger(most, MAPS_OF_MOVE * graph->maps[m].bytes);
    for (int32_t l = 0; l < graph->layer_count; l++) {
        const vdnn_layer *layer = &graph->layers[l];
        most = larger(most, layer->param_bytes + layer->trainable_bytes +
                                vdnn_graph_state_bytes(graph, l));
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            const vdnn_choice *choice =
                vdnn_decisions_choice(made, request->profile, l, (vdnn_pass)p);
            most = choice == NULL ? most : larger(most, choice->workspace_bytes);
        }
    }
    return most;
}

/* Whether the trials that are left can lead from there to a smaller arena than the smallest: each
 * move is the better of two that are tried, and what it leads to is looked at. */
static bool may_get_there(const path *of, const vdnn_decisions *made, size_t arena, int64_t until)
{
    const int64_t left = until - of->own->trials,
                  moves = 1 + (left > 0 ? left / TRIALS_OF_MOVE : 0);
    const double taken = (double)moves * (double)most_taken(of->own->request, made);
    return (double)arena - taken < (double)of->arena_bytes;
}

static vdnn_status descend_from(path *of, vdnn_decisions *made)
{
    vdnn_opt_search *own = of->own;
    const int64_t until = own->trials + MOST_STEPS / steps_of(own->request->graph);
    size_t arena, last;
    vdnn_decisions start;
    VDNN_TRY(vdnn_decisions_copy(&start, made));
    vdnn_status status = vdnn_opt_search_pack(own, made, &last);
    for (int share = 0; share < SHARES && status == VDNN_OK && may_go_on(of);) {
        bool fits;
        if (!may_get_there(of, &start, last, until))
            break;
        vdnn_opt_limits limits = {.device_bytes = (size_t)(shares[share] * (double)last),
                                  .most_moves = MOST_MOVES,
                                  .most_helped = MOST_HELPED,
                                  .until = until,
                                  .one_by_one = true,
                                  .most_seconds = HUGE_VAL};
        vdnn_decisions_assign(made, &start);
        status = vdnn_opt_descend(own, made, &limits, &fits);
        if (status == VDNN_OK)
            status = vdnn_opt_search_pack(own, made, &arena);
        if (status == VDNN_OK && arena < last) {
            last = arena;
            vdnn_decisions_assign(&start, made);
            status = keep_smaller(of, made, arena);
        } else {
            share++;
        }
    }
    vdnn_decisions_fini(&start);
    return status;
}

/* What no backward pass needs is there only while it is read, also where it is recomputed for other
 * maps. */
static void recompute_unneeded(const vdnn_policy_request *request, vdnn_decisions *made)
{
    for (int32_t m = 0; m < request->graph->map_count; m++)
        if (request->graph->maps[m].needed_count == 0 &&
            vdnn_decisions_recompute_refusal(request->graph, request->profile, made, m) == NULL)
            made->maps[m].action = VDNN_RECOMPUTE;
}

/* ---- where from ------------------------------------------------------------------------------ */

static vdnn_status decide_by(const vdnn_opt_search *own, const vdnn_offload_rule *rule,
                             vdnn_decisions *made)
{
    VDNN_TRY(vdnn_offload_rule_decide(own->request, rule, VDNN_ALGO_M, made));
    vdnn_opt_search_chain(own, made);
    vdnn_opt_search_sign(made);
    return VDNN_OK;
}

/* By what offloads the most, and by what recomputes the most, where that is something else. */
static vdnn_status descend_by_rules(path *of)
{
    static const vdnn_offload_rule recomputing = {
        .selects = {[VDNN_ROLE_CONV] = true, [VDNN_ROLE_FEATURE] = true}, .recomputes = 1};
    vdnn_decisions offloaded, recomputed;
    VDNN_TRY(decide_by(of->own, &vdnn_offload_all, &offloaded));
    vdnn_status status = decide_by(of->own, &recomputing, &recomputed);
    if (status == VDNN_OK) {
        const bool differs = !vdnn_decisions_same(&offloaded, &recomputed);
        status = descend_from(of, &offloaded);
        if (status == VDNN_OK && differs && may_go_on(of))
            status = descend_from(of, &recomputed);
        vdnn_decisions_fini(&recomputed);
    }
    vdnn_decisions_fini(&offloaded);
    return status;
}

static vdnn_status descend_staying(path *of)
{
    static const vdnn_offload_rule staying = {.recomputes = 1};
    vdnn_decisions made;
    VDNN_TRY(decide_by(of->own, &staying, &made));
    recompute_unneeded(of->own->request, &made);
    vdnn_status status = descend_from(of, &made);
    vdnn_decisions_fini(&made);
    return status;
}

/* By prices; from there only if they help. */
static vdnn_status descend_relaxed(path *of)
{
    vdnn_decisions made;
    size_t made_bytes = SIZE_MAX;
    VDNN_TRY(vdnn_decisions_copy(&made, of->smallest));
    vdnn_status status = vdnn_opt_relax_smallest(of->own, &made);
    if (status == VDNN_OK)
        status = vdnn_opt_search_pack(of->own, &made, &made_bytes);
    if (status == VDNN_OK && made_bytes < of->arena_bytes) {
        status = keep_smaller(of, &made, made_bytes);
        if (status == VDNN_OK)
            status = descend_from(of, &made);
    }
    vdnn_decisions_fini(&made);
    return status;
}

/* Whether the other tiers hold all that can be offloaded. */
static vdnn_status may_offload_all(const vdnn_opt_search *own, bool *may)
{
    vdnn_decisions made;
    size_t arena_bytes = SIZE_MAX;
    VDNN_TRY(decide_by(own, &vdnn_offload_all, &made));
    vdnn_status status = vdnn_opt_search_pack(own, &made, &arena_bytes);
    *may = arena_bytes < SIZE_MAX;
    vdnn_decisions_fini(&made);
    return status;
}

/* Where the host is too small for what offloads the most, by prices, and if they find nothing by
 * what offloads nothing. */
static vdnn_status go_down(path *of)
{
    const size_t before = of->arena_bytes;
    bool is_ample = false;
    vdnn_status status = may_offload_all(of->own, &is_ample);
    if (status == VDNN_OK)
        status = is_ample ? descend_by_rules(of) : descend_relaxed(of);
    if (status == VDNN_OK && of->arena_bytes == before)
        status = descend_staying(of);
    return status == VDNN_OK && may_go_on(of) ? remember_next(of, NULL, of->arena_bytes) : status;
}

vdnn_status vdnn_opt_smallest(vdnn_opt_search *own, vdnn_decisions *decisions, size_t *arena_bytes)
{
    path of = {.own = own, .smallest = decisions, .begun = own->trials};
    vdnn_decisions start;
    vdnn_status status = vdnn_opt_search_pack(own, decisions, arena_bytes);
    if (status == VDNN_OK)
        status = vdnn_decisions_copy(&start, decisions);
    if (status != VDNN_OK)
        return status;
    of.arena_bytes = *arena_bytes;
    if (!follow(&of)) {
        vdnn_decisions_assign(decisions, &start);
        of.arena_bytes = *arena_bytes;
        status = go_down(&of);
    }
    *arena_bytes = of.arena_bytes;
    vdnn_decisions_fini(&start);
    return status;
}
