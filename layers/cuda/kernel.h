#ifndef VDNN_LAYERS_CUDA_KERNEL_H
#define VDNN_LAYERS_CUDA_KERNEL_H

/* Included first by every .cu file: the library's headers, the primitives that kernels are written
 * with, and their launch. Files are compiled by nvcc, and by g++ for the emulation of CUDA on the
 * CPU, which has the same primitives; so a kernel uses threadIdx and its kin, __syncthreads, and
 * this header, and nothing else of CUDA.
 *
 * Invariant: no result depends on the order of blocks or threads: each element is written by one
 * thread, sums are cut by shapes alone; floats are added atomically (vdnn_cuda_add) only by
 * algorithms that are not deterministic.
 * Threads: a kernel is enqueued by the thread that drives the device.
 *
 *     __global__ static void scale(float *y, float by, int64_t count)
 *     {
 *         int64_t i = vdnn_cuda_index();
 *         if (i < count)
 *             y[i] *= by;
 *     }
 *     VDNN_LAUNCH(scale, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, stream->handle, y, 2, count);
 *     return vdnn_cuda_launched("scale");
 */

#include <cmath>
#include <cstdint>
#include <cstring>
#include <cuda_runtime.h>

#define _Noreturn [[noreturn]]

extern "C" {
#include "layers/cuda/stream.h"
#include "layers/registry.h"
}

#ifdef __CUDACC__
#define VDNN_LAUNCH(kernel, grid, block, stream, ...)                                              \
    kernel<<<grid, block, 0, stream>>>(__VA_ARGS__)
/* VDNN_SHARED(float, tile, [32][33]): shared memory of the block, uninitialized. */
#define VDNN_SHARED(type, name, dims) __shared__ type name dims
#endif

enum { VDNN_CUDA_THREADS = 256 };

/* Blocks with a thread for each of `count` elements. */
static inline unsigned vdnn_cuda_blocks(int64_t count)
{
    return (unsigned)((count + VDNN_CUDA_THREADS - 1) / VDNN_CUDA_THREADS);
}

