#include "layers/attention/attention.h"

#include "layers/shape.h"

#include <inttypes.h>
#include <math.h>

enum { PACKED = 1, SEPARATE = 3, LENGTHS = 1, K = 1, V = 2 };

static const vdnn_key keys[] = {
    {"heads", VDNN_KEY_INT, offsetof(vdnn_attention_config, heads), .required = true, .min = 1,
     .max = INT32_MAX},
    {"kv_heads", VDNN_KEY_INT, offsetof(vdnn_attention_config, kv_heads), .preset_key = "heads",
     .min = 1, .max = INT32_MAX},
    {"causal", VDNN_KEY_BOOL, offsetof(vdnn_attention_config, causal), .preset = 0, .max = 1},
};

/* ---- inputs ---------------------------------------------------------------------------------- */

/* One or three, and lengths after them, which make their number even. */
static bool has_lengths(int32_t inputs)
{
    return inputs % 2 == 0;
}

static bool is_packed(int32_t inputs)
{
    return inputs <= PACKED + LENGTHS;
}

vdnn_input_rule vdnn_attention_rule_of_input(int32_t count, int32_t i)
{
    return has_lengths(count) && i == count - 1 ? VDNN_INPUT_TOKENS : VDNN_INPUT_ANY;
}

/* ---- shape ----------------------------------------------------------------------------------- */

static vdnn_attention_part part_of(const vdnn_desc *map, int input, int64_t first, int64_t width)
{
    return (vdnn_attention_part){.input = input,
                                 .positions = map->dims[VDNN_POSITIONS],
                                 .features = map->dims[VDNN_FEATURES],
                                 .first = first,
                                 .width = width};
}

vdnn_attention_shape vdnn_attention_shape_of(const vdnn_layer *layer)
{
    const vdnn_attention_config *config = layer->config;
    const vdnn_desc *x = layer->x;
    int64_t width = layer->y.dims[VDNN_FEATURES] / config->heads;
    bool is_one = is_packed(layer->input_count);
    int k = is_one ? 0 : K, v = is_one ? 0 : V;
    int64_t of_q = config->heads * width, of_k = config->kv_heads * width;
    return (vdnn_attention_shape){
        .samples = x[0].dims[VDNN_N],
        .heads = config->heads,
        .kv_heads = config->kv_heads,
        .group = config->heads / config->kv_heads,
        .queries = x[0].dims[VDNN_POSITIONS],
        .keys = x[k].dims[VDNN_POSITIONS],
        .width = width,
        .causal = config->causal,
        .q = part_of(&x[0], 0, 0, width),
        .k = part_of(&x[k], k, is_one ? of_q : 0, width),
        .v = part_of(&x[v], v, is_one ? of_q + of_k : 0, width),
        .y = part_of(&layer->y, 0, 0, width),
        .lengths = has_lengths(layer->input_count) ? layer->input_count - 1 : -1,
        .is_packed = is_one,
        .scale = (float)(1 / sqrt((double)width)),
    };
}

vdnn_attention_counts vdnn_attention_counts_of(const vdnn_attention_shape *shape, int64_t length)
{
    vdnn_attention_counts all = {shape->queries, shape->keys};
    if (shape->lengths < 0)
        return all;
    return (vdnn_attention_counts){shape->is_packed || length == 0 ? length : all.queries, length};
}

/* ---- inference ------------------------------------------------------------------------------- */

/* The width of a head, or a refusal: the features must divide into the heads. */
static vdnn_status width_of(const vdnn_layer *layer, int input, int64_t heads, int64_t *width)
{
    int64_t features = layer->x[input].dims[VDNN_FEATURES];
    *width = features / heads;
    if (features % heads == 0)
        return VDNN_OK;
    return vdnn_shape_refuse(
        layer, "input %d has %" PRId64 " features, which %" PRId64 " heads of it do not divide",
        input + 1, features, heads);
}

static vdnn_status check_packed(const vdnn_layer *layer, int64_t *width)
{
    const vdnn_attention_config *config = layer->config;
    int64_t features = layer->x[0].dims[VDNN_FEATURES];
    int64_t all = config->heads + 2 * config->kv_heads;
    *width = features / all;
    if (features % all == 0)
        return VDNN_OK;
    return vdnn_shape_refuse(layer,
                             "its input has %" PRId64 " features, which %" PRId64
                             " heads of q and %" PRId64 " each of k and v do not divide",
                             features, config->heads, config->kv_heads);
}

