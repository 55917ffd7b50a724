#include "layers/pool/cpu_pool_rows.h"

/* Pooling in nChw16c: a row is computed cell by cell, all lanes of one at once, from left to right,
 * so that each row of the other map is read from left to right too. */

enum { LANES = VDNN_NATIVE_LANES };

/* Constant to the compiler if it is not 0: rows are compiled once for each of the tables below. */
typedef struct kind {
    vdnn_dtype dtype;
    size_t index_bytes;     /* of the argmax; 0: a mean */
    int64_t kernel, stride; /* of square windows */
} kind;

/* The dimensions of windows, those of the kind where it has some. */
typedef struct window {
    int64_t kernel_h, kernel_w, stride_h, stride_w;
} window;

VDNN_NATIVE_INLINE window window_of(kind k, const vdnn_pool_shape *shape)
{
    return (window){
        k.kernel > 0 ? k.kernel : shape->kernel_h, k.kernel > 0 ? k.kernel : shape->kernel_w,
        k.stride > 0 ? k.stride : shape->stride_h, k.stride > 0 ? k.stride : shape->stride_w};
}

/* The part of a window that lies inside the input. */
typedef struct part {
    int64_t top, bottom, left, right; /* kh, kw */
    int64_t place;                    /* in x of its cell (0, 0), which may lie outside */
} part;

VDNN_NATIVE_INLINE part part_of(const vdnn_pool_shape *shape, window w, int64_t plane, int64_t row,
                                int64_t column)
{
    int64_t top = row * w.stride_h - shape->pad_h, left = column * w.stride_w - shape->pad_w;
    return (part){.top = vdnn_pool_larger(0, -top),
                  .bottom = vdnn_pool_smaller(w.kernel_h, shape->in_h - top),
                  .left = vdnn_pool_larger(0, -left),
                  .right = vdnn_pool_smaller(w.kernel_w, shape->in_w - left),
                  .place = ((plane * shape->in_h + top) * shape->in_w + left) * LANES};
}

/* The whole window, in constants: so that the loops over it are unrolled. */
VDNN_NATIVE_INLINE bool is_whole(window w, const part *at)
{
    return at->top == 0 && at->left == 0 && at->bottom == w.kernel_h && at->right == w.kernel_w;
}

VDNN_NATIVE_INLINE part whole(window w, int64_t place)
{
    return (part){0, w.kernel_h, 0, w.kernel_w, place};
}

static inline int64_t output_place(const vdnn_pool_shape *shape, int64_t plane, int64_t row)
{
    return (plane * shape->out_h + row) * shape->out_w * LANES;
}

/* ---- maximum --------------------------------------------------------------------------------- */

/* Takes a cell if it is larger, or NaN: so the first of equals wins, a NaN over everything. */
VDNN_NATIVE_INLINE void take_larger(vdnn_dtype dtype, const void *x, int64_t i, uint32_t cell,
                                    vdnn_native_cell *best, vdnn_native_words *index)
{
    vdnn_native_cell value;
    vdnn_native_words takes;
    vdnn_native_load_cell(dtype, x, i, &value);
    vdnn_native_find_nan(&value, &takes);
    takes |= (vdnn_native_words)(value > *best);
    *best = (vdnn_native_cell)((takes & (vdnn_native_words)value) |
                               (~takes & (vdnn_native_words)*best));
    *index = (takes & cell) | (~takes & *index);
}

VDNN_NATIVE_INLINE void find_largest(kind k, const vdnn_pool_shape *shape, window w, const void *x,
                                     part at, vdnn_native_cell *best, vdnn_native_words *index)
{
    int64_t start = at.place + (at.top * shape->in_w + at.left) * LANES;
    vdnn_native_load_cell(k.dtype, x, start, best);
    *index = (vdnn_native_words){0} + (uint32_t)(at.top * w.kernel_w + at.left);
    for (int64_t kh = at.top; kh < at.bottom; kh++)
        for (int64_t kw = at.left; kw < at.right; kw++)
            if (kh > at.top || kw > at.left)
                take_larger(k.dtype, x, at.place + (kh * shape->in_w + kw) * LANES,
                            (uint32_t)(kh * w.kernel_w + kw), best, index);
}

/* Compilers convert vectors well only to twice and half the width. */
typedef uint8_t index_bytes __attribute__((vector_size(LANES)));

VDNN_NATIVE_INLINE void store_index(size_t bytes, void *argmax, int64_t i,
                                    const vdnn_native_words *index)
{
    if (bytes != 1) {
        memcpy((uint32_t *)argmax + i, index, sizeof *index);
        return;
    }
    const index_bytes narrow =
        __builtin_convertvector(__builtin_convertvector(*index, vdnn_native_halves), index_bytes);
    memcpy((uint8_t *)argmax + i, &narrow, sizeof narrow);
}