/* The element of this thread. */
static __device__ __forceinline__ int64_t vdnn_cuda_index()
{
    return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

/* An element of a map in bf16, by its bits: read as f32, and written rounded to nearest, ties to
 * even, as on the CPU. Integer instructions work on every card; kernels that use it are bound by
 * memory, not by them. */
struct vdnn_cuda_bf16 {
    uint16_t bits;

    __device__ __forceinline__ operator float() const
    {
        uint32_t wide = (uint32_t)bits << 16;
        float value;
        memcpy(&value, &wide, sizeof value);
        return value;
    }

    __device__ __forceinline__ vdnn_cuda_bf16 &operator=(float value)
    {
        uint32_t wide;
        memcpy(&wide, &value, sizeof wide);
        bool is_number = value == value;
        bits =
            (uint16_t)(is_number ? (wide + 0x7fffU + (wide >> 16 & 1U)) >> 16 : wide >> 16 | 0x40U);
        return *this;
    }
};

/* function<T>(...), with T the element type of such maps. */
#define VDNN_CUDA_AS(dtype, function, ...)                                                         \
    ((dtype) == VDNN_BF16 ? function<vdnn_cuda_bf16>(__VA_ARGS__) : function<float>(__VA_ARGS__))

/* A number from 1 that kernels divide by, in a product and a shift where both are below 2^31: no
 * card has an instruction for division, and a division of 64 bits takes as long as reading ten
 * elements. (Granlund and Montgomery, Division by Invariant Integers using Multiplication, PLDI
 * 1994.) */
struct vdnn_cuda_divisor {
    int64_t by;
    uint32_t factor;
    int shift;

    vdnn_cuda_divisor() = default;

    vdnn_cuda_divisor(int64_t by_) : by(by_), factor(0), shift(0)
    {
        constexpr int WORD = 32;
        if (by > INT32_MAX)
            return;
        while ((int64_t)1 << shift < by)
            shift++;
        factor = (uint32_t)((((uint64_t)1 << WORD) * (((uint64_t)1 << shift) - (uint64_t)by)) /
                                (uint64_t)by +
                            1);
    }

    __device__ __forceinline__ uint32_t quotient(uint32_t of) const
    {
#ifdef __CUDA_ARCH__
        return (__umulhi(of, factor) + of) >> shift;
#else
        return ((uint32_t)((uint64_t)of * factor >> 32) + of) >> shift;
#endif
    }
};

static __device__ __forceinline__ int64_t operator/(int64_t of, const vdnn_cuda_divisor &d)
{
    bool is_short = of <= INT32_MAX && d.by <= INT32_MAX;
    return is_short ? (int64_t)d.quotient((uint32_t)of) : of / d.by;
}

static __device__ __forceinline__ int64_t operator%(int64_t of, const vdnn_cuda_divisor &d)
{
    return of - of / d * d.by;
}

/* Divides operands known to be below 2^31. */
static __device__ __forceinline__ int operator/(int of, const vdnn_cuda_divisor &d)
{
    return (int)d.quotient((uint32_t)of);
}

static __device__ __forceinline__ int operator%(int of, const vdnn_cuda_divisor &d)
{
    return of - of / d * (int)d.by;
}

/* a * b, a + b, a / b and sqrt(a), each rounded: where a fused or an approximate operation would
 * give other bits than the CPU. */
static __device__ __forceinline__ float vdnn_cuda_times(float a, float b)
{
#ifdef __CUDA_ARCH__
    return __fmul_rn(a, b);
#else
    return a * b;
#endif
}

static __device__ __forceinline__ float vdnn_cuda_plus(float a, float b)
{
#ifdef __CUDA_ARCH__
    return __fadd_rn(a, b);
#else
    return a + b;
#endif
}

static __device__ __forceinline__ float vdnn_cuda_over(float a, float b)
{
#ifdef __CUDA_ARCH__
    return __fdiv_rn(a, b);
#else
    return a / b;
#endif
}

static __device__ __forceinline__ float vdnn_cuda_root(float a)
{
#ifdef __CUDA_ARCH__
    return __fsqrt_rn(a);
#else
    return sqrtf(a);
#endif
}

/* *to += value, atomically: for algorithms that are not deterministic. */
static __device__ __forceinline__ void vdnn_cuda_add(float *to, float value)
{
#ifdef __CUDA_ARCH__
    atomicAdd(to, value);
#else
    *to += value; /* in the emulation blocks and threads take turns */
#endif
}

/* The sum over the block's threads, which must be a power of two from 32 on and all call it;
 * returned in every thread. The order of additions is a tree over the threads' numbers: the
 * emulation, which has no warps, computes the same sums through memory. */
template <class T, int THREADS> static __device__ T vdnn_cuda_sum(T own)
{
#ifdef __CUDA_ARCH__
    constexpr unsigned LAST = 32;
#else
    constexpr unsigned LAST = 1;
#endif
    VDNN_SHARED(T, parts, [(size_t) THREADS]);
    parts[threadIdx.x] = own;
    __syncthreads();
    for (unsigned half = THREADS / 2; half >= LAST; half /= 2) {
        if (threadIdx.x < half)
            parts[threadIdx.x] += parts[threadIdx.x + half];
        __syncthreads();
    }
#ifdef __CUDA_ARCH__
    if (threadIdx.x < LAST) {
        T sum = parts[threadIdx.x];
        for (unsigned half = LAST / 2; half > 0; half /= 2)
            sum += __shfl_down_sync(~0U, sum, half);
        if (threadIdx.x == 0)
            parts[0] = sum;
    }
    __syncthreads();
#endif
    T sum = parts[0];
    __syncthreads();
    return sum;
}

/* The same for threads whose numbers differ by multiples of WIDTH, a power of two, and any type
 * with +=: the first WIDTH threads get a sum each. */
template <class T, int THREADS, int WIDTH> static __device__ T vdnn_cuda_sum_lanes(T own)
{
    VDNN_SHARED(T, parts, [(size_t) THREADS]);
    parts[threadIdx.x] = own;
    __syncthreads();
    for (unsigned half = THREADS / 2; half >= WIDTH; half /= 2) {
        if (threadIdx.x < half)
            parts[threadIdx.x] += parts[threadIdx.x + half];
        __syncthreads();
    }
    T sum = parts[threadIdx.x];
    __syncthreads();
    return sum;
}

static inline const vdnn_cuda_stream *vdnn_cuda_stream_of(const vdnn_kernel_args *args)
{
    return static_cast<const vdnn_cuda_stream *>(args->stream);
}

static inline vdnn_status vdnn_cuda_copy(const vdnn_kernel_args *args, void *to, const void *from,
                                         size_t bytes)
{
    cudaError_t error = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice,
                                        vdnn_cuda_stream_of(args)->handle);
    return error == cudaSuccess ? VDNN_OK : vdnn_cuda_fail("cudaMemcpyAsync", error);
}

/* A row of the table of algorithms. */
static constexpr vdnn_algorithm
vdnn_cuda_row(const char *type, const char *name, unsigned passes,
              const char *(*refusal)(const vdnn_kernel *),
              vdnn_status (*run)(const vdnn_kernel *, const vdnn_kernel_args *),
              vdnn_status (*workspace)(const vdnn_kernel *, size_t *) = nullptr,
              const void *variant = nullptr, bool is_deterministic = true)
{
    vdnn_algorithm row = {};
    row.layer_type = type;
    row.name = name;
    row.device = "cuda";
    row.passes = passes;
    row.deterministic = is_deterministic;
    row.refusal = refusal;
    row.workspace = workspace;
    row.variant = variant;
    row.run = run;
    return row;
}

