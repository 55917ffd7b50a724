#include "layers/native.h"
#include "layers/pool.h"
#include "layers/stage.h"

#include <math.h>

/* A map is planes of cells with one lane (nchw) or 16 (nChw16c). Outputs are made a strip of a row
 * at a time, cell of the window by cell of the window, so that the innermost loop runs over outputs
 * and lanes, whose values are independent:
 *
 *     strip     | o o o o o o |             outputs first .. first + count of row `row`
 *     window      k k k                     cell (kh, kw) reads x at column o * stride + kw - pad
 *
 * Gradients are gathered: a strip of a row of dx adds up, in a buffer, what each row of outputs
 * whose windows reach it gives to it. So every element of dx is written once, rows are independent,
 * and a bf16 is rounded once. */
enum { STRIP = 512 }; /* elements */

typedef struct plane_shape {
    int64_t in_h, in_w, out_h, out_w;
    int64_t kernel_h, kernel_w, stride_h, stride_w, pad_h, pad_w;
    int64_t planes, lanes;
    vdnn_dtype dtype;
    bool count_pad;
} plane_shape;

typedef struct strip {
    int64_t row, first, count; /* cells of a row */
} strip;

/* The cells of a strip for which one column of the window lies inside the other map. */
typedef struct span {
    int64_t begin, end; /* from the strip's first */
    int64_t column;     /* of the other map, for cell `begin` */
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
        .planes = vdnn_native_planes(&layer->y),
        .lanes = vdnn_native_lanes(&layer->y),
        .dtype = layer->y.dtype,
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

/* a / b rounded up, and 0 for what is negative. */
static inline int64_t steps_to(int64_t a, int64_t b)
{
    return a > 0 ? (a + b - 1) / b : 0;
}

/* Column `kw` of the windows of outputs first .. first + count, as far as it lies in columns begin
 * .. end of the input. */
static span span_of(const plane_shape *shape, strip at, int64_t kw, int64_t begin, int64_t end)
{
    int64_t stride = shape->stride_w, column = at.first * stride + kw - shape->pad_w;
    int64_t first = steps_to(begin - column, stride);
    int64_t last = at.count - steps_to(column + (at.count - 1) * stride - (end - 1), stride);
    return first < last ? (span){first, last, column + first * stride} : (span){0, 0, begin};
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

/* The element of the input that lane 0 of output (row, column `column` of the input) reads. */
static inline int64_t input_place(const plane_shape *shape, int64_t plane, int64_t row, int64_t kh,
                                  int64_t column)
{
    int64_t h = row * shape->stride_h + kh - shape->pad_h;
    return ((plane * shape->in_h + h) * shape->in_w + column) * shape->lanes;
}

static inline int64_t output_place(const plane_shape *shape, int64_t plane, strip at)
{
    return ((plane * shape->out_h + at.row) * shape->out_w + at.first) * shape->lanes;
}

/* ---- loops over a strip ---------------------------------------------------------------------- */

/* Each of them is there for every data type, number of lanes, and the strides that pooling mostly
 * has, so that the compiler knows them and loads whole vectors. */
#define FOR_EACH_KIND(function, dtype, lanes, stride, ...)                                         \
    do {                                                                                           \
        if ((lanes) != 1 && (dtype) == VDNN_F32)                                                   \
            function(VDNN_F32, VDNN_NATIVE_LANES, stride, __VA_ARGS__);                            \
        else if ((lanes) != 1)                                                                     \
            function(VDNN_BF16, VDNN_NATIVE_LANES, stride, __VA_ARGS__);                           \
        else if ((stride) == 1 && (dtype) == VDNN_F32)                                             \
            function(VDNN_F32, 1, 1, __VA_ARGS__);                                                 \
        else if ((stride) == 2 && (dtype) == VDNN_F32)                                             \
            function(VDNN_F32, 1, 2, __VA_ARGS__);                                                 \
        else if ((dtype) == VDNN_F32)                                                              \
            function(VDNN_F32, 1, stride, __VA_ARGS__);                                            \
        else                                                                                       \
            function(VDNN_BF16, 1, stride, __VA_ARGS__);                                           \
    } while (0)

VDNN_NATIVE_INLINE void take_larger_by(vdnn_dtype dtype, int64_t lanes, int64_t stride,
                                       const void *x, int64_t count, uint32_t cell,
                                       float *restrict best, uint32_t *restrict index)
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t lane = 0; lane < lanes; lane++) {
            float value = vdnn_native_load(dtype, x, i * stride * lanes + lane);
            float old = best[i * lanes + lane];
            bool takes = (value > old) | (value != value);
            best[i * lanes + lane] = takes ? value : old;
            index[i * lanes + lane] = takes ? cell : index[i * lanes + lane];
        }
}

