#include "runtime/plan/decisions.h"

#include "runtime/base/heap.h"

#include <string.h>

enum { NO_PARTS = 0 };

static const char *const action_texts[] = {
#define X(name, text) text,
    VDNN_ACTION_TABLE(X)
#undef X
};

const char *vdnn_action_text(vdnn_action action)
{
    return (size_t)action < VDNN_ACTION_COUNT ? action_texts[action] : "unknown";
}

static vdnn_status allocate(vdnn_decisions *decisions)
{
    size_t layers = (size_t)decisions->layer_count;
    decisions->maps = vdnn_heap_calloc((size_t)decisions->map_count, sizeof *decisions->maps);
    decisions->params = vdnn_heap_calloc(layers, sizeof *decisions->params);
    decisions->param_gradients = vdnn_heap_calloc(layers, sizeof *decisions->param_gradients);
    decisions->choice = vdnn_heap_calloc(layers, sizeof *decisions->choice);
    decisions->parts = vdnn_heap_calloc(layers, sizeof *decisions->parts);
    decisions->chained = vdnn_heap_calloc(layers, sizeof *decisions->chained);
    if (decisions->maps != NULL && decisions->params != NULL &&
        decisions->param_gradients != NULL && decisions->choice != NULL &&
        decisions->parts != NULL && decisions->chained != NULL)
        return VDNN_OK;
    vdnn_decisions_fini(decisions);
    return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for decisions over %zu layers", layers);
}

vdnn_status vdnn_decisions_init(vdnn_decisions *decisions, const vdnn_graph *graph)
{
    vdnn_decisions fresh = {.policy = "",
                            .algo = "",
                            .buckets = graph->buckets,
                            .map_count = graph->map_count,
                            .layer_count = graph->layer_count};
    VDNN_TRY(allocate(&fresh));
    for (int32_t m = 0; m < graph->map_count; m++)
        fresh.maps[m].action = graph->maps[m].needed_count > 0 ? VDNN_KEEP : VDNN_DROP;
    for (int32_t l = 0; l < graph->layer_count; l++)
        fresh.parts[l] = (int32_t)graph->layers[l].parts;
    *decisions = fresh;
    return VDNN_OK;
}

vdnn_status vdnn_decisions_copy(vdnn_decisions *to, const vdnn_decisions *from)
{
    vdnn_decisions fresh = *from;
    VDNN_TRY(allocate(&fresh));
    vdnn_decisions_assign(&fresh, from);
    *to = fresh;
    return VDNN_OK;
}

void vdnn_decisions_assign(vdnn_decisions *to, const vdnn_decisions *from)
{
    const vdnn_decisions own = *to;
    *to = *from;
    to->maps = own.maps;
    to->params = own.params;
    to->param_gradients = own.param_gradients;
    to->choice = own.choice;
    to->parts = own.parts;
    to->chained = own.chained;
    memcpy(to->maps, from->maps, (size_t)from->map_count * sizeof *to->maps);
    memcpy(to->params, from->params, (size_t)from->layer_count * sizeof *to->params);
    memcpy(to->param_gradients, from->param_gradients,
           (size_t)from->layer_count * sizeof *to->param_gradients);
    memcpy(to->choice, from->choice, (size_t)from->layer_count * sizeof *to->choice);
    memcpy(to->parts, from->parts, (size_t)from->layer_count * sizeof *to->parts);
    memcpy(to->chained, from->chained, (size_t)from->layer_count * sizeof *to->chained);
}

void vdnn_decisions_fini(vdnn_decisions *decisions)
{
    vdnn_heap_free(decisions->maps);
    vdnn_heap_free(decisions->params);
    vdnn_heap_free(decisions->param_gradients);
    vdnn_heap_free(decisions->choice);
    vdnn_heap_free(decisions->parts);
    vdnn_heap_free(decisions->chained);
    memset(decisions, 0, sizeof *decisions);
}

const char *vdnn_decisions_between_refusal(const vdnn_graph *graph, const vdnn_decisions *decisions,
                                           int32_t map)
{
    const vdnn_map_decision *decision = &decisions->maps[map];
    if (decision->between == VDNN_KEEP || decision->between == decision->action)
        return NULL;
    if (decision->between != VDNN_OFFLOAD)
        return "expected keep, offload, or the action of the map";
    if (vdnn_decisions_is_by_parts(graph, decisions, map))
        return "one part of it at a time is on the device";
    return graph->maps[map].needed_count == 0 ? "no backward pass needs it" : NULL;
}

