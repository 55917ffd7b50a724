#include "layers/shape.h"

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    return pass == VDNN_FORWARD
               ? (double)(layer->input_count - 1) * (double)vdnn_desc_count(&layer->y)
               : 0;
}

const vdnn_layer_def vdnn_add_def = {
    .type = "add",
    .role = VDNN_ROLE_FEATURE,
    .layout_rule = VDNN_LAYOUT_SAME,
    .input_rule = VDNN_INPUT_ANY,
    .min_inputs = 2,
    .max_inputs = 0,
    .recompute_is_cheap = true,
    .dx_over_dy = true,
    .splits_samples = true,
    .channel_rule = vdnn_shape_same_channels,
    .infer = vdnn_shape_set_common,
    .flops = flops,
};
