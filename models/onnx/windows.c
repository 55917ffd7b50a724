/* Operators whose window slides over height and width, and depth. */

#include "layers/shape.h"
#include "models/onnx/network.h"

#include <stdio.h>
#include <string.h>

enum { AXES = VDNN_SIDES, AXES_TEXT = 80 };

/* Of the sides in the order of the graph: a volume's depth is the first one. */
typedef struct window {
    int axes;
    int64_t kernel[AXES], stride[AXES], dilation[AXES];
    int64_t begin[AXES], end[AXES]; /* padding before and after */
    int64_t out[AXES];
    bool ceil;
} window;

static vdnn_status need_picture(vdnn_onnx *net, const vdnn_onnx_value *x)
{
    if (!x->is_flat)
        return VDNN_OK;
    return vdnn_onnx_refuse(net, "its input has two dimensions, expected four or five: pictures or "
                                 "volumes");
}

/* Numbers of the sides, "3, 3". */
static const char *sides_text(int axes, const int64_t *numbers, char text[AXES_TEXT])
{
    int length = 0;
    for (int d = 0; d < axes && d < AXES; d++)
        length += snprintf(text + length, AXES_TEXT - (size_t)length, "%s%lld", d == 0 ? "" : ", ",
                           (long long)numbers[d]);
    return text;
}

/* ---- padding --------------------------------------------------------------------------------- */

/* SAME: as many outputs as strides begin in the input; an odd cell goes after, or before. */
static void pad_same(window *w, const vdnn_onnx_value *x, bool is_upper)
{
    for (int d = 0; d < w->axes; d++) {
        const int64_t in = x->dims[1 + d], out = (in - 1) / w->stride[d] + 1;
        const int64_t extent = (w->kernel[d] - 1) * w->dilation[d] + 1;
        const int64_t most = (out - 1) * w->stride[d] + extent - in, all = most > 0 ? most : 0;
        w->begin[d] = is_upper ? all / 2 : all - all / 2;
        w->end[d] = all - w->begin[d];
    }
}

static vdnn_status read_padding(vdnn_onnx *net, window *w, const vdnn_onnx_value *x)
{
    const char *kind = vdnn_onnx_word(net, "auto_pad", "NOTSET");
    const bool is_upper = strcmp(kind, "SAME_UPPER") == 0, is_set = strcmp(kind, "NOTSET") == 0;
    int64_t pads[2 * AXES];
    VDNN_TRY(vdnn_onnx_integers(net, "pads", pads, 2 * (size_t)w->axes, 0));
    if (is_upper || strcmp(kind, "SAME_LOWER") == 0)
        pad_same(w, x, is_upper);
    else if (!is_set && strcmp(kind, "VALID") != 0)
        return vdnn_onnx_refuse(net,
                                "auto_pad is '%.100s', expected NOTSET, SAME_UPPER, SAME_LOWER or "
                                "VALID",
                                kind);
    for (int d = 0; d < w->axes; d++) {
        if (is_set) {
            w->begin[d] = pads[d];
            w->end[d] = pads[w->axes + d];
        }
        if (w->begin[d] < 0 || w->end[d] < 0 || w->begin[d] > INT32_MAX || w->end[d] > INT32_MAX)
            return vdnn_onnx_refuse(net, "pads are negative or too large");
        w->begin[d] += x->pad[d];
        w->end[d] += x->pad[AXES + d];
    }
    return VDNN_OK;
}

/* Positions along an axis with the padding of both sides, by ONNX's rule. */
static int64_t positions(const window *w, int d, int64_t in)
{
    const int64_t extent = (w->kernel[d] - 1) * w->dilation[d] + 1;
    const int64_t room = in + w->begin[d] + w->end[d] - extent;
    if (room < 0)
        return 0;
    int64_t count = (room + (w->ceil ? w->stride[d] - 1 : 0)) / w->stride[d] + 1;
    if (w->ceil && (count - 1) * w->stride[d] >= in + w->begin[d])
        count--;
    return count;
}

static bool is_even(const window *w)
{
    return memcmp(w->begin, w->end, sizeof w->begin) == 0;
}

/* Whether a layer that pads both sides by `begin` has the same windows, and so the same values:
 * those of a layer that counts no padding, or has no window that reaches it on one side more. */
