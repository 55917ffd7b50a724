#include "layers/conv/conv_shape.h"
#include "layers/count.h"
#include "layers/cpu/threads.h"
#include "runtime/base/machine/simd.h"

#include <string.h>

/* Direct convolution of blocked maps whose last block of input channels is not full: the products
 * with its padding, up to 15 of 16, are skipped. Backward data writes those channels, and gains
 * nothing.
 *
 *     forward          a row of up to 14 cells by two blocks of outputs is kept in registers, over
 *                      all taps and input channels; one copy of each image's rows has a border of
 *                      zeros
 *     backward filter  up to 8 input channels by two blocks of outputs of one tap are kept in
 *                      registers, over all cells of an image; images are added in their order
 *
 * No sum crosses a boundary between work items, so bits do not depend on the thread count. */

enum {
    LANES = 16,
    TAP = LANES * LANES, /* floats of one tap of a pair of blocks */
    WIDEST = 14,         /* cells of y */
    MOST_CHANNELS = 8,
    COPY_FLOATS = 24 * 1024, /* stay in a core's L2 cache with weights */
    ITEMS_A_THREAD = 4
};

typedef struct span {
    int64_t begin, end;
} span;

typedef struct narrow_job {
    vdnn_conv_shape s;
    int64_t in_blocks, out_blocks, pairs;
    const float *x, *w, *bias, *dy;
    float *y, *dw, *bias_gradient;
    bool relu;
    float *copies; /* copy_floats for each member; NULL: images are read in place */
    int64_t copy_floats, band_rows, bands;
} narrow_job;

/* Positions i of [0, count) for which i + shift is one of [0, other). */
static span reach_of(int64_t count, int64_t shift, int64_t other)
{
    span reach = {.begin = vdnn_count_max(-shift, 0), .end = vdnn_count_min(other - shift, count)};
    reach.end = vdnn_count_max(reach.begin, reach.end);
    return reach;
}

static int64_t channels_of(int64_t channels, int64_t block)
{
    return vdnn_count_min(channels - block * LANES, LANES);
}

static unsigned lanes_of(int64_t channels, int64_t block)
{
    return (1U << channels_of(channels, block)) - 1U;
}

static narrow_job job_of(const vdnn_layer *layer)
{
    narrow_job job = {.s = vdnn_conv_shape_of(layer),
                      .relu = layer->epilogue == VDNN_EPILOGUE_RELU};
    job.in_blocks = vdnn_count_pieces(job.s.c, LANES);
    job.out_blocks = vdnn_count_pieces(job.s.k, LANES);
    job.pairs = vdnn_count_pieces(job.out_blocks, 2);
    return job;
}

/* ---- the kernels ----------------------------------------------------------------------------- */

/* Some cells of a row of y, of one or two blocks. */
typedef struct row_task {
    const float *x;           /* of the first cell's first tap, in the first block */
    int64_t x_block, x_row;   /* floats from one to the next */
    const float *w;           /* of the first row of taps that is within the image */
    int64_t w_block, w_input; /* from one block of outputs, of inputs, to the next */
    int64_t c, rows, taps;    /* input channels; rows of taps, and taps of a row */
    const float *bias[2];     /* NULL: none */
    unsigned lanes[2];        /* outputs that are not padding */
    bool relu;
    float *y;
    int64_t y_block;
} row_task;

/* Some input channels of one tap, of one or two blocks of outputs, and one image. */
typedef struct tap_task {
    const float *x, *dy; /* of the first cell that the tap reaches */
    int64_t x_row, dy_row, dy_block;
    int64_t rows, cells; /* cells of a row */
    unsigned lanes[2];
    bool begin; /* dw is written, not added to */
    float *dw;
    int64_t dw_block;
} tap_task;

typedef void row_kernel(const row_task *task);
typedef void tap_kernel(const tap_task *task);

#if VDNN_SIMD_X86

