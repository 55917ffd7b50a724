#include "layers/native.h"

/* NaN is passed on, both ways: only what is known to be at most zero is cut. */
static inline float rectify(float x)
{
    return x <= 0 ? 0.0F : x;
}

VDNN_NATIVE_CLONES static void forward_block(const float *x, float *y, vdnn_native_range range)
{
#pragma omp simd
    for (int64_t i = range.begin; i < range.end; i++)
        y[i] = rectify(x[i]);
}

static inline uint8_t mask_of(const float *y, int64_t count)
{
    uint32_t bits = 0;
    for (unsigned lane = 0; lane < count; lane++)
        bits |= y[lane] <= 0 ? 0U : 1U << lane;
    return (uint8_t)bits;
}

VDNN_NATIVE_CLONES static void mask_block(const float *y, uint8_t *mask, vdnn_native_range range)
{
    int64_t i = range.begin;
    for (; i + 8 <= range.end; i += 8)
        mask[i / 8] = mask_of(y + i, 8);
    if (i < range.end)
        mask[i / 8] = mask_of(y + i, range.end - i);
}

VDNN_NATIVE_CLONES static void backward_by_y(const float *y, const float *dy, float *dx,
                                             vdnn_native_range range)
{
#pragma omp simd
    for (int64_t i = range.begin; i < range.end; i++)
        dx[i] = y[i] <= 0 ? 0.0F : dy[i];
}

static void forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const float *x = args->x[0];
    float *y = args->y;
    uint8_t *mask = kernel->layer->aux_bytes > 0 ? args->aux : NULL;
    int64_t count = vdnn_desc_count(&kernel->layer->y);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t block = 0; block < vdnn_native_blocks(count); block++) {
        vdnn_native_range range = vdnn_native_block(block, count);
        forward_block(x, y, range);
        if (mask != NULL)
            mask_block(y, mask, range);
    }
}

static void backward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const float *dy = args->dy;
    float *dx = args->dx[0];
    int64_t count = vdnn_desc_count(&kernel->layer->y);
    bool by_y = kernel->layer->needs[VDNN_BACKWARD_DATA] & VDNN_NEEDS_Y;
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t block = 0; block < vdnn_native_blocks(count); block++) {
        vdnn_native_range range = vdnn_native_block(block, count);
        if (by_y)
            backward_by_y(args->y, dy, dx, range);
        else
            vdnn_native_select(args->aux, 1, dy, dx, range);
    }
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    if (kernel->pass == VDNN_FORWARD)
        forward(kernel, args);
    else
        backward(kernel, args);
    return VDNN_OK;
}

const vdnn_algorithm vdnn_relu_native = {
    .layer_type = "relu",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .refusal = vdnn_native_refusal,
    .run = run,
};
