/* The paper's vDNN_dyn: planning passes from the fastest to the leanest, the first that fits is
 * taken.
 *
 *   1. can the network be trained at all? the leanest of the plans with memory-optimal algorithms
 *   2. fastest algorithms: no offload, then conv, then all
 *   3. conv, then all, each layer stepped down to the fastest algorithm whose workspace fits
 *   4. memory-optimal algorithms: all, then conv, then no offload
 *
 * Under the lean rules every candidate of passes 2 to 4 is judged after keeping as many maps on the
 * device as both budgets allow, prefetches begin as early as memory allows, and the candidate with
 * the least time is taken. The first two of pass 2 and their variants also recompute what is cheap.
 */

#include "policies/keep_maps.h"
#include "policies/offload_rule.h"
#include "runtime/base/heap.h"

#include <math.h>

/* How often a greedy pass may shrink its target by the bytes lost in packing. */
enum { GREEDY_ROUNDS = 8 };

typedef struct attempt {
    const char *policy;
    const vdnn_offload_rule *rule;
    vdnn_algo_mode mode;
} attempt;

static const vdnn_offload_rule base_recomputing = {.recomputes = 1};
static const vdnn_offload_rule conv_recomputing = {.selects = {[VDNN_ROLE_CONV] = true},
                                                   .recomputes = 1};

static const attempt fast_candidates[] = {{"base", &base_recomputing, VDNN_ALGO_P},
                                          {"conv", &conv_recomputing, VDNN_ALGO_P},
                                          {"all", &vdnn_offload_all, VDNN_ALGO_P}};
static const attempt lean_candidates[] = {{"all", &vdnn_offload_all, VDNN_ALGO_M},
                                          {"conv", &conv_recomputing, VDNN_ALGO_M},
                                          {"base", &base_recomputing, VDNN_ALGO_M}};
enum { CANDIDATES = 3 };

static bool is_lean(const vdnn_policy_request *request)
{
    return request->graph->rules == VDNN_RULES_LEAN;
}

/* A lower bound of the time of these decisions: the kernels, one after the other. */
static double least_seconds(const vdnn_policy_request *request, const vdnn_decisions *decisions)
{
    return vdnn_decisions_seconds(decisions, request->profile);
}

static vdnn_status decide_candidate(const vdnn_policy_request *request, const attempt *candidate,
                                    vdnn_decisions *decisions)
{
    vdnn_status status =
        vdnn_offload_rule_decide(request, candidate->rule, candidate->mode, decisions);
    if (status == VDNN_OK)
        decisions->policy = candidate->policy;
    return status;
}

/* Under the lean rules maps that the host cannot hold stay on the device. */
static vdnn_status decide_for_host(const vdnn_policy_request *request, const attempt *candidate,
                                   vdnn_decisions *decisions)
{
    vdnn_status status = decide_candidate(request, candidate, decisions);
    if (status != VDNN_OK || !is_lean(request))
        return status;
    status = vdnn_keep_maps_host_lacks(request, decisions);
    if (status != VDNN_OK)
        vdnn_decisions_fini(decisions);
    return status;
}

