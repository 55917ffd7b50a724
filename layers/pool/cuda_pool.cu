#include "layers/cuda/pack.h"

extern "C" {
#include "layers/pool/pool.h"
}

/* A thread has WIDTH neighbours: a pack of contiguous channels, or one element. Overlapping windows
 * are read from a cache; each map, and the argmax, is read from memory once. */

typedef struct pool_shape {
    int64_t in_h, in_w, out_h, out_w, inputs, outputs; /* elements of all samples */
    vdnn_cuda_divisor by_inner;                        /* contiguous channels: all, or one */
    int64_t kernel_h, kernel_w, stride_h, stride_w, pad_h, pad_w;
    vdnn_cuda_divisor by_in_h, by_in_w, by_out_h, by_out_w, by_stride_h, by_stride_w;
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
                                                        const vdnn_cuda_divisor &stride,
                                                        int64_t limit)
{
    int64_t beyond = cell + pad - kernel; /* the last cell that the first window must not end at */
    return cut(beyond < 0 ? 0 : beyond / stride + 1, (cell + pad) / stride + 1, limit);
}

/* A cell is the sum of its shares of the windows that it is in, in their order. */
template <class T, class Share, int WIDTH>
__global__ static void backward(const T *dy, T *dx, Share share, pool_shape s)
{
    int64_t i = vdnn_cuda_index() * WIDTH;
    if (i >= s.inputs)
        return;
    int64_t cell = i / s.by_inner, h = cell / s.by_in_w % s.by_in_h, w = cell % s.by_in_w;
    int64_t plane = cell / s.by_in_w / s.by_in_h * s.out_h * s.out_w;
    pool_range rows = windows_of(h, s.pad_h, s.kernel_h, s.by_stride_h, s.out_h);
    pool_range columns = windows_of(w, s.pad_w, s.kernel_w, s.by_stride_w, s.out_w);
    float sums[(size_t)WIDTH] = {}, shares[(size_t)WIDTH];
    for (int64_t oh = rows.begin; oh < rows.end; oh++)
        for (int64_t ow = columns.begin; ow < columns.end; ow++) {
            int64_t from = (plane + oh * s.out_w + ow) * s.by_inner.by + i % s.by_inner;
            int64_t place =
                (h - oh * s.stride_h + s.pad_h) * s.kernel_w + w - ow * s.stride_w + s.pad_w;
            vdnn_cuda_unpack<T, WIDTH>(dy + from, shares);
            share.template take<WIDTH>(s, from, oh, ow, place, shares);
            for (int k = 0; k < WIDTH; k++)
                sums[k] += shares[k];
        }
    vdnn_cuda_repack<T, WIDTH>(sums, dx + i);
}

/* ---- maximum --------------------------------------------------------------------------------- */

/* The plane of x that an output is of. */
template <class T>
static __device__ __forceinline__ const T *plane_of(const T *x, int64_t output, const pool_shape &s)
{
    int64_t plane = output / s.by_inner / s.by_out_w / s.by_out_h;
    return x + plane * s.in_h * s.in_w * s.by_inner.by + output % s.by_inner;
}

/* What neighbours chose. */
template <class Index, int WIDTH> struct alignas(sizeof(Index) * WIDTH) pool_choices {
    Index at[(size_t)WIDTH];
};

/* Takes a cell if it is larger, or NaN: so the first of equals wins, a NaN over everything. `y` and
 * `argmax` may be NULL. */