VDNN_AVX512_INLINE void compute_row(const row_task *task, int width, int blocks)
{
    __m512 sums[WIDEST][2];
    for (int b = 0; b < blocks; b++) {
        const float *bias = task->bias[b];
        __m512 first = bias == NULL ? _mm512_setzero_ps()
                                    : _mm512_maskz_loadu_ps((__mmask16)task->lanes[b], bias);
#pragma GCC unroll 14
        for (int j = 0; j < width; j++)
            sums[j][b] = first;
    }
    for (int64_t block = 0; block * LANES < task->c; block++) {
        int64_t channels = channels_of(task->c, block);
        for (int64_t tap = 0; tap < task->rows * task->taps; tap++) {
            const float *x = task->x + block * task->x_block + tap / task->taps * task->x_row +
                             tap % task->taps * LANES;
            const float *w = task->w + block * task->w_input + tap * TAP;
            for (int64_t i = 0; i < channels; i++, w += LANES) {
                __m512 w0 = _mm512_loadu_ps(w);
                __m512 w1 = blocks > 1 ? _mm512_loadu_ps(w + task->w_block) : w0;
#pragma GCC unroll 14
                for (int j = 0; j < width; j++) {
                    __m512 value = _mm512_set1_ps(x[j * LANES + i]);
                    sums[j][0] = _mm512_fmadd_ps(value, w0, sums[j][0]);
                    if (blocks > 1)
                        sums[j][1] = _mm512_fmadd_ps(value, w1, sums[j][1]);
                }
            }
        }
    }
    for (int b = 0; b < blocks; b++)
#pragma GCC unroll 14
        for (int j = 0; j < width; j++) {
            __mmask16 kept = (__mmask16)task->lanes[b];
            if (task->relu) /* NaN is propagated, as by relu */
                kept = _mm512_mask_cmp_ps_mask(kept, sums[j][b], _mm512_setzero_ps(), _CMP_NLE_UQ);
            _mm512_storeu_ps(task->y + b * task->y_block + j * LANES,
                             _mm512_maskz_mov_ps(kept, sums[j][b]));
        }
}

VDNN_AVX512_INLINE void compute_tap(const tap_task *task, int channels, int blocks)
{
    __m512 sums[MOST_CHANNELS][2];
#pragma GCC unroll 8
    for (int i = 0; i < channels; i++)
        for (int b = 0; b < 2; b++)
            sums[i][b] = _mm512_setzero_ps();
    for (int64_t row = 0; row < task->rows; row++) {
        const float *x = task->x + row * task->x_row, *dy = task->dy + row * task->dy_row;
        for (int64_t cell = 0; cell < task->cells; cell++, x += LANES, dy += LANES) {
            __m512 dy0 = _mm512_loadu_ps(dy);
            __m512 dy1 = blocks > 1 ? _mm512_loadu_ps(dy + task->dy_block) : dy0;
#pragma GCC unroll 8
            for (int i = 0; i < channels; i++) {
                __m512 value = _mm512_set1_ps(x[i]);
                sums[i][0] = _mm512_fmadd_ps(value, dy0, sums[i][0]);
                if (blocks > 1)
                    sums[i][1] = _mm512_fmadd_ps(value, dy1, sums[i][1]);
            }
        }
    }
    for (int b = 0; b < blocks; b++)
#pragma GCC unroll 8
        for (int i = 0; i < channels; i++) {
            float *dw = task->dw + b * task->dw_block + i * LANES;
            __m512 sum = _mm512_maskz_mov_ps((__mmask16)task->lanes[b], sums[i][b]);
            _mm512_storeu_ps(dw, task->begin ? sum : _mm512_add_ps(_mm512_loadu_ps(dw), sum));
        }
}

#define DEFINE_ROW(width)                                                                          \
    VDNN_AVX512 static void row_##width##_1(const row_task *task)                                  \
    {                                                                                              \
        compute_row(task, width, 1);                                                               \
    }                                                                                              \
    VDNN_AVX512 static void row_##width##_2(const row_task *task)                                  \
    {                                                                                              \
        compute_row(task, width, 2);                                                               \
    }
#define DEFINE_TAP(channels)                                                                       \
    VDNN_AVX512 static void tap_##channels##_1(const tap_task *task)                               \
    {                                                                                              \
        compute_tap(task, channels, 1);                                                            \
    }                                                                                              \
    VDNN_AVX512 static void tap_##channels##_2(const tap_task *task)                               \
    {                                                                                              \
        compute_tap(task, channels, 2);                                                            \
    }
#define UP_TO_8(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
#define UP_TO_14(X) UP_TO_8(X) X(9) X(10) X(11) X(12) X(13) X(14)

