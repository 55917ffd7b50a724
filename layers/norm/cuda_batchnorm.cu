#include "layers/cuda/pack.h"

extern "C" {
#include "layers/norm/batchnorm.h"
}

/* Bytes moved per element of f32: 12 forward (x twice, y), 20 backward (x and dy twice, dx); of
 * bf16 half. The constants of all channels are computed once between the two readings, so that an
 * element costs only float operations:
 *
 *     sum_slices:     x, dy      ->  parts: | slice 0: channel 0, 1, ... | slice 1 ... |
 *     finish_...:     parts      ->  statistics or gradients, and the lines of all channels
 *     write_slices:   x, dy      ->  y or dx, by the lines
 *
 * A thread keeps its channels, and processes a pack at a time:
 *
 *     planar     a channel's cells are contiguous: a block has one channel, a thread some packs of
 *                its planes; if a pack is in two planes, one thread of each takes its part
 *     abreast    a cell's channels are contiguous: a block has COLUMNS packs of them, a thread one,
 *                of some cells
 *
 * Both are divided into slices, by shapes alone. Those that were read last are written first: they
 * may still be in the card's cache. */

enum {
    AHEAD = 4,    /* packs of a map that a thread has in flight */
    LONGEST = 16, /* cells of a channel that are summed in float */
    AT_ONCE = 2,  /* blocks of a multiprocessor: one waits for memory while another computes */
    ENOUGH_BLOCKS = 2048, /* to keep every card busy to the end */
    FINISHERS = 128
};

/* forward: sum of x and of x * x; backward: of dy and of dy * (x - mean). */
struct norm_sums {
    double a, ab;

    __device__ __forceinline__ norm_sums &operator+=(const norm_sums &other)
    {
        a += other.a;
        ab += other.ab;
        return *this;
    }
};

/* y = scale * (x - center) + shift; dx = factor * dy + the same. */
struct alignas(VDNN_CUDA_PACK_BYTES) norm_line {
    float center, scale, shift, factor;
};

typedef struct norm_shape {
    int64_t channels, cells;
    int64_t items, slices;      /* packs of all planes of a channel, or cells of the batch */
    vdnn_cuda_divisor by_packs; /* of a plane, or one more than it has where that begins in one */
    bool are_abreast, is_aligned, relu;
    double values; /* of a channel */
    double eps;
} norm_shape;

template <class T> struct norm_maps {
    const T *x, *dy; /* NULL: forward */
    T *out;
};

/* ---- walks ----------------------------------------------------------------------------------- */

/* The elements `begin` up to `end` of the pack at `first`; there may be none. */
typedef struct norm_span {
    int64_t first, origin; /* an element of the (first) channel, of these if there are any */
    int begin, end;
} norm_span;

