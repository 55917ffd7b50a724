#include "layers/norm/layernorm.h"

#include "layers/norm/row_norm.h"
#include "layers/shape.h"

#define EPS(default_eps)                                                                           \
    {                                                                                              \
        "eps", VDNN_KEY_REAL, offsetof(vdnn_layernorm_config, eps), .preset = default_eps,         \
                                                                    .max = 1e9                     \
    }

static const vdnn_key layernorm_keys[] = {
    EPS(1e-5),
    {"bias", VDNN_KEY_BOOL, offsetof(vdnn_layernorm_config, bias), .preset = 1, .max = 1},
};

static const vdnn_key rmsnorm_keys[] = {EPS(1e-6)};

static bool has_mean(const vdnn_layer *layer)
{
    return layer->def == &vdnn_layernorm_def;
}

vdnn_layernorm_shape vdnn_layernorm_shape_of(const vdnn_layer *layer)
{
    const vdnn_desc vectors = vdnn_desc_as_vectors(&layer->x[0]);
    return (vdnn_layernorm_shape){.rows = vectors.dims[VDNN_N],
                                  .width = vectors.dims[VDNN_C],
                                  .statistics = has_mean(layer) ? 2 : 1};
}

static vdnn_status infer(vdnn_layer *layer)
{
    const vdnn_layernorm_config *norm = layer->config;
    const int64_t *dims = layer->x[0].dims;
    char sample[VDNN_DESC_TEXT];
    if (layer->x[0].rank >= VDNN_PICTURE_RANK)
        return vdnn_shape_refuse(layer,
                                 "its input is a picture of %s, expected a sequence or a vector; "
                                 "groupnorm with groups: 1 normalizes all values of a picture",
                                 vdnn_desc_text(&layer->x[0], sample));
    VDNN_TRY(vdnn_shape_set_output(layer, dims));
    vdnn_param param = {.name = "weight",
                        .dims = {vdnn_layernorm_shape_of(layer).width},
                        .dim_count = 1,
                        .trainable = true,
                        .fill = 1};
    VDNN_TRY(vdnn_shape_add_param(layer, &param));
    if (!has_mean(layer) || !norm->bias)
        return VDNN_OK;
    param.name = "bias";
    param.fill = 0;
    return vdnn_shape_add_param(layer, &param);
}

static size_t aux_bytes(const vdnn_layer *layer)
{
    const vdnn_layernorm_shape s = vdnn_layernorm_shape_of(layer);
    return (size_t)(s.rows * s.statistics) * sizeof(float);
}

/* Sums, and the scale and shift of each element. */
static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    static const double per_element[VDNN_PASS_COUNT] = {
        [VDNN_FORWARD] = 8, [VDNN_BACKWARD_DATA] = 12, [VDNN_BACKWARD_FILTER] = 5};
    return per_element[pass] * (double)vdnn_desc_count(&layer->y);
}

VDNN_ROW_NORM(layernorm, vdnn_layernorm_config, .input_rule = VDNN_INPUT_ANY);
VDNN_ROW_NORM(rmsnorm, vdnn_layernorm_config, .input_rule = VDNN_INPUT_ANY);
