#include "layers/pool/upsample.h"

#include "layers/shape.h"

enum { MOST_SCALE = 64 };

static const char *const modes[] = {"nearest", "bilinear", NULL};
static const char *const *const words[] = {NULL, modes};

static const vdnn_key keys[] = {
    {"scale", VDNN_KEY_SIDES, offsetof(vdnn_upsample_config, scale), .preset = 2, .min = 1,
     .max = MOST_SCALE},
    {"mode", VDNN_KEY_WORD, offsetof(vdnn_upsample_config, mode), .max = VDNN_UPSAMPLE_MODES - 1},
};

static vdnn_status infer(vdnn_layer *layer)
{
    const vdnn_upsample_config *upsample = layer->config;
    int64_t sides[VDNN_SIDES];
    vdnn_desc_sides(&layer->x[0], sides);
    for (int side = 0; side < VDNN_SIDES; side++)
        if (__builtin_mul_overflow(sides[side], upsample->scale[side], &sides[side]))
            return vdnn_shape_refuse(layer, "its output is larger than any memory");
    return vdnn_shape_set_sides(layer, layer->x[0].dims[VDNN_C], sides);
}

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    enum { OPERATIONS = 6 }; /* of an output: three interpolations */
    const vdnn_upsample_config *upsample = layer->config;
    (void)pass;
    return upsample->mode == VDNN_UPSAMPLE_NEAREST
               ? 0
               : OPERATIONS * (double)vdnn_desc_count(&layer->y);
}

const vdnn_layer_def vdnn_upsample_def = {
    .type = "upsample",
    .role = VDNN_ROLE_FEATURE,
    .layout_rule = VDNN_LAYOUT_SAME,
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .words = words,
    .config_bytes = sizeof(vdnn_upsample_config),
    .min_inputs = 1,
    .max_inputs = 1,
    .recompute_is_cheap = true,
    .splits_samples = true,
    .channel_rule = vdnn_shape_same_channels,
    .infer = infer,
    .flops = flops,
};
