#ifndef VDNN_LAYERS_DENSE_FC_H
#define VDNN_LAYERS_DENSE_FC_H

/* The config of a fully connected layer, for its algorithms.
 *
 * Invariant: after inference params[0] is the weight, (out, C * H * W of the input), or (out, C)
 * for sequences, whose positions are samples to it (vdnn_desc_as_vectors). Threads: const once
 * read.
 *
 *     const vdnn_fc_config *fc = layer->config;
 *     int64_t in = layer->params[0].dims[1];
 */

#include "layers/layer.h"

typedef struct vdnn_fc_config {
    int64_t out;
    bool bias; /* then params[1], after the weight, is the bias, (out) */
} vdnn_fc_config;

#endif
