#include "models/onnx/onnx.h"

#include "models/onnx/network.h"
#include "runtime/base/heap.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NODES = 100000, PRESET_BATCH = 32 };

bool vdnn_onnx_is_path(const char *path)
{
    static const char suffix[] = ".onnx";
    const size_t length = strlen(path), tail = sizeof suffix - 1;
    return length > tail && strcmp(path + length - tail, suffix) == 0;
}

/* ---- the file -------------------------------------------------------------------------------- */

static bool is_default(const char *domain)
{
    return domain[0] == '\0' || strcmp(domain, "ai.onnx") == 0;
}

static vdnn_status check_opset(vdnn_onnx *net)
{
    for (size_t i = 0; i < net->proto.opsets.count; i++)
        if (is_default(net->proto.opsets.items[i].domain))
            net->opset = net->proto.opsets.items[i].version;
    if (net->opset == 0 || net->proto.ir_version == 0)
        return vdnn_onnx_refuse(net, "is no ONNX file: it has no %s",
                                net->opset == 0 ? "opset of the default domain" : "IR version");
    if (net->opset < VDNN_ONNX_FIRST_OPSET || net->opset > VDNN_ONNX_LAST_OPSET)
        return vdnn_onnx_refuse(net, "has opset %lld, expected %d to %d", (long long)net->opset,
                                VDNN_ONNX_FIRST_OPSET, VDNN_ONNX_LAST_OPSET);
    if (net->proto.graph.nodes.count == 0)
        return vdnn_onnx_refuse(net, "has no nodes");
    if (net->proto.graph.nodes.count > MOST_NODES)
        return vdnn_onnx_refuse(net, "has more than %d nodes, which is the limit", MOST_NODES);
    if (net->proto.graph.sparse_initializers.pieces > 0)
        return vdnn_onnx_refuse(net, "has sparse initializers, expected dense ones");
    return VDNN_OK;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* A name that is not defined yet; *value: its index, -1: it is empty. */
static vdnn_status define(vdnn_onnx *net, const char *name, const vdnn_onnx_value *value)
{
    bool is_new;
    if (name[0] == '\0')
        return VDNN_OK;
    vdnn_onnx_value *values = vdnn_hoard_grow(&net->hoard, net->values.items, net->values.count,
                                              sizeof *values, &net->values.capacity);
    if (values == NULL)
        return vdnn_onnx_no_memory(net);
    net->values.items = values;
    VDNN_TRY(vdnn_names_add(&net->names, name, (int32_t)net->values.count, &is_new));
    if (!is_new)
        return vdnn_onnx_refuse(net, "'%.200s' is defined twice", name);
    values[net->values.count++] = *value;
    return VDNN_OK;
}

/* All but the input: tensors, and the outputs of nodes, of which nothing is known yet. */
static vdnn_status define_values(vdnn_onnx *net)
{
    const vdnn_onnx_graph *graph = &net->proto.graph;
    const vdnn_onnx_value nothing = {0};
    for (size_t i = 0; i < graph->initializers.count; i++) {
        const vdnn_onnx_value value = {.kind = VDNN_ONNX_TENSOR,
                                       .tensor = &graph->initializers.items[i]};
        VDNN_TRY(define(net, value.tensor->name, &value));
    }
    for (size_t i = 0; i < graph->nodes.count; i++)
        for (size_t k = 0; k < graph->nodes.items[i].outputs.count; k++) {
            net->node = &graph->nodes.items[i];
            net->index = (int32_t)i;
            VDNN_TRY(define(net, net->node->outputs.items[k], &nothing));
        }
    net->node = NULL;
    return VDNN_OK;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

/* All inputs have one batch. */
static vdnn_status read_batch(vdnn_onnx *net, const vdnn_onnx_value_info *input)
{
    const int64_t batch = input->type.tensor.shape.dims.items[0].value;
    if (batch < 0 || batch > INT32_MAX || (net->token_count > 0 && batch != net->batch))
        return vdnn_onnx_refuse(net, "input '%.200s' has a batch of %lld", input->name,
                                (long long)batch);
    net->batch = batch;
    return VDNN_OK;
}

/* An input of tokens: how many kinds there are is known where an embedding reads it. */
static vdnn_status read_tokens(vdnn_onnx *net, const vdnn_onnx_value_info *input, bool is_only)
{
    const vdnn_onnx_shape *shape = &input->type.tensor.shape;
    const int64_t positions = shape->dims.count == 2 ? shape->dims.items[1].value : 0;
    if (positions < 1 || positions > INT32_MAX)
        return vdnn_onnx_refuse(net,
                                "input '%.200s' of integers is no N x T with a fixed number of "
                                "tokens T: only the batch may be left open",
                                input->name);
    if (net->token_count == VDNN_ONNX_MOST_INPUTS)
        return vdnn_onnx_refuse(net, "has more than %d inputs", VDNN_ONNX_MOST_INPUTS);
    VDNN_TRY(read_batch(net, input));
    vdnn_onnx_view *view = vdnn_hoard_take(&net->hoard, 1, sizeof *view);
    if (view == NULL)
        return vdnn_onnx_no_memory(net);
    const vdnn_onnx_value plain = {.dims = {positions, 1, 1, 1}, .sides = 0};
    *view = vdnn_onnx_view_of(net, &plain);
    net->tokens[net->token_count++] =
        (vdnn_onnx_tokens){is_only ? "input" : input->name, positions, 0};
    return define(net, input->name,
                  &(const vdnn_onnx_value){.kind = VDNN_ONNX_VIEW,
                                           .layer = is_only ? "input" : input->name,
                                           .dims = {positions, 1, 1, 1},
                                           .tokens = net->token_count,
                                           .view = view});
}

static vdnn_status read_input(vdnn_onnx *net, const vdnn_onnx_value_info *input)
{
    const vdnn_onnx_shape *shape = &input->type.tensor.shape;
    vdnn_onnx_value value = {.kind = VDNN_ONNX_MAP,
                             .layer = "input",
                             .dims = {1, 1, 1, 1},
                             .sides = shape->dims.count == VDNN_VOLUME_RANK ? 3 : 2,
                             .is_flat = shape->dims.count == 2};
    int64_t elements = 1;
    if (input->name[0] == '\0')
        return vdnn_onnx_refuse(net, "an input has no name");
    if (!vdnn_onnx_is_float(input->type.tensor.type))
        return vdnn_onnx_refuse(net,
                                "input '%.200s' has the data type %lld, expected floats: 1, "
                                "10, 11 or 16",
                                input->name, (long long)input->type.tensor.type);
    if (shape->dims.count != VDNN_PICTURE_RANK && shape->dims.count != VDNN_VOLUME_RANK &&
        shape->dims.count != 2)
        return vdnn_onnx_refuse(net,
                                "input '%.200s' has %zu dimensions, expected 4 (N x C x H x "
                                "W), 5 (N x C x D x H x W) or 2 (N x C)",
                                input->name, shape->dims.count);
    for (size_t i = 1; i < shape->dims.count; i++) {
        const vdnn_onnx_dim *dim = &shape->dims.items[i];
        if (dim->value < 1 || dim->value > INT32_MAX ||
            __builtin_mul_overflow(elements, dim->value, &elements) || elements > INT32_MAX)
            return vdnn_onnx_refuse(net,
                                    "dimension %zu of input '%.200s' is %s%.100s, expected a "
                                    "number: only the batch may be left open",
                                    i + 1, input->name,
                                    dim->symbol[0] == '\0' ? "unknown, or too large" : "",
                                    dim->symbol);
        value.dims[i - 1] = dim->value;
    }
    VDNN_TRY(read_batch(net, input));
    return define(net, input->name, &value);
}

static bool is_tokens(const vdnn_onnx_value_info *input)
{
    const int64_t type = input->type.tensor.type;
    return type == VDNN_ONNX_INT64 || type == VDNN_ONNX_INT32;
}

/* One of floats, or some of tokens. Old files list initializers among the inputs. */
static vdnn_status define_inputs(vdnn_onnx *net, const vdnn_onnx_value_info **first)
{
    const vdnn_onnx_graph *graph = &net->proto.graph;
    size_t count = 0;
    const size_t tensors = net->values.count;
    *first = NULL;
    for (size_t i = 0; i < graph->inputs.count; i++)
        count += vdnn_names_find(&net->names, graph->inputs.items[i].name) < 0;
    for (size_t i = 0; i < graph->inputs.count; i++) {
        const vdnn_onnx_value_info *input = &graph->inputs.items[i];
        const int32_t at = vdnn_names_find(&net->names, input->name);
        if (at >= 0 && at < (int32_t)tensors)
            continue;
        if (*first != NULL && !(is_tokens(*first) && is_tokens(input)))
            return vdnn_onnx_refuse(net,
                                    "has the inputs '%.200s' and '%.200s', expected one that "
                                    "is no initializer, or several of tokens",
                                    (*first)->name, input->name);
        *first = *first == NULL ? input : *first;
        VDNN_TRY(is_tokens(input) ? read_tokens(net, input, count == 1) : read_input(net, input));
    }
    return *first == NULL ? vdnn_onnx_refuse(net, "has no input") : VDNN_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Marks what the output does not need as done, and counts the readers of each value. */
static vdnn_status find_needed(vdnn_onnx *net, const char *output)
{
    const vdnn_onnx_graph *graph = &net->proto.graph;
    const size_t nodes = graph->nodes.count, values = net->values.count;
    bool *is_needed = vdnn_hoard_take(&net->hoard, values, sizeof *is_needed);
    net->is_done = vdnn_hoard_take(&net->hoard, nodes, sizeof *net->is_done);
    net->readers = vdnn_hoard_take(&net->hoard, values, sizeof *net->readers);
    net->reader = vdnn_hoard_take(&net->hoard, values, sizeof *net->reader);
    net->writer = vdnn_hoard_take(&net->hoard, values, sizeof *net->writer);
    if (is_needed == NULL || net->is_done == NULL || net->readers == NULL || net->reader == NULL ||
        net->writer == NULL)
        return vdnn_onnx_no_memory(net);
    for (size_t i = 0; i < values; i++)
        net->writer[i] = -1;
    const int32_t last = vdnn_names_find(&net->names, output);
    if (last < 0)
        return vdnn_onnx_refuse(net, "its output '%.200s' is written by no node", output);
    is_needed[last] = true;
    net->readers[last] = 1;            /* by the loss */
    for (size_t i = nodes; i-- > 0;) { /* a node follows those that it reads */
        const vdnn_onnx_node *node = &graph->nodes.items[i];
        net->is_done[i] = true;
        for (size_t k = 0; k < node->outputs.count; k++) {
            const int32_t at = vdnn_names_find(&net->names, node->outputs.items[k]);
            net->is_done[i] &= at < 0 || !is_needed[at];
            if (at >= 0)
                net->writer[at] = (int32_t)i;
        }
        for (size_t k = 0; k < node->inputs.count && !net->is_done[i]; k++) {
            const int32_t at = vdnn_names_find(&net->names, node->inputs.items[k]);
            if (at < 0)
                continue;
            is_needed[at] = true;
            net->readers[at]++;
            net->reader[at] = (int32_t)i;
        }
    }
    return VDNN_OK;
}

/* Whether a list of words has this one. */
static bool has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; *at != '\0';) {
        const size_t next = strcspn(at, " ");
        if (next == length && strncmp(at, word, length) == 0)
            return true;
        at += next + (at[next] == ' ');
    }
    return false;
}

static vdnn_status check_node(const vdnn_onnx *net, const vdnn_onnx_operator *op)
{
    const vdnn_onnx_node *node = net->node;
    const size_t inputs = node->inputs.count;
    if (inputs < (size_t)op->least_inputs ||
        (op->most_inputs >= 0 && inputs > (size_t)op->most_inputs))
        return vdnn_onnx_refuse(net, "has %zu inputs, expected %d to %d", inputs, op->least_inputs,
                                op->most_inputs);
    for (size_t i = 0; i < node->attributes.count; i++)
        if (!has_word(op->attributes, node->attributes.items[i].name))
            return vdnn_onnx_refuse(net, "has the attribute '%.100s', expected one of: %s",
                                    node->attributes.items[i].name,
                                    op->attributes[0] == '\0' ? "none" : op->attributes);
    return VDNN_OK;
}

static vdnn_status refuse_operator(const vdnn_onnx *net)
{
    enum { MOST = 64 };
    const char *names[MOST];
    char hint[320];
    size_t count = 0;
    for (; count < MOST && vdnn_onnx_operator_at(count) != NULL; count++)
        names[count] = vdnn_onnx_operator_at(count)->name;
    if (!is_default(net->node->domain))
        return vdnn_onnx_refuse(net, "is of the domain '%.100s', expected an operator of ONNX",
                                net->node->domain);
    return vdnn_onnx_refuse(net, "no layer of vdnn computes this operator%s",
                            vdnn_text_hint(hint, sizeof hint, net->node->op, names, count));
}

static vdnn_status read_node(vdnn_onnx *net)
{
    size_t i = 0;
    bool is_done = false;
    const vdnn_onnx_operator *op = NULL;
    if (is_default(net->node->domain))
        VDNN_TRY(vdnn_onnx_fold(net, &is_done));
    if (is_done)
        return VDNN_OK;
    while ((op = vdnn_onnx_operator_at(i)) != NULL && strcmp(op->name, net->node->op) != 0)
        i++;
    if (op == NULL || !is_default(net->node->domain))
        return refuse_operator(net);
    VDNN_TRY(check_node(net, op));
    return op->map(net);
}

static vdnn_status read_nodes(vdnn_onnx *net)
{
    vdnn_status status = VDNN_OK;
    for (size_t i = 0; i < net->proto.graph.nodes.count && status == VDNN_OK; i++) {
        net->node = &net->proto.graph.nodes.items[i];
        net->index = (int32_t)i;
        if (!net->is_done[i])
            status = read_node(net);
    }
    net->node = NULL;
    return status;
}

/* ---- head and end ---------------------------------------------------------------------------- */

/* The file's name: graphs are mostly called "main_graph". */
static void begin_text(vdnn_onnx *net)
{
    const char *path = vdnn_source_path(net->source), *slash = strrchr(path, '/');
    char name[VDNN_ONNX_NAME_BYTES];
    (void)snprintf(name, sizeof name, "%.150s", slash == NULL ? path : slash + 1);
    char *end = strrchr(name, '.');
    if (end != NULL && end > name)
        *end = '\0';
    for (char *c = name; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c > '~' || strchr("\"\\{}", *c) != NULL)
            *c = '_';
    vdnn_text_add(&net->text, "{name: \"%s\", layers: [", name);
    net->line = 1;
}

/* Of vectors the classes of samples, of maps those of their cells: of one channel whether it is. */
static void write_loss(vdnn_onnx *net, const vdnn_onnx_value *y)
{
    const long long channels = (long long)y->dims[0], elements = (long long)vdnn_onnx_elements(y);
    if (y->is_flat || channels == elements)
        vdnn_text_add(&net->text,
                      "{name: loss, type: softmax_loss, from: [\"%s\"]}], classes: %lld, ",
                      y->layer, elements);
    else if (channels == 1)
        vdnn_text_add(&net->text, "{name: loss, type: bce, from: [\"%s\"]}], ", y->layer);
    else
        vdnn_text_add(&net->text,
                      "{name: loss.cells, type: to_sequence, from: [\"%s\"]}, {name: loss, type: "
                      "dice, cross_entropy: 1}], classes: %lld, ",
                      y->layer, channels);
}

/* Of sequences the tokens of positions. */
static void write_loss_of_positions(vdnn_onnx *net, const vdnn_onnx_value *y)
{
    vdnn_text_add(&net->text, "{name: loss, type: softmax_loss, from: [\"%s\"]}], ", y->layer);
    if (net->token_count != 1 || y->dims[1] != net->tokens[0].vocabulary)
        vdnn_text_add(&net->text, "classes: %lld, ", (long long)y->dims[1]);
}

static void write_tokens(vdnn_onnx *net)
{
    vdnn_text_add(&net->text, net->token_count == 1 ? "%s" : "%ss: {", "input");
    for (int32_t i = 0; i < net->token_count; i++) {
        const vdnn_onnx_tokens *input = &net->tokens[i];
        if (net->token_count > 1)
            vdnn_text_add(&net->text, "%s\"%s\"", i == 0 ? "" : ", ", input->name);
        vdnn_text_add(&net->text, ": {tokens: %lld, vocabulary: %lld}", (long long)input->positions,
                      (long long)(input->vocabulary > 0 ? input->vocabulary : 1));
    }
    vdnn_text_put(&net->text, net->token_count == 1 ? "" : "}");
}

/* The output as rows, by a node that a file has not. */
static vdnn_status read_output(vdnn_onnx *net, const char *output, const vdnn_onnx_value **y)
{
    vdnn_onnx_value *value = &net->values.items[vdnn_names_find(&net->names, output)];
    const bool is_softmax = value->is_softmax;
    if (value->kind == VDNN_ONNX_VIEW && value->scores == NULL && value->layer != NULL) {
        value->is_softmax = false;
        net->end_input = output;
        net->end = (vdnn_onnx_node){
            .name = "output", .op = "output", .domain = "", .inputs = {&net->end_input, 1, 1}};
        net->node = &net->end;
        net->index = (int32_t)net->proto.graph.nodes.count - 1;
        VDNN_TRY(vdnn_onnx_rows(net, 0, &value));
        net->node = NULL;
        value->is_softmax = is_softmax;
    }
    *y = value;
    return VDNN_OK;
}

/* The loss, on what the graph's only output is. */
static vdnn_status end_text(vdnn_onnx *net, const char *input, const char *output)
{
    const vdnn_onnx_value *x = &net->values.items[vdnn_names_find(&net->names, input)], *y = NULL;
    bool is_padded = false;
    VDNN_TRY(read_output(net, output, &y));
    for (int k = 0; k < 2 * VDNN_SIDES; k++)
        is_padded = is_padded || y->pad[k] != 0;
    const bool is_sequence =
        y->kind == VDNN_ONNX_VIEW && y->is_sequence && y->layer != NULL && y->scores == NULL;
    if (!is_sequence && (y->kind != VDNN_ONNX_MAP || strcmp(y->layer, "input") == 0 || is_padded))
        return vdnn_onnx_refuse(net, "its output '%.200s' is computed by no layer", output);
    if (is_sequence)
        write_loss_of_positions(net, y);
    else
        write_loss(net, y);
    vdnn_text_add(&net->text, "batch: %lld, ",
                  (long long)(net->batch > 1 ? net->batch : PRESET_BATCH));
    if (net->token_count > 0) {
        write_tokens(net);
        vdnn_text_put(&net->text, "}");
        return vdnn_text_status(&net->text, "the network");
    }
    vdnn_text_add(&net->text, "input: {channels: %lld, ", (long long)x->dims[0]);
    if (x->sides == VDNN_SIDES)
        vdnn_text_add(&net->text, "depth: %lld, ", (long long)x->dims[1]);
    vdnn_text_add(&net->text, "height: %lld, width: %lld", (long long)x->dims[x->sides - 1],
                  (long long)x->dims[x->sides]);
    vdnn_onnx_add_normalization(net, x->dims[0]);
    vdnn_text_put(&net->text, "}}");
    return vdnn_text_status(&net->text, "the network");
}

/* What inference exports lose. */
static vdnn_status write_notes(vdnn_onnx *net)
{
    enum { FEW = 4 };
    vdnn_text_add(&net->notes, "%s", "");
    if (net->norms == 0 && (net->folded != NULL ||
                            (net->sums > 0 && net->convs > FEW && net->convs == net->biased_convs)))
        vdnn_text_add(&net->notes,
                      "%s: no batch norm, but %s: the exporter has probably folded each batch norm "
                      "into the convolution before it, and training goes on without any; to keep "
                      "them, export in training mode (torch.onnx.export: training=PRESERVE, "
                      "do_constant_folding=False)\n",
                      vdnn_source_path(net->source),
                      net->folded != NULL
                          ? "convolutions with a bias whose weights the exporter computed"
                          : "sums, and a bias in every convolution");
    if (net->shared_count > 0)
        vdnn_text_add(&net->notes,
                      "%s: %d tensors are read by more than one layer (the first is in layer "
                      "'%s'), as exporters store equal ones once: each layer trains its own copy\n",
                      vdnn_source_path(net->source), (int)net->shared_count, net->first_shared);
    return vdnn_text_status(&net->notes, "the network");
}

static vdnn_status read_network(vdnn_onnx *net)
{
    const vdnn_onnx_graph *graph = &net->proto.graph;
    const vdnn_onnx_value_info *input;
    VDNN_TRY(vdnn_names_init(&net->names, 0));
    VDNN_TRY(vdnn_names_init(&net->layers, 0));
    VDNN_TRY(vdnn_names_init(&net->shared, 0));
    VDNN_TRY(vdnn_onnx_proto_read(net->source, &net->hoard, &net->proto));
    VDNN_TRY(check_opset(net));
    VDNN_TRY(define_values(net));
    VDNN_TRY(define_inputs(net, &input));
    if (graph->outputs.count != 1)
        return vdnn_onnx_refuse(net, "has %zu outputs, expected one", graph->outputs.count);
    begin_text(net);
    for (int c = 0; c < VDNN_TRANSFORM_MAX_CHANNELS; c++)
        net->normalization.scale[c] = 1;
    VDNN_TRY(find_needed(net, graph->outputs.items[0].name));
    VDNN_TRY(vdnn_onnx_rewrite(net));
    VDNN_TRY(find_needed(net, graph->outputs.items[0].name));
    VDNN_TRY(read_nodes(net));
    VDNN_TRY(end_text(net, input->name, graph->outputs.items[0].name));
    return write_notes(net);
}

/* ---- open and close -------------------------------------------------------------------------- */

vdnn_status vdnn_onnx_open(const char *path, vdnn_onnx **onnx)
{
    vdnn_onnx *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", path);
    vdnn_status status = vdnn_source_open(path, &fresh->source);
    if (status == VDNN_OK && vdnn_source_is_packed(fresh->source))
        status = vdnn_onnx_refuse(fresh, "is compressed, expected an ONNX file as it is");
    VDNN_IF_OK(status, read_network(fresh));
    if (status == VDNN_OK)
        *onnx = fresh;
    else
        vdnn_onnx_close(fresh);
    return status;
}

void vdnn_onnx_close(vdnn_onnx *net)
{
    if (net == NULL)
        return;
    for (size_t i = 0; i < net->files.count; i++)
        vdnn_source_close(net->files.items[i].source);
    vdnn_source_close(net->source);
    vdnn_names_fini(&net->names);
    vdnn_names_fini(&net->layers);
    vdnn_names_fini(&net->shared);
    vdnn_text_fini(&net->text);
    vdnn_text_fini(&net->notes);
    vdnn_heap_free(net->panel.values);
    vdnn_hoard_free(&net->hoard);
    vdnn_heap_free(net);
}

const char *vdnn_onnx_text(const vdnn_onnx *net)
{
    return net->text.data;
}

const char *vdnn_onnx_notes(const vdnn_onnx *net)
{
    return net->notes.data;
}
