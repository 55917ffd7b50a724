/* Operators that keep the shape, and Concat. */

#include "models/onnx/network.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A map of the shape of x. */
static vdnn_status set_like(vdnn_onnx *net, const char *name, const vdnn_onnx_value *x)
{
    return x->kind == VDNN_ONNX_VIEW ? vdnn_onnx_set_rows(net, name, x, x->dims[1])
                                     : vdnn_onnx_set_map(net, name, x);
}

/* A layer without parameters, of the shape of its input. */
static vdnn_status map_unary(vdnn_onnx *net, const char *type, const char *key, double value)
{
    vdnn_onnx_value *x = NULL;
    const char *name = NULL;
    VDNN_TRY(vdnn_onnx_rows(net, 0, &x));
    VDNN_TRY(vdnn_onnx_layer_name(net, NULL, NULL, &name));
    if (key == NULL)
        VDNN_TRY(vdnn_onnx_emit(net, name, type, &x, 1, "%s", ""));
    else
        VDNN_TRY(vdnn_onnx_emit(net, name, type, &x, 1, ", %s: %.7g", key, value));
    return set_like(net, name, x);
}

vdnn_status vdnn_onnx_map_relu(vdnn_onnx *net)
{
    return map_unary(net, "relu", NULL, 0);
}

vdnn_status vdnn_onnx_map_gelu(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    const char *name = NULL, *word = vdnn_onnx_word(net, "approximate", "none");
    if (strcmp(word, "none") != 0 && strcmp(word, "tanh") != 0)
        return vdnn_onnx_refuse(net, "approximate is '%.100s', expected none or tanh", word);
    VDNN_TRY(vdnn_onnx_rows(net, 0, &x));
    VDNN_TRY(vdnn_onnx_layer_name(net, NULL, NULL, &name));
    VDNN_TRY(vdnn_onnx_emit(net, name, "gelu", &x, 1, ", approximate: %s", word));
    return set_like(net, name, x);
}

vdnn_status vdnn_onnx_map_sigmoid(vdnn_onnx *net)
{
    return map_unary(net, "sigmoid", NULL, 0);
}

vdnn_status vdnn_onnx_map_silu(vdnn_onnx *net)
{
    return map_unary(net, "silu", NULL, 0);
}

vdnn_status vdnn_onnx_map_tanh(vdnn_onnx *net)
{
    return map_unary(net, "tanh", NULL, 0);
}

vdnn_status vdnn_onnx_map_hardswish(vdnn_onnx *net)
{
    return map_unary(net, "hardswish", NULL, 0);
}

vdnn_status vdnn_onnx_map_leaky_relu(vdnn_onnx *net)
{
    const double alpha = vdnn_onnx_real(net, "alpha", 0.01);
    if (!(alpha >= 0 && alpha <= 1e9))
        return vdnn_onnx_refuse(net, "its alpha is %g, expected 0 to 1e9", alpha);
    return map_unary(net, "leaky_relu", "slope", alpha);
}

/* From 0 to infinity a ReLU, to 6 a ReLU6. Its limits are attributes or inputs. */
vdnn_status vdnn_onnx_map_clip(vdnn_onnx *net)
{
    double least = vdnn_onnx_real(net, "min", -(double)INFINITY),
           most = vdnn_onnx_real(net, "max", (double)INFINITY);
    if (vdnn_onnx_has_input(net, 1))
        VDNN_TRY(vdnn_onnx_real_input(net, 1, &least));
    if (vdnn_onnx_has_input(net, 2))
        VDNN_TRY(vdnn_onnx_real_input(net, 2, &most));
    const bool is_six = most >= 6 && most <= 6;
    if (!(least >= 0 && least <= 0 && (is_six || most >= (double)FLT_MAX)))
        return vdnn_onnx_refuse(net,
                                "clips to %g ... %g: no layer of vdnn computes it; ReLU and ReLU6, "
                                "which clip to 0 ... infinity and 0 ... 6, are supported",
                                least, most);
    return map_unary(net, is_six ? "relu6" : "relu", NULL, 0);
}

vdnn_status vdnn_onnx_map_identity(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    VDNN_TRY(vdnn_onnx_any_input(net, 0, &x));
    return vdnn_onnx_set_result(net, x);
}

