#include "layers/shape.h"

#include <inttypes.h>

/* The vectors of each position, one after the other. */
static vdnn_status infer_sequence(vdnn_layer *layer)
{
    const vdnn_desc *first = &layer->x[0];
    int64_t dims[VDNN_DIMS] = {first->dims[VDNN_N], first->dims[VDNN_POSITIONS], 0, 1};
    for (int32_t i = 0; i < layer->input_count; i++) {
        const vdnn_desc *x = &layer->x[i];
        if (!vdnn_desc_is_sequence(x))
            return vdnn_shape_refuse(layer, "input %d is no sequence but the first is", i + 1);
        if (x->dims[VDNN_POSITIONS] != dims[VDNN_POSITIONS])
            return vdnn_shape_refuse(layer,
                                     "input %d has %" PRId64 " positions but the first has %" PRId64
                                     " (they must be equal)",
                                     i + 1, x->dims[VDNN_POSITIONS], dims[VDNN_POSITIONS]);
        if (__builtin_add_overflow(dims[VDNN_FEATURES], x->dims[VDNN_FEATURES],
                                   &dims[VDNN_FEATURES]))
            return vdnn_shape_refuse(layer, "its vectors together are longer than 2^63");
    }
    return vdnn_shape_set_output(layer, dims);
}

static vdnn_status refuse_sides(const vdnn_layer *layer, int32_t i)
{
    char own[VDNN_SIDES_TEXT], other[VDNN_SIDES_TEXT];
    int64_t sides[VDNN_SIDES], first[VDNN_SIDES];
    vdnn_desc_sides(&layer->x[i], sides);
    vdnn_desc_sides(&layer->x[0], first);
    if (vdnn_desc_is_volume(&layer->x[i]) != vdnn_desc_is_volume(&layer->x[0]))
        return vdnn_shape_refuse(layer, "input %d and the first are a volume and a picture", i + 1);
    return vdnn_shape_refuse(
        layer, "input %d is %s but the first is %s (%sheight x width must be equal)", i + 1,
        vdnn_shape_sides_text(layer, sides, own), vdnn_shape_sides_text(layer, first, other),
        vdnn_desc_is_volume(&layer->x[0]) ? "depth x " : "");
}

static vdnn_status infer(vdnn_layer *layer)
{
    const vdnn_desc *first = &layer->x[0];
    int64_t dims[VDNN_DIMS] = {first->dims[VDNN_N], 0, first->dims[VDNN_H], first->dims[VDNN_W]};
    if (vdnn_desc_is_sequence(first))
        return infer_sequence(layer);
    for (int32_t i = 0; i < layer->input_count; i++) {
        const vdnn_desc *x = &layer->x[i];
        if (vdnn_desc_is_sequence(x))
            return vdnn_shape_refuse(layer, "input %d is a sequence but the first is none", i + 1);
        if (!vdnn_shape_has_sides(x, first))
            return refuse_sides(layer, i);
        if (__builtin_add_overflow(dims[VDNN_C], x->dims[VDNN_C], &dims[VDNN_C]))
            return vdnn_shape_refuse(layer, "its channels together are more than 2^63");
    }
    return vdnn_shape_set_output(layer, dims);
}

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    (void)layer;
    (void)pass;
    return 0;
}

const vdnn_layer_def vdnn_concat_def = {
    .type = "concat",
    .role = VDNN_ROLE_FEATURE,
    .layout_rule = VDNN_LAYOUT_SAME,
    .input_rule = VDNN_INPUT_ANY,
    .min_inputs = 1,
    .max_inputs = 0,
    .recompute_is_cheap = true,
    .splits_samples = true,
    .infer = infer,
    .flops = flops,
};
