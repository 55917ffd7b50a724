#ifndef VDNN_LAYERS_WEIGHT_COPY_H
#define VDNN_LAYERS_WEIGHT_COPY_H

/* The weight of a convolution or fully connected layer, params[0], in the type and layout of its
 * maps: weights are kept in f32 and plain, and libraries for cards multiply what is of one type and
 * in one order. Where y is in nhwc, a weight is
 *
 *     (outputs, channels, taps)  ->  (outputs, taps, stored channels)
 *
 * and where the channels of x are padded, so are those: with zeros. A weight of several groups has
 * no padding. Where maps are bf16 each element is rounded to the nearest.
 *
 * Invariant: of the layer alone: whatever the algorithm and the pass.
 * Threads: pure.
 *
 *     layer->copy_bytes = vdnn_weight_copy_bytes(layer);   // where the device reads such copies
 *     vdnn_weight_copy copy = vdnn_weight_copy_of(layer);
 *     if (copy.is_turned) ...
 */

#include "layers/layer.h"

typedef struct vdnn_weight_copy {
    int64_t channels, stored; /* that an output reads, and with padding */
    int64_t taps;             /* cells of the kernel */
    int64_t count;            /* elements, with padding */
    bool is_turned;           /* in another order, or padded */
    bool is_narrow;           /* bf16, else f32 */
} vdnn_weight_copy;

/* Of a layer whose def copies_weight. */
vdnn_weight_copy vdnn_weight_copy_of(const vdnn_layer *layer);

/* 0: the weight itself is what its kernels read. */
size_t vdnn_weight_copy_bytes(const vdnn_layer *layer);

#endif