/* Takes a cell where it is larger, or NaN: so the first of equals wins, a NaN over everything. */
VDNN_NATIVE_CLONES static void take_larger(const plane_shape *shape, const void *x, int64_t count,
                                           uint32_t cell, float *best, uint32_t *index)
{
    FOR_EACH_KIND(take_larger_by, shape->dtype, shape->lanes, shape->stride_w, x, count, cell, best,
                  index);
}

VDNN_NATIVE_INLINE void add_cells_by(vdnn_dtype dtype, int64_t lanes, int64_t stride, const void *x,
                                     int64_t count, float *restrict sum)
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t lane = 0; lane < lanes; lane++)
            sum[i * lanes + lane] += vdnn_native_load(dtype, x, i * stride * lanes + lane);
}

VDNN_NATIVE_CLONES static void add_cells(const plane_shape *shape, const void *x, int64_t count,
                                         float *sum)
{
    FOR_EACH_KIND(add_cells_by, shape->dtype, shape->lanes, shape->stride_w, x, count, sum);
}

/* The same the other way: what outputs give to cells of dx, all of it or where the index is that of
 * the cell. */
VDNN_NATIVE_INLINE void give_by(vdnn_dtype dtype, int64_t lanes, int64_t stride,
                                const float *restrict share, int64_t count, float *restrict sum)
{
    (void)dtype;
    for (int64_t i = 0; i < count; i++)
        for (int64_t lane = 0; lane < lanes; lane++)
            sum[i * stride * lanes + lane] += share[i * lanes + lane];
}

VDNN_NATIVE_CLONES static void give(const plane_shape *shape, const float *share, int64_t count,
                                    float *sum)
{
    FOR_EACH_KIND(give_by, VDNN_F32, shape->lanes, shape->stride_w, share, count, sum);
}

VDNN_NATIVE_INLINE void give_largest_by(vdnn_dtype dtype, int64_t lanes, int64_t stride,
                                        const float *restrict share, const uint32_t *restrict index,
                                        uint32_t cell, int64_t count, float *restrict sum)
{
    (void)dtype;
    for (int64_t i = 0; i < count; i++)
        for (int64_t lane = 0; lane < lanes; lane++) {
            float part = index[i * lanes + lane] == cell ? share[i * lanes + lane] : 0.0F;
            sum[i * stride * lanes + lane] += part;
        }
}

VDNN_NATIVE_CLONES static void give_largest(const plane_shape *shape, const float *share,
                                            const uint32_t *index, uint32_t cell, int64_t count,
                                            float *sum)
{
    FOR_EACH_KIND(give_largest_by, VDNN_F32, shape->lanes, shape->stride_w, share, index, cell,
                  count, sum);
}

VDNN_NATIVE_CLONES static void narrow_index(const uint32_t *restrict index, uint8_t *restrict bytes,
                                            int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)index[i];
}

VDNN_NATIVE_CLONES static void widen_index(const uint8_t *restrict bytes, uint32_t *restrict index,
                                           int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        index[i] = bytes[i];
}

/* ---- maximum, forward ------------------------------------------------------------------------ */

/* The argmax of a map, or of one plane of it. */
typedef struct argmax {
    void *data;
    size_t index_bytes;
} argmax;

