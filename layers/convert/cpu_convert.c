/* Layout conversion in plain C: sample by sample, through a plain copy in the workspace, unless one
 * of the maps is plain itself. */

#include "layers/stage.h"

#include <stddef.h>

enum { ALIGNMENT = 64 };

static bool is_plain(const vdnn_desc *desc)
{
    return desc->dtype == VDNN_F32 && desc->layout == VDNN_NCHW;
}

/* 0: none is needed. */
static size_t plain_bytes(const vdnn_layer *layer)
{
    if (is_plain(&layer->x[0]) || is_plain(&layer->y))
        return 0;
    size_t bytes = (size_t)vdnn_desc_per_sample(&layer->y) * sizeof(float);
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static vdnn_status workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    *bytes = plain_bytes(kernel->layer) * (size_t)kernel->threads;
    return VDNN_OK;
}

static void convert_sample(const vdnn_desc *from, const void *source, const vdnn_desc *to,
                           void *target, int64_t sample, float *plain)
{
    int64_t place = sample * vdnn_desc_per_sample(from);
    if (is_plain(from)) {
        vdnn_stage_store(to, target, sample, (const float *)source + place);
    } else if (is_plain(to)) {
        vdnn_stage_load(from, source, sample, (float *)target + place);
    } else {
        vdnn_stage_load(from, source, sample, plain);
        vdnn_stage_store(to, target, sample, plain);
    }
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    bool forward = kernel->pass == VDNN_FORWARD;
    const vdnn_desc *from = forward ? &layer->x[0] : &layer->y;
    const vdnn_desc *to = forward ? &layer->y : &layer->x[0];
    const void *source = forward ? args->x[0] : args->dy;
    void *target = forward ? args->y : args->dx[0];
    size_t stride = plain_bytes(layer);
#pragma omp parallel for num_threads(kernel->threads)
    for (int member = 0; member < kernel->threads; member++) {
        float *plain =
            stride == 0 ? NULL : (void *)((char *)args->workspace + (size_t)member * stride);
        for (int64_t n = member; n < from->dims[VDNN_N]; n += kernel->threads)
            convert_sample(from, source, to, target, n, plain);
    }
    return VDNN_OK;
}

const vdnn_algorithm vdnn_convert_native = {
    .layer_type = "convert",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .channel_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .workspace = workspace,
    .run = run,
};
