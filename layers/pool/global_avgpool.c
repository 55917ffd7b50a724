#include "layers/shape.h"

/* The mean over a picture's cells, or a sequence's positions. */
static vdnn_status infer(vdnn_layer *layer)
{
    const vdnn_desc *x = &layer->x[0];
    const bool is_sequence = vdnn_desc_is_sequence(x);
    const int64_t dims[VDNN_DIMS] = {x->dims[VDNN_N], x->dims[VDNN_FEATURES], 1, 1};
    const int64_t cell[VDNN_SIDES] = {1, 1, 1};
    return is_sequence ? vdnn_shape_set_ranked(layer, VDNN_VECTOR_RANK, dims)
                       : vdnn_shape_set_sides(layer, x->dims[VDNN_C], cell);
}

/* The mean over positions, of which y has none. */
static vdnn_channel_rule channel_rule(const vdnn_layer *layer)
{
    if (vdnn_desc_is_sequence(&layer->x[0]))
        return (vdnn_channel_rule){.unit = 0};
    return vdnn_shape_same_channels(layer);
}

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    (void)pass;
    return (double)vdnn_desc_count(&layer->x[0]);
}

/* As for every pooling layer, the paper keeps X and Y. */
const vdnn_layer_def vdnn_global_avgpool_def = {
    .type = "global_avgpool",
    .role = VDNN_ROLE_FEATURE,
    .layout_rule = VDNN_LAYOUT_TO_PLAIN,
    .input_rule = VDNN_INPUT_ANY,
    .min_inputs = 1,
    .max_inputs = 1,
    .splits_samples = true,
    .channel_rule = channel_rule,
    .paper = {VDNN_NEEDS_X | VDNN_NEEDS_Y},
    .infer = infer,
    .flops = flops,
};
