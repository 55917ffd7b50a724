#include "layers/conv/conv_shape.h"
#include "layers/count.h"
#include "layers/cpu/native.h"
#include "layers/cpu/threads.h"
#include "runtime/base/machine/simd.h"

#include <string.h>

/* Direct convolution of blocked maps in groups of 1, 2, 4, 8 or 16 channels, which lie side by side
 * in a block of 16 lanes: an output lane sums products with the lanes of its group alone, which
 * one permutation of a cell brings to it.
 *
 *     group 4    lane     0 1 2 3 | 4 5 6 7 | 8 9 10 11 | 12 13 14 15
 *                input 1  1 1 1 1 | 5 5 5 5 | 9 9  9  9 | 13 13 13 13
 *
 *     forward          some cells of a row of y are kept in registers, over all taps and inputs; a
 *                      permuted cell of x serves all taps of a row that it meets
 *     backward data    the same of dx: a cell of dy is added to all cells that it reaches
 *     backward filter  the taps of a row, of up to four inputs or, of single channels, up to four
 *                      rows of taps, are kept in registers over a row of dy
 *
 * Sums of a gradient are those of each image, added up in slices of the batch, then of the slices.
 * No sum crosses a boundary between work items, so bits do not depend on the thread count. */

enum {
    LANES = VDNN_NATIVE_LANES,
    WIDE = 14, /* cells of a row that are computed at a time */
    SMALL = 8,
    MOST_TAPS = 5, /* of a row */
    MOST_ROWS = 4, /* of registers in a gradient: inputs, or rows of taps */
    SLICES = 8,
    ITEMS_A_THREAD = 4
};

typedef struct grouped_job {
    vdnn_conv_shape s;
    vdnn_dtype dtype;
    int64_t group, blocks, block_floats; /* weights of a block */
    bool backward, relu;
    const void *from; /* the map that is read: x, or dy */
    void *to;         /* the map that is written: y, or dx */
    const float *w, *bias;
    float *packed; /* weights, (block, row of taps, input of the group, tap, lane) */
    int64_t bands, band_rows;
    const void *x, *dy;
    float *dw, *bias_gradient, *parts; /* of the slices, each as `packed` */
    int64_t slices;
} grouped_job;

/* For each input of a group, the lanes that bring it to every lane. */
typedef struct lane_table {
    int32_t lanes[LANES][LANES];
} lane_table;

static lane_table lanes_of(int64_t group)
{
    lane_table table = {{{0}}};
    for (int64_t i = 0; i < group; i++)
        for (int64_t lane = 0; lane < LANES; lane++)
            table.lanes[i][lane] = (int32_t)(lane / group * group + i);
    return table;
}

static grouped_job job_of(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    grouped_job job = {.s = vdnn_conv_shape_of(layer),
                       .dtype = layer->y.dtype,
                       .backward = kernel->pass == VDNN_BACKWARD_DATA,
                       .relu =
                           layer->epilogue == VDNN_EPILOGUE_RELU && kernel->pass == VDNN_FORWARD};
    job.group = job.s.group_c;
    job.blocks = vdnn_count_pieces(job.s.c, LANES);
    job.block_floats = job.group * job.s.kernel[0] * job.s.kernel[1] * LANES;
    job.slices = vdnn_count_min(job.s.n, SLICES);
    return job;
}

/* ---- the kernels ----------------------------------------------------------------------------- */

/* Some cells of a row of the map that is written. */
typedef struct tile_task {
    const void *from; /* the first cell that is read of the first row; it may be out of the row */
    int64_t from_row; /* elements to the next row */
    const float *w;
    int64_t w_row; /* floats to the weights of the next row */
    int64_t rows, group;
    const lane_table *table;
    int64_t from_begin, from_end; /* cells that are within the row; else they are zero */
    const float *bias;
    unsigned bias_lanes;
    bool relu;
    void *to;
    int64_t to_begin, to_end; /* cells that are within the row; others are not written */
} tile_task;

/* Some rows of dy. */
typedef struct filter_task {
    const void *x[MOST_ROWS]; /* first cells of the rows that the first row meets */
    const int32_t *lanes[MOST_ROWS];
    const void *dy;
    int64_t rows, x_row; /* cells from what a row meets to what the next one does */
    int64_t in, out, pad;
    float *sums; /* (MOST_ROWS, MOST_TAPS, lane), added to */
} filter_task;

