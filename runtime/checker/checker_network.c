#include "runtime/checker/checker_internal.h"

#include "runtime/base/heap.h"

#include <string.h>

/* Derives a network's properties from the definitions of its layers, and compares the graph with
 * them: passes after this one may rely on a graph's needs, sizes, places and gradients, and use the
 * functions below instead of those that the planner uses.
 *
 *     definition, config, inputs --> which passes, what backward needs, what is wanted, bytes
 *                                        |  compared
 *     graph: needs, wants_dx, in_place, done, maps, bytes
 *
 * A plan made from a wrong graph is wrong in a way that the plan alone does not show. */

typedef struct network {
    const vdnn_checker *checker;
    const vdnn_graph *graph; /* the plan's in one shape */
    bool *learns;            /* per tensor: its producer or a layer before it has parameters */
    int32_t *readers;        /* per tensor: number of inputs that read it */
    int32_t *last;           /* per map: the tensor written there last; -1: none yet */
    int32_t epilogues,
        fused; /* layers that apply the relu behind them, epilogues that are applied so */
} network;

static vdnn_needs both(const vdnn_layer *layer)
{
    return layer->needs[VDNN_BACKWARD_DATA] | layer->needs[VDNN_BACKWARD_FILTER];
}

static int32_t find_wanted(const vdnn_layer *layer)
{
    for (int32_t k = 0; k < layer->input_count; k++)
        if (layer->wants_dx[k])
            return k;
    return -1;
}

/* ---- for the passes -------------------------------------------------------------------------- */

/* Parameters get their gradient in one backward pass: with dx if that reads the same buffers
 * anyway. */
bool vdnn_checker_makes_dw(const vdnn_layer *layer, vdnn_pass pass)
{
    const bool with_dx = layer->def->joint && find_wanted(layer) >= 0;
    if (layer->trainable_bytes == 0 || pass == VDNN_FORWARD)
        return false;
    return with_dx ? pass == VDNN_BACKWARD_DATA : pass == VDNN_BACKWARD_FILTER;
}

bool vdnn_checker_has_pass(const vdnn_layer *layer, vdnn_pass pass)
{
    const bool has[VDNN_PASS_COUNT] = {
        [VDNN_FORWARD] = !layer->is_fused && !layer->is_elsewhere,
        [VDNN_BACKWARD_DATA] = find_wanted(layer) >= 0,
        [VDNN_BACKWARD_FILTER] = vdnn_checker_makes_dw(layer, VDNN_BACKWARD_FILTER),
    };
    return has[pass];
}

int32_t vdnn_checker_dx_over_dy(const vdnn_layer *layer)
{
    const bool is_over = layer->in_place || layer->def->dx_over_dy;
    return is_over ? find_wanted(layer) : -1;
}

/* It has as many samples as there are numbers below the batch that are `micro` modulo N. */
const vdnn_graph *vdnn_checker_shape(const vdnn_graph *graph, int32_t micro)
{
    const int64_t count = graph->micro_batches,
                  samples = (graph->batch - micro + count - 1) / count;
    return samples == graph->micro_batch ? graph : graph->lesser;
}

int32_t vdnn_checker_writer(const vdnn_graph *graph, int32_t tensor)
{
    const int32_t producer = graph->tensors[tensor].producer;
    if (producer < 0 || !graph->layers[producer].is_fused)
        return producer;
    return graph->tensors[graph->layers[producer].inputs[0]].producer;
}

const vdnn_graph_part *vdnn_checker_part(const vdnn_plan *plan, const vdnn_step *step)
{
    const vdnn_graph *shape = vdnn_checker_shape(plan->graph, step->micro);
    const int32_t *first = &shape->first_part[step->layer];
    return first[0] == first[1] ? NULL : &shape->parts[first[0] + step->part];
}

int32_t vdnn_checker_run_of(const vdnn_plan *plan, const vdnn_step *step)
{
    const int32_t *first = &plan->graph->first_part[step->layer];
    return first[0] == first[1] ? step->layer : plan->graph->layer_count + first[0] + step->part;
}