VDNN_NATIVE_INLINE void load_index(size_t bytes, const void *argmax, int64_t i,
                                   vdnn_native_words *index)
{
    if (bytes != 1) {
        memcpy(index, (const uint32_t *)argmax + i, sizeof *index);
        return;
    }
    index_bytes narrow;
    memcpy(&narrow, (const uint8_t *)argmax + i, sizeof narrow);
    *index = __builtin_convertvector(__builtin_convertvector(narrow, vdnn_native_halves),
                                     vdnn_native_words);
}

VDNN_NATIVE_INLINE void max_row_by(kind k, const vdnn_pool_shape *shape, const void *x,
                                   int64_t plane, int64_t row, void *y, void *argmax,
                                   int64_t argmax_plane)
{
    window w = window_of(k, shape);
    int64_t to = output_place(shape, plane, row);
    int64_t argmax_to = output_place(shape, argmax_plane, row);
    for (int64_t column = 0; column < shape->out_w; column++) {
        part at = part_of(shape, w, plane, row, column);
        vdnn_native_cell best;
        vdnn_native_words index;
        if (k.kernel > 0 && is_whole(w, &at))
            find_largest(k, shape, w, x, whole(w, at.place), &best, &index);
        else
            find_largest(k, shape, w, x, at, &best, &index);
        if (y != NULL)
            vdnn_native_store_cell(k.dtype, y, to + column * LANES, &best);
        if (argmax != NULL)
            store_index(k.index_bytes, argmax, argmax_to + column * LANES, &index);
    }
}

/* Calls `function` with the kind of the window, of those that networks mostly have, or `other`. */
#define FOR_EACH_WINDOW(function, other, dtype, index_bytes, shape, ...)                           \
    do {                                                                                           \
        if (vdnn_pool_is_square(shape, 2, 2))                                                      \
            function((kind){dtype, index_bytes, 2, 2}, shape, __VA_ARGS__);                        \
        else if (vdnn_pool_is_square(shape, 3, 2))                                                 \
            function((kind){dtype, index_bytes, 3, 2}, shape, __VA_ARGS__);                        \
        else if (vdnn_pool_is_square(shape, 3, 1))                                                 \
            function((kind){dtype, index_bytes, 3, 1}, shape, __VA_ARGS__);                        \
        else                                                                                       \
            other((kind){dtype, index_bytes, 0, 0}, shape, __VA_ARGS__);                           \
    } while (0)

VDNN_CPU_CLONES static void max_row(const vdnn_pool_shape *shape, const void *x, int64_t plane,
                                    int64_t row, void *y, void *argmax, int64_t argmax_plane)
{
    if (shape->index_bytes == 1 && shape->dtype == VDNN_F32)
        FOR_EACH_WINDOW(max_row_by, max_row_by, VDNN_F32, 1, shape, x, plane, row, y, argmax,
                        argmax_plane);
    else if (shape->index_bytes == 1)
        FOR_EACH_WINDOW(max_row_by, max_row_by, VDNN_BF16, 1, shape, x, plane, row, y, argmax,
                        argmax_plane);
    else if (shape->dtype == VDNN_F32)
        max_row_by((kind){VDNN_F32, 4, 0, 0}, shape, x, plane, row, y, argmax, argmax_plane);
    else
        max_row_by((kind){VDNN_BF16, 4, 0, 0}, shape, x, plane, row, y, argmax, argmax_plane);
}

/* ---- mean ------------------------------------------------------------------------------------ */

/* sum += factor * cell, in two roundings. */
VDNN_NATIVE_INLINE void add_share(vdnn_dtype dtype, const void *map, int64_t i, float factor,
                                  vdnn_native_cell *sum)
{
    vdnn_native_cell cell;
    vdnn_native_load_cell(dtype, map, i, &cell);
    *sum += factor * cell;
}

VDNN_NATIVE_INLINE void add_window(kind k, const vdnn_pool_shape *shape, const void *x, part at,
                                   vdnn_native_cell *sum)
{
    for (int64_t kh = at.top; kh < at.bottom; kh++)
        for (int64_t kw = at.left; kw < at.right; kw++)
            add_share(k.dtype, x, at.place + (kh * shape->in_w + kw) * LANES, 1.0F, sum);
}

VDNN_NATIVE_INLINE void average_row_by(kind k, const vdnn_pool_shape *shape, const void *x,
                                       int64_t plane, int64_t row, void *y)
{
    window w = window_of(k, shape);
    int64_t to = output_place(shape, plane, row);
    for (int64_t column = 0; column < shape->out_w; column++) {
        part at = part_of(shape, w, plane, row, column);
        vdnn_native_cell sum = {0};
        float factor = 1.0F / (float)(w.kernel_h * w.kernel_w);
        if (is_whole(w, &at)) {
            add_window(k, shape, x, whole(w, at.place), &sum);
        } else {
            add_window(k, shape, x, at, &sum);
            factor = vdnn_pool_factor(shape, row, column);
        }
        sum *= factor;
        vdnn_native_store_cell(k.dtype, y, to + column * LANES, &sum);
    }
}

