#include "policies/late_load.h"

static double backward_seconds(const vdnn_profile *profile, const vdnn_decisions *decisions,
                               int32_t layer)
{
    double seconds = 0;
    for (int p = VDNN_FORWARD + 1; p < VDNN_PASS_COUNT; p++) {
        const vdnn_choice *choice = vdnn_decisions_choice(decisions, profile, layer, (vdnn_pass)p);
        seconds += choice == NULL ? 0 : choice->seconds;
    }
    return seconds;
}

/* Bytes of offloaded maps that a layer's backward is the first to need. */
static size_t returning_bytes(const vdnn_graph *graph, const vdnn_decisions *decisions,
                              int32_t layer)
{
    size_t bytes = 0;
    for (int32_t m = 0; m < graph->map_count; m++)
        if (decisions->maps[m].action == VDNN_OFFLOAD && graph->maps[m].needed_by[0] == layer)
            bytes += graph->maps[m].bytes;
    return bytes;
}

/* If a layer runs in parts, the load begins with its last part. So the layer hides it together with
 * the rest of its chain, and with all layers after that. */
void vdnn_late_load_decide(const vdnn_graph *graph, const vdnn_profile *profile,
                           vdnn_decisions *decisions)
{
    const double rate = profile->copy_in_bytes_per_second;
    double copies = (double)(vdnn_graph_input_bytes(graph) + vdnn_graph_label_bytes(graph)) / rate,
           behind = 0, chain = 0;
    int32_t layer = 0;
    for (; layer < graph->layer_count; layer++) {
        if (!decisions->chained[layer]) {
            behind += chain;
            chain = 0;
        }
        chain += backward_seconds(profile, decisions, layer);
        copies += (double)returning_bytes(graph, decisions, layer) / rate;
        if (copies <= behind + chain / vdnn_graph_part_count(graph, layer))
            break;
    }
    decisions->loads = VDNN_LOADS_LATE;
    decisions->load_layer = layer < graph->layer_count ? layer : graph->layer_count - 1;
}
