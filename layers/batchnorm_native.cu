#include "layers/cuda_kernel.h"

extern "C" {
#include "layers/batchnorm.h"
}

/* The samples are cut into slices by shapes alone; a block sums one channel of one slice, in
 * double, and the slices are added in order:
 *
 *     workspace   | parts: slice 0: channel 0, 1, ... | slice 1 ... | totals: channel 0, 1, ... |
 */

enum { ENOUGH_BLOCKS = 512, ABREAST = 32, LANES = VDNN_CUDA_THREADS / ABREAST };

/* forward: sum of x and of x * x; backward: of dy and of dy * (x - mean). */
typedef struct norm_sums {
    double a, ab;
} norm_sums;

typedef struct norm_shape {
    int64_t samples, channels, cells, count, slices;
    vdnn_cuda_divisor by_cells, by_channels;
    vdnn_cuda_divisor by_step; /* from a channel to the next */
    double values;             /* of a channel */
    double eps;
} norm_shape;

static __device__ __forceinline__ int64_t first_sample(const norm_shape &s, int64_t slice)
{
    return slice * s.samples / s.slices;
}

/* mean NULL: forward. */
template <class T>
__global__ static void sum_slices(const T *x, const T *dy, const float *mean, norm_sums *parts,
                                  norm_shape s)
{
    int64_t c = blockIdx.x, slice = blockIdx.y;
    int64_t begin = first_sample(s, slice), end = first_sample(s, slice + 1);
    norm_sums own = {0, 0};
    for (int64_t i = threadIdx.x; i < (end - begin) * s.cells; i += VDNN_CUDA_THREADS) {
        int64_t place = ((begin + i / s.by_cells) * s.channels + c) * s.cells + i % s.by_cells;
        double a = mean == nullptr ? (double)(float)x[place] : (double)(float)dy[place];
        own.a += a;
        own.ab += a * (mean == nullptr ? a : (double)(float)x[place] - (double)mean[c]);
    }
    double a = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(own.a);
    double ab = vdnn_cuda_sum<double, VDNN_CUDA_THREADS>(own.ab);
    if (threadIdx.x == 0)
        parts[slice * s.channels + c] = {a, ab};
}

/* The same where channels lie beside each other: a block has so many of them, each of its lanes
 * every LANES-th cell. */
template <class T>
__global__ static void sum_slices_abreast(const T *x, const T *dy, const float *mean,
                                          norm_sums *parts, norm_shape s)
{
    VDNN_SHARED(norm_sums, lanes, [LANES][ABREAST]);
    int place = (int)threadIdx.x % ABREAST, lane = (int)threadIdx.x / ABREAST;
    int64_t c = (int64_t)blockIdx.x * ABREAST + place, slice = blockIdx.y;
    int64_t begin = first_sample(s, slice) * s.cells, end = first_sample(s, slice + 1) * s.cells;
    norm_sums own = {0, 0};
    for (int64_t cell = begin + lane; cell < end && c < s.channels; cell += LANES) {
        int64_t i = cell * s.channels + c;
        double a = mean == nullptr ? (double)(float)x[i] : (double)(float)dy[i];
        own.a += a;
        own.ab += a * (mean == nullptr ? a : (double)(float)x[i] - (double)mean[c]);
    }
    lanes[lane][place] = own;
    __syncthreads();
    if (lane > 0 || c >= s.channels)
        return;
    for (int k = 1; k < LANES; k++) {
        own.a += lanes[k][place].a;
        own.ab += lanes[k][place].ab;
    }
    parts[slice * s.channels + c] = own;
}

static __device__ norm_sums total_of(const norm_sums *parts, const norm_shape &s, int64_t c)
{
    norm_sums total = {0, 0};
    for (int64_t slice = 0; slice < s.slices; slice++) {
        total.a += parts[slice * s.channels + c].a;
        total.ab += parts[slice * s.channels + c].ab;
    }
    return total;
}

