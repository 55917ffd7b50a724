#include "layers/cuda_kernel.h"

/* A block for each plane. */
__global__ static void mean_of_planes(const float *x, float *y, int64_t cells)
{
    const float *plane = x + blockIdx.x * cells;
    float own = 0;
    for (int64_t i = threadIdx.x; i < cells; i += VDNN_CUDA_THREADS)
        own += plane[i];
    float sum = vdnn_cuda_sum<float, VDNN_CUDA_THREADS>(own);
    if (threadIdx.x == 0)
        y[blockIdx.x] = sum / (float)cells;
}

__global__ static void spread(const float *dy, float *dx, int64_t cells, int64_t count)
{
    int64_t i = vdnn_cuda_index();
    if (i < count)
        dx[i] = dy[i / cells] / (float)cells;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_desc *x = &kernel->layer->x[0];
    cudaStream_t stream = vdnn_cuda_stream_of(args)->handle;
    int64_t cells = x->dims[VDNN_H] * x->dims[VDNN_W], count = vdnn_desc_count(x);
    if (kernel->pass == VDNN_FORWARD)
        VDNN_LAUNCH(mean_of_planes, (unsigned)(count / cells), VDNN_CUDA_THREADS, stream,
                    static_cast<const float *>(args->x[0]), static_cast<float *>(args->y), cells);
    else
        VDNN_LAUNCH(spread, vdnn_cuda_blocks(count), VDNN_CUDA_THREADS, stream,
                    static_cast<const float *>(args->dy), static_cast<float *>(args->dx[0]), cells,
                    count);
    return vdnn_cuda_launched("global_avgpool");
}

const vdnn_algorithm vdnn_global_avgpool_native_cuda =
    vdnn_cuda_row("global_avgpool", "native", VDNN_CUDA_DATA_PASSES, vdnn_cuda_refusal, run);
