#include "layers/native.h"

static float mean_of(const float *x, int64_t cells)
{
    double sum = 0;
    for (int64_t i = 0; i < cells; i++)
        sum += (double)x[i];
    return (float)(sum / (double)cells);
}

static void spread(float *dx, int64_t cells, float dy)
{
    float share = dy / (float)cells;
    for (int64_t i = 0; i < cells; i++)
        dx[i] = share;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const int64_t *dims = kernel->layer->x[0].dims;
    int64_t cells = dims[VDNN_H] * dims[VDNN_W], planes = dims[VDNN_N] * dims[VDNN_C];
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t plane = 0; plane < planes; plane++)
        if (kernel->pass == VDNN_FORWARD)
            ((float *)args->y)[plane] = mean_of((const float *)args->x[0] + plane * cells, cells);
        else
            spread((float *)args->dx[0] + plane * cells, cells, ((const float *)args->dy)[plane]);
    return VDNN_OK;
}

const vdnn_algorithm vdnn_global_avgpool_native = {
    .layer_type = "global_avgpool",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .refusal = vdnn_native_refusal,
    .run = run,
};
