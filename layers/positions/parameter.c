#include "layers/positions/parameter.h"

#include "layers/shape.h"

#include <inttypes.h>

static const char *const joins[] = {"add", "before", NULL};
static const char *const *const words[] = {NULL, joins};

static const vdnn_key keys[] = {
    {"length", VDNN_KEY_INT, offsetof(vdnn_parameter_config, length), .max = INT32_MAX},
    {"join", VDNN_KEY_WORD, offsetof(vdnn_parameter_config, join), .max = VDNN_PARAMETER_JOINS - 1},
};

static bool is_before(const vdnn_layer *layer)
{
    return ((const vdnn_parameter_config *)layer->config)->join == VDNN_PARAMETER_BEFORE;
}

vdnn_parameter_shape vdnn_parameter_shape_of(const vdnn_layer *layer)
{
    int64_t of_x = vdnn_desc_per_sample(&layer->x[0]);
    int64_t of_w = is_before(layer) ? layer->params[0].count : of_x;
    return (vdnn_parameter_shape){.samples = layer->x[0].dims[VDNN_N],
                                  .of_x = of_x,
                                  .of_y = vdnn_desc_per_sample(&layer->y),
                                  .of_w = of_w,
                                  .first = is_before(layer) ? of_w : 0};
}

/* As in GPT-2, BERT and ViT, vectors begin with a standard deviation of 0.02, which is what `he`
 * gives for this many inputs. */
enum { FAN = 5000 };

static vdnn_status infer(vdnn_layer *layer)
{
    const vdnn_parameter_config *parameter = layer->config;
    const int64_t *x = layer->x[0].dims;
    if (!vdnn_desc_is_sequence(&layer->x[0]))
        return vdnn_shape_refuse(layer, "its input is not a sequence");
    int64_t positions = x[VDNN_POSITIONS];
    int64_t length = parameter->length == 0 ? positions : parameter->length;
    if (!is_before(layer) && length < positions)
        return vdnn_shape_refuse(layer,
                                 "its length of %" PRId64 " is below the %" PRId64
                                 " positions of its input, each of which a vector is added to",
                                 length, positions);
    const int64_t dims[VDNN_DIMS] = {x[VDNN_N], positions + (is_before(layer) ? length : 0),
                                     x[VDNN_FEATURES], 1};
    const vdnn_param weight = {.name = "weight",
                               .dims = {length, x[VDNN_FEATURES]},
                               .dim_count = 2,
                               .trainable = true,
                               .fan_in = FAN,
                               .fan_out = FAN};
    VDNN_TRY(vdnn_shape_set_output(layer, dims));
    return vdnn_shape_add_param(layer, &weight);
}

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    vdnn_parameter_shape s = vdnn_parameter_shape_of(layer);
    bool adds = pass == VDNN_FORWARD ? !is_before(layer) : vdnn_layer_writes_dw(layer, pass);
    return adds ? (double)s.samples * (double)s.of_w : 0;
}

const vdnn_layer_def vdnn_parameter_def = {
    .type = "parameter",
    .role = VDNN_ROLE_FEATURE,
    .input_rule = VDNN_INPUT_ANY,
    .joint = true,
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .words = words,
    .config_bytes = sizeof(vdnn_parameter_config),
    .min_inputs = 1,
    .max_inputs = 1,
    .in_place = true,
    .recompute_is_cheap = true,
    .splits_samples = true,
    .infer = infer,
    .flops = flops,
};
