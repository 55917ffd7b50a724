#ifndef VDNN_TESTS_CUDA_HOST_GATE_KERNEL_H
#define VDNN_TESTS_CUDA_HOST_GATE_KERNEL_H

/* A kernel that ends when a test says so: what else runs meanwhile does not wait for it.
 *
 * Invariant: none passes while the gate is closed.
 * Threads: any.
 *
 *     vdnn_gate_close();
 *     vdnn_gate_pass(stream);     // enqueues the kernel
 *     vdnn_gate_open();
 */

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

void vdnn_gate_close(void);
void vdnn_gate_open(void);
void vdnn_gate_pass(cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
