#include "layers/cuda/pack.h"
#include "layers/cuda/weight_turn.h"

extern "C" {
#include "layers/cuda/weight.h"
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

template <class T> __global__ static void turn(const float *from, T *to, vdnn_cuda_weight_turn s)
{
    int64_t i = vdnn_cuda_index();
    if (i >= s.count)
        return;
    int64_t channel = i % s.stored, place = i / s.stored;
    int64_t line = place / s.taps * s.channels.by + channel;
    to[i] = channel < s.channels.by ? from[line * s.taps.by + place % s.taps] : 0.0F;
}

__global__ static void turn_back(const float *from, float *to, vdnn_cuda_weight_turn s)
{
    int64_t i = vdnn_cuda_index();
    if (i < s.plain_count)
        to[i] = from[s.place(i)];
}

static bool is_narrow(const vdnn_kernel *kernel)
{
    return vdnn_weight_copy_of(kernel->layer).is_narrow && kernel->pass != VDNN_BACKWARD_FILTER;
}

static bool is_turned(const vdnn_layer *layer)
{
    return vdnn_weight_copy_of(layer).is_turned;
}

size_t vdnn_cuda_weight_bytes(const vdnn_kernel *kernel)
{
    vdnn_weight_copy copy = vdnn_weight_copy_of(kernel->layer);
    if (!is_narrow(kernel) && !copy.is_turned)
        return 0;
    size_t element = is_narrow(kernel) ? sizeof(vdnn_cuda_bf16) : sizeof(float);
    size_t bytes = (size_t)copy.count * element;
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

template <class T>
static void turn_to(const vdnn_layer *layer, const float *w, void *to,
                    const vdnn_cuda_stream *stream)
{
    vdnn_cuda_weight_turn s = vdnn_cuda_weight_turn_of(layer);
    VDNN_LAUNCH(turn<T>, vdnn_cuda_blocks(s.count), VDNN_CUDA_THREADS, stream->handle, w,
                static_cast<T *>(to), s);
}

void vdnn_cuda_weight_convert(const vdnn_layer *layer, const float *w, void *copy,
                              const vdnn_cuda_stream *stream)
{
    if (is_turned(layer))
        VDNN_CUDA_AS(layer->y.dtype, turn_to, layer, w, copy, stream);
    else
        vdnn_cuda_narrow(stream, w, copy, layer->params[0].count);
}

const void *vdnn_cuda_weight(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    if (kernel->pass == VDNN_BACKWARD_FILTER || vdnn_cuda_weight_bytes(kernel) == 0)
        return args->w;
    if (args->w_copy != nullptr)
        return args->w_copy;
    vdnn_cuda_weight_convert(kernel->layer, static_cast<const float *>(args->w), args->workspace,
                             vdnn_cuda_stream_of(args));
    return args->workspace;
}

float *vdnn_cuda_weight_gradient(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return static_cast<float *>(is_turned(kernel->layer) ? args->workspace : args->dw);
}

vdnn_status vdnn_cuda_weight_finish(const vdnn_kernel *kernel, const vdnn_kernel_args *args,
                                    vdnn_status status)
{
    if (status != VDNN_OK || kernel->pass != VDNN_BACKWARD_FILTER || !is_turned(kernel->layer))
        return status;
    vdnn_cuda_weight_turn s = vdnn_cuda_weight_turn_of(kernel->layer);
    VDNN_LAUNCH(turn_back, vdnn_cuda_blocks(s.plain_count), VDNN_CUDA_THREADS,
                vdnn_cuda_stream_of(args)->handle, static_cast<const float *>(args->workspace),
                static_cast<float *>(args->dw), s);
    return vdnn_cuda_launched("gradient of a weight");
}
