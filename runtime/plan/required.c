#include "runtime/plan/required.h"

/* Others may be in the host tier but for the passes that use them, whatever the plan at hand does.
 */
static bool is_persistent(const vdnn_layer *layer)
{
    return vdnn_decisions_params_refusal(layer) != NULL;
}

/* Of blocks of layers before that one, those that may not leave, or the others. */
static size_t block_bytes(const vdnn_graph *graph, int32_t end, bool persistent)
{
    size_t bytes = 0;
    for (int32_t l = 0; l < end; l++)
        if (vdnn_graph_keeps(graph, l) && is_persistent(&graph->layers[l]) == persistent)
            bytes += graph->layers[l].param_bytes + vdnn_graph_state_bytes(graph, l);
    return bytes;
}

size_t vdnn_required_always(const vdnn_graph *graph, vdnn_loads loads)
{
    const size_t ahead = vdnn_graph_input_bytes(graph) + vdnn_graph_label_bytes(graph);
    return block_bytes(graph, graph->layer_count, true) + (loads == VDNN_LOADS_AHEAD ? ahead : 0);
}

size_t vdnn_required_sometimes(const vdnn_graph *graph, int32_t end)
{
    return block_bytes(graph, end, false);
}

size_t vdnn_required_params(const vdnn_graph *graph, const vdnn_layer *layer, vdnn_pass pass)
{
    const vdnn_layer *owner = &graph->layers[layer->owner];
    const bool uses = pass == VDNN_FORWARD || (layer->needs[pass] & VDNN_NEEDS_W) != 0;
    return uses && !is_persistent(owner) ? owner->param_bytes : 0;
}

/* The bytes of the map of a layer's i-th input, counted once; 0 if an earlier input or the output
 * has the same map. */
static size_t input_bytes(const vdnn_graph *graph, const vdnn_layer *layer, int32_t i,
                          int32_t out_map)
{
    int32_t map = graph->tensors[layer->inputs[i]].map;
    for (int32_t k = 0; k < i; k++)
        if (graph->tensors[layer->inputs[k]].map == map)
            return 0;
    return map == out_map ? 0 : graph->maps[map].bytes;
}

static size_t forward_bytes(const vdnn_graph *graph, const vdnn_layer *layer)
{
    int32_t out = graph->tensors[layer->output].map, aux = graph->aux_map[layer->index];
    size_t bytes = graph->maps[out].bytes + (aux < 0 ? 0 : graph->maps[aux].bytes);
    for (int32_t i = 0; i < layer->input_count; i++)
        bytes += input_bytes(graph, layer, i, out);
    return bytes;
}

size_t vdnn_required_gradients(const vdnn_graph *graph, const vdnn_layer *layer, vdnn_pass pass)
{
    size_t bytes = graph->tensors[layer->output].has_gradient ? vdnn_desc_bytes(&layer->y) : 0;
    int32_t over_dy = vdnn_layer_dx_over_dy(layer);
    if (vdnn_graph_dx_over_x(graph, layer)) /* which is counted by the map */
        return bytes;
    for (int32_t i = 0; i < layer->input_count && pass == VDNN_BACKWARD_DATA; i++)
        if (layer->wants_dx[i] && i != over_dy)
            bytes += vdnn_desc_bytes(&layer->x[i]);
    return bytes;
}

static size_t backward_bytes(const vdnn_graph *graph, const vdnn_layer *layer, vdnn_pass pass)
{
    vdnn_needs needs = layer->needs[pass];
    int32_t out = graph->tensors[layer->output].map, aux = graph->aux_map[layer->index];
    size_t bytes = vdnn_required_gradients(graph, layer, pass);
    if (needs & VDNN_NEEDS_Y)
        bytes += graph->maps[out].bytes;
    if (needs & VDNN_NEEDS_AUX && aux >= 0)
        bytes += graph->maps[aux].bytes;
    for (int32_t i = 0; i < layer->input_count && needs & VDNN_NEEDS_X; i++)
        bytes += input_bytes(graph, layer, i, needs & VDNN_NEEDS_Y ? out : -1);
    return bytes;
}

size_t vdnn_required_maps(const vdnn_graph *graph, const vdnn_layer *layer, vdnn_pass pass)
{
    return pass == VDNN_FORWARD ? forward_bytes(graph, layer) : backward_bytes(graph, layer, pass);
}

static size_t layer_bytes(const vdnn_graph *graph, const vdnn_layer *layer)
{
    size_t most = 0;
    for (int p = 0; p < VDNN_PASS_COUNT; p++) {
        const vdnn_pass pass = (vdnn_pass)p;
        const size_t bytes =
            vdnn_layer_has_pass(layer, pass)
                ? vdnn_required_maps(graph, layer, pass) + vdnn_required_params(graph, layer, pass)
                : 0;
        most = bytes > most ? bytes : most;
    }
    return most;
}

size_t vdnn_required_by_whole_layers(const vdnn_graph *graph)
{
    size_t most = 0;
    for (int32_t l = 0; l < graph->layer_count; l++) {
        const bool is_whole = vdnn_graph_part_count(graph, l) == 1;
        const size_t bytes = is_whole ? layer_bytes(graph, &graph->layers[l]) : 0;
        most = bytes > most ? bytes : most;
    }
    return vdnn_required_always(graph, VDNN_LOADS_LATE) + most;
}