UP_TO_14(DEFINE_ROW)
UP_TO_8(DEFINE_TAP)

#define ROW(width) {row_##width##_1, row_##width##_2},
#define TAP_OF(channels) {tap_##channels##_1, tap_##channels##_2},
static row_kernel *const row_kernels[WIDEST][2] = {UP_TO_14(ROW)};
static tap_kernel *const tap_kernels[MOST_CHANNELS][2] = {UP_TO_8(TAP_OF)};

#else

static row_kernel *const row_kernels[WIDEST][2];
static tap_kernel *const tap_kernels[MOST_CHANNELS][2];

#endif

/* ---- forward --------------------------------------------------------------------------------- */

static int64_t padded_width(const vdnn_conv_shape *s)
{
    return s->in[1] + 2 * s->pad[1];
}

/* Rows of an image that an output row's taps read. */
static span rows_behind(const vdnn_conv_shape *s, int64_t first, int64_t last)
{
    span rows = {.begin = vdnn_count_max(first - s->pad[0], 0),
                 .end = vdnn_count_min(last - s->pad[0] + s->kernel[0], s->in[0])};
    rows.end = vdnn_count_max(rows.begin, rows.end);
    return rows;
}

/* All blocks of some rows of an image, with zeros left and right. */
static void copy_rows(const narrow_job *job, int64_t image, span rows, float *copy)
{
    const vdnn_conv_shape *s = &job->s;
    int64_t width = s->in[1] * LANES, border = s->pad[1] * LANES;
    for (int64_t block = 0; block < job->in_blocks; block++)
        for (int64_t row = rows.begin; row < rows.end; row++) {
            const float *x = job->x + ((image * job->in_blocks + block) * s->in[0] + row) * width;
            memset(copy, 0, (size_t)border * sizeof *copy);
            memcpy(copy + border, x, (size_t)width * sizeof *copy);
            memset(copy + border + width, 0, (size_t)border * sizeof *copy);
            copy += width + 2 * border;
        }
}

/* The rows of an item; `first` is the row that x begins with. */
typedef struct source {
    const float *x;
    int64_t first, x_block, x_row;
} source;

static source source_of(const narrow_job *job, int64_t image, span out_rows, int member)
{
    const vdnn_conv_shape *s = &job->s;
    source from = {.x = job->x + image * job->in_blocks * s->in_cells * LANES,
                   .x_block = s->in_cells * LANES,
                   .x_row = s->in[1] * LANES};
    if (job->copies == NULL)
        return from;
    float *copy = job->copies + member * job->copy_floats;
    span rows = rows_behind(s, out_rows.begin, out_rows.end - 1);
    copy_rows(job, image, rows, copy);
    from.x = copy;
    from.first = rows.begin;
    from.x_row = padded_width(s) * LANES;
    from.x_block = (rows.end - rows.begin) * from.x_row;
    return from;
}

/* One row of y, of one pair of blocks. */
static void forward_row(const narrow_job *job, const source *from, int64_t image, int64_t pair,
                        int64_t row)
{
    const vdnn_conv_shape *s = &job->s;
    span taps = reach_of(s->kernel[0], row - s->pad[0], s->in[0]);
    int64_t block = pair * 2, blocks = vdnn_count_min(job->out_blocks - block, 2);
    row_task task = {.x_block = from->x_block,
                     .x_row = from->x_row,
                     .w_input = s->kernel[0] * s->kernel[1] * TAP,
                     .c = s->c,
                     .rows = taps.end - taps.begin,
                     .taps = s->kernel[1],
                     .relu = job->relu,
                     .y_block = s->out_cells * LANES};
    task.w_block = job->in_blocks * task.w_input;
    task.w = job->w + block * task.w_block + taps.begin * s->kernel[1] * TAP;
    for (int64_t b = 0; b < blocks; b++) {
        task.bias[b] = job->bias == NULL ? NULL : job->bias + (block + b) * LANES;
        task.lanes[b] = lanes_of(s->k, block + b);
    }
    int64_t first_row = task.rows > 0 ? row - s->pad[0] + taps.begin - from->first : 0;
    const float *x = from->x + first_row * from->x_row;
    float *y = job->y + ((image * job->out_blocks + block) * s->out[0] + row) * s->out[1] * LANES;
    int64_t width = vdnn_count_pieces(s->out[1], vdnn_count_pieces(s->out[1], WIDEST));
    for (int64_t cell = 0; cell < s->out[1]; cell += width) {
        task.x = x + cell * LANES;
        task.y = y + cell * LANES;
        row_kernels[vdnn_count_min(s->out[1] - cell, width) - 1][blocks - 1](&task);
    }
}

