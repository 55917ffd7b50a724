#include "layers/cuda/pack.h"

extern "C" {
#include "layers/pool/pool.h"
}

/* A thread has WIDTH neighbours: a pack of contiguous channels, or one element. Overlapping windows
 * are read from a cache; each map, and the argmax, is read from memory once. Int: of indices, 32
 * bits wherever they suffice, as a card computes with 64 several times as slowly, which would take
 * longer than the memory does. */

template <class Int> struct pool_shape {
    Int in_h, in_w, out_h, out_w, inner; /* inner: contiguous channels: all, or one */
    int64_t inputs, outputs;             /* elements of all samples */
    Int kernel_h, kernel_w, stride_h, stride_w, pad_h, pad_w;
    vdnn_cuda_divisor by_inner, by_in_h, by_in_w, by_out_h, by_out_w, by_stride_h, by_stride_w;
    bool count_pad;
};

/* Rows or columns: from, up to. */
template <class Int> struct pool_range {
    Int begin, end;
};

template <class Int>
static __device__ __forceinline__ pool_range<Int> cut(Int begin, Int end, Int limit)
{
    return {begin < 0 ? 0 : begin, end < limit ? end : limit};
}

/* The windows that a cell is in. */
template <class Int>
static __device__ __forceinline__ pool_range<Int>
windows_of(Int cell, Int pad, Int kernel, const vdnn_cuda_divisor &stride, Int limit)
{
    Int beyond = cell + pad - kernel; /* the last cell that the first window must not end at */
    return cut<Int>(beyond < 0 ? 0 : beyond / stride + 1, (cell + pad) / stride + 1, limit);
}

/* A cell is the sum of its shares of the windows that it is in, in their order. */
template <class T, class Int, class Share, int WIDTH>
__global__ static void backward(const T *dy, T *dx, Share share, pool_shape<Int> s)
{
    if (vdnn_cuda_index() * WIDTH >= s.inputs)
        return;
    Int i = (Int)(vdnn_cuda_index() * WIDTH), cell = i / s.by_inner, channel = i - cell * s.inner;
    Int row = cell / s.by_in_w, sample = row / s.by_in_h;
    Int h = row - sample * s.in_h, w = cell - row * s.in_w, plane = sample * s.out_h * s.out_w;
    pool_range<Int> rows = windows_of(h, s.pad_h, s.kernel_h, s.by_stride_h, s.out_h);
    pool_range<Int> columns = windows_of(w, s.pad_w, s.kernel_w, s.by_stride_w, s.out_w);
    float sums[(size_t)WIDTH] = {}, shares[(size_t)WIDTH];
    for (Int oh = rows.begin; oh < rows.end; oh++)
        for (Int ow = columns.begin; ow < columns.end; ow++) {
            Int from = (plane + oh * s.out_w + ow) * s.inner + channel;
            Int place =
                (h - oh * s.stride_h + s.pad_h) * s.kernel_w + w - ow * s.stride_w + s.pad_w;
            vdnn_cuda_unpack<T, WIDTH>(dy + from, shares);
            share.template take<WIDTH>(s, from, oh, ow, place, shares);
            for (int k = 0; k < WIDTH; k++)
                sums[k] += shares[k];
        }
    vdnn_cuda_repack<T, WIDTH>(sums, dx + i);
}

/* ---- maximum --------------------------------------------------------------------------------- */

/* An output: its window's corner, which may lie in the padding, and what of it is within its plane
 * of x, which begins there. */
template <class Int> struct pool_window {
    Int top, left, plane;
    pool_range<Int> rows, columns;
};

template <class Int>
static __device__ __forceinline__ pool_window<Int> window_of(Int output, const pool_shape<Int> &s)
{
    Int cell = output / s.by_inner, row = cell / s.by_out_w, sample = row / s.by_out_h;
    Int oh = row - sample * s.out_h, ow = cell - row * s.out_w;
    pool_window<Int> own = {oh * s.stride_h - s.pad_h, ow * s.stride_w - s.pad_w, 0, {}, {}};
    own.plane = sample * s.in_h * s.in_w * s.inner + output - cell * s.inner;
    own.rows = cut<Int>(own.top, own.top + s.kernel_h, s.in_h);
    own.columns = cut<Int>(own.left, own.left + s.kernel_w, s.in_w);
    return own;
}

/* What neighbours chose. */
template <class Index, int WIDTH> struct alignas(sizeof(Index) * WIDTH) pool_choices {
    Index at[(size_t)WIDTH];
};

/* Takes a cell if it is larger, or NaN: so the first of equals wins, a NaN over everything. `y` and
 * `argmax` may be NULL. */
