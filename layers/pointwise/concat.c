#include "layers/shape.h"

#include <inttypes.h>

static vdnn_status infer(vdnn_layer *layer)
{
    const vdnn_desc *first = &layer->x[0];
    int64_t dims[VDNN_DIMS] = {first->dims[VDNN_N], 0, first->dims[VDNN_H], first->dims[VDNN_W]};
    for (int32_t i = 0; i < layer->input_count; i++) {
        const vdnn_desc *x = &layer->x[i];
        if (x->dims[VDNN_H] != dims[VDNN_H] || x->dims[VDNN_W] != dims[VDNN_W])
            return vdnn_shape_refuse(layer,
                                     "input %d is %" PRId64 "x%" PRId64 " but the first is %" PRId64
                                     "x%" PRId64 " (height x width must be equal)",
                                     i + 1, x->dims[VDNN_H], x->dims[VDNN_W], dims[VDNN_H],
                                     dims[VDNN_W]);
        if (__builtin_add_overflow(dims[VDNN_C], x->dims[VDNN_C], &dims[VDNN_C]))
            return vdnn_shape_refuse(layer, "its channels together are more than 2^63");
    }
    return vdnn_shape_set_output(layer, dims);
}

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    (void)layer;
    (void)pass;
    return 0;
}

const vdnn_layer_def vdnn_concat_def = {
    .type = "concat",
    .role = VDNN_ROLE_FEATURE,
    .layout_rule = VDNN_LAYOUT_SAME,
    .min_inputs = 1,
    .max_inputs = 0,
    .recompute_is_cheap = true,
    .splits_samples = true,
    .infer = infer,
    .flops = flops,
};
