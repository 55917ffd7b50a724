#include "layers/cuda/pack.h"

extern "C" {
#include "layers/pool/pool.h"
}

/* A thread has WIDTH neighbours: a pack of contiguous channels, or one element. Overlapping windows
 * are read from a cache; each map, and the argmax, is read from memory once. Indices are of 32
 * bits, as a card computes with 64 several times as slowly, which would take longer than the memory
 * does: a launch has as many samples as that allows. */

struct pool_shape {
    int in_d, in_h, in_w, out_d, out_h, out_w; /* of a picture one slice */
    int inner;                                 /* contiguous channels: all, or one */
    int inputs, outputs;                       /* elements of a launch's samples */
    int kernel_d, kernel_h, kernel_w, stride_d, stride_h, stride_w, pad_d, pad_h, pad_w;
    vdnn_cuda_divisor by_inner, by_in_d, by_in_h, by_in_w, by_out_d, by_out_h, by_out_w;
    vdnn_cuda_divisor by_stride_d, by_stride_h, by_stride_w;
    bool count_pad;
};

/* Rows or columns: from, up to. */
struct pool_range {
    int begin, end;
};

static __device__ __forceinline__ pool_range cut(int begin, int end, int limit)
{
    return {begin < 0 ? 0 : begin, end < limit ? end : limit};
}

/* The windows that a cell is in. */
static __device__ __forceinline__ pool_range windows_of(int cell, int pad, int kernel,
                                                        const vdnn_cuda_divisor &stride, int limit)
{
    int beyond = cell + pad - kernel; /* the last cell that the first window must not end at */
    return cut(beyond < 0 ? 0 : beyond / stride + 1, (cell + pad) / stride + 1, limit);
}

/* A cell is the sum of its shares of the windows that it is in, in their order. */
template <class T, class Share, int WIDTH>
__global__ static void backward(const T *dy, T *dx, Share share, pool_shape s)
{
    if (vdnn_cuda_index() * WIDTH >= s.inputs)
        return;
    int i = (int)(vdnn_cuda_index() * WIDTH), cell = i / s.by_inner, channel = i - cell * s.inner;
    int row = cell / s.by_in_w, slice = row / s.by_in_h, sample = slice / s.by_in_d;
    int d = slice - sample * s.in_d, h = row - slice * s.in_h, w = cell - row * s.in_w;
    pool_range slices = windows_of(d, s.pad_d, s.kernel_d, s.by_stride_d, s.out_d);
    pool_range rows = windows_of(h, s.pad_h, s.kernel_h, s.by_stride_h, s.out_h);
    pool_range columns = windows_of(w, s.pad_w, s.kernel_w, s.by_stride_w, s.out_w);
    float sums[(size_t)WIDTH] = {}, shares[(size_t)WIDTH];
    for (int od = slices.begin; od < slices.end; od++) {
        int plane = (sample * s.out_d + od) * s.out_h * s.out_w;
        int first = (d - od * s.stride_d + s.pad_d) * s.kernel_h + h + s.pad_h;
        for (int oh = rows.begin; oh < rows.end; oh++)
            for (int ow = columns.begin; ow < columns.end; ow++) {
                int from = (plane + oh * s.out_w + ow) * s.inner + channel;
                int place = (first - oh * s.stride_h) * s.kernel_w + w - ow * s.stride_w + s.pad_w;
                vdnn_cuda_unpack<T, WIDTH>(dy + from, shares);
                share.template take<WIDTH>(s, from, od, oh, ow, place, shares);
                for (int k = 0; k < WIDTH; k++)
                    sums[k] += shares[k];
            }
    }
    vdnn_cuda_repack<T, WIDTH>(sums, dx + i);
}

/* ---- maximum --------------------------------------------------------------------------------- */

/* An output: its window's corner, which may lie in the padding, and what of it is within its plane
 * of x, which begins there. */
struct pool_window {
    int front, top, left, plane;
    pool_range slices, rows, columns;
};

