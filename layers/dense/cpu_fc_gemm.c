#include "layers/count.h"
#include "layers/cpu/product.h"
#include "layers/cpu/threads.h"
#include "layers/cpu/tile.h"
#include "layers/dense/fc.h"
#include "layers/stage.h"

#include <string.h>

/* w is (out, in), x (n, in), y (n, out):
 *
 *     forward          y^T (out, n) = w x^T, then transposed, with the bias: the large matrix is
 *                      read in place, only the small ones are transposed
 *     backward data    dx (n, in)   = dy w
 *     backward filter  dw (out, in) = dy^T x, by slices of rows; each element is one chain of
 *                      multiply-adds over the samples
 *
 * Backward filter can update meanwhile: a slice of gradients is applied to w and the optimizer's
 * slots before the next one is computed, so dw is never more than one slice per thread. The sums
 * and their bits are the same either way, and on any number of threads.
 *
 *     workspace   forward          | x^T | y^T |
 *                 backward data    | dy | dx |             widened; nothing for f32
 *                 backward filter  | dy^T | bias' gradient | x in panels | slice of dw per thread |
 */
typedef struct fc_job {
    const vdnn_kernel *kernel;
    const vdnn_kernel_args *args;
    int64_t n, in, out;
    int64_t bias_offset; /* elements in a parameter block; -1: none */
    const vdnn_elementwise *elementwise;
    vdnn_cpu_tile_add *add;
    int64_t slice_rows, slice_floats;
    float *first, *second, *panels, *slices; /* parts of the workspace */
    /* of turn_rows: from (n, length) of a data type to to (length, n) */
    const void *turn_from;
    vdnn_dtype turn_dtype;
    int64_t turn_length;
} fc_job;

enum {
    CHUNK = 256, /* elements of a row that one call works on */
    LINES = VDNN_CPU_TILE_LINES,
    COLUMNS = VDNN_CPU_TILE_COLUMNS,
    ROWS = VDNN_CPU_TILE_ROWS,
    DEPTH = 256, /* samples that are summed in a tile's registers before they go to memory */
    SLICE_BYTES = 1024 * 1024,
    SLICES_A_THREAD = 4,
    ALIGNMENT_FLOATS = 16
};

static int64_t aligned(int64_t floats)
{
    return vdnn_count_pieces(floats, ALIGNMENT_FLOATS) * ALIGNMENT_FLOATS;
}

static const char *refusal(const vdnn_kernel *kernel)
{
    const vdnn_desc *x = &kernel->layer->x[0], *y = &kernel->layer->y;
    if ((x->dtype != VDNN_F32 && x->dtype != VDNN_BF16) || x->dtype != y->dtype)
        return "it computes in f32 or bf16 only";
    if (x->layout != VDNN_NCHW || y->layout != VDNN_NCHW)
        return "it reads and writes NCHW only";
    return NULL;
}

static fc_job job_of(const vdnn_layer *layer)
{
    return (fc_job){.n = vdnn_desc_as_vectors(&layer->x[0]).dims[VDNN_N],
                    .in = layer->params[0].dims[1],
                    .out = layer->params[0].dims[0],
                    .bias_offset = layer->param_count < 2
                                       ? -1
                                       : (int64_t)(layer->params[1].offset / sizeof(float))};
}

/* ---- turning --------------------------------------------------------------------------------- */

static const void *element(const void *map, vdnn_dtype dtype, int64_t i)
{
    return (const char *)map + (size_t)i * vdnn_dtype_bytes(dtype);
}

/* Up to LINES lines of `count` values, CHUNK apart, to columns of `to`. */
static void turn_lines(const float *lines, int64_t line_count, int64_t count, float *to,
                       int64_t to_row)
{
    if (line_count == LINES) {
        vdnn_cpu_tile_transpose(lines, CHUNK, count, to, to_row);
        return;
    }
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = 0; i < line_count; i++)
            to[k * to_row + i] = lines[i * CHUNK + k];
}

/* One chunk of columns of turn_from to rows of `first`. */
static void turn_chunk(void *argument, int64_t chunk, int member)
{
    (void)member;
    const fc_job *job = argument;
    float lines[LINES * CHUNK];
    int64_t begin = chunk * CHUNK, count = vdnn_count_min(job->turn_length - begin, CHUNK);
    for (int64_t i = 0; i < job->n; i += LINES) {
        int64_t line_count = vdnn_count_min(job->n - i, LINES);
        for (int64_t line = 0; line < line_count; line++)
            vdnn_stage_widen(
                job->turn_dtype,
                element(job->turn_from, job->turn_dtype, (i + line) * job->turn_length + begin),
                lines + line * CHUNK, count);
        turn_lines(lines, line_count, count, job->first + begin * job->n + i, job->n);
    }
}

