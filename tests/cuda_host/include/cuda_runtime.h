#ifndef VDNN_TESTS_CUDA_HOST_INCLUDE_CUDA_RUNTIME_H
#define VDNN_TESTS_CUDA_HOST_INCLUDE_CUDA_RUNTIME_H

/* CUDA's primitives for kernels, on the CPU: a kernel is a function that the emulation calls once
 * for each thread, with threadIdx and its like set; the threads of a block are fibers of one thread
 * of the system, which take turns at barriers.
 *
 * Invariant: a kernel that keeps to the words below and to layers/cuda/kernel.h means the same here
 * and on a GPU, but for the order of blocks and of a block's threads, which is fixed on neither.
 * Threads: a launch is queued by any; each stream runs its launches one after the other.
 *
 *     __global__ static void scale(float *x, int count)
 *     {
 *         int i = blockIdx.x * blockDim.x + threadIdx.x;
 *         ...
 *     }
 *     VDNN_LAUNCH(scale, grid, block, stream, x, count);
 */

#include "cuda_runtime_api.h"

#include <functional>
#include <math.h>
#include <tuple>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)

struct uint3 {
    unsigned x, y, z;
};

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_)
    {
    }
};

namespace vdnn_cuda_host
{

/* Of the kernel's thread that runs now on this thread of the system. */
struct place {
    uint3 thread, block;
    dim3 threads, blocks;
};

inline thread_local place here = {{0, 0, 0}, {0, 0, 0}, {}, {}};

/* The other threads of the block run until all have come here. */
void barrier();

/* The block's memory for one declaration; full of NaN when the block begins. */
void *shared(const void *site, size_t bytes);

/* `arguments` are those of the kernel, so many bytes: what of them is an address is looked at. */
void enqueue(const char *name, dim3 blocks, dim3 threads, cudaStream_t stream,
             std::function<void()> thread, const void *arguments, size_t argument_bytes);

template <class... Parameters, class... Arguments>
void launch(const char *name, dim3 blocks, dim3 threads, cudaStream_t stream,
            void (*kernel)(Parameters...), Arguments... arguments)
{
    /* Arguments are taken at the launch, as they are on a GPU. */
    std::tuple<Parameters...> taken(static_cast<Parameters>(arguments)...);
    __builtin_clear_padding(&taken); /* or what is left there may look like an address */
    enqueue(
        name, blocks, threads, stream, [kernel, taken] { std::apply(kernel, taken); }, &taken,
        sizeof taken);
}

} // namespace vdnn_cuda_host

#define threadIdx (vdnn_cuda_host::here.thread)
#define blockIdx (vdnn_cuda_host::here.block)
#define blockDim (vdnn_cuda_host::here.threads)
#define gridDim (vdnn_cuda_host::here.blocks)
#define __syncthreads() vdnn_cuda_host::barrier()

#define VDNN_LAUNCH(kernel, grid, block, stream, ...)                                              \
    vdnn_cuda_host::launch(#kernel, grid, block, stream, kernel, __VA_ARGS__)

#define VDNN_SHARED(type, name, dims)                                                              \
    static const char name##_site = 0;                                                             \
    using name##_type = type dims;                                                                 \
    name##_type &name =                                                                            \
        *static_cast<name##_type *>(vdnn_cuda_host::shared(&name##_site, sizeof(name##_type)))

#endif
