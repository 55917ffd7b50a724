#include "layers/loss/softmax_loss.h"

#include "layers/loss/loss_shape.h"
#include "layers/shape.h"

#include <inttypes.h>

static const vdnn_key keys[] = {
    {"ignore", VDNN_KEY_INT, offsetof(vdnn_softmax_loss_config, ignore),
     .preset = (double)VDNN_NO_LABEL, .min = (double)VDNN_NO_LABEL, .max = INT32_MAX},
    {"smoothing", VDNN_KEY_REAL, offsetof(vdnn_softmax_loss_config, smoothing), .max = 1},
};

/* A label for each sample, or for each position of a sequence. */
static vdnn_status infer(vdnn_layer *layer)
{
    const vdnn_softmax_loss_config *loss = layer->config;
    const vdnn_desc *x = &layer->x[0];
    const vdnn_desc vectors = vdnn_desc_as_vectors(x);
    bool is_sequence = vdnn_desc_is_sequence(x);
    int64_t inputs = vdnn_desc_per_sample(&vectors);
    if (inputs != layer->classes)
        return vdnn_shape_refuse(layer,
                                 "its input has %" PRId64 " elements a %s, but the network "
                                 "has %" PRId64 " classes",
                                 inputs, is_sequence ? "position" : "sample", layer->classes);
    if (loss->ignore < INT32_MIN && loss->ignore != VDNN_NO_LABEL)
        return vdnn_shape_refuse(layer, "no label is %" PRId64 ": they have 32 bits", loss->ignore);
    vdnn_loss_shape_set_result(layer);
    vdnn_loss_shape_set_classes(layer, loss->ignore);
    return VDNN_OK;
}

/* The vocabulary of a language is so large that the gradients are much of a step's memory. */
static const vdnn_needs *needs_of(const vdnn_layer *layer)
{
    static const vdnn_needs of_sequence[2] = {VDNN_NEEDS_X | VDNN_NEEDS_AUX};
    return vdnn_softmax_loss_reads_x(layer) ? of_sequence : NULL;
}

static size_t saved_bytes(const vdnn_layer *layer)
{
    size_t extra = layer->ignored == VDNN_NO_LABEL ? 0 : 1;
    return vdnn_softmax_loss_reads_x(layer)
               ? ((size_t)vdnn_desc_count(&layer->labels) + extra) * sizeof(vdnn_softmax_loss_row)
               : ((size_t)vdnn_desc_count(&layer->x[0]) + extra) * sizeof(float);
}

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    double inputs = (double)vdnn_desc_count(&layer->x[0]);
    return pass == VDNN_FORWARD               ? 4 * inputs
           : vdnn_softmax_loss_reads_x(layer) ? 3 * inputs
                                              : inputs;
}

const vdnn_layer_def vdnn_softmax_loss_def = {
    .type = "softmax_loss",
    .role = VDNN_ROLE_CLASSIFIER,
    .target = VDNN_TARGET_CLASSES,
    .input_rule = VDNN_INPUT_ANY,
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .config_bytes = sizeof(vdnn_softmax_loss_config),
    .later_keys = 1,
    .min_inputs = 1,
    .max_inputs = 1,
    .dx_over_x = true,
    .splits_samples = true,
    .aux_by_sample = true,
    .paper = {VDNN_NEEDS_AUX},
    .lean = {VDNN_NEEDS_AUX},
    .lean_if_y = {VDNN_NEEDS_AUX},
    .infer = infer,
    .needs_of = needs_of,
    .aux_bytes = saved_bytes,
    .flops = flops,
};
