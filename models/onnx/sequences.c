/* Sequences: vectors at positions, in whatever order of samples and positions a graph has them. */

#include "models/onnx/network.h"

#include <math.h>
#include <string.h>

/* ---- rows ------------------------------------------------------------------------------------ */

/* A layer that values are views of. */
typedef struct base {
    const char *layer;
    int64_t positions, features;
} base;

static vdnn_status set_base(vdnn_onnx *net, vdnn_onnx_value *value, const base *to,
                            const vdnn_onnx_view *view)
{
    vdnn_onnx_view *copy = vdnn_hoard_take(&net->hoard, 1, sizeof *copy);
    if (copy == NULL)
        return vdnn_onnx_no_memory(net);
    *copy = *view;
    value->view = copy;
    value->layer = to->layer;
    value->is_sequence = true;
    value->is_flat = false;
    value->dims[0] = to->positions;
    value->dims[1] = to->features;
    for (int d = 2; d < VDNN_ONNX_MAP_DIMS; d++)
        value->dims[d] = 1;
    return VDNN_OK;
}

static vdnn_status emit_one(vdnn_onnx *net, vdnn_onnx_value *x, const char *type, const char *keys,
                            const char **name)
{
    VDNN_TRY(vdnn_onnx_layer_name(net, NULL, NULL, name));
    return vdnn_onnx_emit(net, *name, type, &x, 1, "%s", keys);
}

/* The layer that makes a sequence of a picture, once for all that read it so. */
static vdnn_status find_cells(vdnn_onnx *net, vdnn_onnx_value *picture, const char **layer)
{
    for (size_t i = 0; i < net->cells.count; i++)
        if (strcmp(net->cells.items[i].picture, picture->layer) == 0) {
            *layer = net->cells.items[i].sequence;
            return VDNN_OK;
        }
    vdnn_onnx_cells *cells = vdnn_hoard_grow(&net->hoard, net->cells.items, net->cells.count,
                                             sizeof *cells, &net->cells.capacity);
    if (cells == NULL)
        return vdnn_onnx_no_memory(net);
    net->cells.items = cells;
    VDNN_TRY(emit_one(net, picture, "to_sequence", "", layer));
    cells[net->cells.count++] = (vdnn_onnx_cells){picture->layer, *layer};
    return VDNN_OK;
}

/* The cells of a picture as positions. */
static vdnn_status take_cells(vdnn_onnx *net, vdnn_onnx_value *value)
{
    const int64_t features = value->dims[0], positions = vdnn_onnx_elements(value) / features;
    vdnn_onnx_view view = {0};
    const vdnn_onnx_view from = vdnn_onnx_view_of(net, value);
    base to = {.positions = positions, .features = features};
    view.offset = from.offset % positions * features + from.offset / positions;
    for (int d = 0; d < from.rank; d++) {
        for (int i = vdnn_onnx_view_begin(&from, d); i < from.ends[d]; i++) {
            vdnn_onnx_axis axis = from.axes[i];
            if (!axis.is_batch && axis.stride % positions == 0)
                axis.stride /= positions;
            else if (!axis.is_batch && axis.stride * axis.size <= positions)
                axis.stride *= features;
            else if (!axis.is_batch)
                return vdnn_onnx_refuse(net,
                                        "reads channels and cells of '%.100s' as one "
                                        "dimension, expected them apart",
                                        value->layer);
            vdnn_onnx_view_add(&view, &axis);
        }
        vdnn_onnx_view_end(&view);
    }
    VDNN_TRY(find_cells(net, value, &to.layer));
    return set_base(net, value, &to, &view);
}

/* The value with strides of positions that are `features` apart, of a base with others. */
static void respace(const vdnn_onnx_view *from, int64_t had, int64_t features, vdnn_onnx_view *view)
{
    *view = (vdnn_onnx_view){.offset = from->offset / had * features};
    for (int d = 0; d < from->rank; d++) {
        const bool is_last = d == from->rank - 1;
        for (int i = vdnn_onnx_view_begin(from, d); i < from->ends[d] && !is_last; i++) {
            vdnn_onnx_axis axis = from->axes[i];
            axis.stride = axis.is_batch ? 0 : axis.stride / had * features;
            vdnn_onnx_view_add(view, &axis);
        }
        if (is_last)
            vdnn_onnx_view_add(view, &(vdnn_onnx_axis){.size = features, .stride = 1});
        vdnn_onnx_view_end(view);
    }
}

