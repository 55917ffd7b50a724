/* Arithmetic with constants: between the input and the first layers it is the normalization that
 * the network's file has as mean and std, after them a layer. */

#include "models/onnx/network.h"

#include <string.h>

static vdnn_status refuse_constant(vdnn_onnx *net, const vdnn_onnx_value *x)
{
    return vdnn_onnx_refuse(net,
                            "its constant has other dimensions than one number, or one for each of "
                            "%lld channels (at most %d), which an input's normalization has",
                            (long long)x->dims[0], VDNN_TRANSFORM_MAX_CHANNELS);
}

/* One number for all channels, or one for each: 1 x C x 1 x 1 of pictures, 1 x C of vectors. */
static vdnn_status read_constant(vdnn_onnx *net, const vdnn_onnx_value *x,
                                 const vdnn_onnx_tensor *tensor, float *numbers, int64_t *count)
{
    const size_t rank = tensor->dims.count, spatial = x->is_flat ? 0 : (size_t)x->sides;
    VDNN_TRY(vdnn_onnx_tensor_count(net, tensor, count));
    if (*count < 1 || *count > VDNN_TRANSFORM_MAX_CHANNELS)
        return refuse_constant(net, x);
    if (*count > 1 && (rank <= spatial || *count != x->dims[0] ||
                       tensor->dims.items[rank - 1 - spatial] != *count))
        return refuse_constant(net, x);
    return vdnn_onnx_tensor_floats(net, tensor, numbers, VDNN_TRANSFORM_MAX_CHANNELS, count);
}

static void apply(vdnn_onnx_normalization *all, const char *op, int64_t channel, double number)
{
    double *scale = &all->scale[channel], *shift = &all->shift[channel];
    if (strcmp(op, "Add") == 0 || strcmp(op, "Sub") == 0) {
        *shift += op[0] == 'A' ? number : -number;
        return;
    }
    const double factor = op[0] == 'M' ? number : 1 / number;
    *scale *= factor;
    *shift *= factor;
}

static vdnn_status check(vdnn_onnx *net, const vdnn_onnx_normalization *all)
{
    enum { MOST = 1000000 };
    for (int c = 0; c < VDNN_TRANSFORM_MAX_CHANNELS; c++) {
        const double mean = -all->shift[c] / all->scale[c];
        if (!(all->scale[c] >= 1.0 / MOST && all->scale[c] <= MOST && mean >= -MOST &&
              mean <= MOST))
            return vdnn_onnx_refuse(
                net,
                "the input becomes %g x + %g, which is no (x - mean) / std with "
                "a std of 1e-6 to 1e6 and a mean of -1e6 to 1e6",
                all->scale[c], all->shift[c]);
    }
    return VDNN_OK;
}

static bool is_input(const vdnn_onnx_value *value)
{
    return value->kind == VDNN_ONNX_MAP && strcmp(value->layer, "input") == 0;
}

/* Of which input the node is an affine function by its other one, a constant; -1: of none. */
static int find_operand(const vdnn_onnx *net, const vdnn_onnx_tensor **constant)
{
    const bool is_symmetric = net->node->op[0] == 'A' || net->node->op[0] == 'M';
    const vdnn_onnx_value *values[2] = {NULL, NULL};
    for (size_t i = 0; i < 2; i++) {
        const int32_t at = vdnn_names_find(&net->names, net->node->inputs.items[i]);
        if (at < 0)
            return -1;
        values[i] = &net->values.items[at];
    }
    for (int i = 0; i < (is_symmetric ? 2 : 1); i++)
        if (is_input(values[i]) && values[1 - i]->kind == VDNN_ONNX_TENSOR) {
            *constant = values[1 - i]->tensor;
            return i;
        }
    return -1;
}

vdnn_status vdnn_onnx_normalize(vdnn_onnx *net, bool *is_done)
{
    float numbers[VDNN_TRANSFORM_MAX_CHANNELS];
    vdnn_onnx_normalization *all = &net->normalization;
    vdnn_onnx_value *x = NULL;
    const vdnn_onnx_tensor *constant = NULL;
    int64_t count = 0;
    const int i = net->node->inputs.count == 2 ? find_operand(net, &constant) : -1;
    *is_done = i >= 0;
    if (i < 0)
        return VDNN_OK;
    VDNN_TRY(vdnn_onnx_input(net, (size_t)i, &x));
    VDNN_TRY(read_constant(net, x, constant, numbers, &count));
    if (x->version != all->version || all->is_read)
        return vdnn_onnx_refuse(net, "another node reads the input without this: a network has "
                                     "one normalization of its input, before its first layers");
    all->is_each |= count > 1;
    for (int64_t c = 0; c < VDNN_TRANSFORM_MAX_CHANNELS; c++)
        apply(all, net->node->op, c, (double)numbers[c < count ? c : count - 1]);
    VDNN_TRY(check(net, all));
    vdnn_onnx_value y = *x;
    y.version = ++all->version;
    return vdnn_onnx_set_result(net, &y);
}

