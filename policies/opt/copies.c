#include "policies/opt/copies.h"

double vdnn_opt_copies_out_seconds(const vdnn_opt_search *own, size_t bytes)
{
    const vdnn_profile *profile = own->request->profile;
    return profile->copy_latency_seconds + (double)bytes / profile->copy_out_bytes_per_second;
}

double vdnn_opt_copies_in_seconds(const vdnn_opt_search *own, size_t bytes)
{
    const vdnn_profile *profile = own->request->profile;
    return profile->copy_latency_seconds + (double)bytes / profile->copy_in_bytes_per_second;
}

/* ---- alone ----------------------------------------------------------------------------------- */

/* The last layer that uses it in forward, or the next one where that makes it. */
static int32_t first_leave(const vdnn_graph *graph, int32_t map)
{
    const vdnn_map *at = &graph->maps[map];
    const bool is_made_last =
        at->last_forward == at->last_writer && at->last_forward + 1 < graph->layer_count;
    return at->last_forward + is_made_last;
}

int32_t vdnn_opt_copies_leave(const vdnn_opt_search *own, int32_t map, double times)
{
    const vdnn_graph *graph = own->request->graph;
    const double seconds = times * vdnn_opt_copies_out_seconds(own, graph->maps[map].bytes);
    int32_t layer = first_leave(graph, map), last = graph->layer_count - 1;
    for (double hidden = own->forward[layer]; hidden < seconds && layer < last;)
        hidden += own->forward[++layer];
    return layer;
}

int32_t vdnn_opt_copies_return(const vdnn_opt_search *own, int32_t map, double times)
{
    const vdnn_graph *graph = own->request->graph;
    const double seconds = times * vdnn_opt_copies_in_seconds(own, graph->maps[map].bytes);
    int32_t layer = own->needs[map], last = graph->layer_count - 1;
    for (double hidden = 0; hidden < seconds && layer < last;)
        hidden += own->backward[++layer];
    return layer;
}

vdnn_map_decision vdnn_opt_copies_beside_parts(const vdnn_opt_search *own,
                                               const vdnn_decisions *decisions, int32_t map)
{
    const vdnn_graph *graph = own->request->graph;
    const int32_t end = vdnn_decisions_chain_end(decisions, graph->maps[map].last_forward),
                  behind = end < graph->layer_count ? end : graph->layer_count - 1;
    return (vdnn_map_decision){
        .action = VDNN_OFFLOAD, .leaves = behind, .returns = behind, .pieces = 2};
}

/* ---- in a queue ------------------------------------------------------------------------------ */

static bool is_offloaded(const vdnn_decisions *decisions, int32_t map)
{
    return decisions->maps[map].action == VDNN_OFFLOAD;
}

static double positive(double seconds)
{
    return seconds > 0 ? seconds : 0;
}

/* From the seconds of each layer's own copies. */
static void sum_queues(vdnn_opt_search *own)
{
    double behind = 0, ahead = 0;
    for (int32_t l = 0; l < own->request->graph->layer_count; l++) {
        behind = positive(behind - (l > 0 ? own->forward[l - 1] : 0)) + own->out_behind[l];
        ahead = positive(ahead - own->backward[l]) + own->in_ahead[l];
        own->out_behind[l] = behind;
        own->in_ahead[l] = ahead;
    }
}

static void need_at(vdnn_opt_search *own, int32_t map, int32_t layer)
{
    if (own->needs[map] < layer)
        own->needs[map] = layer;
}

/* What a map is recomputed from is needed where that is. */
static void need_sources(vdnn_opt_search *own, int32_t map)
{
    const vdnn_graph *graph = own->request->graph;
    const int32_t need = own->needs[map];
    for (int32_t l = graph->maps[map].first_writer; l >= 0; l = vdnn_graph_next_writer(graph, l)) {
        const vdnn_layer *layer = &graph->layers[l];
        for (int32_t i = 0; i < layer->input_count; i++)
            need_at(own, graph->tensors[layer->inputs[i]].map, need);
        if (graph->aux_map[l] >= 0 && !vdnn_layer_writes_aux(layer, true))
            need_at(own, graph->aux_map[l], need);
    }
}

