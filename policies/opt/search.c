#include "policies/opt/search.h"

#include "runtime/base/heap.h"

#include <string.h>

static double fastest_seconds(const vdnn_profile *profile, int32_t layer, vdnn_pass pass)
{
    const vdnn_layer_profile *at = &profile->layers[layer];
    return at->choice_count[pass] == 0
               ? 0
               : at->choices[pass][vdnn_profile_fastest(profile, layer, pass)].seconds;
}

vdnn_status vdnn_opt_search_init(const vdnn_policy_request *request, const int32_t *chained,
                                 vdnn_opt_search *own)
{
    const size_t layers = (size_t)request->graph->layer_count;
    *own = (vdnn_opt_search){.request = request};
    own->alive = vdnn_heap_calloc((size_t)request->graph->map_count, sizeof *own->alive);
    own->out_behind = vdnn_heap_calloc(layers, sizeof *own->out_behind);
    own->in_ahead = vdnn_heap_calloc(layers, sizeof *own->in_ahead);
    own->needs = vdnn_heap_calloc((size_t)request->graph->map_count, sizeof *own->needs);
    own->forward = vdnn_heap_calloc(layers, sizeof *own->forward);
    own->backward = vdnn_heap_calloc(layers, sizeof *own->backward);
    own->chained = vdnn_heap_calloc(layers, sizeof *own->chained);
    if (own->alive == NULL || own->forward == NULL || own->backward == NULL ||
        own->chained == NULL || own->out_behind == NULL || own->in_ahead == NULL ||
        own->needs == NULL) {
        vdnn_opt_search_fini(own);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to search plans of %zu layers", layers);
    }
    if (chained != NULL)
        memcpy(own->chained, chained, layers * sizeof *chained);
    for (int32_t m = 0; m < request->graph->map_count; m++)
        own->needs[m] = vdnn_opt_own_need(&request->graph->maps[m]);
    for (int32_t l = 0; l < request->graph->layer_count; l++) {
        own->forward[l] = fastest_seconds(request->profile, l, VDNN_FORWARD);
        own->backward[l] = fastest_seconds(request->profile, l, VDNN_BACKWARD_DATA) +
                           fastest_seconds(request->profile, l, VDNN_BACKWARD_FILTER);
        own->forward_seconds += own->forward[l];
        own->backward_seconds += own->backward[l];
    }
    return VDNN_OK;
}

void vdnn_opt_search_fini(vdnn_opt_search *own)
{
    if (own->found)
        vdnn_decisions_fini(&own->best);
    vdnn_heap_free(own->alive);
    vdnn_heap_free(own->out_behind);
    vdnn_heap_free(own->in_ahead);
    vdnn_heap_free(own->needs);
    vdnn_heap_free(own->forward);
    vdnn_heap_free(own->backward);
    vdnn_heap_free(own->chained);
    *own = (vdnn_opt_search){0};
}

static bool may_be_in_pieces(const vdnn_graph *graph, const vdnn_decisions *decisions, int32_t map)
{
    return vdnn_decisions_pieces_refusal(graph, decisions, map) == NULL;
}

/* In pieces wherever that can be, and nothing that the chains do not allow. What is recomputed from
 * the map is settled. */
static void respect_chains(const vdnn_policy_request *request, vdnn_decisions *decisions,
                           int32_t map)
{
    const vdnn_graph *graph = request->graph;
    vdnn_map_decision *at = &decisions->maps[map];
    const vdnn_action otherwise = graph->maps[map].needed_count > 0 ? VDNN_KEEP : VDNN_DROP;
    const bool may_recompute =
        vdnn_decisions_recompute_refusal(graph, request->profile, decisions, map) == NULL;
    if ((at->action == VDNN_RECOMPUTE && !may_recompute) ||
        vdnn_decisions_tail_refusal(graph, decisions, map) != NULL)
        *at = (vdnn_map_decision){.action = otherwise, .gradient = at->gradient};
    if (at->action == VDNN_OFFLOAD && at->pieces == 0 &&
        vdnn_decisions_is_inside(graph, decisions, map))
        at->pieces = 1;
    if (at->pieces && !may_be_in_pieces(graph, decisions, map))
        at->pieces = 0;
    if (!may_recompute || vdnn_decisions_recomputed_refusal(graph, decisions, map) != NULL)
        at->recomputed = 0;
    if (vdnn_decisions_between_refusal(graph, decisions, map) != NULL)
        at->between = VDNN_KEEP;
}

void vdnn_opt_search_sign(vdnn_decisions *decisions)
{
    decisions->policy = "opt";
    decisions->algo = "search";
}

