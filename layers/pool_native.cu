#include "layers/cuda_kernel.h"

extern "C" {
#include "layers/pool.h"
}

typedef struct pool_shape {
    int64_t in_h, in_w, out_h, out_w, inputs, outputs; /* elements of all samples */
    int64_t kernel_h, kernel_w, stride_h, stride_w, pad_h, pad_w;
    bool count_pad;
} pool_shape;

/* Rows or columns: from, up to. */
typedef struct pool_range {
    int64_t begin, end;
} pool_range;

static __device__ __forceinline__ pool_range cut(int64_t begin, int64_t end, int64_t limit)
{
    return {begin < 0 ? 0 : begin, end < limit ? end : limit};
}

/* The windows that a cell is in. */
static __device__ __forceinline__ pool_range windows_of(int64_t cell, int64_t pad, int64_t kernel,
                                                        int64_t stride, int64_t limit)
{
    int64_t beyond = cell + pad - kernel; /* the last cell that the first window must not end at */
    return cut(beyond < 0 ? 0 : beyond / stride + 1, (cell + pad) / stride + 1, limit);
}

/* ---- maximum --------------------------------------------------------------------------------- */

/* Takes a cell where it is larger, or NaN: so the first of equals wins, a NaN over everything. `y`
 * and `argmax` may be NULL. */
template <class Index>
__global__ static void max_forward(const float *x, float *y, Index *argmax, pool_shape s)
{
    int64_t i = vdnn_cuda_index();
    if (i >= s.outputs)
        return;
    int64_t top = i / s.out_w % s.out_h * s.stride_h - s.pad_h;
    int64_t left = i % s.out_w * s.stride_w - s.pad_w;
    pool_range rows = cut(top, top + s.kernel_h, s.in_h);
    pool_range columns = cut(left, left + s.kernel_w, s.in_w);
    const float *plane = x + i / s.out_w / s.out_h * s.in_h * s.in_w;
    float best = plane[rows.begin * s.in_w + columns.begin];
    int64_t at = (rows.begin - top) * s.kernel_w + columns.begin - left;
    for (int64_t h = rows.begin; h < rows.end; h++)
        for (int64_t w = columns.begin; w < columns.end; w++) {
            float value = plane[h * s.in_w + w];
            if (value > best || value != value) {
                best = value;
                at = (h - top) * s.kernel_w + w - left;
            }
        }
    if (y != nullptr)
        y[i] = best;
    if (argmax != nullptr)
        argmax[i] = (Index)at;
}

/* A cell adds up what the windows that chose it give, in their order. */
template <class Index>
__global__ static void max_backward(const float *dy, const Index *argmax, float *dx, pool_shape s)
{
    int64_t i = vdnn_cuda_index();
    if (i >= s.inputs)
        return;
    int64_t h = i / s.in_w % s.in_h, w = i % s.in_w;
    int64_t plane = i / s.in_w / s.in_h * s.out_h * s.out_w;
    pool_range rows = windows_of(h, s.pad_h, s.kernel_h, s.stride_h, s.out_h);
    pool_range columns = windows_of(w, s.pad_w, s.kernel_w, s.stride_w, s.out_w);
    float sum = 0;
    for (int64_t oh = rows.begin; oh < rows.end; oh++)
        for (int64_t ow = columns.begin; ow < columns.end; ow++) {
            int64_t from = plane + oh * s.out_w + ow;
            int64_t own =
                (h - oh * s.stride_h + s.pad_h) * s.kernel_w + w - ow * s.stride_w + s.pad_w;
            if ((int64_t)argmax[from] == own)
                sum += dy[from];
        }
    dx[i] = sum;
}

/* ---- mean ------------------------------------------------------------------------------------ */

/* Cells that the mean of a window counts, along one side of it. */
static __device__ __forceinline__ int64_t counted(int64_t first, int64_t kernel, int64_t pad,
                                                  int64_t limit, bool count_pad)
{
    pool_range inside = cut(first, first + kernel, limit);
    int64_t padded = first + kernel < limit + pad ? first + kernel : limit + pad;
    return count_pad ? padded - first : inside.end - inside.begin;
}

static __device__ __forceinline__ float divisor(const pool_shape &s, int64_t oh, int64_t ow)
{
    int64_t top = oh * s.stride_h - s.pad_h, left = ow * s.stride_w - s.pad_w;
    return (float)(counted(top, s.kernel_h, s.pad_h, s.in_h, s.count_pad) *
                   counted(left, s.kernel_w, s.pad_w, s.in_w, s.count_pad));
}

__global__ static void average_forward(const float *x, float *y, pool_shape s)
{
    int64_t i = vdnn_cuda_index();
    if (i >= s.outputs)
        return;
    int64_t oh = i / s.out_w % s.out_h, ow = i % s.out_w;
    int64_t top = oh * s.stride_h - s.pad_h, left = ow * s.stride_w - s.pad_w;
    pool_range rows = cut(top, top + s.kernel_h, s.in_h);
    pool_range columns = cut(left, left + s.kernel_w, s.in_w);
    const float *plane = x + i / s.out_w / s.out_h * s.in_h * s.in_w;
    float sum = 0;
    for (int64_t h = rows.begin; h < rows.end; h++)
        for (int64_t w = columns.begin; w < columns.end; w++)
            sum += plane[h * s.in_w + w];
    y[i] = sum / divisor(s, oh, ow);
}