/* Which half of the features is all that the value reads; -1: of both. */
static int find_half(const vdnn_onnx_view *view, int64_t features)
{
    const int64_t half = features / 2, first = view->offset % features;
    const int last = view->rank - 1;
    if (last < 0 || first % half != 0 || vdnn_onnx_view_size(view, last) != half)
        return -1;
    for (int i = 0; i < view->axis_count; i++)
        if (!view->axes[i].is_batch &&
            (i < vdnn_onnx_view_begin(view, last) ? view->axes[i].stride % features != 0
                                                  : view->axes[i].stride != 1))
            return -1;
    return (int)(first / half);
}

/* One of two layers side by side, or both, which are joined now. */
static vdnn_status take_halves(vdnn_onnx *net, vdnn_onnx_value *value)
{
    vdnn_onnx_join *join = value->join;
    const int64_t features = value->dims[1];
    const int half = find_half(value->view, features);
    value->join = NULL;
    if (half >= 0) {
        vdnn_onnx_view view;
        const base to = {join->halves[half], value->dims[0], features / 2};
        respace(value->view, features, features / 2, &view);
        return set_base(net, value, &to, &view);
    }
    vdnn_onnx_value parts[2] = {vdnn_onnx_sequence(join->halves[0], 1, 1),
                                vdnn_onnx_sequence(join->halves[1], 1, 1)};
    vdnn_onnx_value *const both[2] = {&parts[0], &parts[1]};
    if (join->is_written)
        return VDNN_OK;
    join->is_written = true;
    return vdnn_onnx_emit(net, value->layer, "concat", both, 2, "%s", "");
}

vdnn_status vdnn_onnx_make_sequence(vdnn_onnx *net, vdnn_onnx_value *value)
{
    return !value->is_sequence   ? take_cells(net, value)
           : value->join != NULL ? take_halves(net, value)
                                 : VDNN_OK;
}

/* What was multiplied by a number is so now. */
static vdnn_status apply_factor(vdnn_onnx *net, vdnn_onnx_value *value)
{
    const char *name = NULL;
    const double factor = value->factor;
    if (factor >= 0 && factor <= 0)
        return VDNN_OK;
    if (!(factor >= -1e9 && factor <= 1e9))
        return vdnn_onnx_refuse(net, "its factor is %g, expected -1e9 to 1e9", factor);
    VDNN_TRY(vdnn_onnx_layer_name(net, NULL, NULL, &name));
    VDNN_TRY(vdnn_onnx_emit(net, name, "scale", &value, 1, ", factor: %.9g", factor));
    value->layer = name;
    value->factor = 0;
    return VDNN_OK;
}

static vdnn_status refuse_order(const vdnn_onnx *net, const vdnn_onnx_value *value)
{
    return vdnn_onnx_refuse(net,
                            "reads '%.100s', %lld positions of %lld features, in an order or in "
                            "parts that no layer makes: expected all features as the last "
                            "dimension",
                            value->layer, (long long)value->dims[0], (long long)value->dims[1]);
}

/* The first position that the value reads, and how many; false: not one after the other. */
static bool find_positions(const vdnn_onnx_value *value, int64_t *first, int64_t *count)
{
    const vdnn_onnx_view *view = value->view;
    const int64_t features = value->dims[1];
    int64_t elements = 1, last = view->offset;
    for (int i = 0; i < view->axis_count; i++) {
        const vdnn_onnx_axis *axis = &view->axes[i];
        if (axis->is_batch)
            continue;
        if (axis->stride < 1)
            return false;
        elements *= axis->size;
        last += (axis->size - 1) * axis->stride;
    }
    *first = view->offset / features;
    *count = elements / features;
    return view->offset % features == 0 && elements % features == 0 &&
           last - view->offset == elements - 1;
}

