#ifndef VDNN_LAYERS_CPU_NATIVE_H
#define VDNN_LAYERS_CPU_NATIVE_H

/* Shared by the plain C kernels of the CPU.
 *
 * Invariant: a result depends neither on the thread count nor on the instruction set: no value
 * crosses a boundary between work items, and floating-point contraction is off.
 * Threads: OpenMP inside; a kernel is called by one thread at a time.
 *
 *     #pragma omp parallel for num_threads(threads)
 *     for (int64_t block = 0; block < vdnn_native_blocks(count); block++)
 *         scale(y, vdnn_native_block(block, count));
 *     VDNN_CPU_CLONES static void scale(float *y, vdnn_native_range range) { ... }
 *
 * Kernels that work element by element process all stored elements, padding too, in any layout:
 * zeros stay zeros. Others treat a map as planes of cells, each with a number of lanes: the 16
 * channels of a block in nChw16c, one in nchw.
 */

#include "layers/layer.h"
#include "runtime/base/clones.h"

#include <string.h>

/* For loops that are written once and compiled for each constant argument. */
#define VDNN_NATIVE_INLINE static inline __attribute__((always_inline))

enum {
    VDNN_NATIVE_LANES = 16,  /* of a cell in nChw16c */
    VDNN_NATIVE_BLOCK = 1024 /* elements; a multiple of 8, so that mask bytes have one writer */
};

typedef struct vdnn_native_range {
    int64_t begin, end;
} vdnn_native_range;

int64_t vdnn_native_blocks(int64_t count);
vdnn_native_range vdnn_native_block(int64_t block, int64_t count);

/* The address of element `i` of a map. */
static inline void *vdnn_native_at(vdnn_dtype dtype, void *map, int64_t i)
{
    return (char *)map + (size_t)i * vdnn_dtype_bytes(dtype);
}

static inline const void *vdnn_native_const_at(vdnn_dtype dtype, const void *map, int64_t i)
{
    return (const char *)map + (size_t)i * vdnn_dtype_bytes(dtype);
}

/* Elements of a map as f32: in place, or widened into `buffer`. */
const float *vdnn_native_read(vdnn_dtype dtype, const void *map, vdnn_native_range range,
                              float *buffer);

/* Where to write elements of a map as f32: in place, or `buffer`; and the end of it, which rounds
 * the buffer into the map. */
float *vdnn_native_write_begin(vdnn_dtype dtype, void *map, vdnn_native_range range, float *buffer);
void vdnn_native_write_end(vdnn_dtype dtype, void *map, vdnn_native_range range,
                           const float *buffer);

/* Element `i` of a map, where `dtype` is a constant to the compiler. */
VDNN_NATIVE_INLINE float vdnn_native_load(vdnn_dtype dtype, const void *map, int64_t i)
{
    if (dtype == VDNN_F32)
        return ((const float *)map)[i];
    uint32_t bits = (uint32_t)((const uint16_t *)map)[i] << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A cell of nChw16c as a vector, which compilers lower to those of the processor: of loops over
 * lanes of 16 bits gcc makes two vectors, and joins them through memory. A comparison of words is
 * all ones in a lane where it holds. */
typedef float vdnn_native_cell __attribute__((vector_size(4 * VDNN_NATIVE_LANES)));
typedef uint32_t vdnn_native_words __attribute__((vector_size(4 * VDNN_NATIVE_LANES)));
typedef uint16_t vdnn_native_halves __attribute__((vector_size(2 * VDNN_NATIVE_LANES)));

/* All ones in lanes that hold NaN. */
VDNN_NATIVE_INLINE void vdnn_native_find_nan(const vdnn_native_cell *cell, vdnn_native_words *found)
{
    /* NOLINTNEXTLINE(misc-redundant-expression): NaN alone differs from itself */
    *found = (vdnn_native_words)(*cell != *cell);
}

/* The cell that begins with element `i` of a map, and back; `dtype` is a constant to the compiler.
 * Rounds as vdnn_stage_narrow does. */
VDNN_NATIVE_INLINE void vdnn_native_load_cell(vdnn_dtype dtype, const void *map, int64_t i,
                                              vdnn_native_cell *cell)
{
    if (dtype == VDNN_F32) {
        memcpy(cell, (const float *)map + i, sizeof *cell);
        return;
    }
    vdnn_native_halves halves;
    memcpy(&halves, (const uint16_t *)map + i, sizeof halves);
    *cell = (vdnn_native_cell)(__builtin_convertvector(halves, vdnn_native_words) << 16);
}

VDNN_NATIVE_INLINE void vdnn_native_store_cell(vdnn_dtype dtype, void *map, int64_t i,
                                               const vdnn_native_cell *cell)
{
    if (dtype == VDNN_F32) {
        memcpy((float *)map + i, cell, sizeof *cell);
        return;
    }
    const vdnn_native_words bits = (vdnn_native_words)*cell, high = bits >> 16;
    const vdnn_native_words rounded = (bits + 0x7FFFU + (high & 1U)) >> 16;
    vdnn_native_words nan;
    vdnn_native_find_nan(cell, &nan);
    const vdnn_native_halves halves =
        __builtin_convertvector((nan & (high | 0x40U)) | (~nan & rounded), vdnn_native_halves);
    memcpy((uint16_t *)map + i, &halves, sizeof halves);
}

/* A map as planes: nchw has N * C of one lane, nChw16c N * C / 16 of 16. */
static inline int64_t vdnn_native_lanes(const vdnn_desc *desc)
{
    return desc->layout == VDNN_NCHW16C ? VDNN_NATIVE_LANES : 1;
}

static inline int64_t vdnn_native_planes(const vdnn_desc *desc)
{
    return desc->dims[VDNN_N] * vdnn_desc_channels(desc) / vdnn_native_lanes(desc);
}

/* For a mask of one bit per element and a range that begins at a whole byte of it: to[i] = scale *
 * from[i] where bit i is set, else +0. `to` may be `from`; both begin with element range.begin. */
void vdnn_native_select(const uint8_t *mask, float scale, const float *from, float *to,
                        vdnn_native_range range);

/* Why a plain kernel does not support this layer: it supports f32 and bf16, in nchw and, except for
 * the second, in nChw16c. */
const char *vdnn_native_refusal(const vdnn_kernel *kernel);
const char *vdnn_native_refusal_blocked(const vdnn_kernel *kernel);

#endif
