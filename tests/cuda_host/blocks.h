#ifndef VDNN_TESTS_CUDA_HOST_BLOCKS_H
#define VDNN_TESTS_CUDA_HOST_BLOCKS_H

/* Runs a kernel's blocks: the threads of a block are fibers, which change at barriers alone. A
 * thread that meets none runs to its end, and the next one takes over its stack.
 *
 * Invariant: a barrier that not all threads of the block come to ends the process, with the
 * kernel's name. Blocks run in an order that is not theirs.
 * Threads: any; blocks of a launch run on the caller's.
 *
 *     vdnn_cuda_host::run_blocks("scale", blocks, threads, [] { scale(x, count); });
 */

#include <cuda_runtime.h>

namespace vdnn_cuda_host
{

void run_blocks(const char *name, dim3 blocks, dim3 threads, const std::function<void()> &thread);

} // namespace vdnn_cuda_host

#endif
