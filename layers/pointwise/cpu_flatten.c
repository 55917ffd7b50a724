#include "layers/cpu/native.h"

/* The elements stay in their order: in place there is nothing to do. */
static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_desc *y = &kernel->layer->y;
    const bool forward = kernel->pass == VDNN_FORWARD;
    const void *from = forward ? args->x[0] : args->dy;
    void *to = forward ? args->y : args->dx[0];
    if (to == from)
        return VDNN_OK;
    const int64_t count = vdnn_desc_count(y);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t block = 0; block < vdnn_native_blocks(count); block++) {
        const vdnn_native_range range = vdnn_native_block(block, count);
        memcpy(vdnn_native_at(y->dtype, to, range.begin),
               vdnn_native_const_at(y->dtype, from, range.begin),
               (size_t)(range.end - range.begin) * vdnn_dtype_bytes(y->dtype));
    }
    return VDNN_OK;
}

const vdnn_algorithm vdnn_flatten_native = {
    .layer_type = "flatten",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .refusal = vdnn_native_refusal,
    .run = run,
};
