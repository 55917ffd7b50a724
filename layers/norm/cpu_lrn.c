#include "layers/cpu/native.h"
#include "layers/norm/lrn.h"
#include "layers/stage.h"

#include <math.h>

/* A sample is processed in strips of cells. All channels of a strip are staged as f32, with zeros
 * before the first channel and after the last, so that every window is complete, in any layout:
 *
 *     nchw      (channel, cell of the strip)    neighbouring channels are `step` = STRIP apart
 *     nChw16c   (cell of the strip, channel)                              `step` = 1
 *
 * The arithmetic then goes from one end of the staged elements to the other in one loop. */
enum { STRIP = 32 };

typedef struct strip_shape {
    vdnn_desc desc;
    int64_t cells, lanes;
    int64_t channels;      /* with the padding of the layout */
    int64_t before, after; /* how far a window reaches */
    int64_t margin;        /* channels staged on each side of the map's */
    int64_t step;          /* staged elements from channel to channel */
    int64_t first, end;    /* of the staged elements that are computed */
    int64_t staged;
    float k, share, beta, factor;
} strip_shape;

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static strip_shape shape_of(const vdnn_layer *layer)
{
    const vdnn_lrn_config *lrn = layer->config;
    const vdnn_desc *y = &layer->y;
    strip_shape made = {
        .desc = *y,
        .cells = y->dims[VDNN_H] * y->dims[VDNN_W],
        .lanes = vdnn_native_lanes(y),
        .channels = vdnn_desc_channels(y),
        .before = smaller(lrn->size / 2, y->dims[VDNN_C]),
        .after = smaller((lrn->size - 1) / 2, y->dims[VDNN_C]),
        .k = (float)lrn->k,
        .share = (float)(lrn->alpha / (double)lrn->size),
        .beta = (float)lrn->beta,
        .factor = (float)(2 * lrn->alpha * lrn->beta / (double)lrn->size),
    };
    made.margin = made.before; /* the longer side */
    made.step = made.lanes == 1 ? STRIP : 1;
    made.staged = (made.channels + 2 * made.margin) * STRIP;
    made.first = made.margin * made.step;
    made.end = made.staged - made.first;
    return made;
}

/* ---- staging --------------------------------------------------------------------------------- */

typedef struct strip {
    int64_t sample, first, count; /* cells */
} strip;

/* Between the map and the staged channels. In nchw the cells of a channel are contiguous, here and
 * there. */
static void copy_channels(const strip_shape *shape, strip at, bool stores, void *map, float *staged)
{
    vdnn_dtype dtype = shape->desc.dtype;
    int64_t place = at.sample * shape->channels * shape->cells + at.first;
    for (int64_t c = 0; c < shape->channels; c++) {
        void *cells = vdnn_native_at(dtype, map, place + c * shape->cells);
        float *row = staged + (shape->margin + c) * STRIP;
        if (stores)
            vdnn_stage_narrow(dtype, row, cells, at.count);
        else
            vdnn_stage_widen(dtype, cells, row, at.count);
    }
}

/* In nChw16c the lanes of a cell are. */
VDNN_NATIVE_INLINE void copy_blocks_of(vdnn_dtype dtype, const strip_shape *shape, strip at,
                                       bool stores, void *map, float *staged)
{
    int64_t sample = at.sample * shape->channels * shape->cells;
    int64_t stride = shape->channels + 2 * shape->margin; /* of cells */
    for (int64_t c = 0; c < shape->channels; c += VDNN_NATIVE_LANES) {
        int64_t place = sample + c * shape->cells + at.first * VDNN_NATIVE_LANES;
        float *lanes = staged + shape->margin + c;
        for (int64_t i = 0; i < at.count; i++, place += VDNN_NATIVE_LANES, lanes += stride) {
            vdnn_native_cell cell;
            if (stores) {
                memcpy(&cell, lanes, sizeof cell);
                vdnn_native_store_cell(dtype, map, place, &cell);
            } else {
                vdnn_native_load_cell(dtype, map, place, &cell);
                memcpy(lanes, &cell, sizeof cell);
            }
        }
    }
}