/* The same, whose operations are not those of the direct form. */
static constexpr vdnn_algorithm
vdnn_cuda_working(vdnn_algorithm row, vdnn_work (*work)(const vdnn_layer *, vdnn_pass, int64_t),
                  int64_t tile)
{
    row.work = work;
    row.tile = tile;
    return row;
}

/* The same, in passes whose bits do not depend on the batch, and on the channels. */
static constexpr vdnn_algorithm vdnn_cuda_invariant(vdnn_algorithm row, unsigned batch,
                                                    unsigned channels = 0)
{
    row.batch_invariant = batch;
    row.channel_invariant = channels;
    return row;
}

/* The same, which does not apply to volumes. */
static constexpr vdnn_algorithm vdnn_cuda_pictures(vdnn_algorithm row)
{
    row.pictures_only = true;
    return row;
}

/* The same, with which others are compared. */
static constexpr vdnn_algorithm vdnn_cuda_reference(vdnn_algorithm row)
{
    row.is_reference = true;
    return row;
}

#define VDNN_CUDA_DATA_PASSES (1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA)
#define VDNN_CUDA_ALL_PASSES (VDNN_CUDA_DATA_PASSES | 1U << VDNN_BACKWARD_FILTER)

static inline bool vdnn_cuda_is_plain(const vdnn_layer *layer)
{
    bool is_plain = layer->y.layout == VDNN_NCHW;
    for (int32_t i = 0; i < layer->input_count; i++)
        is_plain = is_plain && layer->x[i].layout == VDNN_NCHW;
    return is_plain;
}

static inline bool vdnn_cuda_is_padded(const vdnn_desc *map)
{
    return vdnn_desc_channels(map) != map->dims[VDNN_C];
}

static inline bool vdnn_cuda_has_form(const vdnn_desc *map)
{
    bool has_type = map->dtype == VDNN_F32 || map->dtype == VDNN_TF32 || map->dtype == VDNN_BF16;
    return has_type && (map->layout == VDNN_NCHW || vdnn_layout_is_nhwc(map->layout));
}

/* Strides of a map: to the next channel, to the next cell, and to the next sample. */
typedef struct vdnn_cuda_steps {
    int64_t sample, channel, cell;
} vdnn_cuda_steps;

static inline vdnn_cuda_steps vdnn_cuda_steps_of(const vdnn_desc *map)
{
    int64_t cells = map->dims[VDNN_H] * map->dims[VDNN_W], channels = vdnn_desc_channels(map);
    return vdnn_layout_is_nhwc(map->layout) ? vdnn_cuda_steps{cells * channels, 1, channels}
                                            : vdnn_cuda_steps{cells * channels, cells, 1};
}

/* Why the card does not compute with maps of a type. */
static inline const char *vdnn_cuda_type_refusal(vdnn_dtype dtype)
{
    if (dtype != VDNN_F32 && vdnn_cuda_capability() < VDNN_CUDA_FAST_CAPABILITY)
        return "tf32 and bf16 require compute capability 8.0 or newer";
    return nullptr;
}

/* Why kernels for maps in nchw and nhwc, padded or not, do not support a layer. */
static inline const char *vdnn_cuda_padded_refusal(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    bool has_forms = vdnn_cuda_has_form(&layer->y);
    for (int32_t i = 0; i < layer->input_count; i++)
        has_forms = has_forms && vdnn_cuda_has_form(&layer->x[i]);
    if (!has_forms)
        return "a map is not f32, tf32 or bf16 in nchw or nhwc";
    return vdnn_cuda_type_refusal(layer->x[0].dtype);
}

/* The same for kernels that do not support padding. */
static inline const char *vdnn_cuda_free_refusal(const vdnn_kernel *kernel)
{
    const char *why = vdnn_cuda_padded_refusal(kernel);
    bool is_padded = vdnn_cuda_is_padded(&kernel->layer->y);
    for (int32_t i = 0; i < kernel->layer->input_count; i++)
        is_padded = is_padded || vdnn_cuda_is_padded(&kernel->layer->x[i]);
    return why == nullptr && is_padded ? "the channels of a map are padded" : why;
}

/* The same for kernels of plain maps. */
static inline const char *vdnn_cuda_refusal(const vdnn_kernel *kernel)
{
    const char *why = vdnn_cuda_free_refusal(kernel);
    return why != nullptr || vdnn_cuda_is_plain(kernel->layer) ? why : "a map is not in nchw";
}

#endif