static bool has_same_windows(const window *w, const vdnn_onnx_value *x, bool ceil)
{
    for (int d = 0; d < w->axes; d++) {
        const vdnn_shape_slide slide = {w->kernel[d], w->stride[d], w->begin[d], w->dilation[d],
                                        ceil};
        if (vdnn_shape_positions(x->dims[1 + d], &slide) != w->out[d])
            return false;
    }
    return true;
}

/* Sets `ceil` to that of the layer. `counts`: whether padding is part of its values. */
static vdnn_status settle_padding(vdnn_onnx *net, window *w, const vdnn_onnx_value *x, bool is_conv,
                                  bool counts)
{
    char texts[2][AXES_TEXT];
    for (int d = 0; d < w->axes; d++) {
        w->out[d] = positions(w, d, x->dims[1 + d]);
        if (w->out[d] < 1)
            return vdnn_onnx_refuse(net,
                                    "kernel [%s] does not fit its input of [%s] with its padding",
                                    sides_text(w->axes, w->kernel, texts[0]),
                                    sides_text(w->axes, x->dims + 1, texts[1]));
    }
    if (is_even(w) && has_same_windows(w, x, w->ceil))
        return VDNN_OK;
    if (!w->ceil && has_same_windows(w, x, false))
        return VDNN_OK;
    for (int ceil = 0; ceil < 2 && !is_conv && !counts; ceil++)
        if (has_same_windows(w, x, ceil == 1)) {
            w->ceil = ceil == 1;
            return VDNN_OK;
        }
    return vdnn_onnx_refuse(net,
                            "pads [%s] before and [%s] after: vdnn's layers pad both sides alike; "
                            "export it with symmetric padding",
                            sides_text(w->axes, w->begin, texts[0]),
                            sides_text(w->axes, w->end, texts[1]));
}

/* All but its kernel, which is known. */
static vdnn_status read_window(vdnn_onnx *net, const vdnn_onnx_value *x, window *w)
{
    VDNN_TRY(vdnn_onnx_integers(net, "strides", w->stride, (size_t)w->axes, 1));
    VDNN_TRY(vdnn_onnx_integers(net, "dilations", w->dilation, (size_t)w->axes, 1));
    for (int d = 0; d < w->axes; d++) {
        const int64_t numbers[] = {w->kernel[d], w->stride[d], w->dilation[d]};
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            if (numbers[i] < 1 || numbers[i] > INT32_MAX)
                return vdnn_onnx_refuse(
                    net, "kernel, strides or dilations have %lld, expected 1 to 2^31 - 1",
                    (long long)numbers[i]);
        if (w->kernel[d] > INT32_MAX / w->dilation[d])
            return vdnn_onnx_refuse(net, "its kernel spans more than 2^31 cells");
    }
    w->ceil = vdnn_onnx_integer(net, "ceil_mode", 0) != 0;
    return read_padding(net, w, x);
}

/* ---- convolution ----------------------------------------------------------------------------- */

/* Output channels x a group's input channels x ..., of a transposed one the other way round. */
static vdnn_status read_weight_dims(vdnn_onnx *net, const vdnn_onnx_tensor *weight,
                                    const vdnn_onnx_value *x, int64_t groups, bool transposes,
                                    vdnn_onnx_weight *like, window *w)
{
    const int64_t *dims = weight->dims.items;
    VDNN_TRY(need_picture(net, x));
    w->axes = x->sides;
    if (weight->dims.count != 2 + (size_t)w->axes)
        return vdnn_onnx_refuse(net,
                                "its weight has %zu dimensions, expected %d: those of its input",
                                weight->dims.count, 2 + w->axes);
    VDNN_TRY(vdnn_onnx_integers(net, "kernel_shape", w->kernel, (size_t)w->axes, 0));
    for (int d = 0; d < w->axes; d++) {
        if (w->kernel[d] == 0)
            w->kernel[d] = dims[2 + d];
        if (w->kernel[d] != dims[2 + d])
            return vdnn_onnx_refuse(net, "kernel_shape has %lld where its weight has %lld",
                                    (long long)w->kernel[d], (long long)dims[2 + d]);
    }
    if (groups < 1 || x->dims[0] % groups != 0 || dims[0] < 1 || dims[1] < 1 ||
        dims[0] % groups != 0 || dims[1] > INT32_MAX / groups ||
        (transposes ? dims[0] != x->dims[0] : dims[1] != x->dims[0] / groups))
        return vdnn_onnx_refuse(net,
                                "its weight is %lld x %lld x ..., which does not fit an input of "
                                "%lld channels in %lld groups",
                                (long long)dims[0], (long long)dims[1], (long long)x->dims[0],
                                (long long)groups);
    *like = (vdnn_onnx_weight){.dim_count = 2 + w->axes, .scale = 1};
    memcpy(like->dims, dims, weight->dims.count * sizeof *dims);
    return VDNN_OK;
}

