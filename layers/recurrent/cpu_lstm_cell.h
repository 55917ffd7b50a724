#ifndef VDNN_LAYERS_RECURRENT_CPU_LSTM_CELL_H
#define VDNN_LAYERS_RECURRENT_CPU_LSTM_CELL_H

/* The cells of a long short-term memory: what follows and precedes its products, for some
 * neighbouring cells of a sample at one position. All are f32.
 *
 * Invariant: each cell is computed by itself, with the same bits whatever its neighbours are and
 * whatever instructions the processor has.
 * Threads: pure over its arguments.
 *
 *     vdnn_lstm_cell_forward(gates, c, h, count);
 *     vdnn_lstm_cell_backward(kept, dh, dc, gradients, count);
 */

#include "layers/recurrent/lstm.h"

/* gates[0 .. 3] are activated; c becomes the cells of this position, h their outputs. */
void vdnn_lstm_cell_forward(float *const gates[VDNN_LSTM_GATES], float *c, float *h, int64_t count);

/* kept: the gates, activated, the cells, and those of the position before. dc, of this position's
 * cells by the position after it, becomes that of the cells of the position before; gradients are
 * those of the gates before activation. */
void vdnn_lstm_cell_backward(const float *const kept[VDNN_LSTM_STASHED + 1], const float *dh,
                             float *dc, float *const gradients[VDNN_LSTM_GATES], int64_t count);

/* m = o tanh(c), what a projection reads. */
void vdnn_lstm_cell_output(const float *o, const float *c, float *m, int64_t count);

#endif
