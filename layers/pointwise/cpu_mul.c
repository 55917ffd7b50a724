#include "layers/cpu/native.h"

/* `product` may be a factor. */
VDNN_CPU_CLONES static void multiply(const float *a, const float *b, float *product, int64_t count)
{
#pragma omp simd
    for (int64_t i = 0; i < count; i++)
        product[i] = a[i] * b[i];
}

/* to = `first`, if there is one, times all inputs but one, in their order; a bf16 is rounded once,
 * at the end. `to` may be `first`. */
static void write_product(const vdnn_layer *layer, const vdnn_kernel_args *args, const void *first,
                          int32_t but, void *to, vdnn_native_range range)
{
    float buffers[3][VDNN_NATIVE_BLOCK];
    const vdnn_dtype dtype = layer->y.dtype;
    float *product = vdnn_native_write_begin(dtype, to, range, buffers[2]);
    const float *so_far = first == NULL ? NULL : vdnn_native_read(dtype, first, range, buffers[0]);
    for (int32_t i = 0; i < layer->input_count; i++) {
        if (i == but)
            continue;
        const float *x =
            vdnn_native_read(dtype, args->x[i], range, buffers[so_far == NULL ? 0 : 1]);
        if (so_far != NULL)
            multiply(so_far, x, product, range.end - range.begin);
        so_far = so_far == NULL ? x : product;
    }
    vdnn_native_write_end(dtype, to, range, product);
}

/* What is written over dy comes last. */
static void backward_block(const vdnn_layer *layer, const vdnn_kernel_args *args,
                           vdnn_native_range range)
{
    int32_t over_dy = -1;
    for (int32_t i = 0; i < layer->input_count; i++)
        if (args->dx[i] == args->dy)
            over_dy = i;
        else if (args->dx[i] != NULL)
            write_product(layer, args, args->dy, i, args->dx[i], range);
    if (over_dy >= 0)
        write_product(layer, args, args->dy, over_dy, args->dy, range);
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    int64_t count = vdnn_desc_stored(&kernel->layer->y);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t block = 0; block < vdnn_native_blocks(count); block++) {
        vdnn_native_range range = vdnn_native_block(block, count);
        if (kernel->pass == VDNN_FORWARD)
            write_product(kernel->layer, args, NULL, -1, args->y, range);
        else
            backward_block(kernel->layer, args, range);
    }
    return VDNN_OK;
}

const vdnn_algorithm vdnn_mul_native = {
    .layer_type = "mul",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .channel_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .refusal = vdnn_native_refusal_blocked,
    .run = run,
};