static void store_argmax(argmax to, int64_t place, int64_t count, const uint32_t *index)
{
    if (to.index_bytes == 1)
        narrow_index(index, (uint8_t *)to.data + place, count);
    else
        memcpy((uint32_t *)to.data + place, index, (size_t)count * sizeof *index);
}

static void load_argmax(argmax from, int64_t place, int64_t count, uint32_t *index)
{
    if (from.index_bytes == 1)
        widen_index((const uint8_t *)from.data + place, index, count);
    else
        memcpy(index, (const uint32_t *)from.data + place, (size_t)count * sizeof *index);
}

/* Before the first cell: less than all, and the first cell of the window that lies inside. */
static void start_search(const plane_shape *shape, strip at, float *best, uint32_t *index)
{
    int64_t top = first_kh(shape, at.row);
    for (int64_t i = 0; i < at.count; i++) {
        int64_t left = larger(0, shape->pad_w - (at.first + i) * shape->stride_w);
        for (int64_t lane = i * shape->lanes; lane < (i + 1) * shape->lanes; lane++) {
            best[lane] = -INFINITY;
            index[lane] = (uint32_t)(top * shape->kernel_w + left);
        }
    }
}

static void find_largest(const plane_shape *shape, const void *x, int64_t plane, strip at,
                         float best[STRIP], uint32_t index[STRIP])
{
    start_search(shape, at, best, index);
    for (int64_t kh = first_kh(shape, at.row); kh < end_kh(shape, at.row); kh++)
        for (int64_t kw = 0; kw < shape->kernel_w; kw++) {
            span inside = span_of(shape, at, kw, 0, shape->in_w);
            int64_t from = input_place(shape, plane, at.row, kh, inside.column);
            take_larger(shape, vdnn_native_const_at(shape->dtype, x, from),
                        inside.end - inside.begin, (uint32_t)(kh * shape->kernel_w + kw),
                        best + inside.begin * shape->lanes, index + inside.begin * shape->lanes);
        }
}

/* What is made of one row of outputs: y where it is not NULL, the argmax where it has data. */
static void max_row(const plane_shape *shape, const void *x, int64_t plane, int64_t row, void *y,
                    argmax to, int64_t argmax_plane)
{
    int64_t step = STRIP / shape->lanes;
    for (int64_t first = 0; first < shape->out_w; first += step) {
        float best[STRIP];
        uint32_t index[STRIP];
        strip at = {row, first, smaller(step, shape->out_w - first)};
        int64_t count = at.count * shape->lanes;
        find_largest(shape, x, plane, at, best, index);
        if (y != NULL)
            vdnn_stage_narrow(shape->dtype, best,
                              vdnn_native_at(shape->dtype, y, output_place(shape, plane, at)),
                              count);
        if (to.data != NULL)
            store_argmax(to, output_place(shape, argmax_plane, at), count, index);
    }
}

static argmax argmax_of(const vdnn_kernel *kernel, void *data)
{
    return (argmax){data, vdnn_pool_index_bytes(kernel->layer->config)};
}

static void max_forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    plane_shape shape = shape_of(kernel->layer);
    argmax to = argmax_of(kernel, kernel->layer->aux_bytes > 0 ? args->aux : NULL);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t i = 0; i < shape.planes * shape.out_h; i++) {
        int64_t plane = i / shape.out_h;
        max_row(&shape, args->x[0], plane, i % shape.out_h, args->y, to, plane);
    }
}

/* ---- mean, forward --------------------------------------------------------------------------- */

/* What each sum of a strip is multiplied with. Cells beyond the padding, which `ceil` brings, never
 * count. */
static void find_factors(const plane_shape *shape, strip at, float factor[STRIP])
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
        float reciprocal = 1.0F / (float)((bottom - top) * (right - left));
        for (int64_t lane = i * shape->lanes; lane < (i + 1) * shape->lanes; lane++)
            factor[lane] = reciprocal;
    }
}

VDNN_NATIVE_CLONES static void multiply(const float *restrict factor, float *restrict values,
                                        int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        values[i] *= factor[i];
}