/* Exporters that fold a batch norm into the convolution number the weights that they compute. */
static void note_fold(vdnn_onnx *net, const vdnn_onnx_tensor *weight, bool has_bias,
                      const char *layer)
{
    net->convs++;
    net->biased_convs += has_bias;
    if (has_bias && net->folded == NULL && strncmp(weight->name, "onnx::Conv_", 11) == 0)
        net->folded = layer;
}

/* A convolution but for its padding. */
typedef struct convolution {
    vdnn_onnx_value *x;
    const vdnn_onnx_tensor *weight;
    bool has_bias;
    const char *name;
    int64_t groups, out;
    window window;
} convolution;

static vdnn_status read_convolution(vdnn_onnx *net, bool transposes, convolution *c)
{
    const vdnn_onnx_tensor *bias = NULL;
    vdnn_onnx_weight like = {0};
    *c = (convolution){.groups = vdnn_onnx_integer(net, "group", 1),
                       .has_bias = vdnn_onnx_has_input(net, 2)};
    VDNN_TRY(vdnn_onnx_input(net, 0, &c->x));
    VDNN_TRY(vdnn_onnx_tensor_input(net, 1, &c->weight));
    if (c->has_bias)
        VDNN_TRY(vdnn_onnx_tensor_input(net, 2, &bias));
    VDNN_TRY(read_weight_dims(net, c->weight, c->x, c->groups, transposes, &like, &c->window));
    VDNN_TRY(read_window(net, c->x, &c->window));
    VDNN_TRY(vdnn_onnx_layer_name(net, c->weight, bias, &c->name));
    VDNN_TRY(vdnn_onnx_add_weight(net, c->name, "weight", c->weight, &like));
    c->out = transposes ? like.dims[1] * c->groups : like.dims[0];
    const vdnn_onnx_weight row = {.dims = {c->out}, .dim_count = 1, .scale = 1};
    return bias == NULL ? VDNN_OK : vdnn_onnx_add_weight(net, c->name, "bias", bias, &row);
}

/* A map of these channels, as large as the window leaves it. */
static vdnn_status set_output(vdnn_onnx *net, const char *name, const window *w, int64_t channels)
{
    vdnn_onnx_value y = {.dims = {channels, 1, 1, 1}, .sides = w->axes};
    memcpy(y.dims + 1, w->out, (size_t)w->axes * sizeof *w->out);
    return vdnn_onnx_set_map(net, name, &y);
}

static vdnn_status emit_convolution(vdnn_onnx *net, const convolution *c, const char *type,
                                    const char *more)
{
    const window *w = &c->window;
    char texts[4][AXES_TEXT];
    VDNN_TRY(vdnn_onnx_emit(net, c->name, type, &c->x, 1,
                            ", out: %lld, kernel: [%s], stride: [%s], pad: [%s], dilation: [%s], "
                            "groups: %lld, bias: %s%s",
                            (long long)c->out, sides_text(w->axes, w->kernel, texts[0]),
                            sides_text(w->axes, w->stride, texts[1]),
                            sides_text(w->axes, w->begin, texts[2]),
                            sides_text(w->axes, w->dilation, texts[3]), (long long)c->groups,
                            c->has_bias ? "true" : "false", more));
    return set_output(net, c->name, w, c->out);
}

vdnn_status vdnn_onnx_map_conv(vdnn_onnx *net)
{
    convolution c;
    VDNN_TRY(read_convolution(net, false, &c));
    VDNN_TRY(settle_padding(net, &c.window, c.x, true, false));
    note_fold(net, c.weight, c.has_bias, c.name);
    return emit_convolution(net, &c, "conv", "");
}

