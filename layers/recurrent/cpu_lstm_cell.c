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

VDNN_CPU_CLONES void vdnn_lstm_cell_backward(const float *const kept[VDNN_LSTM_STASHED + 1],
                                             const float *restrict dh, float *restrict dc,
                                             float *const gradients[VDNN_LSTM_GATES], int64_t count)
{
    const float *restrict i = kept[0], *restrict f = kept[1], *restrict g = kept[2],
                          *restrict o = kept[3], *restrict c = kept[4], *restrict before = kept[5];
    float *restrict di = gradients[0], *restrict df = gradients[1], *restrict dg = gradients[2],
                    *restrict d_o = gradients[3];
#pragma omp simd
    for (int64_t k = 0; k < count; k++) {
        float in = i[k], keep = f[k], new = g[k], out = o[k], t = vdnn_math_tanh(c[k]);
        float d = dc[k] + dh[k] * out * (1 - t * t);
        di[k] = d * new *in *(1 - in);
        df[k] = d * before[k] * keep * (1 - keep);
        dg[k] = d * in * (1 - new *new);
        d_o[k] = dh[k] * t * out * (1 - out);
        dc[k] = d * keep;
    }
}
