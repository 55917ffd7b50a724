#include "runtime/planner/steps/emitter.h"

enum { NONE = -1 };

/* The aux of forward is read, or written once more into memory that is not read. */
static void access_aux_to_recompute(vdnn_emitter *emit, int32_t step, const vdnn_layer *layer,
                                    vdnn_place *unread)
{
    int32_t aux = emit->graph->aux_map[layer->index];
    if (aux == NONE)
        return;
    if (!vdnn_layer_writes_aux(layer, true)) {
        vdnn_emitter_read(emit, step, emit->maps[aux], VDNN_BIND_AUX, 0);
        return;
    }
    if (unread->buffer == NONE)
        *unread = vdnn_emitter_map_buffer(emit, aux, VDNN_TIER_DEVICE);
    vdnn_emitter_write(emit, step, unread, VDNN_BIND_AUX, 0);
}

/* All parts of the layer, or, of a map that is there a part at a time, the current one. */
static void run_recompute(vdnn_emitter *emit, const vdnn_layer *layer, int32_t map)
{
    const int32_t current = emit->part;
    bool is_one = emit->is_by_parts[map];
    int32_t end = is_one ? current + 1 : vdnn_graph_part_count(emit->graph, layer->index);
    vdnn_place unread = vdnn_place_of(NONE);
    vdnn_parameters_fetch(emit, layer, VDNN_FORWARD);
    for (emit->part = is_one ? current : 0; emit->part < end; emit->part++) {
        int32_t step =
            vdnn_emitter_kernel(emit, VDNN_STEP_RECOMPUTE, layer, VDNN_BACKWARD_DATA, VDNN_FORWARD);
        vdnn_emitter_access_forward(emit, step, layer, map);
        access_aux_to_recompute(emit, step, layer, &unread);
    }
    emit->part = current;
}

static bool is_missing(vdnn_emitter *emit, int32_t map)
{
    return vdnn_map_copies_are_recomputed(emit, map) &&
           vdnn_map_copies_place(emit, map)->buffer == NONE;
}

/* Prefetches the maps that a map is computed from; returns one that must be recomputed first, NONE:
 * none. */
static int32_t fetch_inputs(vdnn_emitter *emit, int32_t map, int32_t group)
{
    const vdnn_graph *graph = emit->graph;
    for (int32_t l = graph->maps[map].first_writer; l != NONE;
         l = vdnn_graph_next_writer(graph, l)) {
        const vdnn_layer *layer = &graph->layers[l];
        if (graph->aux_map[l] != NONE && !vdnn_layer_writes_aux(layer, true))
            vdnn_map_copies_in(emit, graph->aux_map[l], group);
        for (int32_t i = 0; i < layer->input_count; i++) {
            int32_t input = graph->tensors[layer->inputs[i]].map;
            if (input == map)
                continue;
            vdnn_map_copies_in(emit, input, group);
            vdnn_map_copies_in_part(emit, input, group);
            if (is_missing(emit, input))
                return input;
        }
    }
    return NONE;
}

/* Recomputes a map unless that is done, and first the maps it is computed from. The stack never
 * holds a map twice, since a map is computed from earlier ones. */
void vdnn_recompute_map(vdnn_emitter *emit, int32_t map, int32_t group)
{
    int32_t depth = 0;
    if (!is_missing(emit, map))
        return;
    emit->to_recompute[depth++] = map;
    while (depth > 0 && !emit->builder->failed) {
        int32_t top = emit->to_recompute[depth - 1], missing = fetch_inputs(emit, top, group);
        if (missing != NONE) {
            emit->to_recompute[depth++] = missing;
            continue;
        }
        int32_t writer = emit->graph->maps[top].first_writer;
        *vdnn_map_copies_place(emit, top) =
            vdnn_emitter_output_buffer(emit, top, &emit->graph->layers[writer]);
        for (int32_t l = writer; l != NONE && !emit->builder->failed;
             l = vdnn_graph_next_writer(emit->graph, l))
            if (vdnn_layer_has_pass(&emit->graph->layers[l], VDNN_FORWARD))
                run_recompute(emit, &emit->graph->layers[l], top);
        if (!emit->is_by_parts[top])
            emit->map_copies.fetched[emit->map_copies.fetched_count++] = top;
        depth--;
    }
}
