#ifndef VDNN_LAYERS_WEIGHT_COPY_H
#define VDNN_LAYERS_WEIGHT_COPY_H

/* The weight of a convolution or fully connected layer, params[0], in the type and layout of its
 * maps: weights are kept in f32 and plain, and libraries for cards multiply operands of one type
 * and order. If y is in nhwc, a weight is
 *
 *     (outputs, channels, taps)  ->  (outputs, taps, stored channels)
 *
 * and if the channels of x are padded, so are those: with zeros. A weight of several groups has no
 * padding. If maps are bf16 each element is rounded to nearest.
 *
 * Invariant: depends on the layer alone, not on algorithm or pass.
 * Threads: pure.
 *
 *     layer->copy_bytes = vdnn_weight_copy_bytes(layer);   // if the device reads such copies
 *     vdnn_weight_copy copy = vdnn_weight_copy_of(layer);
 *     if (copy.is_turned) ...
 */

#include "layers/layer.h"

typedef struct vdnn_weight_copy {
    int64_t channels, stored; /* per output, and with padding */
    int64_t taps;             /* cells of the kernel */
    int64_t count;            /* elements, with padding */
    bool is_turned;           /* in another order, or padded */
    bool is_narrow;           /* bf16, else f32 */
} vdnn_weight_copy;

/* The copy of a layer whose def has copies_weight. */
vdnn_weight_copy vdnn_weight_copy_of(const vdnn_layer *layer);

/* 0: its kernels read the weight itself. */
size_t vdnn_weight_copy_bytes(const vdnn_layer *layer);

#endif
