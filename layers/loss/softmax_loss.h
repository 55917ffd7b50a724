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
 * Invariant: after inference x has `classes` elements for each label of layer->labels, a row. Of
 * vectors aux has the gradient of each row's loss, in f32 whatever the type of x, and after them,
 * if a label is ignored, how many count, or 1. Of a sequence it has a vdnn_softmax_loss_row of
 * each, from which backward computes the gradients with x, and after them one whose `sum` is how
 * many count. Threads: const once read.
 *
 *     if (vdnn_softmax_loss_reads_x(layer))
 *         p = exp(x[c] - rows[i].largest) / rows[i].sum;
 */

#include "layers/layer.h"

typedef struct vdnn_softmax_loss_config {
    int64_t ignore;
    double smoothing;
} vdnn_softmax_loss_config;

typedef struct vdnn_softmax_loss_row {
    double sum; /* of exp(x[c] - largest) */
    float largest;
    int32_t label; /* VDNN_SOFTMAX_LOSS_IGNORED: the row does not count */
} vdnn_softmax_loss_row;

enum { VDNN_SOFTMAX_LOSS_IGNORED = -1 };

static inline bool vdnn_softmax_loss_reads_x(const vdnn_layer *layer)
{
    return vdnn_desc_is_sequence(&layer->x[0]);
}

static inline double vdnn_softmax_loss_smoothing(const vdnn_layer *layer)
{
    return ((const vdnn_softmax_loss_config *)layer->config)->smoothing;
}

#endif
