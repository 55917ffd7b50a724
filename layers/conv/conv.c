#include "layers/conv/conv_work.h"

#include "layers/shape.h"

#include <inttypes.h>

static const vdnn_key keys[] = {
    {"out", VDNN_KEY_INT, offsetof(vdnn_conv_config, out), .required = true, .min = 1,
     .max = INT32_MAX},
    {"kernel", VDNN_KEY_SIDES, offsetof(vdnn_conv_config, kernel), .required = true, .min = 1,
     .max = INT32_MAX},
    {"stride", VDNN_KEY_SIDES, offsetof(vdnn_conv_config, stride), .preset = 1, .min = 1,
     .max = INT32_MAX},
    {"pad", VDNN_KEY_SIDES, offsetof(vdnn_conv_config, pad), .preset = 0, .max = INT32_MAX},
    {"dilation", VDNN_KEY_SIDES, offsetof(vdnn_conv_config, dilation), .preset = 1, .min = 1,
     .max = INT32_MAX},
    {"groups", VDNN_KEY_INT, offsetof(vdnn_conv_config, groups), .preset = 1, .min = 1,
     .max = INT32_MAX},
    {"bias", VDNN_KEY_BOOL, offsetof(vdnn_conv_config, bias), .preset = 1, .max = 1},
};

/* Layers that share a weight may have maps of other layouts. */
static vdnn_param_layout weight_layout(const vdnn_layer *layer)
{
    const vdnn_conv_config *conv = layer->config;
    bool blocked = layer->x[0].layout == VDNN_NCHW16C && layer->y.layout == VDNN_NCHW16C;
    return blocked && conv->groups == 1 && !layer->is_tied ? VDNN_PARAM_BLOCKED : VDNN_PARAM_PLAIN;
}

static vdnn_status add_params(vdnn_layer *layer)
{
    const vdnn_conv_config *conv = layer->config;
    int64_t channels = layer->x[0].dims[VDNN_C] / conv->groups;
    const int64_t *kernel = conv->kernel;
    int64_t slice, cells, fan_in, fan_out;
    if (__builtin_mul_overflow(kernel[VDNN_SIDE_H], kernel[VDNN_SIDE_W], &slice) ||
        __builtin_mul_overflow(slice, kernel[VDNN_SIDE_D], &cells) ||
        __builtin_mul_overflow(cells, channels, &fan_in) ||
        __builtin_mul_overflow(cells, conv->out / conv->groups, &fan_out))
        return vdnn_shape_refuse(layer, "its weight is larger than any memory");
    vdnn_param weight = {.name = "weight",
                         .dims = {conv->out, channels},
                         .dim_count = 2,
                         .layout = weight_layout(layer),
                         .trainable = true,
                         .fan_in = fan_in,
                         .fan_out = fan_out};
    if (vdnn_desc_is_volume(&layer->x[0]))
        weight.dims[weight.dim_count++] = kernel[VDNN_SIDE_D];
    weight.dims[weight.dim_count++] = kernel[VDNN_SIDE_H];
    weight.dims[weight.dim_count++] = kernel[VDNN_SIDE_W];
    return vdnn_shape_add_weight(layer, &weight, conv->bias);
}

static vdnn_status infer(vdnn_layer *layer)
{
    const vdnn_conv_config *conv = layer->config;
    const vdnn_desc *x = &layer->x[0];
    if (x->dims[VDNN_C] % conv->groups != 0)
        return vdnn_shape_refuse(
            layer, "groups %" PRId64 " does not divide its %" PRId64 " input channels",
            conv->groups, x->dims[VDNN_C]);
    if (conv->out % conv->groups != 0)
        return vdnn_shape_refuse(layer, "groups %" PRId64 " does not divide out %" PRId64,
                                 conv->groups, conv->out);
    int64_t sides[VDNN_SIDES];
    const vdnn_shape_slides window = {conv->kernel, conv->stride, conv->pad, conv->dilation, false};
    VDNN_TRY(vdnn_shape_window(layer, &window, sides));
    VDNN_TRY(vdnn_shape_set_sides(layer, conv->out, sides));
    return add_params(layer);
}

/* Whole groups. A single group in blocked maps would have a blocked weight: where groups are whole
 * blocks, they stay together. */
static vdnn_channel_rule channel_rule(const vdnn_layer *layer)
{
    const vdnn_conv_config *conv = layer->config;
    int64_t block = vdnn_layout_block(VDNN_NCHW16C), in = layer->x[0].dims[VDNN_C];
    if (conv->groups == 1)
        return (vdnn_channel_rule){.unit = 1};
    bool is_blocked = layer->x[0].layout == VDNN_NCHW16C && layer->y.layout == VDNN_NCHW16C;
    if (is_blocked && conv->out / conv->groups % block == 0 && in / conv->groups % block == 0)
        return (vdnn_channel_rule){conv->out, in};
    return (vdnn_channel_rule){conv->out / conv->groups, in / conv->groups};
}

static void narrow(const vdnn_layer *layer, int64_t channels, void *config)
{
    const vdnn_conv_config *whole = layer->config;
    vdnn_conv_config *conv = config;
    conv->out = channels;
    if (whole->groups > 1)
        conv->groups = channels / (whole->out / whole->groups);
}

/* The same window, then each cell by itself; both in as many groups, so that their product is a
 * weight of the layer's form. */
static void adapt(const void *config, int64_t rank, void *down, void *up)
{
    const vdnn_conv_config *whole = config;
    vdnn_conv_config *first = down;
    *first = *whole;
    first->out = rank;
    first->bias = false;
    *(vdnn_conv_config *)up = (vdnn_conv_config){.out = whole->out,
                                                 .kernel = {1, 1, 1},
                                                 .stride = {1, 1, 1},
                                                 .dilation = {1, 1, 1},
                                                 .groups = whole->groups};
}

/* Networks have kernels that fit into the map, padded by half of them at most; oneDNN's faults were
 * found with others. */
static bool is_unusual(const vdnn_layer *layer)
{
    enum { MOST_KERNEL = 11, MOST_STRIDE = 4, MOST_DILATION = 4 };
    const vdnn_conv_config *conv = layer->config;
    int64_t in[VDNN_SIDES];
    vdnn_desc_sides(&layer->x[0], in);
    for (int d = 0; d < VDNN_SIDES; d++) {
        int64_t extent = (conv->kernel[d] - 1) * conv->dilation[d] + 1;
        if (conv->kernel[d] > MOST_KERNEL || conv->stride[d] > MOST_STRIDE ||
            conv->dilation[d] > MOST_DILATION || conv->pad[d] > extent / 2 || extent > in[d])
            return true;
    }
    return false;
}

const vdnn_layer_def vdnn_conv_def = {
    .type = "conv",
    .role = VDNN_ROLE_CONV,
    .layout_rule = VDNN_LAYOUT_FREE,
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .config_bytes = sizeof(vdnn_conv_config),
    .min_inputs = 1,
    .max_inputs = 1,
    .copies_weight = true,
    .multiplies = true,
    .ties_weight = true,
    .splits_samples = true,
    .channel_rule = channel_rule,
    .narrow = narrow,
    .adapt = adapt,
    .paper = {VDNN_NEEDS_W, VDNN_NEEDS_X},
    .lean = {VDNN_NEEDS_W, VDNN_NEEDS_X},
    .lean_if_y = {VDNN_NEEDS_W, VDNN_NEEDS_X},
    .infer = infer,
    .flops = vdnn_shape_weight_flops,
    .depth = vdnn_conv_depth,
    .is_unusual = is_unusual,
};
