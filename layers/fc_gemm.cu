#include "layers/cuda_tiles.h"

#include <cublas_v2.h>

extern "C" {
#include "layers/cuda_bias.h"
#include "layers/cuda_blas.h"
#include "layers/fc.h"
}

/* The three products of a fully connected layer: by cuBLAS, or in tiles of our own where it is not
 * there. All matrices are row-major: x (samples x in), w (out x in), y (samples x out). */

typedef struct fc_shape {
    int64_t samples, in, out;
} fc_shape;

static fc_shape shape_of(const vdnn_layer *layer)
{
    return {layer->y.dims[VDNN_N], layer->params[0].dims[1], layer->params[0].dims[0]};
}

/* product (rows x columns), row-major; the steps are between rows and columns of each factor. */
struct plain_problem {
    const float *left_at, *right_at;
    int64_t left_row, left_depth, right_depth, right_column;
    float *to;
    int64_t to_row;

    __device__ __forceinline__ float left(int, int row, int64_t l) const
    {
        return left_at[row * left_row + l * left_depth];
    }

    __device__ __forceinline__ float right(int, int64_t l, int64_t column) const
    {
        return right_at[l * right_depth + column * right_column];
    }

    __device__ __forceinline__ void write(int, int row, int64_t column, float sum) const
    {
        to[row * to_row + column] = sum;
    }
};

static vdnn_status product_in_tiles(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    fc_shape s = shape_of(kernel->layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    const float *w = static_cast<const float *>(args->w),
                *dy = static_cast<const float *>(args->dy);
    const float *x = args->x == nullptr ? nullptr : static_cast<const float *>(args->x[0]);
    if (kernel->pass == VDNN_FORWARD) {
        plain_problem y = {x, w, s.in, 1, 1, s.in, static_cast<float *>(args->y), s.out};
        return vdnn_cuda_tiles(stream, y, 1, s.samples, s.out, s.in, 1);
    }
    if (kernel->pass == VDNN_BACKWARD_DATA) {
        plain_problem dx = {dy, w, s.out, 1, s.in, 1, static_cast<float *>(args->dx[0]), s.in};
        return vdnn_cuda_tiles(stream, dx, 1, s.samples, s.in, s.out, 1);
    }
    plain_problem dw = {dy, x, 1, s.out, s.in, 1, static_cast<float *>(args->dw), s.in};
    return vdnn_cuda_tiles(stream, dw, 1, s.out, s.in, s.samples, 1);
}

/* cuBLAS sees a row-major matrix as its transposed one. */
static vdnn_status product_by_blas(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_cuda_blas *blas = vdnn_cuda_blas_find();
    cublasHandle_t handle = vdnn_cuda_stream_of(args)->blas;
    fc_shape s = shape_of(kernel->layer);
    int samples = (int)s.samples, in = (int)s.in, out = (int)s.out;
    const float *w = static_cast<const float *>(args->w),
                *dy = static_cast<const float *>(args->dy);
    const float *x = args->x == nullptr ? nullptr : static_cast<const float *>(args->x[0]);
    const float one = 1, zero = 0;
    cublasStatus_t done;
    if (kernel->pass == VDNN_FORWARD)
        done = blas->sgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, out, samples, in, &one, w, in, x, in,
                           &zero, static_cast<float *>(args->y), out);
    else if (kernel->pass == VDNN_BACKWARD_DATA)
        done = blas->sgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, in, samples, out, &one, w, in, dy, out,
                           &zero, static_cast<float *>(args->dx[0]), in);
    else
        done = blas->sgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, in, out, samples, &one, x, in, dy, out,
                           &zero, static_cast<float *>(args->dw), in);
    return vdnn_cuda_blas_status("cublasSgemm", done);
}

static vdnn_status with_bias(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                             vdnn_status status)
{
    if (status == VDNN_OK && kernel->pass == VDNN_FORWARD)
        status = vdnn_cuda_bias_add(kernel->layer, args);
    if (status == VDNN_OK && kernel->pass == VDNN_BACKWARD_FILTER)
        status = vdnn_cuda_bias_gradient(kernel->layer, args);
    return status;
}

static vdnn_status run_tiles(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return with_bias(kernel, args, product_in_tiles(kernel, args));
}

static vdnn_status run_blas(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return with_bias(kernel, args, product_by_blas(kernel, args));
}

static const char *refuse_tiles(const vdnn_kernel *kernel)
{
    const char *why = vdnn_cuda_refusal(kernel);
    fc_shape s = shape_of(kernel->layer);
    return why != nullptr ? why : vdnn_cuda_tiles_refusal(1, s.samples > s.out ? s.samples : s.out);
}

static const char *refuse_blas(const vdnn_kernel *kernel)
{
    const char *why = vdnn_cuda_refusal(kernel);
    fc_shape s = shape_of(kernel->layer);
    if (why == nullptr && (s.samples > INT32_MAX || s.in > INT32_MAX || s.out > INT32_MAX))
        why = "a side of its matrices is longer than 2^31";
    return why != nullptr ? why : vdnn_cuda_blas_lack();
}

const vdnn_algorithm vdnn_fc_gemm_cuda =
    vdnn_cuda_row("fc", "gemm", VDNN_CUDA_ALL_PASSES, refuse_blas, run_blas);

const vdnn_algorithm vdnn_fc_tiles_cuda =
    vdnn_cuda_row("fc", "tiles", VDNN_CUDA_ALL_PASSES, refuse_tiles, run_tiles);
