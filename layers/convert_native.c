/* Layout conversion in plain C: sample by sample, through a plain copy in the workspace. */

#include "layers/stage.h"

#include <stddef.h>

enum { ALIGNMENT = 64 };

static size_t plain_bytes(const vdnn_layer *layer)
{
    size_t bytes = (size_t)vdnn_desc_per_sample(&layer->y) * sizeof(float);
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static vdnn_status workspace(const vdnn_layer *layer, vdnn_pass pass, int threads, size_t *bytes)
{
    (void)pass;
    *bytes = plain_bytes(layer) * (size_t)threads;
    return VDNN_OK;
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    bool forward = kernel->pass == VDNN_FORWARD;
    const vdnn_desc *from = forward ? &layer->x[0] : &layer->y;
    const vdnn_desc *to = forward ? &layer->y : &layer->x[0];
    const void *source = forward ? args->x[0] : args->dy;
    void *target = forward ? args->y : args->dx[0];
    int64_t samples = from->dims[VDNN_N];
    size_t stride = plain_bytes(layer);
#pragma omp parallel for num_threads(kernel->threads)
    for (int member = 0; member < kernel->threads; member++)
        for (int64_t n = member; n < samples; n += kernel->threads) {
            float *plain = (float *)(void *)((char *)args->workspace + (size_t)member * stride);
            vdnn_stage_load(from, source, n, plain);
            vdnn_stage_store(to, target, n, plain);
        }
    return VDNN_OK;
}

const vdnn_algorithm vdnn_convert_native = {
    .layer_type = "convert",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .workspace = workspace,
    .run = run,
};
