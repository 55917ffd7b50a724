#include "layers/cuda_pack.h"

extern "C" {
#include "layers/cuda_weight.h"
}

enum { ALIGNMENT = 256 };

struct same {
    __device__ float operator()(float value) const
    {
        return value;
    }
};

void vdnn_cuda_narrow(const vdnn_cuda_stream *stream, const float *from, void *to, int64_t count)
{
    vdnn_cuda_map<vdnn_cuda_bf16>(stream->handle, count, same{}, static_cast<vdnn_cuda_bf16 *>(to),
                                  from);
}

void vdnn_cuda_widen(const vdnn_cuda_stream *stream, const void *from, float *to, int64_t count)
{
    vdnn_cuda_map<vdnn_cuda_bf16>(stream->handle, count, same{}, to,
                                  static_cast<const vdnn_cuda_bf16 *>(from));
}

/* In the map's layout: beside maps whose channels lie beside each other, each output's taps with
 * the channels of each. */
template <class T>
__global__ static void turn(const float *from, T *to, vdnn_cuda_divisor channels,
                            vdnn_cuda_divisor taps, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i < count)
        to[i] = from[(i / channels / taps * channels.by + i % channels) * taps.by +
                     i / channels % taps];
}

__global__ static void turn_back(const float *from, float *to, vdnn_cuda_divisor channels,
                                 vdnn_cuda_divisor taps, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i < count)
        to[i] =
            from[(i / taps / channels * taps.by + i % taps) * channels.by + i / taps % channels];
}

static int64_t taps_of(const vdnn_layer *layer)
{
    const vdnn_param *weight = &layer->params[0];
    return weight->count / (weight->dims[0] * weight->dims[1]);
}

static bool is_turned(const vdnn_layer *layer)
{
    return layer->y.layout == VDNN_NHWC && taps_of(layer) > 1;
}

static bool is_narrow(const vdnn_kernel *kernel)
{
    return kernel->layer->y.dtype == VDNN_BF16 && kernel->pass != VDNN_BACKWARD_FILTER;
}

size_t vdnn_cuda_weight_bytes(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    if (!is_narrow(kernel) && !is_turned(layer))
        return 0;
    size_t element = is_narrow(kernel) ? sizeof(vdnn_cuda_bf16) : sizeof(float);
    size_t bytes = (size_t)layer->params[0].count * element;
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

template <class T> static void turn_to(const vdnn_layer *layer, const vdnn_kernel_args *args)
{
    int64_t count = layer->params[0].count;
    VDNN_LAUNCH(turn<T>, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS,
                vdnn_cuda_stream_of(args)->handle, static_cast<const float *>(args->w),
                static_cast<T *>(args->workspace), layer->params[0].dims[1], taps_of(layer), count);
}

const void *vdnn_cuda_weight(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    int64_t count = kernel->layer->params[0].count;
    if (kernel->pass == VDNN_BACKWARD_FILTER || vdnn_cuda_weight_bytes(kernel) == 0)
        return args->w;
    if (is_turned(kernel->layer))
        VDNN_CUDA_AS(kernel->layer->y.dtype, turn_to, kernel->layer, args);
    else
        vdnn_cuda_narrow(vdnn_cuda_stream_of(args), static_cast<const float *>(args->w),
                         args->workspace, count);
    return args->workspace;
}

float *vdnn_cuda_weight_gradient(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return static_cast<float *>(is_turned(kernel->layer) ? args->workspace : args->dw);
}

vdnn_status vdnn_cuda_weight_finish(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                    vdnn_status status)
{
    const vdnn_param *weight = &kernel->layer->params[0];
    if (status != VDNN_OK || kernel->pass != VDNN_BACKWARD_FILTER || !is_turned(kernel->layer))
        return status;
    VDNN_LAUNCH(turn_back, vdnn_cuda_blocks(weight->count), VDNN_CUDA_THREADS,
                vdnn_cuda_stream_of(args)->handle, static_cast<const float *>(args->workspace),
                static_cast<float *>(args->dw), weight->dims[1], taps_of(kernel->layer),
                weight->count);
    return vdnn_cuda_launched("gradient of a weight");
}
