#ifndef VDNN_LAYERS_NORM_BATCHNORM_H
#define VDNN_LAYERS_NORM_BATCHNORM_H

/* The config, parameters and auxiliary tensor of batch normalization (Ioffe & Szegedy, 2015), for
 * its algorithms. For each channel, over its n values in the batch:
 *
 *     mean = sum x / n,   variance = sum (x - mean) ^ 2 / n
 *     y = weight * (x - mean) / sqrt(variance + eps) + bias
 *
 * Evaluation uses running_mean and running_var in their place, as does a frozen layer. Training
 * averages those with mean and n / (n - 1) * variance, at the rate `momentum`, as PyTorch's
 * BatchNorm2d does.
 *
 * With `sync`, n and the sums are those of all devices that share the batch, which sum them in
 * double, in the order of the devices; without it each device has its own statistics.
 *
 * The auxiliary tensor, f32: | mean of each channel | variance of each channel |, both with the
 * channels of the layout's padding, which are 0.
 *
 * Invariant: n >= 2, because the variance of a single value is 0.
 * Threads: const once read.
 *
 *     const vdnn_batchnorm_config *norm = layer->config;
 *     const float *mean = args->aux, *variance = mean + vdnn_desc_channels(&layer->y);
 *     const float *bias = w + layer->params[VDNN_BATCHNORM_BIAS].offset / sizeof(float);
 */

#include "layers/layer.h"

typedef struct vdnn_batchnorm_config {
    double eps, momentum;
    bool sync;
} vdnn_batchnorm_config;

/* Places in layer->params. */
enum {
    VDNN_BATCHNORM_WEIGHT,
    VDNN_BATCHNORM_BIAS,
    VDNN_BATCHNORM_MEAN,
    VDNN_BATCHNORM_VARIANCE,
    VDNN_BATCHNORM_PARAMS
};

#endif
