/* The paper's vDNN_dyn: planning passes from the fastest to the leanest, the first that fits is
 * taken.
 *
 *   1. can the network be trained at all? does any plan of pass 4 fit?
 *   2. fastest algorithms: no offload, then conv, then all
 *   3. conv, then all, each layer stepped down to the fastest algorithm whose workspace fits
 *   4. memory-optimal algorithms: all, then conv, then no offload
 *
 * Under the lean rules every candidate of passes 2 to 4 is judged after keeping as many maps on the
 * device as both budgets allow, prefetches begin as early as memory allows, and the candidate with
 * the least time is taken (dyn/fastest.h). The first two of pass 2 and their variants also
 * recompute what is cheap.
 */

#include "policies/dyn/fastest.h"
#include "policies/dyn/greedy.h"

#include <math.h>

/* ---- the paper's rules ----------------------------------------------------------------------- */

/* The first candidate that fits: *found, and its decisions. */
static vdnn_status first_that_fits(const vdnn_policy_request *request,
                                   const vdnn_dyn_candidate *candidates, vdnn_decisions *decisions,
                                   bool *found)
{
    *found = false;
    for (int i = 0; i < VDNN_DYN_CANDIDATES; i++) {
        vdnn_decisions made;
        VDNN_TRY(vdnn_dyn_candidates_decide_for_host(request, &candidates[i], &made));
        vdnn_status status = vdnn_planning_fits(request->planning, &made, VDNN_TIER_COUNT, found);
        if (status == VDNN_OK && *found) {
            *decisions = made;
            return VDNN_OK;
        }
        vdnn_decisions_fini(&made);
        if (status != VDNN_OK)
            return status;
    }
    return VDNN_OK;
}

/* Passes 2 to 4; *best is the first of pass 4 that fits. */
static vdnn_status take_first(const vdnn_policy_request *request, vdnn_decisions *best)
{
    vdnn_decisions better;
    bool found = false;
    vdnn_status status = first_that_fits(request, vdnn_dyn_fast, &better, &found);
    for (int i = 0; i < VDNN_DYN_GREEDY && status == VDNN_OK && !found; i++)
        status = vdnn_dyn_greedy_decide(request, vdnn_dyn_greedy[i], HUGE_VAL, &better, &found);
    if (status == VDNN_OK && found) {
        vdnn_decisions_fini(best);
        *best = better;
    }
    return status;
}

/* ---- the policy ------------------------------------------------------------------------------ */

/* The network cannot be trained: *decisions are those with the smallest arena. */
static vdnn_status refuse(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    size_t arena_bytes;
    VDNN_TRY(vdnn_dyn_candidates_smallest(request, decisions, &arena_bytes));
    return vdnn_status_fail(VDNN_NO_FIT, "the smallest arena of any pass is %zu bytes",
                            arena_bytes);
}

static vdnn_status decide(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    bool is_lean = request->planning->graph->rules == VDNN_RULES_LEAN, found;
    vdnn_decisions made;
    VDNN_TRY(first_that_fits(request, vdnn_dyn_lean, &made, &found));
    if (!found)
        return refuse(request, decisions);
    vdnn_status status =
        is_lean ? vdnn_dyn_fastest_take(request, &made) : take_first(request, &made);
    if (status != VDNN_OK) {
        vdnn_decisions_fini(&made);
        return status;
    }
    *decisions = made;
    return VDNN_OK;
}

const vdnn_policy vdnn_policy_dyn = {.name = "dyn",
                                     .help = "the fastest of the above that fits the budget",
                                     .is_static = false,
                                     .decide = decide};
