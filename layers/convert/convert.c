#include "layers/convert/convert.h"

#include "layers/shape.h"

static vdnn_status infer(vdnn_layer *layer)
{
    layer->y = layer->x[0];
    layer->y.layout = layer->preferred;
    return VDNN_OK;
}

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    (void)layer;
    (void)pass;
    return 0;
}

const vdnn_layer_def vdnn_convert_def = {
    .type = "convert",
    .role = VDNN_ROLE_ACTIVATION,
    .layout_rule = VDNN_LAYOUT_FREE,
    .internal = true,
    .min_inputs = 1,
    .max_inputs = 1,
    .recompute_is_cheap = true,
    .splits_samples = true,
    .channel_rule = vdnn_shape_same_channels,
    .infer = infer,
    .flops = flops,
};
