#include "policies/dyn/greedy.h"

#include "runtime/base/heap.h"

/* How often the target may shrink by the bytes lost in packing. */
enum { ROUNDS = 8 };

/* The fastest choice whose workspace is at most `bytes`; the leanest if there is none. */
static int32_t fastest_within(const vdnn_layer_profile *layer, int pass, size_t bytes)
{
    int32_t best = 0;
    for (int32_t i = 1; i < layer->choice_count[pass]; i++)
        if (layer->choices[pass][i].workspace_bytes <= bytes &&
            layer->choices[pass][i].seconds < layer->choices[pass][best].seconds)
            best = i;
    return best;
}

static void step_down(const vdnn_policy_request *request, const vdnn_live *live, size_t target,
                      vdnn_decisions *decisions)
{
    for (int32_t l = 0; l < request->planning->graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            if (request->planning->profile->layers[l].choice_count[p] == 0)
                continue;
            size_t beside = live[l][p == VDNN_FORWARD ? 0 : 1];
            size_t room = target > beside ? target - beside : 0;
            decisions->choice[l][p] =
                fastest_within(&request->planning->profile->layers[l], p, room);
        }
}

/* Chooses under a target that shrinks by the bytes lost in packing, until the plan fits. It ends
 * when the kernels take `most_seconds`, since a smaller target never makes them faster. */
static vdnn_status choose(const vdnn_policy_request *request, const vdnn_live *live,
                          double most_seconds, vdnn_decisions *decisions, bool *found)
{
    const size_t budget = request->planning->budget_bytes[VDNN_TIER_DEVICE];
    size_t target = budget;
    *found = false;
    for (int round = 0; round < ROUNDS && !*found; round++) {
        vdnn_outcome packed;
        step_down(request, live, target, decisions);
        if (vdnn_decisions_seconds(decisions, request->planning->profile) >= most_seconds)
            return VDNN_OK;
        VDNN_TRY(vdnn_planning_evaluate(request->planning, decisions, VDNN_PACKED, &packed));
        *found = packed.fits;
        size_t arena = packed.arena_bytes[VDNN_TIER_DEVICE],
               excess = arena > budget ? arena - budget : 0;
        if (!*found && (excess == 0 || excess >= target))
            return VDNN_OK; /* another tier is too small, or the target cannot shrink further */
        target -= excess;
    }
    return VDNN_OK;
}

/* Finds what is live apart from workspaces, and chooses. */
static vdnn_status choose_beside(const vdnn_policy_request *request, double most_seconds,
                                 vdnn_decisions *decisions, bool *found)
{
    vdnn_outcome bound;
    vdnn_live *live =
        vdnn_heap_calloc((size_t)request->planning->graph->layer_count, sizeof(vdnn_live));
    if (live == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to choose algorithms");
    vdnn_status status = vdnn_planning_live(request->planning, decisions, live, &bound);
    VDNN_IF_OK(status, choose(request, (const vdnn_live *)live, most_seconds, decisions, found));
    vdnn_heap_free(live);
    return status;
}

vdnn_status vdnn_dyn_greedy_decide(const vdnn_policy_request *request,
                                   const vdnn_dyn_candidate *candidate, double most_seconds,
                                   vdnn_decisions *decisions, bool *found)
{
    vdnn_decisions made;
    *found = false;
    VDNN_TRY(vdnn_dyn_candidates_decide_for_host(request, candidate, &made));
    vdnn_status status = choose_beside(request, most_seconds, &made, found);
    if (status != VDNN_OK || !*found) {
        vdnn_decisions_fini(&made);
        return status;
    }
    made.algo = "greedy";
    *decisions = made;
    return VDNN_OK;
}
