#ifndef VDNN_LAYERS_LOSS_NUMBER_LOSS_H
#define VDNN_LAYERS_LOSS_NUMBER_LOSS_H

/* Losses over numbers: means over all elements x of a map, each with a label t, in f32. Each is a
 * type of its name; their algorithms are rows of the same code with another function.
 *
 *     type   loss                                          d loss / dx
 *     mse    (x - t)^2                                     2 (x - t)
 *     bce    -w t log s(x) - (1 - t) log s(-x)             (1 - t) s(x) - w t s(-x)
 *
 * s(x) = 1 / (1 + e^-x), and w is the key `positive_weight`. -log s(x) is computed as log(1 +
 * e^-|x|), and -x where that is above 0. These are the formulas of PyTorch's mse_loss and
 * binary_cross_entropy_with_logits.
 *
 * Invariant: after inference labels are f32 in the shape of x, of bce from 0 to 1. Backward reads x
 * and the labels, so that nothing else is stored. The mean over a step is that over its samples
 * (layers/loss/mean.h). Threads: const once read.
 *
 *     const float scale = vdnn_number_loss_scale(layer, args->weight);
 *     dx[i] = scale * derivative(x[i], t[i]);
 */

#include "layers/layer.h"
#include "layers/loss/mean.h"

/* Of all types; a type's keys set those that it has. */
typedef struct vdnn_number_loss_config {
    double positive_weight; /* of bce */
} vdnn_number_loss_config;

static inline double vdnn_number_loss_weight(const vdnn_layer *layer)
{
    return ((const vdnn_number_loss_config *)layer->config)->positive_weight;
}

/* What a derivative counts in the gradient of the step's mean. The samples of the step are a whole
 * number of a float, so that the product is exact, and the same for every part of the step. */
static inline float vdnn_number_loss_scale(const vdnn_layer *layer, double weight)
{
    const vdnn_desc *x = &layer->x[0];
    const double samples = (double)vdnn_loss_mean_of(x->dims[VDNN_N], weight);
    return (float)(1 / (samples * (double)vdnn_desc_per_sample(x)));
}

#endif
