#include "layers/positions/rope.h"

#include "layers/shape.h"

#include <inttypes.h>
#include <math.h>

static const vdnn_key keys[] = {
    {"heads", VDNN_KEY_INT, offsetof(vdnn_rope_config, heads), .required = true, .min = 1,
     .max = INT32_MAX},
    {"kv_heads", VDNN_KEY_INT, offsetof(vdnn_rope_config, kv_heads), .max = INT32_MAX},
    {"theta", VDNN_KEY_REAL, offsetof(vdnn_rope_config, theta), .preset = 10000, .min = 1,
     .max = 1e9},
    {"interleaved", VDNN_KEY_BOOL, offsetof(vdnn_rope_config, interleaved), .max = 1},
};

static int64_t heads_of(const vdnn_rope_config *rope)
{
    return rope->heads + 2 * rope->kv_heads;
}

vdnn_rope_shape vdnn_rope_shape_of(const vdnn_layer *layer)
{
    const vdnn_rope_config *rope = layer->config;
    const int64_t *dims = layer->y.dims;
    int64_t width = dims[VDNN_FEATURES] / heads_of(rope);
    return (vdnn_rope_shape){.rows = dims[VDNN_N] * dims[VDNN_POSITIONS],
                             .positions = dims[VDNN_POSITIONS],
                             .features = dims[VDNN_FEATURES],
                             .width = width,
                             .pairs = width / 2,
                             .rotated = rope->heads + rope->kv_heads,
                             .theta = rope->theta,
                             .interleaved = rope->interleaved};
}

double vdnn_rope_angle(const vdnn_rope_shape *shape, int64_t position, int64_t pair)
{
    return (double)position * pow(shape->theta, -2 * (double)pair / (double)shape->width);
}

static vdnn_status infer(vdnn_layer *layer)
{
    const vdnn_rope_config *rope = layer->config;
    int64_t features = layer->x[0].dims[VDNN_FEATURES], heads = heads_of(rope);
    if (!vdnn_desc_is_sequence(&layer->x[0]))
        return vdnn_shape_refuse(layer, "its input is not a sequence");
    if (features % heads != 0)
        return vdnn_shape_refuse(layer,
                                 "its input has %" PRId64 " features, which %" PRId64
                                 " heads of q and %" PRId64 " each of k and v do not divide",
                                 features, rope->heads, rope->kv_heads);
    if (features / heads % 2 != 0)
        return vdnn_shape_refuse(layer, "a head has %" PRId64 " features, which are not pairs",
                                 features / heads);
    return vdnn_shape_set_output(layer, layer->x[0].dims);
}

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    enum { OF_A_PAIR = 6 };
    vdnn_rope_shape s = vdnn_rope_shape_of(layer);
    (void)pass;
    return OF_A_PAIR * (double)s.rows * (double)(s.rotated * s.pairs);
}

const vdnn_layer_def vdnn_rope_def = {
    .type = "rope",
    .role = VDNN_ROLE_FEATURE,
    .input_rule = VDNN_INPUT_ANY,
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .config_bytes = sizeof(vdnn_rope_config),
    .min_inputs = 1,
    .max_inputs = 1,
    .in_place = true,
    .dx_over_dy = true,
    .recompute_is_cheap = true,
    .splits_samples = true,
    .infer = infer,
    .flops = flops,
};
