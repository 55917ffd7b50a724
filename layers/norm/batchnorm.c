#include "layers/norm/batchnorm.h"

#include "layers/shape.h"

#include <inttypes.h>

static const vdnn_key keys[] = {
    {"eps", VDNN_KEY_REAL, offsetof(vdnn_batchnorm_config, eps), .preset = 1e-5, .max = 1e9},
    {"momentum", VDNN_KEY_REAL, offsetof(vdnn_batchnorm_config, momentum), .preset = 0.1, .max = 1},
    {"sync", VDNN_KEY_BOOL, offsetof(vdnn_batchnorm_config, sync), .max = 1},
};

static vdnn_status add_params(vdnn_layer *layer)
{
    const vdnn_batchnorm_config *norm = layer->config;
    static const struct {
        const char *name;
        double fill;
        vdnn_update_rule update;
    } params[VDNN_BATCHNORM_PARAMS] = {
        [VDNN_BATCHNORM_WEIGHT] = {"weight", 1, VDNN_UPDATE_OPTIMIZER},
        [VDNN_BATCHNORM_BIAS] = {"bias", 0, VDNN_UPDATE_OPTIMIZER},
        [VDNN_BATCHNORM_MEAN] = {"running_mean", 0, VDNN_UPDATE_AVERAGE},
        [VDNN_BATCHNORM_VARIANCE] = {"running_var", 1, VDNN_UPDATE_AVERAGE},
    };
    vdnn_status status = VDNN_OK;
    for (int p = 0; p < VDNN_BATCHNORM_PARAMS && status == VDNN_OK; p++) {
        vdnn_param param = {.name = params[p].name,
                            .dims = {layer->y.dims[VDNN_C]},
                            .dim_count = 1,
                            .trainable = true,
                            .update = params[p].update,
                            .rate = norm->momentum,
                            .fill = params[p].fill};
        status = vdnn_shape_add_param(layer, &param);
    }
    return status;
}

static bool is_joint(const vdnn_layer *layer)
{
    return ((const vdnn_batchnorm_config *)layer->config)->sync;
}

/* Each device has a value at least. */
static bool is_summed(const vdnn_layer *layer)
{
    return is_joint(layer) && layer->devices > 1;
}

static vdnn_status infer(vdnn_layer *layer)
{
    const int64_t *dims = layer->x[0].dims;
    const bool is_single = dims[VDNN_N] == 1 && dims[VDNN_H] == 1 && dims[VDNN_W] == 1;
    if (is_single && !is_summed(layer) && !layer->is_frozen)
        return vdnn_shape_refuse(layer,
                                 "a batch of 1 with a 1x1 input has one value per channel, whose "
                                 "variance is 0; at least 2 are required%s",
                                 layer->devices > 1 ? ", as those of all devices by sync: true"
                                                    : "");
    vdnn_status status = vdnn_shape_set_output(layer, dims);
    return status == VDNN_OK ? add_params(layer) : status;
}

/* A frozen one has no statistics but the running ones. */
static size_t aux_bytes(const vdnn_layer *layer)
{
    return layer->is_frozen ? 0 : 2 * (size_t)vdnn_desc_channels(&layer->y) * sizeof(float);
}

/* Two sums for each channel as it is stored, and how many values they are of. Parameters have
 * separate sums, which are summed as gradients. */
static size_t joint_count(const vdnn_layer *layer, vdnn_pass pass)
{
    return !is_joint(layer) || layer->is_frozen || pass == VDNN_BACKWARD_FILTER
               ? 0
               : 2 * (size_t)vdnn_desc_channels(&layer->y) + 1;
}

/* One sum over the devices, not one for each part. */
static vdnn_channel_rule channel_rule(const vdnn_layer *layer)
{
    return is_joint(layer) ? (vdnn_channel_rule){0, 0} : vdnn_shape_same_channels(layer);
}

/* Sums, and the scale and shift of each element. */
static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    static const double per_element[VDNN_PASS_COUNT] = {
        [VDNN_FORWARD] = 6, [VDNN_BACKWARD_DATA] = 8, [VDNN_BACKWARD_FILTER] = 3};
    return per_element[pass] * (double)vdnn_desc_count(&layer->y);
}

/* The scale and shift of a frozen one are constants. */
static const vdnn_needs *needs_of(const vdnn_layer *layer)
{
    static const vdnn_needs frozen[2] = {VDNN_NEEDS_W, 0};
    return layer->is_frozen ? frozen : NULL;
}

const vdnn_layer_def vdnn_batchnorm_def = {
    .type = "batchnorm",
    .role = VDNN_ROLE_FEATURE,
    .layout_rule = VDNN_LAYOUT_SAME,
    .joint = true,
    .dx_over_dy = true,
    .recompute_is_cheap = true,
    .recompute_reads_aux = true,
    .channel_rule = channel_rule,
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .config_bytes = sizeof(vdnn_batchnorm_config),
    .min_inputs = 1,
    .max_inputs = 1,
    .paper = {VDNN_NEEDS_X | VDNN_NEEDS_W | VDNN_NEEDS_AUX, VDNN_NEEDS_X | VDNN_NEEDS_AUX},
    .lean = {VDNN_NEEDS_X | VDNN_NEEDS_W | VDNN_NEEDS_AUX, VDNN_NEEDS_X | VDNN_NEEDS_AUX},
    .lean_if_y = {VDNN_NEEDS_X | VDNN_NEEDS_W | VDNN_NEEDS_AUX, VDNN_NEEDS_X | VDNN_NEEDS_AUX},
    .needs_of = needs_of,
    .infer = infer,
    .aux_bytes = aux_bytes,
    .joint_count = joint_count,
    .flops = flops,
};
