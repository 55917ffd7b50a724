#include "layers/embedding/embedding.h"

#include "layers/shape.h"

static const vdnn_key keys[] = {
    {"out", VDNN_KEY_INT, offsetof(vdnn_embedding_config, out), .required = true, .min = 1,
     .max = INT32_MAX},
};

vdnn_embedding_shape vdnn_embedding_shape_of(const vdnn_layer *layer)
{
    const vdnn_param *weight = &layer->params[0];
    return (vdnn_embedding_shape){.tokens = vdnn_desc_count(&layer->x[0]),
                                  .width = weight->dims[1],
                                  .vocabulary = weight->dims[0]};
}

/* Initial vectors are about as long whatever their width: the mean square of an element is 2 / out,
 * or by xavier 1 / out. */
static vdnn_status infer(vdnn_layer *layer)
{
    const vdnn_embedding_config *embedding = layer->config;
    const vdnn_desc *x = &layer->x[0];
    const int64_t dims[VDNN_DIMS] = {x->dims[VDNN_N], x->dims[VDNN_POSITIONS], embedding->out, 1};
    const vdnn_param weight = {.name = "weight",
                               .dims = {x->below, embedding->out},
                               .dim_count = 2,
                               .trainable = true,
                               .fan_in = embedding->out,
                               .fan_out = embedding->out};
    vdnn_status status = vdnn_shape_set_ranked(layer, VDNN_SEQUENCE_RANK, dims);
    return status == VDNN_OK ? vdnn_shape_add_param(layer, &weight) : status;
}

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    return pass == VDNN_BACKWARD_FILTER ? (double)vdnn_desc_count(&layer->y) : 0;
}

const vdnn_layer_def vdnn_embedding_def = {
    .type = "embedding",
    .role = VDNN_ROLE_FEATURE,
    .input_rule = VDNN_INPUT_TOKENS,
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .config_bytes = sizeof(vdnn_embedding_config),
    .min_inputs = 1,
    .max_inputs = 1,
    .ties_weight = true,
    .looks_up = true,
    .adds_gradient = true,
    .recompute_is_cheap = true,
    .splits_samples = true,
    .paper = {0, VDNN_NEEDS_X},
    .lean = {0, VDNN_NEEDS_X},
    .lean_if_y = {0, VDNN_NEEDS_X},
    .infer = infer,
    .flops = flops,
};
