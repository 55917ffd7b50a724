#ifndef VDNN_LAYERS_CUDA_KERNEL_H
#define VDNN_LAYERS_CUDA_KERNEL_H

/* What every .cu file begins with: the library's headers, the words that kernels are written in,
 * and what launches them. Files are compiled by nvcc, and by g++ for the stand-in of the tests,
 * which has the same words; so a kernel uses threadIdx and its like, __syncthreads, and what is
 * here, and nothing else of CUDA.
 *
 * Invariant: no result depends on the order of blocks or threads: each element is written by one
 * thread, sums are cut by shapes alone, floats are never added atomically.
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

#include <cstdint>
#include <cuda_runtime.h>

#define _Noreturn [[noreturn]]

extern "C" {
#include "layers/cuda_stream.h"
#include "layers/registry.h"
}

#ifdef __CUDACC__
#define VDNN_LAUNCH(kernel, grid, block, stream, ...)                                              \
    kernel<<<grid, block, 0, stream>>>(__VA_ARGS__)
/* VDNN_SHARED(float, tile, [32][33]): memory of the block, full of whatever was there. */
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

/* a * b, and a + b, each rounded: where a fused operation would give other bits than the CPU. */
static __device__ __forceinline__ float vdnn_cuda_product(float a, float b)
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

/* The sum over the block's threads, which must be a power of two and all call; in every thread. The
 * order of additions is that of a tree over the threads' numbers. */
template <class T, int THREADS> static __device__ T vdnn_cuda_sum(T own)
{
    VDNN_SHARED(T, parts, [(size_t) THREADS]);
    parts[threadIdx.x] = own;
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            parts[threadIdx.x] += parts[threadIdx.x + half];
        __syncthreads();
    }
    T sum = parts[0];
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
              const void *variant = nullptr)
{
    vdnn_algorithm row = {};
    row.layer_type = type;
    row.name = name;
    row.device = "cuda";
    row.passes = passes;
    row.deterministic = true;
    row.refusal = refusal;
    row.workspace = workspace;
    row.variant = variant;
    row.run = run;
    return row;
}

#define VDNN_CUDA_DATA_PASSES (1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA)
#define VDNN_CUDA_ALL_PASSES (VDNN_CUDA_DATA_PASSES | 1U << VDNN_BACKWARD_FILTER)

/* Why kernels for plain f32 maps cannot work on a layer. */
static inline const char *vdnn_cuda_refusal(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    for (int32_t i = 0; i < layer->input_count; i++)
        if (layer->x[i].dtype != VDNN_F32 || layer->x[i].layout != VDNN_NCHW)
            return "a map is not f32 in nchw";
    if (layer->y.layout != VDNN_NCHW)
        return "a map is not f32 in nchw";
    if (layer->relu)
        return "it does not apply the relu behind the layer";
    return nullptr;
}

#endif
