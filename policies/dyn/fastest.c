#include "policies/dyn/fastest.h"

#include "policies/dyn/greedy.h"
#include "policies/keep_maps.h"

#include <math.h>

/* Where two plans take the same time and move the same bytes, the first in this order is chosen. */
enum {
    RANK_SMALLEST,
    RANK_FAST,
    RANK_GREEDY = RANK_FAST + VDNN_DYN_CANDIDATES,
    RANK_STATIC = RANK_GREEDY + VDNN_DYN_GREEDY,
    RANK_LEAN,
    RANK_EARLY
};

/* The best so far, and its plan. */
typedef struct search {
    const vdnn_policy_request *request;
    vdnn_decisions *best;
    double seconds; /* HUGE_VAL: none yet; *best fits, but was not planned */
    size_t offload_bytes;
    int best_rank, rank; /* of the best, and of what is considered now */
} search;

/* A lower bound of the time of these decisions: the kernels, one after the other. */
static double least_seconds(const search *own, const vdnn_decisions *decisions)
{
    return vdnn_decisions_seconds(decisions, own->request->planning->profile);
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* Whether a plan is better than the best: it takes less time, or as much and moves fewer bytes. If
 * bounds are not better, no plan within them is. */
static bool is_better(const search *own, double step_seconds, size_t offload_bytes)
{
    if (step_seconds < own->seconds || step_seconds > own->seconds)
        return step_seconds < own->seconds;
    if (offload_bytes != own->offload_bytes)
        return offload_bytes < own->offload_bytes;
    return own->rank < own->best_rank;
}

/* Whether a plan within these bounds may fit and be better than the best. */
static bool may_be_better(const search *own, const vdnn_outcome *bound)
{
    return bound->fits && is_better(own, bound->step_seconds, bound->offload_bytes);
}

/* Whether a plan would be better than the best if it kept all maps of the decisions and moved
 * `offload_bytes`. If not, no plan that keeps some of them is better. */
static vdnn_status keeping_may_be_better(const search *own, const vdnn_decisions *decisions,
                                         size_t offload_bytes, bool *may)
{
    const vdnn_policy_request *request = own->request;
    bool loads_ahead =
        vdnn_decisions_may_load_ahead(request->planning->graph, request->planning->profile);
    vdnn_decisions kept;
    *may = isinf(own->seconds);
    if (*may)
        return VDNN_OK;
    vdnn_status status = vdnn_decisions_copy(&kept, decisions);
    if (status != VDNN_OK)
        return status;
    vdnn_keep_maps_all(&kept);
    for (int ahead = 0; ahead <= (int)loads_ahead && !*may && status == VDNN_OK; ahead++) {
        vdnn_outcome bound;
        kept.loads = ahead ? VDNN_LOADS_AHEAD : VDNN_LOADS_OWN;
        status = vdnn_planning_evaluate(request->planning, &kept, VDNN_BOUND, &bound);
        *may = status == VDNN_OK && is_better(own, bound.step_seconds, offload_bytes);
    }
    vdnn_decisions_fini(&kept);
    return status;
}

/* ---- trying ---------------------------------------------------------------------------------- */

/* A plan that was tried. */
typedef struct attempt {
    bool fits; /* else it has no seconds */
    size_t arena_bytes, offload_bytes;
    double step_seconds;
} attempt;

/* Only a plan that fits is timed. */
static vdnn_status try_plan(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                            attempt *made)
{
    vdnn_outcome tried;
    *made = (attempt){.step_seconds = HUGE_VAL};
    VDNN_TRY(vdnn_planning_evaluate(request->planning, decisions, VDNN_PACKED, &tried));
    made->fits = tried.fits;
    if (!made->fits)
        return VDNN_OK;
    VDNN_TRY(vdnn_planning_evaluate(request->planning, decisions, VDNN_WHOLE, &tried));
    made->arena_bytes = tried.arena_bytes[VDNN_TIER_DEVICE];
    made->offload_bytes = tried.offload_bytes;
    made->step_seconds = tried.step_seconds;
    return VDNN_OK;
}

static bool has_room_ahead(const vdnn_policy_request *request, const attempt *made)
{
    return made->fits && request->planning->budget_bytes[VDNN_TIER_DEVICE] - made->arena_bytes >=
                             vdnn_graph_input_bytes(request->planning->graph);
}

/* Replaces an attempt by the same one with the next batch loaded ahead, if that fits and takes less
 * time. An attempt that was not planned, because it cannot be better itself, is planned here, since
 * its plan shows whether there is room for the batch. */
static vdnn_status try_ahead(const search *own, const vdnn_decisions *decisions, attempt *made)
{
    const vdnn_policy_request *request = own->request;
    vdnn_decisions richer = *decisions;
    vdnn_outcome bound;
    attempt ahead;
    richer.loads = VDNN_LOADS_AHEAD;
    vdnn_status status = vdnn_planning_evaluate(request->planning, &richer, VDNN_BOUND, &bound);
    if (status != VDNN_OK || !may_be_better(own, &bound) ||
        bound.step_seconds >= made->step_seconds)
        return status;
    if (!made->fits)
        status = try_plan(request, decisions, made);
    if (status != VDNN_OK || !has_room_ahead(request, made))
        return status;
    status = try_plan(request, &richer, &ahead);
    if (status == VDNN_OK && ahead.fits && ahead.step_seconds < made->step_seconds)
        *made = ahead;
    return status;
}

/* Copies decisions that fit and are better than the best. They are planned only if their bounds
 * leave that open. */
static vdnn_status offer_bounded(search *own, const vdnn_decisions *decisions,
                                 const vdnn_outcome *bound)
{
    const vdnn_policy_request *request = own->request;
    attempt made = {.step_seconds = HUGE_VAL};
    bool is_tried = may_be_better(own, bound);
    vdnn_decisions copy;
    vdnn_status status = VDNN_OK;
    if (!bound->fits)
        return VDNN_OK;
    if (is_tried)
        status = try_plan(request, decisions, &made);
    if (status == VDNN_OK && is_tried == made.fits &&
        vdnn_decisions_may_load_ahead(request->planning->graph, request->planning->profile))
        status = try_ahead(own, decisions, &made);
    if (status != VDNN_OK || !made.fits || !is_better(own, made.step_seconds, made.offload_bytes))
        return status;
    VDNN_TRY(vdnn_decisions_copy(&copy, decisions));
    vdnn_decisions_fini(own->best);
    *own->best = copy;
    own->seconds = made.step_seconds;
    own->offload_bytes = made.offload_bytes;
    own->best_rank = own->rank;
    return VDNN_OK;
}

static vdnn_status offer(search *own, const vdnn_decisions *decisions)
{
    vdnn_outcome bound;
    if (least_seconds(own, decisions) >= own->seconds)
        return VDNN_OK; /* it cannot be faster */
    vdnn_status status =
        vdnn_planning_evaluate(own->request->planning, decisions, VDNN_BOUND, &bound);
    return status == VDNN_OK ? offer_bounded(own, decisions, &bound) : status;
}

/* ---- candidates ------------------------------------------------------------------------------ */

/* Considers the decisions as they are, then with as many maps kept as both budgets allow. Changes
 * the decisions. */
static vdnn_status consider(search *own, vdnn_decisions *decisions)
{
    bool may = false;
    vdnn_outcome bound;
    if (least_seconds(own, decisions) >= own->seconds)
        return VDNN_OK; /* it cannot be faster */
    VDNN_TRY(vdnn_planning_evaluate(own->request->planning, decisions, VDNN_BOUND, &bound));
    if (bound.arena_bytes[VDNN_TIER_DEVICE] >
        own->request->planning->budget_bytes[VDNN_TIER_DEVICE])
        return VDNN_OK; /* nor does it fit with more maps on the device */
    vdnn_status status = keeping_may_be_better(own, decisions, 0, &may);
    if (status != VDNN_OK || !may)
        return status;
    status = offer_bounded(own, decisions, &bound);
    VDNN_IF_OK(status, vdnn_keep_maps_host_lacks(own->request, decisions));
    VDNN_IF_OK(status, vdnn_keep_maps_that_fit(own->request, decisions));
    return status == VDNN_OK ? offer(own, decisions) : status;
}

static vdnn_status consider_candidate(search *own, int rank, const vdnn_dyn_candidate *candidate)
{
    vdnn_decisions made;
    own->rank = rank;
    VDNN_TRY(vdnn_dyn_candidates_decide(own->request, candidate, &made));
    vdnn_status status = consider(own, &made);
    vdnn_decisions_fini(&made);
    return status;
}

static vdnn_status consider_greedy(search *own, int rank, const vdnn_dyn_candidate *candidate)
{
    vdnn_decisions made;
    bool found = false;
    own->rank = rank;
    vdnn_status status =
        vdnn_dyn_greedy_decide(own->request, candidate, own->seconds, &made, &found);
    if (status != VDNN_OK || !found)
        return status;
    status = consider(own, &made);
    vdnn_decisions_fini(&made);
    return status;
}

/* Considers what the static policies decide, so that dyn is never slower than one of them.
 * vdnn_policy_all is a candidate already. */
static vdnn_status consider_static(search *own, vdnn_algo_mode mode)
{
    extern const vdnn_policy vdnn_policy_base, vdnn_policy_conv;
    const vdnn_policy *const policies[] = {&vdnn_policy_base, &vdnn_policy_conv};
    vdnn_policy_request request = *own->request;
    vdnn_status status = VDNN_OK;
    request.algo = mode;
    own->rank = RANK_STATIC;
    for (size_t i = 0; i < sizeof policies / sizeof *policies && status == VDNN_OK; i++) {
        vdnn_decisions made;
        status = policies[i]->decide(&request, &made);
        if (status != VDNN_OK)
            return status;
        status = offer(own, &made);
        vdnn_decisions_fini(&made);
    }
    return status;
}

/* Lets the prefetches of the best begin more and more layers ahead, as long as that fits. */
static vdnn_status prefetch_early(search *own)
{
    const vdnn_policy_request *request = own->request;
    bool fits = true, may = false;
    vdnn_decisions early;
    own->rank = RANK_EARLY;
    vdnn_status status = keeping_may_be_better(own, own->best, own->offload_bytes, &may);
    if (status != VDNN_OK || !may)
        return status;
    status = vdnn_decisions_copy(&early, own->best);
    if (status != VDNN_OK)
        return status;
    for (int32_t ahead = 1; ahead < early.layer_count && fits && status == VDNN_OK; ahead *= 2)
        if (vdnn_offload_rule_prefetch_ahead(request->planning->graph, ahead, early.maps)) {
            status = vdnn_planning_fits(request->planning, &early, VDNN_TIER_COUNT, &fits);
            if (status == VDNN_OK && fits)
                status = offer(own, &early);
        }
    vdnn_decisions_fini(&early);
    return status;
}

/* Considers the candidates with memory-optimal algorithms, the smallest of them, and the decisions
 * that were there first. The kernels of all of them take the same time. */
static vdnn_status consider_lean(search *own, double kernel_seconds)
{
    vdnn_decisions smallest;
    size_t arena_bytes;
    if (kernel_seconds >= own->seconds)
        return VDNN_OK; /* none can be faster */
    vdnn_status status = consider_static(own, VDNN_ALGO_M);
    for (int i = 0; i < VDNN_DYN_CANDIDATES && status == VDNN_OK; i++)
        status = consider_candidate(own, RANK_LEAN, &vdnn_dyn_lean[i]);
    VDNN_IF_OK(status, vdnn_dyn_candidates_smallest(own->request, &smallest, &arena_bytes));
    if (status != VDNN_OK)
        return status;
    own->rank = RANK_SMALLEST;
    status = offer(own, &smallest);
    vdnn_decisions_fini(&smallest);
    return status;
}

/* Greedy candidates come first: they usually are the fastest, and their time excludes others before
 * these are planned. Lean ones come last. */
vdnn_status vdnn_dyn_fastest_take(const vdnn_policy_request *request, vdnn_decisions *best)
{
    search own = {request, best, HUGE_VAL, SIZE_MAX, RANK_SMALLEST, RANK_SMALLEST};
    double lean_seconds = least_seconds(&own, best);
    vdnn_status status = VDNN_OK;
    for (int i = 0; i < VDNN_DYN_GREEDY && status == VDNN_OK; i++)
        status = consider_greedy(&own, RANK_GREEDY + i, vdnn_dyn_greedy[i]);
    for (int i = 0; i < VDNN_DYN_CANDIDATES && status == VDNN_OK; i++)
        status = consider_candidate(&own, RANK_FAST + i, &vdnn_dyn_fast[i]);
    VDNN_IF_OK(status, consider_static(&own, VDNN_ALGO_P));
    VDNN_IF_OK(status, consider_lean(&own, lean_seconds));
    return status == VDNN_OK ? prefetch_early(&own) : status;
}
