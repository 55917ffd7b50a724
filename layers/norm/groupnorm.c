#include "layers/norm/groupnorm.h"

#include "layers/norm/row_norm.h"
#include "layers/shape.h"

#include <inttypes.h>

#define EPS                                                                                        \
    {                                                                                              \
        "eps", VDNN_KEY_REAL, offsetof(vdnn_groupnorm_config, eps), .preset = 1e-5, .max = 1e9     \
    }
#define AFFINE(default_affine)                                                                     \
    {                                                                                              \
        "affine", VDNN_KEY_BOOL, offsetof(vdnn_groupnorm_config, affine),                          \
            .preset = default_affine, .max = 1                                                     \
    }

static const vdnn_key groupnorm_keys[] = {
    {"groups", VDNN_KEY_INT, offsetof(vdnn_groupnorm_config, groups), .required = true, .min = 1,
     .max = INT32_MAX},
    EPS,
    AFFINE(1),
};

static const vdnn_key instancenorm_keys[] = {EPS, AFFINE(0)};

vdnn_groupnorm_shape vdnn_groupnorm_shape_of(const vdnn_layer *layer)
{
    const vdnn_groupnorm_config *norm = layer->config;
    const int64_t *dims = layer->x[0].dims;
    const int64_t groups = layer->def == &vdnn_groupnorm_def ? norm->groups : dims[VDNN_C];
    return (vdnn_groupnorm_shape){.rows = dims[VDNN_N] * groups,
                                  .groups = groups,
                                  .channels = dims[VDNN_C] / groups,
                                  .cells = dims[VDNN_H] * dims[VDNN_W]};
}

static vdnn_status infer(vdnn_layer *layer)
{
    const vdnn_groupnorm_config *norm = layer->config;
    const int64_t *dims = layer->x[0].dims;
    char sample[VDNN_DESC_TEXT];
    const vdnn_groupnorm_shape s = vdnn_groupnorm_shape_of(layer);
    if (dims[VDNN_C] % s.groups != 0)
        return vdnn_shape_refuse(
            layer, "groups %" PRId64 " does not divide its %" PRId64 " input channels", s.groups,
            dims[VDNN_C]);
    if (s.channels * s.cells == 1)
        return vdnn_shape_refuse(layer,
                                 "its %s input has one value per group, whose variance is 0; at "
                                 "least 2 are required",
                                 vdnn_desc_text(&layer->x[0], sample));
    VDNN_TRY(vdnn_shape_set_output(layer, dims));
    if (!norm->affine)
        return VDNN_OK;
    vdnn_param param = {
        .name = "weight", .dims = {dims[VDNN_C]}, .dim_count = 1, .trainable = true, .fill = 1};
    VDNN_TRY(vdnn_shape_add_param(layer, &param));
    param.name = "bias";
    param.fill = 0;
    return vdnn_shape_add_param(layer, &param);
}

static size_t aux_bytes(const vdnn_layer *layer)
{
    return 2 * (size_t)vdnn_groupnorm_shape_of(layer).rows * sizeof(float);
}

/* Sums, and the scale and shift of each element. */
static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    static const double per_element[VDNN_PASS_COUNT] = {
        [VDNN_FORWARD] = 7, [VDNN_BACKWARD_DATA] = 10, [VDNN_BACKWARD_FILTER] = 5};
    return per_element[pass] * (double)vdnn_desc_count(&layer->y);
}

VDNN_ROW_NORM(groupnorm, vdnn_groupnorm_config, .input_rule = VDNN_INPUT_PICTURE);
VDNN_ROW_NORM(instancenorm, vdnn_groupnorm_config, .input_rule = VDNN_INPUT_PICTURE);
