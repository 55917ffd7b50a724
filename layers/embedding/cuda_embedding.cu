#include "layers/cuda/pack.h"

extern "C" {
#include "layers/embedding/embedding.h"
}

/* y[i] = w[x[i]], element by element. An invalid token makes its vector NaN. */
template <class T> struct look_up {
    const int32_t *x;
    const float *w;
    T *y;
    vdnn_cuda_divisor width;
    int64_t vocabulary;

    template <class Place> __device__ void operator()(const Place &at) const
    {
        vdnn_cuda_eight values;
        for (int k = 0; k < VDNN_CUDA_EIGHT; k++) {
            int64_t i = at.has(k) ? at.element(k) : 0, row = i / width, token = x[row];
            bool is_known = token >= 0 && token < vocabulary;
            values.at[k] = is_known ? w[token * width.by + i - row * width.by] : NAN;
        }
        at.store(y, values);
    }
};

/* dw[x[i]] += dy[i] for i = 0, 1, ...: a block for some columns of each token of the batch, which
 * sums if it is the first with that number. A thread has a column, and adds in the order of the
 * samples. */
template <class T>
__global__ static void sum_vectors(const int32_t *x, const T *dy, float *dw, vdnn_embedding_shape s,
                                   int64_t pieces, bool adds)
{
    VDNN_SHARED(int32_t, part, [(size_t) VDNN_CUDA_THREADS]);
    int64_t own = blockIdx.x / pieces;
    int64_t column = blockIdx.x % pieces * VDNN_CUDA_THREADS + threadIdx.x;
    int32_t token = x[own];
    int earlier = 0;
    for (int64_t i = threadIdx.x; i < own; i += VDNN_CUDA_THREADS)
        earlier += x[i] == token ? 1 : 0;
    bool is_first = vdnn_cuda_sum<int, VDNN_CUDA_THREADS>(earlier) == 0;
    if (!is_first || token < 0 || token >= s.vocabulary)
        return;
    float sum = adds && column < s.width ? dw[token * s.width + column] : 0;
    for (int64_t begin = own; begin < s.tokens; begin += VDNN_CUDA_THREADS) {
        int64_t i = begin + threadIdx.x;
        part[threadIdx.x] = i < s.tokens ? x[i] : -1;
        __syncthreads();
        for (int k = 0; k < VDNN_CUDA_THREADS && column < s.width; k++)
            if (part[k] == token)
                sum += (float)dy[(begin + k) * s.width + column];
        __syncthreads();
    }
    if (column < s.width)
        dw[token * s.width + column] = sum;
}

static int64_t pieces_of(const vdnn_embedding_shape &s)
{
    return (s.width + VDNN_CUDA_THREADS - 1) / VDNN_CUDA_THREADS;
}

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_embedding_shape s = vdnn_embedding_shape_of(kernel->layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    const int32_t *x = static_cast<const int32_t *>(args->x[0]);
    if (kernel->pass == VDNN_FORWARD) {
        T *y = static_cast<T *>(args->y);
        vdnn_cuda_each<T>(
            stream, s.tokens * s.width, vdnn_cuda_are_aligned(y),
            look_up<T>{x, static_cast<const float *>(args->w), y, s.width, s.vocabulary});
        return vdnn_cuda_launched("embedding forward");
    }
    size_t bytes = args->adds_dw ? 0 : kernel->layer->trainable_bytes;
    VDNN_TRY(VDNN_CUDA_CALL(cudaMemsetAsync, args->dw, 0, bytes, stream));
    int64_t pieces = pieces_of(s);
    VDNN_LAUNCH(sum_vectors<T>, (unsigned)(s.tokens * pieces), VDNN_CUDA_THREADS, stream, x,
                static_cast<const T *>(args->dy), static_cast<float *>(args->dw), s, pieces,
                args->adds_dw);
    return vdnn_cuda_launched("embedding backward");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, run_as, kernel, args);
}

static const char *refusal(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    vdnn_embedding_shape s = vdnn_embedding_shape_of(layer);
    if (!vdnn_desc_is_integer(&layer->x[0]))
        return "its input is not of integers";
    if (s.tokens * pieces_of(s) > INT32_MAX)
        return "the batch has more than 2^31 tokens";
    return vdnn_cuda_type_refusal(layer->y.dtype);
}

const vdnn_algorithm vdnn_embedding_native_cuda = vdnn_cuda_invariant(
    vdnn_cuda_row("embedding", "native", 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_FILTER, refusal,
                  run),
    1U << VDNN_FORWARD);
