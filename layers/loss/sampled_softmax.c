#include "layers/loss/sampled_softmax.h"

#include "layers/loss/loss_shape.h"
#include "layers/shape.h"

#include <inttypes.h>

static const vdnn_key keys[] = {
    {"samples", VDNN_KEY_INT, offsetof(vdnn_sampled_softmax_config, samples), .required = true,
     .min = 1, .max = INT32_MAX},
    {"ignore", VDNN_KEY_INT, offsetof(vdnn_sampled_softmax_config, ignore),
     .preset = (double)VDNN_NO_LABEL, .min = (double)VDNN_NO_LABEL, .max = INT32_MAX},
};

vdnn_sampled_shape vdnn_sampled_shape_of(const vdnn_layer *layer)
{
    const vdnn_sampled_softmax_config *loss = layer->config;
    const vdnn_param *weight = &layer->params[0];
    return (vdnn_sampled_shape){.rows = vdnn_desc_count(&layer->labels),
                                .width = weight->dims[1],
                                .classes = weight->dims[0],
                                .samples = loss->samples,
                                .bias = (int64_t)(layer->params[1].offset / sizeof(float)),
                                .log_range = log((double)weight->dims[0] + 1)};
}

static vdnn_status check_keys(const vdnn_layer *layer)
{
    const vdnn_sampled_softmax_config *loss = layer->config;
    if (loss->samples > layer->classes)
        return vdnn_shape_refuse(layer,
                                 "it draws %" PRId64 " samples, but the network has %" PRId64
                                 " classes, which are drawn once each",
                                 loss->samples, layer->classes);
    if (loss->ignore < INT32_MIN && loss->ignore != VDNN_NO_LABEL)
        return vdnn_shape_refuse(layer, "no label is %" PRId64 ": they have 32 bits", loss->ignore);
    return VDNN_OK;
}

/* A label for each sample, or for each position of a sequence. */
static vdnn_status infer(vdnn_layer *layer)
{
    const vdnn_sampled_softmax_config *loss = layer->config;
    const vdnn_desc *x = &layer->x[0];
    const vdnn_desc vectors = vdnn_desc_as_vectors(x);
    const int64_t width = vdnn_desc_per_sample(&vectors);
    VDNN_TRY(check_keys(layer));
    vdnn_loss_shape_set_result(layer);
    vdnn_loss_shape_set_classes(layer, loss->ignore);
    const vdnn_param weight = {.name = "weight",
                               .dims = {layer->classes, width},
                               .dim_count = 2,
                               .trainable = true,
                               .fan_in = width,
                               .fan_out = layer->classes};
    return vdnn_shape_add_weight(layer, &weight, true);
}

static size_t aux_bytes(const vdnn_layer *layer)
{
    return (size_t)vdnn_desc_count(&layer->labels) * sizeof(float);
}

/* Of a training step: products with the candidates and the label; backward computes the scores
 * again, and has one more product for each of dx and dw. */
static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    enum { OF_A_SCORE = 10 };
    const vdnn_sampled_shape s = vdnn_sampled_shape_of(layer);
    double products = pass == VDNN_FORWARD ? 1 : pass == VDNN_BACKWARD_DATA ? 3 : 2;
    return (double)s.rows * ((double)s.samples + 1) * (2 * products * (double)s.width + OF_A_SCORE);
}

#define NEEDS (VDNN_NEEDS_X | VDNN_NEEDS_W | VDNN_NEEDS_AUX)

const vdnn_layer_def vdnn_sampled_softmax_def = {
    .type = "sampled_softmax",
    .role = VDNN_ROLE_CLASSIFIER,
    .target = VDNN_TARGET_CLASSES,
    .input_rule = VDNN_INPUT_ANY,
    .joint = true,
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .config_bytes = sizeof(vdnn_sampled_softmax_config),
    .min_inputs = 1,
    .max_inputs = 1,
    .multiplies = true,
    .splits_samples = true,
    .aux_by_sample = true,
    .paper = {NEEDS, NEEDS},
    .lean = {NEEDS, NEEDS},
    .lean_if_y = {NEEDS, NEEDS},
    .infer = infer,
    .aux_bytes = aux_bytes,
    .flops = flops,
};
