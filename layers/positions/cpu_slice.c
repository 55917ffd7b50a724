#include "layers/cpu/native.h"
#include "layers/positions/slice.h"

static void copy_sample(const vdnn_slice_shape *s, vdnn_dtype dtype, int64_t n,
                        const vdnn_kernel_args *args)
{
    memcpy(vdnn_native_at(dtype, args->y, n * s->of_y),
           vdnn_native_const_at(dtype, args->x[0], n * s->of_x + s->first),
           (size_t)s->of_y * vdnn_dtype_bytes(dtype));
}

static void spread_sample(const vdnn_slice_shape *s, vdnn_dtype dtype, int64_t n,
                          const vdnn_kernel_args *args)
{
    const size_t element = vdnn_dtype_bytes(dtype), before = (size_t)s->first * element,
                 own = (size_t)s->of_y * element;
    char *dx = vdnn_native_at(dtype, args->dx[0], n * s->of_x);
    memset(dx, 0, before);
    memcpy(dx + before, vdnn_native_at(dtype, args->dy, n * s->of_y), own);
    memset(dx + before + own, 0, (size_t)s->of_x * element - before - own);
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_slice_shape s = vdnn_slice_shape_of(kernel->layer);
    const vdnn_dtype dtype = kernel->layer->y.dtype;
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t n = 0; n < s.samples; n++)
        if (kernel->pass == VDNN_FORWARD)
            copy_sample(&s, dtype, n, args);
        else
            spread_sample(&s, dtype, n, args);
    return VDNN_OK;
}

const vdnn_algorithm vdnn_slice_native = {
    .layer_type = "slice",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .refusal = vdnn_native_refusal,
    .run = run,
};
