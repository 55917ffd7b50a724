#include "layers/cuda_kernel.h"

/* Between an input and its part of the samples of y, which is at most one run of each. */
template <class T>
__global__ static void copy_runs(const T *from, int64_t from_step, T *to, int64_t to_step,
                                 vdnn_cuda_divisor run, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i < count)
        to[i / run * to_step + i % run] = from[i / run * from_step + i % run];
}

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    bool forward = kernel->pass == VDNN_FORWARD;
    int64_t whole = vdnn_desc_per_sample(&layer->y), first = 0;
    for (int32_t i = 0; i < layer->input_count; i++) {
        int64_t part = vdnn_desc_per_sample(&layer->x[i]), count = vdnn_desc_count(&layer->x[i]);
        cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
        if (forward)
            VDNN_LAUNCH(copy_runs<T>, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, stream,
                        static_cast<const T *>(args->x[i]), part, static_cast<T *>(args->y) + first,
                        whole, part, count);
        else if (layer->wants_dx[i])
            VDNN_LAUNCH(copy_runs<T>, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, stream,
                        static_cast<const T *>(args->dy) + first, whole,
                        static_cast<T *>(args->dx[i]), part, part, count);
        first += part;
    }
    return vdnn_cuda_launched("concat");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->y.dtype, run_as, kernel, args);
}

const vdnn_algorithm vdnn_concat_native_cuda =
    vdnn_cuda_row("concat", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_refusal, run);
