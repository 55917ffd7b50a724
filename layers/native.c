#include "layers/native.h"

#include <string.h>

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

/* Ands the bits of eight products with all ones or zeros: random masks would mislead a branch. */
static inline void select_eight(unsigned bits, float scale, const float *from, float *to)
{
    float products[8];
    uint32_t words[8];
    for (int lane = 0; lane < 8; lane++)
        products[lane] = scale * from[lane];
    memcpy(words, products, sizeof words);
    for (unsigned lane = 0; lane < 8; lane++)
        words[lane] &= 0U - (bits >> lane & 1U);
    memcpy(to, words, sizeof words);
}

VDNN_NATIVE_CLONES void vdnn_native_select(const uint8_t *mask, float scale, const float *from,
                                           float *to, vdnn_native_range range)
{
    int64_t i = range.begin;
    for (; i + 8 <= range.end; i += 8)
        select_eight(mask[i / 8], scale, from + i, to + i);
    for (; i < range.end; i++)
        to[i] = mask[i / 8] >> (i % 8) & 1 ? scale * from[i] : 0.0F;
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
