#ifndef VDNN_RUNTIME_BASE_CLONES_H
#define VDNN_RUNTIME_BASE_CLONES_H

/* Loops that are compiled for several instruction sets, of which the processor's is chosen when the
 * program starts.
 *
 * Invariant: floating-point contraction is off, so that a result depends on none of them.
 * Threads: any.
 *
 *     VDNN_CPU_CLONES static void scale(float *y, int64_t count)
 *     {
 *         for (int64_t i = 0; i < count; i++)
 *             y[i] *= 2;
 *     }
 */

/* Sanitizers cannot run in the resolvers, and clang does not support the attribute. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) &&                        \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define VDNN_CPU_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VDNN_CPU_CLONES
#endif

#endif
