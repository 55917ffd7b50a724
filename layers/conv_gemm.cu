#include "layers/cuda_conv.h"

#include <cublas_v2.h>

extern "C" {
#include "layers/cuda_bias.h"
#include "layers/cuda_blas.h"
}

/* A convolution as a product of cuBLAS: the windows of so many samples at a time are spread out in
 * the workspace (im2col), one matrix (window x cells) for each sample and group:
 *
 *     y (outputs x cells) = w (outputs x window) * columns (window x cells)
 *
 * cuBLAS sees each row-major matrix as its transposed one. */

enum { FEW = 1, MANY = 16 };

static const int few = FEW, many = MANY;

/* ---- windows --------------------------------------------------------------------------------- */

__global__ static void spread(const float *x, float *columns, vdnn_cuda_conv c, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i >= count)
        return;
    int cell = (int)(i % c.out_cells), place = (int)(i / c.out_cells % c.window);
    int64_t matrix = i / c.out_cells / c.window; /* sample and group */
    int kw = place % c.kernel[1], kh = place / c.kernel[1] % c.kernel[0];
    int h = cell / c.out[1] * c.stride[0] - c.pad[0] + kh * c.dilation[0];
    int v = cell % c.out[1] * c.stride[1] - c.pad[1] + kw * c.dilation[1];
    int64_t plane = matrix * c.channels + place / c.kernel[1] / c.kernel[0];
    bool inside = h >= 0 && h < c.in[0] && v >= 0 && v < c.in[1];
    columns[i] = inside ? x[plane * c.in_cells + (int64_t)h * c.in[1] + v] : 0.0F;
}

/* A cell of dx adds up its places in the windows, in the kernel's order. */
__global__ static void gather(const float *columns, float *dx, vdnn_cuda_conv c, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i >= count)
        return;
    int cell = (int)(i % c.in_cells);
    int64_t plane = i / c.in_cells;
    int64_t first = plane * c.kernel[0] * c.kernel[1]; /* row of all matrices */
    float sum = 0;
    for (int kh = 0; kh < c.kernel[0]; kh++)
        for (int kw = 0; kw < c.kernel[1]; kw++) {
            int h = cell / c.in[1] + c.pad[0] - kh * c.dilation[0];
            int v = cell % c.in[1] + c.pad[1] - kw * c.dilation[1];
            if (h < 0 || v < 0 || h % c.stride[0] != 0 || v % c.stride[1] != 0)
                continue;
            h /= c.stride[0];
            v /= c.stride[1];
            if (h < c.out[0] && v < c.out[1])
                sum += columns[(first + kh * c.kernel[1] + kw) * c.out_cells +
                               (int64_t)h * c.out[1] + v];
        }
    dx[i] = sum;
}

/* ---- products of a run of samples ------------------------------------------------------------ */

typedef struct gemm_run {
    vdnn_cuda_conv c;
    const vdnn_cuda_stream *stream;
    float *columns;
    int64_t first, count; /* samples */
} gemm_run;

static int64_t x_step(const gemm_run &r)
{
    return r.c.groups * r.c.channels * r.c.in_cells;
}

static int64_t y_step(const gemm_run &r)
{
    return r.c.groups * r.c.outputs * r.c.out_cells;
}

static void spread_run(const gemm_run &r, const float *x)
{
    int64_t count = r.count * r.c.groups * r.c.window * r.c.out_cells;
    VDNN_LAUNCH(spread, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, r.stream->handle,
                x + r.first * x_step(r), r.columns, r.c, count);
}

static cublasStatus_t forward_run(const gemm_run &r, const vdnn_kernel_args *args, int64_t group)
{
    const float one = 1, zero = 0;
    int cells = (int)r.c.out_cells, window = (int)r.c.window;
    int64_t matrix = r.c.window * r.c.out_cells, part = (int64_t)r.c.outputs * r.c.out_cells;
    return vdnn_cuda_blas_find()->sgemm_strided_batched(
        r.stream->blas, CUBLAS_OP_N, CUBLAS_OP_N, cells, r.c.outputs, window, &one,
        r.columns + group * matrix, cells, r.c.groups * matrix,
        static_cast<const float *>(args->w) + group * r.c.outputs * r.c.window, window, 0, &zero,
        static_cast<float *>(args->y) + r.first * y_step(r) + group * part, cells, y_step(r),
        (int)r.count);
}

static cublasStatus_t data_run(const gemm_run &r, const vdnn_kernel_args *args, int64_t group)
{
    const float one = 1, zero = 0;
    int cells = (int)r.c.out_cells, window = (int)r.c.window;
    int64_t matrix = r.c.window * r.c.out_cells, part = (int64_t)r.c.outputs * r.c.out_cells;
    return vdnn_cuda_blas_find()->sgemm_strided_batched(
        r.stream->blas, CUBLAS_OP_N, CUBLAS_OP_T, cells, window, r.c.outputs, &one,
        static_cast<const float *>(args->dy) + r.first * y_step(r) + group * part, cells, y_step(r),
        static_cast<const float *>(args->w) + group * r.c.outputs * r.c.window, window, 0, &zero,
        r.columns + group * matrix, cells, r.c.groups * matrix, (int)r.count);
}

