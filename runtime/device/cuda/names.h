#ifndef VDNN_RUNTIME_DEVICE_CUDA_NAMES_H
#define VDNN_RUNTIME_DEVICE_CUDA_NAMES_H

/* Names of CUDA streams for profilers, as runtime/base/nvtx.h has them for threads. A separate
 * file, since NVTX declares the stream's type differently.
 *
 * Invariant: without a tool nothing is called.
 * Threads: any.
 *
 *     vdnn_cuda_name_stream(stream, "out");      // "vdnn out"
 */

/* `stream` is a cudaStream_t of the calling thread's card. */
void vdnn_cuda_name_stream(void *stream, const char *name);

#endif
