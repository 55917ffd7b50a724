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

static void keep_smaller(const vdnn_decisions *made, size_t made_bytes, vdnn_decisions *best,
                         size_t *arena_bytes)
{
    if (made_bytes >= *arena_bytes)
        return;
    vdnn_decisions_assign(best, made);
    *arena_bytes = made_bytes;
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
        bool fits;
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
            keep_smaller(made, arena, best, arena_bytes);
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
    vdnn_status status = decide_by(own, rule, &made);
    if (status != VDNN_OK)
        return status;
    status = descend_from(own, &made, best, arena_bytes);
    vdnn_decisions_fini(&made);
    return status;
}

static vdnn_status descend_staying(vdnn_opt_search *own, vdnn_decisions *best, size_t *arena_bytes)
{
    static const vdnn_offload_rule staying = {.recomputes = 1};
    vdnn_decisions made;
    vdnn_status status = decide_by(own, &staying, &made);
    if (status != VDNN_OK)
        return status;
    recompute_unneeded(own->request, &made);
    status = descend_from(own, &made, best, arena_bytes);
    vdnn_decisions_fini(&made);
    return status;
}

/* By prices; from there only if they help. */
static vdnn_status descend_relaxed(vdnn_opt_search *own, vdnn_decisions *best, size_t *arena_bytes)
{
    vdnn_decisions made;
    size_t made_bytes = SIZE_MAX;
    vdnn_status status = vdnn_decisions_copy(&made, best);
    if (status != VDNN_OK)
        return status;
    status = vdnn_opt_relax_smallest(own, &made);
    vdnn_opt_search_sign(&made);
    if (status == VDNN_OK)
        status = vdnn_opt_search_pack(own, &made, &made_bytes);
    if (status == VDNN_OK && made_bytes < *arena_bytes) {
        keep_smaller(&made, made_bytes, best, arena_bytes);
        status = descend_from(own, &made, best, arena_bytes);
    }
    vdnn_decisions_fini(&made);
    return status;
}

/* Whether the other tiers hold all that can be offloaded. */
static vdnn_status may_offload_all(const vdnn_opt_search *own, bool *may)
{
    vdnn_decisions made;
    size_t arena_bytes = SIZE_MAX;
    vdnn_status status = decide_by(own, &vdnn_offload_all, &made);
    if (status != VDNN_OK)
        return status;
    status = vdnn_opt_search_pack(own, &made, &arena_bytes);
    *may = arena_bytes < SIZE_MAX;
    vdnn_decisions_fini(&made);
    return status;
}

/* From what it is, and by what offloads, or recomputes, the most; where the host is too small for
 * that, by prices, and if they find nothing by what offloads nothing. */
static vdnn_status find_smallest(vdnn_opt_search *own, vdnn_decisions *decisions,
                                 size_t *arena_bytes)
{
    static const vdnn_offload_rule recomputing = {
        .selects = {[VDNN_ROLE_CONV] = true, [VDNN_ROLE_FEATURE] = true}, .recomputes = 1};
    bool is_ample = false;
    vdnn_status status = vdnn_opt_search_pack(own, decisions, arena_bytes);
    const size_t before = *arena_bytes;
    if (status == VDNN_OK)
        status = may_offload_all(own, &is_ample);
    if (status == VDNN_OK && is_ample)
        status = descend_by(own, &vdnn_offload_all, decisions, arena_bytes);
    if (status == VDNN_OK && is_ample)
        status = descend_by(own, &recomputing, decisions, arena_bytes);
    if (status == VDNN_OK && !is_ample)
        status = descend_relaxed(own, decisions, arena_bytes);
    if (status == VDNN_OK && *arena_bytes == before)
        status = descend_staying(own, decisions, arena_bytes);
    return status;
}

vdnn_status vdnn_opt_smallest(vdnn_opt_search *own, vdnn_decisions *decisions, size_t *arena_bytes)
{
    const vdnn_opt_answer *known =
        vdnn_opt_findings_find(own->request, VDNN_OPT_SMALLEST, decisions);
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
        status = vdnn_opt_findings_keep(own->request, VDNN_OPT_SMALLEST, &start, &found);
    vdnn_decisions_fini(&start);
    return status;
}
