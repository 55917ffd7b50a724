#include "runtime/graph/graph.h"

#include "layers/convert/convert.h"
#include "layers/signature.h"
#include "layers/weight_copy.h"
#include "models/names.h"
#include "runtime/base/heap.h"
#include "runtime/base/text.h"
#include "runtime/graph/fusion.h"
#include "runtime/graph/maps.h"
#include "runtime/graph/needs.h"
#include "runtime/graph/order.h"
#include "runtime/graph/parts.h"
#include "runtime/graph/ties.h"

#include <inttypes.h>
#include <string.h>

/* State while a graph is made. */
typedef struct maker {
    const vdnn_model *model;
    vdnn_order order;
    vdnn_graph *graph;
    int32_t devices;                    /* that share the batch of the step */
    int32_t *tensor_of;                 /* per layer of the file: its output */
    bool *is_tied;                      /* likewise: its block has other layers' parameters too */
    const int32_t *parts;               /* per layer; NULL: those of the file */
    int32_t (*converted)[VDNN_LAYOUTS]; /* per tensor: the same in another layout; 0: none yet */
} maker;

static vdnn_status no_memory(const maker *m)
{
    return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for the graph of %d layers",
                            m->model->path, m->model->layer_count);
}

static bool is_loss(const vdnn_layer_def *def)
{
    return def->target != VDNN_TARGET_NONE;
}

/* ---- layers and tensors ---------------------------------------------------------------------- */

/* A row of the table, without its shape. */
static vdnn_status name_input(maker *m, int32_t row, const char *name)
{
    static const char next[] = "next ";
    vdnn_text text = {0};
    vdnn_text_add(&text, "%s%s", next, name);
    if (text.failed) {
        vdnn_text_fini(&text);
        return no_memory(m);
    }
    m->graph->inputs[row] = (vdnn_graph_input){.name = text.data + strlen(next), .next = text.data};
    return VDNN_OK;
}

static vdnn_desc describe_input(const maker *m, const vdnn_input_spec *spec)
{
    const int64_t samples = m->graph->micro_batch;
    if (spec->tokens > 0)
        return (vdnn_desc){.dims = {samples, spec->tokens, 1, 1},
                           .rank = VDNN_VECTOR_RANK,
                           .dtype = VDNN_I32,
                           .below = spec->vocabulary};
    vdnn_desc picture = {.dims = {samples, spec->channels, spec->height, spec->width},
                         .rank = VDNN_PICTURE_RANK,
                         .dtype = m->graph->dtype};
    if (spec->depth > 0) {
        picture.rank = VDNN_VOLUME_RANK;
        picture.depth = spec->depth;
        picture.dims[VDNN_H] *= spec->depth; /* both are of 31 bits */
    }
    return picture;
}

static vdnn_status make_input(maker *m, int32_t row)
{
    const vdnn_input_spec *spec = &m->model->inputs[row];
    vdnn_graph_input *input = &m->graph->inputs[row];
    VDNN_TRY(name_input(m, row, spec->name));
    input->desc = describe_input(m, spec);
    input->normalization = spec->normalization;
    if (spec->tokenizer != NULL && (input->tokenizer = vdnn_heap_strdup(spec->tokenizer)) == NULL)
        return no_memory(m);
    m->graph->tensors[row] =
        (vdnn_tensor){.name = input->name, .desc = input->desc, .producer = -1};
    char sample[VDNN_DESC_TEXT];
    if (!vdnn_desc_check(&input->desc))
        return vdnn_status_fail(
            VDNN_BAD_INPUT, "%s: a batch of %" PRId64 " samples of %s is larger than any memory",
            m->model->path, input->desc.dims[VDNN_N], vdnn_desc_text(&input->desc, sample));
    return VDNN_OK;
}

static vdnn_status make_inputs(maker *m)
{
    vdnn_status status = VDNN_OK;
    for (int32_t row = 0; row < m->model->input_count && status == VDNN_OK; row++)
        status = make_input(m, row);
    return status;
}

