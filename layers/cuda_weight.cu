#include "layers/cuda_kernel.h"

extern "C" {
#include "layers/cuda_weight.h"
}

enum { ALIGNMENT = 256 };

__global__ static void narrow(const float *from, vdnn_cuda_bf16 *to, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i < count)
        to[i] = from[i];
}

size_t vdnn_cuda_weight_bytes(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    if (layer->y.dtype != VDNN_BF16 || kernel->pass == VDNN_BACKWARD_FILTER)
        return 0;
    size_t bytes = (size_t)layer->params[0].count * sizeof(vdnn_cuda_bf16);
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

const void *vdnn_cuda_weight(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    int64_t count = kernel->layer->params[0].count;
    if (vdnn_cuda_weight_bytes(kernel) == 0)
        return args->w;
    VDNN_LAUNCH(narrow, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS,
                vdnn_cuda_stream_of(args)->handle, static_cast<const float *>(args->w),
                static_cast<vdnn_cuda_bf16 *>(args->workspace), count);
    return args->workspace;
}
