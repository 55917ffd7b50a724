#include "layers/pool/cpu_pool_rows.h"
#include "layers/stage.h"

#include <math.h>

/* Pooling of volumes: a row is computed in strips that stay in the first cache, cell of the window
 * by cell of the window, so that the innermost loop runs over columns and lanes. */

enum { STRIP = 256 }; /* elements: columns times lanes */

/* Constant to the compiler. */
typedef struct kind {
    vdnn_dtype dtype;
    int64_t lanes;
    size_t index_bytes; /* of the argmax; 0: a mean */
} kind;

/* Where row `row` of a plane is: its slice and its row there. */
typedef struct place {
    int64_t d, h;
} place;

VDNN_NATIVE_INLINE place place_of(int64_t row, int64_t height)
{
    return (place){row / height, row % height};
}

/* Numbers from begin to end - 1, none where they cross. */
typedef vdnn_native_range range;

VDNN_NATIVE_INLINE int64_t up(int64_t a, int64_t b)
{
    return a <= 0 ? 0 : (a + b - 1) / b;
}

/* The cells of a window along a side that lie inside the input, `first` being its first. */
VDNN_NATIVE_INLINE range inside(int64_t first, int64_t kernel, int64_t in)
{
    return (range){vdnn_pool_larger(0, -first), vdnn_pool_smaller(kernel, in - first)};
}

/* The outputs whose cell `k` is one of [cells.begin, cells.end), along a side. */
VDNN_NATIVE_INLINE range outputs_at(range cells, int64_t k, int64_t pad, int64_t stride,
                                    int64_t out)
{
    return (range){up(cells.begin + pad - k, stride),
                   vdnn_pool_smaller(up(cells.end + pad - k, stride), out)};
}

VDNN_NATIVE_INLINE int64_t cell_of(const vdnn_pool_shape *s, int64_t kd, int64_t kh, int64_t kw)
{
    return (kd * s->kernel_h + kh) * s->kernel_w + kw;
}

/* Cells of windows that count in a mean, in a row of outputs: slices times rows of one. */
VDNN_NATIVE_INLINE int64_t counted_in_row(const vdnn_pool_shape *s, place at)
{
    return vdnn_pool_counted(s, at.d * s->stride_d - s->pad_d, s->kernel_d, s->in_d, s->pad_d) *
           vdnn_pool_counted(s, at.h * s->stride_h - s->pad_h, s->kernel_h, s->in_h, s->pad_h);
}

VDNN_NATIVE_INLINE float factor_at(const vdnn_pool_shape *s, int64_t counted, int64_t column)
{
    return 1.0F / (float)(counted * vdnn_pool_counted(s, column * s->stride_w - s->pad_w,
                                                      s->kernel_w, s->in_w, s->pad_w));
}

/* ---- forward --------------------------------------------------------------------------------- */

typedef struct strip {
    range columns; /* of the outputs */
    range kd, kh;  /* of windows, inside the input */
    float value[STRIP];
    uint32_t index[STRIP];
} strip;

/* The first cell that is inside begins as the largest: it is the result where all are -inf. */
VDNN_NATIVE_INLINE void begin_strip(kind k, const vdnn_pool_shape *s, strip *t)
{
    for (int64_t column = t->columns.begin; column < t->columns.end; column++) {
        range kw = inside(column * s->stride_w - s->pad_w, s->kernel_w, s->in_w);
        uint32_t cell = (uint32_t)cell_of(s, t->kd.begin, t->kh.begin, kw.begin);
        int64_t to = (column - t->columns.begin) * k.lanes;
        for (int64_t lane = 0; lane < k.lanes; lane++) {
            t->value[to + lane] = k.index_bytes > 0 ? -INFINITY : 0.0F;
            t->index[to + lane] = cell;
        }
    }
}

/* Takes cell `cell` of windows, their cells in x being `step` elements apart: adds it up, or keeps
 * it if it is larger, or NaN. */
VDNN_NATIVE_INLINE void take(kind k, const void *x, int64_t from, int64_t step, int64_t columns,
                             uint32_t cell, float *restrict value, uint32_t *restrict index)
{
    for (int64_t column = 0; column < columns; column++) {
#pragma omp simd
        for (int64_t lane = 0; lane < k.lanes; lane++) {
            int64_t to = column * k.lanes + lane;
            float given = vdnn_native_load(k.dtype, x, from + column * step + lane);
            if (k.index_bytes == 0) {
                value[to] += given;
                continue;
            }
            bool takes = (given > value[to]) | (given != given);
            value[to] = takes ? given : value[to];
            index[to] = takes ? cell : index[to];
        }
    }
}

