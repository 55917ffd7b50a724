#include "layers/pool/cpu_pool_rows.h"
#include "layers/stage.h"

#include <math.h>

/* Pooling in nchw: outputs are computed a strip of a row at a time, cell of the window by cell of
 * the window, so that the innermost loop runs over outputs, whose values are independent:
 *
 *     strip     | o o o o o o |             outputs first .. first + count of row `row`
 *     window      k k k                     cell (kh, kw) reads x at column o * stride + kw - pad
 *
 * Gradients are gathered: a strip of a row of dx sums in a buffer the contributions of each row of
 * outputs whose windows reach it. So every element of dx is written once, rows are independent, and
 * a bf16 is rounded once. */
enum { STRIP = 256 };

typedef struct strip {
    int64_t row, first, count; /* cells of a row */
} strip;

/* The cells of a strip for which one column of the window lies inside the other map. */
typedef struct span {
    int64_t begin, end; /* from the strip's first */
    int64_t column;     /* of the other map, for cell `begin` */
} span;

/* a / b rounded up, and 0 if negative. */
static inline int64_t steps_to(int64_t a, int64_t b)
{
    return a > 0 ? (a + b - 1) / b : 0;
}

/* Column `kw` of the windows of outputs first .. first + count, as far as it lies in columns begin
 * .. end of the input. */
static span span_of(const vdnn_pool_shape *shape, strip at, int64_t kw, int64_t begin, int64_t end)
{
    int64_t stride = shape->stride_w, column = at.first * stride + kw - shape->pad_w;
    int64_t first = steps_to(begin - column, stride);
    int64_t last = at.count - steps_to(column + (at.count - 1) * stride - (end - 1), stride);
    return first < last ? (span){first, last, column + first * stride} : (span){0, 0, begin};
}

/* The element of the input that lane 0 of output (row, column `column` of the input) reads. */
static inline int64_t input_place(const vdnn_pool_shape *shape, int64_t plane, int64_t row,
                                  int64_t kh, int64_t column)
{
    int64_t h = row * shape->stride_h + kh - shape->pad_h;
    return ((plane * shape->in_h + h) * shape->in_w + column);
}

static inline int64_t output_place(const vdnn_pool_shape *shape, int64_t plane, strip at)
{
    return ((plane * shape->out_h + at.row) * shape->out_w + at.first);
}

/* ---- loops over a strip ---------------------------------------------------------------------- */

/* Each exists for every data type and the usual strides, so that these are constant to the
 * compiler, which loads whole vectors. */
#define FOR_EACH_KIND(function, dtype, stride, ...)                                                \
    do {                                                                                           \
        if ((dtype) != VDNN_F32)                                                                   \
            function(VDNN_BF16, stride, __VA_ARGS__);                                              \
        else if ((stride) == 1)                                                                    \
            function(VDNN_F32, 1, __VA_ARGS__);                                                    \
        else if ((stride) == 2)                                                                    \
            function(VDNN_F32, 2, __VA_ARGS__);                                                    \
        else                                                                                       \
            function(VDNN_F32, stride, __VA_ARGS__);                                               \
    } while (0)

VDNN_NATIVE_INLINE void take_larger_by(vdnn_dtype dtype, int64_t stride, const void *x,
                                       int64_t count, uint32_t cell, float *restrict best,
                                       uint32_t *restrict index)
{
    for (int64_t i = 0; i < count; i++) {
        float value = vdnn_native_load(dtype, x, i * stride);
        bool takes = (value > best[i]) | (value != value);
        best[i] = takes ? value : best[i];
        index[i] = takes ? cell : index[i];
    }
}

/* Takes a cell if it is larger, or NaN: so the first of equals wins, a NaN over everything. */
VDNN_CPU_CLONES static void take_larger(const vdnn_pool_shape *shape, const void *x, int64_t count,
                                        uint32_t cell, float *best, uint32_t *index)
{
    FOR_EACH_KIND(take_larger_by, shape->dtype, shape->stride_w, x, count, cell, best, index);
}

VDNN_NATIVE_INLINE void add_cells_by(vdnn_dtype dtype, int64_t stride, const void *x, int64_t count,
                                     float *restrict sum)
{
    for (int64_t i = 0; i < count; i++)
        sum[i] += vdnn_native_load(dtype, x, i * stride);
}

VDNN_CPU_CLONES static void add_cells(const vdnn_pool_shape *shape, const void *x, int64_t count,
                                      float *sum)
{
    FOR_EACH_KIND(add_cells_by, shape->dtype, shape->stride_w, x, count, sum);
}

/* The same for gradients: outputs' contributions to cells of dx, all or those with the index of the
 * cell. */
