#include "layers/cuda_kernel.h"

__global__ static void add_two(const float *a, const float *b, float *y, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i < count)
        y[i] = a[i] + b[i];
}

/* Two at a time, in the order of the inputs. */
static vdnn_status forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    int64_t count = vdnn_desc_count(&kernel->layer->y);
    float *y = static_cast<float *>(args->y);
    const float *sum = static_cast<const float *>(args->x[0]);
    for (int32_t i = 1; i < kernel->layer->input_count; i++) {
        VDNN_LAUNCH(add_two, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS,
                    vdnn_cuda_stream_of(args)->handle, sum, static_cast<const float *>(args->x[i]),
                    y, count);
        sum = y;
    }
    return vdnn_cuda_launched("add");
}

static vdnn_status backward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; status == VDNN_OK && i < layer->input_count; i++)
        if (layer->wants_dx[i] && args->dx[i] != args->dy)
            status = vdnn_cuda_copy(args, args->dx[i], args->dy, vdnn_desc_bytes(&layer->y));
    return status;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return kernel->pass == VDNN_FORWARD ? forward(kernel, args) : backward(kernel, args);
}

const vdnn_algorithm vdnn_add_native_cuda =
    vdnn_cuda_row("add", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_refusal, run);
