#ifndef VDNN_RUNTIME_BASE_NUMBERS_DENORMALS_H
#define VDNN_RUNTIME_BASE_NUMBERS_DENORMALS_H

/* Denormal numbers, which a processor takes up to a hundred times as long for: they are read as
 * zero, and results that would be denormal are zero. A training whose weights decay towards zero
 * keeps its speed.
 *
 * Invariant: a setting of the thread alone, which threads that it starts inherit; so all that a
 * stream of the CPU device computes has it, in the teams of OpenMP too. What calls the library
 * keeps its own.
 * Threads: any.
 *
 *     uint64_t before = vdnn_denormals_flush();
 *     ... compute, start threads ...
 *     vdnn_denormals_restore(before);
 */

#include "runtime/base/machine/simd.h"

#include <stdint.h>

#if VDNN_SIMD_X86

/* FTZ and DAZ of MXCSR. */
#define VDNN_DENORMALS_FLUSHED 0x8040U

static inline uint64_t vdnn_denormals_read(void)
{
    return _mm_getcsr();
}

static inline void vdnn_denormals_restore(uint64_t before)
{
    _mm_setcsr((unsigned)before);
}
#elif defined(__aarch64__)
/* FZ of FPCR. */
#define VDNN_DENORMALS_FLUSHED (UINT64_C(1) << 24)

static inline uint64_t vdnn_denormals_read(void)
{
    uint64_t now;
    __asm__ volatile("mrs %0, fpcr" : "=r"(now));
    return now;
}

static inline void vdnn_denormals_restore(uint64_t before)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(before));
}
#else
#define VDNN_DENORMALS_FLUSHED 0U

static inline uint64_t vdnn_denormals_read(void)
{
    return 0;
}

static inline void vdnn_denormals_restore(uint64_t before)
{
    (void)before;
}
#endif

/* Returns the argument of restore. */
static inline uint64_t vdnn_denormals_flush(void)
{
    uint64_t before = vdnn_denormals_read();
    vdnn_denormals_restore(before | VDNN_DENORMALS_FLUSHED);
    return before;
}

#endif
