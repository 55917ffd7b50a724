#include "policies/opt/smallest.h"

#include "policies/offload_rule.h"
#include "policies/opt/descend.h"
#include "policies/opt/memory.h"

#include <math.h>

/* The next limit as a share of the last arena: where one cannot be reached, a larger one is tried.
 */
static const double shares[] = {0.9, 0.97, 0.995};

enum { SHARES = sizeof shares / sizeof *shares, MOST_MOVES = 10000, MOST_HELPED = 2 };

/* Steps of layers in all trials of a descent, some seconds: the same plans come at every budget, so
 * that a budget found once is found again. */
enum { MOST_STEPS = 100000 };

/* Replaces *best if the arena of `made` is smaller. */
static vdnn_status keep_smaller(const vdnn_opt_search *own, const vdnn_decisions *made,
                                vdnn_decisions *best, size_t *arena_bytes, bool *smaller)
{
    size_t arena;
    vdnn_status status = vdnn_opt_search_pack(own, made, &arena);
    *smaller = status == VDNN_OK && arena < *arena_bytes;
    if (*smaller) {
        vdnn_decisions_assign(best, made);
        *arena_bytes = arena;
    }
    return status;
}

static int64_t steps_of(const vdnn_graph *graph)
{
    int64_t steps = 1; /* beside the layers */
    for (int32_t l = 0; l < graph->layer_count; l++)
        steps += (int64_t)graph->layers[l].parts;
    return steps;
}

static vdnn_status descend_from(vdnn_opt_search *own, vdnn_decisions *made, vdnn_decisions *best,
                                size_t *arena_bytes)
{
    const int64_t until = own->trials + MOST_STEPS / steps_of(own->request->graph);
    size_t arena, last;
    vdnn_decisions start;
    vdnn_status status = vdnn_decisions_copy(&start, made);
    if (status != VDNN_OK)
        return status;
    status = vdnn_opt_search_pack(own, made, &last);
    for (int share = 0; share < SHARES && status == VDNN_OK && !vdnn_opt_search_is_stopped(own);) {
        bool fits, smaller = false;
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
            status = keep_smaller(own, made, best, arena_bytes, &smaller);
        } else {
            share++;
        }
    }
    vdnn_decisions_fini(&start);
    return status;
}

static vdnn_status decide(const vdnn_opt_search *own, const vdnn_offload_rule *rule,
                          vdnn_decisions *made)
{
    vdnn_status status = vdnn_offload_rule_decide(own->request, rule, VDNN_ALGO_M, made);
    if (status != VDNN_OK)
        return status;
    vdnn_opt_search_chain(own, made);
    vdnn_opt_search_sign(made);
    return VDNN_OK;
}

static vdnn_status descend_by(vdnn_opt_search *own, const vdnn_offload_rule *rule,
                              vdnn_decisions *best, size_t *arena_bytes)
{
    vdnn_decisions made;
    vdnn_status status = decide(own, rule, &made);
    if (status != VDNN_OK)
        return status;
    status = descend_from(own, &made, best, arena_bytes);
    vdnn_decisions_fini(&made);
    return status;
}

/* Nothing is offloaded, and what no backward pass needs is there only while it is read: also where
 * it is recomputed for other maps. */
static vdnn_status descend_on_device(vdnn_opt_search *own, vdnn_decisions *best,
                                     size_t *arena_bytes)
{
    static const vdnn_offload_rule none = {.recomputes = 1};
    const vdnn_policy_request *request = own->request;
    vdnn_decisions made;
    vdnn_status status = decide(own, &none, &made);
    if (status != VDNN_OK)
        return status;
    for (int32_t m = 0; m < request->graph->map_count; m++)
        if (request->graph->maps[m].needed_count == 0 &&
            vdnn_decisions_recompute_refusal(request->graph, request->profile, &made, m) == NULL)
            made.maps[m].action = VDNN_RECOMPUTE;
    status = descend_from(own, &made, best, arena_bytes);
    vdnn_decisions_fini(&made);
    return status;
}

/* From what it is, and by what offloads, or recomputes, the most; if that takes more host memory
 * than there is, by what offloads nothing. */
static vdnn_status find_smallest(vdnn_opt_search *own, vdnn_decisions *decisions,
                                 size_t *arena_bytes)
{
    static const vdnn_offload_rule recomputing = {
        .selects = {[VDNN_ROLE_CONV] = true, [VDNN_ROLE_FEATURE] = true}, .recomputes = 1};
    vdnn_status status = vdnn_opt_search_pack(own, decisions, arena_bytes);
    const size_t before = *arena_bytes;
    if (status == VDNN_OK)
        status = descend_by(own, &vdnn_offload_all, decisions, arena_bytes);
    if (status == VDNN_OK)
        status = descend_by(own, &recomputing, decisions, arena_bytes);
    if (status == VDNN_OK && *arena_bytes == before)
        status = descend_on_device(own, decisions, arena_bytes);
    return status;
}

vdnn_status vdnn_opt_smallest(vdnn_opt_search *own, vdnn_decisions *decisions, size_t *arena_bytes)
{
    const vdnn_opt_answer *known = vdnn_opt_memory_find(own->request, VDNN_OPT_SMALLEST, decisions);
    const int64_t begun = own->trials;
    vdnn_decisions start;
    if (known != NULL) {
        vdnn_decisions_assign(decisions, known->decisions);
        *arena_bytes = known->arena_bytes;
        own->trials += known->trials;
        return VDNN_OK;
    }
    vdnn_status status = vdnn_decisions_copy(&start, decisions);
    if (status != VDNN_OK)
        return status;
    status = find_smallest(own, decisions, arena_bytes);
    const vdnn_opt_answer found = {decisions, *arena_bytes, own->trials - begun};
    if (status == VDNN_OK && !vdnn_opt_search_is_stopped(own))
        status = vdnn_opt_memory_keep(own->request, VDNN_OPT_SMALLEST, &start, &found);
    vdnn_decisions_fini(&start);
    return status;
}
