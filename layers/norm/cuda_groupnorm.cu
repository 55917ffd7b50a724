#include "layers/norm/cuda_rows.h"

extern "C" {
#include "layers/norm/groupnorm.h"
}

/* Bytes moved per element of f32: forward 8; backward 12 for dx, and 8 for the gradients of the
 * parameters. Of bf16 half.
 *
 *     normalize_groups       x        ->  mean and r of the row, y         a block a row
 *     differentiate_groups   x, dy    ->  dx                               a block a row
 *     sum_channels           x, dy    ->  dw, db                           a block a channel */

typedef struct groupnorm_rows {
    vdnn_norm_rows rows;
    int64_t groups, channels; /* of a sample, of a group */
    vdnn_cuda_divisor by_cells;
} groupnorm_rows;

/* Of the block's row, for an element of it. */
static __device__ __forceinline__ int64_t channel_of(const groupnorm_rows &s, int64_t element)
{
    return (int64_t)blockIdx.x % s.groups * s.channels + element / s.by_cells;
}

template <class Place>
static __device__ __forceinline__ float param_of(const groupnorm_rows &s, const float *params,
                                                 const Place &at, int k, float without)
{
    return params == nullptr || !at.has(k) ? without : params[channel_of(s, at.element(k))];
}

template <class T, int THREADS>
__global__ static void normalize_groups(groupnorm_rows s, const T *x, const float *w,
                                        const float *b, float *statistics, T *y)
{
    float *own = statistics + 2 * (int64_t)blockIdx.x;
    x += blockIdx.x * s.rows.width;
    y += blockIdx.x * s.rows.width;
    if (!s.rows.recompute)
        vdnn_norm_find<T, THREADS>(s.rows, x, own);
    float mean = own[0], r = own[1];
    vdnn_norm_each<T, THREADS>(s.rows, [&](const auto &at) {
        vdnn_cuda_eight of = at.load(x);
        for (int k = 0; k < VDNN_CUDA_EIGHT; k++)
            of.at[k] = (of.at[k] - mean) * r * param_of(s, w, at, k, 1) + param_of(s, b, at, k, 0);
        at.store(y, of);
    });
}

/* dx may be dy: a place is read before it is written. */
template <class T, int THREADS>
__global__ static void differentiate_groups(groupnorm_rows s, const T *x, const T *dy,
                                            const float *w, const float *statistics, T *dx)
{
    const float *own = statistics + 2 * (int64_t)blockIdx.x;
    float mean = own[0], r = own[1], of_g = 0, of_gn = 0;
    x += blockIdx.x * s.rows.width;
    dy += blockIdx.x * s.rows.width;
    dx += blockIdx.x * s.rows.width;
    vdnn_norm_each<T, THREADS>(s.rows, [&](const auto &at) {
        vdnn_cuda_eight of_x = at.load(x), g = at.load(dy);
        for (int k = 0; k < VDNN_CUDA_EIGHT; k++)
            g.at[k] *= param_of(s, w, at, k, 1);
        of_g += vdnn_norm_total(at, [&](int k) { return g.at[k]; });
        of_gn += vdnn_norm_total(at, [&](int k) { return g.at[k] * ((of_x.at[k] - mean) * r); });
    });
    float mean_g = vdnn_norm_mean<THREADS>(s.rows, of_g);
    float mean_gn = vdnn_norm_mean<THREADS>(s.rows, of_gn);
    vdnn_norm_each<T, THREADS>(s.rows, [&](const auto &at) {
        vdnn_cuda_eight of_x = at.load(x), g = at.load(dy);
        for (int k = 0; k < VDNN_CUDA_EIGHT; k++)
            g.at[k] = r * (g.at[k] * param_of(s, w, at, k, 1) - mean_g -
                           (of_x.at[k] - mean) * r * mean_gn);
        at.store(dx, g);
    });
}