static vdnn_status slice_positions(vdnn_onnx *net, vdnn_onnx_value *value, int64_t first,
                                   int64_t count)
{
    base to = {.positions = count, .features = value->dims[1]};
    vdnn_onnx_view view = *value->view;
    if (count == value->dims[0])
        return VDNN_OK;
    VDNN_TRY(vdnn_onnx_layer_name(net, NULL, NULL, &to.layer));
    VDNN_TRY(vdnn_onnx_emit(net, to.layer, "slice", &value, 1, ", begin: %lld, count: %lld",
                            (long long)first, (long long)count));
    view.offset = 0;
    return set_base(net, value, &to, &view);
}

/* One vector a sample. */
static vdnn_status make_vector(vdnn_onnx *net, vdnn_onnx_value *value)
{
    const int64_t elements = value->dims[0] * value->dims[1];
    const char *name = NULL;
    VDNN_TRY(emit_one(net, value, "flatten", "", &name));
    *value = (vdnn_onnx_value){.kind = VDNN_ONNX_MAP,
                               .layer = name,
                               .dims = {elements, 1, 1, 1},
                               .sides = 2,
                               .is_flat = true};
    return VDNN_OK;
}

vdnn_status vdnn_onnx_rows(vdnn_onnx *net, size_t i, vdnn_onnx_value **rows)
{
    vdnn_onnx_value *value = NULL;
    int64_t first = 0, count = 0;
    VDNN_TRY(vdnn_onnx_any_input(net, i, &value));
    *rows = value;
    if (value->kind != VDNN_ONNX_VIEW || value->layer == NULL || value->scores != NULL ||
        value->tokens > 0 || value->is_softmax)
        return vdnn_onnx_input(net, i, rows);
    VDNN_TRY(apply_factor(net, value));
    VDNN_TRY(vdnn_onnx_make_sequence(net, value));
    if (!find_positions(value, &first, &count))
        return refuse_order(net, value);
    VDNN_TRY(slice_positions(net, value, first, count));
    const vdnn_onnx_view *view = value->view;
    const int last = view->rank - 1, begin = last < 0 ? 0 : vdnn_onnx_view_begin(view, last);
    const int64_t size = last < 0 ? 0 : vdnn_onnx_view_size(view, last);
    const bool is_dense =
        size == 1 || (last >= 0 && view->ends[last] == begin + 1 && view->axes[begin].stride == 1);
    const bool is_vector = last == 1 && size == count * value->dims[1];
    if (!is_dense || (!is_vector && size != value->dims[1]))
        return refuse_order(net, value);
    return is_vector ? make_vector(net, value) : VDNN_OK;
}

vdnn_onnx_value vdnn_onnx_sequence(const char *layer, int64_t positions, int64_t features)
{
    return (vdnn_onnx_value){.kind = VDNN_ONNX_MAP,
                             .layer = layer,
                             .dims = {positions, features, 1, 1},
                             .is_sequence = true};
}

vdnn_status vdnn_onnx_set_rows(vdnn_onnx *net, const char *layer, const vdnn_onnx_value *rows,
                               int64_t features)
{
    int64_t elements;
    if (rows->kind == VDNN_ONNX_MAP)
        return vdnn_onnx_set_map(
            net, layer,
            &(vdnn_onnx_value){.dims = {features, 1, 1, 1}, .sides = 2, .is_flat = true});
    const vdnn_onnx_value y = vdnn_onnx_sequence(layer, rows->dims[0], features);
    vdnn_onnx_view view;
    if (__builtin_mul_overflow(y.dims[0], features, &elements) || elements > INT32_MAX)
        return vdnn_onnx_refuse(net, "its output has 2^31 elements a sample or more");
    respace(rows->view, rows->dims[1], features, &view);
    return vdnn_onnx_set_view(net, vdnn_onnx_output_name(net), &y, &view);
}

/* ---- tokens and positions -------------------------------------------------------------------- */

