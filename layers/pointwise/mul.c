#include "layers/shape.h"

/* A product of all inputs, or of dy and all inputs but one for each of them. */
static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    const double inputs = (double)layer->input_count;
    return (double)vdnn_desc_count(&layer->y) * (inputs - 1) * (pass == VDNN_FORWARD ? 1 : inputs);
}

const vdnn_layer_def vdnn_mul_def = {
    .type = "mul",
    .role = VDNN_ROLE_FEATURE,
    .layout_rule = VDNN_LAYOUT_SAME,
    .input_rule = VDNN_INPUT_ANY,
    .min_inputs = 2,
    .max_inputs = 0,
    .recompute_is_cheap = true,
    .dx_over_dy = true,
    .splits_samples = true,
    .channel_rule = vdnn_shape_same_channels,
    .paper = {VDNN_NEEDS_X},
    .lean = {VDNN_NEEDS_X},
    .lean_if_y = {VDNN_NEEDS_X},
    .infer = vdnn_shape_set_common,
    .flops = flops,
};