typedef void tile_kernel(const tile_task *task);
typedef void filter_kernel(const filter_task *task);

enum { F32, BF16, TYPES };

#if VDNN_SIMD_X86

VDNN_AVX512_INLINE __m512 load_cell(int type, const void *map, int64_t cell)
{
    if (type == F32)
        return _mm512_loadu_ps((const float *)map + cell * LANES);
    const void *halves = (const uint16_t *)map + cell * LANES;
    return _mm512_castsi512_ps(_mm512_slli_epi32(
        _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i_u *)halves)), 16));
}

/* Rounds as vdnn_stage_narrow does. */
VDNN_AVX512_INLINE void store_cell(int type, void *map, int64_t cell, __m512 value)
{
    if (type == F32) {
        _mm512_storeu_ps((float *)map + cell * LANES, value);
        return;
    }
    const __m512i bits = _mm512_castps_si512(value), high = _mm512_srli_epi32(bits, 16);
    const __m512i half =
        _mm512_add_epi32(_mm512_and_si512(high, _mm512_set1_epi32(1)), _mm512_set1_epi32(0x7FFF));
    const __m512i rounded = _mm512_srli_epi32(_mm512_add_epi32(bits, half), 16);
    const __m512i kept = _mm512_mask_or_epi32(
        rounded, _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q), high, _mm512_set1_epi32(0x40));
    _mm256_storeu_si256((__m256i_u *)((uint16_t *)map + cell * LANES), _mm512_cvtepi32_epi16(kept));
}

VDNN_AVX512_INLINE void compute_tile(const tile_task *task, int type, bool backward, int taps,
                                     int stride, int width, bool checked)
{
    const int before = (taps - 1) / stride;
    const int cells = backward ? (width - 1) / stride + 1 + before : (width - 1) * stride + taps;
    __m512 sums[WIDE], w[MOST_TAPS];
    const __m512 first = task->bias == NULL
                             ? _mm512_setzero_ps()
                             : _mm512_maskz_loadu_ps((__mmask16)task->bias_lanes, task->bias);
#pragma GCC unroll 14
    for (int j = 0; j < width; j++)
        sums[j] = first;
    for (int64_t row = 0; row < task->rows; row++) {
        const void *from =
            type == F32 ? (const void *)((const float *)task->from + row * task->from_row)
                        : (const void *)((const uint16_t *)task->from + row * task->from_row);
        for (int64_t i = 0; i < task->group; i++) {
            const float *weights = task->w + row * task->w_row + i * taps * LANES;
            const __m512i lanes = _mm512_loadu_si512(task->table->lanes[i]);
#pragma GCC unroll 5
            for (int t = 0; t < taps; t++)
                w[t] = _mm512_loadu_ps(weights + t * LANES);
#pragma GCC unroll 31
            for (int m = 0; m < cells; m++) {
                if (checked && (m < task->from_begin || m >= task->from_end))
                    continue;
                const __m512 value = _mm512_permutexvar_ps(lanes, load_cell(type, from, m));
#pragma GCC unroll 5
                for (int t = 0; t < taps; t++) {
                    const int j = backward                ? stride * (m - before) + t
                                  : (m - t) % stride == 0 ? (m - t) / stride
                                                          : -1;
                    if (j >= 0 && j < width)
                        sums[j] = _mm512_fmadd_ps(value, w[t], sums[j]);
                }
            }
        }
    }
#pragma GCC unroll 14
    for (int j = 0; j < width; j++) {
        if (checked && (j < task->to_begin || j >= task->to_end))
            continue;
        __m512 value = sums[j];
        if (task->relu) /* NaN is propagated, as by relu */
            value = _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(value, _mm512_setzero_ps(), _CMP_NLE_UQ),
                                        value);
        store_cell(type, task->to, j, value);
    }
}

