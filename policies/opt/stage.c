#include "policies/opt/stage.h"

#include "runtime/base/heap.h"

#include <string.h>

vdnn_status vdnn_opt_cut_init(vdnn_opt_cut *own, const vdnn_graph *graph)
{
    const size_t layers = (size_t)graph->layer_count;
    own->parts = vdnn_heap_calloc(layers, sizeof *own->parts);
    own->chained = vdnn_heap_calloc(layers, sizeof *own->chained);
    if (own->parts == NULL || own->chained == NULL) {
        vdnn_opt_cut_fini(own);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to cut %zu layers", layers);
    }
    for (int32_t l = 0; l < graph->layer_count; l++)
        own->parts[l] = (int32_t)graph->layers[l].parts;
    return VDNN_OK;
}

void vdnn_opt_cut_fini(vdnn_opt_cut *own)
{
    vdnn_heap_free(own->parts);
    vdnn_heap_free(own->chained);
    *own = (vdnn_opt_cut){0};
}

void vdnn_opt_cut_take(vdnn_opt_cut *own, const vdnn_opt_stage *stage)
{
    for (int32_t l = 0; l < stage->request.graph->layer_count; l++) {
        own->parts[l] = (int32_t)stage->request.graph->layers[l].parts;
        own->chained[l] = stage->search.chained[l];
    }
}

bool vdnn_opt_cut_is(const vdnn_opt_cut *own, const vdnn_opt_stage *stage)
{
    for (int32_t l = 0; l < stage->request.graph->layer_count; l++)
        if (own->parts[l] != (int32_t)stage->request.graph->layers[l].parts ||
            own->chained[l] != stage->search.chained[l])
            return false;
    return true;
}

int32_t vdnn_opt_tried_of(const vdnn_opt_tried *own, double seconds)
{
    return seconds < own->seconds || seconds > own->seconds ? 0 : own->count;
}

static vdnn_status init(const vdnn_policy_request *request, const int32_t *chained,
                        vdnn_opt_stage *own)
{
    own->request = *request;
    own->oracle_seconds = 0;
    own->changes = (vdnn_opt_tried){0};
    return vdnn_opt_search_init(&own->request, chained, &own->search);
}

vdnn_status vdnn_opt_stage_init(const vdnn_policy_request *request, vdnn_opt_stage *own)
{
    return init(request, NULL, own);
}

vdnn_status vdnn_opt_stage_find(const vdnn_policy_request *request, const vdnn_opt_cut *cut,
                                int64_t trials, vdnn_opt_stage *own)
{
    vdnn_policy_request of_cut = *request;
    vdnn_variant of;
    VDNN_TRY(request->variants->find(request->variants, cut->parts, &of));
    of_cut.graph = of.graph;
    of_cut.profile = of.profile;
    of_cut.trial = of.trial;
    vdnn_status status = init(&of_cut, cut->chained, own);
    own->search.trials = trials;
    return status;
}

vdnn_status vdnn_opt_stage_as(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                              int64_t trials, vdnn_opt_stage *own)
{
    const size_t layers = (size_t)request->graph->layer_count;
    vdnn_opt_cut cut;
    bool taken;
    VDNN_TRY(vdnn_opt_cut_init(&cut, request->graph));
    memcpy(cut.parts, decisions->parts, layers * sizeof *cut.parts);
    memcpy(cut.chained, decisions->chained, layers * sizeof *cut.chained);
    vdnn_status status = vdnn_opt_stage_find(request, &cut, trials, own);
    vdnn_opt_cut_fini(&cut);
    if (status != VDNN_OK)
        return status;
    status = vdnn_opt_search_offer(&own->search, decisions, NULL, &taken);
    if (status != VDNN_OK)
        vdnn_opt_stage_fini(own);
    return status;
}