VDNN_NATIVE_INLINE void compute_strip(kind k, const vdnn_pool_shape *s, const void *x,
                                      int64_t plane, place at, strip *t)
{
    int64_t top = at.h * s->stride_h - s->pad_h, front = at.d * s->stride_d - s->pad_d;
    t->kd = inside(front, s->kernel_d, s->in_d);
    t->kh = inside(top, s->kernel_h, s->in_h);
    begin_strip(k, s, t);
    for (int64_t kd = t->kd.begin; kd < t->kd.end; kd++)
        for (int64_t kh = t->kh.begin; kh < t->kh.end; kh++) {
            int64_t row = plane * s->in_rows + (front + kd) * s->in_h + top + kh;
            for (int64_t kw = 0; kw < s->kernel_w; kw++) {
                range all = outputs_at((range){0, s->in_w}, kw, s->pad_w, s->stride_w, s->out_w);
                int64_t begin = vdnn_pool_larger(all.begin, t->columns.begin),
                        end = vdnn_pool_smaller(all.end, t->columns.end),
                        to = (begin - t->columns.begin) * k.lanes;
                if (begin < end)
                    take(k, x, (row * s->in_w + begin * s->stride_w - s->pad_w + kw) * k.lanes,
                         s->stride_w * k.lanes, end - begin, (uint32_t)cell_of(s, kd, kh, kw),
                         t->value + to, t->index + to);
            }
        }
}

VDNN_NATIVE_INLINE void store_strip(kind k, const float *value, int64_t count, void *map, int64_t i)
{
    if (k.dtype == VDNN_F32)
        memcpy((float *)map + i, value, (size_t)count * sizeof *value);
    else
        vdnn_stage_narrow(k.dtype, value, vdnn_native_at(k.dtype, map, i), count);
}

VDNN_NATIVE_INLINE void store_index(kind k, const uint32_t *index, int64_t count, void *argmax,
                                    int64_t i)
{
    if (k.index_bytes == 1)
        for (int64_t e = 0; e < count; e++)
            ((uint8_t *)argmax)[i + e] = (uint8_t)index[e];
    else
        memcpy((uint32_t *)argmax + i, index, (size_t)count * sizeof *index);
}

VDNN_NATIVE_INLINE void forward_row_by(kind k, const vdnn_pool_shape *s, const void *x,
                                       int64_t plane, int64_t row, void *y, void *argmax,
                                       int64_t argmax_plane)
{
    const int64_t width = STRIP / k.lanes;
    place at = place_of(row, s->out_h);
    int64_t counted = counted_in_row(s, at);
    strip t;
    for (int64_t first = 0; first < s->out_w; first += width) {
        t.columns = (range){first, vdnn_pool_smaller(first + width, s->out_w)};
        int64_t count = (t.columns.end - first) * k.lanes, to = (row * s->out_w + first) * k.lanes,
                plane_size = s->out_rows * s->out_w * k.lanes;
        compute_strip(k, s, x, plane, at, &t);
        for (int64_t c = 0; k.index_bytes == 0 && c < t.columns.end - first; c++) {
            float factor = factor_at(s, counted, first + c);
            for (int64_t lane = 0; lane < k.lanes; lane++)
                t.value[c * k.lanes + lane] *= factor;
        }
        if (y != NULL)
            store_strip(k, t.value, count, y, plane * plane_size + to);
        if (k.index_bytes > 0 && argmax != NULL)
            store_index(k, t.index, count, argmax, argmax_plane * plane_size + to);
    }
}

/* ---- backward -------------------------------------------------------------------------------- */

/* A row of outputs whose windows have a row of dx in their slice kd and row kh. */
typedef struct giving_row {
    int64_t dy, argmax; /* its first output */
    int64_t counted;    /* of a mean, in a row */
    int64_t kd, kh;
} giving_row;

/* Adds to the cells of a strip of dx what a row of outputs gives. */
VDNN_NATIVE_INLINE void gather_strip(kind k, const vdnn_pool_shape *s, const void *dy,
                                     const void *argmax, const giving_row *g, range cells,
                                     float *restrict sum)
{
    for (int64_t kw = 0; kw < s->kernel_w; kw++) {
        range outputs = outputs_at(cells, kw, s->pad_w, s->stride_w, s->out_w);
        uint32_t cell = (uint32_t)cell_of(s, g->kd, g->kh, kw);
        for (int64_t o = outputs.begin; o < outputs.end; o++) {
            int64_t to = (o * s->stride_w - s->pad_w + kw - cells.begin) * k.lanes;
            float factor = k.index_bytes == 0 ? factor_at(s, g->counted, o) : 0.0F;
#pragma omp simd
            for (int64_t lane = 0; lane < k.lanes; lane++) {
                int64_t from = o * k.lanes + lane;
                float given = vdnn_native_load(k.dtype, dy, g->dy + from);
                if (k.index_bytes == 0)
                    sum[to + lane] += factor * given;
                else if (k.index_bytes == 1)
                    sum[to + lane] +=
                        ((const uint8_t *)argmax)[g->argmax + from] == cell ? given : 0.0F;
                else
                    sum[to + lane] +=
                        ((const uint32_t *)argmax)[g->argmax + from] == cell ? given : 0.0F;
            }
        }
    }
}

