#include "layers/weight_copy.h"

/* A group's channels are between those of others, without padding. */
vdnn_weight_copy vdnn_weight_copy_of(const vdnn_layer *layer)
{
    const vdnn_param *weight = &layer->params[0];
    const vdnn_desc *x = &layer->x[0];
    vdnn_weight_copy copy = {.channels = weight->dims[1],
                             .is_narrow = vdnn_dtype_bytes(layer->y.dtype) == 2};
    copy.stored = copy.channels == x->dims[VDNN_C] ? vdnn_desc_channels(x) : copy.channels;
    copy.taps = weight->count / (weight->dims[0] * copy.channels);
    copy.count = weight->dims[0] * copy.taps * copy.stored;
    copy.is_turned = layer->y.layout == VDNN_NHWC && (copy.taps > 1 || copy.stored > copy.channels);
    return copy;
}

size_t vdnn_weight_copy_bytes(const vdnn_layer *layer)
{
    if (!layer->def->copies_weight)
        return 0;
    vdnn_weight_copy copy = vdnn_weight_copy_of(layer);
    if (!copy.is_turned && !copy.is_narrow)
        return 0;
    return (size_t)copy.count * vdnn_dtype_bytes(copy.is_narrow ? VDNN_BF16 : VDNN_F32);
}
