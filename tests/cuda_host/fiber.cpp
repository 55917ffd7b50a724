#include "tests/cuda_host/fiber.h"

#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace vdnn_cuda_host
{

namespace
{

constexpr size_t STACK_BYTES = 256 * 1024, GUARD_BYTES = 4096;

} // namespace

/* What the callee must keep (System V ABI), then the other stack. swapcontext would also ask the
 * system for the signal mask, twice a switch. */
#if defined(__x86_64__)

extern "C" void vdnn_cuda_host_switch(void **from, void *to);

__asm__(".text\n"
        ".type vdnn_cuda_host_switch, @function\n"
        "vdnn_cuda_host_switch:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size vdnn_cuda_host_switch, . - vdnn_cuda_host_switch\n");

static void prepare(fiber *own, void (*entry)())
{
    constexpr int SAVED = 6;
    auto *top = reinterpret_cast<uint64_t *>(own->stack + GUARD_BYTES + own->stack_bytes);
    *--top = 0; /* a return address of the entry, which has none; keeps its stack aligned */
    *--top = reinterpret_cast<uint64_t>(entry);
    for (int i = 0; i < SAVED; i++)
        *--top = 0;
    own->stack_pointer = top;
}

static void change(fiber &from, fiber &to)
{
    vdnn_cuda_host_switch(&from.stack_pointer, to.stack_pointer);
}

#else

static void prepare(fiber *own, void (*entry)())
{
    (void)getcontext(&own->context);
    own->context.uc_stack.ss_sp = own->stack + GUARD_BYTES;
    own->context.uc_stack.ss_size = own->stack_bytes;
    own->context.uc_link = nullptr;
    makecontext(&own->context, entry, 0);
}

static void change(fiber &from, fiber &to)
{
    (void)swapcontext(&from.context, &to.context);
}

#endif

fiber *fiber_create(void (*entry)())
{
    auto *own = new fiber;
    own->stack_bytes = STACK_BYTES;
    void *stack = mmap(nullptr, GUARD_BYTES + STACK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED || mprotect(stack, GUARD_BYTES, PROT_NONE) != 0)
        abort();
    own->stack = static_cast<char *>(stack);
    own->bottom = own->stack + GUARD_BYTES;
#if defined(__SANITIZE_THREAD__)
    own->tsan = __tsan_create_fiber(0);
#endif
    prepare(own, entry);
    return own;
}

void fiber_destroy(fiber *own)
{
#if defined(__SANITIZE_THREAD__)
    __tsan_destroy_fiber(own->tsan);
#endif
#if defined(__SANITIZE_ADDRESS__)
    /* Its entry did not return: what is mapped there next would lie in the frame's red zones. */
    __asan_unpoison_memory_region(own->stack, GUARD_BYTES + own->stack_bytes);
#endif
    (void)munmap(own->stack, GUARD_BYTES + own->stack_bytes);
    delete own;
}

void fiber_switch(fiber &from, fiber &to)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&from.fake_stack, to.bottom, to.stack_bytes);
#endif
#if defined(__SANITIZE_THREAD__)
    if (from.stack == nullptr)
        from.tsan = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to.tsan, 0);
#endif
    change(from, to);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
#endif
}

void fiber_begin(fiber &from)
{
#if defined(__SANITIZE_ADDRESS__)
    const void *bottom = nullptr;
    size_t bytes = 0;
    __sanitizer_finish_switch_fiber(nullptr, &bottom, &bytes);
    if (from.stack == nullptr) {
        from.bottom = bottom;
        from.stack_bytes = bytes;
    }
#else
    (void)from;
#endif
}

} // namespace vdnn_cuda_host
