#ifndef VDNN_TESTS_CUDA_HOST_RACY_KERNELS_H
#define VDNN_TESTS_CUDA_HOST_RACY_KERNELS_H

/* Kernels with a barrier that can be left out, to show that the emulation's orders of threads tell.
 *
 * Invariant: with the barrier a kernel gives the same values in every order.
 * Threads: one.
 *
 *     float values[VDNN_RACY_THREADS];
 *     vdnn_racy_run(0, true, values);
 */

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { VDNN_RACY_THREADS = 64 };

size_t vdnn_racy_count(void);
const char *vdnn_racy_name(size_t i);

/* Runs the kernel in a block of its threads, each of which writes one of the values; returns when
 * it is done. */
void vdnn_racy_run(size_t i, bool has_barrier, float *values);

#ifdef __cplusplus
}
#endif

#endif
