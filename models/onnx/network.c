#include "models/onnx/network.h"

#include "runtime/base/heap.h"
#include "runtime/base/numbers/decimal.h"

#include <stdio.h>
#include <string.h>

/* ---- messages -------------------------------------------------------------------------------- */

void vdnn_onnx_say(const vdnn_onnx *net, const char *format, ...)
{
    char text[1024];
    const vdnn_onnx_node *node = net->node;
    va_list arguments;
    va_start(arguments, format);
    (void)vdnn_decimal_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    if (node == NULL) {
        vdnn_status_record("%s: %s", vdnn_source_path(net->source), text);
        return;
    }
    const char *name =
        node->name[0] == '\0' && node->outputs.count > 0 ? node->outputs.items[0] : node->name;
    vdnn_status_record("%s: %.100s node '%.200s' (node %d, opset %lld): %s",
                       vdnn_source_path(net->source), node->op, name, (int)net->index + 1,
                       (long long)net->opset, text);
}

/* ---- attributes ------------------------------------------------------------------------------ */

const vdnn_onnx_attribute *vdnn_onnx_attribute_find(const vdnn_onnx *net, const char *name)
{
    for (size_t i = 0; i < net->node->attributes.count; i++)
        if (strcmp(net->node->attributes.items[i].name, name) == 0)
            return &net->node->attributes.items[i];
    return NULL;
}

int64_t vdnn_onnx_integer(const vdnn_onnx *net, const char *name, int64_t preset)
{
    const vdnn_onnx_attribute *attribute = vdnn_onnx_attribute_find(net, name);
    return attribute == NULL ? preset : attribute->integer;
}

double vdnn_onnx_real(const vdnn_onnx *net, const char *name, double preset)
{
    const vdnn_onnx_attribute *attribute = vdnn_onnx_attribute_find(net, name);
    return attribute == NULL ? preset : (double)attribute->real;
}

const char *vdnn_onnx_word(const vdnn_onnx *net, const char *name, const char *preset)
{
    const vdnn_onnx_attribute *attribute = vdnn_onnx_attribute_find(net, name);
    return attribute == NULL ? preset : attribute->text;
}