/* Adds a layer at the end of the list, reading `tensors`; their layout is not yet decided. */
static vdnn_status add_layer(maker *m, vdnn_layer first, const char *name, int32_t input_count)
{
    vdnn_graph *graph = m->graph;
    vdnn_layer *layer = &graph->layers[graph->layer_count];
    size_t inputs = (size_t)input_count;
    *layer = first;
    layer->index = layer->owner = graph->layer_count++;
    layer->output = graph->tensor_count++;
    layer->devices = m->devices;
    layer->classes = m->model->classes;
    layer->dtype = graph->dtype;
    layer->labels = (vdnn_desc){.dims = {graph->micro_batch, 1, 1, 1},
                                .rank = 1,
                                .dtype = VDNN_I32,
                                .below = layer->classes};
    layer->ignored = VDNN_NO_LABEL;
    layer->input_count = input_count;
    layer->name = vdnn_heap_strdup(name);
    layer->config = vdnn_heap_calloc(1, layer->def->config_bytes);
    layer->inputs = vdnn_heap_calloc(inputs, sizeof *layer->inputs);
    layer->x = vdnn_heap_calloc(inputs, sizeof *layer->x);
    layer->wants_dx = vdnn_heap_calloc(inputs, sizeof *layer->wants_dx);
    if (layer->name == NULL || layer->config == NULL || layer->inputs == NULL || layer->x == NULL ||
        layer->wants_dx == NULL)
        return no_memory(m);
    return VDNN_OK;
}

static void set_source(const maker *m, vdnn_layer *layer, int32_t slot, int32_t tensor)
{
    layer->inputs[slot] = tensor;
    layer->x[slot] = m->graph->tensors[tensor].desc;
    layer->wants_dx[slot] = m->graph->tensors[tensor].has_gradient;
}

static vdnn_status infer_layer(maker *m, vdnn_layer *layer)
{
    if (layer->def->target == VDNN_TARGET_CLASSES && layer->classes == 0)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s:%d: the network has no key 'classes', which it must have for "
                                "%s layer '%s'",
                                m->model->path, layer->line, layer->def->type, layer->name);
    vdnn_status status = vdnn_layer_infer(layer);
    if (status != VDNN_OK)
        return vdnn_status_prefix(status, "%s:%d", m->model->path, layer->line);
    if (!vdnn_desc_check(&layer->y))
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s:%d: the output of layer '%s' is larger than any memory",
                                m->model->path, layer->line, layer->name);
    bool learns = layer->trainable_bytes > 0;
    for (int32_t k = 0; k < layer->input_count; k++)
        learns = learns || layer->wants_dx[k];
    m->graph->tensors[layer->output] =
        (vdnn_tensor){.name = layer->name,
                      .desc = layer->y,
                      .producer = layer->index,
                      .has_gradient = learns && !is_loss(layer->def)};
    return VDNN_OK;
}

/* ---- layouts --------------------------------------------------------------------------------- */

/* The layout that most of the inputs' bytes are in. */
static vdnn_layout common_layout(const maker *m, const int32_t *tensors, int32_t count)
{
    size_t plain = 0, other = 0;
    vdnn_layout layout = VDNN_NCHW;
    for (int32_t k = 0; k < count; k++) {
        const vdnn_desc *desc = &m->graph->tensors[tensors[k]].desc;
        *(desc->layout == VDNN_NCHW ? &plain : &other) += vdnn_desc_bytes(desc);
        if (desc->layout != VDNN_NCHW)
            layout = desc->layout;
    }
    return other > plain ? layout : VDNN_NCHW;
}

/* The layout that a layer requires of its inputs. Layers that multiply in nhwc read nhwc, also the
 * images, which are padded for them; all other layers read the images as they are. */
static vdnn_layout wanted_layout(const maker *m, const vdnn_layer_def *def, const int32_t *tensors,
                                 int32_t count)
{
    if (def->layout_rule == VDNN_LAYOUT_PLAIN)
        return VDNN_NCHW;
    vdnn_layout layout = common_layout(m, tensors, count);
    const vdnn_desc *first = &m->graph->tensors[tensors[0]].desc;
    bool turns = def->layout_rule == VDNN_LAYOUT_FREE && layout == VDNN_NCHW &&
                 vdnn_layout_is_nhwc(m->graph->preferred);
    return turns ? vdnn_layout_aligned(first->dims[VDNN_C], first->dtype) : layout;
}

