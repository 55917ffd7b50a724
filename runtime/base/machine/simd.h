#ifndef VDNN_RUNTIME_BASE_MACHINE_SIMD_H
#define VDNN_RUNTIME_BASE_MACHINE_SIMD_H

/* Instructions of x86 processors that kernels are written in, and which of them this one has.
 *
 * Invariant: no other file includes the compiler's headers of a processor, or asks what it has. All
 * code that uses them is for VDNN_SIMD_X86 alone, next to code in C that does the same or says that
 * it is missing; so everything builds, and passes its tests, for other processors too. Threads:
 * any.
 *
 *     #if VDNN_SIMD_X86
 *     VDNN_AVX512 static void scale_avx512(float *y, int64_t count) { ... }
 *     #endif
 *     if (vdnn_simd_has_avx512()) ...
 */

#include <stdbool.h>

#if defined(__x86_64__)
#define VDNN_SIMD_X86 1
#include <cpuid.h>
#include <immintrin.h>

#define VDNN_AVX512 __attribute__((target("avx512f")))
#define VDNN_AVX2 __attribute__((target("avx2,fma")))
/* Inlined with constant counts, so that values stay in registers. */
#define VDNN_AVX512_INLINE static inline __attribute__((always_inline, target("avx512f")))
#define VDNN_AVX2_INLINE static inline __attribute__((always_inline, target("avx2,fma")))

static inline bool vdnn_simd_has_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
}

static inline bool vdnn_simd_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#else
#define VDNN_SIMD_X86 0

static inline bool vdnn_simd_has_avx512(void)
{
    return false;
}

static inline bool vdnn_simd_has_avx2(void)
{
    return false;
}
#endif

#endif
