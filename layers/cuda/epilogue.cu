#include "layers/cuda/epilogue.h"
#include "layers/cuda/pack.h"

/* ---- forward --------------------------------------------------------------------------------- */

template <class T> struct fill {
    T *y;
    const float *bias;
    vdnn_cuda_divisor channels, step; /* from a channel to the next */

    template <class Place> __device__ void operator()(const Place &at) const
    {
        vdnn_cuda_eight eight;
        for (int k = 0; k < VDNN_CUDA_EIGHT; k++)
            eight.at[k] = bias[at.element(k) / step % channels];
        at.store(y, eight);
    }
};

template <class T>
static vdnn_status fill_map(const vdnn_layer *layer, const vdnn_kernel_args *args,
                            const float *bias)
{
    vdnn_desc y = vdnn_desc_as_vectors(&layer->y);
    fill<T> action = {static_cast<T *>(args->y), bias, y.dims[VDNN_C],
                      vdnn_cuda_steps_of(&y).channel};
    vdnn_cuda_each<T>(vdnn_cuda_stream_of(args)->handle, vdnn_desc_count(&y),
                      vdnn_cuda_are_aligned(action.y), action);
    return vdnn_cuda_launched("bias");
}

template <class T>
__global__ static void add(T *y, const float *bias, vdnn_cuda_divisor channels,
                           vdnn_cuda_divisor step, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i < count)
        y[i] = (float)y[i] + bias[i / step % channels];
}

template <class T>
static vdnn_status add_map(const vdnn_layer *layer, const vdnn_kernel_args *args, const float *bias)
{
    const vdnn_desc &y = layer->y;
    VDNN_LAUNCH(add<T>, vdnn_cuda_blocks(vdnn_desc_count(&y)), VDNN_CUDA_THREADS,
                vdnn_cuda_stream_of(args)->handle, static_cast<T *>(args->y), bias, y.dims[VDNN_C],
                vdnn_cuda_steps_of(&y).channel, vdnn_desc_count(&y));
    return vdnn_cuda_launched("bias");
}

template <class T> static vdnn_status cut_map(const vdnn_layer *layer, const vdnn_kernel_args *args)
{
    T *y = static_cast<T *>(args->y);
    const T *product = y;
    vdnn_cuda_map<T>(vdnn_cuda_stream_of(args)->handle, vdnn_desc_count(&layer->y), vdnn_cuda_cut{},
                     y, product);
    return vdnn_cuda_launched("relu");
}

/* ---- gradient -------------------------------------------------------------------------------- */

/* dy is read once, which should be the whole cost; a channel's elements are divided into slices, by
 * shapes alone, enough for every card:
 *
 *     sum_columns, sum_planes   dy -> parts: | slice 0: channel 0, 1, ... | slice 1 ... |
 *     add_slices                parts -> gradient
 *
 * A thread reads packs: of adjacent channels where these are contiguous, else of the cells of one
 * channel; or single elements, where packs would be of two samples or are not aligned. It has AHEAD
 * of them in flight, which are summed before they are added to the others. */

enum {
    AHEAD = 4,
    ENOUGH_BLOCKS = 1024,
    COLUMNS = 32, /* channels that blocks are counted by */
    LANES = 32    /* threads of a block that share its channels, where these are contiguous */
};

typedef struct sum_shape {
    int64_t channels, cells, slices; /* cells: of all samples */
    int64_t plane;                   /* contiguous cells; 1: channels are contiguous */
} sum_shape;

static sum_shape shape_of(const vdnn_layer *layer)
{
    const vdnn_desc y = vdnn_desc_as_vectors(&layer->y);
    const int64_t *d = y.dims;
    int64_t plane = y.layout == VDNN_NHWC ? 1 : d[VDNN_H] * d[VDNN_W];
    int64_t blocks = plane > 1 ? d[VDNN_C] : (d[VDNN_C] + COLUMNS - 1) / COLUMNS;
    sum_shape s = {};
    s.channels = d[VDNN_C];
    s.cells = d[VDNN_N] * d[VDNN_H] * d[VDNN_W];
    s.plane = plane;
    int64_t most = (s.cells + VDNN_CUDA_THREADS - 1) / VDNN_CUDA_THREADS;
    int64_t enough = (ENOUGH_BLOCKS + blocks - 1) / blocks;
    s.slices = enough < most ? enough : most;
    return s;
}

