#include "layers/conv/cuda_tiles.h"
#include "layers/cuda/epilogue.h"

#include <cublas_v2.h>

extern "C" {
#include "layers/cuda/blas.h"
#include "layers/cuda/weight.h"
#include "layers/dense/fc.h"
}

/* The three products of a fully connected layer: by cuBLAS, or in built-in tiles without it. All
 * matrices are row-major: x (samples x in), w (out x in), y (samples x out). */

typedef struct fc_shape {
    int64_t samples, in, out;
} fc_shape;

static fc_shape shape_of(const vdnn_layer *layer)
{
    return {vdnn_desc_as_vectors(&layer->y).dims[VDNN_N], layer->params[0].dims[1],
            layer->params[0].dims[0]};
}

/* product (rows x columns), row-major; the steps are between rows and columns of each factor. */
template <class Left, class Right, class To> struct plain_problem {
    const Left *left_at;
    const Right *right_at;
    int64_t left_row, left_depth, right_depth, right_column;
    To *to;
    int64_t to_row;
    vdnn_cuda_epilogue epilogue; /* its channels are columns */

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
        to[row * to_row + column] = epilogue.of(column, sum);
    }
};

template <class T>
static vdnn_status product_in_tiles(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    fc_shape s = shape_of(kernel->layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    const float *w = static_cast<const float *>(args->w);
    const T *dy = static_cast<const T *>(args->dy);
    const T *x = args->x == nullptr ? nullptr : static_cast<const T *>(args->x[0]);
    if (kernel->pass == VDNN_FORWARD) {
        plain_problem<T, float, T> y = {x,
                                        w,
                                        s.in,
                                        1,
                                        1,
                                        s.in,
                                        static_cast<T *>(args->y),
                                        s.out,
                                        vdnn_cuda_epilogue_of(kernel, args)};
        return vdnn_cuda_tiles(stream, y, 1, s.samples, s.out, s.in, 1);
    }
    if (kernel->pass == VDNN_BACKWARD_DATA) {
        plain_problem<T, float, T> dx = {dy,   w, s.out, 1, s.in, 1, static_cast<T *>(args->dx[0]),
                                         s.in, {}};
        return vdnn_cuda_tiles(stream, dx, 1, s.samples, s.in, s.out, 1);
    }
    plain_problem<T, T, float> dw = {dy,   x, 1, s.out, s.in, 1, static_cast<float *>(args->dw),
                                     s.in, {}};
    return vdnn_cuda_tiles(stream, dw, 1, s.out, s.in, s.samples, 1);
}

/* To cuBLAS a row-major matrix is its transpose. */
static vdnn_status product_by_blas(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    fc_shape s = shape_of(kernel->layer);
    const int samples = (int)s.samples, in = (int)s.in, out = (int)s.out;
    const struct {
        cublasOperation_t a_is, b_is;
        int m, n, k;
    } forms[VDNN_PASS_COUNT] = {{CUBLAS_OP_T, CUBLAS_OP_N, out, samples, in},
                                {CUBLAS_OP_N, CUBLAS_OP_N, in, samples, out},
                                {CUBLAS_OP_N, CUBLAS_OP_T, in, out, samples}};
    bool is_filter = kernel->pass == VDNN_BACKWARD_FILTER,
         is_forward = kernel->pass == VDNN_FORWARD;
    const auto &form = forms[kernel->pass];
    vdnn_cuda_product p = {};
    VDNN_TRY(vdnn_cuda_epilogue_begin(kernel, args, &p.beta));
    p.a_is = form.a_is;
    p.b_is = form.b_is;
    p.m = form.m;
    p.n = form.n;
    p.k = form.k;
    p.a = is_filter ? args->x[0] : vdnn_cuda_weight(kernel, args);
    p.b = is_forward ? args->x[0] : args->dy;
    p.c = is_filter ? args->dw : is_forward ? args->y : args->dx[0];
    p.count = 1;
    p.in = kernel->layer->y.dtype;
    p.out = is_filter ? VDNN_F32 : p.in;
    return vdnn_cuda_blas_multiply(vdnn_cuda_stream_of(args), &p);
}

static vdnn_status workspace_of_blas(const vdnn_kernel *kernel, size_t *bytes)
{
    *bytes = vdnn_cuda_epilogue_room(kernel, vdnn_cuda_weight_bytes(kernel));
    return VDNN_OK;
}

static vdnn_status workspace_of_tiles(const vdnn_kernel *kernel, size_t *bytes)
{
    *bytes = vdnn_cuda_epilogue_room(kernel, 0);
    return VDNN_OK;
}

static vdnn_status run_tiles(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return vdnn_cuda_epilogue_gradient(
        kernel, args, VDNN_CUDA_AS(kernel->layer->y.dtype, product_in_tiles, kernel, args));
}

static vdnn_status run_blas(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return vdnn_cuda_epilogue_finish(kernel, args, product_by_blas(kernel, args));
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
    vdnn_cuda_row("fc", "gemm", VDNN_CUDA_ALL_PASSES, refuse_blas, run_blas, workspace_of_blas);

const vdnn_algorithm vdnn_fc_tiles_cuda = vdnn_cuda_invariant(
    vdnn_cuda_row("fc", "tiles", VDNN_CUDA_ALL_PASSES, refuse_tiles, run_tiles, workspace_of_tiles),
    VDNN_CUDA_DATA_PASSES, 1U << VDNN_FORWARD);
