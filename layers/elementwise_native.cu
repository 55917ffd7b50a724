#include "layers/cuda_kernel.h"

typedef struct sgd_rates {
    float lr, momentum, weight_decay;
} sgd_rates;

/* Products and sums are rounded one by one, so that an update gives the same bits as on the CPU. */
__global__ static void sgd_all(float *w, float *v, const float *dw, int64_t count, sgd_rates rates)
{
    int64_t i = vdnn_cuda_index();
    if (i >= count)
        return;
    float decayed = vdnn_cuda_plus(dw[i], vdnn_cuda_product(rates.weight_decay, w[i]));
    float velocity = vdnn_cuda_plus(vdnn_cuda_product(rates.momentum, v[i]), decayed);
    v[i] = velocity;
    w[i] = vdnn_cuda_plus(w[i], -vdnn_cuda_product(rates.lr, velocity));
}

__global__ static void average_all(float *w, const float *dw, float rate, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i < count)
        w[i] = vdnn_cuda_plus(vdnn_cuda_product(1.0F - rate, w[i]), vdnn_cuda_product(rate, dw[i]));
}

__global__ static void add_all(float *sum, const float *part, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i < count)
        sum[i] += part[i];
}

static vdnn_status sgd(float *w, float *v, const float *dw, int64_t count, int threads,
                       const vdnn_step_context *context, void *stream)
{
    (void)threads;
    sgd_rates rates = {(float)context->lr, (float)context->momentum, (float)context->weight_decay};
    VDNN_LAUNCH(sgd_all, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS,
                static_cast<vdnn_cuda_stream *>(stream)->handle, w, v, dw, count, rates);
    return vdnn_cuda_launched("sgd");
}

static vdnn_status average(float *w, const float *dw, double rate, int64_t count, int threads,
                           void *stream)
{
    (void)threads;
    VDNN_LAUNCH(average_all, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS,
                static_cast<vdnn_cuda_stream *>(stream)->handle, w, dw, (float)rate, count);
    return vdnn_cuda_launched("average");
}

static vdnn_status accumulate(void *sum, const void *part, vdnn_dtype dtype, int64_t count,
                              int threads, void *stream)
{
    (void)threads;
    if (dtype != VDNN_F32)
        return vdnn_status_fail(VDNN_DEVICE, "cuda: sums of %s are not in this version",
                                vdnn_dtype_text(dtype));
    VDNN_LAUNCH(add_all, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS,
                static_cast<vdnn_cuda_stream *>(stream)->handle, static_cast<float *>(sum),
                static_cast<const float *>(part), count);
    return vdnn_cuda_launched("accumulate");
}

const vdnn_elementwise vdnn_elementwise_native_cuda = {"cuda", sgd, average, accumulate};