static void average_row(const plane_shape *shape, const void *x, int64_t plane, int64_t row,
                        void *y)
{
    int64_t step = STRIP / shape->lanes;
    for (int64_t first = 0; first < shape->out_w; first += step) {
        float sum[STRIP] = {0}, factor[STRIP];
        strip at = {row, first, smaller(step, shape->out_w - first)};
        for (int64_t kh = first_kh(shape, row); kh < end_kh(shape, row); kh++)
            for (int64_t kw = 0; kw < shape->kernel_w; kw++) {
                span inside = span_of(shape, at, kw, 0, shape->in_w);
                int64_t from = input_place(shape, plane, row, kh, inside.column);
                add_cells(shape, vdnn_native_const_at(shape->dtype, x, from),
                          inside.end - inside.begin, sum + inside.begin * shape->lanes);
            }
        find_factors(shape, at, factor);
        multiply(factor, sum, at.count * shape->lanes);
        vdnn_stage_narrow(shape->dtype, sum,
                          vdnn_native_at(shape->dtype, y, output_place(shape, plane, at)),
                          at.count * shape->lanes);
    }
}

static void average_forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    plane_shape shape = shape_of(kernel->layer);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t i = 0; i < shape.planes * shape.out_h; i++)
        average_row(&shape, args->x[0], i / shape.out_h, i % shape.out_h, args->y);
}

/* ---- backward -------------------------------------------------------------------------------- */

/* What the outputs of a row give: all of them dy (maximum, with an argmax) or a share of it. */
typedef struct giver {
    const void *dy;
    argmax largest; /* without data: the mean */
    int64_t argmax_plane;
} giver;

static void read_shares(const plane_shape *shape, const giver *from, int64_t plane, strip at,
                        float share[STRIP], uint32_t index[STRIP])
{
    int64_t place = output_place(shape, plane, at), count = at.count * shape->lanes;
    vdnn_stage_widen(shape->dtype, vdnn_native_const_at(shape->dtype, from->dy, place), share,
                     count);
    if (from->largest.data != NULL) {
        load_argmax(from->largest, output_place(shape, from->argmax_plane, at), count, index);
        return;
    }
    float factor[STRIP];
    find_factors(shape, at, factor);
    multiply(factor, share, count);
}

/* Outputs `at`, whose window has row `kh` where cells `to` of dx are, give to `sum`. */
static void give_strip(const plane_shape *shape, const giver *from, int64_t plane, strip at,
                       int64_t kh, strip to, float sum[STRIP])
{
    float share[STRIP];
    uint32_t index[STRIP];
    int64_t lanes = shape->lanes;
    read_shares(shape, from, plane, at, share, index);
    for (int64_t kw = 0; kw < shape->kernel_w; kw++) {
        span inside = span_of(shape, at, kw, to.first, to.first + to.count);
        int64_t count = inside.end - inside.begin, begin = inside.begin * lanes;
        float *cells = sum + (inside.column - to.first) * lanes;
        if (from->largest.data != NULL)
            give_largest(shape, share + begin, index + begin, (uint32_t)(kh * shape->kernel_w + kw),
                         count, cells);
        else
            give(shape, share + begin, count, cells);
    }
}

static void gather_strip(const plane_shape *shape, const giver *from, int64_t plane, strip to,
                         float sum[STRIP])
{
    int64_t step = STRIP / shape->lanes, below = to.row + shape->pad_h;
    int64_t begin = steps_to(to.first + shape->pad_w - shape->kernel_w + 1, shape->stride_w);
    int64_t end =
        smaller(shape->out_w, (to.first + to.count - 1 + shape->pad_w) / shape->stride_w + 1);
    /* The window's row is what is left of `below`; the first output is the one with the least. */
    for (int64_t kh = below % shape->stride_h; kh < shape->kernel_h && kh <= below;
         kh += shape->stride_h) {
        int64_t row = (below - kh) / shape->stride_h;
        for (int64_t first = begin; first < end && row < shape->out_h; first += step)
            give_strip(shape, from, plane, (strip){row, first, smaller(step, end - first)}, kh, to,
                       sum);
    }
}