void vdnn_opt_search_chain(const vdnn_opt_search *own, vdnn_decisions *decisions)
{
    const vdnn_graph *graph = own->request->graph;
    memcpy(decisions->chained, own->chained, (size_t)graph->layer_count * sizeof *own->chained);
    for (int32_t m = graph->map_count - 1; m >= 0; m--)
        respect_chains(own->request, decisions, m);
}

bool vdnn_opt_search_is_stopped(const vdnn_opt_search *own)
{
    const vdnn_policy_stop *stop = own->request->stop;
    return stop != NULL && stop->asked(stop->argument);
}

/* Of sums of the same times in another order. */
static const double ROUNDING = 1e-9;

static bool is_at_its_best(const vdnn_opt_search *own)
{
    return own->found && own->time.offload_bytes == 0 &&
           own->time.step_seconds <= own->least_seconds * (1 + ROUNDING);
}

bool vdnn_opt_search_lasts(const vdnn_opt_search *own)
{
    const vdnn_policy_patience *patience = own->request->patience;
    bool enough = own->until > 0 && own->trials >= own->until;
    return !enough && !is_at_its_best(own) && patience != NULL &&
           patience->lasts(patience->argument, own->trials);
}

vdnn_status vdnn_opt_search_until(vdnn_status (*search)(vdnn_opt_search *own), int64_t trials,
                                  vdnn_opt_search *own)
{
    own->until = own->trials + trials;
    vdnn_status status = search(own);
    own->until = 0;
    return status;
}

int vdnn_opt_search_next_expected(const vdnn_trial *trial, int i, int count, int *next)
{
    if (*next <= i)
        *next = i + 1;
    return *next < count && *next <= i + trial->reach ? (*next)++ : -1;
}

vdnn_status vdnn_opt_search_peak(vdnn_opt_search *own, const vdnn_decisions *decisions,
                                 size_t limit_bytes, vdnn_trial_peak *peak, vdnn_trial_bound *bound)
{
    const vdnn_trial *trial = own->request->trial;
    own->trials++;
    return trial->peak(trial, decisions, limit_bytes, own->alive, peak, bound);
}

bool vdnn_opt_search_is_held(const vdnn_opt_search *own, const size_t arena_bytes[VDNN_TIER_COUNT])
{
    const size_t *budget_bytes = own->request->budget_bytes;
    return arena_bytes[VDNN_TIER_HOST] <= budget_bytes[VDNN_TIER_HOST] &&
           arena_bytes[VDNN_TIER_FILE] <= budget_bytes[VDNN_TIER_FILE];
}

vdnn_status vdnn_opt_search_pack(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                                 size_t *arena_bytes)
{
    size_t packed[VDNN_TIER_COUNT];
    bool fits;
    vdnn_status status = vdnn_policy_pack(own->request, decisions, packed, &fits);
    *arena_bytes = packed[VDNN_TIER_DEVICE];
    if (status == VDNN_OK && !vdnn_opt_search_is_held(own, packed))
        *arena_bytes = SIZE_MAX;
    return status;
}

bool vdnn_opt_search_is_better(const vdnn_opt_search *own, const vdnn_trial_bound *time)
{
    const vdnn_trial_bound *best = &own->time;
    if (!own->found)
        return true;
    if (time->step_seconds < best->step_seconds || time->step_seconds > best->step_seconds)
        return time->step_seconds < best->step_seconds;
    if (time->offload_bytes != best->offload_bytes)
        return time->offload_bytes < best->offload_bytes;
    return time->arena_bytes[VDNN_TIER_DEVICE] < best->arena_bytes[VDNN_TIER_DEVICE];
}

vdnn_status vdnn_opt_search_offer(vdnn_opt_search *own, const vdnn_decisions *decisions,
                                  vdnn_trial_bound *time, bool *taken)
{
    const vdnn_trial *trial = own->request->trial;
    vdnn_trial_bound made;
    own->trials++;
    *taken = false;
    vdnn_status status = trial->time(trial, decisions, &made);
    if (status == VDNN_OK && time != NULL)
        *time = made;
    if (status != VDNN_OK || !made.may_fit || !vdnn_opt_search_is_better(own, &made))
        return status;
    if (!own->found)
        status = vdnn_decisions_copy(&own->best, decisions);
    else
        vdnn_decisions_assign(&own->best, decisions);
    if (status != VDNN_OK)
        return status;
    own->found = *taken = true;
    own->time = made;
    return VDNN_OK;
}