/* All positions of an input of tokens, in whatever order of dimensions. */
static bool has_all_tokens(const vdnn_onnx *net, const vdnn_onnx_value *tokens)
{
    int64_t positions = 1;
    for (int i = 0; i < tokens->view->axis_count; i++)
        positions *= tokens->view->axes[i].is_batch ? 1 : tokens->view->axes[i].size;
    return tokens->view->offset == 0 && positions == net->tokens[tokens->tokens - 1].positions;
}

/* How many different tokens the input has: all that read it agree. */
static vdnn_status set_vocabulary(vdnn_onnx *net, const vdnn_onnx_value *tokens, int64_t vocabulary)
{
    vdnn_onnx_tokens *input = &net->tokens[tokens->tokens - 1];
    if (input->vocabulary != 0 && input->vocabulary != vocabulary)
        return vdnn_onnx_refuse(net,
                                "reads tokens of %lld kinds, but another node reads the same as of "
                                "%lld",
                                (long long)vocabulary, (long long)input->vocabulary);
    input->vocabulary = vocabulary;
    return VDNN_OK;
}

vdnn_status vdnn_onnx_map_embedding(vdnn_onnx *net)
{
    const vdnn_onnx_tensor *weight = NULL;
    vdnn_onnx_value *tokens = NULL;
    const char *name = NULL;
    VDNN_TRY(vdnn_onnx_tensor_input(net, 0, &weight));
    VDNN_TRY(vdnn_onnx_any_input(net, 1, &tokens));
    if (weight->dims.count != 2 || vdnn_onnx_integer(net, "axis", 0) != 0)
        return vdnn_onnx_refuse(net,
                                "picks by tokens from %zu dimensions, expected rows of a "
                                "weight",
                                weight->dims.count);
    const int64_t rows = weight->dims.items[0], features = weight->dims.items[1];
    int64_t elements;
    if (__builtin_mul_overflow(features, net->tokens[tokens->tokens - 1].positions, &elements) ||
        features < 1 || elements > INT32_MAX || rows < 1 || rows > INT32_MAX)
        return vdnn_onnx_refuse(net, "makes 2^31 elements of a sample or more, or none");
    if (!has_all_tokens(net, tokens))
        return vdnn_onnx_refuse(net, "reads a part of the tokens, expected all of them");
    VDNN_TRY(set_vocabulary(net, tokens, rows));
    VDNN_TRY(vdnn_onnx_layer_name(net, weight, NULL, &name));
    const vdnn_onnx_weight like = {
        .dims = {rows, features}, .dim_count = 2, .scale = 1, .is_table = true};
    VDNN_TRY(vdnn_onnx_add_weight(net, name, "weight", weight, &like));
    VDNN_TRY(
        vdnn_onnx_emit(net, name, "embedding", &tokens, 1, ", out: %lld", (long long)features));
    vdnn_onnx_view of_rows = *tokens->view, view;
    vdnn_onnx_view_end(&of_rows);
    if (of_rows.is_full)
        return vdnn_onnx_refuse(net, "has more than %d dimensions", VDNN_ONNX_MOST_DIMS);
    respace(&of_rows, 1, features, &view);
    const vdnn_onnx_value y =
        vdnn_onnx_sequence(name, net->tokens[tokens->tokens - 1].positions, features);
    return vdnn_onnx_set_view(net, vdnn_onnx_output_name(net), &y, &view);
}

/* Whether a constant has a vector for each position of the rows, or fewer dimensions: then it
 * lies as the rows do but for the samples. */
static bool is_for_positions(const vdnn_onnx_view *rows, const vdnn_onnx_view *constant)
{
    for (int d = 0; d < rows->rank || d < constant->rank; d++) {
        const int a = rows->rank - 1 - d, b = constant->rank - 1 - d;
        const int64_t has = b < 0 ? 1 : vdnn_onnx_view_size(constant, b);
        bool has_positions = false;
        for (int i = a < 0 ? 0 : vdnn_onnx_view_begin(rows, a); a >= 0 && i < rows->ends[a]; i++)
            has_positions |= !rows->axes[i].is_batch;
        if (has != (has_positions ? vdnn_onnx_view_size(rows, a) : 1))
            return false;
    }
    return true;
}