/* Over the samples of a channel. */
template <class T>
__global__ static void sum_channels(groupnorm_rows s, int64_t samples, const T *x, const T *dy,
                                    const float *statistics, float *dw)
{
    int64_t channel = blockIdx.x, all = s.groups * s.channels, cells = s.by_cells.by;
    float of_dyn = 0, of_dy = 0;
    for (int64_t i = threadIdx.x; i < samples * cells; i += VDNN_CUDA_THREADS) {
        int64_t sample = i / s.by_cells, at = (sample * all + channel) * cells + i % s.by_cells;
        const float *own = statistics + 2 * (sample * s.groups + channel / s.channels);
        float g = (float)dy[at];
        of_dyn += g * (((float)x[at] - own[0]) * own[1]);
        of_dy += g;
    }
    of_dyn = vdnn_cuda_sum<float, VDNN_CUDA_THREADS>(of_dyn);
    of_dy = vdnn_cuda_sum<float, VDNN_CUDA_THREADS>(of_dy);
    if (threadIdx.x == 0) {
        dw[channel] = of_dyn;
        dw[all + channel] = of_dy;
    }
}

template <class T, int THREADS>
static void run_rows(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                     const groupnorm_rows &s)
{
    const vdnn_layer *layer = kernel->layer;
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    auto rows = (unsigned)s.rows.rows;
    auto x = static_cast<const T *>(args->x[0]);
    const float *w = vdnn_norm_param(layer, args, 0);
    if (kernel->pass == VDNN_FORWARD)
        VDNN_LAUNCH((normalize_groups<T, THREADS>), rows, THREADS, stream, s, x, w,
                    vdnn_norm_param(layer, args, 1), static_cast<float *>(args->aux),
                    static_cast<T *>(args->y));
    else
        VDNN_LAUNCH((differentiate_groups<T, THREADS>), rows, THREADS, stream, s, x,
                    static_cast<const T *>(args->dy), w, static_cast<const float *>(args->aux),
                    static_cast<T *>(args->dx[0]));
}

/* The parameters' gradients before dx, which may be written over dy. */
template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    const vdnn_groupnorm_shape shape = vdnn_groupnorm_shape_of(layer);
    auto config = static_cast<const vdnn_groupnorm_config *>(layer->config);
    const int64_t width = shape.channels * shape.cells;
    const groupnorm_rows s = {{shape.rows, width, 2, (float)config->eps, args->recompute,
                               vdnn_norm_are_aligned<T>(kernel, args, width)},
                              shape.groups,
                              shape.channels,
                              shape.cells};
    if (vdnn_layer_writes_dw(layer, kernel->pass))
        VDNN_LAUNCH(sum_channels<T>, (unsigned)(shape.groups * shape.channels), VDNN_CUDA_THREADS,
                    vdnn_cuda_stream_of(args)->handle, s, layer->x[0].dims[VDNN_N],
                    static_cast<const T *>(args->x[0]), static_cast<const T *>(args->dy),
                    static_cast<const float *>(args->aux), static_cast<float *>(args->dw));
    if (kernel->pass != VDNN_BACKWARD_FILTER) {
        if (width <= VDNN_NORM_FEW_THREADS * VDNN_CUDA_EIGHT)
            run_rows<T, VDNN_NORM_FEW_THREADS>(kernel, args, s);
        else
            run_rows<T, VDNN_CUDA_THREADS>(kernel, args, s);
    }
    return vdnn_cuda_launched("groupnorm");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->x[0].dtype, run_as, kernel, args);
}

static constexpr vdnn_algorithm groupnorm_row(const char *type)
{
    return vdnn_cuda_invariant(
        vdnn_cuda_row(type, "native", VDNN_CUDA_ALL_PASSES, vdnn_cuda_refusal, run),
        VDNN_CUDA_DATA_PASSES);
}

const vdnn_algorithm vdnn_groupnorm_native_cuda = groupnorm_row("groupnorm");
const vdnn_algorithm vdnn_instancenorm_native_cuda = groupnorm_row("instancenorm");
