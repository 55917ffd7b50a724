#include "policies/opt/parts/cuts.h"

#include "runtime/base/heap.h"

#include <math.h>

/* A layer is cut further for at least such a gain of its own time. */
static const double LEAST_GAIN = 0.002;

static const int32_t counts[] = {1, 2, 4, 16};

enum { COUNTS = sizeof counts / sizeof *counts };

/* Of the fastest algorithm with so little workspace; HUGE_VAL: there is none. */
static double pass_seconds(const vdnn_layer_profile *layer, int pass, size_t free_bytes)
{
    double least = layer->choice_count[pass] == 0 ? 0 : HUGE_VAL;
    for (int32_t i = 0; i < layer->choice_count[pass]; i++)
        if (layer->choices[pass][i].workspace_bytes <= free_bytes)
            least = fmin(least, layer->choices[pass][i].seconds);
    return least;
}

static double layer_seconds(const vdnn_profile *profile, int32_t layer, int32_t parts,
                            const size_t free_bytes[2])
{
    double seconds = 0;
    for (int p = 0; p < VDNN_PASS_COUNT; p++)
        if (profile->layers[layer].choice_count[p] > 0)
            seconds += parts * profile->launch_seconds +
                       pass_seconds(&profile->layers[layer], p, free_bytes[p != VDNN_FORWARD]);
    return seconds;
}

/* What is free beside the maps while a layer runs, in forward and in backward. */
static void free_beside(size_t budget, const vdnn_trial_live live, size_t free_bytes[2])
{
    for (int half = 0; half < 2; half++)
        free_bytes[half] = budget > live[half] ? budget - live[half] : 0;
}

static vdnn_status choose(const vdnn_policy_request *request, size_t budget,
                          const vdnn_trial_live *live, double *best, int32_t *uniform,
                          int32_t *parts)
{
    const vdnn_graph *graph = request->graph;
    vdnn_status status = VDNN_OK;
    for (int i = 0; i < COUNTS && status == VDNN_OK; i++) {
        vdnn_variant of;
        vdnn_graph_in_parts(request->graph, counts[i], uniform);
        status = request->variants->find(request->variants, uniform, &of);
        for (int32_t l = 0; l < graph->layer_count && status == VDNN_OK; l++) {
            size_t free_bytes[2];
            free_beside(budget, live[l], free_bytes);
            double seconds = layer_seconds(of.profile, l, uniform[l], free_bytes);
            if (i > 0 && !(seconds < best[l] * (1 - LEAST_GAIN)))
                continue;
            best[l] = seconds;
            parts[l] = uniform[l];
        }
    }
    return status;
}

/* What is copied in pieces, or chained, is so because nothing else fits. */
static void keep_bound_parts(const vdnn_graph *graph, const vdnn_decisions *decisions,
                             vdnn_opt_cut *cut)
{
    for (int32_t m = 0; m < graph->map_count; m++)
        for (int32_t i = 0; i < graph->maps[m].needed_count && decisions->maps[m].pieces; i++) {
            const int32_t layer = graph->maps[m].needed_by[i];
            cut->parts[layer] = decisions->parts[layer];
        }
    for (int32_t l = 0; l < graph->layer_count; l++) {
        cut->chained[l] = decisions->chained[l];
        if (vdnn_decisions_chain_end(decisions, l) - vdnn_decisions_chain_begin(decisions, l) > 1)
            cut->parts[l] = decisions->parts[l];
    }
}

vdnn_status vdnn_opt_cuts_choose(const vdnn_policy_request *request, const vdnn_opt_stage *stage,
                                 double share, vdnn_opt_cut *cut)
{
    const size_t layers = (size_t)request->graph->layer_count;
    const size_t budget = (size_t)(share * (double)request->budget_bytes[VDNN_TIER_DEVICE]);
    const vdnn_trial *trial = stage->request.trial;
    const vdnn_decisions *decisions = &stage->search.best;
    vdnn_trial_bound bound;
    vdnn_trial_live *live = vdnn_heap_calloc(layers, sizeof(vdnn_trial_live));
    double *best = vdnn_heap_calloc(layers, sizeof *best);
    int32_t *uniform = vdnn_heap_calloc(layers, sizeof *uniform);
    vdnn_status status = VDNN_OK;
    if (live == NULL || best == NULL || uniform == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory to cut %zu layers", layers);
    if (status == VDNN_OK)
        status = trial->bound(trial, decisions, live, &bound);
    if (status == VDNN_OK)
        status = choose(request, budget, (const vdnn_trial_live *)live, best, uniform, cut->parts);
    if (status == VDNN_OK)
        keep_bound_parts(request->graph, decisions, cut);
    vdnn_heap_free(uniform);
    vdnn_heap_free(best);
    vdnn_heap_free(live);
    return status;
}
