#ifndef VDNN_LAYERS_ATTENTION_ADDITIVE_ATTENTION_H
#define VDNN_LAYERS_ATTENTION_ADDITIVE_ATTENTION_H

/* Additive attention with a normalized weight, for its algorithms (Bahdanau, Cho and Bengio: Neural
 * Machine Translation by Jointly Learning to Align and Translate, ICLR 2015; the norm is that of
 * Salimans and Kingma: Weight Normalization, NIPS 2016). Of a query i and a key j:
 *
 *     S_ij = u . tanh(q_i + k_j + bias),  u = scale * weight / |weight|
 *     P = softmax of each row of S,  y = P v
 *
 * q and k are products of the decoder's and the encoder's outputs, by `fc` layers without a bias.
 *
 *     from: [Q, K, V]    (N, Tq, C), (N, Tk, C), (N, Tk, D)
 *     and lengths        (N, 1), integers: of each sample, how many keys count; y is 0 where none
 *                        does
 *     weight (C), bias (C), scale (1)
 *     y                  (N, Tq, D)
 *     aux                (N, Tq, Tk), f32: P
 *
 * tanh(q_i + k_j + bias), which would be N * Tq * Tk * C numbers, is in no pass in memory: backward
 * computes it again.
 *
 * Invariant: after inference the shape is that of the maps. Threads: const.
 *
 *     vdnn_attention_shape s = vdnn_additive_attention_shape_of(layer); // of one head
 */

#include "layers/attention/attention.h"

enum { VDNN_ADDITIVE_WEIGHT, VDNN_ADDITIVE_BIAS, VDNN_ADDITIVE_SCALE }; /* parameters */

/* Of q, k and v each has a width; that of the shape is of q and k. */
vdnn_attention_shape vdnn_additive_attention_shape_of(const vdnn_layer *layer);

#endif
