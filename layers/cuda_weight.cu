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

/* A weight, plain and as it lies beside maps in nhwc:
 *
 *     (outputs, channels, taps)      (outputs, taps, stored channels) */
typedef struct weight_shape {
    vdnn_cuda_divisor channels, stored, taps;
    int64_t plain_count, count;
} weight_shape;

template <class T> __global__ static void turn(const float *from, T *to, weight_shape s)
{
    int64_t i = vdnn_cuda_index();
    if (i >= s.count)
        return;
    int64_t channel = i % s.stored, place = i / s.stored;
    int64_t line = place / s.taps * s.channels.by + channel;
    to[i] = channel < s.channels.by ? from[line * s.taps.by + place % s.taps] : 0.0F;
}

__global__ static void turn_back(const float *from, float *to, weight_shape s)
{
    int64_t i = vdnn_cuda_index();
    if (i >= s.plain_count)
        return;
    int64_t line = i / s.taps, place = line / s.channels * s.taps.by + i % s.taps;
    to[i] = from[place * s.stored.by + line % s.channels];
}

/* A group's channels lie between those of others, without padding. */
static weight_shape shape_of(const vdnn_layer *layer)
{
    const vdnn_param *weight = &layer->params[0];
    const vdnn_desc *x = &layer->x[0];
    int64_t channels = weight->dims[1];
    weight_shape s = {};
    s.channels = channels;
    s.stored = channels == x->dims[VDNN_C] ? vdnn_desc_channels(x) : channels;
    s.taps = weight->count / (weight->dims[0] * channels);
    s.plain_count = weight->count;
    s.count = weight->dims[0] * s.taps.by * s.stored.by;
    return s;
}

static bool is_turned(const vdnn_layer *layer)
{
    weight_shape s = shape_of(layer);
    return layer->y.layout == VDNN_NHWC && (s.taps.by > 1 || s.stored.by > s.channels.by);
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
    size_t bytes = (size_t)shape_of(layer).count * element;
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

template <class T> static void turn_to(const vdnn_layer *layer, const vdnn_kernel_args *args)
{
    weight_shape s = shape_of(layer);
    VDNN_LAUNCH(turn<T>, vdnn_cuda_blocks(s.count), VDNN_CUDA_THREADS,
                vdnn_cuda_stream_of(args)->handle, static_cast<const float *>(args->w),
                static_cast<T *>(args->workspace), s);
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
    weight_shape s = shape_of(kernel->layer);
    if (status != VDNN_OK || kernel->pass != VDNN_BACKWARD_FILTER || !is_turned(kernel->layer))
        return status;
    VDNN_LAUNCH(turn_back, vdnn_cuda_blocks(s.plain_count), VDNN_CUDA_THREADS,
                vdnn_cuda_stream_of(args)->handle, static_cast<const float *>(args->workspace),
                static_cast<float *>(args->dw), s);
    return vdnn_cuda_launched("gradient of a weight");
}