VDNN_CPU_CLONES static void average_row(const vdnn_pool_shape *shape, const void *x, int64_t plane,
                                        int64_t row, void *y)
{
    if (shape->dtype == VDNN_F32)
        FOR_EACH_WINDOW(average_row_by, average_row_by, VDNN_F32, 0, shape, x, plane, row, y);
    else
        FOR_EACH_WINDOW(average_row_by, average_row_by, VDNN_BF16, 0, shape, x, plane, row, y);
}

/* ---- backward -------------------------------------------------------------------------------- */

/* The outputs whose windows have a cell, along one dimension: `output`, where it is at `offset` of
 * the window, and the ones before it, each a stride further on. */
typedef struct reach {
    int64_t output, offset;
} reach;

VDNN_NATIVE_INLINE reach reach_of(int64_t cell, int64_t pad, int64_t stride)
{
    return (reach){(cell + pad) / stride, (cell + pad) % stride};
}

/* An output's contribution to cell `cell` of its window. */
VDNN_NATIVE_INLINE void add_if_largest(kind k, const void *dy, int64_t i, const void *argmax,
                                       int64_t argmax_i, uint32_t cell, vdnn_native_cell *sum)
{
    vdnn_native_cell given;
    vdnn_native_words index;
    vdnn_native_load_cell(k.dtype, dy, i, &given);
    load_index(k.index_bytes, argmax, argmax_i, &index);
    *sum += (vdnn_native_cell)((vdnn_native_words)given & (vdnn_native_words)(index == cell));
}

enum { MOST_ROWS = 3 };

/* A row of outputs whose windows have the cells of a row of dx in their row `kh`. */
typedef struct giving_row {
    int64_t dy;     /* its first output */
    int64_t argmax; /* the same in the argmax */
    int64_t row, kh;
    float factor; /* of a mean, where the window is whole across */
} giving_row;

VDNN_NATIVE_INLINE giving_row giving_row_at(kind k, const vdnn_pool_shape *shape, window w,
                                            int64_t argmax_plane, int64_t plane, reach down)
{
    giving_row made = {.dy = output_place(shape, plane, down.output),
                       .argmax = output_place(shape, argmax_plane, down.output),
                       .row = down.output,
                       .kh = down.offset};
    int64_t first = down.output * w.stride_h - shape->pad_h;
    int64_t counted = vdnn_pool_counted(shape, first, w.kernel_h, shape->in_h, shape->pad_h);
    if (k.index_bytes == 0)
        made.factor = 1.0F / (float)(counted * w.kernel_w);
    return made;
}

/* Outputs of a row from `from` on contribute to one cell; if all their windows are complete across,
 * they exist. */
VDNN_NATIVE_INLINE void gather_from(kind k, const vdnn_pool_shape *shape, window w, const void *dy,
                                    const giving_row *g, reach from, bool are_whole,
                                    const void *argmax, vdnn_native_cell *sum)
{
    for (; from.offset < w.kernel_w; from.offset += w.stride_w, from.output--) {
        if (!are_whole && (from.output < 0 || from.output >= shape->out_w))
            continue;
        int64_t i = from.output * LANES;
        if (k.index_bytes == 0)
            add_share(k.dtype, dy, g->dy + i,
                      are_whole ? g->factor : vdnn_pool_factor(shape, g->row, from.output), sum);
        else
            add_if_largest(k, dy, g->dy + i, argmax, g->argmax + i,
                           (uint32_t)(g->kh * w.kernel_w + from.offset), sum);
    }
}

/* Windows of a constant size, of whose outputs from .. to are whole across. */
VDNN_NATIVE_INLINE void gather_cell(kind k, const vdnn_pool_shape *shape, window w, const void *dy,
                                    const void *argmax, const giving_row *rows, int row_count,
                                    int64_t column, vdnn_native_cell *sum)
{
    const int64_t whole_from = (shape->pad_w + w.stride_w - 1) / w.stride_w;
    const int64_t whole_to = (shape->in_w - w.kernel_w + shape->pad_w) / w.stride_w;
    const reach from = reach_of(column, shape->pad_w, w.stride_w);
    const int64_t last = from.output - (w.kernel_w - 1 - from.offset) / w.stride_w;
    const bool are_whole = from.output <= whole_to && last >= whole_from;
    for (int r = 0; r < row_count; r++)
        if (are_whole && (k.stride == 1 || from.offset == 0))
            gather_from(k, shape, w, dy, &rows[r], (reach){from.output, 0}, true, argmax, sum);
        else if (are_whole)
            gather_from(k, shape, w, dy, &rows[r], (reach){from.output, 1}, true, argmax, sum);
        else
            gather_from(k, shape, w, dy, &rows[r], from, false, argmax, sum);
}