vdnn_status vdnn_opt_stage_copy(const vdnn_opt_stage *from, vdnn_opt_stage *own)
{
    const vdnn_opt_search *search = &from->search;
    vdnn_status status = init(&from->request, search->chained, own);
    if (status != VDNN_OK)
        return status;
    own->oracle_seconds = from->oracle_seconds;
    own->search.trials = search->trials;
    own->search.least_seconds = search->least_seconds;
    own->search.time = search->time;
    if (search->found)
        status = vdnn_decisions_copy(&own->search.best, &search->best);
    own->search.found = search->found && status == VDNN_OK;
    if (status != VDNN_OK)
        vdnn_opt_stage_fini(own);
    return status;
}

void vdnn_opt_stage_fini(vdnn_opt_stage *own)
{
    vdnn_opt_search_fini(&own->search);
}

bool vdnn_opt_stage_is_cut_like(const vdnn_opt_stage *own, const vdnn_opt_stage *other)
{
    const vdnn_graph *graph = own->request.graph, *others = other->request.graph;
    bool is_alike = true;
    for (int32_t l = 0; l < graph->layer_count && is_alike; l++)
        is_alike = graph->layers[l].parts == others->layers[l].parts &&
                   own->search.chained[l] == other->search.chained[l];
    return is_alike;
}

/* Of sums of times. */
static const double ROUNDING = 1e-6;

bool vdnn_opt_stage_is_slowed(const vdnn_opt_stage *own)
{
    return own->search.time.step_seconds > own->oracle_seconds * (1 + ROUNDING);
}

void vdnn_opt_stage_replace(vdnn_opt_stage *earlier, const vdnn_opt_stage *later)
{
    const double oracle_seconds = earlier->oracle_seconds;
    vdnn_opt_stage_fini(earlier);
    *earlier = *later;
    earlier->oracle_seconds = oracle_seconds;
    earlier->search.request = &earlier->request;
}

bool vdnn_opt_stage_take_better(vdnn_opt_stage *best, vdnn_opt_stage *other)
{
    const bool is_better =
        other->search.found && vdnn_opt_search_is_better(&best->search, &other->search.time);
    if (is_better)
        vdnn_opt_stage_replace(best, other);
    else
        vdnn_opt_stage_fini(other);
    return is_better;
}

/* The index of the algorithm of the same name. */
static int32_t same_choice(const vdnn_opt_stage *from, const vdnn_opt_stage *to,
                           const vdnn_decisions *decisions, int32_t layer, vdnn_pass pass)
{
    const vdnn_choice *own = vdnn_decisions_choice(decisions, from->request.profile, layer, pass);
    int32_t found =
        own == NULL ? 0 : vdnn_profile_find(to->request.profile, layer, pass, own->algorithm->name);
    return found < 0 ? 0 : found;
}

/* As large a share as in the parts before. */
static int32_t recomputed_in(const vdnn_opt_stage *from, const vdnn_opt_stage *to,
                             const vdnn_decisions *decisions, int32_t map)
{
    const int32_t layer = to->request.graph->maps[map].needed_by[0],
                  before = vdnn_graph_part_count(from->request.graph, layer),
                  parts = vdnn_graph_part_count(to->request.graph, layer),
                  recomputed = (decisions->maps[map].recomputed * parts + before / 2) / before;
    return recomputed < 1 ? 1 : recomputed >= parts ? parts - 1 : recomputed;
}

void vdnn_opt_stage_bring(const vdnn_opt_stage *from, const vdnn_opt_stage *to,
                          vdnn_decisions *decisions)
{
    const vdnn_graph *graph = to->request.graph;
    vdnn_opt_search_sign(decisions);
    for (int32_t l = 0; l < graph->layer_count; l++) {
        decisions->parts[l] = (int32_t)graph->layers[l].parts;
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            decisions->choice[l][p] = same_choice(from, to, decisions, l, (vdnn_pass)p);
    }
    for (int32_t m = 0; m < graph->map_count; m++)
        if (decisions->maps[m].recomputed > 0)
            decisions->maps[m].recomputed = recomputed_in(from, to, decisions, m);
    vdnn_opt_search_chain(&to->search, decisions);
}