/* From the last map to the first, as a map is computed from earlier ones. */
static void note_needs(vdnn_opt_search *own, const vdnn_decisions *decisions)
{
    const vdnn_graph *graph = own->request->graph;
    for (int32_t m = 0; m < graph->map_count; m++)
        own->needs[m] = vdnn_opt_own_need(&graph->maps[m]);
    for (int32_t m = graph->map_count - 1; m >= 0; m--)
        if (vdnn_decisions_recomputes(decisions, m) && own->needs[m] >= 0)
            need_sources(own, m);
}

static double params_in_seconds(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                                int32_t layer)
{
    const vdnn_graph *graph = own->request->graph;
    const vdnn_params_decision *params = &decisions->params[layer];
    if (params->action != VDNN_OFFLOAD)
        return 0;
    return vdnn_opt_copies_in_seconds(own,
                                      vdnn_graph_state_bytes(graph, layer) +
                                          (params->stays ? 0 : graph->layers[layer].param_bytes));
}

void vdnn_opt_copies_note(vdnn_opt_search *own, const vdnn_decisions *decisions)
{
    const vdnn_graph *graph = own->request->graph;
    note_needs(own, decisions);
    for (int32_t l = 0; l < graph->layer_count; l++) {
        own->out_behind[l] = 0;
        own->in_ahead[l] = params_in_seconds(own, decisions, l);
    }
    for (int32_t m = 0; m < graph->map_count; m++) {
        if (!is_offloaded(decisions, m))
            continue;
        const size_t bytes = vdnn_decisions_copied_bytes(graph, decisions, m);
        own->out_behind[first_leave(graph, m)] += vdnn_opt_copies_out_seconds(own, bytes);
        if (own->needs[m] >= 0) /* else it leaves in vain, and does not return */
            own->in_ahead[own->needs[m]] += vdnn_opt_copies_in_seconds(own, bytes);
    }
    sum_queues(own);
}

int32_t vdnn_opt_copies_leave_queued(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                                     int32_t map, double *exposed_seconds)
{
    const vdnn_graph *graph = own->request->graph;
    const int32_t first = first_leave(graph, map), last = graph->layer_count - 1;
    double behind = own->out_behind[first];
    int32_t at = first;
    if (!is_offloaded(decisions, map))
        behind += vdnn_opt_copies_out_seconds(own, graph->maps[map].bytes);
    for (behind -= own->forward[at]; behind > 0 && at < last;)
        behind -= own->forward[++at];
    if (exposed_seconds != NULL)
        *exposed_seconds = positive(behind);
    return at;
}

int32_t vdnn_opt_copies_return_queued(const vdnn_opt_search *own, const vdnn_decisions *decisions,
                                      int32_t map, double *exposed_seconds)
{
    const vdnn_graph *graph = own->request->graph;
    const int32_t need = own->needs[map] >= 0 ? own->needs[map] : 0, last = graph->layer_count - 1;
    double ahead = own->in_ahead[need];
    int32_t at = need;
    if (!is_offloaded(decisions, map))
        ahead += vdnn_opt_copies_in_seconds(own, graph->maps[map].bytes);
    while (ahead > 0 && at < last)
        ahead -= own->backward[++at];
    if (exposed_seconds != NULL)
        *exposed_seconds = positive(ahead);
    return at;
}

void vdnn_opt_copies_queue(vdnn_opt_search *own, vdnn_decisions *made)
{
    vdnn_opt_copies_note(own, made);
    for (int32_t m = 0; m < own->request->graph->map_count; m++) {
        vdnn_map_decision *at = &made->maps[m];
        if (at->action != VDNN_OFFLOAD || at->pieces)
            continue;
        at->leaves = vdnn_opt_copies_leave_queued(own, made, m, NULL);
        at->returns = vdnn_opt_copies_return_queued(own, made, m, NULL);
    }
}