/* Padding cuts the output: where less is cut after it than before, the rest is output_pad. */
vdnn_status vdnn_onnx_map_conv_transpose(vdnn_onnx *net)
{
    const char *kind = vdnn_onnx_word(net, "auto_pad", "NOTSET");
    char more[AXES_TEXT + 16], text[AXES_TEXT];
    int64_t more_pad[AXES];
    convolution c;
    if ((strcmp(kind, "NOTSET") != 0 && strcmp(kind, "VALID") != 0) ||
        vdnn_onnx_attribute_find(net, "output_shape") != NULL)
        return vdnn_onnx_refuse(net, "has auto_pad or output_shape, expected pads");
    VDNN_TRY(read_convolution(net, true, &c));
    window *w = &c.window;
    VDNN_TRY(vdnn_onnx_integers(net, "output_padding", more_pad, (size_t)w->axes, 0));
    for (int d = 0; d < w->axes; d++) {
        const int64_t extent = (w->kernel[d] - 1) * w->dilation[d] + 1, in = c.x->dims[1 + d];
        if (more_pad[d] < 0 || more_pad[d] > INT32_MAX)
            return vdnn_onnx_refuse(net, "output_padding is negative or too large");
        more_pad[d] += w->begin[d] - w->end[d];
        if (more_pad[d] < 0 || more_pad[d] >= w->stride[d])
            return vdnn_onnx_refuse(net,
                                    "pads %lld before and %lld after, with its output_padding: "
                                    "expected up to stride - 1 cells less after than before",
                                    (long long)w->begin[d], (long long)w->end[d]);
        w->out[d] = (in - 1) * w->stride[d] + extent + more_pad[d] - 2 * w->begin[d];
        if (w->out[d] < 1)
            return vdnn_onnx_refuse(net, "its padding leaves no output");
    }
    (void)snprintf(more, sizeof more, ", output_pad: [%s]", sides_text(w->axes, more_pad, text));
    return emit_convolution(net, &c, "conv_transpose", more);
}

/* ---- pools ----------------------------------------------------------------------------------- */

static vdnn_status emit_pool(vdnn_onnx *net, vdnn_onnx_value *x, const char *type, const window *w,
                             const char *more)
{
    const char *name = NULL;
    char texts[3][AXES_TEXT];
    VDNN_TRY(vdnn_onnx_layer_name(net, NULL, NULL, &name));
    VDNN_TRY(vdnn_onnx_emit(
        net, name, type, &x, 1, ", kernel: [%s], stride: [%s], pad: [%s], ceil: %s%s",
        sides_text(w->axes, w->kernel, texts[0]), sides_text(w->axes, w->stride, texts[1]),
        sides_text(w->axes, w->begin, texts[2]), w->ceil ? "true" : "false", more));
    return set_output(net, name, w, x->dims[0]);
}

static vdnn_status map_pool(vdnn_onnx *net, const char *type, bool counts, const char *more)
{
    vdnn_onnx_value *x = NULL;
    window w = {0};
    VDNN_TRY(vdnn_onnx_input(net, 0, &x));
    VDNN_TRY(need_picture(net, x));
    w.axes = x->sides;
    VDNN_TRY(vdnn_onnx_integers(net, "kernel_shape", w.kernel, (size_t)w.axes, 0));
    VDNN_TRY(read_window(net, x, &w));
    for (int d = 0; d < w.axes; d++)
        if (w.dilation[d] != 1)
            return vdnn_onnx_refuse(net, "a dilation is %lld: vdnn's pools have none",
                                    (long long)w.dilation[d]);
    VDNN_TRY(settle_padding(net, &w, x, false, counts));
    for (int d = 0; d < w.axes; d++)
        if (w.begin[d] > w.kernel[d] / 2)
            return vdnn_onnx_refuse(net, "pads %lld, which is more than half of its kernel %lld",
                                    (long long)w.begin[d], (long long)w.kernel[d]);
    return emit_pool(net, x, type, &w, more);
}

vdnn_status vdnn_onnx_map_maxpool(vdnn_onnx *net)
{
    return map_pool(net, "maxpool", false, "");
}

/* Zeros of a Pad before it are counted, as PyTorch writes count_include_pad. */
vdnn_status vdnn_onnx_map_avgpool(vdnn_onnx *net)
{
    bool counts = vdnn_onnx_integer(net, "count_include_pad", 0) != 0, is_padded = false;
    vdnn_onnx_value *x = NULL;
    int64_t pads[2 * AXES];
    VDNN_TRY(vdnn_onnx_input(net, 0, &x));
    VDNN_TRY(need_picture(net, x));
    VDNN_TRY(vdnn_onnx_integers(net, "pads", pads, 2 * (size_t)x->sides, 0));
    for (int k = 0; k < 2 * AXES; k++)
        is_padded |= x->pad[k] != 0;
    for (int k = 0; k < 2 * x->sides && is_padded && !counts; k++)
        if (pads[k] != 0 || vdnn_onnx_attribute_find(net, "auto_pad") != NULL)
            return vdnn_onnx_refuse(net, "has padding that does not count, after a Pad that does");
    counts |= is_padded;
    return map_pool(net, "avgpool", counts, counts ? ", count_pad: true" : ", count_pad: false");
}

