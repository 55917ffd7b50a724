#include "layers/cuda_kernel.h"

extern "C" {
#include "layers/cuda_bias.h"
}

template <class T>
__global__ static void fill(T *y, const float *bias, vdnn_cuda_divisor channels,
                            vdnn_cuda_divisor cells, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i < count)
        y[i] = bias[i / cells % channels];
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
                layer->y.dims[VDNN_C], cells_of(layer), count);
    return vdnn_cuda_launched("bias");
}

template <class T>
static vdnn_status make_gradient(const vdnn_layer *layer, const vdnn_kernel_args *args)
{
    const int64_t *d = layer->y.dims;
    float *gradient = static_cast<float *>(args->dw) + layer->params[1].offset / sizeof(float);
    VDNN_LAUNCH(sum_channels<T>, (unsigned)d[VDNN_C], VDNN_CUDA_THREADS,
                vdnn_cuda_stream_of(args)->handle, static_cast<const T *>(args->dy), gradient,
                d[VDNN_C], cells_of(layer), d[VDNN_N]);
    return vdnn_cuda_launched("gradient of a bias");
}

const float *vdnn_cuda_bias_of(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    return kernel->pass != VDNN_FORWARD || layer->param_count < 2
               ? nullptr
               : static_cast<const float *>(args->w) + layer->params[1].offset / sizeof(float);
}

vdnn_status vdnn_cuda_bias_begin(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                 float *beta)
{
    const float *bias = vdnn_cuda_bias_of(kernel, args);
    *beta = bias == nullptr ? 0 : 1;
    return bias == nullptr
               ? VDNN_OK
               : VDNN_CUDA_AS(kernel->layer->y.dtype, fill_map, kernel->layer, args, bias);
}

vdnn_status vdnn_cuda_bias_finish(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                  vdnn_status status)
{
    const vdnn_layer *layer = kernel->layer;
    if (status != VDNN_OK || layer->param_count < 2 || kernel->pass != VDNN_BACKWARD_FILTER)
        return status;
    return VDNN_CUDA_AS(layer->y.dtype, make_gradient, layer, args);
}