/* dy[k] is the cell of dy that meets cell stride * cell of x by tap k * stride. */
VDNN_AVX512_INLINE void add_cell(const filter_task *task, int type, int rows, int taps, int stride,
                                 int64_t row, int64_t cell, bool checked,
                                 const __m512i lanes[MOST_ROWS], __m512 dy[MOST_TAPS],
                                 __m512 sums[MOST_ROWS][MOST_TAPS])
{
#pragma GCC unroll 4
    for (int k = (taps - 1) / stride; k > 0; k--)
        dy[k] = dy[k - 1];
    dy[0] = checked && cell >= task->out ? _mm512_setzero_ps()
                                         : load_cell(type, task->dy, row * task->out + cell);
#pragma GCC unroll 2
    for (int phase = 0; phase < stride; phase++) {
        const int64_t x_cell = cell * stride + phase - task->pad;
        if (checked && (x_cell < 0 || x_cell >= task->in))
            continue;
#pragma GCC unroll 4
        for (int r = 0; r < rows; r++) {
            const __m512 value = _mm512_permutexvar_ps(
                lanes[r], load_cell(type, task->x[r], row * task->x_row + x_cell));
#pragma GCC unroll 5
            for (int t = phase; t < taps; t += stride) {
                const int64_t other = cell - (t - phase) / stride;
                if (!checked || (other >= 0 && other < task->out))
                    sums[r][t] = _mm512_fmadd_ps(value, dy[(t - phase) / stride], sums[r][t]);
            }
        }
    }
}

VDNN_AVX512_INLINE void compute_filter(const filter_task *task, int type, int rows, int taps,
                                       int stride)
{
    __m512 sums[MOST_ROWS][MOST_TAPS], dy[MOST_TAPS];
    __m512i lanes[MOST_ROWS];
#pragma GCC unroll 4
    for (int r = 0; r < rows; r++) {
        lanes[r] = _mm512_loadu_si512(task->lanes[r]);
#pragma GCC unroll 5
        for (int t = 0; t < taps; t++)
            sums[r][t] = _mm512_loadu_ps(task->sums + (r * MOST_TAPS + t) * LANES);
    }
    const int64_t end = task->out + (taps - 1) / stride;
    const int64_t inner = vdnn_count_min(
        vdnn_count_max(vdnn_count_pieces(task->pad, stride), (taps - 1) / stride), end);
    const int64_t outer =
        vdnn_count_clamp((task->in + task->pad) / stride, inner, vdnn_count_max(task->out, inner));
    for (int64_t row = 0; row < task->rows; row++) {
#pragma GCC unroll 5
        for (int t = 0; t < taps; t++)
            dy[t] = _mm512_setzero_ps();
        for (int64_t cell = 0; cell < inner; cell++)
            add_cell(task, type, rows, taps, stride, row, cell, true, lanes, dy, sums);
        for (int64_t cell = inner; cell < outer; cell++)
            add_cell(task, type, rows, taps, stride, row, cell, false, lanes, dy, sums);
        for (int64_t cell = outer; cell < end; cell++)
            add_cell(task, type, rows, taps, stride, row, cell, true, lanes, dy, sums);
    }
#pragma GCC unroll 4
    for (int r = 0; r < rows; r++)
#pragma GCC unroll 5
        for (int t = 0; t < taps; t++)
            _mm512_storeu_ps(task->sums + (r * MOST_TAPS + t) * LANES, sums[r][t]);
}

/* By type and by what is checked; by direction and width; by taps and stride. */
#define TILE(type, pass, taps, stride, width, check)                                               \
    tile_##type##_##pass##_##taps##_##stride##_##width##_##check
#define DEFINE_TILE(type, pass, taps, stride, width, check)                                        \
    VDNN_AVX512 static void TILE(type, pass, taps, stride, width, check)(const tile_task *task)    \
    {                                                                                              \
        compute_tile(task, type, pass, taps, stride, width, check);                                \
    }
#define FILTER(type, rows, taps, stride) filter_##type##_##rows##_##taps##_##stride
#define DEFINE_FILTER(type, rows, taps, stride)                                                    \
    VDNN_AVX512 static void FILTER(type, rows, taps, stride)(const filter_task *task)              \
    {                                                                                              \
        compute_filter(task, type, rows, taps, stride);                                            \
    }
#define OF_CHECKS(X, ...) X(__VA_ARGS__, 0) X(__VA_ARGS__, 1)
#define OF_WIDTHS(X, ...) OF_CHECKS(X, __VA_ARGS__, 8) OF_CHECKS(X, __VA_ARGS__, 14)
#define OF_TILES(X, type, pass)                                                                    \
    OF_WIDTHS(X, type, pass, 3, 1)                                                                 \
    OF_WIDTHS(X, type, pass, 3, 2)                                                                 \
    OF_WIDTHS(X, type, pass, 5, 1)                                                                 \
    OF_WIDTHS(X, type, pass, 5, 2)
