/* Functions of graph.h that query a finished graph. */

#include "runtime/graph/graph.h"

#include <string.h>

int32_t vdnn_graph_writer(const vdnn_graph *graph, int32_t tensor)
{
    int32_t producer = graph->tensors[tensor].producer;
    if (producer < 0 || !graph->layers[producer].is_fused)
        return producer;
    return graph->tensors[graph->layers[producer].inputs[0]].producer;
}

int32_t vdnn_graph_next_writer(const vdnn_graph *graph, int32_t layer)
{
    const vdnn_tensor *y = &graph->tensors[graph->layers[layer].output];
    return y->reader_count == 1 && graph->layers[y->readers[0]].in_place ? y->readers[0] : -1;
}

bool vdnn_graph_needs(const vdnn_graph *graph, int32_t layer, vdnn_pass pass, int32_t map)
{
    const vdnn_layer *l = &graph->layers[layer];
    vdnn_needs needs = l->needs[pass];
    if ((needs & VDNN_NEEDS_Y) != 0 && graph->tensors[l->output].map == map)
        return true;
    if ((needs & VDNN_NEEDS_AUX) != 0 && map >= 0 && graph->aux_map[layer] == map)
        return true;
    for (int32_t k = 0; (needs & VDNN_NEEDS_X) != 0 && k < l->input_count; k++)
        if (graph->tensors[l->inputs[k]].map == map)
            return true;
    return false;
}

bool vdnn_graph_dx_over_x(const vdnn_graph *graph, const vdnn_layer *layer)
{
    if (!layer->def->dx_over_x || !layer->wants_dx[0] ||
        (layer->needs[VDNN_BACKWARD_DATA] & VDNN_NEEDS_X) == 0)
        return false;
    const vdnn_tensor *x = &graph->tensors[layer->inputs[0]];
    return x->reader_count == 1 && graph->maps[x->map].kind == VDNN_MAP_FEATURE &&
           graph->maps[x->map].needed_count == 1;
}

static bool couples(const vdnn_layer *layer)
{
    return vdnn_layer_summed_bytes(layer) < layer->trainable_bytes;
}

const vdnn_layer *vdnn_graph_couples_samples(const vdnn_graph *graph)
{
    for (int32_t i = 0; i < graph->layer_count; i++)
        if (couples(&graph->layers[i]))
            return &graph->layers[i];
    return NULL;
}

/* Of the largest micro-batch, on all devices. */
static int64_t joint_samples(const vdnn_graph *graph)
{
    int64_t samples = 0;
    for (int32_t d = 0; d < graph->devices; d++)
        samples += vdnn_graph_share(vdnn_graph_share(graph->step_batch, graph->devices, d),
                                    graph->micro_batches, 0);
    return samples;
}

const vdnn_layer *vdnn_graph_couples_fewest(const vdnn_graph *graph, int64_t *samples)
{
    const vdnn_layer *found = NULL;
    for (int32_t i = 0; i < graph->layer_count; i++) {
        const vdnn_layer *layer = &graph->layers[i];
        const int64_t own = vdnn_layer_joint_count(layer, VDNN_FORWARD) > 0 ? joint_samples(graph)
                                                                            : graph->micro_batch;
        if (!couples(layer) || (found != NULL && own >= *samples))
            continue;
        found = layer;
        *samples = own;
    }
    return found;
}

int64_t vdnn_graph_first_sample(const vdnn_graph *graph, int32_t micro)
{
    const bool is_larger = vdnn_graph_of_micro(graph, micro) == graph;
    const int64_t larger = graph->batch % graph->micro_batches;
    return micro * graph->micro_batch - (is_larger ? 0 : micro - larger);
}

double vdnn_graph_weight(const vdnn_graph *graph, int32_t micro)
{
    return (double)vdnn_graph_of_micro(graph, micro)->micro_batch / (double)graph->step_batch;
}

double vdnn_graph_part_weight(const vdnn_graph *graph, int32_t micro, int32_t layer, int32_t part)
{
    const vdnn_graph *shape = vdnn_graph_of_micro(graph, micro);
    const vdnn_graph_part *own = vdnn_graph_part_at(shape, layer, part);
    const int64_t samples = own == NULL ? shape->micro_batch : own->range.samples;
    return (double)samples / (double)graph->step_batch;
}

