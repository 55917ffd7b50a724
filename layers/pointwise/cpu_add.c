#include "layers/cpu/native.h"

VDNN_CPU_CLONES static void add_two(const float *a, const float *b, float *restrict sum,
                                    int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        sum[i] = a[i] + b[i];
}

VDNN_CPU_CLONES static void add_one(const float *restrict x, float *restrict sum, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        sum[i] += x[i];
}

/* NaN is propagated, as by relu. */
VDNN_CPU_CLONES static void cut(float *sum, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        sum[i] = sum[i] <= 0 ? 0 : sum[i];
}

/* The inputs are added in their order; a bf16 is rounded once, at the end. */
static void forward_block(const vdnn_layer *layer, const vdnn_kernel_args *args,
                          vdnn_native_range range)
{
    float buffers[3][VDNN_NATIVE_BLOCK];
    vdnn_dtype dtype = layer->y.dtype;
    int64_t count = range.end - range.begin;
    const float *first = vdnn_native_read(dtype, args->x[0], range, buffers[0]);
    const float *second = vdnn_native_read(dtype, args->x[1], range, buffers[1]);
    float *sum = vdnn_native_write_begin(dtype, args->y, range, buffers[2]);
    add_two(first, second, sum, count);
    for (int32_t i = 2; i < layer->input_count; i++)
        add_one(vdnn_native_read(dtype, args->x[i], range, buffers[0]), sum, count);
    if (layer->epilogue == VDNN_EPILOGUE_RELU)
        cut(sum, count);
    vdnn_native_write_end(dtype, args->y, range, sum);
}

static void backward_block(const vdnn_layer *layer, const vdnn_kernel_args *args,
                           vdnn_native_range range)
{
    vdnn_dtype dtype = layer->y.dtype;
    size_t bytes = (size_t)(range.end - range.begin) * vdnn_dtype_bytes(dtype);
    for (int32_t i = 0; i < layer->input_count; i++)
        if (args->dx[i] != NULL && args->dx[i] != args->dy)
            memcpy(vdnn_native_at(dtype, args->dx[i], range.begin),
                   vdnn_native_at(dtype, args->dy, range.begin), bytes);
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    int64_t count = vdnn_desc_stored(&kernel->layer->y);
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
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .channel_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .refusal = vdnn_native_refusal_blocked,
    .run = run,
};