/* Sample by sample into the same gradient, in order. */
static cublasStatus_t filter_run(const gemm_run &r, const vdnn_kernel_args *args, int64_t group)
{
    const float one = 1, zero = 0;
    int cells = (int)r.c.out_cells, window = (int)r.c.window;
    int64_t matrix = r.c.window * r.c.out_cells, part = (int64_t)r.c.outputs * r.c.out_cells;
    cublasStatus_t done = CUBLAS_STATUS_SUCCESS;
    for (int64_t i = 0; done == CUBLAS_STATUS_SUCCESS && i < r.count; i++)
        done = vdnn_cuda_blas_find()->sgemm(
            r.stream->blas, CUBLAS_OP_T, CUBLAS_OP_N, window, r.c.outputs, cells, &one,
            r.columns + (i * r.c.groups + group) * matrix, cells,
            static_cast<const float *>(args->dy) + (r.first + i) * y_step(r) + group * part, cells,
            r.first + i == 0 ? &zero : &one,
            static_cast<float *>(args->dw) + group * r.c.outputs * r.c.window, window);
    return done;
}

static vdnn_status run_samples(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                               const gemm_run &r)
{
    static cublasStatus_t (*const products[])(const gemm_run &, const vdnn_kernel_args *,
                                              int64_t) = {forward_run, data_run, filter_run};
    cublasStatus_t done = CUBLAS_STATUS_SUCCESS;
    if (kernel->pass != VDNN_BACKWARD_DATA)
        spread_run(r, static_cast<const float *>(args->x[0]));
    for (int64_t group = 0; done == CUBLAS_STATUS_SUCCESS && group < r.c.groups; group++)
        done = products[kernel->pass](r, args, group);
    int64_t count = r.count * x_step(r);
    if (done == CUBLAS_STATUS_SUCCESS && kernel->pass == VDNN_BACKWARD_DATA)
        VDNN_LAUNCH(gather, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, r.stream->handle, r.columns,
                    static_cast<float *>(args->dx[0]) + r.first * x_step(r), r.c, count);
    vdnn_status status = vdnn_cuda_blas_status("cublasSgemm", done);
    return status == VDNN_OK ? vdnn_cuda_launched("convolution by cuBLAS") : status;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int64_t samples_at_a_time(const vdnn_kernel *kernel)
{
    int64_t samples = kernel->layer->y.dims[VDNN_N];
    int64_t wanted = *static_cast<const int *>(kernel->algorithm->variant);
    return wanted < samples ? wanted : samples;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    gemm_run r = {vdnn_cuda_conv_of(kernel->layer), vdnn_cuda_stream_of(args),
                  static_cast<float *>(args->workspace), 0, 0};
    vdnn_status status = VDNN_OK;
    for (; status == VDNN_OK && r.first < r.c.samples; r.first += r.count) {
        int64_t left = r.c.samples - r.first, most = samples_at_a_time(kernel);
        r.count = left < most ? left : most;
        status = run_samples(kernel, args, r);
    }
    if (status == VDNN_OK && kernel->pass == VDNN_FORWARD)
        status = vdnn_cuda_bias_add(kernel->layer, args);
    if (status == VDNN_OK && kernel->pass == VDNN_BACKWARD_FILTER)
        status = vdnn_cuda_bias_gradient(kernel->layer, args);
    return status;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    vdnn_cuda_conv c = vdnn_cuda_conv_of(kernel->layer);
    *bytes =
        (size_t)(samples_at_a_time(kernel) * c.groups * c.window * c.out_cells) * sizeof(float);
    return VDNN_OK;
}

static const char *refusal(const vdnn_kernel *kernel)
{
    constexpr int64_t MOST = 1 << 30;
    const char *why = vdnn_cuda_conv_refusal(kernel);
    vdnn_cuda_conv c = vdnn_cuda_conv_of(kernel->layer);
    if (why == nullptr && (c.window > MOST || c.out_cells > MOST || c.in_cells > MOST))
        why = "a side of its matrices is longer than 2^30";
    return why != nullptr ? why : vdnn_cuda_blas_lack();
}

const vdnn_algorithm vdnn_conv_gemm_cuda =
    vdnn_cuda_row("conv", "gemm", VDNN_CUDA_ALL_PASSES, refusal, run, workspace, &few);

const vdnn_algorithm vdnn_conv_gemm_16_cuda =
    vdnn_cuda_row("conv", "gemm_16", VDNN_CUDA_ALL_PASSES, refusal, run, workspace, &many);
