#include "policies/dyn/candidates.h"

#include "policies/keep_maps.h"

static const vdnn_offload_rule base_recomputing = {.recomputes = 1};
static const vdnn_offload_rule conv_recomputing = {.selects = {[VDNN_ROLE_CONV] = true},
                                                   .recomputes = 1};

const vdnn_dyn_candidate vdnn_dyn_fast[VDNN_DYN_CANDIDATES] = {
    {"base", &base_recomputing, VDNN_ALGO_P},
    {"conv", &conv_recomputing, VDNN_ALGO_P},
    {"all", &vdnn_offload_all, VDNN_ALGO_P}};
const vdnn_dyn_candidate vdnn_dyn_lean[VDNN_DYN_CANDIDATES] = {
    {"all", &vdnn_offload_all, VDNN_ALGO_M},
    {"conv", &conv_recomputing, VDNN_ALGO_M},
    {"base", &base_recomputing, VDNN_ALGO_M}};
const vdnn_dyn_candidate *const vdnn_dyn_greedy[VDNN_DYN_GREEDY] = {&vdnn_dyn_lean[1],
                                                                    &vdnn_dyn_lean[0]};

vdnn_status vdnn_dyn_candidates_decide(const vdnn_policy_request *request,
                                       const vdnn_dyn_candidate *candidate,
                                       vdnn_decisions *decisions)
{
    vdnn_status status =
        vdnn_offload_rule_decide(request, candidate->rule, candidate->mode, decisions);
    if (status == VDNN_OK)
        decisions->policy = candidate->policy;
    return status;
}

vdnn_status vdnn_dyn_candidates_decide_for_host(const vdnn_policy_request *request,
                                                const vdnn_dyn_candidate *candidate,
                                                vdnn_decisions *decisions)
{
    vdnn_status status = vdnn_dyn_candidates_decide(request, candidate, decisions);
    if (status != VDNN_OK || request->planning->graph->rules != VDNN_RULES_LEAN)
        return status;
    status = vdnn_keep_maps_host_lacks(request, decisions);
    if (status != VDNN_OK)
        vdnn_decisions_fini(decisions);
    return status;
}

/* Whether a plan of decisions has a smaller device arena than the smallest so far, and its copies
 * fit the other tiers; then *arena_bytes is its arena. */
static vdnn_status is_smaller(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                              size_t *arena_bytes, bool *smaller)
{
    const size_t *budget_bytes = request->planning->budget_bytes;
    vdnn_outcome bound, packed;
    vdnn_status status = vdnn_planning_evaluate(request->planning, decisions, VDNN_BOUND, &bound);
    *smaller = false;
    if (status != VDNN_OK || bound.arena_bytes[VDNN_TIER_DEVICE] >= *arena_bytes)
        return status;
    VDNN_TRY(vdnn_planning_evaluate(request->planning, decisions, VDNN_PACKED, &packed));
    *smaller = vdnn_tier_exceeded_from(VDNN_TIER_HOST, packed.arena_bytes, budget_bytes) ==
                   VDNN_TIER_COUNT &&
               packed.arena_bytes[VDNN_TIER_DEVICE] < *arena_bytes;
    if (*smaller)
        *arena_bytes = packed.arena_bytes[VDNN_TIER_DEVICE];
    return VDNN_OK;
}

vdnn_status vdnn_dyn_candidates_smallest(const vdnn_policy_request *request,
                                         vdnn_decisions *decisions, size_t *arena_bytes)
{
    vdnn_decisions best = {.maps = NULL};
    *arena_bytes = SIZE_MAX;
    for (int i = 0; i < VDNN_DYN_CANDIDATES; i++) {
        vdnn_decisions made;
        bool smaller = false;
        vdnn_status status = vdnn_dyn_candidates_decide_for_host(request, &vdnn_dyn_lean[i], &made);
        if (status == VDNN_OK) {
            status = is_smaller(request, &made, arena_bytes, &smaller);
            vdnn_decisions_fini(smaller ? &best : &made);
        }
        if (status != VDNN_OK) {
            vdnn_decisions_fini(&best);
            return status;
        }
        if (smaller)
            best = made;
    }
    *decisions = best;
    return VDNN_OK;
}
