#include "layers/native.h"
#include "layers/pool.h"

#include <math.h>
#include <string.h>

/* Outputs are made a strip of a row at a time, cell of the window by cell of the window, so that
 * the innermost loop runs over outputs, whose values are independent:
 *
 *     strip     | o o o o o o |             outputs first .. first + count of row `row`
 *     window      k k k                     cell (kh, kw) reads x at column o * stride + kw - pad
 */
enum { STRIP = 64 };

typedef struct plane_shape {
    int64_t in_h, in_w, out_h, out_w;
    int64_t kernel_h, kernel_w, stride_h, stride_w, pad_h, pad_w;
    bool count_pad;
} plane_shape;

typedef struct strip {
    int64_t row, first, count; /* of outputs */
} strip;

/* The outputs of a strip for which one column of the window lies inside the input. */
typedef struct span {
    int64_t begin, end; /* from the strip's first */
    int64_t column;     /* of the input, for output `begin` */
} span;

static plane_shape shape_of(const vdnn_layer *layer)
{
    const vdnn_pool_config *pool = layer->config;
    return (plane_shape){
        .in_h = layer->x[0].dims[VDNN_H],
        .in_w = layer->x[0].dims[VDNN_W],
        .out_h = layer->y.dims[VDNN_H],
        .out_w = layer->y.dims[VDNN_W],
        .kernel_h = pool->kernel[0],
        .kernel_w = pool->kernel[1],
        .stride_h = pool->stride[0],
        .stride_w = pool->stride[1],
        .pad_h = pool->pad[0],
        .pad_w = pool->pad[1],
        .count_pad = pool->count_pad,
    };
}

static inline int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static strip strip_at(const plane_shape *shape, int64_t row, int64_t first)
{
    return (strip){row, first, smaller(STRIP, shape->out_w - first)};
}

/* Divides only at the edges: most strips lie inside from end to end. */
static span span_of(const plane_shape *shape, strip at, int64_t kw)
{
    int64_t stride = shape->stride_w, begin = 0, end = at.count;
    int64_t column = at.first * stride + kw - shape->pad_w;
    int64_t beyond = column + (end - 1) * stride - (shape->in_w - 1);
    if (column < 0)
        begin = (-column + stride - 1) / stride;
    if (beyond > 0)
        end -= (beyond + stride - 1) / stride;
    if (begin >= end)
        return (span){0, 0, 0};
    return (span){begin, end, column + begin * stride};
}

/* The rows of the window that lie inside the input. */
static inline int64_t first_kh(const plane_shape *shape, int64_t row)
{
    return larger(0, shape->pad_h - row * shape->stride_h);
}

static inline int64_t end_kh(const plane_shape *shape, int64_t row)
{
    return smaller(shape->kernel_h, shape->in_h + shape->pad_h - row * shape->stride_h);
}

static inline const float *input_row(const plane_shape *shape, const float *x, int64_t row,
                                     int64_t kh)
{
    return x + (row * shape->stride_h + kh - shape->pad_h) * shape->in_w;
}

/* ---- maximum --------------------------------------------------------------------------------- */

/* Each of the loops over a strip is there twice: the stride that pooling mostly has is made known
 * to the compiler, which then loads whole vectors. */

static inline void take_larger_by(const float *restrict x, int64_t stride, int64_t count,
                                  uint32_t cell, float *restrict best, uint32_t *restrict index)
{
    for (int64_t i = 0; i < count; i++) {
        float value = x[i * stride];
        bool takes = (value > best[i]) | (value != value);
        best[i] = takes ? value : best[i];
        index[i] = takes ? cell : index[i];
    }
}

/* Takes a cell where it is larger, or NaN: so the first of equals wins, a NaN over everything. */
VDNN_NATIVE_CLONES static void take_larger(const float *x, int64_t stride, int64_t count,
                                           uint32_t cell, float *best, uint32_t *index)
{
    if (stride == 2)
        take_larger_by(x, 2, count, cell, best, index);
    else
        take_larger_by(x, stride, count, cell, best, index);
}