/* Of a channel's units, packs or elements, in their order. */
typedef struct sum_slice {
    int64_t begin, end;
} sum_slice;

static __device__ __forceinline__ sum_slice slice_of(int64_t slice, int64_t units, int64_t slices)
{
    return {slice * units / slices, (slice + 1) * units / slices};
}

/* Of what is in flight, element i of each. */
template <class Some> static __device__ __forceinline__ float ahead_of(const Some &some, int i)
{
    static_assert(AHEAD == 4, "the sum of four");
    return some[0][i] + some[1][i] + (some[2][i] + some[3][i]);
}

/* A block has THREADS / LANES times COUNT adjacent channels. */
template <class T, int COUNT>
__global__ static void sum_columns(const T *dy, float *parts, sum_shape s)
{
    constexpr int GROUPS = VDNN_CUDA_THREADS / LANES;
    int lane = (int)threadIdx.x / GROUPS;
    int64_t c = ((int64_t)blockIdx.x * GROUPS + (int)threadIdx.x % GROUPS) * COUNT;
    sum_slice own = slice_of(blockIdx.y, s.cells, s.slices);
    float sums[(size_t)COUNT] = {};
    const int64_t step = LANES * s.channels;
    const T *at = dy + (own.begin + lane) * s.channels + c;
    for (int64_t cell = own.begin + lane; c < s.channels && cell < own.end; cell += LANES * AHEAD) {
        float some[(size_t)AHEAD][(size_t)COUNT] = {};
        for (int k = 0; k < AHEAD; k++)
            if (cell + k * LANES < own.end)
                vdnn_cuda_unpack<T, COUNT>(at + k * step, some[k]);
        for (int i = 0; i < COUNT; i++)
            sums[i] += ahead_of(some, i);
        at += AHEAD * step;
    }
    for (int i = 0; i < COUNT; i++) {
        float sum = vdnn_cuda_sum_lanes<float, VDNN_CUDA_THREADS, GROUPS>(sums[i]);
        if (lane == 0 && c < s.channels)
            parts[blockIdx.y * s.channels + c + i] = sum;
    }
}

/* A block has one channel; planes are of whole packs, `by_plane` counts them. */
template <class T, int COUNT>
__global__ static void sum_planes(const T *dy, float *parts, sum_shape s,
                                  vdnn_cuda_divisor by_plane)
{
    sum_slice own = slice_of(blockIdx.y, s.cells / COUNT, s.slices);
    float sum = 0;
    for (int64_t unit = own.begin + (int)threadIdx.x; unit < own.end;
         unit += VDNN_CUDA_THREADS * AHEAD) {
        float some[(size_t)AHEAD][(size_t)COUNT] = {};
        for (int k = 0; k < AHEAD; k++) {
            int64_t at = unit + k * VDNN_CUDA_THREADS, sample = at / by_plane;
            const T *plane = dy + (sample * s.channels + blockIdx.x) * s.plane;
            if (at < own.end)
                vdnn_cuda_unpack<T, COUNT>(plane + (at - sample * by_plane.by) * COUNT, some[k]);
        }
        for (int i = 0; i < COUNT; i++)
            sum += ahead_of(some, i);
    }
    sum = vdnn_cuda_sum<float, VDNN_CUDA_THREADS>(sum);
    if (threadIdx.x == 0)
        parts[blockIdx.y * s.channels + blockIdx.x] = sum;
}

/* A block for each channel. */
__global__ static void add_slices(const float *parts, float *gradient, sum_shape s)
{
    float own = 0;
    for (int64_t slice = threadIdx.x; slice < s.slices; slice += VDNN_CUDA_THREADS)
        own += parts[slice * s.channels + blockIdx.x];
    float sum = vdnn_cuda_sum<float, VDNN_CUDA_THREADS>(own);
    if (threadIdx.x == 0)
        gradient[blockIdx.x] = sum;
}

