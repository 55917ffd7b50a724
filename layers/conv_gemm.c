#include "layers/conv_shape.h"
#include "layers/cpu_threads.h"

#include <cblas.h>
#include <string.h>

/* im2col of one group of one image into the workspace, then one sgemm:
 *
 *     columns (taps, out_cells): row (c, i, j) is x[c] shifted by tap (i, j), zero in the padding
 *     forward          y (k, cells)  = w (k, taps) columns
 *     backward data    columns       = w^T dy, added up in dx by col2im
 *     backward filter  dw (k, taps) += dy columns^T, image after image
 *
 * A 1 x 1 convolution without stride or padding reads x itself as the columns. */
typedef struct gemm_job {
    vdnn_conv_shape s;
    const float *image;    /* group_c channels of one image */
    float *image_gradient; /* the same of dx */
    const float *dy;       /* the whole of it */
    float *y, *bias_gradient;
    const float *bias;
    float *columns;
} gemm_job;

static bool is_pointwise(const vdnn_conv_shape *s)
{
    for (int d = 0; d < 2; d++)
        if (s->kernel[d] != 1 || s->stride[d] != 1 || s->pad[d] != 0)
            return false;
    return true;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* The output positions [first, end) along dimension `d` whose tap lies inside the image. */
static void inside(const vdnn_conv_shape *s, int d, int64_t tap, int64_t *first, int64_t *end)
{
    int64_t origin = tap * s->dilation[d] - s->pad[d]; /* the cell that position 0 reads */
    int64_t stride = s->stride[d];
    *first = clamp(origin >= 0 ? 0 : (-origin + stride - 1) / stride, 0, s->out[d]);
    *end = clamp(origin >= s->in[d] ? 0 : (s->in[d] - 1 - origin) / stride + 1, *first, s->out[d]);
}

/* Where a row of columns meets its channel: positions inside, and the cell of position (0, 0). */
typedef struct overlap {
    int64_t channel, first[2], end[2], origin;
} overlap;

static overlap overlap_of(const vdnn_conv_shape *s, int64_t row)
{
    int64_t cells = s->kernel[0] * s->kernel[1];
    int64_t tap[2] = {row % cells / s->kernel[1], row % s->kernel[1]};
    overlap o = {.channel = row / cells};
    for (int d = 0; d < 2; d++)
        inside(s, d, tap[d], &o.first[d], &o.end[d]);
    o.origin =
        (tap[0] * s->dilation[0] - s->pad[0]) * s->in[1] + tap[1] * s->dilation[1] - s->pad[1];
    return o;
}

static void fill_row(void *argument, int64_t row, int member)
{
    (void)member;
    const gemm_job *job = argument;
    const vdnn_conv_shape *s = &job->s;
    overlap o = overlap_of(s, row);
    const float *channel = job->image + o.channel * s->in_cells;
    float *to = job->columns + row * s->out_cells;
    int64_t width = s->out[1], inner = o.end[1] - o.first[1];
    memset(to, 0, (size_t)(o.first[0] * width) * sizeof *to);
    for (int64_t h = o.first[0]; h < o.end[0]; h++) {
        float *line = to + h * width;
        memset(line, 0, (size_t)o.first[1] * sizeof *line);
        memset(line + o.end[1], 0, (size_t)(width - o.end[1]) * sizeof *line);
        int64_t cell = o.origin + h * s->stride[0] * s->in[1] + o.first[1] * s->stride[1];
        if (s->stride[1] == 1 && inner > 0)
            memcpy(line + o.first[1], channel + cell, (size_t)inner * sizeof *line);
        else
            for (int64_t w = 0; w < inner; w++)
                line[o.first[1] + w] = channel[cell + w * s->stride[1]];
    }
    memset(to + o.end[0] * width, 0, (size_t)((s->out[0] - o.end[0]) * width) * sizeof *to);
}

/* Adds the rows of one channel to dx in the order of the taps. */
static void gather_channel(void *argument, int64_t channel, int member)
{
    (void)member;
    const gemm_job *job = argument;
    const vdnn_conv_shape *s = &job->s;
    int64_t taps = s->kernel[0] * s->kernel[1], step = s->stride[1];
    float *to = job->image_gradient + channel * s->in_cells;
    memset(to, 0, (size_t)s->in_cells * sizeof *to);
    for (int64_t row = channel * taps; row < (channel + 1) * taps; row++) {
        overlap o = overlap_of(s, row);
        for (int64_t h = o.first[0]; h < o.end[0]; h++) {
            const float *restrict from = job->columns + row * s->out_cells + h * s->out[1];
            int64_t cell = o.origin + h * s->stride[0] * s->in[1];
            for (int64_t w = o.first[1]; w < o.end[1]; w++)
                to[cell + w * step] += from[w];
        }
    }
}

static void add_bias(void *argument, int64_t row, int member)
{
    (void)member;
    const gemm_job *job = argument;
    float *restrict y = job->y + row * job->s.out_cells;
    float bias = job->bias[row % job->s.k];
    for (int64_t i = 0; i < job->s.out_cells; i++)
        y[i] += bias;
}

static void sum_output(void *argument, int64_t output, int member)
{
    (void)member;
    const gemm_job *job = argument;
    job->bias_gradient[output] = vdnn_conv_shape_bias_sum(&job->s, job->dy, output);
}

/* One group of one image. */
typedef struct gemm_block {
    const float *w, *x, *dy;
    float *y, *dx, *dw;
    float beta; /* of dw: 0 for the first image */
} gemm_block;

static const float *columns_of(gemm_job *job, const float *x, int threads)
{
    if (job->columns == NULL)
        return x;
    job->image = x;
    vdnn_cpu_threads_loop(threads, job->s.taps, fill_row, job);
    return job->columns;
}

static void forward_block(gemm_job *job, const gemm_block *block, int threads)
{
    const vdnn_conv_shape *s = &job->s;
    const float *columns = columns_of(job, block->x, threads);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)s->group_k, (int)s->out_cells,
                (int)s->taps, 1.0F, block->w, (int)s->taps, columns, (int)s->out_cells, 0.0F,
                block->y, (int)s->out_cells);
}

