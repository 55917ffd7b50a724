#include "runtime/graph/parts.h"

#include "runtime/base/heap.h"

/* Why a layer that can be cut is not run in parts; NULL: it is. */
static const char *refusal_of(const vdnn_layer *layer)
{
    if (layer->channel_parts > 1 && layer->is_tied)
        return "its weight is another layer's too, whose channels it has; expected parts of its "
               "samples alone";
    return NULL;
}

static vdnn_status refuse(const vdnn_layer *layer, const char *path)
{
    const char *why = refusal_of(layer);
    return why == NULL
               ? VDNN_OK
               : vdnn_status_fail(VDNN_BAD_INPUT, "%s:%d: %s layer '%s' is not run in parts: %s",
                                  path, layer->line, layer->def->type, layer->name, why);
}

static bool is_cut(const vdnn_layer *layer)
{
    return layer->parts > 1 || layer->channel_parts > 1;
}

/* Part i: of each range of samples all ranges of channels. */
static vdnn_status find_range(const vdnn_layer *layer, int64_t i, vdnn_part *range)
{
    vdnn_part channels;
    vdnn_status status =
        vdnn_part_cut(layer, VDNN_AXIS_SAMPLES, layer->parts, i / layer->channel_parts, range);
    VDNN_IF_OK(status, vdnn_part_cut(layer, VDNN_AXIS_CHANNELS, layer->channel_parts,
                                     i % layer->channel_parts, &channels));
    if (status != VDNN_OK)
        return status;
    range->first_channel = channels.first_channel;
    range->channels = channels.channels;
    return VDNN_OK;
}

/* The part's layer, made if no part of the same channels before has as many samples. */
static vdnn_status find_layer(vdnn_graph *graph, const vdnn_layer *layer, int64_t i)
{
    vdnn_graph_part *parts = &graph->parts[graph->first_part[layer->index]];
    for (int64_t k = i - layer->channel_parts; k >= 0; k -= layer->channel_parts)
        if (parts[k].range.samples == parts[i].range.samples) {
            parts[i].layer = parts[k].layer;
            return VDNN_OK;
        }
    vdnn_layer *made = &graph->part_layers[graph->part_layer_count];
    VDNN_TRY(vdnn_part_init(layer, &parts[i].range, made));
    vdnn_part_place_params(layer, &parts[i].range, made);
    graph->part_layer_count++;
    parts[i].layer = made;
    return VDNN_OK;
}

/* A range of the whole's aux, or a block behind those of the parts before. */
static void place_aux(const vdnn_layer *layer, vdnn_graph_part *part, size_t *end)
{
    vdnn_stripes range;
    part->aux_bytes = part->layer->aux_bytes;
    if (vdnn_part_aux(layer, &part->range, &range))
        part->aux_offset = range.offset;
    else
        part->aux_offset =
            (*end + VDNN_PART_ALIGNMENT - 1) / VDNN_PART_ALIGNMENT * VDNN_PART_ALIGNMENT;
    *end = part->aux_offset + part->aux_bytes;
}

/* A loss has a result of each part: what of the mean it is shows its samples. */
static void give_results(vdnn_graph *graph, vdnn_layer *layer)
{
    if (layer->index < graph->layer_count - 1)
        return;
    layer->y.dims[VDNN_N] = layer->parts;
    graph->tensors[layer->output].desc = layer->y;
}

static vdnn_status cut(vdnn_graph *graph, vdnn_layer *layer, const char *path)
{
    vdnn_graph_part *parts = &graph->parts[graph->first_part[layer->index]];
    int64_t count = layer->parts * layer->channel_parts;
    size_t aux_end = 0;
    vdnn_status status = refuse(layer, path);
    give_results(graph, layer);
    for (int64_t i = 0; i < count && status == VDNN_OK; i++) {
        status = find_range(layer, i, &parts[i].range);
        VDNN_IF_OK(status, find_layer(graph, layer, i));
        if (status == VDNN_OK)
            place_aux(layer, &parts[i], &aux_end);
    }
    if (status == VDNN_OK && layer->aux_bytes > 0)
        layer->aux_bytes = aux_end;
    return status;
}