__global__ static void finish_forward(const norm_sums *parts, float *mean, float *variance,
                                      norm_shape s)
{
    int64_t c = vdnn_cuda_index();
    if (c >= s.channels)
        return;
    norm_sums total = total_of(parts, s, c);
    double center = total.a / s.values, spread = total.ab / s.values - center * center;
    mean[c] = (float)center;
    variance[c] = spread > 0 ? (float)spread : 0.0F;
}

static __device__ __forceinline__ double inverse_deviation(const norm_shape &s, float variance)
{
    return 1 / sqrt((double)variance + s.eps);
}

/* Of the parameters, one after the other in `dw`; NULL: nobody wants them. */
typedef struct norm_gradients {
    float *weight, *bias, *mean, *variance;
} norm_gradients;

__global__ static void finish_backward(const norm_sums *parts, norm_sums *totals, const float *mean,
                                       const float *variance, norm_gradients to, norm_shape s)
{
    int64_t c = vdnn_cuda_index();
    if (c >= s.channels)
        return;
    norm_sums total = total_of(parts, s, c);
    totals[c] = total;
    if (to.weight == nullptr)
        return;
    to.weight[c] = (float)(total.ab * inverse_deviation(s, variance[c]));
    to.bias[c] = (float)total.a;
    to.mean[c] = mean[c];
    to.variance[c] = (float)((double)variance[c] * (s.values / (s.values - 1)));
}

template <class T>
__global__ static void normalize(const T *x, T *y, const float *mean, const float *variance,
                                 const float *weight, const float *bias, norm_shape s)
{
    int64_t i = vdnn_cuda_index(), c = i / s.by_step % s.by_channels;
    if (i >= s.count)
        return;
    float scale = (float)((double)weight[c] * inverse_deviation(s, variance[c]));
    y[i] = scale * ((float)x[i] - mean[c]) + bias[c];
}

template <class T>
__global__ static void give_back(const T *x, const T *dy, T *dx, const float *mean,
                                 const float *variance, const float *weight,
                                 const norm_sums *totals, norm_shape s)
{
    int64_t i = vdnn_cuda_index(), c = i / s.by_step % s.by_channels;
    if (i >= s.count)
        return;
    double inverse = inverse_deviation(s, variance[c]), factor = (double)weight[c] * inverse;
    float scale = (float)(-factor * inverse * inverse * totals[c].ab / s.values);
    float shift = (float)(-factor * totals[c].a / s.values);
    dx[i] = (float)factor * (float)dy[i] + (scale * ((float)x[i] - mean[c]) + shift);
}

/* ---- passes ---------------------------------------------------------------------------------- */

static bool are_abreast(const vdnn_layer *layer)
{
    return layer->y.layout == VDNN_NHWC;
}

/* For all channels of a slice. */
static int64_t blocks_of(const vdnn_layer *layer)
{
    int64_t channels = layer->y.dims[VDNN_C];
    return are_abreast(layer) ? (channels + ABREAST - 1) / ABREAST : channels;
}

static norm_shape shape_of(const vdnn_layer *layer)
{
    const vdnn_batchnorm_config *norm = static_cast<const vdnn_batchnorm_config *>(layer->config);
    const int64_t *d = layer->y.dims;
    int64_t blocks = blocks_of(layer), enough = (ENOUGH_BLOCKS + blocks - 1) / blocks;
    norm_shape s = {};
    s.samples = d[VDNN_N];
    s.channels = d[VDNN_C];
    s.cells = d[VDNN_H] * d[VDNN_W];
    s.by_cells = s.cells;
    s.by_channels = s.channels;
    s.by_step = vdnn_cuda_steps_of(&layer->y).channel;
    s.count = vdnn_desc_count(&layer->y);
    s.slices = enough < s.samples ? enough : s.samples;
    s.values = (double)(s.samples * s.cells);
    s.eps = norm->eps;
    return s;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    norm_shape s = shape_of(kernel->layer);
    *bytes = (size_t)((s.slices + 1) * s.channels) * sizeof(norm_sums);
    return VDNN_OK;
}

static float *param(const vdnn_layer *layer, void *block, int which)
{
    return static_cast<float *>(block) + layer->params[which].offset / sizeof(float);
}

