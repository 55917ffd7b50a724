#include "layers/dense/fc.h"

#include "layers/shape.h"

#include <math.h>

static const vdnn_key keys[] = {
    {"out", VDNN_KEY_INT, offsetof(vdnn_fc_config, out), .required = true, .min = 1,
     .max = INT32_MAX},
    {"bias", VDNN_KEY_BOOL, offsetof(vdnn_fc_config, bias), .preset = 1, .max = 1},
};

/* A picture is flattened; each position of a sequence is multiplied by itself. */
static vdnn_status infer(vdnn_layer *layer)
{
    const vdnn_fc_config *fc = layer->config;
    const vdnn_desc *x = &layer->x[0];
    const vdnn_desc vectors = vdnn_desc_as_vectors(x);
    bool is_sequence = vdnn_desc_is_sequence(x);
    int64_t in = vdnn_desc_per_sample(&vectors), samples = x->dims[VDNN_N];
    const int64_t flat[VDNN_DIMS] = {samples, fc->out, 1, 1},
                  each[VDNN_DIMS] = {samples, x->dims[VDNN_POSITIONS], fc->out, 1};
    VDNN_TRY(vdnn_shape_set_ranked(layer, is_sequence ? VDNN_SEQUENCE_RANK : VDNN_VECTOR_RANK,
                                   is_sequence ? each : flat));
    vdnn_param weight = {.name = "weight",
                         .dims = {fc->out, in},
                         .dim_count = 2,
                         .trainable = true,
                         .fan_in = in,
                         .fan_out = fc->out};
    return vdnn_shape_add_weight(layer, &weight, fc->bias);
}

/* Of a sequence the second dimension is the position. */
static vdnn_channel_rule channel_rule(const vdnn_layer *layer)
{
    return (vdnn_channel_rule){.unit = vdnn_desc_is_sequence(&layer->x[0]) ? 0 : 1};
}

static void narrow(const vdnn_layer *layer, int64_t channels, void *config)
{
    (void)layer;
    vdnn_fc_config *fc = config;
    fc->out = channels;
}

static void adapt(const void *config, int64_t rank, void *down, void *up)
{
    *(vdnn_fc_config *)down = (vdnn_fc_config){.out = rank};
    *(vdnn_fc_config *)up = (vdnn_fc_config){.out = ((const vdnn_fc_config *)config)->out};
}

/* Of sums over inputs, over outputs, or over samples and their positions. */
static double depth(const vdnn_layer *layer, vdnn_pass pass)
{
    const vdnn_param *weight = &layer->params[0];
    const int64_t vectors = vdnn_desc_count(&layer->y) / weight->fan_out;
    const int64_t terms[VDNN_PASS_COUNT] = {[VDNN_FORWARD] = weight->fan_in,
                                            [VDNN_BACKWARD_DATA] = weight->fan_out,
                                            [VDNN_BACKWARD_FILTER] = vectors};
    return ceil(log2((double)terms[pass]));
}

const vdnn_layer_def vdnn_fc_def = {
    .type = "fc",
    .role = VDNN_ROLE_CLASSIFIER,
    .input_rule = VDNN_INPUT_ANY,
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .config_bytes = sizeof(vdnn_fc_config),
    .min_inputs = 1,
    .max_inputs = 1,
    .copies_weight = true,
    .multiplies = true,
    .ties_weight = true,
    .splits_samples = true,
    .channel_rule = channel_rule,
    .narrow = narrow,
    .adapt = adapt,
    .paper = {VDNN_NEEDS_W, VDNN_NEEDS_X},
    .lean = {VDNN_NEEDS_W, VDNN_NEEDS_X},
    .lean_if_y = {VDNN_NEEDS_W, VDNN_NEEDS_X},
    .infer = infer,
    .flops = vdnn_shape_weight_flops,
    .depth = depth,
};