/* The first candidate that fits: *found, and its decisions. */
static vdnn_status first_that_fits(const vdnn_policy_request *request, const attempt *candidates,
                                   vdnn_decisions *decisions, bool *found)
{
    *found = false;
    for (int i = 0; i < CANDIDATES; i++) {
        vdnn_decisions made;
        vdnn_status status = decide_for_host(request, &candidates[i], &made);
        if (status != VDNN_OK)
            return status;
        status = vdnn_policy_fits(request, &made, VDNN_TIER_COUNT, found);
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

/* Whether a plan of decisions has a smaller device arena than the smallest so far, and its copies
 * fit the other tiers; then *arena_bytes is its arena. */
static vdnn_status is_smaller(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                              size_t *arena_bytes, bool *smaller)
{
    const size_t *budget_bytes = request->budget_bytes;
    vdnn_trial_bound bound;
    vdnn_trial_result tried;
    vdnn_status status = vdnn_policy_bound(request, decisions, NULL, &bound);
    *smaller = false;
    if (status != VDNN_OK || bound.arena_bytes[VDNN_TIER_DEVICE] >= *arena_bytes)
        return status;
    status = vdnn_policy_try(request, decisions, &tried);
    if (status != VDNN_OK)
        return status;
    *smaller = tried.facts.host_arena_bytes <= budget_bytes[VDNN_TIER_HOST] &&
               tried.facts.file_arena_bytes <= budget_bytes[VDNN_TIER_FILE] &&
               tried.facts.arena_bytes < *arena_bytes;
    if (*smaller)
        *arena_bytes = tried.facts.arena_bytes;
    return VDNN_OK;
}

/* The lean candidate with the smallest arena among those whose copies the other tiers can hold.
 * Keeping everything needs none of them, so there is always one. */
static vdnn_status smallest(const vdnn_policy_request *request, vdnn_decisions *decisions,
                            size_t *arena_bytes)
{
    vdnn_decisions best = {.maps = NULL};
    *arena_bytes = SIZE_MAX;
    for (int i = 0; i < CANDIDATES; i++) {
        vdnn_decisions made;
        bool smaller = false;
        vdnn_status status = decide_for_host(request, &lean_candidates[i], &made);
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

/* ---- the greedy passes ----------------------------------------------------------------------- */

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

static void step_down(const vdnn_policy_request *request, const vdnn_trial_live *live,
                      size_t target, vdnn_decisions *decisions)
{
    for (int32_t l = 0; l < request->graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            if (request->profile->layers[l].choice_count[p] == 0)
                continue;
            size_t beside = live[l][p == VDNN_FORWARD ? 0 : 1];
            size_t room = target > beside ? target - beside : 0;
            decisions->choice[l][p] = fastest_within(&request->profile->layers[l], p, room);
        }
}

/* Chooses under a target that shrinks by the bytes lost in packing, until the plan fits. No further
 * than to kernels that take `most_seconds`: a smaller target never makes them faster. */
static vdnn_status choose_greedily(const vdnn_policy_request *request, const vdnn_trial_live *live,
                                   double most_seconds, vdnn_decisions *decisions, bool *found)
{
    size_t target = request->budget_bytes[VDNN_TIER_DEVICE];
    *found = false;
    for (int round = 0; round < GREEDY_ROUNDS && !*found; round++) {
        vdnn_trial_result tried;
        step_down(request, live, target, decisions);
        if (least_seconds(request, decisions) >= most_seconds)
            return VDNN_OK;
        vdnn_status status = vdnn_policy_try(request, decisions, &tried);
        if (status != VDNN_OK)
            return status;
        *found = tried.fits;
        size_t excess = tried.facts.arena_bytes > request->budget_bytes[VDNN_TIER_DEVICE]
                            ? tried.facts.arena_bytes - request->budget_bytes[VDNN_TIER_DEVICE]
                            : 0;
        if (!*found && (excess == 0 || excess >= target))
            return VDNN_OK; /* the host tier is too small, or the target cannot shrink further */
        target -= excess;
    }
    return VDNN_OK;
}

static vdnn_status greedy(const vdnn_policy_request *request, const attempt *lean,
                          double most_seconds, vdnn_decisions *decisions, bool *found)
{
    vdnn_decisions made;
    vdnn_trial_bound bound;
    *found = false;
    vdnn_status status = decide_for_host(request, lean, &made);
    if (status != VDNN_OK)
        return status;
    vdnn_trial_live *live =
        vdnn_heap_calloc((size_t)request->graph->layer_count, sizeof(vdnn_trial_live));
    if (live == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory to choose algorithms");
    if (status == VDNN_OK)
        status = vdnn_policy_bound(request, &made, live, &bound);
    if (status == VDNN_OK)
        status =
            choose_greedily(request, (const vdnn_trial_live *)live, most_seconds, &made, found);
    vdnn_heap_free(live);
    if (status == VDNN_OK && *found) {
        made.algo = "greedy";
        *decisions = made;
    } else {
        vdnn_decisions_fini(&made);
    }
    return status;
}

/* ---- the paper's rules ----------------------------------------------------------------------- */

static const attempt *const greedy_candidates[] = {&lean_candidates[1], &lean_candidates[0]};
enum { GREEDY_CANDIDATES = sizeof greedy_candidates / sizeof *greedy_candidates };

/* Passes 2 to 4. */
static vdnn_status first_pass_that_fits(const vdnn_policy_request *request,
                                        vdnn_decisions *decisions, bool *found)
{
    vdnn_status status = first_that_fits(request, fast_candidates, decisions, found);
    for (int i = 0; i < GREEDY_CANDIDATES && status == VDNN_OK && !*found; i++)
        status = greedy(request, greedy_candidates[i], HUGE_VAL, decisions, found);
    if (status == VDNN_OK && !*found)
        status = first_that_fits(request, lean_candidates, decisions, found);
    return status;
}

/* Replaces *best, which fits. */
static vdnn_status take_first(const vdnn_policy_request *request, vdnn_decisions *best)
{
    vdnn_decisions better;
    bool found = false;
    vdnn_status status = first_pass_that_fits(request, &better, &found);
    if (status == VDNN_OK && found) {
        vdnn_decisions_fini(best);
        *best = better;
    }
    return status;
}

/* ---- the lean rules -------------------------------------------------------------------------- */

/* Where two plans take the same time and move the same bytes, the first in this order is chosen. */
enum {
    RANK_SMALLEST,
    RANK_FAST,
    RANK_GREEDY = RANK_FAST + CANDIDATES,
    RANK_STATIC = RANK_GREEDY + GREEDY_CANDIDATES,
    RANK_LEAN,
    RANK_EARLY
};

/* The best so far, and its plan. */
typedef struct search {
    const vdnn_policy_request *request;
    vdnn_decisions *best;
    double seconds;
    size_t offload_bytes;
    int best_rank, rank; /* of the best, and of what is considered now */
} search;

/* Of two that take the same time, the one that moves less. False for bounds: false for the plan. */
static bool is_better(const search *own, double step_seconds, size_t offload_bytes)
{
    if (step_seconds < own->seconds || step_seconds > own->seconds)
        return step_seconds < own->seconds;
    if (offload_bytes != own->offload_bytes)
        return offload_bytes < own->offload_bytes;
    return own->rank < own->best_rank;
}

/* Whether the plan in which all maps of the decisions stay would be better than the best if it
 * moved so many bytes. False: no plan that keeps some of them is better. */
static vdnn_status keeping_may_be_better(const search *own, const vdnn_decisions *decisions,
                                         size_t offload_bytes, bool *may)
{
    const vdnn_policy_request *request = own->request;
    bool loads_ahead = vdnn_decisions_may_load_ahead(request->graph, request->profile);
    vdnn_decisions kept;
    vdnn_status status = vdnn_decisions_copy(&kept, decisions);
    if (status != VDNN_OK)
        return status;
    vdnn_keep_maps_all(&kept);
    *may = false;
    for (int ahead = 0; ahead <= (int)loads_ahead && !*may && status == VDNN_OK; ahead++) {
        vdnn_trial_bound bound;
        kept.loads = ahead ? VDNN_LOADS_AHEAD : VDNN_LOADS_OWN;
        status = vdnn_policy_bound(request, &kept, NULL, &bound);
        *may = status == VDNN_OK && is_better(own, bound.step_seconds, offload_bytes);
    }
    vdnn_decisions_fini(&kept);
    return status;
}

/* Whether a plan within these bounds may fit and be better than the best. */
static bool may_be_better(const search *own, const vdnn_trial_bound *bound)
{
    return bound->may_fit && is_better(own, bound->step_seconds, bound->offload_bytes);
}

static bool has_room_ahead(const vdnn_policy_request *request, const vdnn_trial_result *tried)
{
    return request->budget_bytes[VDNN_TIER_DEVICE] - tried->facts.arena_bytes >=
           vdnn_graph_input_bytes(request->graph);
}

/* What the plan of decisions takes, with the next batch loaded ahead where it has room for that: so
 * it is run. Not tried further where it cannot be better than the best: then *better is false. */
static vdnn_status try_with_rest(const search *own, const vdnn_decisions *decisions,
                                 const vdnn_trial_bound *bound, vdnn_trial_result *tried,
                                 bool *better)
{
    const vdnn_policy_request *request = own->request;
    vdnn_trial_bound bound_ahead = {.may_fit = false};
    vdnn_trial_result ahead;
    vdnn_decisions richer = *decisions;
    vdnn_status status = VDNN_OK;
    richer.loads = VDNN_LOADS_AHEAD;
    *better = false;
    if (!bound->may_fit)
        return VDNN_OK;
    if (vdnn_decisions_may_load_ahead(request->graph, request->profile))
        status = vdnn_policy_bound(request, &richer, NULL, &bound_ahead);
    bool may_ahead = may_be_better(own, &bound_ahead);
    if (status != VDNN_OK || !(may_ahead || may_be_better(own, bound)))
        return status;
    status = vdnn_policy_try(request, decisions, tried);
    if (status == VDNN_OK && tried->fits && may_ahead && has_room_ahead(request, tried)) {
        status = vdnn_policy_try(request, &richer, &ahead);
        if (status == VDNN_OK && ahead.fits && ahead.facts.step_seconds < tried->facts.step_seconds)
            *tried = ahead;
    }
    *better = status == VDNN_OK && tried->fits &&
              is_better(own, tried->facts.step_seconds, tried->facts.offload_bytes);
    return status;
}

/* Copies decisions that fit and are better than the best. */
static vdnn_status offer_bounded(search *own, const vdnn_decisions *decisions,
                                 const vdnn_trial_bound *bound)
{
    vdnn_trial_result tried;
    vdnn_decisions copy;
    bool better;
    vdnn_status status = try_with_rest(own, decisions, bound, &tried, &better);
    if (status != VDNN_OK || !better)
        return status;
    status = vdnn_decisions_copy(&copy, decisions);
    if (status != VDNN_OK)
        return status;
    vdnn_decisions_fini(own->best);
    *own->best = copy;
    own->seconds = tried.facts.step_seconds;
    own->offload_bytes = tried.facts.offload_bytes;
    own->best_rank = own->rank;
    return VDNN_OK;
}

static vdnn_status offer(search *own, const vdnn_decisions *decisions)
{
    vdnn_trial_bound bound;
    vdnn_status status = vdnn_policy_bound(own->request, decisions, NULL, &bound);
    return status == VDNN_OK ? offer_bounded(own, decisions, &bound) : status;
}

/* As it is, then with as many maps kept as both budgets allow. Changes the decisions. */
static vdnn_status consider(search *own, vdnn_decisions *decisions)
{
    bool may = false;
    vdnn_trial_bound bound;
    if (least_seconds(own->request, decisions) >= own->seconds)
        return VDNN_OK; /* it cannot be faster */
    vdnn_status status = keeping_may_be_better(own, decisions, 0, &may);
    if (status == VDNN_OK && may)
        status = vdnn_policy_bound(own->request, decisions, NULL, &bound);
    if (status != VDNN_OK || !may)
        return status;
    if (bound.arena_bytes[VDNN_TIER_DEVICE] > own->request->budget_bytes[VDNN_TIER_DEVICE])
        return VDNN_OK; /* nor does it fit with more maps on the device */
    status = offer_bounded(own, decisions, &bound);
    if (status == VDNN_OK)
        status = vdnn_keep_maps_host_lacks(own->request, decisions);
    if (status == VDNN_OK)
        status = vdnn_keep_maps_that_fit(own->request, decisions);
    return status == VDNN_OK ? offer(own, decisions) : status;
}

static vdnn_status consider_candidate(search *own, int rank, const attempt *candidate)
{
    vdnn_decisions made;
    own->rank = rank;
    vdnn_status status = decide_candidate(own->request, candidate, &made);
    if (status != VDNN_OK)
        return status;
    status = consider(own, &made);
    vdnn_decisions_fini(&made);
    return status;
}

static vdnn_status consider_greedy(search *own, int rank, const attempt *candidate)
{
    vdnn_decisions made;
    bool found = false;
    own->rank = rank;
    vdnn_status status = greedy(own->request, candidate, own->seconds, &made, &found);
    if (status != VDNN_OK || !found)
        return status;
    status = consider(own, &made);
    vdnn_decisions_fini(&made);
    return status;
}

/* So that dyn is never slower than one of them. */
static vdnn_status consider_static(search *own, vdnn_algo_mode mode)
{
    extern const vdnn_policy vdnn_policy_base, vdnn_policy_conv, vdnn_policy_all;
    const vdnn_policy *const policies[] = {&vdnn_policy_base, &vdnn_policy_conv, &vdnn_policy_all};
    vdnn_policy_request request = *own->request;
    vdnn_status status = VDNN_OK;
    request.algo = mode;
    own->rank = RANK_STATIC;
    for (size_t i = 0; i < sizeof policies / sizeof *policies && status == VDNN_OK; i++) {
        vdnn_decisions made;
        status = policies[i]->decide(&request, &made);
        if (status != VDNN_OK)
            return status;
        if (least_seconds(own->request, &made) < own->seconds)
            status = offer(own, &made);
        vdnn_decisions_fini(&made);
    }
    return status;
}

/* Prefetches of the best begin more and more layers ahead, as long as that fits. */
static vdnn_status prefetch_early(search *own)
{
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
        if (vdnn_offload_rule_prefetch_ahead(own->request->graph, ahead, early.maps)) {
            status = vdnn_policy_fits(own->request, &early, VDNN_TIER_COUNT, &fits);
            if (status == VDNN_OK && fits)
                status = offer(own, &early);
        }
    vdnn_decisions_fini(&early);
    return status;
}

/* Replaces *best, which fits. The greedy ones come first: mostly they are the fastest, and their
 * time excludes others before these are planned. */
static vdnn_status take_fastest(const vdnn_policy_request *request, vdnn_decisions *best)
{
    search own = {request, best, HUGE_VAL, SIZE_MAX, RANK_SMALLEST, RANK_SMALLEST};
    vdnn_status status = offer(&own, best);
    for (int i = 0; i < GREEDY_CANDIDATES && status == VDNN_OK; i++)
        status = consider_greedy(&own, RANK_GREEDY + i, greedy_candidates[i]);
    for (int i = 0; i < CANDIDATES && status == VDNN_OK; i++)
        status = consider_candidate(&own, RANK_FAST + i, &fast_candidates[i]);
    if (status == VDNN_OK)
        status = consider_static(&own, VDNN_ALGO_P);
    if (status == VDNN_OK)
        status = consider_static(&own, VDNN_ALGO_M);
    for (int i = 0; i < CANDIDATES && status == VDNN_OK; i++)
        status = consider_candidate(&own, RANK_LEAN, &lean_candidates[i]);
    return status == VDNN_OK ? prefetch_early(&own) : status;
}

/* ---- the policy ------------------------------------------------------------------------------ */

static vdnn_status decide(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    vdnn_decisions made;
    size_t arena_bytes = 0;
    vdnn_status status = smallest(request, &made, &arena_bytes);
    if (status != VDNN_OK)
        return status;
    if (arena_bytes > request->budget_bytes[VDNN_TIER_DEVICE]) {
        *decisions = made;
        return vdnn_status_fail(VDNN_NO_FIT, "the smallest arena of any pass is %zu bytes",
                                arena_bytes);
    }
    status = is_lean(request) ? take_fastest(request, &made) : take_first(request, &made);
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
