#include "layers/stage.h"

#include "layers/cpu/native.h"
#include "runtime/base/machine/simd.h"

#include <string.h>

enum { BLOCK = VDNN_NATIVE_LANES, CHUNK = 512 };

/* ---- data types ------------------------------------------------------------------------------ */

VDNN_CPU_CLONES static void widen_bf16(const uint16_t *restrict from, float *restrict to,
                                       int64_t count)
{
    vdnn_native_cell cell;
    int64_t i = 0;
    for (; i + BLOCK <= count; i += BLOCK) {
        vdnn_native_load_cell(VDNN_BF16, from, i, &cell);
        memcpy(to + i, &cell, sizeof cell);
    }
    for (; i < count; i++)
        to[i] = vdnn_native_load(VDNN_BF16, from, i);
}

VDNN_CPU_CLONES static void narrow_bf16(const float *restrict from, uint16_t *restrict to,
                                        int64_t count)
{
    vdnn_native_cell cell;
    int64_t i = 0;
    for (; i + BLOCK <= count; i += BLOCK) {
        memcpy(&cell, from + i, sizeof cell);
        vdnn_native_store_cell(VDNN_BF16, to, i, &cell);
    }
    for (; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &from[i], sizeof bits);
        uint32_t rounded = (bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16;
        uint32_t quiet = bits >> 16 | 0x40U;
        to[i] = (uint16_t)((bits & 0x7FFFFFFFU) > 0x7F800000U ? quiet : rounded);
    }
}

void vdnn_stage_widen(vdnn_dtype dtype, const void *from, float *to, int64_t count)
{
    if (dtype == VDNN_BF16)
        widen_bf16(from, to, count);
    else
        memcpy(to, from, (size_t)count * sizeof *to);
}

void vdnn_stage_narrow(vdnn_dtype dtype, const float *from, void *to, int64_t count)
{
    if (dtype == VDNN_BF16)
        narrow_bf16(from, to, count);
    else
        memcpy(to, from, (size_t)count * sizeof *from);
}

/* ---- layouts --------------------------------------------------------------------------------- */

/* to[i * to_stride + k] = from[k * from_stride + i], for 4 x 4. */
static inline void transpose_four(const float *from, int64_t from_stride, float *to,
                                  int64_t to_stride)
{
#if VDNN_SIMD_X86
    __m128 rows[4];
    for (int k = 0; k < 4; k++)
        rows[k] = _mm_loadu_ps(from + k * from_stride);
    _MM_TRANSPOSE4_PS(rows[0], rows[1], rows[2], rows[3]);
    for (int k = 0; k < 4; k++)
        _mm_storeu_ps(to + k * to_stride, rows[k]);
#else
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            to[i * to_stride + k] = from[k * from_stride + i];
#endif
}

/* The same for `rows` values of k and `columns` of i. */
static void transpose(const float *from, int64_t from_stride, int64_t rows, int64_t columns,
                      float *to, int64_t to_stride)
{
    int64_t whole_rows = rows / 4 * 4, whole_columns = columns / 4 * 4;
    for (int64_t k = 0; k < whole_rows; k += 4)
        for (int64_t i = 0; i < whole_columns; i += 4)
            transpose_four(from + k * from_stride + i, from_stride, to + i * to_stride + k,
                           to_stride);
    for (int64_t k = 0; k < rows; k++)
        for (int64_t i = k < whole_rows ? whole_columns : 0; i < columns; i++)
            to[i * to_stride + k] = from[k * from_stride + i];
}

/* Cells in chunks that stay in the first-level cache, each chunk of a block's channels at once. */
static void load_block(const vdnn_desc *desc, const char *from, int64_t channels, float *plain)
{
    int64_t cells = desc->dims[VDNN_H] * desc->dims[VDNN_W], run = CHUNK / BLOCK;
    float buffer[CHUNK];
    for (int64_t i = 0; i < cells; i += run) {
        int64_t count = cells - i < run ? cells - i : run;
        const char *cell = from + (size_t)(i * BLOCK) * vdnn_dtype_bytes(desc->dtype);
        const float *wide = (const float *)(const void *)cell;
        if (desc->dtype != VDNN_F32) {
            vdnn_stage_widen(desc->dtype, cell, buffer, count * BLOCK);
            wide = buffer;
        }
        transpose(wide, BLOCK, count, channels, plain + i, cells);
    }
}

static void store_block(const vdnn_desc *desc, char *to, int64_t channels, const float *plain)
{
    int64_t cells = desc->dims[VDNN_H] * desc->dims[VDNN_W], run = CHUNK / BLOCK;
    size_t element = vdnn_dtype_bytes(desc->dtype);
    float wide[CHUNK] = {0};
    for (int64_t i = 0; i < cells; i += run) {
        int64_t count = cells - i < run ? cells - i : run;
        transpose(plain + i, cells, channels, count, wide, BLOCK);
        vdnn_stage_narrow(desc->dtype, wide, to + (size_t)(i * BLOCK) * element, count * BLOCK);
    }
}