vdnn_status vdnn_onnx_integers(const vdnn_onnx *net, const char *name, int64_t *integers,
                               size_t count, int64_t preset)
{
    const vdnn_onnx_attribute *attribute = vdnn_onnx_attribute_find(net, name);
    if (attribute != NULL && attribute->integers.count != count)
        return vdnn_onnx_refuse(net, "%s has %zu numbers, expected %zu", name,
                                attribute->integers.count, count);
    for (size_t i = 0; i < count; i++)
        integers[i] = attribute == NULL ? preset : attribute->integers.items[i];
    return VDNN_OK;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

bool vdnn_onnx_has_input(const vdnn_onnx *net, size_t i)
{
    return i < net->node->inputs.count && net->node->inputs.items[i][0] != '\0';
}

vdnn_status vdnn_onnx_any_input(vdnn_onnx *net, size_t i, vdnn_onnx_value **value)
{
    if (!vdnn_onnx_has_input(net, i))
        return vdnn_onnx_refuse(net, "has no input %zu, which it must have", i + 1);
    const int32_t at = vdnn_names_find(&net->names, net->node->inputs.items[i]);
    if (at < 0)
        return vdnn_onnx_refuse(net,
                                "reads '%.200s', which no node before it writes, and which is "
                                "neither an input nor an initializer",
                                net->node->inputs.items[i]);
    *value = &net->values.items[at];
    return VDNN_OK;
}

static vdnn_status map_input(vdnn_onnx *net, size_t i, vdnn_onnx_value **value)
{
    VDNN_TRY(vdnn_onnx_any_input(net, i, value));
    const char *name = net->node->inputs.items[i];
    if ((*value)->kind != VDNN_ONNX_MAP)
        return vdnn_onnx_refuse(
            net, "input %zu, '%.200s', is %s, expected what a layer computes", i + 1, name,
            (*value)->pile != NULL ? "joined along a dimension that is none of features"
            : (*value)->kind == VDNN_ONNX_NOTHING ? "an output that vdnn does not compute"
            : vdnn_onnx_is_constant(*value)       ? "a constant"
            : (*value)->scores != NULL            ? "scores of an attention, which only a "
                                                    "scale, a causal mask, Softmax and "
                                                    "MatMul read"
            : (*value)->tokens > 0 ? "an input of tokens, which only an embedding (Gather) reads"
                                   : "a sequence, or a map in another order");
    if ((*value)->is_softmax)
        return vdnn_onnx_refuse(net,
                                "reads '%.200s', which is a Softmax: that is supported only as the "
                                "network's output",
                                name);
    return VDNN_OK;
}

vdnn_status vdnn_onnx_input(vdnn_onnx *net, size_t i, vdnn_onnx_value **value)
{
    VDNN_TRY(map_input(net, i, value));
    for (int k = 0; k < 2 * VDNN_SIDES; k++)
        if ((*value)->pad[k] != 0 && strcmp(net->node->op, "Conv") != 0 &&
            strcmp(net->node->op, "AveragePool") != 0)
            return vdnn_onnx_refuse(net,
                                    "reads '%.200s', which a Pad writes: that is supported only "
                                    "before a Conv or an AveragePool",
                                    net->node->inputs.items[i]);
    return VDNN_OK;
}

/* A new tensor for what was computed from others. */
static vdnn_status make_tensor(vdnn_onnx *net, vdnn_onnx_value *value)
{
    const vdnn_onnx_view view = vdnn_onnx_view_of(net, value);
    vdnn_onnx_tensor *tensor = vdnn_hoard_take(&net->hoard, 1, sizeof *tensor);
    int64_t *dims = vdnn_hoard_take(&net->hoard, VDNN_ONNX_MOST_DIMS, sizeof *dims);
    if (tensor == NULL || dims == NULL)
        return vdnn_onnx_no_memory(net);
    for (int d = 0; d < view.rank; d++)
        dims[d] = vdnn_onnx_view_size(&view, d);
    tensor->name = value->tensor == NULL ? "" : value->tensor->name;
    tensor->type = VDNN_ONNX_FLOAT;
    tensor->dims.items = dims;
    tensor->dims.count = (size_t)view.rank;
    VDNN_TRY(vdnn_onnx_dense_numbers(net, value, &tensor->numbers));
    *value = (vdnn_onnx_value){.kind = VDNN_ONNX_TENSOR, .tensor = tensor};
    return VDNN_OK;
}

vdnn_status vdnn_onnx_tensor_of(vdnn_onnx *net, vdnn_onnx_value *constant,
                                const vdnn_onnx_tensor **tensor)
{
    if (constant->kind != VDNN_ONNX_TENSOR)
        VDNN_TRY(make_tensor(net, constant));
    *tensor = constant->tensor;
    return VDNN_OK;
}

vdnn_status vdnn_onnx_tensor_input(vdnn_onnx *net, size_t i, const vdnn_onnx_tensor **tensor)
{
    vdnn_onnx_value *value = NULL;
    VDNN_TRY(vdnn_onnx_any_input(net, i, &value));
    if (!vdnn_onnx_is_constant(value))
        return vdnn_onnx_refuse(net,
                                "input %zu, '%.200s', is computed or given, expected an "
                                "initializer: a weight that training can change",
                                i + 1, net->node->inputs.items[i]);
    return vdnn_onnx_tensor_of(net, value, tensor);
}

/* Numbers as integers; what no integer can hold is the nearest of them. */
static vdnn_status make_integers(vdnn_onnx *net, vdnn_onnx_value *value)
{
    const double *numbers = NULL;
    const vdnn_onnx_view view = vdnn_onnx_view_of(net, value);
    const int64_t count = vdnn_onnx_view_elements(&view);
    if (count > VDNN_ONNX_MOST_INTEGERS)
        return vdnn_onnx_refuse(net, "reads a list of %lld numbers, expected at most %d",
                                (long long)count, VDNN_ONNX_MOST_INTEGERS);
    int64_t *integers = vdnn_hoard_take(&net->hoard, (size_t)count + 1, sizeof *integers);
    if (integers == NULL)
        return vdnn_onnx_no_memory(net);
    VDNN_TRY(vdnn_onnx_dense_numbers(net, value, &numbers));
    for (int64_t i = 0; i < count; i++)
        integers[i] = numbers[i] >= 9e18    ? INT64_MAX
                      : numbers[i] <= -9e18 ? INT64_MIN
                      : numbers[i] >= -9e18 ? (int64_t)numbers[i]
                                            : 0;
    value->integers = integers;
    value->count = (size_t)count;
    return VDNN_OK;
}

vdnn_status vdnn_onnx_integer_input(vdnn_onnx *net, size_t i, const vdnn_onnx_value **integers)
{
    vdnn_onnx_value *value = NULL;
    VDNN_TRY(vdnn_onnx_any_input(net, i, &value));
    if (!vdnn_onnx_is_constant(value))
        return vdnn_onnx_refuse(net, "input %zu, '%.200s', is not known before the network runs",
                                i + 1, net->node->inputs.items[i]);
    if (value->integers == NULL && value->kind == VDNN_ONNX_TENSOR)
        VDNN_TRY(vdnn_onnx_tensor_integers(net, value->tensor, &value->integers, &value->count));
    else if (value->integers == NULL)
        VDNN_TRY(make_integers(net, value));
    *integers = value;
    return VDNN_OK;
}

vdnn_status vdnn_onnx_real_input(vdnn_onnx *net, size_t i, double *real)
{
    vdnn_onnx_value *value = NULL;
    const double *numbers = NULL;
    VDNN_TRY(vdnn_onnx_any_input(net, i, &value));
    if (!vdnn_onnx_is_constant(value))
        return vdnn_onnx_refuse(net, "input %zu, '%.200s', is computed, expected a constant number",
                                i + 1, net->node->inputs.items[i]);
    VDNN_TRY(vdnn_onnx_dense_numbers(net, value, &numbers));
    const vdnn_onnx_view view = vdnn_onnx_view_of(net, value);
    if (vdnn_onnx_view_elements(&view) != 1)
        return vdnn_onnx_refuse(net, "input %zu has no number, or several, expected one", i + 1);
    *real = numbers[0];
    return VDNN_OK;
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-' || c == '/';
}

/* "features.0" of "features.0.weight"; false if it has no such end, as "onnx::Conv_120". */
static bool take_stem(const char *text, const char *end, char name[VDNN_ONNX_NAME_BYTES])
{
    const size_t length = strlen(text), tail = strlen(end);
    if (length <= tail || length - tail >= VDNN_ONNX_NAME_BYTES ||
        strcmp(text + length - tail, end) != 0)
        return false;
    memcpy(name, text, length - tail);
    name[length - tail] = '\0';
    return true;
}

/* Whether it was free; if so, the name is its layer's now. */
static vdnn_status claim(vdnn_onnx *net, const char *name, bool *is_free)
{
    *is_free = false;
    if (strcmp(name, "input") == 0 || strcmp(name, "loss") == 0 ||
        vdnn_names_find(&net->layers, name) >= 0)
        return VDNN_OK;
    char *copy = vdnn_hoard_strdup(&net->hoard, name);
    return copy == NULL ? vdnn_onnx_no_memory(net)
                        : vdnn_names_add(&net->layers, copy, net->index, is_free);
}

vdnn_status vdnn_onnx_layer_name(vdnn_onnx *net, const vdnn_onnx_tensor *weight,
                                 const vdnn_onnx_tensor *bias, const char **name)
{
    enum { LONGEST = 180, SUFFIX = 16 };
    char stem[VDNN_ONNX_NAME_BYTES], full[VDNN_ONNX_NAME_BYTES + SUFFIX];
    const char *node = net->node->name;
    if ((weight == NULL || !take_stem(weight->name, ".weight", stem)) &&
        (bias == NULL || !take_stem(bias->name, ".bias", stem)))
        (void)snprintf(stem, sizeof stem, "%.*s", LONGEST, node[0] == '/' ? node + 1 : node);
    stem[LONGEST] = '\0';
    if (stem[0] == '\0')
        (void)snprintf(stem, sizeof stem, "%.100s%d", net->node->op, (int)net->index + 1);
    for (char *c = stem; *c != '\0'; c++)
        if (!is_plain(*c))
            *c = '_';
    (void)snprintf(full, sizeof full, "%s", stem);
    bool is_free;
    VDNN_TRY(claim(net, full, &is_free));
    for (int i = 2; !is_free; i++) {
        (void)snprintf(full, sizeof full, "%s_%d", stem, i);
        VDNN_TRY(claim(net, full, &is_free));
    }
    *name = vdnn_hoard_strdup(&net->hoard, full);
    return *name == NULL ? vdnn_onnx_no_memory(net) : VDNN_OK;
}

/* ---- layers ---------------------------------------------------------------------------------- */

vdnn_status vdnn_onnx_emit(vdnn_onnx *net, const char *name, const char *type,
                           vdnn_onnx_value *const *inputs, size_t count, const char *keys, ...)
{
    char more[512];
    va_list arguments;
    va_start(arguments, keys);
    (void)vdnn_decimal_vprint(more, sizeof more, keys, arguments);
    va_end(arguments);
    for (size_t i = 0; i < count; i++)
        if (strcmp(inputs[i]->layer, "input") == 0) {
            net->normalization.is_read = true;
            if (inputs[i]->version != net->normalization.version)
                return vdnn_onnx_refuse(net, "reads the input before the end of its normalization, "
                                             "which a network has once");
        }
    for (; net->line <= net->index; net->line++)
        vdnn_text_put(&net->text, "\n");
    vdnn_text_put(&net->text, "{name: \"");
    vdnn_text_put(&net->text, name);
    vdnn_text_put(&net->text, "\", type: ");
    vdnn_text_put(&net->text, type);
    vdnn_text_put(&net->text, ", from: [");
    for (size_t i = 0; i < count; i++) {
        vdnn_text_put(&net->text, i == 0 ? "\"" : ", \"");
        vdnn_text_put(&net->text, inputs[i]->layer);
        vdnn_text_put(&net->text, "\"");
    }
    vdnn_text_put(&net->text, "]");
    vdnn_text_put(&net->text, more);
    vdnn_text_put(&net->text, "}, ");
    return vdnn_text_status(&net->text, "the network");
}

int64_t vdnn_onnx_elements(const vdnn_onnx_value *map)
{
    int64_t elements = 1;
    for (int d = 0; d < VDNN_ONNX_MAP_DIMS; d++)
        elements *= map->dims[d];
    return elements;
}

const char *vdnn_onnx_shape_text(const vdnn_onnx_value *map, char text[VDNN_ONNX_SHAPE_TEXT])
{
    int length = snprintf(text, VDNN_ONNX_SHAPE_TEXT, "%lld", (long long)map->dims[0]);
    for (int d = 1; d <= map->sides; d++)
        length += snprintf(text + length, VDNN_ONNX_SHAPE_TEXT - (size_t)length, " x %lld",
                           (long long)map->dims[d]);
    return text;
}

vdnn_status vdnn_onnx_flatten(vdnn_onnx *net, vdnn_onnx_value *map)
{
    if (!map->is_flat || map->dims[0] == vdnn_onnx_elements(map))
        return VDNN_OK;
    const char *name = NULL;
    VDNN_TRY(vdnn_onnx_layer_name(net, NULL, NULL, &name));
    VDNN_TRY(vdnn_onnx_emit(net, name, "flatten", &map, 1, "%s", ""));
    map->layer = name;
    map->dims[0] = vdnn_onnx_elements(map);
    for (int d = 1; d < VDNN_ONNX_MAP_DIMS; d++)
        map->dims[d] = 1;
    return VDNN_OK;
}

/* ---- results --------------------------------------------------------------------------------- */

vdnn_status vdnn_onnx_set_value(vdnn_onnx *net, const char *output, const vdnn_onnx_value *value)
{
    const int32_t at = vdnn_names_find(&net->names, output);
    if (at < 0)
        return vdnn_onnx_refuse(net, "has no output, which it must have");
    net->values.items[at] = *value;
    return VDNN_OK;
}

const char *vdnn_onnx_output_name(const vdnn_onnx *net)
{
    return net->node->outputs.count == 0 ? "" : net->node->outputs.items[0];
}

vdnn_status vdnn_onnx_set_result(vdnn_onnx *net, const vdnn_onnx_value *value)
{
    return vdnn_onnx_set_value(net, vdnn_onnx_output_name(net), value);
}

vdnn_status vdnn_onnx_set_map(vdnn_onnx *net, const char *layer, const vdnn_onnx_value *like)
{
    vdnn_onnx_value map = {
        .kind = VDNN_ONNX_MAP, .layer = layer, .sides = like->sides, .is_flat = like->is_flat};
    int64_t elements = 1;
    char shape[VDNN_ONNX_SHAPE_TEXT];
    memcpy(map.dims, like->dims, sizeof map.dims);
    for (int d = 0; d < VDNN_ONNX_MAP_DIMS; d++)
        if (map.dims[d] < 1 || __builtin_mul_overflow(elements, map.dims[d], &elements) ||
            elements > INT32_MAX)
            return vdnn_onnx_refuse(net,
                                    "its output has %s elements a sample, expected at least one "
                                    "and fewer than 2^31",
                                    vdnn_onnx_shape_text(&map, shape));
    return vdnn_onnx_set_result(net, &map);
}
