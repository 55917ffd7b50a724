#include "runtime/graph/maps.h"

#include "runtime/base/heap.h"

#include <string.h>

static vdnn_map_kind kind_of(const vdnn_graph *graph, const vdnn_tensor *tensor)
{
    if (tensor->producer < 0)
        return VDNN_MAP_INPUT;
    return tensor->producer == graph->layer_count - 1 ? VDNN_MAP_RESULT : VDNN_MAP_FEATURE;
}

/* Tensors come in the order of their layers, so the last one on a map is its last writer's. */
static void put_tensor(vdnn_graph *graph, const vdnn_tensor *tensor)
{
    vdnn_map *map = &graph->maps[tensor->map];
    if (map->name == NULL)
        *map = (vdnn_map){.kind = kind_of(graph, tensor),
                          .name = tensor->name,
                          .bytes = vdnn_desc_bytes(&tensor->desc),
                          .first_writer = tensor->producer};
    map->last_writer = tensor->producer;
    map->reader_count = tensor->reader_count;
    map->last_forward =
        tensor->reader_count == 0 ? tensor->producer : tensor->readers[tensor->reader_count - 1];
}

static void put_aux(vdnn_graph *graph, int32_t layer, int32_t map)
{
    graph->aux_map[layer] = map;
    graph->maps[map] = (vdnn_map){.kind = VDNN_MAP_AUX,
                                  .name = graph->layers[layer].name,
                                  .bytes = graph->layers[layer].aux_bytes,
                                  .first_writer = layer,
                                  .last_writer = layer,
                                  .last_forward = layer};
}

/* Readers after the last writer are those of the last writer's tensor. */
static bool copy_readers(vdnn_graph *graph)
{
    for (int32_t t = 0; t < graph->tensor_count; t++) {
        const vdnn_tensor *tensor = &graph->tensors[t];
        vdnn_map *map = &graph->maps[tensor->map];
        if (map->last_writer != tensor->producer)
            continue;
        map->readers = vdnn_heap_calloc((size_t)tensor->reader_count, sizeof *map->readers);
        if (map->readers == NULL)
            return false;
        memcpy(map->readers, tensor->readers, (size_t)tensor->reader_count * sizeof *map->readers);
    }
    return true;
}

/* Counts, and writes if the arrays exist already. `last` is the layer added last. */
static void note_need(vdnn_map *map, int32_t layer, int32_t *last)
{
    if (*last == layer)
        return;
    *last = layer;
    if (map->needed_by != NULL)
        map->needed_by[map->needed_count] = layer;
    map->needed_count++;
}

static void note_needs(vdnn_graph *graph, int32_t *last)
{
    memset(last, -1, (size_t)graph->map_count * sizeof *last);
    for (int32_t i = graph->layer_count - 1; i >= 0; i--) {
        const vdnn_layer *layer = &graph->layers[i];
        vdnn_needs needs = vdnn_layer_needs(layer);
        for (int32_t k = 0; (needs & VDNN_NEEDS_X) != 0 && k < layer->input_count; k++) {
            int32_t map = graph->tensors[layer->inputs[k]].map;
            note_need(&graph->maps[map], i, &last[map]);
        }
        int32_t y = graph->tensors[layer->output].map, aux = graph->aux_map[i];
        if ((needs & VDNN_NEEDS_Y) != 0)
            note_need(&graph->maps[y], i, &last[y]);
        if ((needs & VDNN_NEEDS_AUX) != 0 && aux >= 0)
            note_need(&graph->maps[aux], i, &last[aux]);
    }
}

static bool list_needs(vdnn_graph *graph)
{
    int32_t *last = vdnn_heap_calloc((size_t)graph->map_count, sizeof *last);
    if (last == NULL)
        return false;
    bool good = true;
    note_needs(graph, last);
    for (int32_t m = 0; m < graph->map_count && good; m++) {
        vdnn_map *map = &graph->maps[m];
        map->needed_by = vdnn_heap_calloc((size_t)map->needed_count, sizeof *map->needed_by);
        map->needed_count = 0;
        good = map->needed_by != NULL;
    }
    if (good)
        note_needs(graph, last);
    vdnn_heap_free(last);
    return good;
}

vdnn_status vdnn_maps_create(vdnn_graph *graph, int32_t map_count)
{
    int32_t tensor_maps = map_count;
    for (int32_t i = 0; i < graph->layer_count; i++)
        map_count += graph->layers[i].aux_bytes > 0;
    graph->maps = vdnn_heap_calloc((size_t)map_count, sizeof *graph->maps);
    graph->aux_map = vdnn_heap_calloc((size_t)graph->layer_count, sizeof *graph->aux_map);
    if (graph->maps == NULL || graph->aux_map == NULL)
        goto fail;
    graph->map_count = map_count;
    for (int32_t t = 0; t < graph->tensor_count; t++)
        put_tensor(graph, &graph->tensors[t]);
    for (int32_t i = 0; i < graph->layer_count; i++) {
        graph->aux_map[i] = -1;
        if (graph->layers[i].aux_bytes > 0)
            put_aux(graph, i, tensor_maps++);
    }
    if (!copy_readers(graph) || !list_needs(graph))
        goto fail;
    return VDNN_OK;
fail:
    return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the %d maps of network '%s'", map_count,
                            graph->name);
}

void vdnn_maps_destroy(vdnn_graph *graph)
{
    for (int32_t m = 0; m < graph->map_count; m++) {
        vdnn_heap_free(graph->maps[m].readers);
        vdnn_heap_free(graph->maps[m].needed_by);
    }
    vdnn_heap_free(graph->maps);
    vdnn_heap_free(graph->aux_map);
}