#define OF_SHAPES(X, type, rows)                                                                   \
    X(type, rows, 3, 1) X(type, rows, 3, 2) X(type, rows, 5, 1) X(type, rows, 5, 2)
#define OF_FILTERS(X, type)                                                                        \
    OF_SHAPES(X, type, 1) OF_SHAPES(X, type, 2) OF_SHAPES(X, type, 3) OF_SHAPES(X, type, 4)

OF_TILES(DEFINE_TILE, F32, 0)
OF_TILES(DEFINE_TILE, F32, 1)
OF_TILES(DEFINE_TILE, BF16, 0)
OF_TILES(DEFINE_TILE, BF16, 1)
OF_FILTERS(DEFINE_FILTER, F32)
OF_FILTERS(DEFINE_FILTER, BF16)

#define TILE_ENTRY(type, pass, taps, stride, width, check)                                         \
    [type][pass][taps > 3][stride - 1][width > SMALL][check] =                                     \
        TILE(type, pass, taps, stride, width, check),
#define FILTER_ENTRY(type, rows, taps, stride)                                                     \
    [type][rows - 1][taps > 3][stride - 1] = FILTER(type, rows, taps, stride),

static tile_kernel *const tile_kernels[TYPES][2][2][2][2][2] = {
    OF_TILES(TILE_ENTRY, F32, 0) OF_TILES(TILE_ENTRY, F32, 1) OF_TILES(TILE_ENTRY, BF16, 0)
        OF_TILES(TILE_ENTRY, BF16, 1)};
static filter_kernel *const filter_kernels[TYPES][MOST_ROWS][2][2] = {
    OF_FILTERS(FILTER_ENTRY, F32) OF_FILTERS(FILTER_ENTRY, BF16)};

#else

static tile_kernel *const tile_kernels[TYPES][2][2][2][2][2];
static filter_kernel *const filter_kernels[TYPES][MOST_ROWS][2][2];

#endif

static int type_of(const grouped_job *job)
{
    return job->dtype == VDNN_F32 ? F32 : BF16;
}

/* ---- weights --------------------------------------------------------------------------------- */

/* Where the weight of lane `lane` of a block is for input i of its group, at the first tap: w is
 * (k, input, taps), and backward the lanes are the inputs. Negative: a lane of padding. */
static int64_t weight_place(const grouped_job *job, int64_t block, int64_t lane, int64_t i)
{
    const int64_t channel = block * LANES + lane, g = job->group;
    const int64_t output = job->backward ? channel / g * g + i : channel;
    const int64_t input = job->backward ? channel % g : i;
    return channel < job->s.c ? (output * g + input) * job->s.kernel[0] * job->s.kernel[1] : -1;
}

static void pack_block(void *argument, int64_t block, int member)
{
    const grouped_job *job = argument;
    const int64_t taps = job->s.kernel[1];
    float *to = job->packed + block * job->block_floats;
    (void)member;
    for (int64_t row = 0; row < job->s.kernel[0]; row++)
        for (int64_t i = 0; i < job->group; i++, to += taps * LANES)
            for (int64_t lane = 0; lane < LANES; lane++) {
                const int64_t place = weight_place(job, block, lane, i);
                for (int64_t t = 0; t < taps; t++)
                    to[t * LANES + lane] = place < 0 ? 0.0F : job->w[place + row * taps + t];
            }
}

/* ---- forward and backward data --------------------------------------------------------------- */

/* The sides of the maps that are read and written. */
static const int64_t *from_sides(const grouped_job *job)
{
    return job->backward ? job->s.out : job->s.in;
}

static const int64_t *to_sides(const grouped_job *job)
{
    return job->backward ? job->s.in : job->s.out;
}

static void clear_row(const grouped_job *job, void *to)
{
    memset(to, 0, (size_t)(to_sides(job)[1] * LANES) * vdnn_dtype_bytes(job->dtype));
}

/* Of a row that is written, the rows of taps that meet a row of the other map. */
typedef struct tap_rows {
    int64_t first, step, count; /* rows of taps */
    int64_t from;               /* the row that the first one meets */
    int64_t from_step;
} tap_rows;

