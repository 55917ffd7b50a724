#include "layers/pool_rows.h"

#include <math.h>

/* Pooling in nChw16c: a row is made cell by cell, all lanes of one at once, from left to right, so
 * that each row of the other map is read from left to right too. */

enum { LANES = VDNN_NATIVE_LANES };

/* The part of a window that lies inside the input. */
typedef struct window {
    int64_t top, bottom, left, right; /* of the window: kh, kw */
    int64_t place;                    /* in x of its cell (0, 0), which may lie outside */
} window;

static inline window window_at(const vdnn_pool_shape *shape, int64_t plane, int64_t row,
                               int64_t column)
{
    int64_t h = row * shape->stride_h - shape->pad_h, w = column * shape->stride_w - shape->pad_w;
    return (window){.top = vdnn_pool_first_kh(shape, row),
                    .bottom = vdnn_pool_end_kh(shape, row),
                    .left = vdnn_pool_larger(0, -w),
                    .right = vdnn_pool_smaller(shape->kernel_w, shape->in_w - w),
                    .place = ((plane * shape->in_h + h) * shape->in_w + w) * LANES};
}

static inline int64_t output_place(const vdnn_pool_shape *shape, int64_t plane, int64_t row)
{
    return (plane * shape->out_h + row) * shape->out_w * LANES;
}

/* ---- maximum --------------------------------------------------------------------------------- */

/* Takes a cell where it is larger, or NaN: so the first of equals wins, a NaN over everything. */
VDNN_NATIVE_INLINE void take_larger(vdnn_dtype dtype, const void *x, int64_t i, uint32_t cell,
                                    float *restrict best, uint32_t *restrict index)
{
#pragma omp simd
    for (int lane = 0; lane < LANES; lane++) {
        float value = vdnn_native_load(dtype, x, i + lane);
        bool takes = (value > best[lane]) | (value != value);
        best[lane] = takes ? value : best[lane];
        index[lane] = takes ? cell : index[lane];
    }
}

VDNN_NATIVE_INLINE void find_largest(vdnn_dtype dtype, const vdnn_pool_shape *shape, const void *x,
                                     const window *at, float *best, uint32_t *index)
{
    uint32_t first = (uint32_t)(at->top * shape->kernel_w + at->left);
#pragma omp simd
    for (int lane = 0; lane < LANES; lane++) {
        best[lane] = -INFINITY;
        index[lane] = first;
    }
    for (int64_t kh = at->top; kh < at->bottom; kh++)
        for (int64_t kw = at->left; kw < at->right; kw++)
            take_larger(dtype, x, at->place + (kh * shape->in_w + kw) * LANES,
                        (uint32_t)(kh * shape->kernel_w + kw), best, index);
}

VDNN_NATIVE_INLINE void store_index(size_t bytes, void *argmax, int64_t i, const uint32_t *index)
{
    if (bytes != 1) {
        memcpy((uint32_t *)argmax + i, index, LANES * sizeof *index);
        return;
    }
    uint8_t *narrow = (uint8_t *)argmax + i;
#pragma omp simd
    for (int lane = 0; lane < LANES; lane++)
        narrow[lane] = (uint8_t)index[lane];
}

VDNN_NATIVE_INLINE void max_row(vdnn_dtype dtype, size_t index_bytes, const vdnn_pool_shape *shape,
                                const void *x, int64_t plane, int64_t row, void *y, void *argmax,
                                int64_t argmax_plane)
{
    int64_t to = output_place(shape, plane, row);
    int64_t argmax_to = output_place(shape, argmax_plane, row);
    for (int64_t column = 0; column < shape->out_w; column++) {
        window at = window_at(shape, plane, row, column);
        float best[LANES];
        uint32_t index[LANES];
        find_largest(dtype, shape, x, &at, best, index);
        if (y != NULL)
            vdnn_native_store_lanes(dtype, y, to + column * LANES, best);
        if (argmax != NULL)
            store_index(index_bytes, argmax, argmax_to + column * LANES, index);
    }
}

VDNN_NATIVE_CLONES static void max_of_any(const vdnn_pool_shape *shape, const void *x,
                                          int64_t plane, int64_t row, void *y, void *argmax,
                                          int64_t argmax_plane)
{
    if (shape->index_bytes != 1 && shape->dtype == VDNN_F32)
        max_row(VDNN_F32, 4, shape, x, plane, row, y, argmax, argmax_plane);
    else if (shape->index_bytes != 1)
        max_row(VDNN_BF16, 4, shape, x, plane, row, y, argmax, argmax_plane);
    else if (shape->dtype == VDNN_F32)
        max_row(VDNN_F32, 1, shape, x, plane, row, y, argmax, argmax_plane);
    else
        max_row(VDNN_BF16, 1, shape, x, plane, row, y, argmax, argmax_plane);
}

/* ---- mean ------------------------------------------------------------------------------------ */

VDNN_NATIVE_INLINE void add_cell(vdnn_dtype dtype, const void *map, int64_t i, float *restrict sum)
{
#pragma omp simd
    for (int lane = 0; lane < LANES; lane++)
        sum[lane] += vdnn_native_load(dtype, map, i + lane);
}

VDNN_NATIVE_INLINE void average_row(vdnn_dtype dtype, const vdnn_pool_shape *shape, const void *x,
                                    int64_t plane, int64_t row, void *y)
{
    int64_t to = output_place(shape, plane, row);
    for (int64_t column = 0; column < shape->out_w; column++) {
        window at = window_at(shape, plane, row, column);
        float sum[LANES] = {0}, factor = vdnn_pool_factor(shape, row, column);
        for (int64_t kh = at.top; kh < at.bottom; kh++)
            for (int64_t kw = at.left; kw < at.right; kw++)
                add_cell(dtype, x, at.place + (kh * shape->in_w + kw) * LANES, sum);
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++)
            sum[lane] *= factor;
        vdnn_native_store_lanes(dtype, y, to + column * LANES, sum);
    }
}

