#include "layers/count.h"
#include "layers/cpu/native.h"
#include "layers/positions/parameter.h"
#include "layers/stage.h"

/* Blocks of a sample's elements; of dw, whose elements are sums over the samples in their order. */
enum { BLOCK = VDNN_NATIVE_BLOCK };

typedef struct parameter_job {
    const vdnn_kernel_args *args;
    vdnn_dtype dtype;
    vdnn_parameter_shape s;
} parameter_job;

static int64_t blocks_of(int64_t count)
{
    return vdnn_count_pieces(count, BLOCK);
}

VDNN_CPU_CLONES static void add(const float *a, const float *restrict b, float *sum, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        sum[i] = a[i] + b[i];
}

/* y may be x. */
static void add_block(const parameter_job *job, int64_t sample, int64_t first, int64_t count)
{
    float of_x[BLOCK], of_y[BLOCK];
    int64_t begin = sample * job->s.of_x + first;
    vdnn_native_range range = {begin, begin + count};
    const float *x = vdnn_native_read(job->dtype, job->args->x[0], range, of_x);
    float *y = vdnn_native_write_begin(job->dtype, job->args->y, range, of_y);
    add(x, (const float *)job->args->w + first, y, count);
    vdnn_native_write_end(job->dtype, job->args->y, range, y);
}

/* Elements of a sample's y from `first` on, within those of w or those of x. */
static void copy_block(const parameter_job *job, int64_t sample, int64_t first, int64_t count)
{
    const vdnn_parameter_shape *s = &job->s;
    void *y = vdnn_native_at(job->dtype, job->args->y, sample * s->of_y + first);
    if (first < s->first)
        vdnn_stage_narrow(job->dtype, (const float *)job->args->w + first, y, count);
    else
        memcpy(
            y,
            vdnn_native_const_at(job->dtype, job->args->x[0], sample * s->of_x + first - s->first),
            (size_t)count * vdnn_dtype_bytes(job->dtype));
}

static void forward(const parameter_job *job, int threads)
{
    const vdnn_parameter_shape *s = &job->s;
    const int64_t of_w = s->first > 0 ? blocks_of(s->first) : 0, all = of_w + blocks_of(s->of_x);
    (void)threads; /* unused without OpenMP */
#pragma omp parallel for num_threads(threads)
    for (int64_t i = 0; i < s->samples * all; i++) {
        const int64_t block = i % all, sample = i / all;
        const bool is_w = block < of_w;
        const int64_t begin = (is_w ? block : block - of_w) * BLOCK;
        const int64_t count = vdnn_count_min(BLOCK, (is_w ? s->first : s->of_x) - begin);
        if (s->first == 0)
            add_block(job, sample, begin, count);
        else
            copy_block(job, sample, is_w ? begin : s->first + begin, count);
    }
}

static void copy_gradient(const parameter_job *job, int threads)
{
    const vdnn_parameter_shape *s = &job->s;
    const size_t bytes = (size_t)s->of_x * vdnn_dtype_bytes(job->dtype);
    void *dx = job->args->dx[0];
    (void)threads;
    if (dx == job->args->dy)
        return;
#pragma omp parallel for num_threads(threads)
    for (int64_t n = 0; n < s->samples; n++)
        memcpy(vdnn_native_at(job->dtype, dx, n * s->of_x),
               vdnn_native_at(job->dtype, job->args->dy, n * s->of_y + s->first), bytes);
}

static void sum_block(const parameter_job *job, vdnn_native_range of_w)
{
    const int64_t count = of_w.end - of_w.begin;
    float *dw = (float *)job->args->dw + of_w.begin, buffer[BLOCK];
    memset(dw, 0, (size_t)count * sizeof *dw);
    for (int64_t n = 0; n < job->s.samples && of_w.begin < job->s.of_w; n++) {
        const int64_t begin = n * job->s.of_y + of_w.begin;
        const int64_t own = vdnn_count_min(count, job->s.of_w - of_w.begin);
        add(dw,
            vdnn_native_read(job->dtype, job->args->dy, (vdnn_native_range){begin, begin + own},
                             buffer),
            dw, own);
    }
}

/* Vectors beyond the positions of x have gradients of 0. */
static void sum_gradients(const parameter_job *job, int64_t count, int threads)
{
    (void)threads;
#pragma omp parallel for num_threads(threads)
    for (int64_t block = 0; block < blocks_of(count); block++)
        sum_block(job, vdnn_native_block(block, count));
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    const parameter_job job = {args, layer->y.dtype, vdnn_parameter_shape_of(layer)};
    if (kernel->pass == VDNN_FORWARD)
        forward(&job, kernel->threads);
    if (kernel->pass == VDNN_BACKWARD_DATA)
        copy_gradient(&job, kernel->threads);
    if (vdnn_layer_writes_dw(layer, kernel->pass))
        sum_gradients(&job, layer->params[0].count, kernel->threads);
    return VDNN_OK;
}

const vdnn_algorithm vdnn_parameter_native = {
    .layer_type = "parameter",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA | 1U << VDNN_BACKWARD_FILTER,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .refusal = vdnn_native_refusal,
    .run = run,
};