/* Rows of a weight: as many as it has, where the constant is its first ones. */
static vdnn_status take_vectors(vdnn_onnx *net, vdnn_onnx_value *constant, int64_t positions,
                                int64_t features, const vdnn_onnx_tensor **weight, int64_t *rows)
{
    int64_t count = 0;
    const vdnn_onnx_view view = vdnn_onnx_view_of(net, constant);
    bool is_first = constant->tensor != NULL && constant->tensor->numbers == NULL &&
                    view.offset == 0 && view.axis_count <= 2;
    for (int i = 0; i < view.axis_count; i++)
        is_first &= view.axes[i].stride == (i == view.axis_count - 1 ? 1 : features);
    if (is_first)
        *weight = constant->tensor;
    else
        VDNN_TRY(vdnn_onnx_tensor_of(net, constant, weight));
    VDNN_TRY(vdnn_onnx_tensor_count(net, *weight, &count));
    *rows = count / features;
    return *rows >= positions && count % features == 0
               ? VDNN_OK
               : vdnn_onnx_refuse(net,
                                  "its constant has %lld numbers, expected %lld vectors of "
                                  "%lld",
                                  (long long)count, (long long)positions, (long long)features);
}

vdnn_status vdnn_onnx_map_positions(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL, *constant = NULL;
    const vdnn_onnx_tensor *weight = NULL;
    const char *name = NULL;
    int64_t rows = 0;
    VDNN_TRY(vdnn_onnx_any_input(net, 0, &x));
    const size_t map = vdnn_onnx_is_constant(x) ? 1 : 0;
    VDNN_TRY(vdnn_onnx_rows(net, map, &x));
    VDNN_TRY(vdnn_onnx_any_input(net, 1 - map, &constant));
    const vdnn_onnx_view view = vdnn_onnx_view_of(net, constant);
    if (x->kind != VDNN_ONNX_VIEW || !is_for_positions(x->view, &view))
        return vdnn_onnx_refuse(net,
                                "adds a constant to '%.100s' that has no vector for each of its "
                                "positions: a bias is added right after its MatMul or Conv, "
                                "another constant by no layer",
                                x->layer);
    VDNN_TRY(take_vectors(net, constant, x->dims[0], x->dims[1], &weight, &rows));
    VDNN_TRY(vdnn_onnx_layer_name(net, weight, NULL, &name));
    const vdnn_onnx_weight like = {.dims = {rows, x->dims[1]}, .dim_count = 2, .scale = 1};
    VDNN_TRY(vdnn_onnx_add_weight(net, name, "weight", weight, &like));
    VDNN_TRY(vdnn_onnx_emit(net, name, "parameter", &x, 1, ", length: %lld", (long long)rows));
    return vdnn_onnx_set_rows(net, name, x, x->dims[1]);
}

/* A Concat of constant vectors and the positions after them. */
vdnn_status vdnn_onnx_map_first_positions(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL, *constant = NULL;
    const vdnn_onnx_tensor *weight = NULL;
    const char *name = NULL;
    int64_t rows = 0, elements;
    VDNN_TRY(vdnn_onnx_rows(net, 1, &x));
    VDNN_TRY(vdnn_onnx_any_input(net, 0, &constant));
    const int64_t axis = vdnn_onnx_integer(net, "axis", 1);
    const vdnn_onnx_view front = vdnn_onnx_view_of(net, constant);
    const vdnn_onnx_value plain = vdnn_onnx_sequence(x->layer, x->dims[0], x->dims[1]);
    const vdnn_onnx_view all = vdnn_onnx_view_of(net, &plain);
    if (net->node->inputs.count != 2 || x->kind != VDNN_ONNX_VIEW ||
        !vdnn_onnx_view_equal(x->view, &all) || (axis != 1 && axis != -2) || front.rank != 3 ||
        vdnn_onnx_view_size(&front, 2) != x->dims[1])
        return vdnn_onnx_refuse(net, "joins a constant with a map, expected vectors before the "
                                     "positions of a sequence (N, T, C), as a class token");
    vdnn_onnx_view one = {.offset = front.offset}; /* of one sample: all have the same */
    for (int d = 1; d < 3; d++)
        vdnn_onnx_view_copy(&one, &front, d);
    vdnn_onnx_value vectors = *constant;
    vectors.kind = VDNN_ONNX_VIEW;
    vectors.view = &one;
    const int64_t length = vdnn_onnx_view_size(&one, 0);
    VDNN_TRY(take_vectors(net, &vectors, length, x->dims[1], &weight, &rows));
    if (rows != length || __builtin_mul_overflow(rows + x->dims[0], x->dims[1], &elements) ||
        elements > INT32_MAX)
        return vdnn_onnx_refuse(net, "takes %lld of %lld vectors, expected all", (long long)length,
                                (long long)rows);
    VDNN_TRY(vdnn_onnx_layer_name(net, weight, NULL, &name));
    const vdnn_onnx_weight like = {.dims = {rows, x->dims[1]}, .dim_count = 2, .scale = 1};
    VDNN_TRY(vdnn_onnx_add_weight(net, name, "weight", weight, &like));
    VDNN_TRY(vdnn_onnx_emit(net, name, "parameter", &x, 1, ", join: before, length: %lld",
                            (long long)rows));
    const vdnn_onnx_value y = vdnn_onnx_sequence(name, rows + x->dims[0], x->dims[1]);
    const vdnn_onnx_view view = vdnn_onnx_view_of(net, &y);
    return vdnn_onnx_set_view(net, vdnn_onnx_output_name(net), &y, &view);
}