template <class T, bool ABREAST> struct norm_walk {
    static constexpr int COUNT = vdnn_cuda_pack<T>::COUNT;
    static constexpr int SLOTS = ABREAST ? COUNT : 1; /* channels of a pack */
    static constexpr int COLUMNS = ABREAST ? 8 : 1, LANES = VDNN_CUDA_THREADS / COLUMNS;
    static constexpr int GROUP = ABREAST ? LONGEST : AHEAD; /* items that go to a sum in float */
    int64_t channel;                                        /* the first of this thread's */
    int64_t item, end;                                      /* every LANES-th */

    __device__ __forceinline__ norm_walk(const norm_shape &s, int64_t slice)
        : channel(((int64_t)blockIdx.x * COLUMNS + (int)threadIdx.x % COLUMNS) * SLOTS),
          item(slice * s.items / s.slices + (int)threadIdx.x / COLUMNS),
          end(channel < s.channels ? (slice + 1) * s.items / s.slices : 0)
    {
    }

    static __device__ __forceinline__ int slot(int k)
    {
        return ABREAST ? k : 0;
    }

    __device__ __forceinline__ norm_span span(const norm_shape &s, int64_t at) const
    {
        if (at >= end)
            return {0, 0, 0, 0};
        if constexpr (ABREAST) {
            int64_t first = at * s.channels + channel, left = s.channels - channel;
            return {first, first, 0, left < COUNT ? (int)left : COUNT};
        }
        int64_t plane = (at / s.by_packs * s.channels + channel) * s.cells;
        int64_t first = plane - plane % COUNT + at % s.by_packs * COUNT;
        int64_t left = plane + s.cells - first;
        int from = first < plane ? (int)(plane - first) : 0;
        int to = left < COUNT ? (int)left : COUNT;
        return {first, from < to ? first + from : plane, from, from < to ? to : from};
    }

    static __device__ __forceinline__ bool is_full(const norm_span &span)
    {
        return span.begin == 0 && span.end == COUNT;
    }

    static __device__ __forceinline__ int counted(const norm_span &span)
    {
        return ABREAST ? span.end > 0 : span.end - span.begin;
    }

    template <bool FULL> static __device__ __forceinline__ bool has(const norm_span &span, int k)
    {
        return FULL || (k >= span.begin && k < span.end);
    }

    /* As it is in memory, which takes fewer registers than floats do until it is there. Items that
     * do not exist are 0. */
    template <bool FULL>
    static __device__ __forceinline__ vdnn_cuda_pack<T> load(const T *map, const norm_span &span)
    {
        if constexpr (FULL)
            return *reinterpret_cast<const vdnn_cuda_pack<T> *>(map + span.first);
        vdnn_cuda_pack<T> pack = {};
        for (int k = 0; k < COUNT; k++)
            if (has<FULL>(span, k))
                pack.at[k] = map[span.first + k];
        return pack;
    }

    template <bool FULL>
    static __device__ __forceinline__ void store(const float *from, const norm_span &span, T *map)
    {
        constexpr int STEP = FULL ? COUNT : 1;
        for (int k = 0; k < COUNT; k += STEP)
            if (has<FULL>(span, k))
                vdnn_cuda_repack<T, STEP>(from + k, map + span.first + k);
    }
};

