#ifndef VDNN_LAYERS_LOSS_SOFTMAX_LOSS_H
#define VDNN_LAYERS_LOSS_SOFTMAX_LOSS_H

/* The config of a softmax loss, the cross entropy of labels under the softmax of its input.
 *
 * With smoothing, that share of a label is in equal parts for all classes (Szegedy et al.,
 * Rethinking the Inception Architecture for Computer Vision, CVPR 2016), as by PyTorch's
 * cross_entropy:
 *
 *     loss = -(1 - smoothing) log p[label] - smoothing * mean of all log p[c]
 *
 * Invariant: after inference x has `classes` elements for each label of layer->labels; aux has the
 * gradient of each row's loss in f32, and after them, if a label is ignored, how many count.
 * Threads: const once read.
 *
 *     double smoothing = vdnn_softmax_loss_smoothing(layer);
 */

#include "layers/layer.h"

typedef struct vdnn_softmax_loss_config {
    int64_t ignore;
    double smoothing;
} vdnn_softmax_loss_config;

static inline double vdnn_softmax_loss_smoothing(const vdnn_layer *layer)
{
    return ((const vdnn_softmax_loss_config *)layer->config)->smoothing;
}

#endif
