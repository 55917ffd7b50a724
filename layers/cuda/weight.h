#ifndef VDNN_LAYERS_CUDA_WEIGHT_H
#define VDNN_LAYERS_CUDA_WEIGHT_H

/* The weight that kernels read, in the type and layout of the maps (layers/weight_copy.h): from the
 * plan's copy, or converted in every pass if there is none. The gradient has that layout too, in
 * f32, before it is finished; its padding is dropped.
 *
 * Invariant: the weight itself is never changed; backward filter reads none.
 * Threads: the one that drives the device.
 *
 *     *bytes = vdnn_cuda_weight_bytes(kernel) + own_bytes;
 *     const void *w = vdnn_cuda_weight(kernel, args);      // copy, workspace, or where it is
 *     own = (char *)args->workspace + vdnn_cuda_weight_bytes(kernel);
 *     float *dw = vdnn_cuda_weight_gradient(kernel, args); // in backward filter: there too
 *     status = vdnn_cuda_weight_finish(kernel, args, status);
 */

#include "layers/cuda/stream.h"
#include "layers/layer.h"

/* Bytes at the beginning of the kernel's workspace: a multiple of 256, possibly 0. */
size_t vdnn_cuda_weight_bytes(const vdnn_kernel *kernel);

/* Enqueues its conversion if it needs one and there is no copy. */
const void *vdnn_cuda_weight(const vdnn_kernel *kernel, const vdnn_kernel_args *args);

/* Enqueues the conversion of a complete weight, with padding, of a layer that has a copy.
 * vdnn_cuda_launched returns errors. */
void vdnn_cuda_weight_convert(const vdnn_layer *layer, const float *w, void *copy,
                              const vdnn_cuda_stream *stream);

/* Where backward filter writes the gradient, in f32. */
float *vdnn_cuda_weight_gradient(const vdnn_kernel *kernel, const vdnn_kernel_args *args);

/* After backward filter, which ended with `status`, copies the gradient to dw; nothing if that
 * failed, and in other passes. */
vdnn_status vdnn_cuda_weight_finish(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                    vdnn_status status);

/* Enqueue: from f32 to bf16, rounded to nearest, and back. vdnn_cuda_launched returns errors. */
void vdnn_cuda_narrow(const vdnn_cuda_stream *stream, const float *from, void *to, int64_t count);
void vdnn_cuda_widen(const vdnn_cuda_stream *stream, const void *from, float *to, int64_t count);

#endif
