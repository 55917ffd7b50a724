#include "layers/cuda_pack.h"

/* Bytes moved of an element: 20 by sgd, 12 by average and accumulate, in bf16 6. Parameters may
 * begin at any float of their block; all blocks of a layer at the same one. */

/* Products and sums are rounded one by one, so that an update gives the same bits as on the CPU. */
struct sgd_update {
    float *w, *v;
    const float *dw;
    float lr, momentum, weight_decay;

    template <class Place> __device__ void operator()(const Place &at) const
    {
        vdnn_cuda_eight weights = at.load(w), velocities = at.load(v), gradients = at.load(dw);
        for (int k = 0; k < VDNN_CUDA_EIGHT; k++) {
            float &weight = weights.at[k], &velocity = velocities.at[k];
            float decayed = vdnn_cuda_plus(gradients.at[k], vdnn_cuda_times(weight_decay, weight));
            velocity = vdnn_cuda_plus(vdnn_cuda_times(momentum, velocity), decayed);
            weight = vdnn_cuda_plus(weight, -vdnn_cuda_times(lr, velocity));
        }
        at.store(v, velocities);
        at.store(w, weights);
    }
};

struct move_average {
    float rate;

    __device__ float operator()(float w, float dw) const
    {
        return vdnn_cuda_plus(vdnn_cuda_times(1.0F - rate, w), vdnn_cuda_times(rate, dw));
    }
};

struct add {
    __device__ float operator()(float sum, float part) const
    {
        return sum + part;
    }
};

static vdnn_status sgd(float *w, float *v, const float *dw, int64_t count, int threads,
                       const vdnn_step_context *context, void *stream)
{
    (void)threads;
    sgd_update update = {
        w, v, dw, (float)context->lr, (float)context->momentum, (float)context->weight_decay};
    vdnn_cuda_each<float>(static_cast<vdnn_cuda_stream *>(stream)->handle, count, update,
                          vdnn_cuda_are_aligned(w, v, dw));
    return vdnn_cuda_launched("sgd");
}

static vdnn_status average(float *w, const float *dw, double rate, int64_t count, int threads,
                           void *stream)
{
    (void)threads;
    const float *own = w;
    vdnn_cuda_map<float>(static_cast<vdnn_cuda_stream *>(stream)->handle, count,
                         move_average{(float)rate}, w, own, dw);
    return vdnn_cuda_launched("average");
}

template <class T>
static vdnn_status accumulate_as(void *sum, const void *part, int64_t count, cudaStream_t stream)
{
    vdnn_cuda_map<T>(stream, count, add{}, static_cast<T *>(sum), static_cast<const T *>(sum),
                     static_cast<const T *>(part));
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