int64_t vdnn_graph_share(int64_t batch, int32_t devices, int32_t device)
{
    return batch / devices + (device < batch % devices ? 1 : 0);
}

int64_t vdnn_graph_share_first(int64_t batch, int32_t devices, int32_t device)
{
    const int64_t over = batch % devices;
    return batch / devices * device + (device < over ? device : over);
}

size_t vdnn_graph_label_bytes(const vdnn_graph *graph)
{
    return vdnn_desc_bytes(vdnn_graph_labels(graph));
}

size_t vdnn_graph_input_bytes(const vdnn_graph *graph)
{
    size_t bytes = 0;
    for (int32_t i = 0; i < vdnn_graph_labels_row(graph); i++)
        bytes += vdnn_desc_bytes(&graph->inputs[i].desc);
    return bytes;
}

size_t vdnn_graph_batch_bytes(const vdnn_graph *graph, int32_t input)
{
    const vdnn_desc *desc = &graph->inputs[input].desc;
    return vdnn_desc_bytes(desc) / (size_t)desc->dims[VDNN_N] * (size_t)graph->batch;
}

const vdnn_layer *vdnn_graph_loss(const vdnn_graph *graph)
{
    return &graph->layers[graph->layer_count - 1];
}

vdnn_target vdnn_graph_target(const vdnn_graph *graph)
{
    return vdnn_graph_loss(graph)->def->target;
}

int64_t vdnn_graph_sample_labels(const vdnn_graph *graph)
{
    const vdnn_desc *labels = vdnn_graph_labels(graph);
    return vdnn_desc_is_integer(labels) && labels->rank > 1 ? labels->dims[VDNN_POSITIONS] : 0;
}

bool vdnn_graph_label_planes(const vdnn_graph *graph, const vdnn_desc *labels, int64_t planes[3])
{
    int32_t i = 0;
    while (i < vdnn_graph_labels_row(graph) && graph->inputs[i].desc.rank < VDNN_PICTURE_RANK)
        i++;
    if (i == vdnn_graph_labels_row(graph))
        return false;
    const int64_t *sides = &graph->inputs[i].desc.dims[VDNN_H];
    const bool are_classes = vdnn_desc_is_integer(labels);
    planes[0] = are_classes ? 1 : labels->dims[VDNN_C];
    memcpy(planes + 1, sides, 2 * sizeof *sides);
    return are_classes ? labels->dims[VDNN_POSITIONS] == sides[0] * sides[1]
                       : labels->rank >= VDNN_PICTURE_RANK &&
                             memcmp(&labels->dims[VDNN_H], sides, 2 * sizeof *sides) == 0;
}

int64_t vdnn_graph_sample_tokens(const vdnn_graph *graph)
{
    return vdnn_desc_is_integer(&graph->inputs[0].desc) ? vdnn_graph_sample_labels(graph) : 0;
}

vdnn_rate_unit vdnn_graph_rate_unit(const vdnn_graph *graph)
{
    const int64_t tokens = vdnn_graph_sample_tokens(graph);
    const bool reads_tokens = vdnn_desc_is_integer(&graph->inputs[0].desc);
    return tokens > 0 ? (vdnn_rate_unit){"tokens/s", (double)tokens}
                      : (vdnn_rate_unit){reads_tokens ? "sequences/s" : "images/s", 1};
}

double vdnn_samples_per_second(int64_t samples, double step_seconds)
{
    return step_seconds > 0 ? (double)samples / step_seconds : 0;
}

int64_t vdnn_graph_count_labels(const vdnn_graph *graph, const void *of_samples, int64_t samples)
{
    const int32_t *labels = of_samples;
    int64_t counted = 0, all = samples * vdnn_desc_per_sample(vdnn_graph_labels(graph));
    if (!vdnn_layer_counts_labels(vdnn_graph_loss(graph)))
        return all;
    for (int64_t i = 0; i < all; i++)
        counted += labels[i] != graph->ignored;
    return counted;
}