/* A map of n rows of `length` values, transposed and widened, to the workspace's first part. */
static void turn_map(fc_job *job, const void *map, vdnn_dtype dtype, int64_t length)
{
    job->turn_from = map;
    job->turn_dtype = dtype;
    job->turn_length = length;
    vdnn_cpu_threads_loop(job->kernel->threads, vdnn_count_pieces(length, CHUNK), turn_chunk, job);
}

/* ---- forward --------------------------------------------------------------------------------- */

/* A chunk of outputs of all samples: transposed back, with the bias, narrowed. */
static void finish_outputs(void *argument, int64_t chunk, int member)
{
    (void)member;
    const fc_job *job = argument;
    vdnn_dtype dtype = job->kernel->layer->y.dtype;
    const float *bias = job->bias_offset < 0 ? NULL : (float *)job->args->w + job->bias_offset;
    int64_t begin = chunk * CHUNK, count = vdnn_count_min(job->out - begin, CHUNK);
    char *to = job->args->y;
    float row[CHUNK];
    for (int64_t i = 0; i < job->n; i++) {
        for (int64_t o = 0; o < count; o++)
            row[o] = job->second[(begin + o) * job->n + i] + (bias == NULL ? 0 : bias[begin + o]);
        vdnn_stage_narrow(dtype, row, to + (size_t)(i * job->out + begin) * vdnn_dtype_bytes(dtype),
                          count);
    }
}

static vdnn_status run_forward(fc_job *job)
{
    turn_map(job, job->args->x[0], job->kernel->layer->x[0].dtype, job->in);
    vdnn_status status = vdnn_cpu_product_compute(&(vdnn_cpu_product){.rows = job->out,
                                                                      .columns = job->n,
                                                                      .depth = job->in,
                                                                      .a = job->args->w,
                                                                      .a_row = job->in,
                                                                      .b = job->first,
                                                                      .b_row = job->n,
                                                                      .c = job->second,
                                                                      .c_row = job->n});
    if (status == VDNN_OK)
        vdnn_cpu_threads_loop(job->kernel->threads, vdnn_count_pieces(job->out, CHUNK),
                              finish_outputs, job);
    return status;
}

/* ---- backward data --------------------------------------------------------------------------- */

static void widen_gradient(void *argument, int64_t sample, int member)
{
    (void)member;
    const fc_job *job = argument;
    vdnn_dtype dtype = job->kernel->layer->y.dtype;
    vdnn_stage_widen(dtype, element(job->args->dy, dtype, sample * job->out),
                     job->first + sample * job->out, job->out);
}

static void narrow_gradient(void *argument, int64_t sample, int member)
{
    (void)member;
    const fc_job *job = argument;
    vdnn_dtype dtype = job->kernel->layer->x[0].dtype;
    char *to = job->args->dx[0];
    vdnn_stage_narrow(dtype, job->second + sample * job->in,
                      to + (size_t)(sample * job->in) * vdnn_dtype_bytes(dtype), job->in);
}

static vdnn_status run_backward_data(fc_job *job)
{
    const vdnn_layer *layer = job->kernel->layer;
    const vdnn_kernel_args *args = job->args;
    if (args->dx[0] == NULL)
        return VDNN_OK;
    bool wide_dy = layer->y.dtype == VDNN_F32, wide_dx = layer->x[0].dtype == VDNN_F32;
    if (!wide_dy)
        vdnn_cpu_threads_loop(job->kernel->threads, job->n, widen_gradient, job);
    vdnn_status status =
        vdnn_cpu_product_compute(&(vdnn_cpu_product){.rows = job->n,
                                                     .columns = job->in,
                                                     .depth = job->out,
                                                     .a = wide_dy ? args->dy : job->first,
                                                     .a_row = job->out,
                                                     .b = args->w,
                                                     .b_row = job->in,
                                                     .c = wide_dx ? args->dx[0] : job->second,
                                                     .c_row = job->in});
    if (status == VDNN_OK && !wide_dx)
        vdnn_cpu_threads_loop(job->kernel->threads, job->n, narrow_gradient, job);
    return status;
}

