#include "layers/norm/lrn.h"

#include "layers/shape.h"

static const vdnn_key keys[] = {
    {"size", VDNN_KEY_INT, offsetof(vdnn_lrn_config, size), .required = true, .min = 1,
     .max = INT32_MAX},
    {"alpha", VDNN_KEY_REAL, offsetof(vdnn_lrn_config, alpha), .preset = 1e-4, .max = 1e9},
    {"beta", VDNN_KEY_REAL, offsetof(vdnn_lrn_config, beta), .preset = 0.75, .max = 1e3},
    {"k", VDNN_KEY_REAL, offsetof(vdnn_lrn_config, k), .preset = 1, .max = 1e9},
};

static vdnn_status infer(vdnn_layer *layer)
{
    const vdnn_lrn_config *lrn = layer->config;
    if (lrn->k <= 0 && lrn->alpha <= 0)
        return vdnn_shape_refuse(layer, "k and alpha are both 0, which would divide by 0");
    return vdnn_shape_set_output(layer, layer->x[0].dims);
}

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    const vdnn_lrn_config *lrn = layer->config;
    double window = (double)lrn->size, sums = pass == VDNN_FORWARD ? 1 : 2;
    return (double)vdnn_desc_count(&layer->y) * (2 * window * sums + 10);
}

/* The paper's networks keep X and Y of this layer; d is recomputed from X alone. */
const vdnn_layer_def vdnn_lrn_def = {
    .type = "lrn",
    .role = VDNN_ROLE_FEATURE,
    .layout_rule = VDNN_LAYOUT_SAME,
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .config_bytes = sizeof(vdnn_lrn_config),
    .min_inputs = 1,
    .max_inputs = 1,
    .splits_samples = true,
    .paper = {VDNN_NEEDS_X | VDNN_NEEDS_Y},
    .lean = {VDNN_NEEDS_X},
    .lean_if_y = {VDNN_NEEDS_X},
    .infer = infer,
    .flops = flops,
};
