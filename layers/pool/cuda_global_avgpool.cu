#include "layers/cuda/pack.h"

/* Every element is read once forward and written once backward. */

enum { LANES = 8, PLANES = VDNN_CUDA_THREADS / LANES };

/* If a plane's cells are contiguous: a block has some planes, which are usually small, and each of
 * a plane's lanes every LANES-th cell. */
template <class T>
__global__ static void mean_of_planes(const T *x, T *y, int64_t cells, int64_t planes)
{
    VDNN_SHARED(float, sums, [PLANES][LANES]);
    int own = (int)threadIdx.x / LANES, lane = (int)threadIdx.x % LANES;
    int64_t plane = (int64_t)blockIdx.x * PLANES + own;
    float sum = 0;
    for (int64_t cell = lane; cell < cells && plane < planes; cell += LANES)
        sum += x[plane * cells + cell];
    sums[own][lane] = sum;
    __syncthreads();
    if (lane > 0 || plane >= planes)
        return;
    for (int k = 1; k < LANES; k++)
        sum += sums[own][k];
    y[plane] = sum / (float)cells;
}

/* If a cell's channels are contiguous: a thread has WIDTH of a sample's, a pack or one, in one cell
 * after the other. */
template <class T, int WIDTH>
__global__ static void mean_of_channels(const T *x, T *y, vdnn_cuda_divisor channels, int64_t cells,
                                        int64_t planes)
{
    int64_t first = vdnn_cuda_index() * WIDTH;
    if (first >= planes)
        return;
    const T *from = x + first / channels * cells * channels.by + first % channels;
    float sums[(size_t)WIDTH] = {}, values[(size_t)WIDTH];
    for (int64_t cell = 0; cell < cells; cell++) {
        vdnn_cuda_unpack<T, WIDTH>(from + cell * channels.by, values);
        for (int k = 0; k < WIDTH; k++)
            sums[k] += values[k];
    }
    for (int k = 0; k < WIDTH; k++)
        sums[k] /= (float)cells;
    vdnn_cuda_repack<T, WIDTH>(sums, y + first);
}

template <class T> struct spread {
    const T *dy;
    T *dx;
    vdnn_cuda_divisor sample, step, channels;
    float cells;

    template <class Place> __device__ void operator()(const Place &at) const
    {
        vdnn_cuda_eight shares;
        for (int k = 0; k < VDNN_CUDA_EIGHT; k++) {
            int64_t i = at.has(k) ? at.element(k) : 0;
            shares.at[k] = (float)dy[i / sample * channels.by + i / step % channels] / cells;
        }
        at.store(dx, shares);
    }
};

/* A sequence's positions are cells whose channels are contiguous. */
typedef struct averaged {
    int64_t channels, cells;
    bool are_abreast; /* a cell's channels */
} averaged;

static averaged averaged_of(const vdnn_desc *x)
{
    if (vdnn_desc_is_sequence(x))
        return {x->dims[VDNN_FEATURES], x->dims[VDNN_POSITIONS], true};
    return {x->dims[VDNN_C], x->dims[VDNN_H] * x->dims[VDNN_W], x->layout == VDNN_NHWC};
}

template <class T> static void forward(const vdnn_desc *map, const T *x, T *y, cudaStream_t stream)
{
    constexpr int COUNT = vdnn_cuda_pack<T>::COUNT;
    averaged own = averaged_of(map);
    int64_t channels = own.channels, planes = map->dims[VDNN_N] * channels, cells = own.cells;
    if (!own.are_abreast)
        VDNN_LAUNCH(mean_of_planes<T>, (unsigned)((planes + PLANES - 1) / PLANES),
                    VDNN_CUDA_THREADS, stream, x, y, cells, planes);
    else if (channels % COUNT == 0)
        VDNN_LAUNCH((mean_of_channels<T, COUNT>), vdnn_cuda_blocks(planes / COUNT),
                    VDNN_CUDA_THREADS, stream, x, y, channels, cells, planes);
    else
        VDNN_LAUNCH((mean_of_channels<T, 1>), vdnn_cuda_blocks(planes), VDNN_CUDA_THREADS, stream,
                    x, y, channels, cells, planes);
}

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_desc *x = &kernel->layer->x[0];
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    averaged own = averaged_of(x);
    T *dx = args->dx == nullptr ? nullptr : static_cast<T *>(args->dx[0]);
    if (kernel->pass == VDNN_FORWARD)
        forward(x, static_cast<const T *>(args->x[0]), static_cast<T *>(args->y), stream);
    else
        vdnn_cuda_each<T>(stream, vdnn_desc_count(x), vdnn_cuda_are_aligned(dx),
                          spread<T>{static_cast<const T *>(args->dy), dx, own.channels * own.cells,
                                    own.are_abreast ? 1 : own.cells, own.channels,
                                    (float)own.cells});
    return vdnn_cuda_launched("global_avgpool");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->x[0].dtype, run_as, kernel, args);
}

const vdnn_algorithm vdnn_global_avgpool_native_cuda = vdnn_cuda_invariant(
    vdnn_cuda_row("global_avgpool", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_free_refusal, run),
    VDNN_CUDA_DATA_PASSES, VDNN_CUDA_DATA_PASSES);