size_t vdnn_checker_run_count(const vdnn_plan *plan)
{
    const vdnn_graph *graph = plan->graph;
    return (size_t)graph->layer_count + (size_t)graph->first_part[graph->layer_count];
}

/* Of the samples. */
static int32_t count_parts(const vdnn_graph *graph, int32_t layer)
{
    const int32_t count = graph->first_part[layer + 1] - graph->first_part[layer];
    return count == 0 ? 1 : count / (int32_t)graph->layers[layer].channel_parts;
}

vdnn_stripes vdnn_checker_rows(const vdnn_layer *layer, const vdnn_part *range, int32_t param)
{
    enum { BLOCKED_OUTPUTS = 16 };
    const vdnn_param *own = &layer->params[param];
    const int64_t all = layer->y.dims[VDNN_C], end = range->first_channel + range->channels;
    if (range->channels == all)
        return (vdnn_stripes){own->offset, own->bytes, own->bytes, 1};
    const int64_t block = own->layout == VDNN_PARAM_BLOCKED ? BLOCKED_OUTPUTS : 1,
                  blocks = (all + block - 1) / block;
    const size_t bytes = own->bytes / (size_t)blocks,
                 first = bytes * (size_t)(range->first_channel / block),
                 last = bytes * (size_t)((end + block - 1) / block);
    return (vdnn_stripes){own->offset + first, last - first, last - first, 1};
}

int32_t vdnn_checker_shares(const vdnn_layer *layer)
{
    const bool is_common = layer->channel_parts > 1 && layer->def->channel_rule(layer).x_unit == 0;
    return is_common ? (int32_t)layer->channel_parts : 1;
}

/* Of the layers from an index on whose parameters are in the block of a layer. */
static int32_t sum_parts(const vdnn_graph *graph, const vdnn_layer *layer, int32_t from)
{
    int32_t count = 0;
    for (int32_t l = from; l < graph->layer_count; l++)
        count += graph->layers[l].owner == layer->owner ? count_parts(graph, l) : 0;
    return count;
}

bool vdnn_checker_sums_alone(const vdnn_graph *graph, const vdnn_layer *layer)
{
    return layer->is_tied && graph->micro_batches > 1;
}

int32_t vdnn_checker_gradient_parts(const vdnn_graph *graph, const vdnn_layer *layer)
{
    return layer->is_tied && graph->micro_batches == 1 ? sum_parts(graph, layer, 0)
                                                       : count_parts(graph, layer->index);
}

int32_t vdnn_checker_gradient_parts_before(const vdnn_graph *graph, const vdnn_layer *layer)
{
    return layer->is_tied && graph->micro_batches == 1 ? sum_parts(graph, layer, layer->index + 1)
                                                       : 0;
}

int32_t vdnn_checker_gradient_turn(const vdnn_plan *plan, const vdnn_step *step)
{
    const vdnn_graph *graph = plan->graph;
    const vdnn_layer *layer = &graph->layers[step->layer];
    return step->micro * vdnn_checker_gradient_parts(graph, layer) +
           vdnn_checker_gradient_parts_before(graph, layer) +
           step->part / (int32_t)layer->channel_parts;
}

/* ---- the graph, compared --------------------------------------------------------------------- */

static vdnn_status refuse(const vdnn_checker *checker, const vdnn_layer *layer, const char *what)
{
    return vdnn_checker_refuse(checker, -1, -1, -1,
                               "the graph's layer %s has %s than its definition says", layer->name,
                               what);
}

static bool is_same_desc(const vdnn_desc *a, const vdnn_desc *b)
{
    return memcmp(a->dims, b->dims, sizeof a->dims) == 0 && a->rank == b->rank &&
           a->dtype == b->dtype && a->layout == b->layout && a->below == b->below &&
           a->depth == b->depth;
}

