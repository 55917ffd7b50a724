#ifndef VDNN_LAYERS_POINTWISE_DROPOUT_H
#define VDNN_LAYERS_POINTWISE_DROPOUT_H

/* The config of dropout, for its algorithms.
 *
 * Invariant: 0 <= p <= 1; kept elements are scaled by 1 / (1 - p).
 * Threads: const once read.
 *
 *     const vdnn_dropout_config *dropout = layer->config;
 *     bool dropped = (bits >> 8) < vdnn_dropout_threshold(dropout);
 */

#include "layers/layer.h"

typedef struct vdnn_dropout_config {
    double p;
} vdnn_dropout_config;

/* Separates the masks from other users of the same seed: the key of their random words is seed ^
 * this, the counter (step, global sample, layer->number, element / 4). */
#define VDNN_DROPOUT_KEY UINT64_C(0x6d61736b64726f70)

/* The global number of the run's first sample. */
uint64_t vdnn_dropout_first_sample(const vdnn_kernel_args *args);

/* An element is dropped when the upper 24 bits of its random word are below this. */
uint32_t vdnn_dropout_threshold(const vdnn_dropout_config *dropout);

/* The factor of a kept element; 0 if none is kept. */
float vdnn_dropout_scale(const vdnn_dropout_config *dropout);

#endif
