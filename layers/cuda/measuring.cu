#include "layers/cuda/kernel.h"

#include "layers/pattern.h"

#ifndef __CUDACC__
#include <ctime>
#endif

static cudaStream_t handle_of(void *stream)
{
    return static_cast<const vdnn_cuda_stream *>(stream)->handle;
}

/* ---- fill: a thread makes a block of the pattern, and writes it at once ------------------------
 */

struct alignas(VDNN_PATTERN_BLOCK_BYTES) pattern_block {
    uint32_t words[(size_t)VDNN_PATTERN_WORDS];
};

__global__ static void fill_blocks(pattern_block *to, int64_t first, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i >= count)
        return;
    pattern_block own;
    vdnn_pattern((uint32_t)((first + i) % VDNN_PATTERN_BLOCKS), own.words);
    to[i] = own;
}

static vdnn_status fill(void *to, size_t offset, size_t bytes, int threads, void *stream)
{
    auto first = (int64_t)(offset / VDNN_PATTERN_BLOCK_BYTES);
    auto count = (int64_t)(bytes / VDNN_PATTERN_BLOCK_BYTES);
    (void)threads;
    if (count > 0)
        VDNN_LAUNCH(fill_blocks, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, handle_of(stream),
                    static_cast<pattern_block *>(to), first, count);
    return vdnn_cuda_launched("fill");
}

__global__ static void number_samples(int32_t *to, int64_t count, int32_t below)
{
    int64_t i = vdnn_cuda_index();
    if (i < count)
        to[i] = (int32_t)(i % below);
}

static vdnn_status number(int32_t *to, int64_t count, int32_t below, int threads, void *stream)
{
    (void)threads;
    if (count > 0)
        VDNN_LAUNCH(number_samples, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, handle_of(stream),
                    to, count, below);
    return vdnn_cuda_launched("number");
}

/* ---- sweep ----------------------------------------------------------------------------------- */

/* Writes, which fill the cache with lines that must be written back, as the maps of other layers
 * do. */
static vdnn_status sweep(void *at, size_t bytes, int threads, void *stream)
{
    (void)threads;
    return VDNN_CUDA_CALL(cudaMemsetAsync, at, 0, bytes, handle_of(stream));
}

/* ---- hold ------------------------------------------------------------------------------------ */

/* By a clock that is independent of the card's frequency, so that a hold ends by itself. */
static __device__ __forceinline__ uint64_t nanoseconds()
{
#ifdef __CUDACC__
    uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
#else
    constexpr uint64_t SECOND = 1000000000;
    timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
#endif
}

__global__ static void wait_for(uint64_t duration)
{
    uint64_t begin = nanoseconds();
    while (nanoseconds() - begin < duration)
        continue;
}

static vdnn_status hold(double seconds, void *stream)
{
    VDNN_LAUNCH(wait_for, 1, 1, handle_of(stream), (uint64_t)(1e9 * seconds));
    return vdnn_cuda_launched("hold");
}

const vdnn_measuring vdnn_measuring_native_cuda = {"cuda", fill, number, sweep, hold, nullptr};
