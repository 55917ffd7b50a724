#include "runtime/graph/needs.h"

#include <string.h>

static const vdnn_pass backward[2] = {VDNN_BACKWARD_DATA, VDNN_BACKWARD_FILTER};

/* A pass that the layer does not have needs nothing. */
static void take_needs(vdnn_layer *layer, const vdnn_needs rule[2])
{
    const vdnn_needs *own = vdnn_layer_rule(layer, rule);
    for (int i = 0; i < 2; i++)
        layer->needs[backward[i]] = vdnn_layer_has_pass(layer, backward[i]) ? own[i] : 0;
}

/* The graph is in order, so that the producer's own place is decided before its reader's. A
 * producer that is itself in place needs no further check: no backward pass needs what it
 * overwrote. */
static bool may_work_in_place(const vdnn_graph *graph, const vdnn_layer *layer)
{
    const vdnn_tensor *x = &graph->tensors[layer->inputs[0]];
    if (!layer->def->in_place || layer->input_count != 1 || x->producer < 0 ||
        x->reader_count != 1 || (vdnn_layer_needs(layer) & VDNN_NEEDS_X) != 0)
        return false;
    if (vdnn_desc_bytes(&layer->x[0]) != vdnn_desc_bytes(&layer->y))
        return false;
    return (vdnn_layer_needs(&graph->layers[x->producer]) & VDNN_NEEDS_Y) == 0;
}

static int32_t place_tensors(vdnn_graph *graph)
{
    int32_t map_count = 0;
    while (map_count < vdnn_graph_labels_row(graph)) {
        graph->tensors[map_count].map = map_count;
        map_count++;
    }
    for (int32_t i = 0; i < graph->layer_count; i++) {
        vdnn_layer *layer = &graph->layers[i];
        layer->in_place = may_work_in_place(graph, layer);
        graph->tensors[layer->output].map =
            layer->in_place ? graph->tensors[layer->inputs[0]].map : map_count++;
    }
    return map_count;
}

static bool is_last_on_its_map(const vdnn_graph *graph, const vdnn_layer *layer)
{
    const vdnn_tensor *y = &graph->tensors[layer->output];
    return y->reader_count != 1 || !graph->layers[y->readers[0]].in_place;
}

/* How many layers' backward needs each map. */
static void count_needs(const vdnn_graph *graph, int32_t *needed)
{
    for (int32_t i = 0; i < graph->layer_count; i++) {
        const vdnn_layer *layer = &graph->layers[i];
        if ((vdnn_layer_needs(layer) & VDNN_NEEDS_Y) != 0)
            needed[graph->tensors[layer->output].map]++;
        if ((vdnn_layer_needs(layer) & VDNN_NEEDS_X) == 0)
            continue;
        for (int32_t k = 0; k < layer->input_count; k++)
            needed[graph->tensors[layer->inputs[k]].map]++;
    }
}

/* Under the lean rules a layer uses y at no cost if its y is kept for another layer. All layers are
 * checked against the needs before any alternative, so that the order of checking does not matter.
 */
static void take_alternatives(vdnn_graph *graph, int32_t *needed)
{
    count_needs(graph, needed);
    for (int32_t i = 0; i < graph->layer_count; i++) {
        vdnn_layer *layer = &graph->layers[i];
        const vdnn_needs *rule = vdnn_layer_rule(layer, layer->def->lean_if_y);
        bool own = (vdnn_layer_needs(layer) & VDNN_NEEDS_Y) != 0;
        bool needs_x = ((rule[0] | rule[1]) & VDNN_NEEDS_X) != 0;
        if (needed[graph->tensors[layer->output].map] - own > 0 &&
            is_last_on_its_map(graph, layer) && !(layer->in_place && needs_x))
            take_needs(layer, rule);
    }
}

int32_t vdnn_needs_resolve(vdnn_graph *graph, int32_t *scratch)
{
    bool lean = graph->rules == VDNN_RULES_LEAN;
    for (int32_t i = 0; i < graph->layer_count; i++) {
        vdnn_layer *layer = &graph->layers[i];
        take_needs(layer, lean ? layer->def->lean : layer->def->paper);
    }
    int32_t map_count = place_tensors(graph);
    if (lean) {
        memset(scratch, 0, (size_t)graph->tensor_count * sizeof *scratch);
        take_alternatives(graph, scratch);
    }
    for (int32_t i = 0; i < graph->layer_count; i++) {
        vdnn_layer *layer = &graph->layers[i];
        layer->aux_bytes = layer->def->aux_bytes == NULL ? 0 : layer->def->aux_bytes(layer);
        const vdnn_needs absent = (layer->aux_bytes == 0 ? VDNN_NEEDS_AUX : 0U) |
                                  (layer->param_bytes == 0 ? VDNN_NEEDS_W : 0U);
        for (int b = 0; b < 2; b++)
            layer->needs[backward[b]] &= ~absent;
    }
    return map_count;
}