__global__ static void average_backward(const float *dy, float *dx, pool_shape s)
{
    int64_t i = vdnn_cuda_index();
    if (i >= s.inputs)
        return;
    int64_t h = i / s.in_w % s.in_h, w = i % s.in_w;
    int64_t plane = i / s.in_w / s.in_h * s.out_h * s.out_w;
    pool_range rows = windows_of(h, s.pad_h, s.kernel_h, s.stride_h, s.out_h);
    pool_range columns = windows_of(w, s.pad_w, s.kernel_w, s.stride_w, s.out_w);
    float sum = 0;
    for (int64_t oh = rows.begin; oh < rows.end; oh++)
        for (int64_t ow = columns.begin; ow < columns.end; ow++)
            sum += dy[plane + oh * s.out_w + ow] / divisor(s, oh, ow);
    dx[i] = sum;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static pool_shape shape_of(const vdnn_layer *layer)
{
    const vdnn_pool_config *pool = static_cast<const vdnn_pool_config *>(layer->config);
    pool_shape s = {};
    s.in_h = layer->x[0].dims[VDNN_H];
    s.in_w = layer->x[0].dims[VDNN_W];
    s.out_h = layer->y.dims[VDNN_H];
    s.out_w = layer->y.dims[VDNN_W];
    s.inputs = vdnn_desc_count(&layer->x[0]);
    s.outputs = vdnn_desc_count(&layer->y);
    s.kernel_h = pool->kernel[0];
    s.kernel_w = pool->kernel[1];
    s.stride_h = pool->stride[0];
    s.stride_w = pool->stride[1];
    s.pad_h = pool->pad[0];
    s.pad_w = pool->pad[1];
    s.count_pad = pool->count_pad;
    return s;
}

static bool keeps_argmax(const vdnn_layer *layer)
{
    return layer->needs[VDNN_BACKWARD_DATA] & VDNN_NEEDS_AUX;
}

/* The argmax, where backward has to find it again. */
static vdnn_status max_workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    const vdnn_layer *layer = kernel->layer;
    const vdnn_pool_config *pool = static_cast<const vdnn_pool_config *>(layer->config);
    bool searches = kernel->pass == VDNN_BACKWARD_DATA && !keeps_argmax(layer);
    *bytes = searches ? (size_t)vdnn_desc_count(&layer->y) * vdnn_pool_index_bytes(pool) : 0;
    return VDNN_OK;
}

template <class Index>
static vdnn_status max_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    pool_shape shape = shape_of(layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    unsigned out_blocks = vdnn_cuda_blocks(shape.outputs),
             in_blocks = vdnn_cuda_blocks(shape.inputs);
    bool forward = kernel->pass == VDNN_FORWARD, searches = !forward && !keeps_argmax(layer);
    Index *argmax = static_cast<Index *>(searches                           ? args->workspace
                                         : !forward || layer->aux_bytes > 0 ? args->aux
                                                                            : nullptr);
    if (forward || searches)
        VDNN_LAUNCH(max_forward<Index>, out_blocks, VDNN_CUDA_THREADS, stream,
                    static_cast<const float *>(args->x[0]),
                    forward ? static_cast<float *>(args->y) : nullptr, argmax, shape);
    if (!forward)
        VDNN_LAUNCH(max_backward<Index>, in_blocks, VDNN_CUDA_THREADS, stream,
                    static_cast<const float *>(args->dy), argmax, static_cast<float *>(args->dx[0]),
                    shape);
    return vdnn_cuda_launched("maxpool");
}

static vdnn_status run_max(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_pool_config *pool = static_cast<const vdnn_pool_config *>(kernel->layer->config);
    return vdnn_pool_index_bytes(pool) == 1 ? max_as<uint8_t>(kernel, args)
                                            : max_as<int32_t>(kernel, args);
}

static vdnn_status run_average(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    pool_shape shape = shape_of(kernel->layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    if (kernel->pass == VDNN_FORWARD)
        VDNN_LAUNCH(average_forward, vdnn_cuda_blocks(shape.outputs), VDNN_CUDA_THREADS, stream,
                    static_cast<const float *>(args->x[0]), static_cast<float *>(args->y), shape);
    else
        VDNN_LAUNCH(average_backward, vdnn_cuda_blocks(shape.inputs), VDNN_CUDA_THREADS, stream,
                    static_cast<const float *>(args->dy), static_cast<float *>(args->dx[0]), shape);
    return vdnn_cuda_launched("avgpool");
}

const vdnn_algorithm vdnn_maxpool_native_cuda = vdnn_cuda_row(
    "maxpool", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_refusal, run_max, max_workspace);

const vdnn_algorithm vdnn_avgpool_native_cuda =
    vdnn_cuda_row("avgpool", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_refusal, run_average);
