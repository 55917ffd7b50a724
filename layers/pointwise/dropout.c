#include "layers/pointwise/dropout.h"

#include "layers/shape.h"

#include <math.h>

static const vdnn_key keys[] = {
    {"p", VDNN_KEY_REAL, offsetof(vdnn_dropout_config, p), .required = true, .min = 0, .max = 1},
};

uint64_t vdnn_dropout_first_sample(const vdnn_kernel_args *args)
{
    return args->context->first_sample + (uint64_t)args->first_sample;
}

uint32_t vdnn_dropout_threshold(const vdnn_dropout_config *dropout)
{
    return (uint32_t)ceil(dropout->p * 0x1p24);
}

float vdnn_dropout_scale(const vdnn_dropout_config *dropout)
{
    return dropout->p < 1 ? (float)(1 / (1 - dropout->p)) : 0.0F;
}

static vdnn_status infer(vdnn_layer *layer)
{
    return vdnn_shape_set_output(layer, layer->x[0].dims);
}

static size_t mask_bytes(const vdnn_layer *layer)
{
    return ((size_t)vdnn_desc_count(&layer->y) + 7) / 8;
}

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    (void)pass;
    return (double)vdnn_desc_count(&layer->y);
}

const vdnn_layer_def vdnn_dropout_def = {
    .type = "dropout",
    .role = VDNN_ROLE_ACTIVATION,
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .config_bytes = sizeof(vdnn_dropout_config),
    .input_rule = VDNN_INPUT_ANY,
    .min_inputs = 1,
    .max_inputs = 1,
    .in_place = true,
    .splits_samples = true,
    .paper = {VDNN_NEEDS_AUX},
    .lean = {VDNN_NEEDS_AUX},
    .lean_if_y = {VDNN_NEEDS_AUX},
    .infer = infer,
    .aux_bytes = mask_bytes,
    .flops = flops,
};
