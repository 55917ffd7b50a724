#include "layers/positions/slice.h"

#include "layers/shape.h"

#include <inttypes.h>

static const vdnn_key keys[] = {
    {"begin", VDNN_KEY_INT, offsetof(vdnn_slice_config, begin), .max = INT32_MAX},
    {"count", VDNN_KEY_INT, offsetof(vdnn_slice_config, count), .required = true, .min = 1,
     .max = INT32_MAX},
};

vdnn_slice_shape vdnn_slice_shape_of(const vdnn_layer *layer)
{
    const vdnn_slice_config *slice = layer->config;
    return (vdnn_slice_shape){.samples = layer->x[0].dims[VDNN_N],
                              .of_x = vdnn_desc_per_sample(&layer->x[0]),
                              .of_y = vdnn_desc_per_sample(&layer->y),
                              .first = slice->begin * layer->x[0].dims[VDNN_FEATURES]};
}

static vdnn_status infer(vdnn_layer *layer)
{
    const vdnn_slice_config *slice = layer->config;
    const int64_t *x = layer->x[0].dims;
    if (!vdnn_desc_is_sequence(&layer->x[0]))
        return vdnn_shape_refuse(layer, "its input is not a sequence");
    if (slice->begin + slice->count > x[VDNN_POSITIONS])
        return vdnn_shape_refuse(layer,
                                 "%" PRId64 " positions from %" PRId64 " on are beyond the %" PRId64
                                 " of its input",
                                 slice->count, slice->begin, x[VDNN_POSITIONS]);
    const int64_t dims[VDNN_DIMS] = {x[VDNN_N], slice->count, x[VDNN_FEATURES], 1};
    return vdnn_shape_set_output(layer, dims);
}

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    (void)layer;
    (void)pass;
    return 0;
}

const vdnn_layer_def vdnn_slice_def = {
    .type = "slice",
    .role = VDNN_ROLE_FEATURE,
    .input_rule = VDNN_INPUT_ANY,
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .config_bytes = sizeof(vdnn_slice_config),
    .min_inputs = 1,
    .max_inputs = 1,
    .recompute_is_cheap = true,
    .splits_samples = true,
    .infer = infer,
    .flops = flops,
};
