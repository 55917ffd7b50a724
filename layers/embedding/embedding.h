#ifndef VDNN_LAYERS_EMBEDDING_EMBEDDING_H
#define VDNN_LAYERS_EMBEDDING_EMBEDDING_H

/* The config of an embedding, a vector for each token, for its algorithms.
 *
 * Invariant: after inference params[0] is the weight, (vocabulary, out); x is of integers, (N, T),
 * and y (N, T, out).
 * Threads: const once read.
 *
 *     vdnn_embedding_shape s = vdnn_embedding_shape_of(layer);
 *     for (int64_t i = 0; i < s.tokens; i++)
 *         copy(y + i * s.width, w + x[i] * s.width, s.width);
 */

#include "layers/layer.h"

typedef struct vdnn_embedding_config {
    int64_t out;
} vdnn_embedding_config;

typedef struct vdnn_embedding_shape {
    int64_t tokens; /* of the batch */
    int64_t width;  /* elements of a vector */
    int64_t vocabulary;
} vdnn_embedding_shape;

vdnn_embedding_shape vdnn_embedding_shape_of(const vdnn_layer *layer);

#endif