bool vdnn_graph_can_fuse(const vdnn_graph *graph, int32_t layer)
{
    return !graph->stores_gradients && !vdnn_stage_defers_filters(&graph->stage) &&
           graph->micro_batches == 1 && graph->devices == 1 && graph->training.clip_norm == 0 &&
           vdnn_graph_part_count(graph, layer) == 1 && !graph->layers[layer].is_tied;
}

bool vdnn_graph_ends_gradient(const vdnn_graph *graph, const vdnn_layer *layer)
{
    int32_t before = layer->is_tied ? layer->index - 1 : -1;
    while (before >= 0 && graph->layers[before].owner != layer->owner)
        before--;
    return before < 0;
}

const vdnn_layer *vdnn_graph_next_in_block(const vdnn_graph *graph, const vdnn_layer *layer)
{
    const int32_t end = layer->is_tied ? graph->layer_count : 0;
    for (int32_t l = layer->index + 1; l < end; l++)
        if (graph->layers[l].owner == layer->owner)
            return &graph->layers[l];
    return NULL;
}

bool vdnn_graph_keeps(const vdnn_graph *graph, int32_t layer)
{
    return graph->layers[layer].owner == layer && !graph->layers[layer].is_lent;
}

const vdnn_stage_block *vdnn_graph_stage_block(const vdnn_graph *graph, int32_t here)
{
    for (int32_t b = 0; b < graph->stage_block_count; b++)
        if (graph->stage_blocks[b].here == here)
            return &graph->stage_blocks[b];
    return NULL;
}

int32_t vdnn_graph_sum_of(const vdnn_graph *graph, const vdnn_layer *layer)
{
    int32_t last = 0;
    if (graph->micro_batches == 1 || !layer->is_tied)
        return layer->owner;
    while (graph->layers[last].owner != layer->owner)
        last++;
    return layer->index == last ? layer->owner : layer->index == layer->owner ? last : layer->index;
}

size_t vdnn_graph_param_bytes(const vdnn_graph *graph)
{
    size_t bytes = 0;
    for (int32_t i = 0; i < graph->layer_count; i++)
        bytes += vdnn_graph_keeps(graph, i) ? graph->layers[i].param_bytes : 0;
    return bytes;
}

size_t vdnn_graph_trainable_bytes(const vdnn_graph *graph)
{
    size_t bytes = 0;
    for (int32_t i = 0; i < graph->layer_count; i++)
        bytes += vdnn_graph_keeps(graph, i) ? graph->layers[i].trainable_bytes : 0;
    return bytes;
}

size_t vdnn_graph_state_bytes(const vdnn_graph *graph, int32_t layer)
{
    const vdnn_layer *own = &graph->layers[layer];
    return vdnn_graph_keeps(graph, layer)
               ? vdnn_optimizer_state_bytes(graph->training.optimizer,
                                            vdnn_graph_updated_bytes(graph, own))
               : 0;
}

size_t vdnn_graph_all_state_bytes(const vdnn_graph *graph)
{
    size_t bytes = 0;
    for (int32_t i = 0; i < graph->layer_count; i++)
        bytes += vdnn_graph_state_bytes(graph, i);
    return bytes;
}

/* ---- shares of devices ----------------------------------------------------------------------- */

bool vdnn_graph_is_sharded(const vdnn_graph *graph, const vdnn_layer *block)
{
    return graph->shards && vdnn_layer_summed_bytes(block) > 0;
}

vdnn_shard vdnn_graph_shard(const vdnn_graph *graph, const vdnn_layer *block, int32_t device)
{
    return vdnn_shard_even(vdnn_layer_summed_bytes(block) / sizeof(float), graph->devices, device);
}

size_t vdnn_graph_updated_bytes(const vdnn_graph *graph, const vdnn_layer *block)
{
    return vdnn_graph_is_sharded(graph, block)
               ? vdnn_graph_shard(graph, block, 0).count * sizeof(float)
               : block->trainable_bytes;
}

size_t vdnn_graph_shard_saves(const vdnn_graph *graph)
{
    size_t whole = 0;
    for (int32_t i = 0; i < graph->layer_count; i++)
        if (vdnn_graph_keeps(graph, i))
            whole += vdnn_optimizer_state_bytes(graph->training.optimizer,
                                                graph->layers[i].trainable_bytes);
    return whole - vdnn_graph_all_state_bytes(graph);
}