/* AHEAD packs; returns whether all of them are full. */
template <class Walk>
static __device__ __forceinline__ bool find_spans(const Walk &walk, const norm_shape &s,
                                                  int64_t item, norm_span *spans)
{
    bool are_full = s.is_aligned;
    for (int p = 0; p < AHEAD; p++) {
        spans[p] = walk.span(s, item + p * Walk::LANES);
        are_full = are_full && Walk::is_full(spans[p]);
    }
    return are_full;
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* Sums in float of few elements, around one of them in forward: such an error is a share of what
 * these differ by, and means far from 0 lose nothing. */
template <int SLOTS> struct norm_group {
    float center[(size_t)SLOTS], a[(size_t)SLOTS], ab[(size_t)SLOTS];
    int count;
};

template <bool FULL, bool BACKWARD, class Walk, class T>
static __device__ __forceinline__ void add_packs(const norm_maps<T> &maps, const norm_span *spans,
                                                 norm_group<Walk::SLOTS> &to)
{
    vdnn_cuda_pack<T> x[AHEAD], dy[AHEAD];
    for (int p = 0; p < AHEAD; p++) {
        x[p] = Walk::template load<FULL>(maps.x, spans[p]);
        if constexpr (BACKWARD)
            dy[p] = Walk::template load<FULL>(maps.dy, spans[p]);
        to.count += Walk::counted(spans[p]);
    }
    for (int p = 0; p < AHEAD; p++)
        for (int k = 0; k < Walk::COUNT; k++)
            if (Walk::template has<FULL>(spans[p], k)) {
                float b = (float)x[p].at[k] - to.center[Walk::slot(k)], a = b;
                if constexpr (BACKWARD)
                    a = (float)dy[p].at[k];
                to.a[Walk::slot(k)] += a;
                to.ab[Walk::slot(k)] += a * b;
            }
}

/* `mean`: in backward. */
template <class T, bool ABREAST, bool BACKWARD>
__global__ static void __launch_bounds__(VDNN_CUDA_THREADS, AT_ONCE)
    sum_slices(norm_maps<T> maps, const float *mean, norm_sums *parts, norm_shape s)
{
    using walk = norm_walk<T, ABREAST>;
    constexpr int SLOTS = walk::SLOTS;
    const walk own(s, blockIdx.y);
    norm_sums sums[(size_t)SLOTS] = {};
    for (int64_t item = own.item; item < own.end; item += walk::GROUP * walk::LANES) {
        norm_group<SLOTS> group = {};
        int64_t origin = own.span(s, item).origin;
        for (int k = 0; k < SLOTS; k++)
            if (own.channel + k < s.channels)
                group.center[k] = BACKWARD ? mean[own.channel + k] : (float)maps.x[origin + k];
        for (int k = 0; k < walk::GROUP; k += AHEAD) {
            norm_span spans[AHEAD];
            if (find_spans(own, s, item + k * walk::LANES, spans))
                add_packs<true, BACKWARD, walk>(maps, spans, group);
            else
                add_packs<false, BACKWARD, walk>(maps, spans, group);
        }
        for (int k = 0; k < SLOTS; k++) {
            double center = BACKWARD ? 0 : (double)group.center[k], sum = (double)group.a[k];
            double shift = center * group.count;
            sums[k].a += shift + sum;
            sums[k].ab += center * (shift + 2 * sum) + (double)group.ab[k];
        }
    }
    for (int k = 0; k < SLOTS; k++) {
        norm_sums sum = vdnn_cuda_sum_lanes<norm_sums, VDNN_CUDA_THREADS, walk::COLUMNS>(sums[k]);
        if (threadIdx.x < walk::COLUMNS && own.channel + k < s.channels)
            parts[blockIdx.y * s.channels + own.channel + k] = sum;
    }
}

/* ---- what becomes of the sums ---------------------------------------------------------------- */

/* Of the block's channel, in every thread. */
static __device__ norm_sums total_of(const norm_sums *parts, const norm_shape &s)
{
    norm_sums own = {0, 0};
    for (int64_t slice = threadIdx.x; slice < s.slices; slice += FINISHERS)
        own += parts[slice * s.channels + blockIdx.x];
    return {vdnn_cuda_sum<double, FINISHERS>(own.a), vdnn_cuda_sum<double, FINISHERS>(own.ab)};
}

static __device__ __forceinline__ double inverse_deviation(const norm_shape &s, float variance)
{
    return 1 / sqrt((double)variance + s.eps);
}

/* parts NULL: by the existing statistics. */
__global__ static void finish_forward(const norm_sums *parts, float *mean, float *variance,
                                      const float *weight, const float *bias, norm_line *lines,
                                      norm_shape s)
{
    int64_t c = blockIdx.x;
    norm_sums total = parts == nullptr ? norm_sums{0, 0} : total_of(parts, s);
    if (threadIdx.x > 0)
        return;
    if (parts != nullptr) {
        double center = total.a / s.values, spread = total.ab / s.values - center * center;
        mean[c] = (float)center;
        variance[c] = spread > 0 ? (float)spread : 0.0F;
    }
    float scale = (float)((double)weight[c] * inverse_deviation(s, variance[c]));
    lines[c] = {mean[c], scale, bias[c], 0};
}

/* Of the parameters, one after the other in `dw`; NULL: not required. */
typedef struct norm_gradients {
    float *weight, *bias, *mean, *variance;
} norm_gradients;

/* weight NULL: dx is not required. */
__global__ static void finish_backward(const norm_sums *parts, const float *mean,
                                       const float *variance, const float *weight,
                                       norm_gradients to, norm_line *lines, norm_shape s)
{
    int64_t c = blockIdx.x;
    norm_sums total = total_of(parts, s);
    if (threadIdx.x > 0)
        return;
    double inverse = inverse_deviation(s, variance[c]);
    if (to.weight != nullptr) {
        to.weight[c] = (float)(total.ab * inverse);
        to.bias[c] = (float)total.a;
        to.mean[c] = mean[c];
        to.variance[c] = (float)((double)variance[c] * (s.values / (s.values - 1)));
    }
    if (weight != nullptr) {
        double factor = (double)weight[c] * inverse;
        lines[c] = {mean[c], (float)(-factor * inverse * inverse * total.ab / s.values),
                    (float)(-factor * total.a / s.values), (float)factor};
    }
}

/* ---- maps from maps -------------------------------------------------------------------------- */

template <bool FULL, bool BACKWARD, class Walk, class T>
static __device__ __forceinline__ void write_packs(const norm_maps<T> &maps, const norm_span *spans,
                                                   const norm_line *lines, bool relu)
{
    vdnn_cuda_pack<T> x[AHEAD], dy[AHEAD];
    for (int p = 0; p < AHEAD; p++) {
        x[p] = Walk::template load<FULL>(maps.x, spans[p]);
        if constexpr (BACKWARD)
            dy[p] = Walk::template load<FULL>(maps.dy, spans[p]);
    }
    for (int p = 0; p < AHEAD; p++) {
        float values[(size_t)Walk::COUNT];
        for (int k = 0; k < Walk::COUNT; k++) {
            const norm_line &line = lines[Walk::slot(k)];
            float value = line.scale * ((float)x[p].at[k] - line.center) + line.shift;
            if constexpr (BACKWARD)
                value = line.factor * (float)dy[p].at[k] + value;
            values[k] = relu ? vdnn_cuda_cut{}(value) : value;
        }
        Walk::template store<FULL>(values, spans[p], maps.out);
    }
}

template <class T, bool ABREAST, bool BACKWARD>
__global__ static void __launch_bounds__(VDNN_CUDA_THREADS, AT_ONCE)
    write_slices(norm_maps<T> maps, const norm_line *of, norm_shape s)
{
    using walk = norm_walk<T, ABREAST>;
    const walk own(s, gridDim.y - 1 - blockIdx.y);
    norm_line lines[(size_t)walk::SLOTS] = {};
    for (int k = 0; k < walk::SLOTS; k++)
        if (own.channel + k < s.channels)
            lines[k] = of[own.channel + k];
    for (int64_t item = own.item; item < own.end; item += AHEAD * walk::LANES) {
        norm_span spans[AHEAD];
        if (find_spans(own, s, item, spans))
            write_packs<true, BACKWARD, walk>(maps, spans, lines, s.relu);
        else
            write_packs<false, BACKWARD, walk>(maps, spans, lines, s.relu);
    }
}

/* ---- passes ---------------------------------------------------------------------------------- */

static int64_t pieces(int64_t count, int64_t size)
{
    return (count + size - 1) / size;
}

/* For all channels of a slice. */
template <class T> static int64_t blocks_of(const norm_shape &s)
{
    using abreast = norm_walk<T, true>;
    return s.are_abreast ? pieces(s.channels, abreast::COLUMNS * abreast::COUNT) : s.channels;
}

template <class T> static norm_shape shape_of(const vdnn_layer *layer)
{
    constexpr int64_t COUNT = vdnn_cuda_pack<T>::COUNT;
    const int64_t *d = layer->y.dims;
    norm_shape s = {};
    s.channels = d[VDNN_C];
    s.cells = d[VDNN_H] * d[VDNN_W];
    s.are_abreast = layer->y.layout == VDNN_NHWC || s.cells == 1;
    s.is_aligned = !s.are_abreast || s.channels % COUNT == 0;
    s.relu = layer->epilogue == VDNN_EPILOGUE_RELU;
    int64_t packs = s.cells % COUNT == 0 ? s.cells / COUNT : (s.cells + COUNT - 2) / COUNT + 1;
    s.by_packs = packs;
    s.items = d[VDNN_N] * (s.are_abreast ? s.cells : packs);
    int64_t in_block = s.are_abreast ? norm_walk<T, true>::LANES * norm_walk<T, true>::GROUP
                                     : norm_walk<T, false>::LANES * norm_walk<T, false>::GROUP;
    int64_t enough = pieces(ENOUGH_BLOCKS, blocks_of<T>(s)), most = pieces(s.items, in_block);
    s.slices = enough < most ? enough : most;
    s.values = (double)(d[VDNN_N] * s.cells);
    s.eps = static_cast<const vdnn_batchnorm_config *>(layer->config)->eps;
    return s;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    const vdnn_layer *layer = kernel->layer;
    norm_shape s = VDNN_CUDA_AS(layer->x[0].dtype, shape_of, layer);
    *bytes = (size_t)(s.slices * s.channels) * sizeof(norm_sums) +
             (size_t)s.channels * sizeof(norm_line);
    return VDNN_OK;
}

static float *param(const vdnn_layer *layer, void *block, int which)
{
    return static_cast<float *>(block) + layer->params[which].offset / sizeof(float);
}

template <class T, bool BACKWARD>
static void sum_all(cudaStream_t stream, const norm_maps<T> &maps, const float *mean,
                    norm_sums *parts, const norm_shape &s)
{
    dim3 blocks((unsigned)blocks_of<T>(s), (unsigned)s.slices);
    if (s.are_abreast)
        VDNN_LAUNCH((sum_slices<T, true, BACKWARD>), blocks, VDNN_CUDA_THREADS, stream, maps, mean,
                    parts, s);
    else
        VDNN_LAUNCH((sum_slices<T, false, BACKWARD>), blocks, VDNN_CUDA_THREADS, stream, maps, mean,
                    parts, s);
}

template <class T, bool BACKWARD>
static void write_all(cudaStream_t stream, const norm_maps<T> &maps, const norm_line *lines,
                      const norm_shape &s)
{
    dim3 blocks((unsigned)blocks_of<T>(s), (unsigned)s.slices);
    if (s.are_abreast)
        VDNN_LAUNCH((write_slices<T, true, BACKWARD>), blocks, VDNN_CUDA_THREADS, stream, maps,
                    lines, s);
    else
        VDNN_LAUNCH((write_slices<T, false, BACKWARD>), blocks, VDNN_CUDA_THREADS, stream, maps,
                    lines, s);
}

template <class T>
static vdnn_status forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    norm_shape s = shape_of<T>(layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    norm_maps<T> maps = {static_cast<const T *>(args->x[0]), nullptr, static_cast<T *>(args->y)};
    s.is_aligned = s.is_aligned && vdnn_cuda_are_aligned(maps.x, maps.out);
    norm_sums *parts = static_cast<norm_sums *>(args->workspace);
    norm_line *lines = reinterpret_cast<norm_line *>(parts + s.slices * s.channels);
    bool has_running = layer->is_frozen || args->context->evaluate;
    bool sums = !has_running && !args->recompute;
    float *mean =
        has_running ? param(layer, args->w, VDNN_BATCHNORM_MEAN) : static_cast<float *>(args->aux);
    float *variance =
        has_running ? param(layer, args->w, VDNN_BATCHNORM_VARIANCE) : mean + s.channels;
    const float *no_mean = nullptr;
    if (sums)
        sum_all<T, false>(stream, maps, no_mean, parts, s);
    VDNN_LAUNCH(finish_forward, (unsigned)s.channels, FINISHERS, stream, sums ? parts : nullptr,
                mean, variance, param(layer, args->w, VDNN_BATCHNORM_WEIGHT),
                param(layer, args->w, VDNN_BATCHNORM_BIAS), lines, s);
    write_all<T, false>(stream, maps, lines, s);
    return vdnn_cuda_launched("batchnorm forward");
}

static norm_gradients gradients_of(const vdnn_layer *layer, void *dw)
{
    if (dw == nullptr)
        return {nullptr, nullptr, nullptr, nullptr};
    return {param(layer, dw, VDNN_BATCHNORM_WEIGHT), param(layer, dw, VDNN_BATCHNORM_BIAS),
            param(layer, dw, VDNN_BATCHNORM_MEAN), param(layer, dw, VDNN_BATCHNORM_VARIANCE)};
}

/* dx = weight / deviation * dy */
__global__ static void finish_frozen(const float *variance, const float *weight, norm_line *lines,
                                     norm_shape s)
{
    int64_t c = vdnn_cuda_index();
    if (c < s.channels)
        lines[c] = {0, (float)((double)weight[c] * inverse_deviation(s, variance[c])), 0, 0};
}

/* Of a layer whose statistics do not depend on x. */
template <class T>
static vdnn_status backward_frozen(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    norm_shape s = shape_of<T>(layer);
    s.relu = false;
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    norm_maps<T> maps = {static_cast<const T *>(args->dy), nullptr, static_cast<T *>(args->dx[0])};
    s.is_aligned = s.is_aligned && vdnn_cuda_are_aligned(maps.x, maps.out);
    norm_sums *parts = static_cast<norm_sums *>(args->workspace);
    norm_line *lines = reinterpret_cast<norm_line *>(parts + s.slices * s.channels);
    VDNN_LAUNCH(finish_frozen, (unsigned)pieces(s.channels, FINISHERS), FINISHERS, stream,
                param(layer, args->w, VDNN_BATCHNORM_VARIANCE),
                param(layer, args->w, VDNN_BATCHNORM_WEIGHT), lines, s);
    write_all<T, false>(stream, maps, lines, s);
    return vdnn_cuda_launched("batchnorm backward");
}

template <class T>
static vdnn_status backward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    norm_shape s = shape_of<T>(layer);
    s.relu = false;
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    bool gives_dx = kernel->pass == VDNN_BACKWARD_DATA;
    norm_maps<T> maps = {static_cast<const T *>(args->x[0]), static_cast<const T *>(args->dy),
                         gives_dx ? static_cast<T *>(args->dx[0]) : nullptr};
    s.is_aligned = s.is_aligned && vdnn_cuda_are_aligned(maps.x, maps.dy, maps.out);
    const float *mean = static_cast<const float *>(args->aux), *variance = mean + s.channels;
    norm_sums *parts = static_cast<norm_sums *>(args->workspace);
    norm_line *lines = reinterpret_cast<norm_line *>(parts + s.slices * s.channels);
    sum_all<T, true>(stream, maps, mean, parts, s);
    VDNN_LAUNCH(finish_backward, (unsigned)s.channels, FINISHERS, stream, parts, mean, variance,
                gives_dx ? param(layer, args->w, VDNN_BATCHNORM_WEIGHT) : nullptr,
                gradients_of(layer, vdnn_layer_writes_dw(layer, kernel->pass) ? args->dw : nullptr),
                lines, s);
    if (gives_dx)
        write_all<T, true>(stream, maps, lines, s);
    return vdnn_cuda_launched("batchnorm backward");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_dtype dtype = kernel->layer->x[0].dtype;
    if (args->devices != nullptr && vdnn_layer_joint_count(kernel->layer, kernel->pass) > 0)
        return vdnn_status_fail(VDNN_USAGE, "sync: true is computed by the CPU device alone");
    if (kernel->pass == VDNN_FORWARD)
        return VDNN_CUDA_AS(dtype, forward, kernel, args);
    return kernel->layer->is_frozen ? VDNN_CUDA_AS(dtype, backward_frozen, kernel, args)
                                    : VDNN_CUDA_AS(dtype, backward, kernel, args);
}

const vdnn_algorithm vdnn_batchnorm_native_cuda = vdnn_cuda_row(
    "batchnorm", "native", VDNN_CUDA_ALL_PASSES, vdnn_cuda_free_refusal, run, workspace);
