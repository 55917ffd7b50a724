#include "layers/loss/loss_shape.h"

void vdnn_loss_shape_set_result(vdnn_layer *layer)
{
    layer->y = (vdnn_desc){
        .dims = {1, 2, 1, 1}, .rank = VDNN_VECTOR_RANK, .dtype = VDNN_F32, .layout = VDNN_NCHW};
}

void vdnn_loss_shape_set_classes(vdnn_layer *layer, int64_t ignored)
{
    const vdnn_desc *x = &layer->x[0];
    const bool is_sequence = vdnn_desc_is_sequence(x);
    layer->labels =
        (vdnn_desc){.dims = {x->dims[VDNN_N], is_sequence ? x->dims[VDNN_POSITIONS] : 1, 1, 1},
                    .rank = is_sequence ? VDNN_VECTOR_RANK : 1,
                    .dtype = VDNN_I32,
                    .layout = VDNN_NCHW,
                    .below = layer->classes};
    layer->ignored = ignored;
}