template <class T, class Int, class Index, int WIDTH>
__global__ static void max_forward(const T *x, T *y, Index *argmax, pool_shape<Int> s)
{
    if (vdnn_cuda_index() * WIDTH >= s.outputs)
        return;
    Int i = (Int)(vdnn_cuda_index() * WIDTH);
    pool_window<Int> own = window_of(i, s);
    const T *plane = x + own.plane;
    float best[(size_t)WIDTH], values[(size_t)WIDTH];
    pool_choices<Index, WIDTH> chosen;
    vdnn_cuda_unpack<T, WIDTH>(plane + (own.rows.begin * s.in_w + own.columns.begin) * s.inner,
                               best);
    for (int k = 0; k < WIDTH; k++)
        chosen.at[k] =
            (Index)((own.rows.begin - own.top) * s.kernel_w + own.columns.begin - own.left);
    for (Int h = own.rows.begin; h < own.rows.end; h++)
        for (Int w = own.columns.begin; w < own.columns.end; w++) {
            vdnn_cuda_unpack<T, WIDTH>(plane + (h * s.in_w + w) * s.inner, values);
            for (int k = 0; k < WIDTH; k++)
                if (values[k] > best[k] || values[k] != values[k]) {
                    best[k] = values[k];
                    chosen.at[k] = (Index)((h - own.top) * s.kernel_w + w - own.left);
                }
        }
    if (y != nullptr)
        vdnn_cuda_repack<T, WIDTH>(best, y + i);
    if (argmax != nullptr)
        *reinterpret_cast<pool_choices<Index, WIDTH> *>(argmax + i) = chosen;
}

/* A window's gradient goes to the cell that it chose. */
template <class Int, class Index> struct max_share {
    const Index *argmax;

    template <int WIDTH>
    __device__ __forceinline__ void take(const pool_shape<Int> &, Int from, Int, Int, Int place,
                                         float *shares) const
    {
        pool_choices<Index, WIDTH> chosen =
            *reinterpret_cast<const pool_choices<Index, WIDTH> *>(argmax + from);
        for (int k = 0; k < WIDTH; k++)
            shares[k] = (Int)chosen.at[k] == place ? shares[k] : 0.0F;
    }
};

/* ---- mean ------------------------------------------------------------------------------------ */

/* Cells that the mean of a window counts, along one side of it. */
template <class Int>
static __device__ __forceinline__ Int counted(Int first, Int kernel, Int pad, Int limit,
                                              bool count_pad)
{
    pool_range<Int> inside = cut<Int>(first, first + kernel, limit);
    Int padded = first + kernel < limit + pad ? first + kernel : limit + pad;
    return count_pad ? padded - first : inside.end - inside.begin;
}

template <class Int>
static __device__ __forceinline__ float divisor(const pool_shape<Int> &s, Int top, Int left)
{
    return (float)(counted(top, s.kernel_h, s.pad_h, s.in_h, s.count_pad) *
                   counted(left, s.kernel_w, s.pad_w, s.in_w, s.count_pad));
}

template <class T, class Int, int WIDTH>
__global__ static void average_forward(const T *x, T *y, pool_shape<Int> s)
{
    if (vdnn_cuda_index() * WIDTH >= s.outputs)
        return;
    Int i = (Int)(vdnn_cuda_index() * WIDTH);
    pool_window<Int> own = window_of(i, s);
    const T *plane = x + own.plane;
    float sums[(size_t)WIDTH] = {}, values[(size_t)WIDTH], by = divisor(s, own.top, own.left);
    for (Int h = own.rows.begin; h < own.rows.end; h++)
        for (Int w = own.columns.begin; w < own.columns.end; w++) {
            vdnn_cuda_unpack<T, WIDTH>(plane + (h * s.in_w + w) * s.inner, values);
            for (int k = 0; k < WIDTH; k++)
                sums[k] += values[k];
        }
    for (int k = 0; k < WIDTH; k++)
        sums[k] /= by;
    vdnn_cuda_repack<T, WIDTH>(sums, y + i);
}

template <class Int> struct average_share {
    template <int WIDTH>
    __device__ __forceinline__ void take(const pool_shape<Int> &s, Int, Int oh, Int ow, Int,
                                         float *shares) const
    {
        float by = divisor<Int>(s, oh * s.stride_h - s.pad_h, ow * s.stride_w - s.pad_w);
        for (int k = 0; k < WIDTH; k++)
            shares[k] /= by;
    }
};

/* ---- rows ------------------------------------------------------------------------------------ */