/* Whether backward computes another map from it once more: but for one that is there a part at a
 * time, by a layer in so many parts. */
static bool is_read_again(const vdnn_graph *graph, const vdnn_decisions *decisions, int32_t map,
                          int32_t but_parts)
{
    for (int32_t i = 0; i < graph->maps[map].reader_count; i++) {
        const int32_t reader = graph->maps[map].readers[i],
                      made = graph->tensors[graph->layers[reader].output].map;
        const bool by_parts = vdnn_graph_part_count(graph, reader) == but_parts &&
                              vdnn_decisions_is_inside(graph, decisions, made);
        if (vdnn_decisions_recomputes(decisions, made) && !by_parts)
            return true;
    }
    return false;
}

bool vdnn_decisions_is_read_again(const vdnn_graph *graph, const vdnn_decisions *decisions,
                                  int32_t map)
{
    return is_read_again(graph, decisions, map, NO_PARTS);
}

const char *vdnn_decisions_pieces_refusal(const vdnn_graph *graph, const vdnn_decisions *decisions,
                                          int32_t map)
{
    const vdnn_map *own = &graph->maps[map];
    if (own->kind == VDNN_MAP_AUX || own->needed_count == 0)
        return "it is no map that backward reads by samples";
    const int32_t ahead = decisions->maps[map].pieces;
    if (ahead < 0 || ahead > VDNN_PIECES_MOST_AHEAD)
        return "that many of them cannot come ahead";
    int32_t parts = vdnn_graph_part_count(graph, own->needed_by[0]);
    if (parts == 1)
        return "the layer that needs it runs as a whole";
    for (int32_t i = 0; i < own->needed_count; i++) {
        if (vdnn_graph_part_count(graph, own->needed_by[i]) != parts)
            return "the layers that need it have not the same parts";
        if (graph->layers[own->needed_by[i]].channel_parts > 1)
            return "a layer that needs it runs in parts of its channels";
    }
    return is_read_again(graph, decisions, map, parts) ? "another map is recomputed from it" : NULL;
}

bool vdnn_decisions_keeps_all(const vdnn_map_decision *decision)
{
    return decision->action == VDNN_KEEP && decision->recomputed == 0;
}

bool vdnn_decisions_recomputes(const vdnn_decisions *decisions, int32_t map)
{
    const vdnn_map_decision *own = &decisions->maps[map];
    return own->action == VDNN_RECOMPUTE || own->recomputed > 0;
}

/* Of the first ones, so many, those that are recomputed: their share, rounded. */
static int32_t recomputed_of_first(int32_t first, int32_t recomputed, int32_t count)
{
    return (2 * first * recomputed + count) / (2 * count);
}

bool vdnn_decisions_recomputes_piece(const vdnn_decisions *decisions, int32_t map, int32_t piece,
                                     int32_t count)
{
    const vdnn_map_decision *own = &decisions->maps[map];
    const int32_t recomputed = own->action == VDNN_RECOMPUTE ? count : own->recomputed;
    return recomputed_of_first(piece + 1, recomputed, count) >
           recomputed_of_first(piece, recomputed, count);
}

size_t vdnn_decisions_copied_bytes(const vdnn_graph *graph, const vdnn_decisions *decisions,
                                   int32_t map)
{
    const vdnn_map *own = &graph->maps[map];
    if (decisions->maps[map].action != VDNN_OFFLOAD || own->needed_count == 0)
        return 0;
    const size_t parts = (size_t)vdnn_graph_part_count(graph, own->needed_by[0]);
    return own->bytes - own->bytes / parts * (size_t)decisions->maps[map].recomputed;
}

const char *vdnn_decisions_recomputed_refusal(const vdnn_graph *graph,
                                              const vdnn_decisions *decisions, int32_t map)
{
    const vdnn_map_decision *own = &decisions->maps[map];
    if (own->recomputed == 0)
        return NULL;
    if (own->action != VDNN_KEEP && (own->action != VDNN_OFFLOAD || own->pieces == 0))
        return "it is neither kept nor copied in pieces";
    if (graph->maps[map].needed_count == 0)
        return "no backward pass needs it";
    if (!vdnn_decisions_is_inside(graph, decisions, map))
        return "it is not made and read within one chain";
    const int32_t parts = vdnn_graph_part_count(graph, graph->maps[map].needed_by[0]);
    return own->recomputed < 0 || own->recomputed >= parts ? "it has not that many pieces" : NULL;
}