static tap_rows rows_of(const grouped_job *job, int64_t row)
{
    const vdnn_conv_shape *s = &job->s;
    const int64_t stride = s->stride[0], taps = s->kernel[0];
    const int64_t reach = row + s->pad[0], top = row * stride - s->pad[0];
    tap_rows rows = {.step = 1, .from_step = 1};
    int64_t end;
    if (job->backward) {
        /* Tap t reads row (reach - t) / stride, where that is one of dy. */
        const int64_t least = vdnn_count_max(reach - (s->out[0] - 1) * stride, 0);
        rows.first = least + (reach - least) % stride;
        rows.step = stride;
        rows.from_step = -1;
        rows.from = (reach - rows.first) / stride;
        end = vdnn_count_min(reach + 1, taps);
    } else {
        rows.first = vdnn_count_max(-top, 0);
        rows.from = top + rows.first;
        end = vdnn_count_min(s->in[0] - top, taps);
    }
    rows.count = end > rows.first ? vdnn_count_pieces(end - rows.first, rows.step) : 0;
    return rows;
}

/* The cells of [0, count) that, moved by `shift`, are within a row of `width`. */
static void reach_cells(int64_t shift, int64_t width, int64_t count, int64_t *begin, int64_t *end)
{
    *begin = vdnn_count_clamp(-shift, 0, count);
    *end = vdnn_count_clamp(width - shift, *begin, count);
}

/* One row of one block. */
static void compute_row(const grouped_job *job, const lane_table *table, int64_t plane, int64_t row)
{
    const vdnn_conv_shape *s = &job->s;
    const int64_t *in = from_sides(job), *out = to_sides(job);
    const int64_t stride = s->stride[1], taps = s->kernel[1], before = (taps - 1) / stride;
    const int64_t block = plane % job->blocks, pad = s->pad[1];
    const tap_rows rows = rows_of(job, row);
    void *to = vdnn_native_at(job->dtype, job->to, (plane * out[0] + row) * out[1] * LANES);
    if (rows.count == 0 && job->bias == NULL) {
        clear_row(job, to);
        return;
    }
    tile_task task = {.from_row = rows.from_step * in[1] * LANES,
                      .w = job->packed + block * job->block_floats +
                           rows.first * job->group * taps * LANES,
                      .w_row = rows.step * job->group * taps * LANES,
                      .rows = rows.count,
                      .group = job->group,
                      .table = table,
                      .bias = job->bias == NULL ? NULL : job->bias + block * LANES,
                      .bias_lanes = (1U << vdnn_count_min(s->k - block * LANES, LANES)) - 1U,
                      .relu = job->relu};
    const int64_t from_row = rows.count == 0 ? 0 : rows.from;
    int64_t width;
    for (int64_t cell = job->backward ? -(pad % stride) : 0; cell < out[1]; cell += width) {
        const bool small = out[1] - cell <= SMALL;
        width = small ? SMALL : WIDE;
        const int64_t first = job->backward ? (cell + pad) / stride - before : cell * stride - pad;
        const int64_t cells =
            job->backward ? (width - 1) / stride + 1 + before : (width - 1) * stride + taps;
        reach_cells(first, in[1], cells, &task.from_begin, &task.from_end);
        reach_cells(cell, out[1], width, &task.to_begin, &task.to_end);
        task.from = vdnn_native_const_at(job->dtype, job->from,
                                         ((plane * in[0] + from_row) * in[1] + first) * LANES);
        task.to = vdnn_native_at(job->dtype, to, cell * LANES);
        const bool checked = task.from_begin > 0 || task.from_end < cells || task.to_begin > 0 ||
                             task.to_end < width;
        tile_kernels[type_of(job)][job->backward][taps > 3][stride - 1][!small][checked](&task);
    }
}

static void map_item(void *argument, int64_t item, int member)
{
    const grouped_job *job = argument;
    const lane_table table = lanes_of(job->group);
    const int64_t first = item % job->bands * job->band_rows;
    const int64_t end = vdnn_count_min(first + job->band_rows, to_sides(job)[0]);
    (void)member;
    for (int64_t row = first; row < end; row++)
        compute_row(job, &table, item / job->bands, row);
}

static void run_map(grouped_job *job, int threads)
{
    const int64_t planes = job->s.n * job->blocks, rows = to_sides(job)[0];
    const int64_t wanted = vdnn_count_pieces((int64_t)threads * ITEMS_A_THREAD, planes);
    job->band_rows = vdnn_count_pieces(rows, vdnn_count_min(wanted, rows));
    job->bands = vdnn_count_pieces(rows, job->band_rows);
    vdnn_cpu_threads_loop(threads, job->blocks, pack_block, job);
    vdnn_cpu_threads_loop(threads, planes * job->bands, map_item, job);
}

