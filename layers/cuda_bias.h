#ifndef VDNN_LAYERS_CUDA_BIAS_H
#define VDNN_LAYERS_CUDA_BIAS_H

/* The bias of convolutions and fully connected layers on the CUDA device: one value a channel,
 * params[1].
 *
 * Invariant: a layer without a bias is left alone.
 * Threads: the one that drives the device.
 *
 *     status = vdnn_cuda_bias_add(layer, args);          // y += bias, behind what made y
 *     status = vdnn_cuda_bias_gradient(layer, args);     // its part of dw, from dy
 */

#include "layers/layer.h"

vdnn_status vdnn_cuda_bias_add(const vdnn_layer *layer, const vdnn_kernel_args *args);
vdnn_status vdnn_cuda_bias_gradient(const vdnn_layer *layer, const vdnn_kernel_args *args);

#endif
