#ifndef VDNN_LAYERS_CONV_CONV_SHAPE_H
#define VDNN_LAYERS_CONV_CONV_SHAPE_H

/* The shape of one convolution, for its CPU algorithms.
 *
 * Invariant: every number except pads is positive.
 * Threads: values.
 *
 *     const char *why = vdnn_conv_shape_refusal(kernel); // NULL: it can be computed here
 *     vdnn_conv_shape s = vdnn_conv_shape_of(layer);
 *     float *bias = vdnn_conv_shape_bias(&s, args->w); // NULL: it has none
 */

#include "layers/conv/conv.h"

/* Sides are height, width, depth; those of a picture have a depth of 1. x is (n, c, in), y is (n,
 * k, out), w is (k, c / groups, kernel). */
typedef struct vdnn_conv_shape {
    int64_t n, c, k, groups;
    int64_t group_c, group_k; /* channels of one group of x and y */
    int64_t in[VDNN_SIDES], out[VDNN_SIDES], kernel[VDNN_SIDES];
    int64_t stride[VDNN_SIDES], pad[VDNN_SIDES], dilation[VDNN_SIDES];
    int64_t in_cells, out_cells; /* of one channel */
    int64_t taps;                /* group_c x kernel: products that one cell of y sums */
    int64_t weight_count;
    bool is_volume;
    int64_t bias_offset; /* elements from the block's start; -1: no bias */
} vdnn_conv_shape;

vdnn_conv_shape vdnn_conv_shape_of(const vdnn_layer *layer);

/* The bias, or its gradient, in a parameter block; NULL if there is none. */
float *vdnn_conv_shape_bias(const vdnn_conv_shape *shape, void *block);

/* The gradient of output channel `k`'s bias: the sum of dy (n, k, out) over images and cells, in an
 * order that depends on the shape alone. */
float vdnn_conv_shape_bias_sum(const vdnn_conv_shape *shape, const float *dy, int64_t k);

/* NULL if every size fits 31 bits and every step 15, as libraries and kernels with such integers
 * require; else a static text. */
const char *vdnn_conv_shape_too_large(const vdnn_layer *layer);

/* For vdnn_algorithm.refusal of an algorithm that supports plain f32 only: f32, NCHW on both sides.
 */
const char *vdnn_conv_shape_refusal(const vdnn_kernel *kernel);

/* A row of VDNN_ALGORITHM_TABLE: an algorithm of the CPU for all passes of a convolution. Further
 * members follow as designators. */
#define VDNN_CONV_CPU_ROW(id, ...)                                                                 \
    const vdnn_algorithm vdnn_conv_##id = {                                                        \
        .layer_type = "conv",                                                                      \
        .name = #id,                                                                               \
        .device = "cpu",                                                                           \
        .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA | 1U << VDNN_BACKWARD_FILTER,      \
        .deterministic = true,                                                                     \
        __VA_ARGS__}

#endif
