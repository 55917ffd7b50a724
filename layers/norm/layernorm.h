#ifndef VDNN_LAYERS_NORM_LAYERNORM_H
#define VDNN_LAYERS_NORM_LAYERNORM_H

/* Layer norm and RMS norm: each row, a vector of a sample or of a position of a sequence, is
 * normalized by itself.
 *
 *     layernorm   y = w (x - mean) r + b, r = 1 / sqrt(variance + eps)   as torch.nn.LayerNorm
 *     rmsnorm     y = w x r,              r = 1 / sqrt(mean of x^2 + eps)   as torch.nn.RMSNorm
 *
 * with the variance of all C values of the row (not C - 1). Backward, for n = (x - mean) r, or x r:
 *
 *     g = w dy;  dx = r (g - mean of g - n mean of g n)   without the mean of g in an RMS norm
 *     dw = sum of dy n over the rows;  db = sum of dy
 *
 * Invariant: aux has the mean and r of each row, or r alone, as floats, row by row.
 * Threads: const once read.
 *
 *     const vdnn_layernorm_shape s = vdnn_layernorm_shape_of(layer);
 *     const float *statistics = args->aux + s.statistics * row;
 */

#include "layers/layer.h"

typedef struct vdnn_layernorm_config {
    double eps;
    bool bias; /* of layernorm */
} vdnn_layernorm_config;

typedef struct vdnn_layernorm_shape {
    int64_t rows, width;
    int64_t statistics; /* of a row: 2 with the mean, which comes first, else 1 */
} vdnn_layernorm_shape;

vdnn_layernorm_shape vdnn_layernorm_shape_of(const vdnn_layer *layer);

#endif
