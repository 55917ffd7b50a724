#include "layers/shape.h"

static vdnn_status infer(vdnn_layer *layer)
{
    const int64_t dims[VDNN_DIMS] = {layer->x[0].dims[VDNN_N], layer->x[0].dims[VDNN_C], 1, 1};
    return vdnn_shape_set_output(layer, dims);
}

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    (void)pass;
    return (double)vdnn_desc_count(&layer->x[0]);
}

/* As for every pooling layer, the paper keeps X and Y. */
const vdnn_layer_def vdnn_global_avgpool_def = {
    .type = "global_avgpool",
    .role = VDNN_ROLE_FEATURE,
    .layout_rule = VDNN_LAYOUT_TO_PLAIN,
    .min_inputs = 1,
    .max_inputs = 1,
    .splits_samples = true,
    .channel_rule = vdnn_shape_same_channels,
    .paper = {VDNN_NEEDS_X | VDNN_NEEDS_Y},
    .infer = infer,
    .flops = flops,
};