template <class T, class Index, int WIDTH>
__global__ static void max_forward(const T *x, T *y, Index *argmax, pool_shape s)
{
    int64_t i = vdnn_cuda_index() * WIDTH;
    if (i >= s.outputs)
        return;
    int64_t cell = i / s.by_inner, step = s.by_inner.by;
    int64_t top = cell / s.by_out_w % s.by_out_h * s.stride_h - s.pad_h;
    int64_t left = cell % s.by_out_w * s.stride_w - s.pad_w;
    pool_range rows = cut(top, top + s.kernel_h, s.in_h);
    pool_range columns = cut(left, left + s.kernel_w, s.in_w);
    const T *plane = plane_of(x, i, s);
    float best[(size_t)WIDTH], values[(size_t)WIDTH];
    pool_choices<Index, WIDTH> chosen;
    vdnn_cuda_unpack<T, WIDTH>(plane + (rows.begin * s.in_w + columns.begin) * step, best);
    for (int k = 0; k < WIDTH; k++)
        chosen.at[k] = (Index)((rows.begin - top) * s.kernel_w + columns.begin - left);
    for (int64_t h = rows.begin; h < rows.end; h++)
        for (int64_t w = columns.begin; w < columns.end; w++) {
            vdnn_cuda_unpack<T, WIDTH>(plane + (h * s.in_w + w) * step, values);
            for (int k = 0; k < WIDTH; k++)
                if (values[k] > best[k] || values[k] != values[k]) {
                    best[k] = values[k];
                    chosen.at[k] = (Index)((h - top) * s.kernel_w + w - left);
                }
        }
    if (y != nullptr)
        vdnn_cuda_repack<T, WIDTH>(best, y + i);
    if (argmax != nullptr)
        *reinterpret_cast<pool_choices<Index, WIDTH> *>(argmax + i) = chosen;
}

/* A window's gradient goes to the cell that it chose. */
template <class Index> struct max_share {
    const Index *argmax;

    template <int WIDTH>
    __device__ __forceinline__ void take(const pool_shape &, int64_t from, int64_t, int64_t,
                                         int64_t place, float *shares) const
    {
        pool_choices<Index, WIDTH> chosen =
            *reinterpret_cast<const pool_choices<Index, WIDTH> *>(argmax + from);
        for (int k = 0; k < WIDTH; k++)
            shares[k] = (int64_t)chosen.at[k] == place ? shares[k] : 0.0F;
    }
};

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

template <class T, int WIDTH> __global__ static void average_forward(const T *x, T *y, pool_shape s)
{
    int64_t i = vdnn_cuda_index() * WIDTH;
    if (i >= s.outputs)
        return;
    int64_t cell = i / s.by_inner, oh = cell / s.by_out_w % s.by_out_h, ow = cell % s.by_out_w;
    int64_t top = oh * s.stride_h - s.pad_h, left = ow * s.stride_w - s.pad_w;
    pool_range rows = cut(top, top + s.kernel_h, s.in_h);
    pool_range columns = cut(left, left + s.kernel_w, s.in_w);
    const T *plane = plane_of(x, i, s);
    float sums[(size_t)WIDTH] = {}, values[(size_t)WIDTH], by = divisor(s, oh, ow);
    for (int64_t h = rows.begin; h < rows.end; h++)
        for (int64_t w = columns.begin; w < columns.end; w++) {
            vdnn_cuda_unpack<T, WIDTH>(plane + (h * s.in_w + w) * s.by_inner.by, values);
            for (int k = 0; k < WIDTH; k++)
                sums[k] += values[k];
        }
    for (int k = 0; k < WIDTH; k++)
        sums[k] /= by;
    vdnn_cuda_repack<T, WIDTH>(sums, y + i);
}

struct average_share {
    template <int WIDTH>
    __device__ __forceinline__ void take(const pool_shape &s, int64_t, int64_t oh, int64_t ow,
                                         int64_t, float *shares) const
    {
        float by = divisor(s, oh, ow);
        for (int k = 0; k < WIDTH; k++)
            shares[k] /= by;
    }
};

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
    s.by_inner = vdnn_cuda_steps_of(&layer->y).cell;
    s.by_in_h = s.in_h;
    s.by_in_w = s.in_w;
    s.by_out_h = s.out_h;
    s.by_out_w = s.out_w;
    s.by_stride_h = s.stride_h;
    s.by_stride_w = s.stride_w;
    s.count_pad = pool->count_pad;
    return s;
}

static bool keeps_argmax(const vdnn_layer *layer)
{
    return layer->needs[VDNN_BACKWARD_DATA] & VDNN_NEEDS_AUX;
}

/* The argmax, if backward must recompute it. */
static vdnn_status max_workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    const vdnn_layer *layer = kernel->layer;
    const vdnn_pool_config *pool = static_cast<const vdnn_pool_config *>(layer->config);
    bool searches = kernel->pass == VDNN_BACKWARD_DATA && !keeps_argmax(layer);
    *bytes = searches ? (size_t)vdnn_desc_count(&layer->y) * vdnn_pool_index_bytes(pool) : 0;
    return VDNN_OK;
}