vdnn_status vdnn_onnx_map_mean_of_positions(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    const char *name = NULL;
    bool is_middle;
    VDNN_TRY(vdnn_onnx_rows(net, 0, &x));
    /* of (N, T, C) the axis 1, as of pictures with one side the sides are those from 2 on */
    VDNN_TRY(vdnn_onnx_names_middle(net, &is_middle));
    const vdnn_onnx_value plain = vdnn_onnx_sequence(x->layer, x->dims[0], x->dims[1]);
    const vdnn_onnx_view all = vdnn_onnx_view_of(net, &plain);
    if (x->kind != VDNN_ONNX_VIEW || !vdnn_onnx_view_equal(x->view, &all) || !is_middle ||
        vdnn_onnx_integer(net, "keepdims", 1) != 0)
        return vdnn_onnx_refuse(net, "is no mean over the positions of a sequence (N, T, C), with "
                                     "keepdims=0");
    VDNN_TRY(emit_one(net, x, "global_avgpool", "", &name));
    return vdnn_onnx_set_map(
        net, name, &(vdnn_onnx_value){.dims = {x->dims[1], 1, 1, 1}, .sides = 2, .is_flat = true});
}

/* ---- recurrence ------------------------------------------------------------------------------ */

typedef struct memory {
    vdnn_onnx_value *x, *lengths;
    const vdnn_onnx_tensor *input, *hidden, *bias; /* bias NULL: none */
    int64_t cells, directions;
    bool is_reverse; /* the only direction */
    bool is_batch_first;
} memory;

static bool has_dims(const vdnn_onnx_tensor *tensor, int64_t a, int64_t b, int64_t c)
{
    const size_t rank = c == 0 ? 2 : 3;
    return tensor->dims.count == rank && tensor->dims.items[0] == a && tensor->dims.items[1] == b &&
           (c == 0 || tensor->dims.items[2] == c);
}

/* The state that the first position begins with is zero. */
static vdnn_status check_state(vdnn_onnx *net, size_t input)
{
    vdnn_onnx_value *state = NULL;
    const double *numbers = NULL;
    int64_t count = 1;
    if (!vdnn_onnx_has_input(net, input))
        return VDNN_OK;
    VDNN_TRY(vdnn_onnx_any_input(net, input, &state));
    if (!vdnn_onnx_is_constant(state))
        return vdnn_onnx_refuse(net, "begins with a state that is computed, expected zeros");
    const vdnn_onnx_view view = vdnn_onnx_view_of(net, state);
    bool is_one = true;
    for (int i = 0; i < view.axis_count; i++)
        is_one &= view.axes[i].stride == 0;
    VDNN_TRY(vdnn_onnx_read_numbers(net, state));
    if (!is_one) {
        VDNN_TRY(vdnn_onnx_dense_numbers(net, state, &numbers));
        count = vdnn_onnx_view_elements(&view);
    } else {
        numbers = state->numbers + view.offset;
    }
    for (int64_t i = 0; i < count; i++)
        if (!(numbers[i] >= 0 && numbers[i] <= 0))
            return vdnn_onnx_refuse(net, "begins with a state of %g, expected zeros", numbers[i]);
    return VDNN_OK;
}