static __device__ __forceinline__ pool_window window_of(int output, const pool_shape &s)
{
    int cell = output / s.by_inner, row = cell / s.by_out_w, slice = row / s.by_out_h,
        sample = slice / s.by_out_d;
    int od = slice - sample * s.out_d, oh = row - slice * s.out_h, ow = cell - row * s.out_w;
    pool_window own = {od * s.stride_d - s.pad_d,
                       oh * s.stride_h - s.pad_h,
                       ow * s.stride_w - s.pad_w,
                       0,
                       {},
                       {},
                       {}};
    own.plane = sample * s.in_d * s.in_h * s.in_w * s.inner + output - cell * s.inner;
    own.slices = cut(own.front, own.front + s.kernel_d, s.in_d);
    own.rows = cut(own.top, own.top + s.kernel_h, s.in_h);
    own.columns = cut(own.left, own.left + s.kernel_w, s.in_w);
    return own;
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
    if (vdnn_cuda_index() * WIDTH >= s.outputs)
        return;
    int i = (int)(vdnn_cuda_index() * WIDTH);
    pool_window own = window_of(i, s);
    const T *plane = x + own.plane;
    float best[(size_t)WIDTH], values[(size_t)WIDTH];
    pool_choices<Index, WIDTH> chosen;
    int begin = (own.slices.begin * s.in_h + own.rows.begin) * s.in_w + own.columns.begin;
    vdnn_cuda_unpack<T, WIDTH>(plane + begin * s.inner, best);
    for (int k = 0; k < WIDTH; k++)
        chosen.at[k] =
            (Index)(((own.slices.begin - own.front) * s.kernel_h + own.rows.begin - own.top) *
                        s.kernel_w +
                    own.columns.begin - own.left);
    for (int d = own.slices.begin; d < own.slices.end; d++)
        for (int h = own.rows.begin; h < own.rows.end; h++) {
            int row = (d * s.in_h + h) * s.in_w;
            int cell = ((d - own.front) * s.kernel_h + h - own.top) * s.kernel_w - own.left;
            for (int w = own.columns.begin; w < own.columns.end; w++) {
                vdnn_cuda_unpack<T, WIDTH>(plane + (row + w) * s.inner, values);
                for (int k = 0; k < WIDTH; k++)
                    if (values[k] > best[k] || values[k] != values[k]) {
                        best[k] = values[k];
                        chosen.at[k] = (Index)(cell + w);
                    }
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
    __device__ __forceinline__ void take(const pool_shape &, int from, int, int, int, int place,
                                         float *shares) const
    {
        pool_choices<Index, WIDTH> chosen =
            *reinterpret_cast<const pool_choices<Index, WIDTH> *>(argmax + from);
        for (int k = 0; k < WIDTH; k++)
            shares[k] = (int)chosen.at[k] == place ? shares[k] : 0.0F;
    }
};

/* ---- mean ------------------------------------------------------------------------------------ */

/* Cells that the mean of a window counts, along one side of it. */
static __device__ __forceinline__ int counted(int first, int kernel, int pad, int limit,
                                              bool count_pad)
{
    pool_range inside = cut(first, first + kernel, limit);
    int padded = first + kernel < limit + pad ? first + kernel : limit + pad;
    return count_pad ? padded - first : inside.end - inside.begin;
}

static __device__ __forceinline__ float divisor(const pool_shape &s, int front, int top, int left)
{
    return (float)(counted(front, s.kernel_d, s.pad_d, s.in_d, s.count_pad) *
                   counted(top, s.kernel_h, s.pad_h, s.in_h, s.count_pad) *
                   counted(left, s.kernel_w, s.pad_w, s.in_w, s.count_pad));
}

template <class T, int WIDTH> __global__ static void average_forward(const T *x, T *y, pool_shape s)
{
    if (vdnn_cuda_index() * WIDTH >= s.outputs)
        return;
    int i = (int)(vdnn_cuda_index() * WIDTH);
    pool_window own = window_of(i, s);
    const T *plane = x + own.plane;
    float sums[(size_t)WIDTH] = {}, values[(size_t)WIDTH],
          by = divisor(s, own.front, own.top, own.left);
    for (int d = own.slices.begin; d < own.slices.end; d++)
        for (int h = own.rows.begin; h < own.rows.end; h++)
            for (int w = own.columns.begin; w < own.columns.end; w++) {
                int cell = (d * s.in_h + h) * s.in_w + w;
                vdnn_cuda_unpack<T, WIDTH>(plane + cell * s.inner, values);
                for (int k = 0; k < WIDTH; k++)
                    sums[k] += values[k];
            }
    for (int k = 0; k < WIDTH; k++)
        sums[k] /= by;
    vdnn_cuda_repack<T, WIDTH>(sums, y + i);
}

struct average_share {
    template <int WIDTH>
    __device__ __forceinline__ void take(const pool_shape &s, int, int od, int oh, int ow, int,
                                         float *shares) const
    {
        float by = divisor(s, od * s.stride_d - s.pad_d, oh * s.stride_h - s.pad_h,
                           ow * s.stride_w - s.pad_w);
        for (int k = 0; k < WIDTH; k++)
            shares[k] /= by;
    }
};

/* ---- rows ------------------------------------------------------------------------------------ */

static void set_side(const vdnn_pool_config *pool, const int64_t *in, const int64_t *out, int side,
                     int &in_side, int &out_side, int &kernel, int &stride, int &pad)
{
    in_side = (int)in[side];
    out_side = (int)out[side];
    kernel = (int)pool->kernel[side];
    stride = (int)pool->stride[side];
    pad = (int)pool->pad[side];
}

static pool_shape shape_of(const vdnn_layer *layer)
{
    const vdnn_pool_config *pool = static_cast<const vdnn_pool_config *>(layer->config);
    int64_t in[VDNN_SIDES], out[VDNN_SIDES];
    pool_shape s = {};
    vdnn_desc_sides(&layer->x[0], in);
    vdnn_desc_sides(&layer->y, out);
    s.inner = (int)vdnn_cuda_steps_of(&layer->y).cell;
    s.by_inner = s.inner;
    set_side(pool, in, out, VDNN_SIDE_D, s.in_d, s.out_d, s.kernel_d, s.stride_d, s.pad_d);
    set_side(pool, in, out, VDNN_SIDE_H, s.in_h, s.out_h, s.kernel_h, s.stride_h, s.pad_h);
    set_side(pool, in, out, VDNN_SIDE_W, s.in_w, s.out_w, s.kernel_w, s.stride_w, s.pad_w);
    s.by_in_d = s.in_d;
    s.by_in_h = s.in_h;
    s.by_in_w = s.in_w;
    s.by_out_d = s.out_d;
    s.by_out_h = s.out_h;
    s.by_out_w = s.out_w;
    s.by_stride_d = s.stride_d;
    s.by_stride_h = s.stride_h;
    s.by_stride_w = s.stride_w;
    s.count_pad = pool->count_pad;
    return s;
}

/* Of all elements of a launch, so that windows beyond the ends of a map have such indices too. */
static constexpr int64_t MOST_ELEMENTS = INT32_MAX / 2;

/* One launch after the other: its shape, and the elements of the samples before its first. */
struct pool_runs {
    pool_shape shape;
    int64_t inputs, outputs; /* of x and of y */
    int64_t in_sample, out_sample, first, samples, most;

    explicit pool_runs(const vdnn_layer *layer)
        : shape(shape_of(layer)), inputs(0), outputs(0), first(0), samples(layer->x[0].dims[VDNN_N])
    {
        in_sample = vdnn_desc_count(&layer->x[0]) / samples;
        out_sample = vdnn_desc_count(&layer->y) / samples;
        most = MOST_ELEMENTS / (in_sample > out_sample ? in_sample : out_sample);
        begin();
    }

    void begin()
    {
        int64_t count = samples - first < most ? samples - first : most;
        inputs = first * in_sample;
        outputs = first * out_sample;
        shape.inputs = (int)(count * in_sample);
        shape.outputs = (int)(count * out_sample);
    }

    bool has_run() const
    {
        return first < samples;
    }

    void next()
    {
        first += most;
        begin();
    }
};

static const char *refusal(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    const char *why = vdnn_cuda_free_refusal(kernel);
    int64_t samples = layer->x[0].dims[VDNN_N];
    bool is_long = vdnn_desc_count(&layer->x[0]) / samples > MOST_ELEMENTS ||
                   vdnn_desc_count(&layer->y) / samples > MOST_ELEMENTS;
    return why == nullptr && is_long ? "a sample has more than 2^30 elements" : why;
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
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    bool forward = kernel->pass == VDNN_FORWARD, searches = !forward && !keeps_argmax(layer);
    Index *all = static_cast<Index *>(searches                           ? args->workspace
                                      : !forward || layer->aux_bytes > 0 ? args->aux
                                                                         : nullptr);
    for (pool_runs r(layer); r.has_run(); r.next()) {
        Index *argmax = all == nullptr ? nullptr : all + r.outputs;
        if (forward || searches)
            VDNN_LAUNCH((max_forward<T, Index, WIDTH>), vdnn_cuda_blocks(r.shape.outputs / WIDTH),
                        VDNN_CUDA_THREADS, stream, static_cast<const T *>(args->x[0]) + r.inputs,
                        forward ? static_cast<T *>(args->y) + r.outputs : nullptr, argmax, r.shape);
        if (!forward)
            VDNN_LAUNCH(
                (backward<T, max_share<Index>, WIDTH>), vdnn_cuda_blocks(r.shape.inputs / WIDTH),
                VDNN_CUDA_THREADS, stream, static_cast<const T *>(args->dy) + r.outputs,
                static_cast<T *>(args->dx[0]) + r.inputs, max_share<Index>{argmax}, r.shape);
    }
    return vdnn_cuda_launched("maxpool");
}

/* Windows of more cells than a byte counts are rare enough to have no packs. */
template <class T>
static vdnn_status max_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_pool_config *pool = static_cast<const vdnn_pool_config *>(kernel->layer->config);
    if (vdnn_pool_index_bytes(pool) > 1)
        return max_by<T, int32_t, 1>(kernel, args);
    return width_of<T>(kernel->layer) == 1
               ? max_by<T, uint8_t, 1>(kernel, args)
               : max_by<T, uint8_t, vdnn_cuda_pack<T>::COUNT>(kernel, args);
}

static vdnn_status run_max(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, max_of, kernel, args);
}

