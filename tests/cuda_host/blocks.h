#ifndef VDNN_TESTS_CUDA_HOST_BLOCKS_H
#define VDNN_TESTS_CUDA_HOST_BLOCKS_H

/* Runs a kernel's blocks: the threads of a block are fibers, which change at barriers alone. A
 * thread that meets none runs to its end, and the next one takes over its stack.
 *
 * Between two barriers one thread runs after the other, so of two that race there the order says
 * which one is first: a barrier that is missing shows in one of two orders at least.
 *
 * Invariant: a barrier that not all threads of the block come to ends the process, with the
 * kernel's name. Blocks run in an order that is not theirs. The same number, the same orders.
 * Threads: any; blocks of a launch run on the caller's.
 *
 *     vdnn_cuda_host::run_blocks("scale", blocks, threads, 2, [] { scale(x, count); });
 */

#include <cuda_runtime.h>

namespace vdnn_cuda_host
{

/* `order` of a block's threads: 1 ascending, 2 descending, 3 the one and, behind every other
 * barrier, the other; from 4 on by chance, another one behind every barrier, seeded with the
 * number. */
void run_blocks(const char *name, dim3 blocks, dim3 threads, unsigned order,
                const std::function<void()> &thread);

} // namespace vdnn_cuda_host

#endif