VDNN_NATIVE_INLINE void give_by(vdnn_dtype dtype, int64_t stride, const float *restrict share,
                                int64_t count, float *restrict sum)
{
    (void)dtype;
    for (int64_t i = 0; i < count; i++)
        sum[i * stride] += share[i];
}

VDNN_CPU_CLONES static void give(const vdnn_pool_shape *shape, const float *share, int64_t count,
                                 float *sum)
{
    FOR_EACH_KIND(give_by, VDNN_F32, shape->stride_w, share, count, sum);
}

VDNN_NATIVE_INLINE void give_largest_by(vdnn_dtype dtype, int64_t stride,
                                        const float *restrict share, const uint32_t *restrict index,
                                        uint32_t cell, int64_t count, float *restrict sum)
{
    (void)dtype;
    for (int64_t i = 0; i < count; i++)
        sum[i * stride] += index[i] == cell ? share[i] : 0.0F;
}

VDNN_CPU_CLONES static void give_largest(const vdnn_pool_shape *shape, const float *share,
                                         const uint32_t *index, uint32_t cell, int64_t count,
                                         float *sum)
{
    FOR_EACH_KIND(give_largest_by, VDNN_F32, shape->stride_w, share, index, cell, count, sum);
}

VDNN_CPU_CLONES static void narrow_index(const uint32_t *restrict index, uint8_t *restrict bytes,
                                         int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)index[i];
}

VDNN_CPU_CLONES static void widen_index(const uint8_t *restrict bytes, uint32_t *restrict index,
                                        int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        index[i] = bytes[i];
}

/* ---- maximum, forward ------------------------------------------------------------------------ */

static void store_argmax(size_t bytes, void *argmax, int64_t place, int64_t count,
                         const uint32_t *index)
{
    if (bytes == 1)
        narrow_index(index, (uint8_t *)argmax + place, count);
    else
        memcpy((uint32_t *)argmax + place, index, (size_t)count * sizeof *index);
}

static void load_argmax(size_t bytes, const void *argmax, int64_t place, int64_t count,
                        uint32_t *index)
{
    if (bytes == 1)
        widen_index((const uint8_t *)argmax + place, index, count);
    else
        memcpy(index, (const uint32_t *)argmax + place, (size_t)count * sizeof *index);
}

/* Before the first cell: less than all, and the first cell of the window that lies inside. */
static void start_search(const vdnn_pool_shape *shape, strip at, float *best, uint32_t *index)
{
    int64_t top = vdnn_pool_first_kh(shape, at.row);
    for (int64_t i = 0; i < at.count; i++) {
        int64_t left = vdnn_pool_larger(0, shape->pad_w - (at.first + i) * shape->stride_w);
        best[i] = -INFINITY;
        index[i] = (uint32_t)(top * shape->kernel_w + left);
    }
}

static void find_largest(const vdnn_pool_shape *shape, const void *x, int64_t plane, strip at,
                         float best[STRIP], uint32_t index[STRIP])
{
    start_search(shape, at, best, index);
    for (int64_t kh = vdnn_pool_first_kh(shape, at.row); kh < vdnn_pool_end_kh(shape, at.row); kh++)
        for (int64_t kw = 0; kw < shape->kernel_w; kw++) {
            span inside = span_of(shape, at, kw, 0, shape->in_w);
            int64_t from = input_place(shape, plane, at.row, kh, inside.column);
            take_larger(shape, vdnn_native_const_at(shape->dtype, x, from),
                        inside.end - inside.begin, (uint32_t)(kh * shape->kernel_w + kw),
                        best + inside.begin, index + inside.begin);
        }
}

static void max_row(const vdnn_pool_shape *shape, const void *x, int64_t plane, int64_t row,
                    void *y, void *argmax, int64_t argmax_plane)
{
    for (int64_t first = 0; first < shape->out_w; first += STRIP) {
        float best[STRIP] = {0};
        uint32_t index[STRIP] = {0};
        strip at = {row, first, vdnn_pool_smaller(STRIP, shape->out_w - first)};
        int64_t to = output_place(shape, plane, at);
        find_largest(shape, x, plane, at, best, index);
        if (y != NULL)
            vdnn_stage_narrow(shape->dtype, best, vdnn_native_at(shape->dtype, y, to), at.count);
        if (argmax != NULL)
            store_argmax(shape->index_bytes, argmax, output_place(shape, argmax_plane, at),
                         at.count, index);
    }
}

/* ---- mean, forward --------------------------------------------------------------------------- */

static void find_factors(const vdnn_pool_shape *shape, strip at, float factor[STRIP])
{
    for (int64_t i = 0; i < at.count; i++)
        factor[i] = vdnn_pool_factor(shape, at.row, at.first + i);
}

