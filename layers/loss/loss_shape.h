#ifndef VDNN_LAYERS_LOSS_LOSS_SHAPE_H
#define VDNN_LAYERS_LOSS_LOSS_SHAPE_H

/* What losses infer alike: their result, and labels that are classes.
 *
 * Invariant: the result is two numbers, f32: the mean loss, and how many labels were predicted
 * right.
 * Threads: pure.
 *
 *     vdnn_loss_shape_set_result(layer);
 *     vdnn_loss_shape_set_classes(layer, config->ignore);
 */

#include "layers/layer.h"

void vdnn_loss_shape_set_result(vdnn_layer *layer);

/* Labels are classes below layer->classes, (N), or (N, T) if x[0] is a sequence; `ignored` does not
 * count. */
void vdnn_loss_shape_set_classes(vdnn_layer *layer, int64_t ignored);

#endif