template <class Int> static pool_shape<Int> shape_of(const vdnn_layer *layer)
{
    const vdnn_pool_config *pool = static_cast<const vdnn_pool_config *>(layer->config);
    const int64_t *x = layer->x[0].dims, *y = layer->y.dims;
    pool_shape<Int> s = {};
    s.in_h = (Int)x[VDNN_H];
    s.in_w = (Int)x[VDNN_W];
    s.out_h = (Int)y[VDNN_H];
    s.out_w = (Int)y[VDNN_W];
    s.inner = (Int)vdnn_cuda_steps_of(&layer->y).cell;
    s.inputs = vdnn_desc_count(&layer->x[0]);
    s.outputs = vdnn_desc_count(&layer->y);
    s.kernel_h = (Int)pool->kernel[0];
    s.kernel_w = (Int)pool->kernel[1];
    s.stride_h = (Int)pool->stride[0];
    s.stride_w = (Int)pool->stride[1];
    s.pad_h = (Int)pool->pad[0];
    s.pad_w = (Int)pool->pad[1];
    s.by_inner = s.inner;
    s.by_in_h = s.in_h;
    s.by_in_w = s.in_w;
    s.by_out_h = s.out_h;
    s.by_out_w = s.out_w;
    s.by_stride_h = s.stride_h;
    s.by_stride_w = s.stride_w;
    s.count_pad = pool->count_pad;
    return s;
}

/* Whether every index of the maps, and of windows that reach beyond them, is one of 32 bits. */
static bool is_short(const vdnn_layer *layer)
{
    constexpr int64_t MOST = INT32_MAX / 2;
    return vdnn_desc_stored(&layer->x[0]) <= MOST && vdnn_desc_stored(&layer->y) <= MOST;
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

template <class T, class Int, class Index, int WIDTH>
static vdnn_status max_by(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    pool_shape<Int> shape = shape_of<Int>(layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    bool forward = kernel->pass == VDNN_FORWARD, searches = !forward && !keeps_argmax(layer);
    Index *argmax = static_cast<Index *>(searches                           ? args->workspace
                                         : !forward || layer->aux_bytes > 0 ? args->aux
                                                                            : nullptr);
    max_share<Int, Index> share = {argmax};
    if (forward || searches)
        VDNN_LAUNCH((max_forward<T, Int, Index, WIDTH>), vdnn_cuda_blocks(shape.outputs / WIDTH),
                    VDNN_CUDA_THREADS, stream, static_cast<const T *>(args->x[0]),
                    forward ? static_cast<T *>(args->y) : nullptr, argmax, shape);
    if (!forward)
        VDNN_LAUNCH((backward<T, Int, max_share<Int, Index>, WIDTH>),
                    vdnn_cuda_blocks(shape.inputs / WIDTH), VDNN_CUDA_THREADS, stream,
                    static_cast<const T *>(args->dy), static_cast<T *>(args->dx[0]), share, shape);
    return vdnn_cuda_launched("maxpool");
}

template <class T, class Int, class Index>
static vdnn_status max_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return width_of<T>(kernel->layer) == 1
               ? max_by<T, Int, Index, 1>(kernel, args)
               : max_by<T, Int, Index, vdnn_cuda_pack<T>::COUNT>(kernel, args);
}

template <class T, class Int>
static vdnn_status max_with(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_pool_config *pool = static_cast<const vdnn_pool_config *>(kernel->layer->config);
    return vdnn_pool_index_bytes(pool) == 1 ? max_as<T, Int, uint8_t>(kernel, args)
                                            : max_as<T, Int, int32_t>(kernel, args);
}

template <class T>
static vdnn_status max_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return is_short(kernel->layer) ? max_with<T, int>(kernel, args)
                                   : max_with<T, int64_t>(kernel, args);
}

static vdnn_status run_max(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, max_of, kernel, args);
}

template <class T, class Int, int WIDTH>
static vdnn_status average_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    pool_shape<Int> shape = shape_of<Int>(kernel->layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    if (kernel->pass == VDNN_FORWARD)
        VDNN_LAUNCH((average_forward<T, Int, WIDTH>), vdnn_cuda_blocks(shape.outputs / WIDTH),
                    VDNN_CUDA_THREADS, stream, static_cast<const T *>(args->x[0]),
                    static_cast<T *>(args->y), shape);
    else
        VDNN_LAUNCH((backward<T, Int, average_share<Int>, WIDTH>),
                    vdnn_cuda_blocks(shape.inputs / WIDTH), VDNN_CUDA_THREADS, stream,
                    static_cast<const T *>(args->dy), static_cast<T *>(args->dx[0]),
                    average_share<Int>{}, shape);
    return vdnn_cuda_launched("avgpool");
}

template <class T, class Int>
static vdnn_status average_with(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return width_of<T>(kernel->layer) == 1
               ? average_as<T, Int, 1>(kernel, args)
               : average_as<T, Int, vdnn_cuda_pack<T>::COUNT>(kernel, args);
}

template <class T>
static vdnn_status average_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return is_short(kernel->layer) ? average_with<T, int>(kernel, args)
                                   : average_with<T, int64_t>(kernel, args);
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