/* vdnn has one type of all maps, and one of tokens. */
vdnn_status vdnn_onnx_map_cast(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    const int64_t to = vdnn_onnx_integer(net, "to", 0);
    VDNN_TRY(vdnn_onnx_any_input(net, 0, &x));
    if (x->kind != VDNN_ONNX_NOTHING && (x->tokens > 0) != vdnn_onnx_is_float(to))
        return vdnn_onnx_map_identity(net);
    return vdnn_onnx_refuse(net, "casts to type %lld: maps stay floats, and tokens integers",
                            (long long)to);
}

vdnn_status vdnn_onnx_map_dropout(vdnn_onnx *net)
{
    double ratio = vdnn_onnx_real(net, "ratio", 0.5);
    if (vdnn_onnx_has_input(net, 1))
        VDNN_TRY(vdnn_onnx_real_input(net, 1, &ratio));
    if (!(ratio >= 0 && ratio <= 1))
        return vdnn_onnx_refuse(net, "its ratio is %g, expected 0 to 1", ratio);
    return map_unary(net, "dropout", "p", ratio);
}

vdnn_status vdnn_onnx_map_lrn(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    const char *name = NULL;
    const int64_t size = vdnn_onnx_integer(net, "size", 0);
    const double numbers[] = {vdnn_onnx_real(net, "alpha", 1e-4), vdnn_onnx_real(net, "beta", 0.75),
                              vdnn_onnx_real(net, "bias", 1)};
    VDNN_TRY(vdnn_onnx_input(net, 0, &x));
    if (size < 1 || size > INT32_MAX || size % 2 == 0)
        return vdnn_onnx_refuse(net,
                                "its size is %lld, expected an odd number: ONNX and vdnn have "
                                "the larger half of an even window on different sides",
                                (long long)size);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!(numbers[i] >= 0 && numbers[i] <= 1e3))
            return vdnn_onnx_refuse(net, "alpha, beta or bias is %g, expected 0 to 1000",
                                    numbers[i]);
    VDNN_TRY(vdnn_onnx_flatten(net, x));
    VDNN_TRY(vdnn_onnx_layer_name(net, NULL, NULL, &name));
    VDNN_TRY(vdnn_onnx_emit(net, name, "lrn", &x, 1,
                            ", size: %lld, alpha: %.7g, beta: %.7g, k: %.7g", (long long)size,
                            numbers[0], numbers[1], numbers[2]));
    return vdnn_onnx_set_map(net, name, x);
}

vdnn_status vdnn_onnx_map_batchnorm(vdnn_onnx *net)
{
    static const char *const params[] = {"weight", "bias", "running_mean", "running_var"};
    const vdnn_onnx_tensor *tensors[4] = {NULL};
    vdnn_onnx_value *x = NULL;
    const char *name = NULL;
    const double eps = vdnn_onnx_real(net, "epsilon", 1e-5),
                 momentum = 1 - vdnn_onnx_real(net, "momentum", 0.9);
    VDNN_TRY(vdnn_onnx_input(net, 0, &x));
    for (size_t i = 0; i < 4; i++)
        VDNN_TRY(vdnn_onnx_tensor_input(net, i + 1, &tensors[i]));
    if (!(eps >= 0 && eps <= 1e3) || !(momentum >= 0 && momentum <= 1))
        return vdnn_onnx_refuse(net, "epsilon or momentum is negative or too large");
    if (vdnn_onnx_integer(net, "spatial", 1) == 0)
        return vdnn_onnx_refuse(net, "spatial is 0: vdnn normalizes channels");
    VDNN_TRY(vdnn_onnx_flatten(net, x));
    VDNN_TRY(vdnn_onnx_layer_name(net, tensors[0], tensors[1], &name));
    const vdnn_onnx_weight row = {.dims = {x->dims[0]}, .dim_count = 1, .scale = 1};
    for (size_t i = 0; i < 4; i++)
        VDNN_TRY(vdnn_onnx_add_weight(net, name, params[i], tensors[i], &row));
    net->norms++;
    VDNN_TRY(vdnn_onnx_emit(net, name, "batchnorm", &x, 1, ", eps: %.7g, momentum: %.7g", eps,
                            momentum));
    return vdnn_onnx_set_map(net, name, x);
}