template <class T, int COUNT>
static void sum_map(const T *dy, float *parts, const sum_shape &s, cudaStream_t stream)
{
    constexpr int64_t WIDTH = VDNN_CUDA_THREADS / LANES * COUNT;
    if (s.plane > 1)
        VDNN_LAUNCH((sum_planes<T, COUNT>), dim3((unsigned)s.channels, (unsigned)s.slices),
                    VDNN_CUDA_THREADS, stream, dy, parts, s, vdnn_cuda_divisor(s.plane / COUNT));
    else
        VDNN_LAUNCH((sum_columns<T, COUNT>),
                    dim3((unsigned)((s.channels + WIDTH - 1) / WIDTH), (unsigned)s.slices),
                    VDNN_CUDA_THREADS, stream, dy, parts, s);
}

template <class T>
static vdnn_status make_gradient(const vdnn_layer *layer, const vdnn_kernel_args *args)
{
    sum_shape s = shape_of(layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    float *gradient = static_cast<float *>(args->dw) + layer->params[1].offset / sizeof(float);
    float *parts = static_cast<float *>(args->workspace);
    const T *dy = static_cast<const T *>(args->dy);
    constexpr int COUNT = vdnn_cuda_pack<T>::COUNT;
    bool are_packs = (s.plane > 1 ? s.plane : s.channels) % COUNT == 0 && vdnn_cuda_are_aligned(dy);
    (are_packs ? sum_map<T, COUNT> : sum_map<T, 1>)(dy, parts, s, stream);
    VDNN_LAUNCH(add_slices, (unsigned)s.channels, VDNN_CUDA_THREADS, stream, parts, gradient, s);
    return vdnn_cuda_launched("gradient of a bias");
}

/* ---- interface ------------------------------------------------------------------------------- */

static bool has_bias(const vdnn_layer *layer)
{
    return layer->param_count > 1;
}

size_t vdnn_cuda_epilogue_room(const vdnn_kernel *kernel, size_t bytes)
{
    const vdnn_layer *layer = kernel->layer;
    if (kernel->pass != VDNN_BACKWARD_FILTER || !has_bias(layer))
        return bytes;
    sum_shape s = shape_of(layer);
    size_t parts = (size_t)(s.slices * s.channels) * sizeof(float);
    return bytes > parts ? bytes : parts;
}

vdnn_cuda_epilogue vdnn_cuda_epilogue_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    if (kernel->pass != VDNN_FORWARD)
        return {nullptr, false};
    const float *w = static_cast<const float *>(args->w);
    return {has_bias(layer) ? w + layer->params[1].offset / sizeof(float) : nullptr,
            layer->epilogue == VDNN_EPILOGUE_RELU};
}

vdnn_status vdnn_cuda_epilogue_begin(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                     float *beta)
{
    const float *bias = vdnn_cuda_epilogue_of(kernel, args).bias;
    *beta = bias == nullptr ? 0 : 1;
    return bias == nullptr
               ? VDNN_OK
               : VDNN_CUDA_AS(kernel->layer->y.dtype, fill_map, kernel->layer, args, bias);
}

vdnn_status vdnn_cuda_epilogue_add(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const float *bias = vdnn_cuda_epilogue_of(kernel, args).bias;
    return bias == nullptr
               ? VDNN_OK
               : VDNN_CUDA_AS(kernel->layer->y.dtype, add_map, kernel->layer, args, bias);
}

vdnn_status vdnn_cuda_epilogue_gradient(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                        vdnn_status status)
{
    const vdnn_layer *layer = kernel->layer;
    if (status != VDNN_OK || kernel->pass != VDNN_BACKWARD_FILTER || !has_bias(layer))
        return status;
    return VDNN_CUDA_AS(layer->y.dtype, make_gradient, layer, args);
}

vdnn_status vdnn_cuda_epilogue_finish(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                      vdnn_status status)
{
    if (status == VDNN_OK && vdnn_cuda_epilogue_of(kernel, args).relu)
        return VDNN_CUDA_AS(kernel->layer->y.dtype, cut_map, kernel->layer, args);
    return vdnn_cuda_epilogue_gradient(kernel, args, status);
}