static void backward_data_block(gemm_job *job, const gemm_block *block, int threads)
{
    const vdnn_conv_shape *s = &job->s;
    float *columns = job->columns == NULL ? block->dx : job->columns;
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)s->taps, (int)s->out_cells,
                (int)s->group_k, 1.0F, block->w, (int)s->taps, block->dy, (int)s->out_cells, 0.0F,
                columns, (int)s->out_cells);
    if (job->columns == NULL)
        return;
    job->image_gradient = block->dx;
    vdnn_cpu_threads_loop(threads, s->group_c, gather_channel, job);
}

static void backward_filter_block(gemm_job *job, const gemm_block *block, int threads)
{
    const vdnn_conv_shape *s = &job->s;
    const float *columns = columns_of(job, block->x, threads);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)s->group_k, (int)s->taps,
                (int)s->out_cells, 1.0F, block->dy, (int)s->out_cells, columns, (int)s->out_cells,
                block->beta, block->dw, (int)s->taps);
}

static void (*const blocks[VDNN_PASS_COUNT])(gemm_job *, const gemm_block *, int) = {
    [VDNN_FORWARD] = forward_block,
    [VDNN_BACKWARD_DATA] = backward_data_block,
    [VDNN_BACKWARD_FILTER] = backward_filter_block,
};

/* A part of a map or a parameter block that the pass may not have been given. */
static float *part(void *base, int64_t offset)
{
    return base == NULL ? NULL : (float *)base + offset;
}

static void run_blocks(const vdnn_kernel *kernel, const vdnn_kernel_args *args, gemm_job *job)
{
    const vdnn_conv_shape *s = &job->s;
    for (int64_t i = 0; i < s->n * s->groups; i++) {
        int64_t group = i % s->groups;
        int64_t in = i * s->group_c * s->in_cells, out = i * s->group_k * s->out_cells;
        int64_t weights = group * s->group_k * s->taps;
        gemm_block block = {.w = part(args->w, weights),
                            .dw = part(args->dw, weights),
                            .y = part(args->y, out),
                            .dy = part(args->dy, out),
                            .beta = i < s->groups ? 0.0F : 1.0F};
        if (kernel->pass == VDNN_BACKWARD_DATA)
            block.dx = part(args->dx[0], in);
        else
            block.x = part(args->x[0], in);
        blocks[kernel->pass](job, &block, kernel->threads);
    }
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    gemm_job job = {.s = vdnn_conv_shape_of(kernel->layer),
                    .dy = args->dy,
                    .y = args->y,
                    .columns = kernel->workspace_bytes == 0 ? NULL : args->workspace};
    int before = vdnn_cpu_threads_begin(kernel->threads);
    run_blocks(kernel, args, &job);
    if (job.s.bias_offset >= 0 && kernel->pass == VDNN_FORWARD) {
        job.bias = vdnn_conv_shape_bias(&job.s, args->w);
        vdnn_cpu_threads_loop(kernel->threads, job.s.n * job.s.k, add_bias, &job);
    }
    if (job.s.bias_offset >= 0 && kernel->pass == VDNN_BACKWARD_FILTER) {
        job.bias_gradient = vdnn_conv_shape_bias(&job.s, args->dw);
        vdnn_cpu_threads_loop(kernel->threads, job.s.k, sum_output, &job);
    }
    vdnn_cpu_threads_end(before);
    return VDNN_OK;
}

static vdnn_status workspace(const vdnn_layer *layer, vdnn_pass pass, int threads, size_t *bytes)
{
    (void)pass;
    (void)threads;
    vdnn_conv_shape s = vdnn_conv_shape_of(layer);
    *bytes = is_pointwise(&s) ? 0 : (size_t)(s.taps * s.out_cells) * sizeof(float);
    return VDNN_OK;
}

const vdnn_algorithm vdnn_conv_gemm = {
    .layer_type = "conv",
    .name = "gemm",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA | 1U << VDNN_BACKWARD_FILTER,
    .deterministic = true,
    .refusal = vdnn_conv_shape_refusal,
    .workspace = workspace,
    .run = run,
};
