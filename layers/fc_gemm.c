#include "layers/cpu_threads.h"
#include "layers/fc.h"

#include <cblas.h>
#include <string.h>

/* One sgemm a pass, w as (out, in):
 *   y (n, out) = x (n, in) w^T + b;  dx (n, in) = dy (n, out) w;  dw (out, in) = dy^T x */
typedef struct fc_job {
    int n, in, out;
    const float *bias, *dy;
    float *y, *bias_gradient;
} fc_job;

/* Columns that one call of sum_columns adds up. */
enum { COLUMNS = 256 };

static const char *refusal(const vdnn_layer *layer, vdnn_pass pass)
{
    (void)pass;
    const vdnn_desc *x = &layer->x[0];
    if (x->dtype != VDNN_F32)
        return "it computes in f32 only";
    if (x->layout != VDNN_NCHW)
        return "it reads and writes NCHW only";
    const int64_t *weight = layer->params[0].dims;
    if (x->dims[VDNN_N] > INT32_MAX || weight[0] > INT32_MAX || weight[1] > INT32_MAX)
        return "one of its sizes does not fit 31 bits";
    return NULL;
}

static void add_bias(void *argument, int64_t sample, int member)
{
    (void)member;
    const fc_job *job = argument;
    float *restrict row = job->y + sample * job->out;
    const float *restrict bias = job->bias;
    for (int64_t o = 0; o < job->out; o++)
        row[o] += bias[o];
}

/* Adds in the order of the samples, so the bits depend on no thread count. */
static void sum_columns(void *argument, int64_t piece, int member)
{
    (void)member;
    const fc_job *job = argument;
    int64_t first = piece * COLUMNS;
    int64_t count = job->out - first < COLUMNS ? job->out - first : COLUMNS;
    float *restrict sum = job->bias_gradient + first;
    memset(sum, 0, (size_t)count * sizeof *sum);
    for (int64_t i = 0; i < job->n; i++) {
        const float *restrict row = job->dy + i * job->out + first;
        for (int64_t o = 0; o < count; o++)
            sum[o] += row[o];
    }
}

static float *bias_of(const vdnn_layer *layer, void *block)
{
    if (layer->param_count < 2)
        return NULL;
    return (float *)block + layer->params[1].offset / sizeof(float);
}

static void run_forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args, fc_job *job)
{
    job->y = args->y;
    job->bias = bias_of(kernel->layer, args->w);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, job->n, job->out, job->in, 1.0F,
                args->x[0], job->in, args->w, job->in, 0.0F, args->y, job->out);
    if (job->bias != NULL)
        vdnn_cpu_threads_loop(kernel->threads, job->n, add_bias, job);
}

static void run_backward_data(const vdnn_kernel *kernel, const vdnn_kernel_args *args, fc_job *job)
{
    (void)kernel;
    if (args->dx[0] == NULL)
        return;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, job->n, job->in, job->out, 1.0F,
                args->dy, job->out, args->w, job->in, 0.0F, args->dx[0], job->in);
}

static void run_backward_filter(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                fc_job *job)
{
    job->dy = args->dy;
    job->bias_gradient = bias_of(kernel->layer, args->dw);
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, job->out, job->in, job->n, 1.0F, args->dy,
                job->out, args->x[0], job->in, 0.0F, args->dw, job->in);
    if (job->bias_gradient != NULL)
        vdnn_cpu_threads_loop(kernel->threads, (job->out + COLUMNS - 1) / COLUMNS, sum_columns,
                              job);
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    static void (*const passes[VDNN_PASS_COUNT])(const vdnn_kernel *, const vdnn_kernel_args *,
                                                 fc_job *) = {
        [VDNN_FORWARD] = run_forward,
        [VDNN_BACKWARD_DATA] = run_backward_data,
        [VDNN_BACKWARD_FILTER] = run_backward_filter,
    };
    const vdnn_layer *layer = kernel->layer;
    fc_job job = {.n = (int)layer->x[0].dims[VDNN_N],
                  .in = (int)layer->params[0].dims[1],
                  .out = (int)layer->params[0].dims[0]};
    int before = vdnn_cpu_threads_begin(kernel->threads);
    passes[kernel->pass](kernel, args, &job);
    vdnn_cpu_threads_end(before);
    return VDNN_OK;
}

const vdnn_algorithm vdnn_fc_gemm = {
    .layer_type = "fc",
    .name = "gemm",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA | 1U << VDNN_BACKWARD_FILTER,
    .deterministic = true,
    .refusal = refusal,
    .run = run,
};
