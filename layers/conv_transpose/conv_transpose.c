#include "layers/conv_transpose/conv_transpose.h"

#include "layers/registry.h"
#include "layers/shape.h"

#include <inttypes.h>

#define SIDES(name, ...)                                                                           \
    {                                                                                              \
#name, VDNN_KEY_SIDES, offsetof(vdnn_conv_transpose_config, name), .max = INT32_MAX,       \
                                                                           __VA_ARGS__             \
    }

static const vdnn_key keys[] = {
    {"out", VDNN_KEY_INT, offsetof(vdnn_conv_transpose_config, out), .required = true, .min = 1,
     .max = INT32_MAX},
    SIDES(kernel, .required = true, .min = 1),
    SIDES(stride, .preset = 1, .min = 1),
    SIDES(pad, .preset = 0),
    SIDES(output_pad, .preset = 0),
    SIDES(dilation, .preset = 1, .min = 1),
    {"groups", VDNN_KEY_INT, offsetof(vdnn_conv_transpose_config, groups), .preset = 1, .min = 1,
     .max = INT32_MAX},
    {"bias", VDNN_KEY_BOOL, offsetof(vdnn_conv_transpose_config, bias), .preset = 1, .max = 1},
};

/* Of the output along a side; 0: none, or more than any memory has. */
static int64_t side_of(const vdnn_conv_transpose_config *conv, int64_t in, int side)
{
    const int64_t most = INT64_C(1) << 40;
    int64_t cells, reach;
    if (__builtin_mul_overflow(in - 1, conv->stride[side], &cells) ||
        __builtin_mul_overflow(conv->kernel[side] - 1, conv->dilation[side], &reach) ||
        cells > most || reach > most)
        return 0;
    cells += reach + 1 + conv->output_pad[side] - 2 * conv->pad[side];
    return cells < 1 ? 0 : cells;
}

static vdnn_status find_sides(const vdnn_layer *layer, int64_t sides[VDNN_SIDES])
{
    const vdnn_conv_transpose_config *conv = layer->config;
    char kernel[VDNN_SIDES_TEXT], input[VDNN_SIDES_TEXT];
    int64_t in[VDNN_SIDES];
    vdnn_desc_sides(&layer->x[0], in);
    for (int s = 0; s < VDNN_SIDES; s++) {
        if (conv->output_pad[s] >= conv->stride[s])
            return vdnn_shape_refuse(layer,
                                     "output_pad %" PRId64 " is not less than its stride %" PRId64,
                                     conv->output_pad[s], conv->stride[s]);
        sides[s] = side_of(conv, in[s], s);
        if (sides[s] < 1)
            return vdnn_shape_refuse(
                layer, "kernel %s makes no output of its %s input, or too large a one",
                vdnn_shape_sides_text(layer, conv->kernel, kernel),
                vdnn_shape_sides_text(layer, in, input));
    }
    return VDNN_OK;
}

/* Fans as PyTorch takes them of the weight's dimensions. */
static vdnn_status add_params(vdnn_layer *layer)
{
    const vdnn_conv_transpose_config *conv = layer->config;
    const vdnn_desc *x = &layer->x[0];
    const int64_t *kernel = conv->kernel;
    const bool is_blocked = x->layout == VDNN_NCHW16C;
    int64_t slice, cells;
    vdnn_param weight = {.name = "weight",
                         .dims = {x->dims[VDNN_C], conv->out / conv->groups},
                         .dim_count = 2,
                         .layout = is_blocked && conv->groups == 1 ? VDNN_PARAM_BLOCKED
                                                                   : VDNN_PARAM_PLAIN,
                         .trainable = true};
    const vdnn_param bias = {
        .name = "bias", .dims = {conv->out}, .dim_count = 1, .trainable = true, .is_bias = true};
    if (vdnn_desc_is_volume(x))
        weight.dims[weight.dim_count++] = kernel[VDNN_SIDE_D];
    weight.dims[weight.dim_count++] = kernel[VDNN_SIDE_H];
    weight.dims[weight.dim_count++] = kernel[VDNN_SIDE_W];
    if (__builtin_mul_overflow(kernel[VDNN_SIDE_H], kernel[VDNN_SIDE_W], &slice) ||
        __builtin_mul_overflow(slice, kernel[VDNN_SIDE_D], &cells) ||
        __builtin_mul_overflow(cells, weight.dims[1], &weight.fan_in) ||
        __builtin_mul_overflow(cells, weight.dims[0], &weight.fan_out))
        return vdnn_shape_refuse(layer, "its weight is larger than any memory");
    VDNN_TRY(vdnn_shape_add_param(layer, &weight));
    return conv->bias ? vdnn_shape_add_param(layer, &bias) : VDNN_OK;
}

static vdnn_status infer(vdnn_layer *layer)
{
    const vdnn_conv_transpose_config *conv = layer->config;
    const int64_t channels = layer->x[0].dims[VDNN_C];
    int64_t sides[VDNN_SIDES];
    if (channels % conv->groups != 0)
        return vdnn_shape_refuse(
            layer, "groups %" PRId64 " does not divide its %" PRId64 " input channels",
            conv->groups, channels);
    if (conv->out % conv->groups != 0)
        return vdnn_shape_refuse(layer, "groups %" PRId64 " does not divide out %" PRId64,
                                 conv->groups, conv->out);
    VDNN_TRY(find_sides(layer, sides));
    VDNN_TRY(vdnn_shape_set_sides(layer, conv->out, sides));
    return add_params(layer);
}

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    vdnn_conv_mirror mirror;
    vdnn_conv_mirror_init(layer, &mirror);
    const bool adds_bias = layer->param_count > 1 && pass != VDNN_BACKWARD_DATA;
    return vdnn_shape_weight_flops(&mirror.layer, vdnn_conv_mirror_pass(pass)) +
           (adds_bias ? (double)vdnn_desc_count(&layer->y) : 0);
}

static bool is_unusual(const vdnn_layer *layer)
{
    vdnn_conv_mirror mirror;
    vdnn_conv_mirror_init(layer, &mirror);
    return vdnn_conv_def.is_unusual(&mirror.layer);
}

const vdnn_layer_def vdnn_conv_transpose_def = {
    .type = "conv_transpose",
    .role = VDNN_ROLE_CONV,
    .layout_rule = VDNN_LAYOUT_SAME,
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .config_bytes = sizeof(vdnn_conv_transpose_config),
    .min_inputs = 1,
    .max_inputs = 1,
    .multiplies = true,
    .splits_samples = true,
    .paper = {VDNN_NEEDS_W, VDNN_NEEDS_X},
    .lean = {VDNN_NEEDS_W, VDNN_NEEDS_X},
    .lean_if_y = {VDNN_NEEDS_W, VDNN_NEEDS_X},
    .infer = infer,
    .flops = flops,
    .is_unusual = is_unusual,
};
