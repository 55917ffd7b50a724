#include "layers/shape.h"

static vdnn_status infer(vdnn_layer *layer)
{
    return vdnn_shape_set_output(layer, layer->x[0].dims);
}

static size_t mask_bytes(const vdnn_layer *layer)
{
    if ((layer->needs[VDNN_BACKWARD_DATA] & VDNN_NEEDS_AUX) == 0)
        return 0;
    return ((size_t)vdnn_desc_stored(&layer->y) + 7) / 8;
}

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    (void)pass;
    return (double)vdnn_desc_count(&layer->y);
}

const vdnn_layer_def vdnn_relu_def = {
    .type = "relu",
    .role = VDNN_ROLE_ACTIVATION,
    .layout_rule = VDNN_LAYOUT_SAME,
    .input_rule = VDNN_INPUT_ANY,
    .min_inputs = 1,
    .max_inputs = 1,
    .recompute_is_cheap = true,
    .in_place = true,
    .splits_samples = true,
    .channel_rule = vdnn_shape_same_channels,
    .paper = {VDNN_NEEDS_Y},
    .lean = {VDNN_NEEDS_AUX},
    .lean_if_y = {VDNN_NEEDS_Y},
    .infer = infer,
    .aux_bytes = mask_bytes,
    .flops = flops,
};
