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

/* The gradient of a class, divided by `by`, from what its row has. */
struct class_gradient {
    vdnn_softmax_loss_row row;
    double smoothing, all,
        by; /* what is expected of the label less `all`, which is of every class */
    float factor, less;

    __device__ class_gradient(const vdnn_softmax_loss_row &own, double share, int64_t classes,
                              double divisor)
        : row(own), smoothing(share), all(share / (double)classes), by(divisor),
          factor((float)(1 / (own.sum * divisor))), less((float)(all / divisor))
    {
    }

    __device__ float of(float x, int64_t c) const
    {
        if (row.label == VDNN_SOFTMAX_LOSS_IGNORED)
            return 0;
        float e = expf(x - row.largest);
        return c == row.label ? (float)(((double)e / row.sum - (1 - smoothing) - all) / by)
                              : e * factor - less;
    }
};

/* A block for each row. What backward reads is in `rows`, or, if that is NULL, the gradient of the
 * row's loss: its probabilities, less what is expected of each class. An invalid label makes the
 * loss NaN. */
template <class T>
__global__ static void forward_rows(const T *x, const int32_t *labels, vdnn_softmax_loss_row *rows,
                                    float *gradient, verdict *verdicts, int64_t classes,
                                    int64_t ignored, double smoothing)
{
    const T *own = x + blockIdx.x * classes;
    int64_t label = labels[blockIdx.x], largest = first_largest(own, classes);
    bool counts = label != ignored, is_known = label >= 0 && label < classes;
    float most = own[largest];
    double part = 0, scores = 0;
    for (int64_t c = threadIdx.x; c < classes; c += VDNN_CUDA_THREADS) {
        part += (double)expf((float)own[c] - most);
        scores += (double)(float)own[c];
    }
    double sum = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(part);
    double mean = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(scores) / (double)classes;
    const vdnn_softmax_loss_row row = {
        sum, most, counts ? (int32_t)label : (int32_t)VDNN_SOFTMAX_LOSS_IGNORED};
    const class_gradient at(row, smoothing, classes, 1);
    for (int64_t c = threadIdx.x; c < classes && rows == nullptr; c += VDNN_CUDA_THREADS)
        gradient[blockIdx.x * classes + c] = at.of((float)own[c], c);
    if (threadIdx.x > 0)
        return;
    if (rows != nullptr)
        rows[blockIdx.x] = row;
    double score = is_known ? (double)(float)own[label] : (double)NAN;
    double loss = log(sum) - (score - (double)most);
    loss = smoothing > 0 ? loss + smoothing * (score - mean) : loss;
    verdicts[blockIdx.x].loss = counts ? loss : 0;
    verdicts[blockIdx.x].correct = counts && largest == label ? 1 : 0;
    verdicts[blockIdx.x].counted = counts ? 1 : 0;
}

/* How many rows count, or 1, behind what aux has of them; NULL: all do. */
struct count_place {
    vdnn_softmax_loss_row *row;
    float *number;

    __device__ double get(int64_t all) const
    {
        return row != nullptr ? row->sum : number != nullptr ? (double)*number : (double)all;
    }
};

/* One block, so that the rows are summed in one order. */
__global__ static void sum_rows(const verdict *verdicts, float *y, count_place place, int64_t rows)
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
    if (place.row != nullptr)
        place.row->sum = counted > 0 ? counted : 1;
    if (place.number != nullptr)
        *place.number = counted > 0 ? (float)counted : 1.0F;
}

/* By the mean of the rows that count, whose number is only known on the card. */
struct mean_divisor {
    int64_t rows;
    count_place counted;
    double weight;

    __device__ float by() const
    {
        return (float)(counted.get(rows) / weight);
    }

    __device__ float operator()(float gradient) const
    {
        return gradient / by();
    }
};

/* A block for each row. dx may be x. */
template <class T>
__global__ static void backward_rows(const T *x, const vdnn_softmax_loss_row *rows, T *dx,
                                     int64_t classes, double smoothing, mean_divisor mean)
{
    const class_gradient of(rows[blockIdx.x], smoothing, classes, mean.by());
    for (int64_t c = threadIdx.x; c < classes; c += VDNN_CUDA_THREADS) {
        int64_t at = blockIdx.x * classes + c;
        dx[at] = of.of((float)x[at], c);
    }
}

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
    double smoothing = vdnn_softmax_loss_smoothing(layer);
    const bool reads_x = vdnn_softmax_loss_reads_x(layer),
               ignores = layer->ignored != VDNN_NO_LABEL;
    const bool is_forward = kernel->pass == VDNN_FORWARD;
    const T *x = is_forward || reads_x ? static_cast<const T *>(args->x[0]) : nullptr;
    vdnn_softmax_loss_row *saved =
        reads_x ? static_cast<vdnn_softmax_loss_row *>(args->aux) : nullptr;
    float *gradient = reads_x ? nullptr : static_cast<float *>(args->aux);
    const count_place counted = {ignores && reads_x ? saved + rows : nullptr,
                                 ignores && !reads_x ? gradient + count : nullptr};
    const mean_divisor mean = {rows, counted, args->weight};
    verdict *verdicts = static_cast<verdict *>(args->workspace);
    if (!is_forward) {
        T *dx = static_cast<T *>(args->dx[0]);
        if (reads_x)
            VDNN_LAUNCH(backward_rows<T>, (unsigned)rows, VDNN_CUDA_THREADS, stream, x, saved, dx,
                        layer->classes, smoothing, mean);
        else
            vdnn_cuda_map<T>(stream, count, mean, dx, static_cast<const float *>(gradient));
        return vdnn_cuda_launched("softmax_loss backward");
    }
    VDNN_LAUNCH(forward_rows<T>, (unsigned)rows, VDNN_CUDA_THREADS, stream, x,
                static_cast<const int32_t *>(args->labels), saved, gradient, verdicts,
                layer->classes, layer->ignored, smoothing);
    VDNN_LAUNCH(sum_rows, 1U, VDNN_CUDA_THREADS, stream, verdicts, static_cast<float *>(args->y),
                counted, rows);
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
