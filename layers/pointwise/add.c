#include "layers/shape.h"

#include <inttypes.h>

static vdnn_status infer(vdnn_layer *layer)
{
    const int64_t *first = layer->x[0].dims;
    for (int32_t i = 1; i < layer->input_count; i++) {
        const int64_t *dims = layer->x[i].dims;
        if (dims[VDNN_C] != first[VDNN_C] || dims[VDNN_H] != first[VDNN_H] ||
            dims[VDNN_W] != first[VDNN_W])
            return vdnn_shape_refuse(layer,
                                     "input %d is %" PRId64 "x%" PRId64 "x%" PRId64
                                     " but the first is %" PRId64 "x%" PRId64 "x%" PRId64
                                     " (channels x height x width must be equal)",
                                     i + 1, dims[VDNN_C], dims[VDNN_H], dims[VDNN_W], first[VDNN_C],
                                     first[VDNN_H], first[VDNN_W]);
    }
    return vdnn_shape_set_output(layer, first);
}

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
    .infer = infer,
    .flops = flops,
};
