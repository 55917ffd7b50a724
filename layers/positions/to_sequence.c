#include "layers/shape.h"

/* The cells of a picture as positions, row by row, and its channels as their features: (N, C, H, W)
 * to (N, H * W, C). */

static vdnn_status infer(vdnn_layer *layer)
{
    const int64_t *x = layer->x[0].dims;
    const int64_t dims[VDNN_DIMS] = {x[VDNN_N], x[VDNN_H] * x[VDNN_W], x[VDNN_C], 1};
    return vdnn_shape_set_ranked(layer, VDNN_SEQUENCE_RANK, dims);
}

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    (void)layer;
    (void)pass;
    return 0;
}

const vdnn_layer_def vdnn_to_sequence_def = {
    .type = "to_sequence",
    .role = VDNN_ROLE_FEATURE,
    .input_rule = VDNN_INPUT_PICTURE,
    .min_inputs = 1,
    .max_inputs = 1,
    .recompute_is_cheap = true,
    .splits_samples = true,
    .infer = infer,
    .flops = flops,
};