VDNN_NATIVE_INLINE void gather_row_by(kind k, const vdnn_pool_shape *shape, const void *dy,
                                      const void *argmax, int64_t argmax_plane, int64_t plane,
                                      int64_t row, void *dx)
{
    window w = window_of(k, shape);
    int64_t to = (plane * shape->in_h + row) * shape->in_w * LANES;
    giving_row rows[MOST_ROWS];
    int row_count = 0;
    reach down = reach_of(row, shape->pad_h, w.stride_h);
    for (; down.offset < w.kernel_h; down.offset += w.stride_h, down.output--)
        if (down.output >= 0 && down.output < shape->out_h)
            rows[row_count++] = giving_row_at(k, shape, w, argmax_plane, plane, down);
    for (int64_t column = 0; column < shape->in_w; column++) {
        vdnn_native_cell sum = {0};
        gather_cell(k, shape, w, dy, argmax, rows, row_count, column, &sum);
        vdnn_native_store_cell(k.dtype, dx, to + column * LANES, &sum);
    }
}

/* Windows of any size, output by output. */
VDNN_NATIVE_INLINE void give(kind k, const vdnn_pool_shape *shape, window w, const void *dy,
                             const giving_row *g, reach from, const void *argmax,
                             vdnn_native_cell *sum)
{
    int64_t i = from.output * LANES;
    if (k.index_bytes == 0)
        add_share(k.dtype, dy, g->dy + i, vdnn_pool_factor(shape, g->row, from.output), sum);
    else
        add_if_largest(k, dy, g->dy + i, argmax, g->argmax + i,
                       (uint32_t)(g->kh * w.kernel_w + from.offset), sum);
}

VDNN_NATIVE_INLINE void gather_row_of_any(kind k, const vdnn_pool_shape *shape, const void *dy,
                                          const void *argmax, int64_t argmax_plane, int64_t plane,
                                          int64_t row, void *dx)
{
    window w = window_of(k, shape);
    int64_t to = (plane * shape->in_h + row) * shape->in_w * LANES;
    for (int64_t column = 0; column < shape->in_w; column++) {
        vdnn_native_cell sum = {0};
        reach down = reach_of(row, shape->pad_h, w.stride_h);
        for (; down.offset < w.kernel_h; down.offset += w.stride_h, down.output--) {
            reach from = reach_of(column, shape->pad_w, w.stride_w);
            if (down.output < 0 || down.output >= shape->out_h)
                continue;
            giving_row g = giving_row_at(k, shape, w, argmax_plane, plane, down);
            for (; from.offset < w.kernel_w; from.offset += w.stride_w, from.output--)
                if (from.output >= 0 && from.output < shape->out_w)
                    give(k, shape, w, dy, &g, from, argmax, &sum);
        }
        vdnn_native_store_cell(k.dtype, dx, to + column * LANES, &sum);
    }
}

VDNN_CPU_CLONES static void gather_row(const vdnn_pool_shape *shape, const void *dy,
                                       const void *argmax, int64_t argmax_plane, int64_t plane,
                                       int64_t row, void *dx)
{
    size_t bytes = argmax == NULL ? 0 : shape->index_bytes;
    bool f32 = shape->dtype == VDNN_F32;
    if (f32 && bytes == 0)
        FOR_EACH_WINDOW(gather_row_by, gather_row_of_any, VDNN_F32, 0, shape, dy, argmax,
                        argmax_plane, plane, row, dx);
    else if (f32 && bytes == 1)
        FOR_EACH_WINDOW(gather_row_by, gather_row_of_any, VDNN_F32, 1, shape, dy, argmax,
                        argmax_plane, plane, row, dx);
    else if (bytes == 0)
        FOR_EACH_WINDOW(gather_row_by, gather_row_of_any, VDNN_BF16, 0, shape, dy, argmax,
                        argmax_plane, plane, row, dx);
    else if (bytes == 1)
        FOR_EACH_WINDOW(gather_row_by, gather_row_of_any, VDNN_BF16, 1, shape, dy, argmax,
                        argmax_plane, plane, row, dx);
    else if (f32)
        gather_row_of_any((kind){VDNN_F32, 4, 0, 0}, shape, dy, argmax, argmax_plane, plane, row,
                          dx);
    else
        gather_row_of_any((kind){VDNN_BF16, 4, 0, 0}, shape, dy, argmax, argmax_plane, plane, row,
                          dx);
}

const vdnn_pool_rows vdnn_pool_lanes = {max_row, average_row, gather_row};
