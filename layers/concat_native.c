#include "layers/native.h"

#include <string.h>

/* Copies every input's share of a sample to, or from, its place in the output. */
static void copy_sample(const vdnn_layer *layer, const vdnn_kernel_args *args, vdnn_pass pass,
                        int64_t sample)
{
    int64_t place = sample * vdnn_desc_per_sample(&layer->y);
    for (int32_t i = 0; i < layer->input_count; i++) {
        int64_t share = vdnn_desc_per_sample(&layer->x[i]);
        size_t bytes = (size_t)share * sizeof(float);
        if (pass == VDNN_FORWARD)
            memcpy((float *)args->y + place, (const float *)args->x[i] + sample * share, bytes);
        else if (args->dx[i] != NULL)
            memcpy((float *)args->dx[i] + sample * share, (const float *)args->dy + place, bytes);
        place += share;
    }
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t sample = 0; sample < kernel->layer->y.dims[VDNN_N]; sample++)
        copy_sample(kernel->layer, args, kernel->pass, sample);
    return VDNN_OK;
}

const vdnn_algorithm vdnn_concat_native = {
    .layer_type = "concat",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .refusal = vdnn_native_refusal,
    .run = run,
};