/* ---- backward filter ------------------------------------------------------------------------- */

/* What is kept in registers: inputs [input, input + count) of one row of taps or, of groups of one
 * channel, rows [row, row + count) of taps. */
typedef struct filter_set {
    int64_t row, input, count;
} filter_set;

/* The gradient of a set over some rows of dy, whose taps in the first one meet as many rows of x as
 * in the others. */
static void add_rows(const grouped_job *job, const lane_table *table, const filter_set *set,
                     int64_t plane, int64_t row, int64_t rows, float *sums)
{
    const vdnn_conv_shape *s = &job->s;
    filter_task task = {.dy = vdnn_native_const_at(job->dtype, job->dy,
                                                   (plane * s->out[0] + row) * s->out[1] * LANES),
                        .rows = rows,
                        .x_row = s->stride[0] * s->in[1],
                        .in = s->in[1],
                        .out = s->out[1],
                        .pad = s->pad[1]};
    int64_t first = 0, count = 0; /* of the set, that meet a row */
    for (int64_t r = 0; r < set->count; r++) {
        const int64_t tap_row = set->row + (job->group == 1 ? r : 0);
        const int64_t x_row = row * s->stride[0] - s->pad[0] + tap_row;
        if (x_row < 0 || x_row >= s->in[0])
            continue;
        first = count == 0 ? r : first;
        task.x[count] =
            vdnn_native_const_at(job->dtype, job->x, (plane * s->in[0] + x_row) * s->in[1] * LANES);
        task.lanes[count++] = table->lanes[job->group == 1 ? 0 : set->input + r];
    }
    if (count == 0)
        return;
    task.sums = sums + first * MOST_TAPS * LANES;
    filter_kernels[type_of(job)][count - 1][s->kernel[1] > 3][s->stride[1] - 1](&task);
}

static void add_plane(const grouped_job *job, const lane_table *table, const filter_set *set,
                      int64_t plane, bool begins, float *part)
{
    const vdnn_conv_shape *s = &job->s;
    const int64_t taps = s->kernel[1], stride = s->stride[0], rows = s->out[0];
    const int64_t last_tap = set->row + (job->group == 1 ? set->count - 1 : 0);
    const int64_t begin = vdnn_count_pieces(vdnn_count_max(s->pad[0] - set->row, 0), stride);
    const int64_t reach = s->in[0] - 1 + s->pad[0] - last_tap;
    const int64_t inner = vdnn_count_min(begin, rows);
    const int64_t outer = vdnn_count_clamp(reach < 0 ? 0 : reach / stride + 1, inner, rows);
    float sums[MOST_ROWS * MOST_TAPS * LANES] = {0};
    for (int64_t row = 0, next; row < rows; row = next) {
        next = row == inner && inner < outer ? outer : row + 1;
        add_rows(job, table, set, plane, row, next - row, sums);
    }
    float *to = part + (set->row * job->group + set->input) * taps * LANES;
    for (int64_t r = 0; r < set->count; r++, to += taps * LANES)
        for (int64_t i = 0; i < taps * LANES; i++)
            to[i] = sums[r * MOST_TAPS * LANES + i] + (begins ? 0.0F : to[i]);
}

/* A slice of the batch, of one block. */
static void filter_item(void *argument, int64_t item, int member)
{
    const grouped_job *job = argument;
    const lane_table table = lanes_of(job->group);
    const int64_t slice = item / job->blocks, block = item % job->blocks;
    const int64_t first = job->s.n * slice / job->slices;
    const bool single = job->group == 1;
    const int64_t inputs = single ? 1 : job->group, rows = job->s.kernel[0];
    float *part = job->parts + item * job->block_floats;
    (void)member;
    for (int64_t n = first; n < job->s.n * (slice + 1) / job->slices; n++) {
        filter_set set = {0};
        for (set.row = 0; set.row < rows; set.row += single ? set.count : 1)
            for (set.input = 0; set.input < inputs; set.input += single ? 1 : set.count) {
                set.count = vdnn_count_min(single ? rows - set.row : inputs - set.input, MOST_ROWS);
                add_plane(job, &table, &set, n * job->blocks + block, n == first, part);
            }
    }
}

