#include "layers/pointwise/activation.h"

#include "layers/shape.h"

static const char *const approximations[] = {"none", "tanh", NULL};
static const char *const *const gelu_words[] = {approximations};

static const vdnn_key gelu_keys[] = {
    {"approximate", VDNN_KEY_WORD, offsetof(vdnn_activation_config, approximate),
     .max = VDNN_GELU_KINDS - 1},
};

/* A slope below zero would give both signs of x the same sign of y. */
static const vdnn_key leaky_relu_keys[] = {
    {"slope", VDNN_KEY_REAL, offsetof(vdnn_activation_config, slope), .preset = 0.01, .max = 1e9},
};

static const vdnn_key scale_keys[] = {
    {"factor", VDNN_KEY_REAL, offsetof(vdnn_activation_config, slope), .required = true,
     .min = -1e9, .max = 1e9},
};

static vdnn_status infer(vdnn_layer *layer)
{
    return vdnn_shape_set_output(layer, layer->x[0].dims);
}

/* An exponential, and what is made of it. */
static double flops_of_curve(const vdnn_layer *layer, vdnn_pass pass)
{
    (void)pass;
    return 24 * (double)vdnn_desc_count(&layer->y);
}

static double flops_of_lines(const vdnn_layer *layer, vdnn_pass pass)
{
    (void)pass;
    return 2 * (double)vdnn_desc_count(&layer->y);
}

/* One whose backward reads x writes dx over dy all the same. */
#define ACTIVATION(name, needs, works_in_place, operations, ...)                                   \
    const vdnn_layer_def vdnn_##name##_def = {.type = #name,                                       \
                                              .role = VDNN_ROLE_ACTIVATION,                        \
                                              .layout_rule = VDNN_LAYOUT_SAME,                     \
                                              .input_rule = VDNN_INPUT_ANY,                        \
                                              .config_bytes = sizeof(vdnn_activation_config),      \
                                              .min_inputs = 1,                                     \
                                              .max_inputs = 1,                                     \
                                              .in_place = works_in_place,                          \
                                              .dx_over_dy = true,                                  \
                                              .recompute_is_cheap = true,                          \
                                              .splits_samples = true,                              \
                                              .channel_rule = vdnn_shape_same_channels,            \
                                              .paper = {needs},                                    \
                                              .lean = {needs},                                     \
                                              .lean_if_y = {needs},                                \
                                              .infer = infer,                                      \
                                              .flops = operations,                                 \
                                              __VA_ARGS__}

ACTIVATION(gelu, VDNN_NEEDS_X, false, flops_of_curve, .keys = gelu_keys, .key_count = 1,
           .words = gelu_words);
ACTIVATION(silu, VDNN_NEEDS_X, false, flops_of_curve, .key_count = 0);
ACTIVATION(tanh, VDNN_NEEDS_Y, true, flops_of_curve, .key_count = 0);
ACTIVATION(sigmoid, VDNN_NEEDS_Y, true, flops_of_curve, .key_count = 0);
ACTIVATION(relu6, VDNN_NEEDS_Y, true, flops_of_lines, .key_count = 0);
ACTIVATION(leaky_relu, VDNN_NEEDS_Y, true, flops_of_lines, .keys = leaky_relu_keys, .key_count = 1);
ACTIVATION(hardswish, VDNN_NEEDS_X, false, flops_of_lines, .key_count = 0);
ACTIVATION(scale, 0, true, flops_of_lines, .keys = scale_keys, .key_count = 1);