/* The tensor itself, or the output of a conversion, which is made once for all its readers. */
static vdnn_status in_layout(maker *m, int32_t *tensor, vdnn_layout layout, int line)
{
    const vdnn_tensor *from = &m->graph->tensors[*tensor];
    if (from->desc.layout == layout)
        return VDNN_OK;
    int32_t *made = &m->converted[*tensor][layout];
    if (*made != 0) {
        *tensor = *made;
        return VDNN_OK;
    }
    vdnn_text name = {0};
    vdnn_text_add(&name, "%s:%s", from->name, vdnn_layout_text(layout));
    vdnn_layer first = {.def = &vdnn_convert_def,
                        .line = line,
                        .parts = 1,
                        .channel_parts = 1,
                        .number = -1,
                        .preferred = layout};
    vdnn_layer *layer = &m->graph->layers[m->graph->layer_count];
    vdnn_status status = name.failed ? no_memory(m) : add_layer(m, first, name.data, 1);
    vdnn_text_fini(&name);
    if (status != VDNN_OK)
        return status;
    set_source(m, layer, 0, *tensor);
    *tensor = *made = layer->output;
    return infer_layer(m, layer);
}

static vdnn_input_rule rule_of(const vdnn_layer_def *def, int32_t count, int32_t i)
{
    return def->rule_of_input == NULL ? def->input_rule : def->rule_of_input(count, i);
}

/* What an input may not be, as a text behind "reads NAME, "; NULL: it reads the tensor. */
static const char *unreadable(vdnn_input_rule rule, const vdnn_desc *desc)
{
    bool is_integer = vdnn_desc_is_integer(desc);
    if (is_integer && rule != VDNN_INPUT_TOKENS)
        return "whose elements are tokens, expected numbers: an embedding layer makes them of "
               "tokens";
    if (!is_integer && rule == VDNN_INPUT_TOKENS)
        return "whose elements are numbers, expected tokens (`input: {tokens: T, vocabulary: V}`)";
    if (vdnn_desc_is_sequence(desc) && rule == VDNN_INPUT_PICTURE)
        return "which is a sequence, expected a picture or a vector";
    return NULL;
}

static vdnn_status check_sources(const maker *m, const vdnn_layer_spec *spec,
                                 const int32_t *tensors)
{
    for (int32_t k = 0; k < spec->from_count; k++) {
        const vdnn_tensor *x = &m->graph->tensors[tensors[k]];
        const char *why = unreadable(rule_of(spec->def, spec->from_count, k), &x->desc);
        if (why != NULL)
            return vdnn_status_fail(VDNN_BAD_INPUT, "%s:%d: %s layer '%s' reads '%s', %s",
                                    m->model->path, spec->line, spec->def->type, spec->name,
                                    x->name, why);
    }
    if (spec->labels != NULL && !is_loss(spec->def))
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s:%d: %s layer '%s' names labels, which only a loss reads",
                                m->model->path, spec->line, spec->def->type, spec->name);
    return VDNN_OK;
}

static vdnn_status read_layer(maker *m, int32_t number)
{
    int32_t place = m->order.layers[number];
    const vdnn_layer_spec *spec = &m->model->layers[place];
    const int32_t *sources = m->order.sources + m->order.first_source[place];
    vdnn_status status = VDNN_OK;
    int32_t *tensors = vdnn_heap_calloc((size_t)spec->from_count, sizeof *tensors);
    if (tensors == NULL)
        return no_memory(m);
    for (int32_t k = 0; k < spec->from_count; k++)
        tensors[k] = sources[k] < 0 ? vdnn_names_of_input(sources[k]) : m->tensor_of[sources[k]];
    status = check_sources(m, spec, tensors);
    vdnn_layout layout = wanted_layout(m, spec->def, tensors, spec->from_count);
    for (int32_t k = 0; k < spec->from_count && status == VDNN_OK; k++)
        status = in_layout(m, &tensors[k], layout, spec->line);
    vdnn_layer first = {.def = spec->def,
                        .line = spec->line,
                        .init = spec->init,
                        .parts = spec->parts,
                        .channel_parts = spec->channel_parts,
                        .number = number,
                        .preferred = m->graph->preferred,
                        .is_tied = m->is_tied[place],
                        .is_frozen = m->graph->is_frozen || spec->is_frozen,
                        .is_adapter = spec->is_adapter};
    vdnn_layer *layer = &m->graph->layers[m->graph->layer_count];
    VDNN_IF_OK(status, add_layer(m, first, spec->name, spec->from_count));
    for (int32_t k = 0; k < spec->from_count && status == VDNN_OK; k++)
        set_source(m, layer, k, tensors[k]);
    vdnn_heap_free(tensors);
    if (status != VDNN_OK)
        return status;
    if (spec->def->config_bytes > 0)
        memcpy(layer->config, spec->config, spec->def->config_bytes);
    m->tensor_of[place] = layer->output;
    return infer_layer(m, layer);
}