/* Layers in order, each reading outputs of earlier ones. */
static vdnn_status check_edges(network *n, int32_t l)
{
    const vdnn_graph *graph = n->graph;
    const vdnn_layer *layer = &graph->layers[l];
    const int32_t due = vdnn_checker_arrives(graph, layer->output) ? -1 : l;
    bool good = layer->index == l && layer->output >= vdnn_graph_labels_row(graph) &&
                layer->output < graph->tensor_count &&
                graph->tensors[layer->output].producer == due &&
                is_same_desc(&layer->y, &graph->tensors[layer->output].desc);
    for (int32_t k = 0; k < layer->input_count && good; k++) {
        const int32_t input = layer->inputs[k];
        good = input >= 0 && input < graph->tensor_count && graph->tensors[input].producer < l &&
               is_same_desc(&layer->x[k], &graph->tensors[input].desc);
        if (good)
            n->readers[input]++;
    }
    return good ? VDNN_OK : refuse(n->checker, layer, "other inputs or another output");
}

bool vdnn_checker_params_follow(const vdnn_layer *layer, int32_t first, bool has_gaps, size_t *at)
{
    for (int32_t p = first; p < layer->param_count; p++) {
        const vdnn_param *param = &layer->params[p];
        if ((has_gaps ? param->offset < *at : param->offset != *at) ||
            param->trainable == layer->is_frozen || param->update != VDNN_UPDATE_OPTIMIZER)
            return false;
        *at = param->offset + param->bytes;
    }
    return true;
}

static bool is_same_weight(const vdnn_param *a, const vdnn_param *b)
{
    return a->offset == b->offset && a->bytes == b->bytes && a->layout == b->layout &&
           a->dim_count == b->dim_count &&
           memcmp(a->dims, b->dims, (size_t)a->dim_count * sizeof *a->dims) == 0;
}

/* A block of several layers: the owner's parameters, then those of the others but for the weight,
 * which is the owner's; without gaps, but for those of layers of other stages. */
static bool is_shared_block(const vdnn_graph *graph, const vdnn_layer *owner)
{
    const bool has_gaps = vdnn_graph_stage_block(graph, owner->index) != NULL;
    size_t end = 0;
    bool good = owner->is_tied && owner->owner == owner->index &&
                vdnn_checker_params_follow(owner, 0, has_gaps, &end);
    for (int32_t l = 0; l < graph->layer_count && good; l++) {
        const vdnn_layer *layer = &graph->layers[l];
        if (layer->owner != owner->index)
            continue;
        good = layer->is_tied && layer->def->ties_weight && layer->copy_bytes == 0 &&
               layer->param_count > 0 && layer->param_bytes == owner->param_bytes &&
               layer->trainable_bytes == owner->trainable_bytes &&
               is_same_weight(&layer->params[0], &owner->params[0]) &&
               (l == owner->index || vdnn_checker_params_follow(layer, 1, has_gaps, &end));
    }
    return good && (has_gaps ? end <= owner->param_bytes : end == owner->param_bytes) &&
           owner->trainable_bytes == (owner->is_frozen ? 0 : owner->param_bytes);
}

/* Trainable parameters come first, so that one gradient block serves them. */
static bool is_own_block(const vdnn_layer *layer)
{
    size_t all = 0, trainable = 0;
    for (int32_t p = 0; p < layer->param_count; p++) {
        all += layer->params[p].bytes;
        trainable += layer->params[p].trainable ? layer->params[p].bytes : 0;
    }
    return all == layer->param_bytes && trainable == layer->trainable_bytes &&
           !(layer->is_frozen && trainable > 0);
}

static vdnn_status check_params(const network *n, const vdnn_layer *layer)
{
    const vdnn_graph *graph = n->graph;
    const bool is_inside = layer->owner >= 0 && layer->owner < graph->layer_count;
    if (!is_inside || (!layer->is_tied && layer->owner != layer->index))
        return refuse(n->checker, layer, "parameters in another block");
    if (!(layer->is_tied ? is_shared_block(graph, &graph->layers[layer->owner])
                         : is_own_block(layer)))
        return refuse(n->checker, layer, "more or fewer bytes of parameters");
    return VDNN_OK;
}