/* The map that the node multiplies or divides by one number, its other input; -1: it does not. */
static int find_scaled(vdnn_onnx *net)
{
    const bool is_product = net->node->op[0] == 'M';
    vdnn_onnx_value *values[2];
    for (size_t i = 0; i < 2; i++)
        if (vdnn_onnx_any_input(net, i, &values[i]) != VDNN_OK)
            return -1;
    for (int i = 0; i < (is_product ? 2 : net->node->op[0] == 'D' ? 1 : 0); i++) {
        if (values[i]->layer == NULL || !vdnn_onnx_is_constant(values[1 - i]))
            continue;
        const vdnn_onnx_view view = vdnn_onnx_view_of(net, values[1 - i]);
        if (!view.is_full && vdnn_onnx_view_elements(&view) == 1)
            return i;
    }
    return -1;
}

static vdnn_status map_scale(vdnn_onnx *net, int map)
{
    vdnn_onnx_value *x = NULL;
    const char *name = NULL;
    double number = 0;
    VDNN_TRY(vdnn_onnx_any_input(net, (size_t)map, &x));
    if (vdnn_onnx_are_scores(x))
        return vdnn_onnx_map_scaled_scores(net);
    VDNN_TRY(vdnn_onnx_real_input(net, 1 - (size_t)map, &number));
    const double factor = net->node->op[0] == 'M' ? number : 1 / number;
    if (x->kind == VDNN_ONNX_VIEW && x->tokens == 0 && (factor < 0 || factor > 0)) {
        vdnn_onnx_value y = *x; /* by what reads it */
        y.factor = factor * vdnn_onnx_factor(x);
        return vdnn_onnx_set_result(net, &y);
    }
    VDNN_TRY(vdnn_onnx_input(net, (size_t)map, &x));
    if (!(factor >= -1e9 && factor <= 1e9))
        return vdnn_onnx_refuse(net, "its factor is %g, expected -1e9 to 1e9", factor);
    VDNN_TRY(vdnn_onnx_layer_name(net, NULL, NULL, &name));
    VDNN_TRY(vdnn_onnx_emit(net, name, "scale", &x, 1, ", factor: %.9g", factor));
    return vdnn_onnx_set_map(net, name, x);
}

vdnn_status vdnn_onnx_map_normalization(vdnn_onnx *net)
{
    bool is_done;
    VDNN_TRY(vdnn_onnx_normalize(net, &is_done));
    if (is_done)
        return VDNN_OK;
    const int scaled = find_scaled(net);
    return scaled >= 0 ? map_scale(net, scaled)
                       : vdnn_onnx_refuse(net, "is of no input of the network and a constant, "
                                               "which its normalization could do, and no map "
                                               "times a number: no layer computes it");
}

static void add_numbers(vdnn_text *text, const char *key, const double *numbers, int64_t count)
{
    vdnn_text_add(text, ", %s: [", key);
    for (int64_t c = 0; c < count; c++)
        vdnn_text_add(text, "%s%.9g", c == 0 ? "" : ", ", numbers[c]);
    vdnn_text_add(text, "]");
}

void vdnn_onnx_add_normalization(vdnn_onnx *net, int64_t channels)
{
    const vdnn_onnx_normalization *all = &net->normalization;
    double mean[VDNN_TRANSFORM_MAX_CHANNELS], std[VDNN_TRANSFORM_MAX_CHANNELS];
    if (all->version == 0)
        return;
    for (int c = 0; c < VDNN_TRANSFORM_MAX_CHANNELS; c++) {
        mean[c] = -all->shift[c] / all->scale[c];
        std[c] = 1 / all->scale[c];
    }
    add_numbers(&net->text, "mean", mean, all->is_each ? channels : 1);
    add_numbers(&net->text, "std", std, all->is_each ? channels : 1);
}