/* ---- chains ---------------------------------------------------------------------------------- */

/* The same samples in each of their parts. */
static bool have_same_parts(const vdnn_graph *graph, int32_t a, int32_t b)
{
    int32_t count = vdnn_graph_part_count(graph, a);
    bool same = count > 1 && count == vdnn_graph_part_count(graph, b) &&
                graph->layers[a].channel_parts == 1 && graph->layers[b].channel_parts == 1;
    for (int32_t p = 0; p < count && same; p++) {
        const vdnn_part *of_a = &vdnn_graph_part_at(graph, a, p)->range,
                        *of_b = &vdnn_graph_part_at(graph, b, p)->range;
        same = of_a->first_sample == of_b->first_sample && of_a->samples == of_b->samples;
    }
    return same;
}

/* Whether a layer is the first of backward to write the gradient of what it reads, which is from
 * before the chain, and writes it over the gradient of its output. */
static bool writes_whole_over_dy(const vdnn_graph *graph, int32_t layer, int32_t begin)
{
    const vdnn_layer *own = &graph->layers[layer];
    const int32_t over_dy = vdnn_layer_dx_over_dy(own);
    if (over_dy < 0)
        return false;
    const vdnn_tensor *read = &graph->tensors[own->inputs[over_dy]];
    return read->producer < begin && read->readers[read->reader_count - 1] == layer;
}

bool vdnn_decisions_chain_has_room(const vdnn_graph *graph, int32_t begin, int32_t layer)
{
    const vdnn_layer *own = &graph->layers[layer];
    for (int32_t i = 0; i < own->input_count; i++) {
        const vdnn_tensor *read = &graph->tensors[own->inputs[i]];
        if (read->producer >= begin && read->readers[read->reader_count - 1] == layer &&
            writes_whole_over_dy(graph, read->producer, begin))
            return false;
    }
    return true;
}

const char *vdnn_decisions_chain_refusal(const vdnn_graph *graph, const vdnn_decisions *decisions,
                                         int32_t layer)
{
    if (layer == 0)
        return "none is before it";
    if (graph->layers[layer].is_elsewhere || graph->layers[layer - 1].is_elsewhere)
        return "another stage runs one of them";
    if (vdnn_stage_defers_filters(&graph->stage))
        return "filter passes are deferred";
    if (!have_same_parts(graph, layer - 1, layer) ||
        (graph->lesser != NULL && !have_same_parts(graph->lesser, layer - 1, layer)))
        return "they do not run in the same parts of the samples";
    if (graph->layers[layer].is_tied || graph->layers[layer - 1].is_tied)
        return "the gradient of a weight that layers share is the sum of one after the other";
    if (!vdnn_decisions_chain_has_room(graph, vdnn_decisions_chain_begin(decisions, layer - 1),
                                       layer))
        return "a layer that it reads writes the gradient of its input over that of its output";
    if (decisions->gradients == VDNN_GRADIENTS_SHARED_MAX ||
        decisions->release == VDNN_RELEASE_END_OF_STEP)
        return "nothing is freed before the end of the step";
    return NULL;
}

int32_t vdnn_decisions_chain_end(const vdnn_decisions *decisions, int32_t layer)
{
    int32_t end = layer + 1;
    while (end < decisions->layer_count && decisions->chained[end])
        end++;
    return end;
}

int32_t vdnn_decisions_chain_begin(const vdnn_decisions *decisions, int32_t layer)
{
    while (decisions->chained[layer])
        layer--;
    return layer;
}

int32_t vdnn_decisions_tail_begin(const vdnn_decisions *decisions)
{
    const int32_t loss = decisions->layer_count - 1;
    return decisions->chained[loss] ? vdnn_decisions_chain_begin(decisions, loss)
                                    : decisions->layer_count;
}

bool vdnn_decisions_tail_has(const vdnn_graph *graph, const vdnn_decisions *decisions, int32_t map)
{
    return graph->maps[map].last_forward >= vdnn_decisions_tail_begin(decisions);
}

static const char of_tail[] = "the chain that ends with the loss has it from forward to backward";

const char *vdnn_decisions_tail_refusal(const vdnn_graph *graph, const vdnn_decisions *decisions,
                                        int32_t map)
{
    const vdnn_map_decision *own = &decisions->maps[map];
    const bool is_kept = own->action == VDNN_DROP || vdnn_decisions_keeps_all(own);
    return !is_kept && vdnn_decisions_tail_has(graph, decisions, map) ? of_tail : NULL;
}

