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
    float decayed = vdnn_cuda_plus(dw[i], vdnn_cuda_times(rates.weight_decay, w[i]));
    float velocity = vdnn_cuda_plus(vdnn_cuda_times(rates.momentum, v[i]), decayed);
    v[i] = velocity;
    w[i] = vdnn_cuda_plus(w[i], -vdnn_cuda_times(rates.lr, velocity));
}

__global__ static void average_all(float *w, const float *dw, float rate, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i < count)
        w[i] = vdnn_cuda_plus(vdnn_cuda_times(1.0F - rate, w[i]), vdnn_cuda_times(rate, dw[i]));
}

template <class T> __global__ static void add_all(T *sum, const T *part, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i < count)
        sum[i] = (float)sum[i] + (float)part[i];
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

template <class T>
static vdnn_status accumulate_as(void *sum, const void *part, int64_t count, cudaStream_t stream)
{
    VDNN_LAUNCH(add_all<T>, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, stream,
                static_cast<T *>(sum), static_cast<const T *>(part), count);
    return vdnn_cuda_launched("accumulate");
}

static vdnn_status accumulate(void *sum, const void *part, vdnn_dtype dtype, int64_t count,
                              int threads, void *stream)
{
    (void)threads;
    return VDNN_CUDA_AS(dtype, accumulate_as, sum, part, count,
                        static_cast<vdnn_cuda_stream *>(stream)->handle);
}

const vdnn_elementwise vdnn_elementwise_native_cuda = {"cuda", sgd, average, accumulate};
