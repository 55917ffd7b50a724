#ifndef VDNN_LAYERS_POOL_POOL_H
#define VDNN_LAYERS_POOL_POOL_H

/* The config of max and average pooling, for their algorithms. Sides are height, width, depth, of a
 * picture 1.
 *
 * Invariant: after inference every window has at least one cell inside the input.
 * Threads: const once read.
 *
 *     const vdnn_pool_config *pool = layer->config;
 *     if (vdnn_pool_index_bytes(pool) == 1) uint8_t *argmax = args->aux;
 */

#include "layers/layer.h"

typedef struct vdnn_pool_config {
    int64_t kernel[VDNN_SIDES], stride[VDNN_SIDES], pad[VDNN_SIDES];
    bool ceil;
    bool count_pad; /* average: cells in the padding count in the mean */
} vdnn_pool_config;

/* Bytes of one argmax, the index of a cell within its window in row-major order. */
size_t vdnn_pool_index_bytes(const vdnn_pool_config *pool);

#endif