/* All layers behind the first writer are chained up to the last reader. */
bool vdnn_decisions_is_inside(const vdnn_graph *graph, const vdnn_decisions *decisions, int32_t map)
{
    const vdnn_map *own = &graph->maps[map];
    if (own->kind != VDNN_MAP_FEATURE || own->reader_count == 0)
        return false;
    const int32_t last = own->readers[own->reader_count - 1];
    int32_t layer = own->first_writer + 1;
    while (layer <= last && decisions->chained[layer])
        layer++;
    return layer > last;
}

bool vdnn_decisions_is_by_parts(const vdnn_graph *graph, const vdnn_decisions *decisions,
                                int32_t map)
{
    const vdnn_map_decision *own = &decisions->maps[map];
    if (!vdnn_decisions_is_inside(graph, decisions, map))
        return false;
    switch (own->action) {
    case VDNN_RECOMPUTE:
        return true;
    case VDNN_KEEP:
        return own->recomputed != 0 ||
               graph->maps[map].first_writer >= vdnn_decisions_tail_begin(decisions);
    case VDNN_OFFLOAD:
        return own->pieces != 0;
    case VDNN_DROP:
        return !vdnn_decisions_is_read_again(graph, decisions, map);
    default:
        return false;
    }
}

/* ---- parameters and gradients ---------------------------------------------------------------- */

const char *vdnn_decisions_params_refusal(const vdnn_layer *layer)
{
    if (layer->param_bytes == 0)
        return "it has none";
    if (layer->owner != layer->index)
        return "they are in the block of the layer whose weight it reads";
    if (layer->is_lent)
        return "an earlier stage keeps them";
    if (vdnn_layer_summed_bytes(layer) < layer->trainable_bytes)
        return "they hold running statistics";
    return NULL;
}

const char *vdnn_decisions_gradient_refusal(const vdnn_graph *graph,
                                            const vdnn_decisions *decisions, int32_t map)
{
    bool has_gradient = false;
    if (graph->maps[map].kind != VDNN_MAP_AUX)
        for (int32_t l = graph->maps[map].first_writer; l >= 0 && !has_gradient;
             l = vdnn_graph_next_writer(graph, l))
            has_gradient = graph->tensors[graph->layers[l].output].has_gradient;
    if (!has_gradient)
        return "it has none";
    if (vdnn_stage_defers_filters(&graph->stage))
        return "filter passes are deferred";
    return decisions->gradients == VDNN_GRADIENTS_SHARED_MAX ? "gradients share their memory"
                                                             : NULL;
}

const char *vdnn_decisions_param_gradient_refusal(const vdnn_graph *graph, const vdnn_layer *layer)
{
    if (layer->trainable_bytes == 0)
        return "it has no parameters that are trained";
    if (layer->owner != layer->index && graph->micro_batches == 1)
        return "it is that of the layer whose weight it reads";
    if (graph->micro_batches == 1 && graph->training.clip_norm == 0 && !layer->is_tied)
        return "the update follows it at once";
    return NULL;
}

bool vdnn_decisions_may_load_ahead(const vdnn_graph *graph, const vdnn_profile *profile)
{
    const bool counts = graph->devices > 1 && vdnn_layer_counts_labels(vdnn_graph_loss(graph));
    return profile->has_link && graph->micro_batches == 1 && graph->stage.count == 0 && !counts;
}

const char *vdnn_decisions_loads_refusal(const vdnn_graph *graph, const vdnn_decisions *decisions)
{
    const bool is_freed =
        decisions->release == VDNN_RELEASE_LAST_USE && decisions->gradients == VDNN_GRADIENTS_EXACT;
    if (decisions->loads == VDNN_LOADS_OWN)
        return NULL;
    if (graph->micro_batches > 1)
        return "it is run in micro-batches";
    if (graph->stage.count > 0)
        return "the network is cut into stages";
    if (decisions->loads == VDNN_LOADS_LATE && !is_freed)
        return "memory is kept to the end of the step";
    if (decisions->load_layer < 0 || decisions->load_layer >= graph->layer_count)
        return "it begins with no layer of the network";
    return NULL;
}

