#ifndef VDNN_LAYERS_CUDA_BIAS_H
#define VDNN_LAYERS_CUDA_BIAS_H

/* The bias of convolutions and fully connected layers on the CUDA device: one value a channel,
 * params[1].
 *
 * Invariant: a layer without a bias is left alone. y is rounded once, behind the bias.
 * Threads: the one that drives the device.
 *
 *     float beta;                                             // y = product + beta * y
 *     status = vdnn_cuda_bias_begin(kernel, args, &beta);     // y is what is added to, or not:
 *     status = product(kernel, args, beta);                   // adds vdnn_cuda_bias_of by itself
 *     return vdnn_cuda_bias_finish(kernel, args, status);     // its part of dw
 */

#include "layers/layer.h"

/* A value for each channel of y; NULL: nothing is to be added in the kernel's pass. */
const float *vdnn_cuda_bias_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args);

/* Forward, y is filled with the bias and *beta is 1; where there is none, and in other passes,
 * *beta is 0 and nothing is written. */
vdnn_status vdnn_cuda_bias_begin(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                 float *beta);

/* What finish takes of the workspace, from its beginning on: nothing where y is in nchw. */
size_t vdnn_cuda_bias_bytes(const vdnn_kernel *kernel);

/* Behind backward filter, which ended with `status`, makes the gradient from dy; nothing where that
 * failed, and in other passes. */
vdnn_status vdnn_cuda_bias_finish(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                  vdnn_status status);

#endif