static vdnn_status check_separate(const vdnn_layer *layer, int64_t *width)
{
    const vdnn_attention_config *config = layer->config;
    const int64_t *q = layer->x[0].dims, *k = layer->x[K].dims, *v = layer->x[V].dims;
    int64_t of_k, of_v;
    VDNN_TRY(width_of(layer, 0, config->heads, width));
    VDNN_TRY(width_of(layer, K, config->kv_heads, &of_k));
    VDNN_TRY(width_of(layer, V, config->kv_heads, &of_v));
    if (*width != of_k || *width != of_v)
        return vdnn_shape_refuse(layer,
                                 "heads of q, k and v have %" PRId64 ", %" PRId64 " and %" PRId64
                                 " features, expected as many each",
                                 *width, of_k, of_v);
    if (k[VDNN_POSITIONS] != v[VDNN_POSITIONS])
        return vdnn_shape_refuse(
            layer, "k has %" PRId64 " positions and v %" PRId64 ", expected as many each",
            k[VDNN_POSITIONS], v[VDNN_POSITIONS]);
    if (config->causal && q[VDNN_POSITIONS] != k[VDNN_POSITIONS])
        return vdnn_shape_refuse(layer,
                                 "q has %" PRId64 " positions and k %" PRId64
                                 ", but a causal one requires as many each",
                                 q[VDNN_POSITIONS], k[VDNN_POSITIONS]);
    return VDNN_OK;
}

vdnn_status vdnn_attention_check_inputs(const vdnn_layer *layer)
{
    int32_t count = layer->input_count, sequences = has_lengths(count) ? count - 1 : count;
    for (int32_t i = 0; i < sequences; i++)
        if (!vdnn_desc_is_sequence(&layer->x[i]))
            return vdnn_shape_refuse(layer, "input %" PRId32 " is not a sequence", i + 1);
    if (!has_lengths(count))
        return VDNN_OK;
    const vdnn_desc *lengths = &layer->x[count - 1];
    if (!vdnn_desc_is_integer(lengths) || vdnn_desc_per_sample(lengths) != 1)
        return vdnn_shape_refuse(layer,
                                 "input %" PRId32 ", the lengths, has %" PRId64
                                 " elements a sample, expected one integer",
                                 count, vdnn_desc_per_sample(lengths));
    return VDNN_OK;
}

static vdnn_status infer(vdnn_layer *layer)
{
    const vdnn_attention_config *config = layer->config;
    const int64_t *q = layer->x[0].dims;
    int64_t width = 0;
    VDNN_TRY(vdnn_attention_check_inputs(layer));
    if (config->heads % config->kv_heads != 0)
        return vdnn_shape_refuse(layer,
                                 "%" PRId64 " heads are not a multiple of %" PRId64 " kv_heads",
                                 config->heads, config->kv_heads);
    VDNN_TRY(is_packed(layer->input_count) ? check_packed(layer, &width)
                                           : check_separate(layer, &width));
    const int64_t dims[VDNN_DIMS] = {q[VDNN_N], q[VDNN_POSITIONS], config->heads * width, 1};
    return vdnn_shape_set_output(layer, dims);
}

/* ---- costs ----------------------------------------------------------------------------------- */

static size_t aux_bytes(const vdnn_layer *layer)
{
    vdnn_attention_shape s = vdnn_attention_shape_of(layer);
    return (size_t)(s.samples * s.heads * s.queries) * sizeof(float);
}

/* Two products forward; backward computes the scores again and has four more. A causal one has
 * half of the scores. */
static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    enum { FORWARD = 2, BACKWARD = 5, OF_A_SCORE = 6 };
    vdnn_attention_shape s = vdnn_attention_shape_of(layer);
    double keys_of_a_query = s.causal ? (double)(s.keys + 1) / 2 : (double)s.keys;
    double scores = (double)(s.samples * s.heads * s.queries) * keys_of_a_query;
    double products = pass == VDNN_FORWARD ? FORWARD : BACKWARD;
    return scores * (2 * products * (double)s.width + OF_A_SCORE);
}

const vdnn_layer_def vdnn_attention_def = {
    .type = "attention",
    .role = VDNN_ROLE_FEATURE,
    .input_rule = VDNN_INPUT_ANY,
    .rule_of_input = vdnn_attention_rule_of_input,
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .config_bytes = sizeof(vdnn_attention_config),
    .min_inputs = 1,
    .max_inputs = SEPARATE + LENGTHS,
    .multiplies = true,
    .splits_samples = true,
    .aux_by_sample = true,
    .paper = {VDNN_NEEDS_X | VDNN_NEEDS_Y | VDNN_NEEDS_AUX},
    .lean = {VDNN_NEEDS_X | VDNN_NEEDS_Y | VDNN_NEEDS_AUX},
    .lean_if_y = {VDNN_NEEDS_X | VDNN_NEEDS_Y | VDNN_NEEDS_AUX},
    .infer = infer,
    .aux_bytes = aux_bytes,
    .flops = flops,
};
