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
 *     vdnn_lstm_cell_backward(gates, c, c_before, dh, dc, count);
 */

#include "layers/recurrent/lstm.h"

/* gates[0 .. 3] are activated; c becomes the cells of this position, h their outputs. */
void vdnn_lstm_cell_forward(float *const gates[VDNN_LSTM_GATES], float *c, float *h, int64_t count);

/* The gates, activated, become the gradients of those before activation. dc, of this position's
 * cells by the position after it, becomes that of the cells of the position before. */
void vdnn_lstm_cell_backward(float *const gates[VDNN_LSTM_GATES], const float *c,
                             const float *c_before, const float *dh, float *dc, int64_t count);

/* m = o tanh(c), what a projection reads. */
void vdnn_lstm_cell_output(const float *o, const float *c, float *m, int64_t count);

#endif
