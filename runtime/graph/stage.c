#include "runtime/graph/stage.h"

#include "runtime/base/heap.h"
#include "runtime/graph/graph.h"

#include <string.h>

enum { NONE = -1 };

/* ---- where a network can be cut -------------------------------------------------------------- */

/* The stage that ends the gradient of a block keeps it, and files have it by its owner. */
static bool is_owner_behind(const vdnn_graph *graph, int32_t layer)
{
    for (int32_t l = 0; l < layer; l++)
        if (graph->layers[l].owner >= layer)
            return true;
    return false;
}

bool vdnn_stage_may_cut(const vdnn_graph *graph, int32_t layer)
{
    for (int32_t m = 0; m < graph->map_count; m++)
        if (graph->maps[m].first_writer >= 0 && graph->maps[m].first_writer < layer &&
            graph->maps[m].last_writer >= layer)
            return false;
    return !is_owner_behind(graph, layer);
}

static bool crosses(const vdnn_tensor *tensor, int32_t layer)
{
    return tensor->producer >= 0 && tensor->producer < layer && tensor->reader_count > 0 &&
           tensor->readers[tensor->reader_count - 1] >= layer;
}

size_t vdnn_stage_crossing_bytes(const vdnn_graph *graph, int32_t layer)
{
    size_t bytes = 0;
    for (int32_t t = 0; t < graph->tensor_count; t++)
        if (crosses(&graph->tensors[t], layer))
            bytes += vdnn_desc_bytes(&graph->tensors[t].desc);
    return bytes;
}

size_t vdnn_stage_lent_bytes(const vdnn_graph *graph, int32_t layer)
{
    size_t bytes = 0;
    for (int32_t l = layer; l < graph->layer_count; l++) {
        const int32_t owner = graph->layers[l].owner;
        int32_t before = layer;
        while (before < l && graph->layers[before].owner != owner)
            before++;
        if (owner < layer && before == l)
            bytes += graph->layers[owner].param_bytes;
    }
    return bytes;
}

const vdnn_graph *vdnn_stage_whole(const vdnn_graph *graph)
{
    return graph->stage.whole == NULL ? graph : graph->stage.whole;
}

/* ---- a stage --------------------------------------------------------------------------------- */

static bool is_here(const vdnn_stage *stage, int32_t layer)
{
    return layer >= stage->first && layer < stage->end;
}

static void leave_out(vdnn_graph *graph, vdnn_layer *layer)
{
    layer->is_elsewhere = true;
    memset(layer->wants_dx, 0, (size_t)layer->input_count * sizeof *layer->wants_dx);
    memset(layer->needs, 0, sizeof layer->needs);
    layer->param_count = 0;
    layer->param_bytes = layer->trainable_bytes = layer->copy_bytes = layer->aux_bytes = 0;
    layer->is_tied = layer->adds_dw = false;
    layer->parts = layer->channel_parts = 1;
    layer->owner = layer->index;
    graph->aux_map[layer->index] = NONE;
}

/* Those in the stage, and the layer behind it for all that are behind it. */
static int32_t keep_readers(const vdnn_stage *stage, int32_t *readers, int32_t count)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        if (is_here(stage, readers[i]))
            readers[kept++] = readers[i];
        else if (readers[i] >= stage->end && (kept == 0 || readers[kept - 1] < stage->end))
            readers[kept++] = stage->end;
    }
    return kept;
}

static void take_tensor(const vdnn_stage *stage, vdnn_tensor *tensor)
{
    const bool is_input = tensor->producer < 0;
    const int32_t last =
        tensor->reader_count == 0 ? NONE : tensor->readers[tensor->reader_count - 1];
    tensor->arrives = !is_input && tensor->producer < stage->first && last >= stage->first;
    tensor->departs = !is_input && tensor->producer < stage->end && last >= stage->end;
    const bool is_used = tensor->arrives || is_here(stage, tensor->producer);
    tensor->reader_count =
        is_used || is_input ? keep_readers(stage, tensor->readers, tensor->reader_count) : 0;
    if (is_input && tensor->reader_count > 0 &&
        tensor->readers[tensor->reader_count - 1] == stage->end)
        tensor->reader_count--; /* each stage loads the inputs that it reads */
    tensor->has_gradient = tensor->has_gradient && is_used;
    if (tensor->arrives)
        tensor->producer = NONE;
}

