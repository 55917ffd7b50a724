#include "layers/cpu/native.h"

#include "layers/stage.h"

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

/* ---- data types ------------------------------------------------------------------------------ */

const float *vdnn_native_read(vdnn_dtype dtype, const void *map, vdnn_native_range range,
                              float *buffer)
{
    const void *from = vdnn_native_const_at(dtype, map, range.begin);
    if (dtype == VDNN_F32)
        return from;
    vdnn_stage_widen(dtype, from, buffer, range.end - range.begin);
    return buffer;
}

float *vdnn_native_write_begin(vdnn_dtype dtype, void *map, vdnn_native_range range, float *buffer)
{
    return dtype == VDNN_F32 ? vdnn_native_at(dtype, map, range.begin) : buffer;
}

void vdnn_native_write_end(vdnn_dtype dtype, void *map, vdnn_native_range range,
                           const float *buffer)
{
    if (dtype != VDNN_F32)
        vdnn_stage_narrow(dtype, buffer, vdnn_native_at(dtype, map, range.begin),
                          range.end - range.begin);
}

/* ---- masks ----------------------------------------------------------------------------------- */

/* Both sides of the choice are computed: random masks would mislead a branch. */
VDNN_CPU_CLONES void vdnn_native_select(const uint8_t *mask, float scale, const float *from,
                                        float *to, vdnn_native_range range)
{
    int64_t i = 0, count = range.end - range.begin;
    mask += range.begin / 8;
    for (; i + 16 <= count; i += 16) {
        uint32_t bits = mask[i / 8] | (uint32_t)mask[i / 8 + 1] << 8;
#pragma omp simd
        for (uint32_t lane = 0; lane < 16; lane++) {
            float scaled = scale * from[i + lane];
            to[i + lane] = bits & 1U << lane ? scaled : 0.0F;
        }
    }
    for (; i < count; i++)
        to[i] = mask[i / 8] >> (i % 8) & 1 ? scale * from[i] : 0.0F;
}

/* ---- what applies ---------------------------------------------------------------------------- */

const char *vdnn_native_refusal_blocked(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    for (int32_t i = 0; i < layer->input_count; i++) {
        if (layer->x[i].dtype != VDNN_F32 && layer->x[i].dtype != VDNN_BF16)
            return "the data type of an input is neither f32 nor bf16";
        if (layer->x[i].layout != layer->x[0].layout)
            return "its inputs have different layouts";
        if (layer->x[i].layout != VDNN_NCHW && layer->x[i].layout != VDNN_NCHW16C)
            return "the layout of an input is neither nchw nor nChw16c";
    }
    return NULL;
}

const char *vdnn_native_refusal(const vdnn_kernel *kernel)
{
    if (kernel->layer->x[0].layout != VDNN_NCHW)
        return "the layout of an input is not nchw";
    return vdnn_native_refusal_blocked(kernel);
}
