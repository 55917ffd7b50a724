#ifndef VDNN_LAYERS_CUDA_STREAM_H
#define VDNN_LAYERS_CUDA_STREAM_H

/* What the CUDA device hands to kernels as their stream (vdnn_kernel_args.stream): where they
 * enqueue their launches, and the libraries that are bound to it.
 *
 * Invariant: whatever is enqueued there runs in the stream's order; nothing waits for it.
 * Threads: the one that drives the device.
 *
 *     const vdnn_cuda_stream *stream = args->stream;
 *     VDNN_LAUNCH(scale, blocks, threads, stream->handle, y, count);
 *     return vdnn_cuda_launched("scale");
 */

#include "runtime/base/status.h"

#include <cuda_runtime_api.h>

/* A library's handle is NULL where it was not found, or cannot use this card, or this is no stream
 * for kernels. */
typedef struct vdnn_cuda_stream {
    cudaStream_t handle;
    struct cublasContext *blas; /* a cublasHandle_t */
    struct cudnnContext *dnn;   /* a vdnn_dnn_handle */
} vdnn_cuda_stream;

enum { VDNN_CUDA_FAST_CAPABILITY = 80 }; /* from here on cards compute with tf32 and bf16 */

/* 10 * major + minor of the card that the thread has selected; 0: it cannot be told. */
int vdnn_cuda_capability(void);

/* VDNN_DEVICE with the call, the error and what would help; the thread's last error is cleared. */
vdnn_status vdnn_cuda_fail(const char *call, cudaError_t error);

/* VDNN_OK of cudaSuccess. */
vdnn_status vdnn_cuda_check(const char *call, cudaError_t error);
#define VDNN_CUDA_CALL(name, ...) vdnn_cuda_check(#name, name(__VA_ARGS__))

/* What the launches since the last call of the runtime brought. */
vdnn_status vdnn_cuda_launched(const char *kernel);

#endif