static void take_needs(const vdnn_stage *stage, vdnn_map *map)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < map->needed_count; i++)
        if (is_here(stage, map->needed_by[i]))
            map->needed_by[kept++] = map->needed_by[i];
    map->needed_count = kept;
}

/* Of an auxiliary map nothing but the needs. */
static void take_map(const vdnn_graph *graph, vdnn_map *map, int32_t number)
{
    take_needs(&graph->stage, map);
    for (int32_t t = 0; t < graph->tensor_count; t++) {
        const vdnn_tensor *tensor = &graph->tensors[t];
        const bool is_last = tensor->map == number && (tensor->arrives || tensor->producer < 0 ||
                                                       tensor->producer == map->last_writer);
        if (!is_last)
            continue;
        map->reader_count = tensor->reader_count;
        memcpy(map->readers, tensor->readers, (size_t)tensor->reader_count * sizeof *map->readers);
        if (tensor->arrives) {
            map->kind = VDNN_MAP_INPUT;
            map->first_writer = map->last_writer = NONE;
        }
        map->last_forward =
            map->reader_count > 0 ? map->readers[map->reader_count - 1] : map->last_writer;
    }
}

/* The block of an owner, if layers of other stages are in it and it comes by here. */
static bool find_block(const vdnn_graph *graph, int32_t owner, vdnn_stage_block *block)
{
    const vdnn_stage *stage = &graph->stage;
    *block = (vdnn_stage_block){.owner = owner,
                                .here = NONE,
                                .below = NONE,
                                .above = NONE,
                                .param_bytes = graph->layers[owner].param_bytes,
                                .trainable_bytes = graph->layers[owner].trainable_bytes};
    for (int32_t l = 0; l < graph->layer_count; l++) {
        if (graph->layers[l].owner != owner)
            continue;
        if (l < stage->first)
            block->below = l;
        else if (l >= stage->end && block->above == NONE)
            block->above = l;
        else if (l < stage->end && block->here == NONE)
            block->here = l;
    }
    const int sides = (block->below != NONE) + (block->here != NONE) + (block->above != NONE);
    return sides > 1;
}

static vdnn_status find_blocks(vdnn_graph *graph)
{
    graph->stage_blocks = vdnn_heap_calloc((size_t)graph->layer_count, sizeof *graph->stage_blocks);
    if (graph->stage_blocks == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a stage of %s", graph->name);
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (graph->layers[l].is_tied && graph->layers[l].owner == l &&
            find_block(graph, l, &graph->stage_blocks[graph->stage_block_count]))
            graph->stage_block_count++;
    return VDNN_OK;
}

/* Layers here whose block another stage keeps. */
static void take_blocks(vdnn_graph *graph)
{
    for (int32_t b = 0; b < graph->stage_block_count; b++) {
        const vdnn_stage_block *block = &graph->stage_blocks[b];
        for (int32_t l = graph->stage.first; l < graph->stage.end && block->below != NONE; l++)
            if (graph->layers[l].owner == block->owner) {
                graph->layers[l].owner = block->here;
                graph->layers[l].is_lent = true;
            }
    }
}

vdnn_status vdnn_stage_take(vdnn_graph *graph)
{
    if (graph->stage.count == 0)
        return VDNN_OK;
    VDNN_TRY(find_blocks(graph));
    for (int32_t l = graph->stage.end; l < graph->layer_count; l++)
        graph->learns_behind = graph->learns_behind || (graph->layers[l].trainable_bytes > 0 &&
                                                        graph->layers[l].owner >= graph->stage.end);
    take_blocks(graph);
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (!is_here(&graph->stage, l))
            leave_out(graph, &graph->layers[l]);
    for (int32_t t = 0; t < graph->tensor_count; t++)
        take_tensor(&graph->stage, &graph->tensors[t]);
    for (int32_t m = 0; m < graph->map_count; m++)
        take_map(graph, &graph->maps[m], m);
    return VDNN_OK;
}
