#ifndef VDNN_LAYERS_NORM_GROUPNORM_H
#define VDNN_LAYERS_NORM_GROUPNORM_H

/* Group norm and instance norm of pictures: of each sample, each group of neighbouring channels is
 * normalized by itself, with all its cells; in an instance norm a group is one channel.
 *
 *     y = w[c] (x - mean) r + b[c], r = 1 / sqrt(variance + eps)
 *
 * as torch.nn.GroupNorm and torch.nn.InstanceNorm2d, whose presets are with w and b, and without.
 * In nchw the values of a group are contiguous: a row, as those of a layer norm are
 * (layers/norm/layernorm.h), but with a weight for each channel.
 *
 * Invariant: aux has the mean and r of each row, as floats, row by row; a row has two values at
 * least, because the variance of a single one is 0.
 * Threads: const once read.
 *
 *     const vdnn_groupnorm_shape s = vdnn_groupnorm_shape_of(layer);
 *     int64_t channel = row % s.groups * s.channels + i / s.cells; // of element i of a row
 */

#include "layers/layer.h"

typedef struct vdnn_groupnorm_config {
    int64_t groups; /* of groupnorm */
    double eps;
    bool affine;
} vdnn_groupnorm_config;

typedef struct vdnn_groupnorm_shape {
    int64_t rows, groups;    /* samples x groups, of a sample */
    int64_t channels, cells; /* of a group, of a channel */
} vdnn_groupnorm_shape;

vdnn_groupnorm_shape vdnn_groupnorm_shape_of(const vdnn_layer *layer);

#endif