VDNN_CPU_CLONES static void copy_blocks(const strip_shape *shape, strip at, bool stores, void *map,
                                        float *staged)
{
    if (shape->desc.dtype == VDNN_F32)
        copy_blocks_of(VDNN_F32, shape, at, stores, map, staged);
    else
        copy_blocks_of(VDNN_BF16, shape, at, stores, map, staged);
}

static void copy_strip(const strip_shape *shape, strip at, bool stores, void *map, float *staged)
{
    if (shape->lanes == 1)
        copy_channels(shape, at, stores, map, staged);
    else
        copy_blocks(shape, at, stores, map, staged);
}

static void load_strip(const strip_shape *shape, strip at, void *map, float *staged)
{
    copy_strip(shape, at, false, map, staged);
}

static void store_strip(const strip_shape *shape, strip at, float *staged, void *map)
{
    copy_strip(shape, at, true, map, staged);
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

VDNN_CPU_CLONES static void square(const float *restrict x, float *restrict squares, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        squares[i] = x[i] * x[i];
}

/* to[i] = sum of from[i + j * step] for j from -before to after. Networks mostly have five terms,
 * which are added in one pass; in the same order, so that the bits are the same. */
VDNN_CPU_CLONES static void sum_windows(const float *restrict from, int64_t step, int64_t before,
                                        int64_t after, float *restrict to, int64_t count)
{
    if (before == 2 && after == 2) {
        for (int64_t i = 0; i < count; i++)
            to[i] =
                from[i - 2 * step] + from[i - step] + from[i] + from[i + step] + from[i + 2 * step];
        return;
    }
    for (int64_t i = 0; i < count; i++)
        to[i] = from[i - before * step];
    for (int64_t j = 1 - before; j <= after; j++)
        for (int64_t i = 0; i < count; i++)
            to[i] += from[i + j * step];
}

/* powers[i] = d ^ -beta, where d = k + share * sums[i]; the usual exponent by two roots. If d is 0,
 * as it is outside the map's channels if k is, the power is 0 too: it is multiplied with 0. */
VDNN_CPU_CLONES static void raise_divisors(const strip_shape *shape, const float *restrict sums,
                                           float *restrict powers, int64_t count)
{
    float k = shape->k, share = shape->share;
    if (shape->beta == 0.75F) {
        for (int64_t i = 0; i < count; i++) {
            float divisor = k + share * sums[i], root = sqrtf(divisor);
            powers[i] = divisor == 0 ? 0 : 1 / (root * sqrtf(root));
        }
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        float divisor = k + share * sums[i];
        powers[i] = divisor == 0 ? 0 : powf(divisor, -shape->beta);
    }
}

VDNN_CPU_CLONES static void multiply(const float *restrict a, float *restrict b, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        b[i] *= a[i];
}

enum { CHUNK = 1024 }; /* staged elements that are computed at a time */

/* Powers of the divisors of `count` staged elements from `first` on, of `sums`. */
static void find_powers(const strip_shape *shape, const float *squares, int64_t count,
                        float sums[CHUNK], float powers[CHUNK])
{
    sum_windows(squares, shape->step, shape->before, shape->after, sums, count);
    raise_divisors(shape, sums, powers, count);
}

/* y over the staged x. */
static void forward_staged(const strip_shape *shape, float *x, float *squares)
{
    float sums[CHUNK], powers[CHUNK];
    square(x, squares, shape->staged);
    for (int64_t i = shape->first; i < shape->end; i += CHUNK) {
        int64_t count = smaller(CHUNK, shape->end - i);
        find_powers(shape, squares + i, count, sums, powers);
        multiply(powers, x + i, count);
    }
}

/* dx[c] = dy[c] * d[c] ^ -beta - 2 * alpha * beta / size * x[c] * sum of t over the c' whose window
 * has c, where t[c'] = dy[c'] * x[c'] * d[c'] ^ (-beta - 1). */
VDNN_CPU_CLONES static void find_terms(const strip_shape *shape, const float *restrict x,
                                       const float *restrict sums, const float *restrict powers,
                                       float *restrict dy, float *restrict t, int64_t count)
{
    float k = shape->k, share = shape->share;
    for (int64_t i = 0; i < count; i++) {
        float divisor = k + share * sums[i];
        dy[i] *= powers[i];
        t[i] = dy[i] * x[i] / (divisor == 0 ? 1 : divisor);
    }
}

VDNN_CPU_CLONES static void subtract_terms(float factor, const float *restrict x,
                                           const float *restrict sums, float *restrict dx,
                                           int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        dx[i] -= factor * x[i] * sums[i];
}

/* dx over the staged dy. `t` is zero outside the map's channels. */
static void backward_staged(const strip_shape *shape, const float *x, float *dy, float *squares,
                            float *t)
{
    float sums[CHUNK], powers[CHUNK];
    square(x, squares, shape->staged);
    for (int64_t i = shape->first; i < shape->end; i += CHUNK) {
        int64_t count = smaller(CHUNK, shape->end - i);
        find_powers(shape, squares + i, count, sums, powers);
        find_terms(shape, x + i, sums, powers, dy + i, t + i, count);
    }
    for (int64_t i = shape->first; i < shape->end; i += CHUNK) {
        int64_t count = smaller(CHUNK, shape->end - i);
        sum_windows(t + i, shape->step, shape->after, shape->before, sums, count);
        subtract_terms(shape->factor, x + i, sums, dy + i, count);
    }
}

/* ---- passes ---------------------------------------------------------------------------------- */

/* Arrays of staged elements: x and its squares; backward dy and t too. */
static int64_t count_arrays(vdnn_pass pass)
{
    return pass == VDNN_FORWARD ? 2 : 4;
}

static void run_strip(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                      const strip_shape *shape, strip at, float *staged)
{
    float *x = staged, *squares = x + shape->staged;
    load_strip(shape, at, args->x[0], x);
    if (kernel->pass == VDNN_FORWARD) {
        forward_staged(shape, x, squares);
        store_strip(shape, at, x, args->y);
        return;
    }
    float *dy = squares + shape->staged, *t = dy + shape->staged;
    load_strip(shape, at, args->dy, dy);
    backward_staged(shape, x, dy, squares, t);
    store_strip(shape, at, dy, args->dx[0]);
}

/* The staged arrays of each thread. */
static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    strip_shape shape = shape_of(kernel->layer);
    *bytes = (size_t)(kernel->threads * count_arrays(kernel->pass) * shape.staged) * sizeof(float);
    return VDNN_OK;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    strip_shape shape = shape_of(kernel->layer);
    int64_t per_sample = (shape.cells + STRIP - 1) / STRIP;
    int64_t strips = shape.desc.dims[VDNN_N] * per_sample;
    int64_t arrays = count_arrays(kernel->pass) * shape.staged;
    int threads = kernel->threads;
#pragma omp parallel for num_threads(threads)
    for (int part = 0; part < threads; part++) {
        float *staged = (float *)args->workspace + part * arrays;
        memset(staged, 0, (size_t)arrays * sizeof *staged);
        for (int64_t i = strips * part / threads; i < strips * (part + 1) / threads; i++) {
            int64_t first = i % per_sample * STRIP;
            strip at = {i / per_sample, first, smaller(STRIP, shape.cells - first)};
            run_strip(kernel, args, &shape, at, staged);
        }
    }
    return VDNN_OK;
}

const vdnn_algorithm vdnn_lrn_native = {
    .layer_type = "lrn",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .refusal = vdnn_native_refusal_blocked,
    .workspace = workspace,
    .run = run,
};