/* A norm of each sample by itself, whose scale and shift are the second and third input. */
static vdnn_status map_norm(vdnn_onnx *net, const char *type, vdnn_onnx_value *x, size_t count,
                            const char *keys)
{
    static const char *const params[] = {"weight", "bias"};
    const vdnn_onnx_tensor *tensors[2] = {NULL};
    const char *name = NULL;
    const double eps = vdnn_onnx_real(net, "epsilon", 1e-5);
    for (size_t i = 0; i < count; i++)
        VDNN_TRY(vdnn_onnx_tensor_input(net, i + 1, &tensors[i]));
    if (!(eps >= 0 && eps <= 1e3))
        return vdnn_onnx_refuse(net, "epsilon is negative or too large");
    VDNN_TRY(vdnn_onnx_layer_name(net, tensors[0], tensors[1], &name));
    const vdnn_onnx_weight row = {
        .dims = {x->dims[x->kind == VDNN_ONNX_VIEW ? 1 : 0]}, .dim_count = 1, .scale = 1};
    for (size_t i = 0; i < count; i++)
        VDNN_TRY(vdnn_onnx_add_weight(net, name, params[i], tensors[i], &row));
    VDNN_TRY(vdnn_onnx_emit(net, name, type, &x, 1, ", eps: %.7g%s", eps, keys));
    return set_like(net, name, x);
}

vdnn_status vdnn_onnx_map_instancenorm(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    VDNN_TRY(vdnn_onnx_input(net, 0, &x));
    if (x->is_flat)
        return vdnn_onnx_refuse(net, "its input is a vector a sample, expected a picture");
    return map_norm(net, "instancenorm", x, 2, ", affine: true");
}

/* Over the last axis, of vectors or of each position. */
static vdnn_status map_row_norm(vdnn_onnx *net, const char *type, size_t params, const char *keys)
{
    vdnn_onnx_value *x = NULL;
    const int64_t axis = vdnn_onnx_integer(net, "axis", -1);
    VDNN_TRY(vdnn_onnx_rows(net, 0, &x));
    if (x->kind == VDNN_ONNX_MAP && !x->is_flat)
        return vdnn_onnx_refuse(net, "its input is a picture a sample, expected a vector");
    if (axis != -1 && axis != (x->kind == VDNN_ONNX_MAP ? 1 : x->view->rank - 1))
        return vdnn_onnx_refuse(net, "axis is %lld, expected the last one", (long long)axis);
    VDNN_TRY(vdnn_onnx_flatten(net, x));
    return map_norm(net, type, x, params, keys);
}

vdnn_status vdnn_onnx_map_layernorm(vdnn_onnx *net)
{
    const bool has_bias = vdnn_onnx_has_input(net, 2);
    return map_row_norm(net, "layernorm", has_bias ? 2 : 1, has_bias ? "" : ", bias: false");
}

vdnn_status vdnn_onnx_map_rmsnorm(vdnn_onnx *net)
{
    return map_row_norm(net, "rmsnorm", 1, "");
}

/* ---- several inputs -------------------------------------------------------------------------- */

/* All inputs, flattened, which are all flat or all are not. */
static vdnn_status take_inputs(vdnn_onnx *net, vdnn_onnx_value ***inputs)
{
    const size_t count = net->node->inputs.count;
    vdnn_onnx_value **taken = vdnn_hoard_take(&net->hoard, count, sizeof *taken);
    if (taken == NULL)
        return vdnn_onnx_no_memory(net);
    for (size_t i = 0; i < count; i++) {
        VDNN_TRY(vdnn_onnx_rows(net, i, &taken[i]));
        if (taken[i]->is_flat != taken[0]->is_flat || taken[i]->sides != taken[0]->sides ||
            taken[i]->kind != taken[0]->kind)
            return vdnn_onnx_refuse(net, "input %zu has other dimensions than the first", i + 1);
        if (taken[i]->kind == VDNN_ONNX_MAP)
            VDNN_TRY(vdnn_onnx_flatten(net, taken[i]));
    }
    *inputs = taken;
    return VDNN_OK;
}