/* ---- readers --------------------------------------------------------------------------------- */

/* A layer that reads a tensor twice is one reader. */
static vdnn_status link_readers(maker *m)
{
    vdnn_graph *graph = m->graph;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t t = 0; t < graph->tensor_count && pass == 1; t++) {
            vdnn_tensor *tensor = &graph->tensors[t];
            tensor->readers =
                vdnn_heap_calloc((size_t)tensor->reader_count, sizeof *tensor->readers);
            if (tensor->readers == NULL)
                return no_memory(m);
            tensor->reader_count = 0;
        }
        for (int32_t i = 0; i < graph->layer_count; i++)
            for (int32_t k = 0; k < graph->layers[i].input_count; k++) {
                vdnn_tensor *tensor = &graph->tensors[graph->layers[i].inputs[k]];
                int32_t count = tensor->reader_count;
                if (pass == 1 && (count == 0 || tensor->readers[count - 1] != i))
                    tensor->readers[tensor->reader_count++] = i;
                else if (pass == 0)
                    tensor->reader_count++;
            }
    }
    return VDNN_OK;
}

/* ---- what a network must be ------------------------------------------------------------------ */

static vdnn_status check_layer_use(const maker *m, int32_t index, int32_t loss)
{
    const vdnn_layer *layer = &m->graph->layers[index];
    const vdnn_tensor *y = &m->graph->tensors[layer->output];
    const char *path = m->model->path;
    if (index != loss && is_loss(layer->def))
        return vdnn_status_fail(
            VDNN_BAD_INPUT, "%s:%d: layer '%s' is a second loss in addition to '%s', expected one",
            path, layer->line, layer->name, m->graph->layers[loss].name);
    if (index == loss && y->reader_count > 0) {
        const vdnn_layer *reader = &m->graph->layers[y->readers[0]];
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s:%d: layer '%s' reads the loss '%s', which must be the last",
                                path, reader->line, reader->name, layer->name);
    }
    if (index != loss && y->reader_count == 0)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s:%d: no layer reads the output of layer '%s'; add one that does "
                                "(`from: %s`), or remove the layer",
                                path, layer->line, layer->name, layer->name);
    return VDNN_OK;
}

static vdnn_status check_inputs(const maker *m)
{
    for (int32_t i = 0; i < m->model->input_count; i++)
        if (m->graph->tensors[i].reader_count == 0)
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "%s:%d: no layer reads the input '%s'; add one that does "
                                    "(`from: %s`), or remove the input",
                                    m->model->path, m->model->inputs[i].line,
                                    m->model->inputs[i].name, m->model->inputs[i].name);
    return VDNN_OK;
}

/* With one loss, and every other output read, all paths lead to the loss: it is last in order. */
static vdnn_status check_network(const maker *m)
{
    int32_t loss = 0, last = m->graph->layer_count - 1;
    while (loss <= last && !is_loss(m->graph->layers[loss].def))
        loss++;
    if (loss > last)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s:%d: the network has no loss; expected a softmax_loss layer, "
                                "or another loss, after '%s'",
                                m->model->path, m->graph->layers[last].line,
                                m->graph->layers[last].name);
    for (int32_t i = 0; i <= last; i++) {
        VDNN_TRY(check_layer_use(m, i, loss));
    }
    return check_inputs(m);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static vdnn_status make_layers(maker *m)
{
    vdnn_status status = make_inputs(m);
    VDNN_IF_OK(status, vdnn_ties_check(m->model, &m->order, m->is_tied));
    for (int32_t i = 0; i < m->model->layer_count && status == VDNN_OK; i++)
        status = read_layer(m, i);
    VDNN_IF_OK(status, vdnn_ties_join(m->model, &m->order, m->tensor_of, m->graph));
    VDNN_IF_OK(status, link_readers(m));
    return status == VDNN_OK ? check_network(m) : status;
}

/* Whether the values of an input can be the labels of a loss: numbers in the shape that it reads,
 * or as many of them as it reads a vector of. */
