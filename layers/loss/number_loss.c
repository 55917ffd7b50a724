#include "layers/loss/number_loss.h"

#include "layers/loss/loss_shape.h"

#include <math.h>

static const vdnn_key bce_keys[] = {
    {"positive_weight", VDNN_KEY_REAL, offsetof(vdnn_number_loss_config, positive_weight),
     .preset = 1, .max = 1e9},
};

/* Labels that are probabilities are below 1, or 1. */
static vdnn_status infer(vdnn_layer *layer)
{
    vdnn_loss_shape_set_result(layer);
    layer->labels = layer->x[0];
    layer->labels.dtype = VDNN_F32;
    layer->labels.below = layer->def->target == VDNN_TARGET_CHANCES ? 1 : 0;
    layer->ignored = VDNN_NO_LABEL;
    return VDNN_OK;
}

/* A difference, or exponentials. */
static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    const double of_element = layer->def->target == VDNN_TARGET_CHANCES ? 40 : 3;
    (void)pass;
    return of_element * (double)vdnn_desc_count(&layer->x[0]);
}

static double mse_of_sample(const vdnn_layer *layer, const float *x, const void *labels)
{
    const float *t = labels;
    const int64_t count = vdnn_desc_per_sample(&layer->x[0]);
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += ((double)x[i] - (double)t[i]) * ((double)x[i] - (double)t[i]);
    return sum / (double)count;
}

/* -log s(x) */
static double cost_of(double x)
{
    return log1p(exp(-fabs(x))) + fmax(-x, 0);
}

static double bce_of_sample(const vdnn_layer *layer, const float *x, const void *labels)
{
    const float *t = labels;
    const int64_t count = vdnn_desc_per_sample(&layer->x[0]);
    const double weight = vdnn_number_loss_weight(layer);
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += weight * (double)t[i] * cost_of((double)x[i]) +
               (1 - (double)t[i]) * cost_of(-(double)x[i]);
    return sum / (double)count;
}

#define NUMBER_LOSS(name, of_sample, ...)                                                          \
    const vdnn_layer_def vdnn_##name##_def = {.type = #name,                                       \
                                              .role = VDNN_ROLE_CLASSIFIER,                        \
                                              .input_rule = VDNN_INPUT_ANY,                        \
                                              .config_bytes = sizeof(vdnn_number_loss_config),     \
                                              .min_inputs = 1,                                     \
                                              .max_inputs = 1,                                     \
                                              .splits_samples = true,                              \
                                              .paper = {VDNN_NEEDS_X},                             \
                                              .lean = {VDNN_NEEDS_X},                              \
                                              .lean_if_y = {VDNN_NEEDS_X},                         \
                                              .infer = infer,                                      \
                                              .sample_loss = of_sample,                            \
                                              .flops = flops,                                      \
                                              __VA_ARGS__}

NUMBER_LOSS(mse, mse_of_sample, .target = VDNN_TARGET_NUMBERS);
NUMBER_LOSS(bce, bce_of_sample, .target = VDNN_TARGET_CHANCES, .keys = bce_keys, .key_count = 1);