/* One item: some rows of an image, all outputs. */
static void forward_item(void *argument, int64_t item, int member)
{
    const narrow_job *job = argument;
    int64_t image = item / job->bands, first = item % job->bands * job->band_rows;
    span rows = {.begin = first, .end = vdnn_count_min(first + job->band_rows, job->s.out[0])};
    if (rows.begin >= rows.end)
        return;
    source from = source_of(job, image, rows, member);
    for (int64_t pair = 0; pair < job->pairs; pair++)
        for (int64_t row = rows.begin; row < rows.end; row++)
            forward_row(job, &from, image, pair, row);
}

/* How forward is divided into items, and the floats of its workspace. */
static int64_t divide(narrow_job *job, int threads)
{
    const vdnn_conv_shape *s = &job->s;
    int64_t row_floats = job->in_blocks * padded_width(s) * LANES;
    int64_t fitting = vdnn_count_max(COPY_FLOATS / row_floats - (s->kernel[0] - 1), 1);
    int64_t wanted = vdnn_count_pieces((int64_t)threads * ITEMS_A_THREAD, s->n);
    job->bands =
        vdnn_count_min(vdnn_count_max(vdnn_count_pieces(s->out[0], fitting), wanted), s->out[0]);
    job->band_rows = vdnn_count_pieces(s->out[0], job->bands);
    job->bands = vdnn_count_pieces(s->out[0], job->band_rows);
    job->copy_floats =
        s->pad[1] == 0 ? 0
                       : vdnn_count_min(job->band_rows + s->kernel[0] - 1, s->in[0]) * row_floats;
    return vdnn_count_min(threads, s->n * job->bands) * job->copy_floats;
}

/* ---- backward filter ------------------------------------------------------------------------- */

/* One row of taps of one pair of blocks. */
typedef struct filter_item {
    int64_t block, blocks, tap_row;
} filter_item;

/* One tap of one block of inputs, over one image. */
static void add_tap(const narrow_job *job, const filter_item *item, int64_t image, int64_t input,
                    int64_t tap)
{
    const vdnn_conv_shape *s = &job->s;
    int64_t down = item->tap_row - s->pad[0], right = tap - s->pad[1];
    span rows = reach_of(s->out[0], down, s->in[0]), cells = reach_of(s->out[1], right, s->in[1]);
    bool empty = rows.begin == rows.end || cells.begin == cells.end;
    int64_t taps = s->kernel[0] * s->kernel[1], channels = channels_of(s->c, input);
    int64_t x_cell = (rows.begin + down) * s->in[1] + cells.begin + right;
    int64_t y_cell = rows.begin * s->out[1] + cells.begin;
    tap_task task = {.x_row = s->in[1] * LANES,
                     .dy_row = s->out[1] * LANES,
                     .dy_block = s->out_cells * LANES,
                     .rows = empty ? 0 : rows.end - rows.begin,
                     .cells = cells.end - cells.begin,
                     .begin = image == 0,
                     .dw_block = job->in_blocks * taps * TAP};
    const float *x =
        job->x + ((image * job->in_blocks + input) * s->in_cells + (empty ? 0 : x_cell)) * LANES;
    task.dy =
        job->dy +
        ((image * job->out_blocks + item->block) * s->out_cells + (empty ? 0 : y_cell)) * LANES;
    float *dw = job->dw + item->block * task.dw_block +
                (input * taps + item->tap_row * s->kernel[1] + tap) * TAP;
    for (int64_t b = 0; b < item->blocks; b++)
        task.lanes[b] = lanes_of(s->k, item->block + b);
    int64_t step = vdnn_count_pieces(channels, vdnn_count_pieces(channels, MOST_CHANNELS));
    for (int64_t i = 0; i < channels; i += step) {
        task.x = x + i;
        task.dw = dw + i * LANES;
        tap_kernels[vdnn_count_min(channels - i, step) - 1][item->blocks - 1](&task);
    }
    for (int64_t b = 0; b < item->blocks && task.begin; b++)
        memset(dw + b * task.dw_block + channels * LANES, 0,
               (size_t)((LANES - channels) * LANES) * sizeof *dw);
}