template <class T>
static void sum_all(const vdnn_layer *layer, cudaStream_t stream, const T *x, const T *dy,
                    const float *mean, norm_sums *parts, const norm_shape &s)
{
    dim3 blocks((unsigned)blocks_of(layer), (unsigned)s.slices);
    if (are_abreast(layer))
        VDNN_LAUNCH(sum_slices_abreast<T>, blocks, VDNN_CUDA_THREADS, stream, x, dy, mean, parts,
                    s);
    else
        VDNN_LAUNCH(sum_slices<T>, blocks, VDNN_CUDA_THREADS, stream, x, dy, mean, parts, s);
}

template <class T>
static vdnn_status forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    norm_shape s = shape_of(layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    const T *x = static_cast<const T *>(args->x[0]), *none = nullptr;
    const float *no_mean = nullptr;
    norm_sums *parts = static_cast<norm_sums *>(args->workspace);
    bool evaluates = args->context->evaluate;
    float *mean = static_cast<float *>(args->aux), *variance = mean + s.channels;
    if (evaluates) {
        mean = param(layer, args->w, VDNN_BATCHNORM_MEAN);
        variance = param(layer, args->w, VDNN_BATCHNORM_VARIANCE);
    } else if (!args->again) {
        sum_all(layer, stream, x, none, no_mean, parts, s);
        VDNN_LAUNCH(finish_forward, vdnn_cuda_blocks(s.channels), VDNN_CUDA_THREADS, stream, parts,
                    mean, variance, s);
    }
    VDNN_LAUNCH(normalize<T>, vdnn_cuda_blocks(s.count), VDNN_CUDA_THREADS, stream, x,
                static_cast<T *>(args->y), mean, variance,
                param(layer, args->w, VDNN_BATCHNORM_WEIGHT),
                param(layer, args->w, VDNN_BATCHNORM_BIAS), s);
    return vdnn_cuda_launched("batchnorm forward");
}

static norm_gradients gradients_of(const vdnn_layer *layer, void *dw)
{
    if (dw == nullptr)
        return {nullptr, nullptr, nullptr, nullptr};
    return {param(layer, dw, VDNN_BATCHNORM_WEIGHT), param(layer, dw, VDNN_BATCHNORM_BIAS),
            param(layer, dw, VDNN_BATCHNORM_MEAN), param(layer, dw, VDNN_BATCHNORM_VARIANCE)};
}

template <class T>
static vdnn_status backward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    norm_shape s = shape_of(layer);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    const T *x = static_cast<const T *>(args->x[0]);
    const T *dy = static_cast<const T *>(args->dy);
    const float *mean = static_cast<const float *>(args->aux), *variance = mean + s.channels;
    norm_sums *parts = static_cast<norm_sums *>(args->workspace);
    norm_sums *totals = parts + s.slices * s.channels;
    sum_all(layer, stream, x, dy, mean, parts, s);
    VDNN_LAUNCH(finish_backward, vdnn_cuda_blocks(s.channels), VDNN_CUDA_THREADS, stream, parts,
                totals, mean, variance,
                gradients_of(layer, vdnn_layer_writes_dw(layer, kernel->pass) ? args->dw : nullptr),
                s);
    if (kernel->pass == VDNN_BACKWARD_DATA)
        VDNN_LAUNCH(give_back<T>, vdnn_cuda_blocks(s.count), VDNN_CUDA_THREADS, stream, x, dy,
                    static_cast<T *>(args->dx[0]), mean, variance,
                    param(layer, args->w, VDNN_BATCHNORM_WEIGHT), totals, s);
    return vdnn_cuda_launched("batchnorm backward");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_dtype dtype = kernel->layer->x[0].dtype;
    return kernel->pass == VDNN_FORWARD ? VDNN_CUDA_AS(dtype, forward, kernel, args)
                                        : VDNN_CUDA_AS(dtype, backward, kernel, args);
}

const vdnn_algorithm vdnn_batchnorm_native_cuda = vdnn_cuda_row(
    "batchnorm", "native", VDNN_CUDA_ALL_PASSES, vdnn_cuda_free_refusal, run, workspace);
