#include "layers/shape.h"

/* A sample's elements in the order of memory as one vector: of a sequence position after position,
 * of a picture channel after channel. */
static vdnn_status infer(vdnn_layer *layer)
{
    const vdnn_desc *x = &layer->x[0];
    const int64_t dims[VDNN_DIMS] = {x->dims[VDNN_N], vdnn_desc_per_sample(x), 1, 1};
    return vdnn_shape_set_ranked(layer, VDNN_VECTOR_RANK, dims);
}

static double flops(const vdnn_layer *layer, vdnn_pass pass)
{
    (void)layer;
    (void)pass;
    return 0;
}

const vdnn_layer_def vdnn_flatten_def = {
    .type = "flatten",
    .role = VDNN_ROLE_ACTIVATION,
    .input_rule = VDNN_INPUT_ANY,
    .min_inputs = 1,
    .max_inputs = 1,
    .recompute_is_cheap = true,
    .in_place = true,
    .splits_samples = true,
    .infer = infer,
    .flops = flops,
};