static bool is_compared_with(const vdnn_layer *loss, const vdnn_desc *input)
{
    const vdnn_desc *labels = &loss->labels;
    const int64_t count = vdnn_desc_per_sample(labels);
    const bool is_vector = labels->dims[VDNN_C] == count;
    return labels->dtype == VDNN_F32 && !vdnn_desc_is_integer(input) &&
           count == vdnn_desc_per_sample(input) &&
           (is_vector || (memcmp(labels->dims, input->dims, sizeof input->dims) == 0 &&
                          labels->depth == input->depth));
}

/* Whether there is a label for each place of a picture. */
static bool are_placed(const vdnn_graph *graph, const vdnn_desc *labels)
{
    bool has_tokens = false;
    for (int32_t i = 0; i < vdnn_graph_labels_row(graph); i++)
        has_tokens = has_tokens || vdnn_desc_is_integer(&graph->inputs[i].desc);
    return vdnn_desc_is_integer(labels) ? labels->dims[VDNN_POSITIONS] > 1 && !has_tokens
                                        : labels->dims[VDNN_H] * labels->dims[VDNN_W] > 1;
}

/* Labels that are an input's values, or one for each of its pixels, move with it. */
static vdnn_status check_augmentation(const maker *m, const vdnn_layer *loss)
{
    const vdnn_augment *augment = &m->model->training.augment;
    const bool moves = augment->flip || augment->crop[0] > 0 || augment->crop[1] > 0;
    int64_t planes[3];
    if (!moves || m->graph->label_input >= 0 || !are_placed(m->graph, &loss->labels) ||
        vdnn_graph_label_planes(m->graph, &loss->labels, planes))
        return VDNN_OK;
    return vdnn_status_fail(
        VDNN_BAD_INPUT,
        "%s:%d: augment moves pictures, but not the labels that '%s' reads, "
        "one for each place of them, but not for each pixel; expected no flip and "
        "no crop",
        m->model->path, loss->line, loss->name);
}

/* An input that the file names in the place of labels. */
static vdnn_status take_label_input(maker *m, const vdnn_layer *loss, int32_t input,
                                    const char *name)
{
    if (!is_compared_with(loss, &m->graph->inputs[input].desc))
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s:%d: the labels that '%s' reads are called '%s', which is the "
                                "name of an input; expected another one (`labels: NAME`), or, of a "
                                "loss over numbers, an input of the shape that it reads",
                                m->model->path, loss->line, loss->name, name);
    m->graph->label_input = input;
    return VDNN_OK;
}

/* Their row is as the loss reads them, and called as its layer in the file says. */
static vdnn_status take_labels(maker *m)
{
    vdnn_graph *graph = m->graph;
    const vdnn_layer *loss = &graph->layers[graph->layer_count - 1];
    const char *own = m->model->layers[m->order.layers[loss->number]].labels,
               *name = own == NULL ? "labels" : own;
    const int32_t row = vdnn_graph_labels_row(graph), input = vdnn_names_find_input(m->model, name);
    graph->label_input = -1;
    vdnn_status status = input >= 0 ? take_label_input(m, loss, input, name) : VDNN_OK;
    VDNN_IF_OK(status, check_augmentation(m, loss));
    VDNN_IF_OK(status, name_input(m, row, input >= 0 ? "labels" : name));
    if (status == VDNN_OK)
        graph->inputs[row].desc = loss->labels;
    graph->ignored = loss->ignored;
    return status;
}

/* Layers that share a weight would each read another copy of it. */
static void note_copies(vdnn_graph *graph)
{
    for (int32_t i = 0; i < graph->layer_count && graph->copies_weights; i++)
        if (!graph->layers[i].is_tied)
            graph->layers[i].copy_bytes = vdnn_weight_copy_bytes(&graph->layers[i]);
}

static vdnn_status make_maps(maker *m)
{
    vdnn_graph *graph = m->graph;
    int32_t *scratch = vdnn_heap_calloc((size_t)graph->tensor_count, sizeof *scratch);
    if (scratch == NULL)
        return no_memory(m);
    int32_t map_count = vdnn_needs_resolve(graph, scratch);
    vdnn_heap_free(scratch);
    vdnn_fusion_apply(graph);
    note_copies(graph);
    for (int32_t i = 0; i < graph->layer_count && m->parts != NULL; i++)
        graph->layers[i].parts = m->parts[i];
    vdnn_status status = take_labels(m);
    for (int32_t i = 0; i < graph->layer_count && status == VDNN_OK; i++)
        status = vdnn_signature_make(&graph->layers[i], &graph->layers[i].signature);
    VDNN_IF_OK(status, vdnn_parts_create(graph, m->model->path));
    VDNN_IF_OK(status, vdnn_maps_create(graph, map_count));
    return status;
}

