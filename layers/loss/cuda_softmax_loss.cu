#include "layers/cuda/pack.h"

extern "C" {
#include "layers/loss/mean.h"
#include "layers/loss/softmax_loss.h"
}

/* Per row, a sample or a position: its loss, whether its label has the largest score, and whether
 * it counts. */
typedef struct verdict {
    double loss, correct, counted;
} verdict;

/* The first of the largest scores of a row; in every thread. */
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

/* A block for each row. Turns x into the gradient of the row's loss (its probabilities, less what
 * is expected of each class), so that backward no longer needs the labels. An invalid label makes
 * the loss NaN. */
template <class T>
__global__ static void forward_rows(const T *x, const int32_t *labels, float *gradient,
                                    verdict *verdicts, int64_t classes, int64_t ignored,
                                    double smoothing)
{
    const T *own = x + blockIdx.x * classes;
    float *out = gradient + blockIdx.x * classes;
    int64_t label = labels[blockIdx.x], largest = first_largest(own, classes);
    float most = own[largest];
    if (label == ignored) {
        for (int64_t c = threadIdx.x; c < classes; c += VDNN_CUDA_THREADS)
            out[c] = 0;
        if (threadIdx.x == 0)
            verdicts[blockIdx.x] = {};
        return;
    }
    double part = 0, scores = 0;
    for (int64_t c = threadIdx.x; c < classes; c += VDNN_CUDA_THREADS) {
        part += (double)expf((float)own[c] - most);
        scores += (double)(float)own[c];
    }
    double sum = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(part), all = smoothing / (double)classes;
    double mean = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(scores) / (double)classes;
    for (int64_t c = threadIdx.x; c < classes; c += VDNN_CUDA_THREADS)
        out[c] = (float)((double)expf((float)own[c] - most) / sum - all -
                         (c == label ? 1 - smoothing : 0));
    if (threadIdx.x == 0) {
        bool is_known = label >= 0 && label < classes;
        double score = is_known ? (double)(float)own[label] : (double)NAN;
        double loss = log(sum) - (score - (double)most);
        verdicts[blockIdx.x].loss = smoothing > 0 ? loss + smoothing * (score - mean) : loss;
        verdicts[blockIdx.x].correct = largest == label ? 1 : 0;
        verdicts[blockIdx.x].counted = 1;
    }
}

/* One block, so that the rows are summed in one order. *divisor, unless it is NULL: how many count,
 * or 1. */
__global__ static void sum_rows(const verdict *verdicts, float *y, float *divisor, int64_t rows)
{
    double loss = 0, correct = 0, counted = 0;
    for (int64_t i = threadIdx.x; i < rows; i += VDNN_CUDA_THREADS) {
        loss += verdicts[i].loss;
        correct += verdicts[i].correct;
        counted += verdicts[i].counted;
    }
    loss = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(loss);
    correct = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(correct);
    counted = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(counted);
    if (threadIdx.x > 0)
        return;
    y[0] = (float)(loss / counted);
    y[1] = (float)correct;
    if (divisor != nullptr)
        *divisor = counted > 0 ? (float)counted : 1.0F;
}

/* By a number, or, where labels are ignored, by the mean of those that count, whose number is only
 * known on the card. */
struct divide {
    float by;
    const float *counted;
    double weight;

    __device__ float operator()(float gradient) const
    {
        return gradient / (counted == nullptr ? by : (float)((double)*counted / weight));
    }
};

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    bool forward = kernel->pass == VDNN_FORWARD;
    *bytes = forward ? (size_t)vdnn_desc_count(&kernel->layer->labels) * sizeof(verdict) : 0;
    return VDNN_OK;
}

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    int64_t rows = vdnn_desc_count(&layer->labels), count = vdnn_desc_count(&layer->x[0]);
    float *gradient = static_cast<float *>(args->aux);
    float *divisor = layer->ignored == VDNN_NO_LABEL ? nullptr : gradient + count;
    verdict *verdicts = static_cast<verdict *>(args->workspace);
    if (kernel->pass != VDNN_FORWARD) {
        vdnn_cuda_map<T>(stream, count,
                         divide{vdnn_loss_mean_of(rows, args->weight), divisor, args->weight},
                         static_cast<T *>(args->dx[0]), static_cast<const float *>(gradient));
        return vdnn_cuda_launched("softmax_loss backward");
    }
    VDNN_LAUNCH(forward_rows<T>, (unsigned)rows, VDNN_CUDA_THREADS, stream,
                static_cast<const T *>(args->x[0]), static_cast<const int32_t *>(args->labels),
                gradient, verdicts, layer->classes, layer->ignored,
                vdnn_softmax_loss_smoothing(layer));
    VDNN_LAUNCH(sum_rows, 1U, VDNN_CUDA_THREADS, stream, verdicts, static_cast<float *>(args->y),
                divisor, rows);
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