template <class T, int WIDTH>
static vdnn_status average_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    for (pool_runs r(kernel->layer); r.has_run(); r.next())
        if (kernel->pass == VDNN_FORWARD)
            VDNN_LAUNCH((average_forward<T, WIDTH>), vdnn_cuda_blocks(r.shape.outputs / WIDTH),
                        VDNN_CUDA_THREADS, stream, static_cast<const T *>(args->x[0]) + r.inputs,
                        static_cast<T *>(args->y) + r.outputs, r.shape);
        else
            VDNN_LAUNCH((backward<T, average_share, WIDTH>),
                        vdnn_cuda_blocks(r.shape.inputs / WIDTH), VDNN_CUDA_THREADS, stream,
                        static_cast<const T *>(args->dy) + r.outputs,
                        static_cast<T *>(args->dx[0]) + r.inputs, average_share{}, r.shape);
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

const vdnn_algorithm vdnn_maxpool_native_cuda = vdnn_cuda_invariant(
    vdnn_cuda_row("maxpool", "native", VDNN_CUDA_DATA_PASSES, refusal, run_max, max_workspace),
    VDNN_CUDA_DATA_PASSES, VDNN_CUDA_DATA_PASSES);

const vdnn_algorithm vdnn_avgpool_native_cuda = vdnn_cuda_invariant(
    vdnn_cuda_row("avgpool", "native", VDNN_CUDA_DATA_PASSES, refusal, run_average),
    VDNN_CUDA_DATA_PASSES, VDNN_CUDA_DATA_PASSES);