vdnn_status vdnn_onnx_map_global_maxpool(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    VDNN_TRY(vdnn_onnx_input(net, 0, &x));
    VDNN_TRY(need_picture(net, x));
    window w = {.axes = x->sides, .out = {1, 1, 1}};
    memcpy(w.kernel, x->dims + 1, sizeof w.kernel);
    memcpy(w.stride, x->dims + 1, sizeof w.stride);
    return emit_pool(net, x, "maxpool", &w, "");
}

static vdnn_status emit_global(vdnn_onnx *net, bool is_flat)
{
    vdnn_onnx_value *x = NULL;
    const char *name = NULL;
    VDNN_TRY(vdnn_onnx_input(net, 0, &x));
    VDNN_TRY(need_picture(net, x));
    VDNN_TRY(vdnn_onnx_layer_name(net, NULL, NULL, &name));
    VDNN_TRY(vdnn_onnx_emit(net, name, "global_avgpool", &x, 1, "%s", ""));
    return vdnn_onnx_set_map(
        net, name,
        &(vdnn_onnx_value){.dims = {x->dims[0], 1, 1, 1}, .sides = x->sides, .is_flat = is_flat});
}

vdnn_status vdnn_onnx_map_global_avgpool(vdnn_onnx *net)
{
    return emit_global(net, false);
}

/* The mean over all sides, in any order. */
vdnn_status vdnn_onnx_map_reduce_mean(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    bool are_sides;
    VDNN_TRY(vdnn_onnx_any_input(net, 0, &x));
    if (x->kind == VDNN_ONNX_VIEW)
        return vdnn_onnx_map_mean_of_positions(net);
    VDNN_TRY(vdnn_onnx_input(net, 0, &x));
    VDNN_TRY(vdnn_onnx_names_sides(net, x, &are_sides));
    if (!are_sides)
        return vdnn_onnx_refuse(net, "is no mean over axes 2 and 3, height and width, or 2, 3 and "
                                     "4 of volumes");
    return emit_global(net, vdnn_onnx_integer(net, "keepdims", 1) == 0);
}

/* ---- resize ---------------------------------------------------------------------------------- */

/* How many times as large each dimension becomes, by the numbers in `scales`, else by sizes. */
static vdnn_status read_scales(vdnn_onnx *net, const vdnn_onnx_value *x, size_t scales,
                               size_t sizes, double *factors)
{
    const size_t rank = 2 + (size_t)x->sides;
    const vdnn_onnx_value *list = NULL;
    if (vdnn_onnx_has_input(net, scales))
        VDNN_TRY(vdnn_onnx_integer_input(net, scales, &list));
    const bool has_sizes = list == NULL || list->count == 0;
    if (has_sizes)
        VDNN_TRY(vdnn_onnx_integer_input(net, sizes, &list));
    if (list->count != rank)
        return vdnn_onnx_refuse(net, "has %zu scales or sizes, expected %zu", list->count, rank);
    for (size_t d = 0; d < rank; d++)
        factors[d] = !has_sizes ? (double)list->integers[d]
                     : d == 0   ? 1
                                : (double)list->integers[d] / (double)x->dims[d - 1];
    return VDNN_OK;
}

/* Whether its coordinates are those of the layer, for whole numbers: of linear ones half pixels, of
 * the nearest also those that count from the corner. */
static bool is_upsample(const vdnn_onnx *net, bool is_linear, bool is_old)
{
    const char *at = vdnn_onnx_word(net, "coordinate_transformation_mode", "half_pixel");
    const char *nearest = vdnn_onnx_word(net, "nearest_mode", "round_prefer_floor");
    const bool is_half = strcmp(at, "half_pixel") == 0 || strcmp(at, "pytorch_half_pixel") == 0;
    if (is_linear || is_old)
        return is_linear ? is_half && !is_old : is_old;
    return is_half ? strncmp(nearest, "round", 5) == 0
                   : strcmp(at, "asymmetric") == 0 && strcmp(nearest, "floor") == 0;
}

