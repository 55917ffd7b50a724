#include "layers/attention/additive_attention.h"

#include "layers/shape.h"

#include <inttypes.h>
#include <math.h>

enum { Q, K, V, LENGTHS, INPUTS };

static vdnn_attention_part part_of(const vdnn_desc *map, int input)
{
    return (vdnn_attention_part){.input = input,
                                 .positions = map->dims[VDNN_POSITIONS],
                                 .features = map->dims[VDNN_FEATURES],
                                 .width = map->dims[VDNN_FEATURES]};
}

vdnn_attention_shape vdnn_additive_attention_shape_of(const vdnn_layer *layer)
{
    const vdnn_desc *x = layer->x;
    return (vdnn_attention_shape){.samples = x[Q].dims[VDNN_N],
                                  .heads = 1,
                                  .kv_heads = 1,
                                  .group = 1,
                                  .queries = x[Q].dims[VDNN_POSITIONS],
                                  .keys = x[K].dims[VDNN_POSITIONS],
                                  .width = x[Q].dims[VDNN_FEATURES],
                                  .q = part_of(&x[Q], Q),
                                  .k = part_of(&x[K], K),
                                  .v = part_of(&x[V], V),
                                  .y = part_of(&layer->y, 0),
                                  .lengths = layer->input_count > LENGTHS ? LENGTHS : -1,
                                  .scale = 1};
}

static vdnn_status check_shapes(const vdnn_layer *layer)
{
    const int64_t *q = layer->x[Q].dims, *k = layer->x[K].dims, *v = layer->x[V].dims;
    if (q[VDNN_FEATURES] != k[VDNN_FEATURES])
        return vdnn_shape_refuse(
            layer, "q has %" PRId64 " features and k %" PRId64 ", expected as many each",
            q[VDNN_FEATURES], k[VDNN_FEATURES]);
    if (k[VDNN_POSITIONS] != v[VDNN_POSITIONS])
        return vdnn_shape_refuse(
            layer, "k has %" PRId64 " positions and v %" PRId64 ", expected as many each",
            k[VDNN_POSITIONS], v[VDNN_POSITIONS]);
    const vdnn_desc scores = {.dims = {q[VDNN_N], q[VDNN_POSITIONS], k[VDNN_POSITIONS], 1},
                              .rank = VDNN_SEQUENCE_RANK};
    return vdnn_desc_check(&scores)
               ? VDNN_OK
               : vdnn_shape_refuse(layer, "its scores are larger than any memory");
}

/* The scale begins with what keeps the scores' variance, as if their terms were independent. */
static vdnn_status infer(vdnn_layer *layer)
{
    VDNN_TRY(vdnn_attention_check_inputs(layer));
    VDNN_TRY(check_shapes(layer));
    const int64_t *q = layer->x[Q].dims, width = q[VDNN_FEATURES];
    const int64_t dims[VDNN_DIMS] = {q[VDNN_N], q[VDNN_POSITIONS], layer->x[V].dims[VDNN_FEATURES],
                                     1};
    VDNN_TRY(vdnn_shape_set_output(layer, dims));
    const vdnn_param params[] = {
        [VDNN_ADDITIVE_WEIGHT] = {.name = "weight", .dims = {width}, .fan_in = width, .fan_out = 1},
        [VDNN_ADDITIVE_BIAS] = {.name = "bias", .dims = {width}, .is_bias = true},
        [VDNN_ADDITIVE_SCALE] = {.name = "scale", .dims = {1}, .fill = sqrt(1 / (double)width)},
    };
    for (size_t i = 0; i < sizeof params / sizeof *params; i++) {
        vdnn_param param = params[i];
        param.dim_count = 1;
        param.trainable = true;
        VDNN_TRY(vdnn_shape_add_param(layer, &param));
    }
    return VDNN_OK;
}

static size_t aux_bytes(const vdnn_layer *layer)
{
    const vdnn_attention_shape s = vdnn_additive_attention_shape_of(layer);
    return (size_t)(s.samples * s.queries * s.keys) * sizeof(float);
}

/* Of each score: tanh and what it is multiplied by, or, in backward, what its gradient adds to;
 * and the products with v. */
static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    enum { FORWARD = 23, BACKWARD = 28, OF_A_SCORE = 6 };
    const vdnn_attention_shape s = vdnn_additive_attention_shape_of(layer);
    double of_width = pass == VDNN_FORWARD ? FORWARD : BACKWARD;
    double products = pass == VDNN_FORWARD ? 2 : pass == VDNN_BACKWARD_DATA ? 4 : 2;
    return (double)(s.samples * s.queries * s.keys) *
           (of_width * (double)s.width + products * (double)s.v.width + OF_A_SCORE);
}

#define NEEDS (VDNN_NEEDS_X | VDNN_NEEDS_W | VDNN_NEEDS_AUX)

const vdnn_layer_def vdnn_additive_attention_def = {
    .type = "additive_attention",
    .role = VDNN_ROLE_FEATURE,
    .input_rule = VDNN_INPUT_ANY,
    .rule_of_input = vdnn_attention_rule_of_input,
    .joint = true,
    .min_inputs = LENGTHS,
    .max_inputs = INPUTS,
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