/* Calls gather_strip for each row of outputs that gives to a row of dx, in their order. */
VDNN_NATIVE_INLINE void gather_cells(kind k, const vdnn_pool_shape *s, const void *dy,
                                     const void *argmax, int64_t argmax_plane, int64_t plane,
                                     place at, range cells, float *restrict sum)
{
    for (int64_t kd = 0; kd < s->kernel_d; kd++)
        for (int64_t kh = 0; kh < s->kernel_h; kh++) {
            range d = outputs_at((range){at.d, at.d + 1}, kd, s->pad_d, s->stride_d, s->out_d),
                  h = outputs_at((range){at.h, at.h + 1}, kh, s->pad_h, s->stride_h, s->out_h);
            if (d.begin >= d.end || h.begin >= h.end)
                continue;
            int64_t row = d.begin * s->out_h + h.begin, length = s->out_w * k.lanes;
            giving_row g = {.dy = (plane * s->out_rows + row) * length,
                            .argmax = (argmax_plane * s->out_rows + row) * length,
                            .counted = counted_in_row(s, (place){d.begin, h.begin}),
                            .kd = kd,
                            .kh = kh};
            gather_strip(k, s, dy, argmax, &g, cells, sum);
        }
}

VDNN_NATIVE_INLINE void gather_row_by(kind k, const vdnn_pool_shape *s, const void *dy,
                                      const void *argmax, int64_t argmax_plane, int64_t plane,
                                      int64_t row, void *dx)
{
    const int64_t width = STRIP / k.lanes;
    place at = place_of(row, s->in_h);
    for (int64_t first = 0; first < s->in_w; first += width) {
        float sum[STRIP] = {0};
        range cells = {first, vdnn_pool_smaller(first + width, s->in_w)};
        gather_cells(k, s, dy, argmax, argmax_plane, plane, at, cells, sum);
        store_strip(k, sum, (cells.end - first) * k.lanes, dx,
                    ((plane * s->in_rows + row) * s->in_w + first) * k.lanes);
    }
}

/* ---- kinds ----------------------------------------------------------------------------------- */

/* Calls `function` with the kind that is `shape`'s, by constants. */
#define BY_LANES(function, dtype, bytes, shape, ...)                                               \
    do {                                                                                           \
        if ((shape)->lanes == 1)                                                                   \
            function((kind){dtype, 1, bytes}, shape, __VA_ARGS__);                                 \
        else                                                                                       \
            function((kind){dtype, VDNN_NATIVE_LANES, bytes}, shape, __VA_ARGS__);                 \
    } while (0)

#define BY_KIND(function, bytes, shape, ...)                                                       \
    do {                                                                                           \
        if ((shape)->dtype == VDNN_F32)                                                            \
            BY_LANES(function, VDNN_F32, bytes, shape, __VA_ARGS__);                               \
        else                                                                                       \
            BY_LANES(function, VDNN_BF16, bytes, shape, __VA_ARGS__);                              \
    } while (0)

VDNN_CPU_CLONES static void max_row(const vdnn_pool_shape *shape, const void *x, int64_t plane,
                                    int64_t row, void *y, void *argmax, int64_t argmax_plane)
{
    if (shape->index_bytes == 1)
        BY_KIND(forward_row_by, 1, shape, x, plane, row, y, argmax, argmax_plane);
    else
        BY_KIND(forward_row_by, 4, shape, x, plane, row, y, argmax, argmax_plane);
}

VDNN_CPU_CLONES static void average_row(const vdnn_pool_shape *shape, const void *x, int64_t plane,
                                        int64_t row, void *y)
{
    BY_KIND(forward_row_by, 0, shape, x, plane, row, y, NULL, 0);
}

VDNN_CPU_CLONES static void gather_row(const vdnn_pool_shape *shape, const void *dy,
                                       const void *argmax, int64_t argmax_plane, int64_t plane,
                                       int64_t row, void *dx)
{
    if (argmax == NULL)
        BY_KIND(gather_row_by, 0, shape, dy, argmax, argmax_plane, plane, row, dx);
    else if (shape->index_bytes == 1)
        BY_KIND(gather_row_by, 1, shape, dy, argmax, argmax_plane, plane, row, dx);
    else
        BY_KIND(gather_row_by, 4, shape, dy, argmax, argmax_plane, plane, row, dx);
}

const vdnn_pool_rows vdnn_pool_volumes = {max_row, average_row, gather_row};