bool vdnn_decisions_same(const vdnn_decisions *a, const vdnn_decisions *b)
{
    return a->release == b->release && a->gradients == b->gradients && a->sync == b->sync &&
           a->updates == b->updates && a->copies == b->copies && a->loads == b->loads &&
           a->load_layer == b->load_layer && a->buckets.bytes == b->buckets.bytes &&
           a->buckets.lag == b->buckets.lag &&
           memcmp(a->maps, b->maps, (size_t)a->map_count * sizeof *a->maps) == 0 &&
           memcmp(a->params, b->params, (size_t)a->layer_count * sizeof *a->params) == 0 &&
           memcmp(a->param_gradients, b->param_gradients,
                  (size_t)a->layer_count * sizeof *a->param_gradients) == 0 &&
           memcmp(a->choice, b->choice, (size_t)a->layer_count * sizeof *a->choice) == 0 &&
           memcmp(a->parts, b->parts, (size_t)a->layer_count * sizeof *a->parts) == 0 &&
           memcmp(a->chained, b->chained, (size_t)a->layer_count * sizeof *a->chained) == 0;
}

XXH128_hash_t vdnn_decisions_key(const vdnn_decisions *decisions)
{
    const size_t maps = (size_t)decisions->map_count, layers = (size_t)decisions->layer_count;
    const uint64_t numbers[] = {(uint64_t)decisions->release,    (uint64_t)decisions->gradients,
                                (uint64_t)decisions->sync,       (uint64_t)decisions->updates,
                                (uint64_t)decisions->copies,     (uint64_t)decisions->loads,
                                (uint64_t)decisions->load_layer, (uint64_t)decisions->buckets.bytes,
                                (uint64_t)decisions->buckets.lag};
    const XXH128_hash_t parts[] = {
        XXH3_128bits(numbers, sizeof numbers),
        XXH3_128bits(decisions->maps, maps * sizeof *decisions->maps),
        XXH3_128bits(decisions->params, layers * sizeof *decisions->params),
        XXH3_128bits(decisions->param_gradients, layers * sizeof *decisions->param_gradients),
        XXH3_128bits(decisions->choice, layers * sizeof *decisions->choice),
        XXH3_128bits(decisions->parts, layers * sizeof *decisions->parts),
        XXH3_128bits(decisions->chained, layers * sizeof *decisions->chained)};
    return XXH3_128bits(parts, sizeof parts);
}

const vdnn_choice *vdnn_decisions_choice(const vdnn_decisions *decisions,
                                         const vdnn_profile *profile, int32_t layer, vdnn_pass pass)
{
    const vdnn_layer_profile *at = &profile->layers[layer];
    return at->choice_count[pass] == 0 ? NULL : &at->choices[pass][decisions->choice[layer][pass]];
}

double vdnn_decisions_seconds(const vdnn_decisions *decisions, const vdnn_profile *profile)
{
    double seconds = 0;
    for (int32_t l = 0; l < decisions->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            const vdnn_choice *choice = vdnn_decisions_choice(decisions, profile, l, (vdnn_pass)p);
            seconds += choice == NULL ? 0 : choice->seconds;
        }
    return seconds;
}

/* Whether a map is read outside of the chain that makes it, from maps that are inside. */
static bool leaves_chain(const vdnn_graph *graph, const vdnn_decisions *decisions, int32_t map)
{
    bool is_made_inside = false;
    for (int32_t l = graph->maps[map].first_writer; l >= 0 && !is_made_inside;
         l = vdnn_graph_next_writer(graph, l))
        is_made_inside =
            decisions->chained[l] && graph->tensors[graph->layers[l].inputs[0]].map != map;
    return is_made_inside && !vdnn_decisions_is_inside(graph, decisions, map);
}

const char *vdnn_decisions_recompute_refusal(const vdnn_graph *graph, const vdnn_profile *profile,
                                             const vdnn_decisions *decisions, int32_t map)
{
    if (graph->maps[map].kind != VDNN_MAP_FEATURE)
        return "it is not an output of a layer below the loss";
    if (vdnn_decisions_tail_has(graph, decisions, map))
        return of_tail;
    for (int32_t l = graph->maps[map].first_writer; l >= 0; l = vdnn_graph_next_writer(graph, l))
        if (vdnn_layer_has_pass(&graph->layers[l], VDNN_FORWARD) &&
            !profile->layers[l]
                 .choices[VDNN_FORWARD][decisions->choice[l][VDNN_FORWARD]]
                 .algorithm->deterministic)
            return "an algorithm that makes it is not deterministic";
    return leaves_chain(graph, decisions, map) ? "what it is made from is there a part at a time"
                                               : NULL;
}
