#include "layers/native.h"

typedef struct sgd_rates {
    float lr, momentum, weight_decay;
} sgd_rates;

VDNN_NATIVE_CLONES static void sgd_block(float *restrict w, float *restrict v,
                                         const float *restrict dw, vdnn_native_range range,
                                         sgd_rates rates)
{
    for (int64_t i = range.begin; i < range.end; i++) {
        float decayed = dw[i] + rates.weight_decay * w[i];
        float velocity = rates.momentum * v[i] + decayed;
        v[i] = velocity;
        w[i] -= rates.lr * velocity;
    }
}

static vdnn_status sgd(float *w, float *v, const float *dw, int64_t count, int threads,
                       const vdnn_step_context *context, void *stream)
{
    (void)stream;
    (void)threads; /* not read where OpenMP is off */
    sgd_rates rates = {(float)context->lr, (float)context->momentum, (float)context->weight_decay};
#pragma omp parallel for num_threads(threads)
    for (int64_t block = 0; block < vdnn_native_blocks(count); block++)
        sgd_block(w, v, dw, vdnn_native_block(block, count), rates);
    return VDNN_OK;
}

VDNN_NATIVE_CLONES static void accumulate_block(float *restrict sum, const float *restrict part,
                                                vdnn_native_range range)
{
    for (int64_t i = range.begin; i < range.end; i++)
        sum[i] += part[i];
}

static vdnn_status accumulate(float *sum, const float *part, int64_t count, int threads,
                              void *stream)
{
    (void)stream;
    (void)threads; /* not read where OpenMP is off */
#pragma omp parallel for num_threads(threads)
    for (int64_t block = 0; block < vdnn_native_blocks(count); block++)
        accumulate_block(sum, part, vdnn_native_block(block, count));
    return VDNN_OK;
}

const vdnn_elementwise vdnn_elementwise_native = {
    .device = "cpu",
    .sgd = sgd,
    .accumulate = accumulate,
};