static void find_largest(const plane_shape *shape, const float *x, strip at, float best[STRIP],
                         uint32_t index[STRIP])
{
    int64_t top = first_kh(shape, at.row);
    for (int64_t i = 0; i < at.count; i++) {
        int64_t left = larger(0, shape->pad_w - (at.first + i) * shape->stride_w);
        best[i] = -INFINITY;
        index[i] = (uint32_t)(top * shape->kernel_w + left);
    }
    for (int64_t kh = top; kh < end_kh(shape, at.row); kh++) {
        const float *from = input_row(shape, x, at.row, kh);
        for (int64_t kw = 0; kw < shape->kernel_w; kw++) {
            span inside = span_of(shape, at, kw);
            take_larger(from + inside.column, shape->stride_w, inside.end - inside.begin,
                        (uint32_t)(kh * shape->kernel_w + kw), best + inside.begin,
                        index + inside.begin);
        }
    }
}

static void store_argmax(void *aux, size_t index_bytes, int64_t place, int64_t count,
                         const uint32_t *index)
{
    if (index_bytes != 1) {
        memcpy((uint32_t *)aux + place, index, (size_t)count * sizeof *index);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        ((uint8_t *)aux)[place + i] = (uint8_t)index[i];
}

static void load_argmax(const void *aux, size_t index_bytes, int64_t place, int64_t count,
                        uint32_t *index)
{
    if (index_bytes != 1) {
        memcpy(index, (const uint32_t *)aux + place, (size_t)count * sizeof *index);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        index[i] = ((const uint8_t *)aux)[place + i];
}

static void max_forward_plane(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                              const plane_shape *shape, int64_t plane)
{
    const float *x = (const float *)args->x[0] + plane * shape->in_h * shape->in_w;
    void *aux = kernel->layer->aux_bytes > 0 ? args->aux : NULL;
    size_t index_bytes = vdnn_pool_index_bytes(kernel->layer->config);
    for (int64_t row = 0; row < shape->out_h; row++)
        for (int64_t first = 0; first < shape->out_w; first += STRIP) {
            float best[STRIP] = {0};
            uint32_t index[STRIP] = {0};
            strip at = strip_at(shape, row, first);
            int64_t place = (plane * shape->out_h + row) * shape->out_w + first;
            find_largest(shape, x, at, best, index);
            memcpy((float *)args->y + place, best, (size_t)at.count * sizeof *best);
            if (aux != NULL)
                store_argmax(aux, index_bytes, place, at.count, index);
        }
}

static void max_backward_plane(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                               const plane_shape *shape, int64_t plane)
{
    bool by_aux = kernel->layer->needs[VDNN_BACKWARD_DATA] & VDNN_NEEDS_AUX;
    size_t index_bytes = vdnn_pool_index_bytes(kernel->layer->config);
    int64_t in_cells = shape->in_h * shape->in_w;
    float *dx = (float *)args->dx[0] + plane * in_cells;
    memset(dx, 0, (size_t)in_cells * sizeof *dx);
    for (int64_t row = 0; row < shape->out_h; row++)
        for (int64_t first = 0; first < shape->out_w; first += STRIP) {
            float best[STRIP] = {0};
            uint32_t index[STRIP] = {0};
            strip at = strip_at(shape, row, first);
            int64_t place = (plane * shape->out_h + row) * shape->out_w + first;
            const float *dy = (const float *)args->dy + place;
            if (by_aux)
                load_argmax(args->aux, index_bytes, place, at.count, index);
            else
                find_largest(shape, (const float *)args->x[0] + plane * in_cells, at, best, index);
            for (int64_t i = 0; i < at.count; i++) {
                int64_t kh = index[i] / (uint32_t)shape->kernel_w;
                int64_t kw = index[i] % (uint32_t)shape->kernel_w;
                int64_t h = row * shape->stride_h + kh - shape->pad_h;
                int64_t w = (first + i) * shape->stride_w + kw - shape->pad_w;
                dx[h * shape->in_w + w] += dy[i];
            }
        }
}

/* ---- mean ------------------------------------------------------------------------------------ */

static inline void add_cells_by(const float *restrict x, int64_t stride, int64_t count,
                                float *restrict sum)
{
    for (int64_t i = 0; i < count; i++)
        sum[i] += x[i * stride];
}

VDNN_NATIVE_CLONES static void add_cells(const float *x, int64_t stride, int64_t count, float *sum)
{
    if (stride == 2)
        add_cells_by(x, 2, count, sum);
    else
        add_cells_by(x, stride, count, sum);
}

static inline void spread_cells_by(float *restrict dx, int64_t stride, int64_t count,
                                   const float *restrict share)
{
    for (int64_t i = 0; i < count; i++)
        dx[i * stride] += share[i];
}

VDNN_NATIVE_CLONES static void spread_cells(float *dx, int64_t stride, int64_t count,
                                            const float *share)
{
    if (stride == 2)
        spread_cells_by(dx, 2, count, share);
    else
        spread_cells_by(dx, stride, count, share);
}

/* What each sum of a strip is divided by. Cells beyond the padding, which `ceil` brings, never
 * count. */
static void find_divisors(const plane_shape *shape, strip at, float divisor[STRIP])
{
    int64_t top = at.row * shape->stride_h - shape->pad_h;
    int64_t bottom = smaller(top + shape->kernel_h, shape->in_h + shape->pad_h);
    if (!shape->count_pad) {
        top = larger(top, 0);
        bottom = smaller(bottom, shape->in_h);
    }
    for (int64_t i = 0; i < at.count; i++) {
        int64_t left = (at.first + i) * shape->stride_w - shape->pad_w;
        int64_t right = smaller(left + shape->kernel_w, shape->in_w + shape->pad_w);
        if (!shape->count_pad) {
            left = larger(left, 0);
            right = smaller(right, shape->in_w);
        }
        divisor[i] = (float)((bottom - top) * (right - left));
    }
}

static void average_forward_plane(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                  const plane_shape *shape, int64_t plane)
{
    (void)kernel;
    const float *x = (const float *)args->x[0] + plane * shape->in_h * shape->in_w;
    for (int64_t row = 0; row < shape->out_h; row++)
        for (int64_t first = 0; first < shape->out_w; first += STRIP) {
            float sum[STRIP] = {0}, divisor[STRIP] = {0};
            strip at = strip_at(shape, row, first);
            for (int64_t kh = first_kh(shape, row); kh < end_kh(shape, row); kh++)
                for (int64_t kw = 0; kw < shape->kernel_w; kw++) {
                    span inside = span_of(shape, at, kw);
                    add_cells(input_row(shape, x, row, kh) + inside.column, shape->stride_w,
                              inside.end - inside.begin, sum + inside.begin);
                }
            find_divisors(shape, at, divisor);
            float *y = (float *)args->y + (plane * shape->out_h + row) * shape->out_w + first;
            for (int64_t i = 0; i < at.count; i++)
                y[i] = sum[i] / divisor[i];
        }
}

static void average_backward_plane(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                   const plane_shape *shape, int64_t plane)
{
    (void)kernel;
    int64_t in_cells = shape->in_h * shape->in_w;
    float *dx = (float *)args->dx[0] + plane * in_cells;
    memset(dx, 0, (size_t)in_cells * sizeof *dx);
    for (int64_t row = 0; row < shape->out_h; row++)
        for (int64_t first = 0; first < shape->out_w; first += STRIP) {
            float share[STRIP] = {0};
            strip at = strip_at(shape, row, first);
            const float *dy =
                (const float *)args->dy + (plane * shape->out_h + row) * shape->out_w + first;
            find_divisors(shape, at, share);
            for (int64_t i = 0; i < at.count; i++)
                share[i] = dy[i] / share[i];
            for (int64_t kh = first_kh(shape, row); kh < end_kh(shape, row); kh++) {
                int64_t h = row * shape->stride_h + kh - shape->pad_h;
                for (int64_t kw = 0; kw < shape->kernel_w; kw++) {
                    span inside = span_of(shape, at, kw);
                    spread_cells(dx + h * shape->in_w + inside.column, shape->stride_w,
                                 inside.end - inside.begin, share + inside.begin);
                }
            }
        }
}

/* ---- rows ------------------------------------------------------------------------------------ */

typedef void plane_function(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                            const plane_shape *shape, int64_t plane);

static vdnn_status each_plane(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                              plane_function *function)
{
    plane_shape shape = shape_of(kernel->layer);
    int64_t planes = kernel->layer->y.dims[VDNN_N] * kernel->layer->y.dims[VDNN_C];
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t plane = 0; plane < planes; plane++)
        function(kernel, args, &shape, plane);
    return VDNN_OK;
}

static vdnn_status run_max(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return each_plane(kernel, args,
                      kernel->pass == VDNN_FORWARD ? max_forward_plane : max_backward_plane);
}

static vdnn_status run_average(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return each_plane(kernel, args,
                      kernel->pass == VDNN_FORWARD ? average_forward_plane
                                                   : average_backward_plane);
}

const vdnn_algorithm vdnn_maxpool_native = {
    .layer_type = "maxpool",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .refusal = vdnn_native_refusal,
    .run = run_max,
};

const vdnn_algorithm vdnn_avgpool_native = {
    .layer_type = "avgpool",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .refusal = vdnn_native_refusal,
    .run = run_average,
};
