#include "layers/cuda_epilogue.h"

template <class T>
__global__ static void fill(T *y, const float *bias, vdnn_cuda_divisor channels,
                            vdnn_cuda_divisor step, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i < count)
        y[i] = bias[i / step % channels];
}

template <class T> __global__ static void cut(T *y, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i < count && (float)y[i] <= 0)
        y[i] = 0.0F;
}

enum { ABREAST = 32, LANES = VDNN_CUDA_THREADS / ABREAST, SLICES = 64 };

/* Of channels that lie beside each other a block has so many, in a slice of the cells of all
 * samples, each of its lanes every LANES-th. */
template <class T>
__global__ static void sum_abreast(const T *dy, float *parts, int64_t channels, int64_t cells)
{
    VDNN_SHARED(float, lanes, [LANES][ABREAST]);
    int place = (int)threadIdx.x % ABREAST, lane = (int)threadIdx.x / ABREAST;
    int64_t c = (int64_t)blockIdx.x * ABREAST + place, slice = blockIdx.y;
    int64_t begin = slice * cells / SLICES, end = (slice + 1) * cells / SLICES;
    float own = 0;
    for (int64_t cell = begin + lane; cell < end && c < channels; cell += LANES)
        own += dy[cell * channels + c];
    lanes[lane][place] = own;
    __syncthreads();
    if (lane > 0 || c >= channels)
        return;
    for (int k = 1; k < LANES; k++)
        own += lanes[k][place];
    parts[slice * channels + c] = own;
}

__global__ static void add_slices(const float *parts, float *gradient, int64_t channels)
{
    int64_t c = vdnn_cuda_index();
    float sum = 0;
    for (int64_t slice = 0; slice < SLICES && c < channels; slice++)
        sum += parts[slice * channels + c];
    if (c < channels)
        gradient[c] = sum;
}

/* A block for each channel. */
template <class T>
__global__ static void sum_channels(const T *dy, float *gradient, int64_t channels,
                                    vdnn_cuda_divisor cells, int64_t samples)
{
    float own = 0;
    for (int64_t i = threadIdx.x; i < samples * cells.by; i += VDNN_CUDA_THREADS)
        own += dy[(i / cells * channels + blockIdx.x) * cells.by + i % cells];
    float sum = vdnn_cuda_sum<float, VDNN_CUDA_THREADS>(own);
    if (threadIdx.x == 0)
        gradient[blockIdx.x] = sum;
}

static bool are_abreast(const vdnn_layer *layer)
{
    return layer->y.layout == VDNN_NHWC;
}

static int64_t cells_of(const vdnn_layer *layer)
{
    return layer->y.dims[VDNN_H] * layer->y.dims[VDNN_W];
}

template <class T>
static vdnn_status fill_map(const vdnn_layer *layer, const vdnn_kernel_args *args,
                            const float *bias)
{
    int64_t count = vdnn_desc_count(&layer->y);
    VDNN_LAUNCH(fill<T>, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS,
                vdnn_cuda_stream_of(args)->handle, static_cast<T *>(args->y), bias,
                layer->y.dims[VDNN_C], vdnn_cuda_steps_of(&layer->y).channel, count);
    return vdnn_cuda_launched("bias");
}

template <class T> static vdnn_status cut_map(const vdnn_layer *layer, const vdnn_kernel_args *args)
{
    int64_t count = vdnn_desc_count(&layer->y);
    VDNN_LAUNCH(cut<T>, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS,
                vdnn_cuda_stream_of(args)->handle, static_cast<T *>(args->y), count);
    return vdnn_cuda_launched("relu");
}

template <class T>
static vdnn_status make_gradient(const vdnn_layer *layer, const vdnn_kernel_args *args)
{
    const int64_t *d = layer->y.dims;
    float *gradient = static_cast<float *>(args->dw) + layer->params[1].offset / sizeof(float);
    const T *dy = static_cast<const T *>(args->dy);
    float *parts = static_cast<float *>(args->workspace);
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    if (are_abreast(layer)) {
        VDNN_LAUNCH(sum_abreast<T>, dim3((unsigned)((d[VDNN_C] + ABREAST - 1) / ABREAST), SLICES),
                    VDNN_CUDA_THREADS, stream, dy, parts, d[VDNN_C], d[VDNN_N] * cells_of(layer));
        VDNN_LAUNCH(add_slices, vdnn_cuda_blocks(d[VDNN_C]), VDNN_CUDA_THREADS, stream, parts,
                    gradient, d[VDNN_C]);
    } else {
        VDNN_LAUNCH(sum_channels<T>, (unsigned)d[VDNN_C], VDNN_CUDA_THREADS, stream, dy, gradient,
                    d[VDNN_C], cells_of(layer), d[VDNN_N]);
    }
    return vdnn_cuda_launched("gradient of a bias");
}

static bool has_bias(const vdnn_layer *layer)
{
    return layer->param_count > 1;
}

size_t vdnn_cuda_epilogue_bytes(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    bool has_parts = kernel->pass == VDNN_BACKWARD_FILTER && has_bias(layer) && are_abreast(layer);
    return has_parts ? (size_t)(SLICES * layer->y.dims[VDNN_C]) * sizeof(float) : 0;
}

vdnn_cuda_epilogue vdnn_cuda_epilogue_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    if (kernel->pass != VDNN_FORWARD)
        return {nullptr, false};
    const float *w = static_cast<const float *>(args->w);
    return {has_bias(layer) ? w + layer->params[1].offset / sizeof(float) : nullptr, layer->relu};
}

vdnn_status vdnn_cuda_epilogue_begin(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                     float *beta)
{
    const float *bias = vdnn_cuda_epilogue_of(kernel, args).bias;
    *beta = bias == nullptr ? 0 : 1;
    return bias == nullptr
               ? VDNN_OK
               : VDNN_CUDA_AS(kernel->layer->y.dtype, fill_map, kernel->layer, args, bias);
}

vdnn_status vdnn_cuda_epilogue_gradient(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                        vdnn_status status)
{
    const vdnn_layer *layer = kernel->layer;
    if (status != VDNN_OK || kernel->pass != VDNN_BACKWARD_FILTER || !has_bias(layer))
        return status;
    return VDNN_CUDA_AS(layer->y.dtype, make_gradient, layer, args);
}

vdnn_status vdnn_cuda_epilogue_finish(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                      vdnn_status status)
{
    if (status == VDNN_OK && vdnn_cuda_epilogue_of(kernel, args).relu)
        return VDNN_CUDA_AS(kernel->layer->y.dtype, cut_map, kernel->layer, args);
    return vdnn_cuda_epilogue_gradient(kernel, args, status);
}