static vdnn_status read_memory(vdnn_onnx *net, memory *m)
{
    enum { INPUT = 1, HIDDEN, BIAS, LENGTHS, STATE, CELL, PEEPHOLES };
    const char *direction = vdnn_onnx_word(net, "direction", "forward");
    m->is_reverse = strcmp(direction, "reverse") == 0;
    m->directions = strcmp(direction, "bidirectional") == 0 ? 2 : 1;
    m->is_batch_first = vdnn_onnx_integer(net, "layout", 0) != 0;
    VDNN_TRY(vdnn_onnx_rows(net, 0, &m->x));
    VDNN_TRY(vdnn_onnx_tensor_input(net, INPUT, &m->input));
    VDNN_TRY(vdnn_onnx_tensor_input(net, HIDDEN, &m->hidden));
    if (vdnn_onnx_has_input(net, BIAS))
        VDNN_TRY(vdnn_onnx_tensor_input(net, BIAS, &m->bias));
    if (vdnn_onnx_has_input(net, LENGTHS))
        VDNN_TRY(vdnn_onnx_any_input(net, LENGTHS, &m->lengths));
    VDNN_TRY(check_state(net, STATE));
    VDNN_TRY(check_state(net, CELL));
    if (vdnn_onnx_has_input(net, PEEPHOLES))
        return vdnn_onnx_refuse(net, "has peepholes, which the layer lstm has not");
    if (vdnn_onnx_integer(net, "input_forget", 0) != 0 ||
        vdnn_onnx_attribute_find(net, "clip") != NULL)
        return vdnn_onnx_refuse(net, "couples or clips its gates, which the layer lstm does not");
    m->cells = m->hidden->dims.count == 3 ? m->hidden->dims.items[2] : 0;
    if (m->cells < 1 || m->cells > INT32_MAX / 8 || m->x->kind != VDNN_ONNX_VIEW ||
        !has_dims(m->input, m->directions, 4 * m->cells, m->x->dims[1]) ||
        !has_dims(m->hidden, m->directions, 4 * m->cells, m->cells) ||
        (m->bias != NULL && !has_dims(m->bias, m->directions, 8 * m->cells, 0)))
        return vdnn_onnx_refuse(net, "has weights that do not fit its input of sequences");
    if (m->lengths != NULL &&
        (m->lengths->tokens == 0 || net->tokens[m->lengths->tokens - 1].positions != 1))
        return vdnn_onnx_refuse(net, "its lengths are no input of one number a sample");
    if (m->x->dims[0] * m->directions * m->cells > INT32_MAX)
        return vdnn_onnx_refuse(net, "makes 2^31 elements of a sample or more");
    return m->lengths == NULL ? VDNN_OK : set_vocabulary(net, m->lengths, m->x->dims[0] + 1);
}

/* The layer of one direction. */
static vdnn_status add_direction(vdnn_onnx *net, memory *m, int64_t direction, const char **name)
{
    const int64_t rows = 4 * m->cells;
    vdnn_onnx_value *from[] = {m->x, m->lengths};
    VDNN_TRY(vdnn_onnx_layer_name(net, NULL, NULL, name));
    vdnn_onnx_weight like = {.dims = {rows, m->x->dims[1]},
                             .dim_count = 2,
                             .scale = 1,
                             .has_gates = true,
                             .first_row = direction * rows};
    VDNN_TRY(vdnn_onnx_add_weight(net, *name, "weight_ih", m->input, &like));
    like.dims[1] = m->cells;
    VDNN_TRY(vdnn_onnx_add_weight(net, *name, "weight_hh", m->hidden, &like));
    like = (vdnn_onnx_weight){.dims = {rows}, .dim_count = 1, .scale = 1, .has_gates = true};
    for (int64_t b = 0; b < 2 && m->bias != NULL; b++) {
        like.first_row = (2 * direction + b) * rows;
        VDNN_TRY(vdnn_onnx_add_weight(net, *name, b == 0 ? "bias_ih" : "bias_hh", m->bias, &like));
    }
    return vdnn_onnx_emit(net, *name, "lstm", from, m->lengths == NULL ? 1 : 2,
                          ", out: %lld, reverse: %s, biases: %d", (long long)m->cells,
                          m->is_reverse || direction == 1 ? "true" : "false",
                          m->bias == NULL ? 0 : 2);
}

