#include "layers/native.h"

#include <string.h>

VDNN_NATIVE_CLONES static void add_block(const float *restrict x, float *restrict y,
                                         vdnn_native_range range)
{
    for (int64_t i = range.begin; i < range.end; i++)
        y[i] += x[i];
}

static void copy_block(const float *from, float *to, vdnn_native_range range)
{
    memcpy(to + range.begin, from + range.begin, (size_t)(range.end - range.begin) * sizeof *to);
}

/* The inputs are added in their order. */
static void forward_block(const vdnn_layer *layer, const vdnn_kernel_args *args,
                          vdnn_native_range range)
{
    copy_block(args->x[0], args->y, range);
    for (int32_t i = 1; i < layer->input_count; i++)
        add_block(args->x[i], args->y, range);
}

static void backward_block(const vdnn_layer *layer, const vdnn_kernel_args *args,
                           vdnn_native_range range)
{
    for (int32_t i = 0; i < layer->input_count; i++)
        if (args->dx[i] != NULL)
            copy_block(args->dy, args->dx[i], range);
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    int64_t count = vdnn_desc_count(&kernel->layer->y);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t block = 0; block < vdnn_native_blocks(count); block++) {
        vdnn_native_range range = vdnn_native_block(block, count);
        if (kernel->pass == VDNN_FORWARD)
            forward_block(kernel->layer, args, range);
        else
            backward_block(kernel->layer, args, range);
    }
    return VDNN_OK;
}

const vdnn_algorithm vdnn_add_native = {
    .layer_type = "add",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .refusal = vdnn_native_refusal,
    .run = run,
};