/* Sums over images are in double. */
static void add_bias(const narrow_job *job, const filter_item *item, int64_t image,
                     double totals[2][LANES])
{
    const vdnn_conv_shape *s = &job->s;
    for (int64_t b = 0; b < item->blocks; b++) {
        const float *dy =
            job->dy + (image * job->out_blocks + item->block + b) * s->out_cells * LANES;
        float sums[LANES] = {0};
        for (int64_t cell = 0; cell < s->out_cells; cell++)
            for (int64_t lane = 0; lane < LANES; lane++)
                sums[lane] += dy[cell * LANES + lane];
        for (int64_t lane = 0; lane < LANES; lane++)
            totals[b][lane] += (double)sums[lane];
    }
}

static void backward_filter_item(void *argument, int64_t number, int member)
{
    (void)member;
    const narrow_job *job = argument;
    const vdnn_conv_shape *s = &job->s;
    double totals[2][LANES] = {{0}};
    filter_item item = {.block = number / s->kernel[0] * 2, .tap_row = number % s->kernel[0]};
    item.blocks = vdnn_count_min(job->out_blocks - item.block, 2);
    bool sums_bias = job->bias_gradient != NULL && item.tap_row == 0;
    for (int64_t image = 0; image < s->n; image++) {
        for (int64_t input = 0; input < job->in_blocks; input++)
            for (int64_t tap = 0; tap < s->kernel[1]; tap++)
                add_tap(job, &item, image, input, tap);
        if (sums_bias)
            add_bias(job, &item, image, totals);
    }
    int64_t first = item.block * LANES;
    for (int64_t k = first; k < vdnn_count_min(s->k, first + 2 * LANES) && sums_bias; k++)
        job->bias_gradient[k] = (float)totals[(k - first) / LANES][k % LANES];
}

/* ---- the functions of the row ---------------------------------------------------------------- */

static const char *refusal(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    if (layer->x[0].dtype != VDNN_F32 || layer->y.dtype != VDNN_F32)
        return "it computes in f32 only";
    if (layer->params[0].layout != VDNN_PARAM_BLOCKED)
        return "it supports only nChw16c maps and one group";
    vdnn_conv_shape s = vdnn_conv_shape_of(layer);
    if (s.c % LANES == 0)
        return "no block of its input channels has padding to skip";
    for (int d = 0; d < 2; d++)
        if (s.stride[d] != 1 || s.dilation[d] != 1)
            return "it supports neither stride nor dilation";
    if (!vdnn_simd_has_avx512())
        return "it requires AVX-512";
    return vdnn_conv_shape_too_large(layer);
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    narrow_job job = job_of(kernel->layer);
    bool forward = kernel->pass == VDNN_FORWARD;
    *bytes = forward ? (size_t)divide(&job, kernel->threads) * sizeof(float) : 0;
    return VDNN_OK;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    narrow_job job = job_of(kernel->layer);
    job.x = args->x[0];
    if (kernel->pass == VDNN_FORWARD) {
        job.w = args->w;
        job.y = args->y;
        job.bias = vdnn_conv_shape_bias(&job.s, args->w);
        job.copies = divide(&job, kernel->threads) > 0 ? args->workspace : NULL;
        vdnn_cpu_threads_loop(kernel->threads, job.s.n * job.bands, forward_item, &job);
    } else {
        job.dy = args->dy;
        job.dw = args->dw;
        job.bias_gradient = vdnn_conv_shape_bias(&job.s, args->dw);
        vdnn_cpu_threads_loop(kernel->threads, job.pairs * job.s.kernel[0], backward_filter_item,
                              &job);
    }
    return VDNN_OK;
}

const vdnn_algorithm vdnn_conv_narrow = {
    .layer_type = "conv",
    .name = "narrow",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_FILTER,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD,
    .channel_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_FILTER,
    .pictures_only = true,
    .refusal = refusal,
    .workspace = workspace,
    .run = run,
};