/* Counts are checked against samples and channels first: the arrays are as long. */
static vdnn_status count_parts(vdnn_graph *graph, const char *path, size_t *parts, size_t *layers)
{
    *parts = *layers = 0;
    for (int32_t l = 0; l < graph->layer_count; l++) {
        const vdnn_layer *layer = &graph->layers[l];
        vdnn_part unused;
        graph->first_part[l] = (int32_t)*parts;
        if (!is_cut(layer))
            continue;
        if (find_range(layer, 0, &unused) != VDNN_OK)
            return vdnn_status_prefix(VDNN_BAD_INPUT, "%s:%d", path, layer->line);
        *parts += (size_t)(layer->parts * layer->channel_parts);
        *layers += 2 * (size_t)layer->channel_parts; /* shapes: one sample more, or less */
        if (*parts > INT32_MAX)
            return vdnn_status_fail(VDNN_BAD_INPUT, "%s: %zu parts of layers", path, *parts);
    }
    graph->first_part[graph->layer_count] = (int32_t)*parts;
    return VDNN_OK;
}

vdnn_status vdnn_parts_create(vdnn_graph *graph, const char *path)
{
    size_t parts = 0, layers = 0;
    vdnn_status status = VDNN_OK;
    graph->first_part = vdnn_heap_calloc((size_t)graph->layer_count + 1, sizeof *graph->first_part);
    if (graph->first_part != NULL)
        status = count_parts(graph, path, &parts, &layers);
    if (status != VDNN_OK)
        return status;
    graph->parts = vdnn_heap_calloc(parts, sizeof *graph->parts);
    graph->part_layers = vdnn_heap_calloc(layers, sizeof *graph->part_layers);
    if (graph->first_part == NULL || graph->parts == NULL || graph->part_layers == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the parts of network '%s'",
                                graph->name);
    for (int32_t l = 0; l < graph->layer_count && status == VDNN_OK; l++)
        if (is_cut(&graph->layers[l]))
            status = cut(graph, &graph->layers[l], path);
    return status;
}

void vdnn_parts_destroy(vdnn_graph *graph)
{
    for (int32_t i = 0; i < graph->part_layer_count; i++)
        vdnn_part_fini(&graph->part_layers[i]);
    vdnn_heap_free(graph->part_layers);
    vdnn_heap_free(graph->parts);
    vdnn_heap_free(graph->first_part);
}

/* ---- questions ------------------------------------------------------------------------------- */

int32_t vdnn_graph_most_parts(const vdnn_graph *graph, int32_t layer)
{
    const vdnn_layer *own = &graph->layers[layer];
    int64_t most = vdnn_part_most(own, VDNN_AXIS_SAMPLES);
    if (graph->lesser != NULL && most > graph->lesser->micro_batch)
        most = graph->lesser->micro_batch;
    return (int32_t)most;
}

void vdnn_graph_in_parts(const vdnn_graph *graph, int32_t count, int32_t *parts)
{
    for (int32_t l = 0; l < graph->layer_count; l++) {
        const int32_t most = vdnn_graph_most_parts(graph, l), own = (int32_t)graph->layers[l].parts;
        const int32_t wanted = count < most ? count : most;
        parts[l] = wanted > own ? wanted : own;
    }
}

const vdnn_layer *vdnn_graph_part_layer(const vdnn_graph *graph, int32_t layer, int32_t part)
{
    const vdnn_graph_part *own = vdnn_graph_part_at(graph, layer, part);
    return own == NULL ? &graph->layers[layer] : own->layer;
}

double vdnn_graph_part_share(const vdnn_graph *graph, int32_t layer, int32_t part)
{
    const vdnn_graph_part *own = vdnn_graph_part_at(graph, layer, part);
    return own == NULL ? 1 : own->layer->share;
}

bool vdnn_graph_part_begins(const vdnn_graph *graph, int32_t layer, int32_t part)
{
    return part % graph->layers[layer].channel_parts == 0;
}

bool vdnn_graph_part_ends(const vdnn_graph *graph, int32_t layer, int32_t part)
{
    return (part + 1) % graph->layers[layer].channel_parts == 0;
}

size_t vdnn_graph_part_staged(const vdnn_graph *graph, int32_t layer, int32_t part, vdnn_pass pass)
{
    const vdnn_graph_part *own = vdnn_graph_part_at(graph, layer, part);
    return own == NULL ? 0 : vdnn_part_staged_bytes(&graph->layers[layer], &own->range, pass);
}
