#include "layers/recurrent/lstm.h"

#include "layers/count.h"
#include "layers/shape.h"

#include <inttypes.h>
#include <math.h>

static const vdnn_key keys[] = {
    {"out", VDNN_KEY_INT, offsetof(vdnn_lstm_config, out), .required = true, .min = 1,
     .max = INT32_MAX},
    {"reverse", VDNN_KEY_BOOL, offsetof(vdnn_lstm_config, reverse), .max = 1},
    {"biases", VDNN_KEY_INT, offsetof(vdnn_lstm_config, biases), .preset = 2, .max = 2},
    {"projection", VDNN_KEY_INT, offsetof(vdnn_lstm_config, projection), .max = INT32_MAX},
    {"chunk", VDNN_KEY_INT, offsetof(vdnn_lstm_config, chunk), .max = INT32_MAX},
    {"forget_bias", VDNN_KEY_REAL, offsetof(vdnn_lstm_config, forget_bias), .min = -100,
     .max = 100},
};

vdnn_lstm_shape vdnn_lstm_shape_of(const vdnn_layer *layer)
{
    const vdnn_lstm_config *lstm = layer->config;
    const vdnn_desc *x = &layer->x[0];
    const vdnn_param *params = layer->params;
    vdnn_lstm_shape s = {.samples = x->dims[VDNN_N],
                         .positions = x->dims[VDNN_POSITIONS],
                         .in = x->dims[VDNN_FEATURES],
                         .cells = lstm->out,
                         .gates = VDNN_LSTM_GATES * lstm->out,
                         .out = lstm->projection > 0 ? lstm->projection : lstm->out,
                         .biases = lstm->biases,
                         .chunk = vdnn_count_min(lstm->chunk, x->dims[VDNN_POSITIONS]),
                         .hidden_weight = (int64_t)(params[1].offset / sizeof(float)),
                         .is_projected = lstm->projection > 0,
                         .is_reverse = lstm->reverse};
    s.starts = s.chunk > 0 ? (s.positions - 1) / s.chunk : 0;
    s.bias = (int64_t)((params[1].offset + params[1].bytes) / sizeof(float));
    s.projection = s.bias + s.biases * s.gates;
    return s;
}

static vdnn_status add_weight(vdnn_layer *layer, const char *name, const int64_t dims[2],
                              int64_t fan_in, int64_t fan_out)
{
    return vdnn_shape_add_param(layer, &(vdnn_param){.name = name,
                                                     .dims = {dims[0], dims[1]},
                                                     .dim_count = 2,
                                                     .trainable = true,
                                                     .fan_in = fan_in,
                                                     .fan_out = fan_out});
}

/* A gate is a sum over the inputs and the outputs of the position before: that is the fan-in of
 * both weights. */
static vdnn_status add_params(vdnn_layer *layer)
{
    static const char *const bias_names[] = {"bias_ih", "bias_hh"};
    const vdnn_lstm_config *lstm = layer->config;
    const int64_t in = layer->x[0].dims[VDNN_FEATURES], cells = lstm->out;
    const int64_t gates = VDNN_LSTM_GATES * cells, out = layer->y.dims[VDNN_FEATURES];
    VDNN_TRY(add_weight(layer, "weight_ih", (int64_t[]){gates, in}, in + out, cells));
    VDNN_TRY(add_weight(layer, "weight_hh", (int64_t[]){gates, out}, in + out, cells));
    for (int64_t i = 0; i < lstm->biases; i++) {
        const double forget = i == 0 ? lstm->forget_bias : 0;
        VDNN_TRY(vdnn_shape_add_param(layer, &(vdnn_param){.name = bias_names[i],
                                                           .dims = {gates},
                                                           .dim_count = 1,
                                                           .trainable = true,
                                                           .is_bias = true,
                                                           .part = {cells, cells, forget}}));
    }
    return lstm->projection == 0
               ? VDNN_OK
               : add_weight(layer, "weight_hr", (int64_t[]){out, cells}, cells, out);
}

/* One number a sample, which may be as large as there are positions. */
static vdnn_status check_lengths(const vdnn_layer *layer)
{
    const int64_t positions = layer->x[0].dims[VDNN_POSITIONS];
    if (layer->input_count < 2)
        return VDNN_OK;
    const vdnn_desc *lengths = &layer->x[1];
    if (!vdnn_desc_is_integer(lengths) || lengths->dims[VDNN_POSITIONS] != 1 ||
        lengths->dims[VDNN_N] != layer->x[0].dims[VDNN_N])
        return vdnn_shape_refuse(layer, "its second input is not one integer a sample, how many of "
                                        "its positions are valid");
    if (lengths->below > positions + 1)
        return vdnn_shape_refuse(layer,
                                 "its second input has numbers up to %" PRId64
                                 ", but its sequences have %" PRId64
                                 " positions; expected a vocabulary of %" PRId64,
                                 lengths->below - 1, positions, positions + 1);
    return VDNN_OK;
}