static void add_axis(vdnn_onnx_view *view, int64_t size, int64_t stride)
{
    vdnn_onnx_view_add(view, &(vdnn_onnx_axis){.size = size, .stride = stride});
    vdnn_onnx_view_end(view);
}

/* Y (T, directions, N, H) and Y_h (directions, N, H); with the batch first (N, T, directions, H)
 * and (N, directions, H). */
static vdnn_status set_outputs(vdnn_onnx *net, const memory *m, const vdnn_onnx_value *y)
{
    const int64_t positions = y->dims[0], features = y->dims[1];
    const vdnn_onnx_view all = vdnn_onnx_view_of(net, y);
    vdnn_onnx_view view = {0}, last = {.offset = m->is_reverse ? 0 : (positions - 1) * features};
    const int64_t apart = m->cells - (positions - 1) * features; /* of the last of each direction */
    if (m->is_batch_first) {
        vdnn_onnx_view_copy(&view, &all, 0);
        vdnn_onnx_view_copy(&last, &all, 0);
    }
    add_axis(&view, positions, features);
    add_axis(&view, m->directions, m->cells);
    add_axis(&last, m->directions, apart);
    if (!m->is_batch_first) {
        vdnn_onnx_view_copy(&view, &all, 0);
        vdnn_onnx_view_copy(&last, &all, 0);
    }
    add_axis(&view, m->cells, 1);
    add_axis(&last, m->cells, 1);
    const vdnn_onnx_view *const views[] = {&view, &last};
    for (size_t i = 0; i < 2 && i < net->node->outputs.count; i++)
        if (net->node->outputs.items[i][0] != '\0' && (i == 0 || m->lengths == NULL))
            VDNN_TRY(vdnn_onnx_set_view(net, net->node->outputs.items[i], y, views[i]));
    return VDNN_OK;
}

vdnn_status vdnn_onnx_map_lstm(vdnn_onnx *net)
{
    memory m = {0};
    const char *joined = NULL;
    vdnn_onnx_join *join = vdnn_hoard_take(&net->hoard, 1, sizeof *join);
    if (join == NULL)
        return vdnn_onnx_no_memory(net);
    VDNN_TRY(read_memory(net, &m));
    const vdnn_onnx_value plain = vdnn_onnx_sequence(NULL, m.x->dims[0], m.x->dims[1]);
    vdnn_onnx_view expected = vdnn_onnx_view_of(net, &plain);
    if (!m.is_batch_first) {
        const vdnn_onnx_view from = expected;
        expected = (vdnn_onnx_view){0};
        vdnn_onnx_view_copy(&expected, &from, 1);
        vdnn_onnx_view_copy(&expected, &from, 0);
        vdnn_onnx_view_copy(&expected, &from, 2);
    }
    if (!vdnn_onnx_view_equal(&expected, m.x->view))
        return vdnn_onnx_refuse(net, "reads the sequence in an order that its layout does not say");
    for (int64_t d = 0; d < m.directions; d++)
        VDNN_TRY(add_direction(net, &m, d, &join->halves[d]));
    vdnn_onnx_value y = vdnn_onnx_sequence(join->halves[0], m.x->dims[0], m.directions * m.cells);
    if (m.directions == 2) {
        VDNN_TRY(vdnn_onnx_layer_name(net, NULL, NULL, &joined));
        y.layer = joined;
        y.join = join;
    }
    return set_outputs(net, &m, &y);
}
