#include "layers/recurrent/cpu_lstm_cell.h"

#include "layers/cpu/math.h"

VDNN_CPU_CLONES static void forward(float *restrict i, float *restrict f, float *restrict g,
                                    float *restrict o, float *restrict c, float *restrict h,
                                    int64_t count)
{
#pragma omp simd
    for (int64_t k = 0; k < count; k++) {
        i[k] = vdnn_math_sigmoid(i[k]);
        f[k] = vdnn_math_sigmoid(f[k]);
        g[k] = vdnn_math_tanh(g[k]);
        o[k] = vdnn_math_sigmoid(o[k]);
        c[k] = f[k] * c[k] + i[k] * g[k];
        h[k] = o[k] * vdnn_math_tanh(c[k]);
    }
}

void vdnn_lstm_cell_forward(float *const gates[VDNN_LSTM_GATES], float *c, float *h, int64_t count)
{
    forward(gates[0], gates[1], gates[2], gates[3], c, h, count);
}

VDNN_CPU_CLONES void vdnn_lstm_cell_output(const float *restrict o, const float *restrict c,
                                           float *restrict m, int64_t count)
{
#pragma omp simd
    for (int64_t k = 0; k < count; k++)
        m[k] = o[k] * vdnn_math_tanh(c[k]);
}

/* What the cells are and come from. */
typedef struct cells {
    const float *c, *before, *dh;
    float *dc;
} cells;

VDNN_CPU_CLONES static void backward(float *restrict i, float *restrict f, float *restrict g,
                                     float *restrict o, const cells *of, int64_t count)
{
    const float *restrict c = of->c, *restrict before = of->before, *restrict dh = of->dh;
    float *restrict dc = of->dc;
#pragma omp simd
    for (int64_t k = 0; k < count; k++) {
        float in = i[k], keep = f[k], new = g[k], out = o[k], t = vdnn_math_tanh(c[k]);
        float d = dc[k] + dh[k] * out * (1 - t * t);
        i[k] = d * new *in *(1 - in);
        f[k] = d * before[k] * keep * (1 - keep);
        g[k] = d * in * (1 - new *new);
        o[k] = dh[k] * t * out * (1 - out);
        dc[k] = d * keep;
    }
}

void vdnn_lstm_cell_backward(float *const gates[VDNN_LSTM_GATES], const float *c,
                             const float *c_before, const float *dh, float *dc, int64_t count)
{
    const cells of = {c, c_before, dh, dc};
    backward(gates[0], gates[1], gates[2], gates[3], &of, count);
}
