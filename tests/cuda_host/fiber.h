#ifndef VDNN_TESTS_CUDA_HOST_FIBER_H
#define VDNN_TESTS_CUDA_HOST_FIBER_H

/* Fibers: stacks that one thread of the system changes between, known to the sanitizers.
 *
 * Invariant: a fiber belongs to the thread that made it; its entry never returns.
 * Threads: each has its own.
 *
 *     vdnn_cuda_host::fiber caller, *other = vdnn_cuda_host::fiber_create(entry);
 *     vdnn_cuda_host::fiber_switch(caller, *other);   // until someone switches back
 *     vdnn_cuda_host::fiber_destroy(other);
 */

#include <cstddef>
#include <ucontext.h>

namespace vdnn_cuda_host
{

struct fiber {
    void *stack_pointer = nullptr; /* while it is not running */
    ucontext_t context = {};       /* where there is no switch of our own */
    char *stack = nullptr;         /* with a guard page below it; NULL: a thread's */
    size_t stack_bytes = 0;
    const void *bottom = nullptr; /* for the address sanitizer */
    void *fake_stack = nullptr, *tsan = nullptr;
};

fiber *fiber_create(void (*entry)());
void fiber_destroy(fiber *own);
void fiber_switch(fiber &from, fiber &to);

/* The first thing that an entry calls: it was switched to from there. */
void fiber_begin(fiber &from);

} // namespace vdnn_cuda_host

#endif