static const char *sample_of(const vdnn_desc *desc, const void *map, int64_t sample)
{
    int64_t stored = vdnn_desc_channels(desc) * desc->dims[VDNN_H] * desc->dims[VDNN_W];
    return (const char *)map + (size_t)(sample * stored) * vdnn_dtype_bytes(desc->dtype);
}

static void load_last(const vdnn_desc *desc, const char *from, float *plain)
{
    int64_t cells = desc->dims[VDNN_H] * desc->dims[VDNN_W], stored = vdnn_desc_channels(desc);
    size_t element = vdnn_dtype_bytes(desc->dtype);
    for (int64_t i = 0; i < cells; i++)
        for (int64_t c = 0; c < desc->dims[VDNN_C]; c++)
            vdnn_stage_widen(desc->dtype, from + (size_t)(i * stored + c) * element,
                             &plain[c * cells + i], 1);
}

static void store_last(const vdnn_desc *desc, char *to, const float *plain)
{
    static const float padding = 0;
    int64_t cells = desc->dims[VDNN_H] * desc->dims[VDNN_W], stored = vdnn_desc_channels(desc);
    size_t element = vdnn_dtype_bytes(desc->dtype);
    for (int64_t i = 0; i < cells; i++)
        for (int64_t c = 0; c < stored; c++)
            vdnn_stage_narrow(desc->dtype,
                              c < desc->dims[VDNN_C] ? &plain[c * cells + i] : &padding,
                              to + (size_t)(i * stored + c) * element, 1);
}

static int64_t channels_in_block(const vdnn_desc *desc, int64_t first)
{
    int64_t left = desc->dims[VDNN_C] - first;
    return left < BLOCK ? left : BLOCK;
}

void vdnn_stage_load(const vdnn_desc *desc, const void *map, int64_t sample, float *plain)
{
    const char *from = sample_of(desc, map, sample);
    int64_t cells = desc->dims[VDNN_H] * desc->dims[VDNN_W], channels = desc->dims[VDNN_C];
    size_t element = vdnn_dtype_bytes(desc->dtype);
    if (vdnn_layout_is_nhwc(desc->layout))
        load_last(desc, from, plain);
    else if (desc->layout == VDNN_NCHW)
        vdnn_stage_widen(desc->dtype, from, plain, channels * cells);
    else
        for (int64_t c = 0; c < channels; c += BLOCK)
            load_block(desc, from + (size_t)(c * cells) * element, channels_in_block(desc, c),
                       plain + c * cells);
}

void vdnn_stage_store(const vdnn_desc *desc, void *map, int64_t sample, const float *plain)
{
    char *to = (char *)map + (sample_of(desc, map, sample) - (const char *)map);
    int64_t cells = desc->dims[VDNN_H] * desc->dims[VDNN_W], channels = desc->dims[VDNN_C];
    size_t element = vdnn_dtype_bytes(desc->dtype);
    if (vdnn_layout_is_nhwc(desc->layout))
        store_last(desc, to, plain);
    else if (desc->layout == VDNN_NCHW)
        vdnn_stage_narrow(desc->dtype, plain, to, channels * cells);
    else
        for (int64_t c = 0; c < channels; c += BLOCK)
            store_block(desc, to + (size_t)(c * cells) * element, channels_in_block(desc, c),
                        plain + c * cells);
}

/* ---- parameters ------------------------------------------------------------------------------ */

static int64_t blocks_of(int64_t count)
{
    return (count + BLOCK - 1) / BLOCK;
}

/* Cells of a kernel. */
static int64_t taps_of(const vdnn_param *param)
{
    int64_t taps = 1;
    for (int d = 2; d < param->dim_count; d++)
        taps *= param->dims[d];
    return taps;
}

/* The position of weight (o, i, tap) in blocks. */
static int64_t blocked_place(const vdnn_param *param, int64_t o, int64_t i, int64_t tap)
{
    int64_t taps = taps_of(param);
    int64_t block = (o / BLOCK * blocks_of(param->dims[1]) + i / BLOCK) * taps + tap;
    return (block * BLOCK + i % BLOCK) * BLOCK + o % BLOCK;
}

void vdnn_stage_pack(const vdnn_param *param, const float *plain, void *packed)
{
    float *to = packed;
    int64_t taps = taps_of(param);
    if (param->layout == VDNN_PARAM_PLAIN) {
        memcpy(to, plain, param->bytes);
        return;
    }
    memset(to, 0, param->bytes);
    for (int64_t o = 0; o < param->dims[0]; o++)
        for (int64_t i = 0; i < param->dims[1]; i++)
            for (int64_t tap = 0; tap < taps; tap++)
                to[blocked_place(param, o, i, tap)] = *plain++;
}

void vdnn_stage_unpack(const vdnn_param *param, const void *packed, float *plain)
{
    const float *from = packed;
    int64_t taps = taps_of(param);
    if (param->layout == VDNN_PARAM_PLAIN) {
        memcpy(plain, from, param->bytes);
        return;
    }
    for (int64_t o = 0; o < param->dims[0]; o++)
        for (int64_t i = 0; i < param->dims[1]; i++)
            for (int64_t tap = 0; tap < taps; tap++)
                *plain++ = from[blocked_place(param, o, i, tap)];
}
