#include "policies/opt/search.h"

#include "runtime/base/heap.h"

static double fastest_seconds(const vdnn_profile *profile, int32_t layer, vdnn_pass pass)
{
    const vdnn_layer_profile *at = &profile->layers[layer];
    return at->choice_count[pass] == 0
               ? 0
               : at->choices[pass][vdnn_profile_fastest(profile, layer, pass)].seconds;
}

vdnn_status vdnn_opt_search_init(const vdnn_policy_request *request, vdnn_opt_search *own)
{
    const size_t layers = (size_t)request->graph->layer_count;
    *own = (vdnn_opt_search){.request = request};
    own->alive = vdnn_heap_calloc((size_t)request->graph->map_count, sizeof *own->alive);
    own->forward = vdnn_heap_calloc(layers, sizeof *own->forward);
    own->backward = vdnn_heap_calloc(layers, sizeof *own->backward);
    if (own->alive == NULL || own->forward == NULL || own->backward == NULL) {
        vdnn_opt_search_fini(own);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to search plans of %zu layers", layers);
    }
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
    vdnn_heap_free(own->forward);
    vdnn_heap_free(own->backward);
    *own = (vdnn_opt_search){0};
}

bool vdnn_opt_search_is_stopped(const vdnn_opt_search *own)
{
    const vdnn_policy_stop *stop = own->request->stop;
    return stop != NULL && stop->asked(stop->argument);
}

bool vdnn_opt_search_lasts(const vdnn_opt_search *own)
{
    const vdnn_policy_patience *patience = own->request->patience;
    bool enough = own->until > 0 && own->trials >= own->until;
    return !enough && patience != NULL && patience->lasts(patience->argument, own->trials);
}

vdnn_status vdnn_opt_search_peak(vdnn_opt_search *own, const vdnn_decisions *decisions,
                                 size_t limit_bytes, vdnn_trial_peak *peak, vdnn_trial_bound *bound)
{
    const vdnn_trial *trial = own->request->trial;
    own->trials++;
    return trial->peak(trial, decisions, limit_bytes, own->alive, peak, bound);
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
