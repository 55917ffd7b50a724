#include "layers/cuda/kernel.h"

extern "C" {
#include "layers/count.h"
#include "layers/loss/dice.h"
}

/* Positions that a block sums. */
enum { CHUNK = 4 * VDNN_CUDA_THREADS };

/* Of a group, and of what the classes of a position are computed with. */
typedef struct dice_shape {
    int64_t positions, classes, chunks, ignored;
} dice_shape;

static dice_shape shape_of(const vdnn_layer *layer)
{
    const int64_t positions = vdnn_dice_positions(layer);
    return {positions, layer->classes, vdnn_count_pieces(positions, CHUNK), layer->ignored};
}

/* Per chunk: the sums of each class, then the entropy. */
static __host__ __device__ int64_t doubles_of(const dice_shape &shape)
{
    return 3 * shape.classes + 2;
}

template <class T>
static __device__ void softmax_of(const T *x, int64_t classes, float *largest, float *inverse,
                                  double *sum)
{
    *largest = x[0];
    for (int64_t c = 1; c < classes; c++)
        *largest = fmaxf(*largest, x[c]);
    *sum = 0;
    for (int64_t c = 0; c < classes; c++)
        *sum += (double)expf((float)x[c] - *largest);
    *inverse = (float)(1 / *sum);
}

static __device__ void store_sum(double own, double *to)
{
    const double sum = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(own);
    if (threadIdx.x == 0)
        *to = sum;
}

/* A block for each chunk of each group. */
template <class T>
__global__ static void sum_dice(const T *x, const int32_t *labels, double *sums, dice_shape shape)
{
    VDNN_SHARED(float, largest, [(size_t) CHUNK]);
    VDNN_SHARED(float, inverse, [(size_t) CHUNK]);
    VDNN_SHARED(int32_t, label_of, [(size_t) CHUNK]);
    const int64_t group = blockIdx.x / shape.chunks, begin = blockIdx.x % shape.chunks * CHUNK,
                  left = shape.positions - begin, count = left < CHUNK ? left : (int64_t)CHUNK,
                  first = group * shape.positions + begin;
    double *own = sums + blockIdx.x * doubles_of(shape), entropy = 0, counted = 0;
    for (int64_t t = threadIdx.x; t < count; t += VDNN_CUDA_THREADS) {
        const T *row = x + (first + t) * shape.classes;
        const int32_t label = labels[first + t];
        double sum;
        softmax_of(row, shape.classes, &largest[t], &inverse[t], &sum);
        label_of[t] = label == shape.ignored ? -1 : label;
        if (label == shape.ignored || label < 0 || label >= shape.classes)
            continue;
        entropy += log(sum) - (double)((float)row[label] - largest[t]);
        counted += 1;
    }
    __syncthreads();
    for (int64_t c = 0; c < shape.classes; c++) {
        double intersection = 0, probable = 0, labelled = 0;
        for (int64_t t = threadIdx.x; t < count; t += VDNN_CUDA_THREADS) {
            const float score = x[(first + t) * shape.classes + c];
            const double p = (double)(expf(score - largest[t]) * inverse[t]);
            probable += label_of[t] >= 0 ? p : 0;
            intersection += label_of[t] == c ? p : 0;
            labelled += label_of[t] == c ? 1 : 0;
        }
        store_sum(intersection, &own[3 * c]);
        store_sum(probable, &own[3 * c + 1]);
        store_sum(labelled, &own[3 * c + 2]);
    }
    store_sum(entropy, &own[3 * shape.classes]);
    store_sum(counted, &own[3 * shape.classes + 1]);
}

/* What vdnn_dice_finish computes with, of a layer. */
typedef struct dice_weights {
    double smooth, cross_entropy;
    int64_t background;
} dice_weights;

