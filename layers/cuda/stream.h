#ifndef VDNN_LAYERS_CUDA_STREAM_H
#define VDNN_LAYERS_CUDA_STREAM_H

/* The stream that the CUDA device passes to kernels (vdnn_kernel_args.stream): they enqueue their
 * launches there, and the libraries are bound to it.
 *
 * Invariant: launches run in the stream's order; no kernel waits for them.
 * Threads: the one that drives the device.
 *
 *     const vdnn_cuda_stream *stream = args->stream;
 *     VDNN_LAUNCH(scale, blocks, threads, stream->handle, y, count);
 *     return vdnn_cuda_launched("scale");
 */

#include "runtime/base/status.h"

#include <cuda_runtime_api.h>

/* A library's handle is NULL if it was not found, cannot use this card, or the stream is not for
 * kernels. */
typedef struct vdnn_cuda_stream {
    cudaStream_t handle;
    struct cublasContext *blas; /* a cublasHandle_t */
    struct cudnnContext *dnn;   /* a vdnn_dnn_handle */
} vdnn_cuda_stream;

enum { VDNN_CUDA_FAST_CAPABILITY = 80 }; /* the first capability with tf32 and bf16 */

/* 10 * major + minor of the card that the thread has selected; 0: unknown. */
int vdnn_cuda_capability(void);

/* VDNN_DEVICE with the call, the error and what would help; clears the thread's last error. */
vdnn_status vdnn_cuda_fail(const char *call, cudaError_t error);

/* VDNN_OK of cudaSuccess. */
vdnn_status vdnn_cuda_check(const char *call, cudaError_t error);
#define VDNN_CUDA_CALL(name, ...) vdnn_cuda_check(#name, name(__VA_ARGS__))

/* The error of the launches since the last call of the runtime. */
vdnn_status vdnn_cuda_launched(const char *kernel);

#endif
