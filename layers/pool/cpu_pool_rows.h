#ifndef VDNN_LAYERS_POOL_CPU_POOL_ROWS_H
#define VDNN_LAYERS_POOL_CPU_POOL_ROWS_H

/* Pooling in plain C, a row of a plane at a time: one set of functions for each layout
 * of pictures, and one for volumes, whose rows are those of all slices.
 *
 * Invariant: a row depends on no other row, so that threads take any of them; every element of it
 * is written once.
 * Threads: pure functions of their arguments.
 *
 *     vdnn_pool_shape shape = vdnn_pool_shape_of(layer);
 *     const vdnn_pool_rows *rows = vdnn_pool_rows_of(&shape);
 *     for each plane and each row of its outputs:
 *         rows->max(&shape, x, plane, row, y, argmax, plane);
 */

#include "layers/cpu/native.h"
#include "layers/pool/pool.h"

typedef struct vdnn_pool_shape {
    int64_t in_d, in_h, in_w, out_d, out_h, out_w;
    int64_t kernel_d, kernel_h, kernel_w, stride_d, stride_h, stride_w, pad_d, pad_h, pad_w;
    int64_t in_rows, out_rows; /* of a plane: all slices' */
    int64_t planes, lanes;     /* see layers/cpu/native.h */
    vdnn_dtype dtype;
    size_t index_bytes;
    bool count_pad;
} vdnn_pool_shape;

vdnn_pool_shape vdnn_pool_shape_of(const vdnn_layer *layer);

static inline int64_t vdnn_pool_smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t vdnn_pool_larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The rows of the window of output row `row` that lie inside the input. */
static inline int64_t vdnn_pool_first_kh(const vdnn_pool_shape *shape, int64_t row)
{
    return vdnn_pool_larger(0, shape->pad_h - row * shape->stride_h);
}

static inline int64_t vdnn_pool_end_kh(const vdnn_pool_shape *shape, int64_t row)
{
    return vdnn_pool_smaller(shape->kernel_h, shape->in_h + shape->pad_h - row * shape->stride_h);
}

/* How many cells of a window of the mean count, along one dimension, where its first cell is
 * `first` of `in`. Cells beyond the padding, as with `ceil`, never count. */
static inline int64_t vdnn_pool_counted(const vdnn_pool_shape *shape, int64_t first, int64_t kernel,
                                        int64_t in, int64_t pad)
{
    int64_t reach = shape->count_pad ? pad : 0;
    return vdnn_pool_smaller(first + kernel, in + reach) - vdnn_pool_larger(first, -reach);
}

/* The factor of a mean: of a window's sum, or of its gradient. */
static inline float vdnn_pool_factor(const vdnn_pool_shape *shape, int64_t row, int64_t column)
{
    int64_t h = row * shape->stride_h - shape->pad_h, w = column * shape->stride_w - shape->pad_w;
    int64_t rows = vdnn_pool_counted(shape, h, shape->kernel_h, shape->in_h, shape->pad_h);
    int64_t columns = vdnn_pool_counted(shape, w, shape->kernel_w, shape->in_w, shape->pad_w);
    return 1.0F / (float)(rows * columns);
}

static inline bool vdnn_pool_is_square(const vdnn_pool_shape *shape, int64_t kernel, int64_t stride)
{
    return shape->kernel_h == kernel && shape->kernel_w == kernel && shape->stride_h == stride &&
           shape->stride_w == stride;
}

typedef struct vdnn_pool_rows {
    /* Row `row` of the outputs of a plane: y where it is not NULL, the argmax, as that of plane
     * `argmax_plane`, where that is not. */
    void (*max)(const vdnn_pool_shape *shape, const void *x, int64_t plane, int64_t row, void *y,
                void *argmax, int64_t argmax_plane);
    void (*average)(const vdnn_pool_shape *shape, const void *x, int64_t plane, int64_t row,
                    void *y);
    /* Row `row` of dx in a plane, from all outputs whose window has it: by the argmax, or where
     * that is NULL the shares of a mean. */
    void (*gather)(const vdnn_pool_shape *shape, const void *dy, const void *argmax,
                   int64_t argmax_plane, int64_t plane, int64_t row, void *dx);
} vdnn_pool_rows;

extern const vdnn_pool_rows vdnn_pool_strips;  /* nchw */
extern const vdnn_pool_rows vdnn_pool_lanes;   /* nChw16c */
extern const vdnn_pool_rows vdnn_pool_volumes; /* both, of volumes */

const vdnn_pool_rows *vdnn_pool_rows_of(const vdnn_pool_shape *shape);

#endif
