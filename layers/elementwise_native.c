#include "layers/native.h"
#include "layers/stage.h"

/* So few parameters are done by one thread, before the others would have woken up. */
enum { ALONE_COUNT = 1 << 15 };

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
#pragma omp parallel for num_threads(threads) if (count > ALONE_COUNT)
    for (int64_t block = 0; block < vdnn_native_blocks(count); block++)
        sgd_block(w, v, dw, vdnn_native_block(block, count), rates);
    return VDNN_OK;
}

VDNN_NATIVE_CLONES static void average_block(float *restrict w, const float *restrict dw,
                                             float rate, vdnn_native_range range)
{
    for (int64_t i = range.begin; i < range.end; i++)
        w[i] = (1.0F - rate) * w[i] + rate * dw[i];
}

static vdnn_status average(float *w, const float *dw, double rate, int64_t count, int threads,
                           void *stream)
{
    (void)stream;
    (void)threads; /* not read where OpenMP is off */
#pragma omp parallel for num_threads(threads) if (count > ALONE_COUNT)
    for (int64_t block = 0; block < vdnn_native_blocks(count); block++)
        average_block(w, dw, (float)rate, vdnn_native_block(block, count));
    return VDNN_OK;
}

VDNN_NATIVE_CLONES static void add_block(float *restrict sum, const float *restrict part,
                                         int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        sum[i] += part[i];
}

static void accumulate_block(char *sum, const char *part, vdnn_dtype dtype, int64_t count)
{
    if (dtype == VDNN_F32) {
        add_block((float *)(void *)sum, (const float *)(const void *)part, count);
        return;
    }
    float wide_sum[VDNN_NATIVE_BLOCK], wide_part[VDNN_NATIVE_BLOCK];
    vdnn_stage_widen(dtype, sum, wide_sum, count);
    vdnn_stage_widen(dtype, part, wide_part, count);
    add_block(wide_sum, wide_part, count);
    vdnn_stage_narrow(dtype, wide_sum, sum, count);
}

static vdnn_status accumulate(void *sum, const void *part, vdnn_dtype dtype, int64_t count,
                              int threads, void *stream)
{
    (void)stream;
    (void)threads; /* not read where OpenMP is off */
#pragma omp parallel for num_threads(threads)
    for (int64_t block = 0; block < vdnn_native_blocks(count); block++) {
        vdnn_native_range range = vdnn_native_block(block, count);
        size_t offset = (size_t)range.begin * vdnn_dtype_bytes(dtype);
        accumulate_block((char *)sum + offset, (const char *)part + offset, dtype,
                         range.end - range.begin);
    }
    return VDNN_OK;
}

const vdnn_elementwise vdnn_elementwise_native = {
    .device = "cpu",
    .sgd = sgd,
    .average = average,
    .accumulate = accumulate,
};