static vdnn_status allocate(maker *m, const vdnn_graph_options *options)
{
    const vdnn_model *model = m->model;
    vdnn_graph *graph = vdnn_heap_calloc(1, sizeof *graph);
    m->graph = graph;
    if (graph == NULL)
        return no_memory(m);
    graph->batch = options->batch == 0 ? model->batch : options->batch;
    graph->micro_batches = options->micro_batches == 0 ? 1 : options->micro_batches;
    graph->micro_batch =
        graph->batch / graph->micro_batches + (graph->batch % graph->micro_batches != 0 ? 1 : 0);
    graph->devices = options->devices == 0 ? 1 : options->devices;
    graph->step_batch = options->step_batch == 0 ? graph->batch : options->step_batch;
    graph->reduce = options->reduce;
    graph->gathers = options->gathers;
    graph->shards = options->shards && graph->devices > 1;
    graph->has_buckets = options->buckets != NULL;
    if (graph->has_buckets)
        graph->buckets = *options->buckets;
    graph->classes = model->classes;
    graph->rules = options->rules;
    graph->zone_bytes = options->zone_bytes;
    graph->dtype = options->dtype;
    graph->preferred = options->preferred;
    graph->unfused = options->unfused;
    graph->pools_first = options->pools_first;
    graph->copies_weights = options->copies_weights;
    graph->stores_gradients = options->stores_gradients;
    graph->is_frozen = options->is_frozen;
    graph->stage = options->stage;
    graph->training = model->training;
    if (options->optimizer != NULL)
        vdnn_training_choose(&graph->training, options->optimizer);
    graph->name = vdnn_heap_strdup(model->name);
    graph->path = model->path == NULL ? NULL : vdnn_heap_strdup(model->path);
    /* Each output, and each input, converted to the preferred layout and once more with padding, or
     * from it to the plain one. */
    const size_t inputs = (size_t)model->input_count,
                 most = 3 * (size_t)model->layer_count + 2 * inputs;
    graph->input_count = model->input_count + 1;
    graph->layers = vdnn_heap_calloc(most, sizeof *graph->layers);
    graph->tensors = vdnn_heap_calloc(most + inputs, sizeof *graph->tensors);
    m->tensor_of = vdnn_heap_calloc((size_t)model->layer_count, sizeof *m->tensor_of);
    m->is_tied = vdnn_heap_calloc((size_t)model->layer_count, sizeof *m->is_tied);
    m->converted = vdnn_heap_calloc(most + inputs, sizeof *m->converted);
    if (graph->name == NULL || (model->path != NULL && graph->path == NULL) ||
        graph->layers == NULL || graph->tensors == NULL || m->tensor_of == NULL ||
        m->is_tied == NULL || m->converted == NULL)
        return no_memory(m);
    graph->tensor_count = model->input_count;
    return VDNN_OK;
}

static vdnn_status check_micro_batches(int64_t batch, int32_t count)
{
    if (count >= 0 && count <= batch)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_USAGE,
                            "a batch of %" PRId64 " cannot be run in %d micro-batches: each has a "
                            "sample at least; expected 1 to %" PRId64,
                            batch, count, batch);
}

static vdnn_status check_options(const vdnn_model *model, const vdnn_graph_options *options)
{
    if (options->dtype == VDNN_I32 || options->dtype == VDNN_U8)
        return vdnn_status_fail(VDNN_USAGE,
                                "maps of type %s are not supported, expected f32, tf32, bf16 or "
                                "f16",
                                vdnn_dtype_text(options->dtype));
    if (options->batch < 0)
        return vdnn_status_fail(VDNN_USAGE, "a batch of %" PRId64 " images, expected at least 1",
                                options->batch);
    if (model->layer_count < 1)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: the network has no layers", model->path);
    return check_micro_batches(options->batch == 0 ? model->batch : options->batch,
                               options->micro_batches);
}