static vdnn_status map_resize(vdnn_onnx *net, size_t scales, size_t sizes, bool is_old)
{
    enum { MOST_SCALE = 64 };
    const char *mode = vdnn_onnx_word(net, "mode", "nearest"), *name = NULL;
    const bool is_linear = strcmp(mode, "linear") == 0;
    vdnn_onnx_value *x = NULL;
    double factors[2 + AXES];
    int64_t scale[AXES] = {1, 1, 1};
    char text[AXES_TEXT];
    VDNN_TRY(vdnn_onnx_input(net, 0, &x));
    VDNN_TRY(need_picture(net, x));
    VDNN_TRY(read_scales(net, x, scales, sizes, factors));
    if ((!is_linear && strcmp(mode, "nearest") != 0) || !is_upsample(net, is_linear, is_old) ||
        vdnn_onnx_attribute_find(net, "axes") != NULL)
        return vdnn_onnx_refuse(net, "is no upsampling as PyTorch's: nearest, or linear without "
                                     "align_corners");
    vdnn_onnx_value y = *x;
    for (int d = 0; d < 2 + x->sides; d++) {
        const bool is_side = d >= 2, is_whole = factors[d] >= 1 && factors[d] <= MOST_SCALE &&
                                                factors[d] <= (double)(int64_t)factors[d];
        if (!is_whole || (!is_side && factors[d] > 1))
            return vdnn_onnx_refuse(net,
                                    "dimension %d becomes %g times as large, expected a whole "
                                    "number from 1 to %d for sides, else 1",
                                    d, factors[d], MOST_SCALE);
        if (is_side)
            scale[d - 2] = (int64_t)factors[d];
        if (is_side)
            y.dims[d - 1] *= scale[d - 2];
    }
    VDNN_TRY(vdnn_onnx_layer_name(net, NULL, NULL, &name));
    VDNN_TRY(vdnn_onnx_emit(net, name, "upsample", &x, 1, ", scale: [%s], mode: %s",
                            sides_text(x->sides, scale, text), is_linear ? "bilinear" : "nearest"));
    return vdnn_onnx_set_map(net, name, &y);
}

/* From opset 11 on with a region that only other modes read. */
vdnn_status vdnn_onnx_map_resize(vdnn_onnx *net)
{
    return net->opset < 11 ? map_resize(net, 1, 1, true) : map_resize(net, 2, 3, false);
}

vdnn_status vdnn_onnx_map_upsample(vdnn_onnx *net)
{
    return map_resize(net, 1, 1, true);
}

/* ---- pad ------------------------------------------------------------------------------------- */

/* Of all dimensions, zeros but around the sides. */
static vdnn_status set_pads(vdnn_onnx *net, const vdnn_onnx_value *x, const int64_t *pads,
                            size_t count)
{
    const int rank = 2 + x->sides;
    vdnn_onnx_value padded = *x;
    if (count != 2 * (size_t)rank)
        return vdnn_onnx_refuse(net, "has %zu pads, expected %d", count, 2 * rank);
    for (int end = 0; end < 2; end++)
        for (int d = 0; d < rank; d++) {
            const int64_t pad = pads[end * rank + d];
            if (pad < 0 || pad > INT32_MAX || (d < 2 && pad != 0))
                return vdnn_onnx_refuse(net, "pads batch or channels, or cuts the picture, which "
                                             "no layer of vdnn does");
            if (d >= 2)
                padded.pad[end * AXES + d - 2] = pad;
        }
    return vdnn_onnx_set_value(net, net->node->outputs.items[0], &padded);
}

vdnn_status vdnn_onnx_map_pad(vdnn_onnx *net)
{
    vdnn_onnx_value *x = NULL;
    const vdnn_onnx_value *pads = NULL;
    const vdnn_onnx_attribute *old = vdnn_onnx_attribute_find(net, "pads");
    double value = vdnn_onnx_real(net, "value", 0);
    VDNN_TRY(vdnn_onnx_input(net, 0, &x));
    VDNN_TRY(need_picture(net, x));
    if (vdnn_onnx_has_input(net, 2))
        VDNN_TRY(vdnn_onnx_real_input(net, 2, &value));
    if (strcmp(vdnn_onnx_word(net, "mode", "constant"), "constant") != 0 || value < 0 || value > 0)
        return vdnn_onnx_refuse(net, "does not pad with zeros, which is what convolutions do");
    if (vdnn_onnx_has_input(net, 3))
        return vdnn_onnx_refuse(net, "has axes, expected pads of all dimensions");
    if (old != NULL)
        return set_pads(net, x, old->integers.items, old->integers.count);
    VDNN_TRY(vdnn_onnx_integer_input(net, 1, &pads));
    return set_pads(net, x, pads->integers, pads->count);
}
