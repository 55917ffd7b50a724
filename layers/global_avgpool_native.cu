#include "layers/cuda_kernel.h"

/* A block for each plane. */
template <class T>
__global__ static void mean_of_planes(const T *x, T *y, int64_t cells, int64_t channels,
                                      vdnn_cuda_steps steps)
{
    const T *plane =
        x + blockIdx.x / channels * steps.sample + blockIdx.x % channels * steps.channel;
    float own = 0;
    for (int64_t i = threadIdx.x; i < cells; i += VDNN_CUDA_THREADS)
        own += plane[i * steps.cell];
    float sum = vdnn_cuda_sum<float, VDNN_CUDA_THREADS>(own);
    if (threadIdx.x == 0)
        y[blockIdx.x] = sum / (float)cells;
}

template <class T>
__global__ static void spread(const T *dy, T *dx, vdnn_cuda_divisor sample, vdnn_cuda_divisor step,
                              vdnn_cuda_divisor channels, int64_t cells, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i < count)
        dx[i] = (float)dy[i / sample * channels.by + i / step % channels] / (float)cells;
}

template <class T>
static vdnn_status run_as(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_desc *x = &kernel->layer->x[0];
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    vdnn_cuda_steps steps = vdnn_cuda_steps_of(x);
    int64_t cells = x->dims[VDNN_H] * x->dims[VDNN_W], count = vdnn_desc_count(x);
    if (kernel->pass == VDNN_FORWARD)
        VDNN_LAUNCH(mean_of_planes<T>, (unsigned)(count / cells), VDNN_CUDA_THREADS, stream,
                    static_cast<const T *>(args->x[0]), static_cast<T *>(args->y), cells,
                    x->dims[VDNN_C], steps);
    else
        VDNN_LAUNCH(spread<T>, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, stream,
                    static_cast<const T *>(args->dy), static_cast<T *>(args->dx[0]), steps.sample,
                    steps.channel, x->dims[VDNN_C], cells, count);
    return vdnn_cuda_launched("global_avgpool");
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    return VDNN_CUDA_AS(kernel->layer->x[0].dtype, run_as, kernel, args);
}

const vdnn_algorithm vdnn_global_avgpool_native_cuda =
    vdnn_cuda_row("global_avgpool", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_free_refusal, run);