static vdnn_status create(const vdnn_model *model, const vdnn_graph_options *options,
                          int32_t devices, vdnn_graph **graph)
{
    maker m = {.model = model, .devices = devices, .parts = options->parts};
    vdnn_status status = check_options(model, options);
    VDNN_IF_OK(status, vdnn_order_init(&m.order, model));
    if (status != VDNN_OK)
        return status;
    if (options->pools_first && options->rules == VDNN_RULES_LEAN)
        status = vdnn_order_pool_first(&m.order, model);
    VDNN_IF_OK(status, allocate(&m, options));
    VDNN_IF_OK(status, make_layers(&m));
    VDNN_IF_OK(status, make_maps(&m));
    VDNN_IF_OK(status, vdnn_stage_take(m.graph));
    vdnn_order_fini(&m.order);
    vdnn_heap_free(m.tensor_of);
    vdnn_heap_free(m.is_tied);
    vdnn_heap_free(m.converted);
    if (status != VDNN_OK)
        goto fail;
    *graph = m.graph;
    return VDNN_OK;
fail:
    vdnn_graph_destroy(m.graph);
    return status;
}

static vdnn_status create_lesser(const vdnn_model *model, const vdnn_graph_options *options,
                                 vdnn_graph *graph)
{
    vdnn_graph_options own = *options;
    own.batch = graph->micro_batch - 1;
    own.micro_batches = 1;
    own.step_batch = own.devices = 0; /* micro-batches are weighted by the whole graph */
    vdnn_status status = create(model, &own, graph->devices, &graph->lesser);
    return status == VDNN_OK ? status
                             : vdnn_status_prefix(status, "micro-batches of %" PRId64, own.batch);
}

vdnn_status vdnn_graph_create(const vdnn_model *model, const vdnn_graph_options *options,
                              vdnn_graph **graph)
{
    vdnn_graph *fresh = NULL;
    vdnn_status status = create(model, options, options->devices, &fresh);
    if (status == VDNN_OK && fresh->batch % fresh->micro_batches != 0)
        status = create_lesser(model, options, fresh);
    if (status == VDNN_OK)
        *graph = fresh;
    else
        vdnn_graph_destroy(fresh);
    return status;
}

vdnn_graph_options vdnn_graph_asked(const vdnn_graph *graph)
{
    return (vdnn_graph_options){.batch = graph->batch,
                                .devices = graph->devices,
                                .step_batch = graph->devices == 1 ? 0 : graph->step_batch,
                                .reduce = graph->reduce,
                                .gathers = graph->gathers,
                                .shards = graph->shards,
                                .buckets = graph->has_buckets ? &graph->buckets : NULL,
                                .micro_batches = graph->micro_batches,
                                .rules = graph->rules,
                                .dtype = graph->dtype,
                                .preferred = graph->preferred,
                                .unfused = graph->unfused,
                                .pools_first = graph->pools_first,
                                .copies_weights = graph->copies_weights,
                                .stores_gradients = graph->stores_gradients,
                                .is_frozen = graph->is_frozen,
                                .zone_bytes = graph->zone_bytes,
                                .stage = graph->stage,
                                .optimizer = graph->training.optimizer};
}

static void destroy(vdnn_graph *graph)
{
    if (graph == NULL)
        return;
    vdnn_maps_destroy(graph);
    vdnn_parts_destroy(graph);
    for (int32_t i = 0; i < graph->layer_count; i++) {
        vdnn_layer *layer = &graph->layers[i];
        vdnn_heap_free(layer->name);
        vdnn_heap_free(layer->config);
        vdnn_heap_free(layer->inputs);
        vdnn_heap_free(layer->x);
        vdnn_heap_free(layer->wants_dx);
        vdnn_heap_free(layer->signature);
    }
    for (int32_t t = 0; t < graph->tensor_count; t++)
        vdnn_heap_free(graph->tensors[t].readers);
    for (int32_t i = 0; i < graph->input_count; i++) {
        vdnn_heap_free(graph->inputs[i].tokenizer);
        vdnn_heap_free(graph->inputs[i].next);
    }
    vdnn_heap_free(graph->stage_blocks);
    vdnn_heap_free(graph->layers);
    vdnn_heap_free(graph->tensors);
    vdnn_heap_free(graph->name);
    vdnn_heap_free(graph->path);
    vdnn_heap_free(graph);
}

void vdnn_graph_destroy(vdnn_graph *graph)
{
    if (graph != NULL)
        destroy(graph->lesser);
    destroy(graph);
}
