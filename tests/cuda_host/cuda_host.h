#ifndef VDNN_TESTS_CUDA_HOST_CUDA_HOST_H
#define VDNN_TESTS_CUDA_HOST_CUDA_HOST_H

/* The emulation of CUDA on the CPU: a card that is this machine's processor, and the faults that
 * tests can inject. Streams are threads, copies and kernels are really asynchronous, every kernel
 * is really executed. It shows nothing about a GPU's speed, memory model or rounding.
 *
 * Invariant: an error that a kernel raised sticks, as on a GPU, until vdnn_cuda_host_reset; an
 * error of a call does not. Memory, streams, events and libraries' handles are of the card that was
 * current for the thread that made them, and work with what is of the same card alone.
 * Threads: settings are made while nothing runs.
 *
 *     vdnn_cuda_host_reset();
 *     vdnn_cuda_host_set("devices", 2);
 *     vdnn_cuda_host_fail("cudaMalloc", 3, cudaErrorMemoryAllocation);   // the third from now on
 *     assert_int_equal(vdnn_device_open("cuda", &options, &device), VDNN_DEVICE);
 *     assert_int_equal(vdnn_cuda_host_calls("cudaMalloc"), 3);
 *
 * In a program that is linked with it the environment says the same when it starts:
 * VDNN_CUDA_HOST="devices=0 driver=12040 memory=1048576 cudaMalloc:3=2", or with commas.
 */

#include <cuda_runtime_api.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One card of compute capability 9.0, a driver as new as the runtime, no fault. Frees nothing. */
void vdnn_cuda_host_reset(void);

/* "devices", "driver" (as cudaDriverGetVersion says it; 0: none), "memory" (bytes of a card),
 * "capability" (10 * major + minor), "cublas" and "cufft" (their major version), "cudnn" (its
 * version as cudnnGetVersion says it), "nccl" (as ncclGetVersion does); a library of version 0 is
 * not there. "module": bytes of a card's memory that each kernel takes when it is first launched
 * there. "fusion": whether cuDNN has convolutions with bias and relu. "order": in which a block's
 * threads run (blocks.h), 0: another one for each launch, the same ones each time. "sticky":
 * whether what is made to fail loses the card: every later call fails with that error. False: no
 * such setting. */
bool vdnn_cuda_host_set(const char *name, long long value);

/* The n-th call from now on (1: the next) fails; 0: none. "kernel" is the n-th kernel, which fails
 * where it runs; "cublas" the n-th product, "cudnn" the n-th convolution, "cufft" the n-th
 * transform. A "dlopen" that fails misses a library that the file wants, a "dlsym" the function.
 * One fault a name at a time. */
void vdnn_cuda_host_fail(const char *call, int nth, int error);

/* Calls of that name since the last reset or fail. */
int vdnn_cuda_host_calls(const char *call);

/* Bytes that were copied in that direction since the last reset. */
long long vdnn_cuda_host_bytes(enum cudaMemcpyKind kind);

/* Blocks, streams, events and registrations that were made and not yet taken back. */
int vdnn_cuda_host_live(void);

#ifdef __cplusplus
}
#endif

#endif
