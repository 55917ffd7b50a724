#ifndef VDNN_LAYERS_CUDA_EPILOGUE_H
#define VDNN_LAYERS_CUDA_EPILOGUE_H

/* Follows the products of convolutions and fully connected layers on the CUDA device: the bias, one
 * value per channel, params[1], the fused relu, and the bias's gradient.
 *
 * Invariant: does nothing for a layer with neither. y is rounded once, after the bias. NaN is
 * propagated, as by relu.
 * Threads: the one that drives the device.
 *
 *     float beta;                                             // y = product + beta * y
 *     status = vdnn_cuda_epilogue_begin(kernel, args, &beta); // products of libraries
 *     status = product(kernel, args, beta);
 *     return vdnn_cuda_epilogue_finish(kernel, args, status);
 *
 *     problem.epilogue = vdnn_cuda_epilogue_of(kernel, args); // kernels that write y themselves
 *     y[i] = epilogue.of(channel, sum);
 *     return vdnn_cuda_epilogue_gradient(kernel, args, status);
 */

#include "layers/cuda/kernel.h"

struct vdnn_cuda_epilogue {
    const float *bias; /* NULL: none */
    bool relu;

    __device__ __forceinline__ float of(int64_t channel, float product) const
    {
        float sum = bias == nullptr ? product : product + bias[channel];
        return relu && sum <= 0 ? 0.0F : sum;
    }
};

/* In passes other than forward the epilogue does nothing. */
vdnn_cuda_epilogue vdnn_cuda_epilogue_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args);

/* In forward, y is filled with the bias and *beta is 1; without a bias, and in other passes, *beta
 * is 0 and nothing is written. */
vdnn_status vdnn_cuda_epilogue_begin(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                     float *beta);

/* In forward, adds the bias, if there is one, to y. */
vdnn_status vdnn_cuda_epilogue_add(const vdnn_kernel *kernel, const vdnn_kernel_args *args);

/* The workspace's size if the product requires `bytes` of it: the gradient's part is after that. */
size_t vdnn_cuda_epilogue_room(const vdnn_kernel *kernel, size_t bytes);

/* The relu, or the gradient, after a pass that ended with `status`; nothing if that failed. */
vdnn_status vdnn_cuda_epilogue_finish(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                      vdnn_status status);

/* The gradient alone, after kernels that have applied the relu. */
vdnn_status vdnn_cuda_epilogue_gradient(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                        vdnn_status status);

#endif
