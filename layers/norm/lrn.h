#ifndef VDNN_LAYERS_NORM_LRN_H
#define VDNN_LAYERS_NORM_LRN_H

/* The config of local response normalization across channels, for its algorithms:
 *
 *     y[c] = x[c] * d[c] ^ -beta,   d[c] = k + alpha / size * (sum of x ^ 2 over the window of c)
 *
 * The window of c is c - size / 2 .. c + (size - 1) / 2, limited to the existing channels, as in
 * PyTorch's LocalResponseNorm.
 *
 * Invariant: size >= 1; k and alpha are at least 0 and not both 0.
 * Threads: const once read.
 *
 *     const vdnn_lrn_config *lrn = layer->config;
 *     int64_t first = c - lrn->size / 2, last = c + (lrn->size - 1) / 2;
 */

#include "layers/layer.h"

typedef struct vdnn_lrn_config {
    int64_t size;
    double alpha, beta, k;
} vdnn_lrn_config;

#endif