/* dx is required of an input if a layer before it has parameters; the loss is not an input. */
static vdnn_status check_wanted(const vdnn_checker *checker, const vdnn_layer *layer, bool *learns)
{
    learns[layer->output] = layer->trainable_bytes > 0;
    for (int32_t k = 0; k < layer->input_count; k++) {
        if (layer->wants_dx[k] != learns[layer->inputs[k]])
            return refuse(checker, layer, "other gradients that are wanted");
        learns[layer->output] |= layer->wants_dx[k];
    }
    return VDNN_OK;
}

static bool is_rule(const vdnn_layer *layer, const vdnn_needs rule[2])
{
    static const vdnn_pass backward[2] = {VDNN_BACKWARD_DATA, VDNN_BACKWARD_FILTER};
    const vdnn_needs absent =
        (layer->aux_bytes > 0 ? 0U : VDNN_NEEDS_AUX) | (layer->param_bytes > 0 ? 0U : VDNN_NEEDS_W);
    for (int i = 0; i < 2; i++) {
        const bool has_pass = vdnn_checker_has_pass(layer, backward[i]);
        if (layer->needs[backward[i]] != (has_pass ? rule[i] & ~absent : 0))
            return false;
    }
    return true;
}

/* Either of the lean needs is enough for backward: which one is used only affects memory. */
static vdnn_status check_needs(const vdnn_checker *checker, const vdnn_layer *layer)
{
    const vdnn_layer_def *def = layer->def;
    const vdnn_needs *own = def->needs_of == NULL ? NULL : def->needs_of(layer);
    const bool slim = checker->plan->graph->rules == VDNN_RULES_LEAN;
    const bool good = own != NULL ? is_rule(layer, own)
                      : slim      ? is_rule(layer, def->lean) || is_rule(layer, def->lean_if_y)
                                  : is_rule(layer, def->paper);
    if (!good)
        return refuse(checker, layer, "other needs in backward");
    return VDNN_OK;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static size_t saved_bytes(const vdnn_layer *layer)
{
    return layer->def->aux_bytes == NULL ? 0 : layer->def->aux_bytes(layer);
}

/* The channels of an input that a part reads: all, or those of its own channels of y. */
static int64_t read_channels(const vdnn_layer *whole, const vdnn_part *range, int32_t input)
{
    const int64_t all = whole->x[input].dims[VDNN_C];
    if (range->channels == whole->y.dims[VDNN_C])
        return all;
    const vdnn_channel_rule rule = whole->def->channel_rule(whole);
    return rule.x_unit == 0 ? all : (range->channels + rule.unit - 1) / rule.unit * rule.x_unit;
}

/* Its own rows of each parameter, which are where the whole's are, from its first one on. */
static bool has_params(const vdnn_layer *part, const vdnn_layer *whole, const vdnn_part *range)
{
    const size_t begin = whole->param_count == 0 ? 0 : vdnn_checker_rows(whole, range, 0).offset;
    bool good = part->param_count == whole->param_count;
    for (int32_t p = 0; p < whole->param_count && good; p++) {
        const vdnn_stripes rows = vdnn_checker_rows(whole, range, p);
        good = part->params[p].bytes == rows.bytes && part->params[p].offset == rows.offset - begin;
    }
    return good;
}

/* A layer of some samples and channels, and otherwise the whole's; of a loss, whose whole has a
 * result of each part, with one. */
static bool is_part_of(const vdnn_layer *part, const vdnn_layer *whole, const vdnn_part *range)
{
    bool good = part->index == whole->index && part->def == whole->def &&
                part->input_count == whole->input_count && part->aux_bytes == saved_bytes(part) &&
                memcmp(part->needs, whole->needs, sizeof part->needs) == 0 &&
                has_params(part, whole, range);
    for (int32_t k = -1; k < whole->input_count && good; k++) {
        vdnn_desc wanted = k < 0 ? whole->y : whole->x[k];
        const bool is_result = k < 0 && wanted.dims[VDNN_N] != whole->x[0].dims[VDNN_N];
        wanted.dims[VDNN_N] = is_result ? 1 : range->samples;
        wanted.dims[VDNN_C] = k < 0 ? range->channels : read_channels(whole, range, k);
        good = is_same_desc(k < 0 ? &part->y : &part->x[k], &wanted);
    }
    return good;
}

/* A range of channels begins where one can be computed without those before it, and is stored
 * without them. */
static bool begins_well(const vdnn_layer *layer, int64_t channel)
{
    if (channel == 0)
        return true;
    const vdnn_channel_rule rule = layer->def->channel_rule(layer);
    return channel % rule.unit == 0 && channel % vdnn_layout_block(layer->y.layout) == 0 &&
           channel / rule.unit * rule.x_unit % vdnn_layout_block(layer->x[0].layout) == 0;
}

/* The ranges follow each other, of some samples all channels, and so does what they save. */
static vdnn_status check_ranges(const network *n, const vdnn_layer *layer)
{
    const vdnn_graph *graph = n->graph;
    vdnn_part due = {0};
    size_t saved = 0;
    for (int32_t p = graph->first_part[layer->index]; p < graph->first_part[layer->index + 1];
         p++) {
        const vdnn_graph_part *part = &graph->parts[p];
        const vdnn_part *range = &part->range;
        const bool good = range->first_sample == due.first_sample && range->samples > 0 &&
                          (due.first_channel == 0 || range->samples == due.samples) &&
                          range->first_channel == due.first_channel && range->channels > 0 &&
                          range->first_channel + range->channels <= layer->y.dims[VDNN_C] &&
                          begins_well(layer, range->first_channel) &&
                          is_part_of(part->layer, layer, range) && part->aux_offset >= saved &&
                          part->aux_bytes == part->layer->aux_bytes;
        if (!good)
            return refuse(n->checker, layer, "other parts");
        due.samples = range->samples;
        due.first_channel += range->channels;
        if (due.first_channel == layer->y.dims[VDNN_C])
            due = (vdnn_part){.first_sample = due.first_sample + range->samples};
        saved = part->aux_offset + part->aux_bytes;
    }
    return due.first_sample == layer->x[0].dims[VDNN_N] && saved == layer->aux_bytes
               ? VDNN_OK
               : refuse(n->checker, layer, "parts of more or fewer samples");
}

/* How many labels count is known of all samples together. */
static bool may_cut_samples(const vdnn_layer *layer)
{
    const bool counts = layer->ignored != VDNN_NO_LABEL && layer->def->sample_loss == NULL;
    return layer->def->splits_samples && !layer->joins_samples && !counts;
}

static bool may_cut_channels(const vdnn_layer *layer)
{
    return layer->def->channel_rule != NULL && layer->def->channel_rule(layer).unit > 0 &&
           !layer->is_tied;
}

static vdnn_status check_parts(const network *n, const vdnn_layer *layer)
{
    const vdnn_graph *graph = n->graph;
    const int32_t count = graph->first_part[layer->index + 1] - graph->first_part[layer->index];
    const bool good = layer->parts > 0 && layer->channel_parts > 0 &&
                      (layer->parts == 1 || may_cut_samples(layer)) &&
                      (layer->channel_parts == 1 || may_cut_channels(layer));
    if (!good)
        return refuse(n->checker, layer, "parts that depend on each other, other");
    if ((count == 0 ? 1 : count) != layer->parts * layer->channel_parts)
        return refuse(n->checker, layer, "more or fewer parts");
    if (count > 0)
        return check_ranges(n, layer);
    return layer->aux_bytes == saved_bytes(layer)
               ? VDNN_OK
               : refuse(n->checker, layer, "more or fewer bytes to save for backward");
}

/* A layer is fused into the one before it if they are a pair, no other layer reads the value
 * between them, and neither a mask nor that value is needed. */
static vdnn_status check_fusion(network *n, const vdnn_layer *layer)
{
    const vdnn_graph *graph = n->graph;
    n->epilogues += layer->epilogue != VDNN_EPILOGUE_NONE;
    n->fused += layer->is_fused;
    if (!layer->is_fused)
        return VDNN_OK;
    const int32_t between = layer->inputs[0], producer = graph->tensors[between].producer;
    const vdnn_layer *maker = producer < 0 ? NULL : &graph->layers[producer];
    const bool good = layer->in_place && (both(layer) & VDNN_NEEDS_AUX) == 0 && maker != NULL &&
                      maker->epilogue != VDNN_EPILOGUE_NONE &&
                      maker->epilogue == vdnn_layer_def_epilogue(maker->def, layer->def) &&
                      !maker->is_fused && (both(maker) & VDNN_NEEDS_Y) == 0 &&
                      n->readers[between] == 1;
    return good ? VDNN_OK : refuse(n->checker, layer, "another producer that does it");
}

/* ---- maps: the memory that values live in ---------------------------------------------------- */

static bool has_map(const network *n, int32_t map, vdnn_map_kind kind, size_t bytes)
{
    const vdnn_graph *graph = n->graph;
    return map >= 0 && map < graph->map_count && graph->maps[map].kind == kind &&
           graph->maps[map].bytes == bytes;
}

/* A value has its own map, or that of the input it overwrites. */
static vdnn_status check_place(network *n, const vdnn_layer *layer)
{
    const vdnn_graph *graph = n->graph;
    const int32_t map = graph->tensors[layer->output].map;
    const vdnn_map_kind kind =
        layer->index == graph->layer_count - 1 ? VDNN_MAP_RESULT : VDNN_MAP_FEATURE;
    const bool may = !layer->in_place || (layer->def->in_place && layer->input_count == 1);
    if (!may || !has_map(n, map, kind, vdnn_desc_bytes(&layer->y)) ||
        n->last[map] != (layer->in_place ? layer->inputs[0] : -1))
        return refuse(n->checker, layer, "another place or size of its output");
    n->last[map] = layer->output;
    const int32_t aux = graph->aux_map[layer->index];
    if (layer->aux_bytes == 0 && aux < 0)
        return VDNN_OK;
    if (!has_map(n, aux, VDNN_MAP_AUX, layer->aux_bytes) || n->last[aux] >= 0)
        return refuse(n->checker, layer, "another place or size of what it saves");
    n->last[aux] = layer->output;
    return VDNN_OK;
}

/* Of a layer that another stage runs nothing is here but what crosses the cut. */
static vdnn_status check_elsewhere(network *n, const vdnn_layer *layer)
{
    const vdnn_tensor *y = &n->graph->tensors[layer->output];
    const bool is_empty = find_wanted(layer) < 0 && both(layer) == 0 && layer->param_count == 0 &&
                          layer->param_bytes == 0 && layer->trainable_bytes == 0 &&
                          layer->copy_bytes == 0 && layer->aux_bytes == 0 && !layer->is_tied &&
                          layer->owner == layer->index && layer->parts == 1 &&
                          layer->channel_parts == 1 && n->graph->aux_map[layer->index] < 0;
    if (!is_empty)
        return refuse(n->checker, layer, "passes or parameters, which another stage has, other");
    n->learns[layer->output] = y->has_gradient;
    if (y->arrives && (!has_map(n, y->map, VDNN_MAP_INPUT, vdnn_desc_bytes(&layer->y)) ||
                       (y->has_gradient && vdnn_desc_is_integer(&layer->y))))
        return refuse(n->checker, layer, "another place or size of what comes from it");
    if (y->map >= 0 && y->map < n->graph->map_count)
        n->last[y->map] = layer->output;
    return VDNN_OK;
}

static vdnn_status check_crossing(const network *n, const vdnn_layer *layer)
{
    const vdnn_tensor *y = &n->graph->tensors[layer->output];
    const bool is_here = vdnn_checker_is_here(n->graph, layer->index);
    if (layer->is_elsewhere == is_here ||
        y->arrives != vdnn_checker_arrives(n->graph, layer->output) ||
        y->departs != vdnn_checker_departs(n->graph, layer->output))
        return refuse(n->checker, layer, "another place in the pipeline");
    return VDNN_OK;
}

static vdnn_status check_layer(network *n, const vdnn_layer *layer)
{
    const vdnn_checker *checker = n->checker;
    VDNN_TRY(check_crossing(n, layer));
    if (layer->is_elsewhere)
        return check_elsewhere(n, layer);
    vdnn_status status = check_params(n, layer);
    VDNN_IF_OK(status, check_wanted(checker, layer, n->learns));
    VDNN_IF_OK(status, check_needs(checker, layer));
    VDNN_IF_OK(status, check_parts(n, layer));
    VDNN_IF_OK(status, check_fusion(n, layer));
    return status == VDNN_OK ? check_place(n, layer) : status;
}

/* Row i of the table of inputs is tensor i, on map i. */
static vdnn_status check_input(network *n, int32_t i)
{
    const vdnn_tensor *tensor = &n->graph->tensors[i];
    if (tensor->producer >= 0 || !is_same_desc(&tensor->desc, &n->graph->inputs[i].desc) ||
        tensor->map != i || !has_map(n, i, VDNN_MAP_INPUT, vdnn_desc_bytes(&tensor->desc)))
        return vdnn_checker_refuse(n->checker, -1, -1, -1, "the input has no map of its size");
    n->last[i] = i;
    return VDNN_OK;
}

static vdnn_status check_layers(network *n)
{
    const vdnn_graph *graph = n->graph;
    const vdnn_layer *last = &graph->layers[graph->layer_count - 1];
    vdnn_status status = VDNN_OK;
    memset(n->last, -1, (size_t)graph->map_count * sizeof *n->last);
    for (int32_t i = 0; i < vdnn_graph_labels_row(graph) && status == VDNN_OK; i++)
        status = check_input(n, i);
    for (int32_t l = 0; l < graph->layer_count && status == VDNN_OK; l++)
        status = check_edges(n, l);
    for (int32_t l = 0; l < graph->layer_count && status == VDNN_OK; l++)
        status = check_layer(n, &graph->layers[l]);
    if (status == VDNN_OK && !is_same_desc(vdnn_graph_labels(graph), &last->labels))
        return refuse(n->checker, last, "other labels");
    if (status == VDNN_OK && n->epilogues != n->fused)
        return vdnn_checker_refuse(n->checker, -1, -1, -1,
                                   "%d layers apply the one behind them, %d are applied so",
                                   n->epilogues, n->fused);
    return status;
}

static vdnn_status check_shape(const vdnn_checker *checker, const vdnn_graph *graph)
{
    network n = {.checker = checker, .graph = graph};
    n.learns = vdnn_heap_calloc((size_t)graph->tensor_count, sizeof *n.learns);
    n.readers = vdnn_heap_calloc((size_t)graph->tensor_count, sizeof *n.readers);
    n.last = vdnn_heap_calloc((size_t)graph->map_count, sizeof *n.last);
    vdnn_status status = n.learns == NULL || n.readers == NULL || n.last == NULL
                             ? vdnn_checker_no_memory((size_t)graph->tensor_count)
                             : check_layers(&n);
    vdnn_heap_free(n.learns);
    vdnn_heap_free(n.readers);
    vdnn_heap_free(n.last);
    return status;
}

/* ---- the shapes of micro-batches ------------------------------------------------------------- */

static bool is_same_list(const int32_t *a, const int32_t *b, int32_t count)
{
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

/* Passes, places and parameters, which a plan has for all micro-batches alike. */
static bool is_same_layer(const vdnn_layer *a, const vdnn_layer *b)
{
    return a->def == b->def && a->input_count == b->input_count && a->output == b->output &&
           is_same_list(a->inputs, b->inputs, a->input_count) &&
           memcmp(a->wants_dx, b->wants_dx, (size_t)a->input_count * sizeof *a->wants_dx) == 0 &&
           memcmp(a->config, b->config, a->def->config_bytes) == 0 &&
           memcmp(a->needs, b->needs, sizeof a->needs) == 0 && a->in_place == b->in_place &&
           a->is_fused == b->is_fused && a->is_elsewhere == b->is_elsewhere &&
           a->epilogue == b->epilogue && a->owner == b->owner && a->is_tied == b->is_tied &&
           a->adds_dw == b->adds_dw && a->param_bytes == b->param_bytes &&
           a->trainable_bytes == b->trainable_bytes && a->copy_bytes == b->copy_bytes &&
           a->parts == b->parts && a->channel_parts == b->channel_parts;
}

/* Of the same samples, but for their number. */
static bool is_same_tensor(const vdnn_tensor *a, const vdnn_tensor *b)
{
    vdnn_desc desc = b->desc;
    desc.dims[VDNN_N] = a->desc.dims[VDNN_N];
    return a->map == b->map && a->arrives == b->arrives && a->departs == b->departs &&
           a->has_gradient == b->has_gradient && is_same_desc(&a->desc, &desc);
}

static bool is_same_network(const vdnn_graph *a, const vdnn_graph *b)
{
    bool good = a->layer_count == b->layer_count && a->tensor_count == b->tensor_count &&
                a->map_count == b->map_count && a->ignored == b->ignored &&
                a->input_count == b->input_count && a->stage.first == b->stage.first &&
                a->stage.end == b->stage.end;
    good = good && is_same_list(a->aux_map, b->aux_map, a->layer_count) &&
           is_same_list(a->first_part, b->first_part, a->layer_count + 1);
    for (int32_t l = 0; l < a->layer_count && good; l++)
        good = is_same_layer(&a->layers[l], &b->layers[l]);
    for (int32_t t = 0; t < a->tensor_count && good; t++)
        good = is_same_tensor(&a->tensors[t], &b->tensors[t]);
    return good;
}

/* All inputs, labels included, have its samples; there is one, and the labels. */
static bool is_of_micro_batch(const vdnn_graph *graph)
{
    bool good = graph->input_count >= 2 && graph->input_count <= VDNN_INPUTS_MAX;
    for (int32_t i = 0; i < graph->input_count && good; i++)
        good = graph->inputs[i].desc.dims[VDNN_N] == graph->micro_batch;
    return good;
}

/* The larger ones have as many samples as it takes, the others one less, if the batch is not that
 * of as many larger ones. */
static vdnn_status check_samples(const vdnn_checker *checker, const vdnn_graph *graph)
{
    const int64_t count = graph->micro_batches, missing = count * graph->micro_batch - graph->batch;
    const vdnn_graph *lesser = graph->lesser;
    if (graph->devices < 1 || graph->step_batch < graph->batch ||
        (graph->devices == 1 && graph->step_batch != graph->batch))
        return vdnn_checker_refuse(
            checker, -1, -1, -1, "%lld samples are no share of a step of %lld on %d devices",
            (long long)graph->batch, (long long)graph->step_batch, graph->devices);
    bool good = count >= 1 && missing >= 0 && missing < count &&
                (missing > 0) == (lesser != NULL) && is_of_micro_batch(graph);
    if (good && lesser != NULL)
        good = lesser->lesser == NULL && lesser->micro_batch == graph->micro_batch - 1 &&
               is_of_micro_batch(lesser);
    return good ? VDNN_OK
                : vdnn_checker_refuse(checker, -1, -1, -1,
                                      "the micro-batches do not have the samples of the batch");
}

vdnn_status vdnn_checker_network(vdnn_checker *checker)
{
    const vdnn_graph *graph = checker->plan->graph;
    vdnn_status status = check_samples(checker, graph);
    VDNN_IF_OK(status, check_shape(checker, graph));
    if (status != VDNN_OK || graph->lesser == NULL)
        return status;
    if (!is_same_network(graph, graph->lesser))
        return vdnn_checker_refuse(checker, -1, -1, -1,
                                   "the lesser micro-batches have another network");
    return check_shape(checker, graph->lesser);
}