/* A layer of that type over all inputs, element by element. */
static vdnn_status map_elements(vdnn_onnx *net, const char *type, const char *what)
{
    vdnn_onnx_value **x = NULL;
    const char *name = NULL;
    const size_t count = net->node->inputs.count;
    char shapes[2][VDNN_ONNX_SHAPE_TEXT];
    VDNN_TRY(take_inputs(net, &x));
    for (size_t i = 1; i < count; i++)
        if (memcmp(x[i]->dims, x[0]->dims, sizeof x[0]->dims) != 0 ||
            (x[i]->view != NULL && !vdnn_onnx_view_equal(x[i]->view, x[0]->view)))
            return vdnn_onnx_refuse(net,
                                    "input %zu is %s but the first is %s: vdnn %s maps of equal "
                                    "shapes",
                                    i + 1, vdnn_onnx_shape_text(x[i], shapes[0]),
                                    vdnn_onnx_shape_text(x[0], shapes[1]), what);
    VDNN_TRY(vdnn_onnx_layer_name(net, NULL, NULL, &name));
    VDNN_TRY(vdnn_onnx_emit(net, name, type, x, count, "%s", ""));
    return set_like(net, name, x[0]);
}

/* Whether one of two inputs is a constant, and whether one is an attention's scores. */
static vdnn_status find_special(vdnn_onnx *net, bool *has_constant, bool *has_scores)
{
    *has_constant = *has_scores = false;
    for (size_t i = 0; i < net->node->inputs.count; i++) {
        vdnn_onnx_value *value = NULL;
        VDNN_TRY(vdnn_onnx_any_input(net, i, &value));
        *has_constant |= vdnn_onnx_is_constant(value);
        *has_scores |= vdnn_onnx_are_scores(value);
    }
    *has_scores &= net->node->inputs.count == 2;
    return VDNN_OK;
}

vdnn_status vdnn_onnx_map_add(vdnn_onnx *net)
{
    bool is_done, has_constant, has_scores;
    if (net->node->inputs.count == 1)
        return vdnn_onnx_map_identity(net);
    VDNN_TRY(find_special(net, &has_constant, &has_scores));
    if (has_scores)
        return vdnn_onnx_map_masked_scores(net);
    VDNN_TRY(vdnn_onnx_normalize(net, &is_done));
    if (is_done)
        return VDNN_OK;
    if (has_constant && net->node->inputs.count == 2)
        return vdnn_onnx_map_positions(net);
    net->sums++;
    return map_elements(net, "add", "adds");
}

/* Of the input and a constant, of scores, or of maps. */
vdnn_status vdnn_onnx_map_mul(vdnn_onnx *net)
{
    bool has_constant, has_scores;
    VDNN_TRY(find_special(net, &has_constant, &has_scores));
    if (has_constant || has_scores)
        return vdnn_onnx_map_normalization(net);
    return map_elements(net, "mul", "multiplies");
}

/* Whether it joins sequences along a dimension that is none of features. */
static bool piles_up(const vdnn_onnx_value *first, int64_t axis)
{
    return first->kind == VDNN_ONNX_VIEW && first->layer != NULL && first->scores == NULL &&
           !first->is_softmax && axis != -1 && axis != first->view->rank - 1;
}

static vdnn_status pile_up(vdnn_onnx *net, int64_t axis)
{
    vdnn_onnx_pile *pile = vdnn_hoard_take(&net->hoard, 1, sizeof *pile);
    if (pile == NULL)
        return vdnn_onnx_no_memory(net);
    pile->count = net->node->inputs.count;
    pile->values = vdnn_hoard_take(&net->hoard, pile->count, sizeof *pile->values);
    if (pile->values == NULL)
        return vdnn_onnx_no_memory(net);
    for (size_t i = 0; i < pile->count; i++) {
        VDNN_TRY(vdnn_onnx_any_input(net, i, &pile->values[i]));
        const int64_t rank = pile->values[0]->view->rank;
        pile->axis = axis + (axis < 0 ? rank : 0);
        if (!piles_up(pile->values[i], axis) || pile->values[i]->view->rank != rank ||
            pile->axis < 0 || pile->axis >= rank)
            return vdnn_onnx_refuse(net,
                                    "joins along dimension %lld, which input %zu does not have",
                                    (long long)axis, i + 1);
    }
    return vdnn_onnx_set_result(net, &(vdnn_onnx_value){.kind = VDNN_ONNX_NOTHING, .pile = pile});
}