static void gather_row(const plane_shape *shape, const giver *from, int64_t plane, int64_t row,
                       void *dx)
{
    int64_t step = STRIP / shape->lanes;
    for (int64_t first = 0; first < shape->in_w; first += step) {
        float sum[STRIP] = {0};
        strip to = {row, first, smaller(step, shape->in_w - first)};
        int64_t place = ((plane * shape->in_h + row) * shape->in_w + first) * shape->lanes;
        gather_strip(shape, from, plane, to, sum);
        vdnn_stage_narrow(shape->dtype, sum, vdnn_native_at(shape->dtype, dx, place),
                          to.count * shape->lanes);
    }
}

static void gather(const vdnn_kernel *kernel, const vdnn_kernel_args *args, argmax largest)
{
    plane_shape shape = shape_of(kernel->layer);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t i = 0; i < shape.planes * shape.in_h; i++) {
        int64_t plane = i / shape.in_h;
        giver from = {args->dy, largest, plane};
        gather_row(&shape, &from, plane, i % shape.in_h, args->dx[0]);
    }
}

/* ---- maximum, backward without an argmax ----------------------------------------------------- */

static bool keeps_argmax(const vdnn_layer *layer)
{
    return layer->needs[VDNN_BACKWARD_DATA] & VDNN_NEEDS_AUX;
}

static size_t argmax_plane_bytes(const vdnn_layer *layer)
{
    enum { ALIGNMENT = 64 };
    int64_t elements = layer->y.dims[VDNN_H] * layer->y.dims[VDNN_W] * vdnn_native_lanes(&layer->y);
    size_t bytes = (size_t)elements * vdnn_pool_index_bytes(layer->config);
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* The argmax of a plane, for each thread, where backward has to find it again. */
static vdnn_status max_workspace(const vdnn_layer *layer, vdnn_pass pass, int threads,
                                 size_t *bytes)
{
    bool searches = pass == VDNN_BACKWARD_DATA && !keeps_argmax(layer);
    *bytes = searches ? (size_t)threads * argmax_plane_bytes(layer) : 0;
    return VDNN_OK;
}

static void search_and_gather(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    plane_shape shape = shape_of(kernel->layer);
    size_t plane_bytes = argmax_plane_bytes(kernel->layer);
    int threads = kernel->threads;
#pragma omp parallel for num_threads(threads)
    for (int part = 0; part < threads; part++) {
        argmax largest = argmax_of(kernel, (char *)args->workspace + (size_t)part * plane_bytes);
        giver from = {args->dy, largest, 0};
        for (int64_t plane = part; plane < shape.planes; plane += threads) {
            for (int64_t row = 0; row < shape.out_h; row++)
                max_row(&shape, args->x[0], plane, row, NULL, largest, 0);
            for (int64_t row = 0; row < shape.in_h; row++)
                gather_row(&shape, &from, plane, row, args->dx[0]);
        }
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static vdnn_status run_max(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    if (kernel->pass == VDNN_FORWARD)
        max_forward(kernel, args);
    else if (keeps_argmax(kernel->layer))
        gather(kernel, args, argmax_of(kernel, args->aux));
    else
        search_and_gather(kernel, args);
    return VDNN_OK;
}

static vdnn_status run_average(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    if (kernel->pass == VDNN_FORWARD)
        average_forward(kernel, args);
    else
        gather(kernel, args, (argmax){NULL, 0});
    return VDNN_OK;
}

const vdnn_algorithm vdnn_maxpool_native = {
    .layer_type = "maxpool",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .refusal = vdnn_native_refusal_blocked,
    .workspace = max_workspace,
    .run = run_max,
};

const vdnn_algorithm vdnn_avgpool_native = {
    .layer_type = "avgpool",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .refusal = vdnn_native_refusal_blocked,
    .run = run_average,
};