static vdnn_status infer(vdnn_layer *layer)
{
    const vdnn_lstm_config *lstm = layer->config;
    const vdnn_desc *x = &layer->x[0];
    const int64_t dims[VDNN_DIMS] = {x->dims[VDNN_N], x->dims[VDNN_POSITIONS],
                                     lstm->projection > 0 ? lstm->projection : lstm->out, 1};
    if (!vdnn_desc_is_sequence(x))
        return vdnn_shape_refuse(layer, "its input is not a sequence, which has a vector for each "
                                        "of its positions");
    VDNN_TRY(check_lengths(layer));
    if (lstm->biases == 0 && (lstm->forget_bias < 0 || lstm->forget_bias > 0))
        return vdnn_shape_refuse(layer, "it has a forget_bias, but no biases");
    vdnn_desc gates = *x;
    gates.dims[VDNN_FEATURES] = VDNN_LSTM_STASHED * lstm->out;
    if (!vdnn_desc_check(&gates))
        return vdnn_shape_refuse(layer, "its gates are larger than any memory");
    VDNN_TRY(vdnn_shape_set_ranked(layer, VDNN_SEQUENCE_RANK, dims));
    return add_params(layer);
}

static size_t aux_bytes(const vdnn_layer *layer)
{
    if ((vdnn_layer_needs(layer) & VDNN_NEEDS_AUX) == 0)
        return 0;
    const vdnn_lstm_shape s = vdnn_lstm_shape_of(layer);
    if (s.chunk > 0)
        return (size_t)(s.samples * s.starts * s.cells) * sizeof(float);
    return (size_t)(s.samples * s.positions * VDNN_LSTM_STASHED * s.cells) *
           vdnn_dtype_bytes(layer->y.dtype);
}

/* Operations of a cell beyond the products: activations and what joins them. */
static const double per_cell[VDNN_PASS_COUNT] = {
    [VDNN_FORWARD] = 50, [VDNN_BACKWARD_DATA] = 40, [VDNN_BACKWARD_FILTER] = 40};

/* Forward is a product with each weight, backward as many for their gradients and one through time
 * with all but that of the input, which is one more for dx; a chunk's gates are computed again. */
static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    const vdnn_lstm_shape s = vdnn_lstm_shape_of(layer);
    double input = (double)(s.gates * s.in), others = (double)(s.gates * s.out);
    double cells = (double)(s.samples * s.positions) * (double)s.cells;
    const bool is_again = pass != VDNN_FORWARD && s.chunk > 0;
    const double again = is_again ? input + others : 0;
    cells *= per_cell[pass] + (is_again ? per_cell[VDNN_FORWARD] : 0);
    others += s.is_projected ? (double)(s.out * s.cells) : 0;
    double factors = input + others;
    if (pass != VDNN_FORWARD)
        factors = again + (vdnn_layer_writes_dw(layer, pass) ? input + others : 0) + others +
                  (pass == VDNN_BACKWARD_DATA ? input : 0);
    return 2 * factors * (double)(s.samples * s.positions) + cells;
}

/* Position after position a sum over the outputs, or, backward, over the gates. */
static double depth(const vdnn_layer *layer, vdnn_pass pass)
{
    const vdnn_lstm_shape s = vdnn_lstm_shape_of(layer);
    double terms = (double)(pass == VDNN_FORWARD ? s.out : s.gates);
    double levels = 1 + ceil(log2(terms));
    levels += s.is_projected ? ceil(log2((double)(pass == VDNN_FORWARD ? s.cells : s.out))) : 0;
    return (double)s.positions * levels;
}

#define NEEDS (VDNN_NEEDS_X | VDNN_NEEDS_Y | VDNN_NEEDS_W | VDNN_NEEDS_AUX)

static vdnn_input_rule rule_of_input(int32_t count, int32_t i)
{
    (void)count;
    return i == 1 ? VDNN_INPUT_TOKENS : VDNN_INPUT_ANY;
}

const vdnn_layer_def vdnn_lstm_def = {
    .type = "lstm",
    .role = VDNN_ROLE_FEATURE,
    .input_rule = VDNN_INPUT_ANY,
    .rule_of_input = rule_of_input,
    .joint = true,
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .later_keys = 2,
    .config_bytes = sizeof(vdnn_lstm_config),
    .min_inputs = 1,
    .max_inputs = 2,
    .multiplies = true,
    .splits_samples = true,
    .aux_by_sample = true,
    .paper = {NEEDS, NEEDS},
    .lean = {NEEDS, NEEDS},
    .lean_if_y = {NEEDS, NEEDS},
    .infer = infer,
    .aux_bytes = aux_bytes,
    .flops = flops,
    .depth = depth,
};