/* Features of sequences, side by side. */
static vdnn_status join_features(vdnn_onnx *net, vdnn_onnx_value **x)
{
    int64_t features = 0;
    const char *name = NULL;
    const vdnn_onnx_view *first = x[0]->view;
    for (size_t i = 0; i < net->node->inputs.count; i++) {
        vdnn_onnx_view view = *x[i]->view;
        bool is_same = x[i]->dims[0] == x[0]->dims[0] && view.rank == first->rank;
        for (int d = 0; d < view.rank - 1 && is_same; d++)
            is_same = view.ends[d] == first->ends[d];
        for (int k = 0; is_same && k < view.ends[view.rank - 1] - 1; k++)
            is_same = view.axes[k].is_batch == first->axes[k].is_batch &&
                      view.axes[k].size == first->axes[k].size &&
                      view.axes[k].stride / x[i]->dims[1] == first->axes[k].stride / x[0]->dims[1];
        if (!is_same || __builtin_add_overflow(features, x[i]->dims[1], &features))
            return vdnn_onnx_refuse(net, "input %zu has other positions than the first", i + 1);
    }
    VDNN_TRY(vdnn_onnx_layer_name(net, NULL, NULL, &name));
    VDNN_TRY(vdnn_onnx_emit(net, name, "concat", x, net->node->inputs.count, "%s", ""));
    return vdnn_onnx_set_rows(net, name, x[0], features);
}

vdnn_status vdnn_onnx_map_concat(vdnn_onnx *net)
{
    vdnn_onnx_value **x = NULL, *first = NULL;
    const char *name = NULL;
    const int64_t axis = vdnn_onnx_integer(net, "axis", 1);
    char shapes[2][VDNN_ONNX_SHAPE_TEXT];
    VDNN_TRY(vdnn_onnx_any_input(net, 0, &first));
    if (vdnn_onnx_is_constant(first))
        return vdnn_onnx_map_first_positions(net);
    if (piles_up(first, axis))
        return pile_up(net, axis);
    VDNN_TRY(take_inputs(net, &x));
    if (x[0]->kind == VDNN_ONNX_VIEW)
        return join_features(net, x);
    if (axis != 1 && axis != (x[0]->is_flat ? -1 : -1 - x[0]->sides))
        return vdnn_onnx_refuse(net, "axis is %lld, expected 1: the channels", (long long)axis);
    vdnn_onnx_value y = *x[0];
    y.dims[0] = 0;
    for (size_t i = 0; i < net->node->inputs.count; i++) {
        if (memcmp(x[i]->dims + 1, y.dims + 1, sizeof y.dims - sizeof y.dims[0]) != 0)
            return vdnn_onnx_refuse(net, "input %zu is %s but the first is %s, apart from channels",
                                    i + 1, vdnn_onnx_shape_text(x[i], shapes[0]),
                                    vdnn_onnx_shape_text(x[0], shapes[1]));
        y.dims[0] += x[i]->dims[0];
    }
    VDNN_TRY(vdnn_onnx_layer_name(net, NULL, NULL, &name));
    VDNN_TRY(vdnn_onnx_emit(net, name, "concat", x, net->node->inputs.count, "%s", ""));
    return vdnn_onnx_set_map(net, name, &y);
}

/* What the loss does itself. */
vdnn_status vdnn_onnx_map_softmax(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    VDNN_TRY(vdnn_onnx_any_input(net, 0, &x));
    if (vdnn_onnx_are_scores(x))
        return vdnn_onnx_map_softmax_of_scores(net);
    VDNN_TRY(vdnn_onnx_rows(net, 0, &x));
    const bool is_old = net->opset < 13; /* all axes from this one on were one then */
    const int64_t axis = vdnn_onnx_integer(net, "axis", is_old ? 1 : -1);
    const bool is_last = x->kind == VDNN_ONNX_VIEW && (axis == -1 || axis == x->view->rank - 1);
    if (!is_last && axis != 1 && axis != (x->is_flat ? -1 : -1 - x->sides))
        return vdnn_onnx_refuse(net, "axis is %lld, expected 1: the classes", (long long)axis);
    if (is_old && !is_last && !x->is_flat && x->dims[0] != vdnn_onnx_elements(x))
        return vdnn_onnx_refuse(net,
                                "its input is %lld x %lld x %lld, expected a vector a sample: "
                                "one number for each class",
                                (long long)x->dims[0], (long long)x->dims[1],
                                (long long)x->dims[2]);
    vdnn_onnx_value y = *x;
    y.is_softmax = true;
    return vdnn_onnx_set_result(net, &y);
}