/* Neighbours that a thread of T may have. */
template <class T> static int width_of(const vdnn_layer *layer)
{
    constexpr int COUNT = vdnn_cuda_pack<T>::COUNT;
    bool are_packs = layer->y.layout == VDNN_NHWC && layer->y.dims[VDNN_C] % COUNT == 0;
    return are_packs ? COUNT : 1;
}

template <class T, class Index, int WIDTH>
static vdnn_status max_by(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    pool_shape shape = shape_of(layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    bool forward = kernel->pass == VDNN_FORWARD, searches = !forward && !keeps_argmax(layer);
    Index *argmax = static_cast<Index *>(searches                           ? args->workspace
                                         : !forward || layer->aux_bytes > 0 ? args->aux
                                                                            : nullptr);
    if (forward || searches)
        VDNN_LAUNCH((max_forward<T, Index, WIDTH>), vdnn_cuda_blocks(shape.outputs / WIDTH),
                    VDNN_CUDA_THREADS, stream, static_cast<const T *>(args->x[0]),
                    forward ? static_cast<T *>(args->y) : nullptr, argmax, shape);
    if (!forward)
        VDNN_LAUNCH((backward<T, max_share<Index>, WIDTH>), vdnn_cuda_blocks(shape.inputs / WIDTH),
                    VDNN_CUDA_THREADS, stream, static_cast<const T *>(args->dy),
                    static_cast<T *>(args->dx[0]), max_share<Index>{argmax}, shape);
    return vdnn_cuda_launched("maxpool");
}

template <class T, class Index>
static vdnn_status max_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return width_of<T>(kernel->layer) == 1
               ? max_by<T, Index, 1>(kernel, args)
               : max_by<T, Index, vdnn_cuda_pack<T>::COUNT>(kernel, args);
}

template <class T>
static vdnn_status max_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_pool_config *pool = static_cast<const vdnn_pool_config *>(kernel->layer->config);
    return vdnn_pool_index_bytes(pool) == 1 ? max_as<T, uint8_t>(kernel, args)
                                            : max_as<T, int32_t>(kernel, args);
}

static vdnn_status run_max(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, max_of, kernel, args);
}

template <class T, int WIDTH>
static vdnn_status average_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    pool_shape shape = shape_of(kernel->layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    if (kernel->pass == VDNN_FORWARD)
        VDNN_LAUNCH((average_forward<T, WIDTH>), vdnn_cuda_blocks(shape.outputs / WIDTH),
                    VDNN_CUDA_THREADS, stream, static_cast<const T *>(args->x[0]),
                    static_cast<T *>(args->y), shape);
    else
        VDNN_LAUNCH((backward<T, average_share, WIDTH>), vdnn_cuda_blocks(shape.inputs / WIDTH),
                    VDNN_CUDA_THREADS, stream, static_cast<const T *>(args->dy),
                    static_cast<T *>(args->dx[0]), average_share{}, shape);
    return vdnn_cuda_launched("avgpool");
}

template <class T>
static vdnn_status average_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return width_of<T>(kernel->layer) == 1 ? average_as<T, 1>(kernel, args)
                                           : average_as<T, vdnn_cuda_pack<T>::COUNT>(kernel, args);
}

static vdnn_status run_average(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, average_of, kernel, args);
}

const vdnn_algorithm vdnn_maxpool_native_cuda =
    vdnn_cuda_invariant(vdnn_cuda_row("maxpool", "native", VDNN_CUDA_DATA_PASSES,
                                      vdnn_cuda_free_refusal, run_max, max_workspace),
                        VDNN_CUDA_DATA_PASSES, VDNN_CUDA_DATA_PASSES);

const vdnn_algorithm vdnn_avgpool_native_cuda = vdnn_cuda_invariant(
    vdnn_cuda_row("avgpool", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_free_refusal, run_average),
    VDNN_CUDA_DATA_PASSES, VDNN_CUDA_DATA_PASSES);
