#include "layers/native.h"

int64_t vdnn_native_blocks(int64_t count)
{
    return (count + VDNN_NATIVE_BLOCK - 1) / VDNN_NATIVE_BLOCK;
}

vdnn_native_range vdnn_native_block(int64_t block, int64_t count)
{
    int64_t begin = block * VDNN_NATIVE_BLOCK;
    int64_t end = begin + VDNN_NATIVE_BLOCK;
    return (vdnn_native_range){begin, end < count ? end : count};
}

const char *vdnn_native_refusal(const vdnn_layer *layer, vdnn_pass pass)
{
    (void)pass;
    for (int32_t i = 0; i < layer->input_count; i++) {
        if (layer->x[i].dtype != VDNN_F32)
            return "the data type of an input is not f32";
        if (layer->x[i].layout != VDNN_NCHW)
            return "the layout of an input is not nchw";
    }
    return NULL;
}