/* ---- backward filter ------------------------------------------------------------------------- */

static void update(const fc_job *job, const float *dw, int64_t offset, int64_t count)
{
    vdnn_update own = {.rule = VDNN_UPDATE_OPTIMIZER,
                       .w = (float *)job->args->w + offset,
                       .dw = dw,
                       .count = count,
                       .found = job->args->found};
    vdnn_optimizer_place_slots(job->args->context->optimizer, job->args->state,
                               job->kernel->layer->trainable_bytes, offset, own.slots);
    /* Inside a parallel loop: one thread, which cannot fail. */
    (void)job->elementwise->update(&own, 1, 1, job->args->context, NULL);
}

/* Samples of some columns of x side by side, with zeros after the last column. */
static void pack_panel(void *argument, int64_t panel, int member)
{
    (void)member;
    const fc_job *job = argument;
    vdnn_dtype dtype = job->kernel->layer->x[0].dtype;
    int64_t column = panel * COLUMNS, count = vdnn_count_min(job->in - column, COLUMNS);
    for (int64_t i = 0; i < job->n; i++) {
        float *row = job->panels + (panel * job->n + i) * COLUMNS;
        vdnn_stage_widen(dtype, element(job->args->x[0], dtype, i * job->in + column), row, count);
        for (int64_t j = count; j < COLUMNS; j++)
            row[j] = 0;
    }
}

/* A few rows by one panel: c += rows of dy^T times the panel, DEPTH samples after another. */
static void add_tile(const fc_job *job, int64_t row, int64_t rows, int64_t panel, float *c,
                     int64_t c_row)
{
    ptrdiff_t offsets[DEPTH];
    for (int64_t k = 0; k < DEPTH; k++)
        offsets[k] = k;
    for (int64_t first = 0; first < job->n; first += DEPTH)
        job->add(&(vdnn_cpu_tile){.a = job->first + row * job->n + first,
                                  .a_row = job->n,
                                  .a_offsets = offsets,
                                  .depth = vdnn_count_min(job->n - first, DEPTH),
                                  .b = job->panels + (panel * job->n + first) * COLUMNS,
                                  .b_row = COLUMNS,
                                  .c = c,
                                  .c_row = c_row},
                 (int)rows);
}

/* The same if the panel ends beyond the matrix. */
static void add_last_tile(const fc_job *job, int64_t row, int64_t rows, int64_t panel, float *c)
{
    float apart[ROWS * COLUMNS] = {0};
    int64_t count = job->in - panel * COLUMNS;
    add_tile(job, row, rows, panel, apart, COLUMNS);
    for (int64_t r = 0; r < rows; r++)
        memcpy(c + r * job->in, apart + r * COLUMNS, (size_t)count * sizeof *c);
}

/* Some rows of dw: computed in the member's slice, then applied or kept. */
static void filter_slice(void *argument, int64_t item, int member)
{
    const fc_job *job = argument;
    float *slice = job->slices + member * job->slice_floats;
    int64_t row = item * job->slice_rows, rows = vdnn_count_min(job->out - row, job->slice_rows);
    memset(slice, 0, (size_t)(rows * job->in) * sizeof *slice);
    for (int64_t panel = 0; panel * COLUMNS < job->in; panel++)
        for (int64_t r = 0; r < rows; r += ROWS) {
            float *c = slice + r * job->in + panel * COLUMNS;
            int64_t height = vdnn_count_min(rows - r, ROWS);
            if ((panel + 1) * COLUMNS <= job->in)
                add_tile(job, row + r, height, panel, c, job->in);
            else
                add_last_tile(job, row + r, height, panel, c);
        }
    if (job->args->dw == NULL)
        update(job, slice, row * job->in, rows * job->in);
    else
        memcpy((float *)job->args->dw + row * job->in, slice,
               (size_t)(rows * job->in) * sizeof *slice);
}

/* A chunk of the bias' gradient: sums of rows of dy^T in the order of the samples. */
static void sum_chunk(void *argument, int64_t chunk, int member)
{
    (void)member;
    const fc_job *job = argument;
    int64_t begin = chunk * CHUNK, end = begin + vdnn_count_min(job->out - begin, CHUNK);
    for (int64_t o = begin; o < end; o++) {
        float sum = 0;
        for (int64_t i = 0; i < job->n; i++)
            sum += job->first[o * job->n + i];
        job->second[o] = sum;
    }
    if (job->args->dw == NULL)
        update(job, job->second + begin, job->bias_offset + begin, end - begin);
    else
        memcpy((float *)job->args->dw + job->bias_offset + begin, job->second + begin,
               (size_t)(end - begin) * sizeof *job->second);
}

