#include "layers/cuda_kernel.h"

extern "C" {
#include "layers/cuda_bias.h"
}

__global__ static void add_bias(float *y, const float *bias, int64_t channels, int64_t cells,
                                int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i < count)
        y[i] += bias[i / cells % channels];
}

/* A block for each channel. */
__global__ static void sum_channels(const float *dy, float *gradient, int64_t channels,
                                    int64_t cells, int64_t samples)
{
    float own = 0;
    for (int64_t i = threadIdx.x; i < samples * cells; i += VDNN_CUDA_THREADS)
        own += dy[(i / cells * channels + blockIdx.x) * cells + i % cells];
    float sum = vdnn_cuda_sum<float, VDNN_CUDA_THREADS>(own);
    if (threadIdx.x == 0)
        gradient[blockIdx.x] = sum;
}

static float *bias_of(const vdnn_layer *layer, void *block)
{
    return static_cast<float *>(block) + layer->params[1].offset / sizeof(float);
}

static int64_t cells_of(const vdnn_layer *layer)
{
    return layer->y.dims[VDNN_H] * layer->y.dims[VDNN_W];
}

vdnn_status vdnn_cuda_bias_add(const vdnn_layer *layer, const vdnn_kernel_args *args)
{
    int64_t count = vdnn_desc_count(&layer->y);
    if (layer->param_count < 2)
        return VDNN_OK;
    VDNN_LAUNCH(add_bias, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS,
                vdnn_cuda_stream_of(args)->handle, static_cast<float *>(args->y),
                bias_of(layer, args->w), layer->y.dims[VDNN_C], cells_of(layer), count);
    return vdnn_cuda_launched("bias");
}

vdnn_status vdnn_cuda_bias_gradient(const vdnn_layer *layer, const vdnn_kernel_args *args)
{
    const int64_t *d = layer->y.dims;
    if (layer->param_count < 2)
        return VDNN_OK;
    VDNN_LAUNCH(sum_channels, (unsigned)d[VDNN_C], VDNN_CUDA_THREADS,
                vdnn_cuda_stream_of(args)->handle, static_cast<const float *>(args->dy),
                bias_of(layer, args->dw), d[VDNN_C], cells_of(layer), d[VDNN_N]);
    return vdnn_cuda_launched("gradient of a bias");
}
