#include "layers/cuda/pack.h"

extern "C" {
#include "layers/loss/mean.h"
}

/* Per sample: its loss, and whether its label has the largest score. */
typedef struct verdict {
    double loss, correct;
} verdict;

/* The first of the largest scores of a sample; in every thread. */
template <class T> static __device__ int64_t first_largest(const T *x, int64_t classes)
{
    VDNN_SHARED(float, values, [(size_t) VDNN_CUDA_THREADS]);
    VDNN_SHARED(int64_t, places, [(size_t) VDNN_CUDA_THREADS]);
    unsigned own = threadIdx.x;
    int64_t best = own < classes ? own : 0;
    for (int64_t c = own; c < classes; c += VDNN_CUDA_THREADS)
        if ((float)x[c] > (float)x[best])
            best = c;
    values[own] = x[best];
    places[own] = best;
    __syncthreads();
    for (unsigned half = VDNN_CUDA_THREADS / 2; half > 0; half /= 2) {
        if (own < half) {
            float other = values[own + half];
            bool is_first = other == values[own] && places[own + half] < places[own];
            if (other > values[own] || is_first) {
                values[own] = other;
                places[own] = places[own + half];
            }
        }
        __syncthreads();
    }
    int64_t place = places[0];
    __syncthreads();
    return place;
}

/* A block for each sample. Turns x into the gradient of the sample's loss (its probabilities, less
 * 1 at the label), so that backward no longer needs the labels. An invalid label makes the loss
 * NaN. */
template <class T>
__global__ static void forward_samples(const T *x, const int32_t *labels, float *gradient,
                                       verdict *verdicts, int64_t classes)
{
    const T *own = x + blockIdx.x * classes;
    float *out = gradient + blockIdx.x * classes;
    int64_t label = labels[blockIdx.x], largest = first_largest(own, classes);
    float most = own[largest];
    double part = 0;
    for (int64_t c = threadIdx.x; c < classes; c += VDNN_CUDA_THREADS)
        part += (double)expf((float)own[c] - most);
    double sum = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(part);
    for (int64_t c = threadIdx.x; c < classes; c += VDNN_CUDA_THREADS)
        out[c] = (float)((double)expf((float)own[c] - most) / sum - (c == label ? 1 : 0));
    if (threadIdx.x == 0) {
        bool is_known = label >= 0 && label < classes;
        double score = is_known ? (double)(float)own[label] : (double)NAN;
        verdicts[blockIdx.x].loss = log(sum) - (score - (double)most);
        verdicts[blockIdx.x].correct = largest == label ? 1 : 0;
    }
}

/* One block, so that the samples are summed in one order. */
__global__ static void sum_samples(const verdict *verdicts, float *y, int64_t samples)
{
    double loss = 0, correct = 0;
    for (int64_t i = threadIdx.x; i < samples; i += VDNN_CUDA_THREADS) {
        loss += verdicts[i].loss;
        correct += verdicts[i].correct;
    }
    loss = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(loss);
    correct = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(correct);
    if (threadIdx.x == 0) {
        y[0] = (float)(loss / (double)samples);
        y[1] = (float)correct;
    }
}

struct divide {
    float by;

    __device__ float operator()(float gradient) const
    {
        return gradient / by;
    }
};

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    bool forward = kernel->pass == VDNN_FORWARD;
    *bytes = forward ? (size_t)kernel->layer->x[0].dims[VDNN_N] * sizeof(verdict) : 0;
    return VDNN_OK;
}

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_desc *x = &kernel->layer->x[0];
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    int64_t samples = x->dims[VDNN_N];
    float *gradient = static_cast<float *>(args->aux);
    verdict *verdicts = static_cast<verdict *>(args->workspace);
    if (kernel->pass != VDNN_FORWARD) {
        int64_t count = vdnn_desc_count(x);
        vdnn_cuda_map<T>(stream, count, divide{vdnn_loss_mean_of(samples, args->weight)},
                         static_cast<T *>(args->dx[0]), static_cast<const float *>(gradient));
        return vdnn_cuda_launched("softmax_loss backward");
    }
    VDNN_LAUNCH(forward_samples<T>, (unsigned)samples, VDNN_CUDA_THREADS, stream,
                static_cast<const T *>(args->x[0]), args->labels, gradient, verdicts,
                kernel->layer->classes);
    VDNN_LAUNCH(sum_samples, 1U, VDNN_CUDA_THREADS, stream, verdicts, static_cast<float *>(args->y),
                samples);
    return vdnn_cuda_launched("softmax_loss forward");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->x[0].dtype, run_as, kernel, args);
}

const vdnn_algorithm vdnn_softmax_loss_native_cuda =
    vdnn_cuda_invariant(vdnn_cuda_row("softmax_loss", "native", VDNN_CUDA_DATA_PASSES,
                                      vdnn_cuda_refusal, run, workspace),
                        VDNN_CUDA_DATA_PASSES);