static void add_bias(const grouped_job *job, int64_t block)
{
    const int64_t cells = job->s.out_cells;
    double totals[LANES] = {0};
    for (int64_t n = 0; n < job->s.n; n++)
        for (int64_t cell = 0; cell < cells; cell++) {
            const int64_t at = ((n * job->blocks + block) * cells + cell) * LANES;
            vdnn_native_cell dy;
            vdnn_native_load_cell(job->dtype, job->dy, at, &dy);
            for (int64_t lane = 0; lane < LANES; lane++)
                totals[lane] += (double)dy[lane];
        }
    for (int64_t lane = 0; lane < LANES && block * LANES + lane < job->s.k; lane++)
        job->bias_gradient[block * LANES + lane] = (float)totals[lane];
}

/* The slices of one block, in their order, into dw. */
static void finish_block(void *argument, int64_t block, int member)
{
    const grouped_job *job = argument;
    const int64_t taps = job->s.kernel[1], all = job->blocks * job->block_floats;
    float *sums = job->parts + block * job->block_floats;
    (void)member;
    for (int64_t slice = 1; slice < job->slices; slice++)
        for (int64_t i = 0; i < job->block_floats; i++)
            sums[i] += sums[slice * all + i];
    for (int64_t row = 0; row < job->s.kernel[0]; row++)
        for (int64_t i = 0; i < job->group; i++, sums += taps * LANES)
            for (int64_t lane = 0; lane < LANES; lane++) {
                const int64_t place = weight_place(job, block, lane, i);
                for (int64_t t = 0; t < taps && place >= 0; t++)
                    job->dw[place + row * taps + t] = sums[t * LANES + lane];
            }
    if (job->bias_gradient != NULL)
        add_bias(job, block);
}

/* ---- the functions of the row ---------------------------------------------------------------- */

static const char *refusal(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    const vdnn_dtype dtype = layer->y.dtype;
    if (layer->x[0].layout != VDNN_NCHW16C || layer->y.layout != VDNN_NCHW16C)
        return "it supports only nChw16c maps";
    if ((dtype != VDNN_F32 && dtype != VDNN_BF16) || layer->x[0].dtype != dtype)
        return "it computes on f32 or bf16 only";
    const vdnn_conv_shape s = vdnn_conv_shape_of(layer);
    if (s.groups == 1 || s.group_c != s.group_k || LANES % s.group_c != 0)
        return "it supports groups of 1, 2, 4, 8 or 16 channels, as many of outputs, alone";
    if (s.kernel[1] != 3 && s.kernel[1] != 5)
        return "it supports kernels that are 3 or 5 cells wide";
    if (s.stride[1] > 2 || s.dilation[0] > 1 || s.dilation[1] > 1)
        return "it supports neither strides above 2 along a row nor dilation";
    if (!vdnn_simd_has_avx512())
        return "it requires AVX-512";
    return vdnn_conv_shape_too_large(layer);
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    const grouped_job job = job_of(kernel);
    const int64_t copies = kernel->pass == VDNN_BACKWARD_FILTER ? job.slices : 1;
    *bytes = (size_t)(copies * job.blocks * job.block_floats) * sizeof(float);
    return VDNN_OK;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    grouped_job job = job_of(kernel);
    if (kernel->pass == VDNN_BACKWARD_FILTER) {
        job.x = args->x[0];
        job.dy = args->dy;
        job.dw = args->dw;
        job.bias_gradient = vdnn_conv_shape_bias(&job.s, args->dw);
        job.parts = args->workspace;
        vdnn_cpu_threads_loop(kernel->threads, job.slices * job.blocks, filter_item, &job);
        vdnn_cpu_threads_loop(kernel->threads, job.blocks, finish_block, &job);
        return VDNN_OK;
    }
    job.w = args->w;
    job.packed = args->workspace;
    job.from = job.backward ? args->dy : args->x[0];
    job.to = job.backward ? args->dx[0] : args->y;
    job.bias = job.backward ? NULL : vdnn_conv_shape_bias(&job.s, args->w);
    run_map(&job, kernel->threads);
    return VDNN_OK;
}

VDNN_CONV_CPU_ROW(grouped, .multiplies_all = true, .pictures_only = true,
                  .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
                  .channel_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA |
                                       1U << VDNN_BACKWARD_FILTER,
                  .refusal = refusal, .workspace = workspace, .run = run);
