#ifndef VDNN_LAYERS_LOSS_DICE_H
#define VDNN_LAYERS_LOSS_DICE_H

/* Soft Dice of masks under the softmax p of the scores, plus cross entropy, as nnU-Net trains by
 * (Milletari et al., V-Net, 3DV 2016; Isensee et al., nnU-Net, Nature Methods 2021):
 *
 *     dice[c] = (2 intersection[c] + smooth) / (probable[c] + labelled[c] + smooth)
 *     loss    = 1 - mean of dice[c] + cross_entropy * mean of -log p[label]
 *
 * over the classes, without the first one unless it counts (`background`), and over the positions
 * of which the label counts. All sums are of a group: one sample, so that parts of a batch,
 * micro-batches and devices have the loss and the gradient of the whole (layers/loss/mean.h), or
 * with `batch` all samples that are computed together, as nnU-Net's `batch_dice`. The loss is the
 * mean over the groups; of a sample that is evaluated its own.
 *
 *     intersection[c]    sum of p[c] where c is the label
 *     probable[c]        sum of p[c]
 *     labelled[c]        how many labels are c
 *
 * Invariant: after inference x is a sequence with a score for each class, and labels are (N, T).
 * aux has `stored` floats a group: per class `all` and `hit`, the derivative of its part of 1 -
 * mean by p[c] at every position, and what is added to it where c is the label; then what p[c] - [c
 * is the label] counts. Threads: const once read.
 *
 *     vdnn_dice_sums sums[classes]; // of a group
 *     loss = vdnn_dice_finish(layer, sums, &entropy, aux);
 */

#include "layers/layer.h"
#include "layers/loss/mean.h"

/* Of a denominator: without `smooth` a class may have nothing. */
#define VDNN_DICE_LEAST 1e-8

enum { VDNN_DICE_MOST_CLASSES = 32768 };

typedef struct vdnn_dice_config {
    double smooth, cross_entropy;
    int64_t ignore;
    bool background, batch;
} vdnn_dice_config;

/* Of a class; adding two is adding their members. */
typedef struct vdnn_dice_sums {
    double intersection, probable, labelled;
} vdnn_dice_sums;

/* Of a group: -log p[label], and how many labels count. */
typedef struct vdnn_dice_entropy {
    double sum, counted;
} vdnn_dice_entropy;

static inline int64_t vdnn_dice_stored(const vdnn_layer *layer)
{
    return 2 * layer->classes + 1;
}

static inline int64_t vdnn_dice_groups(const vdnn_layer *layer)
{
    return layer->joins_samples ? 1 : layer->x[0].dims[VDNN_N];
}

/* Of a group. */
static inline int64_t vdnn_dice_positions(const vdnn_layer *layer)
{
    const vdnn_desc *x = &layer->x[0];
    return x->dims[VDNN_N] / vdnn_dice_groups(layer) * x->dims[VDNN_POSITIONS];
}

/* The loss of a group, from its sums for each class; `aux` NULL: that alone. */
double vdnn_dice_finish(const vdnn_layer *layer, const vdnn_dice_sums *sums,
                        const vdnn_dice_entropy *entropy, float *aux);

#endif
