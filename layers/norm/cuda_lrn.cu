#include "layers/cuda/kernel.h"

extern "C" {
#include "layers/norm/lrn.h"
}

/* A thread has one element. It sums all squares of its window: a running sum would carry the
 * rounding errors of large values to small ones. */
typedef struct lrn_shape {
    int64_t channels, cells, count; /* cells: from a channel to the next */
    vdnn_cuda_divisor by_channels, by_cells;
    int64_t before, behind; /* a channel's window reaches so far */
    float alpha, beta, k;   /* alpha: divided by the size */
} lrn_shape;

/* Of a channel; `x` is at the column's first one. */
template <class T>
static __device__ __forceinline__ float divisor(const lrn_shape &s, const T *x, int64_t c)
{
    int64_t begin = c < s.before ? 0 : c - s.before;
    int64_t end = c + s.behind + 1 < s.channels ? c + s.behind + 1 : s.channels;
    float sum = 0;
    for (int64_t i = begin; i < end; i++)
        sum += (float)x[i * s.cells] * (float)x[i * s.cells];
    return s.k + s.alpha * sum;
}

template <class T> __global__ static void normalize(const T *x, T *y, lrn_shape s)
{
    int64_t i = vdnn_cuda_index(), c = i / s.by_cells % s.by_channels;
    if (i < s.count)
        y[i] = (float)x[i] * powf(divisor(s, x + i - c * s.cells, c), -s.beta);
}

/* What each y adds to the gradients of its window: dy * x * d ^ (-beta - 1). */
template <class T>
__global__ static void weigh(const T *x, const T *dy, float *weighed, lrn_shape s)
{
    int64_t i = vdnn_cuda_index(), c = i / s.by_cells % s.by_channels;
    if (i < s.count)
        weighed[i] =
            (float)dy[i] * (float)x[i] * powf(divisor(s, x + i - c * s.cells, c), -s.beta - 1);
}

template <class T>
__global__ static void gather(const T *x, const T *dy, const float *weighed, T *dx, lrn_shape s)
{
    int64_t i = vdnn_cuda_index(), c = i / s.by_cells % s.by_channels, first = i - c * s.cells;
    if (i >= s.count)
        return;
    /* The channels in whose windows this one is. */
    int64_t begin = c < s.behind ? 0 : c - s.behind;
    int64_t end = c + s.before + 1 < s.channels ? c + s.before + 1 : s.channels;
    float sum = 0;
    for (int64_t of = begin; of < end; of++)
        sum += weighed[first + of * s.cells];
    float own = powf(divisor(s, x + first, c), -s.beta);
    dx[i] = (float)dy[i] * own - 2 * s.alpha * s.beta * (float)x[i] * sum;
}

static lrn_shape shape_of(const vdnn_layer *layer)
{
    const vdnn_lrn_config *lrn = static_cast<const vdnn_lrn_config *>(layer->config);
    const int64_t *d = layer->y.dims;
    lrn_shape s = {};
    s.channels = d[VDNN_C];
    s.cells = vdnn_cuda_steps_of(&layer->y).channel;
    s.by_cells = s.cells;
    s.by_channels = s.channels;
    s.count = vdnn_desc_count(&layer->y);
    s.before = lrn->size / 2;
    s.behind = (lrn->size - 1) / 2;
    s.alpha = (float)(lrn->alpha / (double)lrn->size);
    s.beta = (float)lrn->beta;
    s.k = (float)lrn->k;
    return s;
}

/* Backward: the weighed gradients, in f32. */
static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    *bytes = kernel->pass == VDNN_FORWARD
                 ? 0
                 : (size_t)vdnn_desc_count(&kernel->layer->y) * sizeof(float);
    return VDNN_OK;
}

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    lrn_shape shape = shape_of(kernel->layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    unsigned blocks = vdnn_cuda_blocks(vdnn_desc_count(&kernel->layer->y));
    const T *x = static_cast<const T *>(args->x[0]);
    if (kernel->pass == VDNN_FORWARD) {
        VDNN_LAUNCH(normalize<T>, blocks, VDNN_CUDA_THREADS, stream, x, static_cast<T *>(args->y),
                    shape);
        return vdnn_cuda_launched("lrn forward");
    }
    const T *dy = static_cast<const T *>(args->dy);
    float *weighed = static_cast<float *>(args->workspace);
    VDNN_LAUNCH(weigh<T>, blocks, VDNN_CUDA_THREADS, stream, x, dy, weighed, shape);
    VDNN_LAUNCH(gather<T>, blocks, VDNN_CUDA_THREADS, stream, x, dy, weighed,
                static_cast<T *>(args->dx[0]), shape);
    return vdnn_cuda_launched("lrn backward");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, run_as, kernel, args);
}

const vdnn_algorithm vdnn_lrn_native_cuda = vdnn_cuda_invariant(
    vdnn_cuda_row("lrn", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_free_refusal, run, workspace),
    VDNN_CUDA_DATA_PASSES);
