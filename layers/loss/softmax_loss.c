#include "layers/shape.h"

#include <inttypes.h>

static vdnn_status infer(vdnn_layer *layer)
{
    int64_t inputs = vdnn_desc_per_sample(&layer->x[0]);
    if (inputs != layer->classes)
        return vdnn_shape_refuse(layer,
                                 "its input has %" PRId64 " elements a sample, but the network "
                                 "has %" PRId64 " classes",
                                 inputs, layer->classes);
    layer->y = (vdnn_desc){
        .dims = {1, 2, 1, 1}, .rank = VDNN_VECTOR_RANK, .dtype = VDNN_F32, .layout = VDNN_NCHW};
    return VDNN_OK;
}

/* f32, whatever the data type of the input. */
static size_t probability_bytes(const vdnn_layer *layer)
{
    return (size_t)vdnn_desc_count(&layer->x[0]) * sizeof(float);
}

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    double inputs = (double)vdnn_desc_count(&layer->x[0]);
    return pass == VDNN_FORWARD ? 4 * inputs : inputs;
}

const vdnn_layer_def vdnn_softmax_loss_def = {
    .type = "softmax_loss",
    .role = VDNN_ROLE_CLASSIFIER,
    .min_inputs = 1,
    .max_inputs = 1,
    .splits_samples = true,
    .aux_by_sample = true,
    .paper = {VDNN_NEEDS_AUX},
    .lean = {VDNN_NEEDS_AUX},
    .lean_if_y = {VDNN_NEEDS_AUX},
    .infer = infer,
    .aux_bytes = probability_bytes,
    .flops = flops,
};