static vdnn_status run_backward_filter(fc_job *job)
{
    int threads = job->kernel->threads;
    job->add = vdnn_cpu_tile_best();
    job->elementwise = vdnn_elementwise_find(job->kernel->algorithm->device);
    turn_map(job, job->args->dy, job->kernel->layer->y.dtype, job->out);
    vdnn_cpu_threads_loop(threads, vdnn_count_pieces(job->in, COLUMNS), pack_panel, job);
    vdnn_cpu_threads_loop(threads, vdnn_count_pieces(job->out, job->slice_rows), filter_slice, job);
    if (job->bias_offset >= 0)
        vdnn_cpu_threads_loop(threads, vdnn_count_pieces(job->out, CHUNK), sum_chunk, job);
    return VDNN_OK;
}

/* ---- the functions of the row ---------------------------------------------------------------- */

/* The sizes of the workspace's parts, in floats. */
typedef struct fc_parts {
    int64_t first, second, panels, slice, slice_rows, slices;
} fc_parts;

/* Of dw, in a slice: at least two tiles, and no more than gives every thread some slices. */
static int64_t rows_of_slice(const fc_job *job, int threads)
{
    int64_t rows = SLICE_BYTES / (job->in * (int64_t)sizeof(float));
    int64_t fair = vdnn_count_pieces(job->out, (int64_t)SLICES_A_THREAD * threads);
    rows = vdnn_count_min(rows < 2 * ROWS ? 2 * ROWS : rows, fair);
    return vdnn_count_min(vdnn_count_pieces(rows, ROWS) * ROWS, job->out);
}

static fc_parts parts_of(const fc_job *job, const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    int threads = kernel->threads;
    if (kernel->pass == VDNN_FORWARD)
        return (fc_parts){.first = aligned(job->in * job->n), .second = job->out * job->n};
    if (kernel->pass == VDNN_BACKWARD_DATA)
        return (fc_parts){
            .first = layer->y.dtype == VDNN_F32 ? 0 : aligned(job->out * job->n),
            .second = layer->x[0].dtype == VDNN_F32 ? 0 : job->in * job->n,
        };
    fc_parts parts = {.first = aligned(job->out * job->n),
                      .second = aligned(job->bias_offset < 0 ? 0 : job->out),
                      .panels = vdnn_count_pieces(job->in, COLUMNS) * COLUMNS * job->n,
                      .slice_rows = rows_of_slice(job, threads)};
    parts.slice = aligned(parts.slice_rows * job->in);
    parts.slices = vdnn_count_min(threads, vdnn_count_pieces(job->out, parts.slice_rows));
    return parts;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    fc_job job = job_of(kernel->layer);
    fc_parts parts = parts_of(&job, kernel);
    *bytes = (size_t)(parts.first + parts.second + parts.panels + parts.slice * parts.slices) *
             sizeof(float);
    return VDNN_OK;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    static vdnn_status (*const passes[VDNN_PASS_COUNT])(fc_job *) = {
        [VDNN_FORWARD] = run_forward,
        [VDNN_BACKWARD_DATA] = run_backward_data,
        [VDNN_BACKWARD_FILTER] = run_backward_filter,
    };
    fc_job job = job_of(kernel->layer);
    fc_parts parts = parts_of(&job, kernel);
    job.kernel = kernel;
    job.args = args;
    job.slice_rows = parts.slice_rows;
    job.slice_floats = parts.slice;
    job.first = args->workspace;
    job.second = job.first + parts.first;
    job.panels = job.second + parts.second;
    job.slices = job.panels + parts.panels;
    int before = vdnn_cpu_threads_begin(kernel->threads);
    vdnn_status status = passes[kernel->pass](&job);
    vdnn_cpu_threads_end(before);
    return status;
}

const vdnn_algorithm vdnn_fc_gemm = {
    .layer_type = "fc",
    .name = "gemm",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA | 1U << VDNN_BACKWARD_FILTER,
    .deterministic = true,
    .channel_invariant = 1U << VDNN_BACKWARD_FILTER,
    .updates = true,
    .refusal = refusal,
    .workspace = workspace,
    .run = run,
};