VDNN_NATIVE_CLONES static void average_of_any(const vdnn_pool_shape *shape, const void *x,
                                              int64_t plane, int64_t row, void *y)
{
    if (shape->dtype == VDNN_F32)
        average_row(VDNN_F32, shape, x, plane, row, y);
    else
        average_row(VDNN_BF16, shape, x, plane, row, y);
}

/* ---- backward -------------------------------------------------------------------------------- */

/* Cells of one dimension of dx, from the first to the last: the outputs whose windows have the cell
 * are `output`, at place `offset` of its window, and the ones before it, each a stride further. */
typedef struct reach {
    int64_t output, offset;
} reach;

static inline reach reach_of(int64_t cell, int64_t pad, int64_t stride)
{
    return (reach){(cell + pad) / stride, (cell + pad) % stride};
}

static inline void next_cell(reach *at, int64_t stride)
{
    if (++at->offset == stride)
        *at = (reach){at->output + 1, 0};
}

VDNN_NATIVE_INLINE uint32_t load_index(size_t bytes, const void *argmax, int64_t i)
{
    return bytes == 1 ? ((const uint8_t *)argmax)[i] : ((const uint32_t *)argmax)[i];
}

/* What an output gives to the cell of its window that `cell` says. */
VDNN_NATIVE_INLINE void add_if_largest(vdnn_dtype dtype, size_t index_bytes, const void *dy,
                                       int64_t i, const void *argmax, int64_t k, uint32_t cell,
                                       float *restrict sum)
{
#pragma omp simd
    for (int lane = 0; lane < LANES; lane++) {
        float part = vdnn_native_load(dtype, dy, i + lane);
        sum[lane] += load_index(index_bytes, argmax, k + lane) == cell ? part : 0.0F;
    }
}

VDNN_NATIVE_INLINE void add_share(vdnn_dtype dtype, const void *dy, int64_t i, float factor,
                                  float *restrict sum)
{
#pragma omp simd
    for (int lane = 0; lane < LANES; lane++)
        sum[lane] += factor * vdnn_native_load(dtype, dy, i + lane);
}

/* Outputs of row `row`, whose windows have the cell in their row `kh`, give to it; a mean has
 * index_bytes 0. */
VDNN_NATIVE_INLINE void gather_from_row(vdnn_dtype dtype, size_t index_bytes,
                                        const vdnn_pool_shape *shape, const void *dy,
                                        const void *argmax, int64_t argmax_place, int64_t place,
                                        int64_t row, int64_t kh, reach from, float *sum)
{
    for (; from.offset < shape->kernel_w && from.output >= 0;
         from.offset += shape->stride_w, from.output--) {
        if (from.output >= shape->out_w)
            continue;
        int64_t i = place + from.output * LANES;
        if (index_bytes == 0)
            add_share(dtype, dy, i, vdnn_pool_factor(shape, row, from.output), sum);
        else
            add_if_largest(dtype, index_bytes, dy, i, argmax, argmax_place + from.output * LANES,
                           (uint32_t)(kh * shape->kernel_w + from.offset), sum);
    }
}

VDNN_NATIVE_INLINE void gather_row(vdnn_dtype dtype, size_t index_bytes,
                                   const vdnn_pool_shape *shape, const void *dy, const void *argmax,
                                   int64_t argmax_plane, int64_t plane, int64_t row, void *dx)
{
    int64_t to = (plane * shape->in_h + row) * shape->in_w * LANES;
    reach across = reach_of(0, shape->pad_w, shape->stride_w);
    for (int64_t column = 0; column < shape->in_w; column++) {
        float sum[LANES] = {0};
        reach down = reach_of(row, shape->pad_h, shape->stride_h);
        for (; down.offset < shape->kernel_h && down.output >= 0;
             down.offset += shape->stride_h, down.output--)
            if (down.output < shape->out_h)
                gather_from_row(dtype, index_bytes, shape, dy, argmax,
                                output_place(shape, argmax_plane, down.output),
                                output_place(shape, plane, down.output), down.output, down.offset,
                                across, sum);
        vdnn_native_store_lanes(dtype, dx, to + column * LANES, sum);
        next_cell(&across, shape->stride_w);
    }
}

VDNN_NATIVE_CLONES static void gather_of_any(const vdnn_pool_shape *shape, const void *dy,
                                             const void *argmax, int64_t argmax_plane,
                                             int64_t plane, int64_t row, void *dx)
{
    size_t index_bytes = argmax == NULL ? 0 : shape->index_bytes;
    if (shape->dtype == VDNN_F32 && index_bytes == 0)
        gather_row(VDNN_F32, 0, shape, dy, argmax, argmax_plane, plane, row, dx);
    else if (shape->dtype == VDNN_F32 && index_bytes == 1)
        gather_row(VDNN_F32, 1, shape, dy, argmax, argmax_plane, plane, row, dx);
    else if (shape->dtype == VDNN_F32)
        gather_row(VDNN_F32, 4, shape, dy, argmax, argmax_plane, plane, row, dx);
    else if (index_bytes == 0)
        gather_row(VDNN_BF16, 0, shape, dy, argmax, argmax_plane, plane, row, dx);
    else if (index_bytes == 1)
        gather_row(VDNN_BF16, 1, shape, dy, argmax, argmax_plane, plane, row, dx);
    else
        gather_row(VDNN_BF16, 4, shape, dy, argmax, argmax_plane, plane, row, dx);
}

const vdnn_pool_rows vdnn_pool_lanes = {max_of_any, average_of_any, gather_of_any};