VDNN_CPU_CLONES static void multiply(const float *restrict factor, float *restrict values,
                                     int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        values[i] *= factor[i];
}

static void average_row(const vdnn_pool_shape *shape, const void *x, int64_t plane, int64_t row,
                        void *y)
{
    for (int64_t first = 0; first < shape->out_w; first += STRIP) {
        float sum[STRIP] = {0}, factor[STRIP];
        strip at = {row, first, vdnn_pool_smaller(STRIP, shape->out_w - first)};
        for (int64_t kh = vdnn_pool_first_kh(shape, row); kh < vdnn_pool_end_kh(shape, row); kh++)
            for (int64_t kw = 0; kw < shape->kernel_w; kw++) {
                span inside = span_of(shape, at, kw, 0, shape->in_w);
                int64_t from = input_place(shape, plane, row, kh, inside.column);
                add_cells(shape, vdnn_native_const_at(shape->dtype, x, from),
                          inside.end - inside.begin, sum + inside.begin);
            }
        find_factors(shape, at, factor);
        multiply(factor, sum, at.count);
        vdnn_stage_narrow(shape->dtype, sum,
                          vdnn_native_at(shape->dtype, y, output_place(shape, plane, at)),
                          at.count);
    }
}

/* ---- backward -------------------------------------------------------------------------------- */

/* The contributions of a row's outputs: dy (maximum, with an argmax) or a share of it. */
typedef struct giver {
    const void *dy, *argmax;
    int64_t argmax_plane;
} giver;

static void read_shares(const vdnn_pool_shape *shape, const giver *from, int64_t plane, strip at,
                        float share[STRIP], uint32_t index[STRIP])
{
    int64_t place = output_place(shape, plane, at), count = at.count;
    vdnn_stage_widen(shape->dtype, vdnn_native_const_at(shape->dtype, from->dy, place), share,
                     count);
    if (from->argmax != NULL) {
        load_argmax(shape->index_bytes, from->argmax, output_place(shape, from->argmax_plane, at),
                    count, index);
        return;
    }
    float factor[STRIP];
    find_factors(shape, at, factor);
    multiply(factor, share, count);
}

/* Adds to `sum` the contributions of outputs `at`, whose window has row `kh` at cells `to` of dx.
 */
static void give_strip(const vdnn_pool_shape *shape, const giver *from, int64_t plane, strip at,
                       int64_t kh, strip to, float sum[STRIP])
{
    float share[STRIP];
    uint32_t index[STRIP];
    read_shares(shape, from, plane, at, share, index);
    for (int64_t kw = 0; kw < shape->kernel_w; kw++) {
        span inside = span_of(shape, at, kw, to.first, to.first + to.count);
        int64_t count = inside.end - inside.begin, begin = inside.begin;
        float *cells = sum + (inside.column - to.first);
        if (from->argmax != NULL)
            give_largest(shape, share + begin, index + begin, (uint32_t)(kh * shape->kernel_w + kw),
                         count, cells);
        else
            give(shape, share + begin, count, cells);
    }
}

static void gather_strip(const vdnn_pool_shape *shape, const giver *from, int64_t plane, strip to,
                         float sum[STRIP])
{
    int64_t below = to.row + shape->pad_h;
    int64_t begin = steps_to(to.first + shape->pad_w - shape->kernel_w + 1, shape->stride_w);
    int64_t end = vdnn_pool_smaller(shape->out_w,
                                    (to.first + to.count - 1 + shape->pad_w) / shape->stride_w + 1);
    /* The window's row is what is left of `below`; the first output is the one with the least. */
    for (int64_t kh = below % shape->stride_h; kh < shape->kernel_h && kh <= below;
         kh += shape->stride_h) {
        int64_t row = (below - kh) / shape->stride_h;
        for (int64_t first = begin; first < end && row < shape->out_h; first += STRIP)
            give_strip(shape, from, plane,
                       (strip){row, first, vdnn_pool_smaller(STRIP, end - first)}, kh, to, sum);
    }
}

static void gather_row(const vdnn_pool_shape *shape, const void *dy, const void *argmax,
                       int64_t argmax_plane, int64_t plane, int64_t row, void *dx)
{
    giver from = {dy, argmax, argmax_plane};
    for (int64_t first = 0; first < shape->in_w; first += STRIP) {
        float sum[STRIP] = {0};
        strip to = {row, first, vdnn_pool_smaller(STRIP, shape->in_w - first)};
        int64_t place = (plane * shape->in_h + row) * shape->in_w + first;
        gather_strip(shape, &from, plane, to, sum);
        vdnn_stage_narrow(shape->dtype, sum, vdnn_native_at(shape->dtype, dx, place), to.count);
    }
}

const vdnn_pool_rows vdnn_pool_strips = {max_row, average_row, gather_row};