/* A block for each group, whose chunks are added in their order: as vdnn_dice_finish. */
__global__ static void finish_dice(const double *sums, float *aux, double *losses, dice_shape shape,
                                   dice_weights weights)
{
    const int64_t stride = doubles_of(shape), places = shape.classes;
    const double *own = sums + blockIdx.x * shape.chunks * stride;
    float *out = aux + blockIdx.x * (2 * places + 1);
    double loss = 0, entropy = 0, counted = 0;
    for (int64_t i = 0; i < shape.chunks; i++) {
        entropy += own[i * stride + 3 * places];
        counted += own[i * stride + 3 * places + 1];
    }
    const double share = counted > 0 ? weights.cross_entropy / counted : 0;
    for (int64_t c = threadIdx.x; c < places; c += VDNN_CUDA_THREADS) {
        double intersection = 0, extent = 0;
        for (int64_t i = 0; i < shape.chunks; i++) {
            intersection += own[i * stride + 3 * c];
            extent += own[i * stride + 3 * c + 1] + own[i * stride + 3 * c + 2];
        }
        const double above = 2 * intersection + weights.smooth,
                     below = fmax(extent + weights.smooth, VDNN_DICE_LEAST),
                     counts = c < weights.background
                                  ? 0
                                  : 1 / ((double)(places - weights.background) * below);
        loss -= counts * above;
        out[2 * c] = (float)(counts * above / below);
        out[2 * c + 1] = (float)(-2 * counts);
    }
    loss = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(loss);
    if (threadIdx.x > 0)
        return;
    out[2 * places] = (float)share;
    losses[blockIdx.x] = 1 + loss + share * entropy;
}

__global__ static void mean_dice(const double *losses, float *y, int64_t groups)
{
    double sum = 0;
    for (int64_t i = threadIdx.x; i < groups; i += VDNN_CUDA_THREADS)
        sum += losses[i];
    sum = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(sum);
    if (threadIdx.x > 0)
        return;
    y[0] = (float)(sum / (double)groups);
    y[1] = 0;
}

/* A thread for each position. */
template <class T>
__global__ static void turn_dice(const T *x, const int32_t *labels, const float *aux, T *dx,
                                 float by, int64_t rows, dice_shape shape)
{
    const int64_t i = vdnn_cuda_index(), classes = shape.classes;
    if (i >= rows)
        return;
    const float *own = aux + i / shape.positions * (2 * classes + 1), share = own[2 * classes];
    const T *row = x + i * classes;
    T *out = dx + i * classes;
    const int32_t label = labels[i];
    float largest, inverse, mean = 0;
    double sum;
    softmax_of(row, classes, &largest, &inverse, &sum);
    for (int64_t c = 0; c < classes; c++)
        mean += expf((float)row[c] - largest) * inverse *
                (own[2 * c] + (c == label ? own[2 * c + 1] : 0));
    for (int64_t c = 0; c < classes; c++) {
        const float p = expf((float)row[c] - largest) * inverse, hit = c == label ? 1 : 0;
        const float gradient = p * (own[2 * c] + hit * own[2 * c + 1] - mean) + share * (p - hit);
        out[c] = label == shape.ignored ? 0.0F : gradient / by;
    }
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    const dice_shape shape = shape_of(kernel->layer);
    const int64_t groups = vdnn_dice_groups(kernel->layer);
    *bytes = kernel->pass != VDNN_FORWARD
                 ? 0
                 : (size_t)(groups * (shape.chunks * doubles_of(shape) + 1)) * sizeof(double);
    return VDNN_OK;
}

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    const dice_shape shape = shape_of(layer);
    const int64_t groups = vdnn_dice_groups(layer), rows = groups * shape.positions;
    const T *x = static_cast<const T *>(args->x[0]);
    auto labels = static_cast<const int32_t *>(args->labels);
    auto aux = static_cast<float *>(args->aux);
    auto config = static_cast<const vdnn_dice_config *>(layer->config);
    if (kernel->pass != VDNN_FORWARD) {
        VDNN_LAUNCH(turn_dice<T>, vdnn_cuda_blocks(rows), VDNN_CUDA_THREADS, stream, x, labels, aux,
                    static_cast<T *>(args->dx[0]), vdnn_loss_mean_of(groups, args->weight), rows,
                    shape);
        return vdnn_cuda_launched("dice backward");
    }
    auto sums = static_cast<double *>(args->workspace);
    double *losses = sums + groups * shape.chunks * doubles_of(shape);
    const dice_weights weights = {config->smooth, config->cross_entropy, layer->background};
    VDNN_LAUNCH(sum_dice<T>, (unsigned)(groups * shape.chunks), VDNN_CUDA_THREADS, stream, x,
                labels, sums, shape);
    VDNN_LAUNCH(finish_dice, (unsigned)groups, VDNN_CUDA_THREADS, stream, sums, aux, losses, shape,
                weights);
    VDNN_LAUNCH(mean_dice, 1U, VDNN_CUDA_THREADS, stream, losses, static_cast<float *>(args->y),
                groups);
    return vdnn_cuda_launched("dice forward");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->x[0].dtype, run_as, kernel, args);
}

const vdnn_algorithm vdnn_dice_native_cuda = vdnn_cuda_invariant(
    vdnn_cuda_row("dice", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_refusal, run, workspace),
    VDNN_CUDA_DATA_PASSES);
