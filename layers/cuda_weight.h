#ifndef VDNN_LAYERS_CUDA_WEIGHT_H
#define VDNN_LAYERS_CUDA_WEIGHT_H

/* The weight of a convolution or fully connected layer, params[0], in the type of its maps: weights
 * are kept in f32, and libraries multiply what is of one type.
 *
 * Invariant: the weight itself is never changed; backward filter reads none.
 * Threads: the one that drives the device.
 *
 *     *bytes = vdnn_cuda_weight_bytes(kernel) + own_bytes;
 *     const void *w = vdnn_cuda_weight(kernel, args);      // in the workspace, or where it is
 *     own = (char *)args->workspace + vdnn_cuda_weight_bytes(kernel);
 */

#include "layers/layer.h"

/* What it takes at the beginning of the kernel's workspace: a multiple of 256, which may be 0. */
size_t vdnn_cuda_weight_bytes(const vdnn_kernel *kernel);

/* Enqueues its conversion where it needs one. */
const void *vdnn_cuda_weight(const vdnn_kernel *kernel, const vdnn_kernel_args *args);

#endif
