#ifndef VDNN_LAYERS_RECURRENT_LSTM_H
#define VDNN_LAYERS_RECURRENT_LSTM_H

/* The config of a long short-term memory, for its algorithms. With x_t the vector at a position,
 * and h and c of the position before it, zero at first (Hochreiter and Schmidhuber, Long Short-Term
 * Memory, Neural Computation 9, 1997, with the forget gate of Gers et al., 2000):
 *
 *     i, f, g, o = weight_ih x_t + bias_ih + weight_hh h + bias_hh     the gates before activation
 *     c_t = sigmoid(f) c + sigmoid(i) tanh(g)
 *     m_t = sigmoid(o) tanh(c_t)
 *     y_t = h_t = m_t, or, with a projection, weight_hr m_t
 *
 * (The projection is that of Sak et al., Long Short-Term Memory Recurrent Neural Network
 * Architectures for Large Scale Acoustic Modeling, Interspeech 2014.)
 *
 * Invariant: after inference x is (N, T, C) and y (N, T, P), with P the projection, or H without;
 * params[0] is weight_ih (4H, C), params[1] weight_hh (4H, P), both with the rows of i, f, g, o one
 * after the other; then there are `biases` biases of 4H, that are added up, and weight_hr (P, H).
 * aux, in the type of y, has for each position the four gates after activation and the cell: (N, T,
 * 5H). With `chunk`, K, it has only, as f32, the cells before every K-th step but the first: (N,
 * starts, H); backward computes the gates and cells of K steps again, from these, x and y, with the
 * bits that they had. A second input, (N, 1) of integers, says of each sample how many positions
 * are valid: from the first that is not on, y and what is kept are zero, so that a reverse layer
 * begins with zeros at the last valid one. Threads: const once read.
 *
 *     vdnn_lstm_shape s = vdnn_lstm_shape_of(layer);
 *     const float *w_hh = (const float *)args->w + s.hidden_weight;
 *     for (int64_t step = 0; step < s.positions; step++)
 *         visit(vdnn_lstm_position(&s, step));
 */

#include "layers/layer.h"

enum { VDNN_LSTM_GATES = 4, VDNN_LSTM_STASHED = VDNN_LSTM_GATES + 1 };

typedef struct vdnn_lstm_config {
    int64_t out, biases, projection, chunk; /* 0: none */
    double forget_bias;                     /* that the first bias of the forget gate begins with */
    bool reverse;
} vdnn_lstm_config;

typedef struct vdnn_lstm_shape {
    int64_t samples, positions, in;
    int64_t cells; /* H */
    int64_t gates; /* 4H */
    int64_t out;   /* P, the width of y */
    int64_t biases;
    int64_t chunk, starts;                   /* steps of a chunk, or 0, and chunks but the first */
    int64_t hidden_weight, bias, projection; /* elements of the parameter block before these */
    bool is_projected, is_reverse;
} vdnn_lstm_shape;

vdnn_lstm_shape vdnn_lstm_shape_of(const vdnn_layer *layer);

/* The second input; NULL: all positions are valid. */
static inline const int32_t *vdnn_lstm_lengths(const vdnn_layer *layer,
                                               const vdnn_kernel_args *args)
{
    return layer->input_count > 1 ? (const int32_t *)args->x[1] : NULL;
}

/* The position that a step is at. */
static inline int64_t vdnn_lstm_position(const vdnn_lstm_shape *s, int64_t step)
{
    return s->is_reverse ? s->positions - 1 - step : step;
}

#endif
