#include "layers/pool/cpu_pool_rows.h"

vdnn_pool_shape vdnn_pool_shape_of(const vdnn_layer *layer)
{
    const vdnn_pool_config *pool = layer->config;
    return (vdnn_pool_shape){
        .in_h = layer->x[0].dims[VDNN_H],
        .in_w = layer->x[0].dims[VDNN_W],
        .out_h = layer->y.dims[VDNN_H],
        .out_w = layer->y.dims[VDNN_W],
        .kernel_h = pool->kernel[0],
        .kernel_w = pool->kernel[1],
        .stride_h = pool->stride[0],
        .stride_w = pool->stride[1],
        .pad_h = pool->pad[0],
        .pad_w = pool->pad[1],
        .planes = vdnn_native_planes(&layer->y),
        .lanes = vdnn_native_lanes(&layer->y),
        .dtype = layer->y.dtype,
        .index_bytes = vdnn_pool_index_bytes(pool),
        .count_pad = pool->count_pad,
    };
}

const vdnn_pool_rows *vdnn_pool_rows_of(const vdnn_pool_shape *shape)
{
    return shape->lanes == 1 ? &vdnn_pool_strips : &vdnn_pool_lanes;
}

/* ---- passes ---------------------------------------------------------------------------------- */

static void max_forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_pool_shape shape = vdnn_pool_shape_of(kernel->layer);
    const vdnn_pool_rows *rows = vdnn_pool_rows_of(&shape);
    void *argmax = kernel->layer->aux_bytes > 0 ? args->aux : NULL;
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t i = 0; i < shape.planes * shape.out_h; i++)
        rows->max(&shape, args->x[0], i / shape.out_h, i % shape.out_h, args->y, argmax,
                  i / shape.out_h);
}

static void average_forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_pool_shape shape = vdnn_pool_shape_of(kernel->layer);
    const vdnn_pool_rows *rows = vdnn_pool_rows_of(&shape);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t i = 0; i < shape.planes * shape.out_h; i++)
        rows->average(&shape, args->x[0], i / shape.out_h, i % shape.out_h, args->y);
}

/* Of a maximum if there is an argmax, else of a mean. */
static void gather(const vdnn_kernel *kernel, const vdnn_kernel_args *args, const void *argmax)
{
    vdnn_pool_shape shape = vdnn_pool_shape_of(kernel->layer);
    const vdnn_pool_rows *rows = vdnn_pool_rows_of(&shape);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t i = 0; i < shape.planes * shape.in_h; i++)
        rows->gather(&shape, args->dy, argmax, i / shape.in_h, i / shape.in_h, i % shape.in_h,
                     args->dx[0]);
}

/* ---- maximum, backward without an argmax ----------------------------------------------------- */

static bool keeps_argmax(const vdnn_layer *layer)
{
    return layer->needs[VDNN_BACKWARD_DATA] & VDNN_NEEDS_AUX;
}

static size_t argmax_plane_bytes(const vdnn_layer *layer)
{
    enum { ALIGNMENT = 64 };
    int64_t elements = layer->y.dims[VDNN_H] * layer->y.dims[VDNN_W] * vdnn_native_lanes(&layer->y);
    size_t bytes = (size_t)elements * vdnn_pool_index_bytes(layer->config);
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* The argmax of a plane, for each thread, if backward must recompute it. */
static vdnn_status max_workspace(const vdnn_kernel *kernel, size_t *bytes)
{
    bool searches = kernel->pass == VDNN_BACKWARD_DATA && !keeps_argmax(kernel->layer);
    *bytes = searches ? (size_t)kernel->threads * argmax_plane_bytes(kernel->layer) : 0;
    return VDNN_OK;
}

static void search_and_gather(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_pool_shape shape = vdnn_pool_shape_of(kernel->layer);
    const vdnn_pool_rows *rows = vdnn_pool_rows_of(&shape);
    size_t plane_bytes = argmax_plane_bytes(kernel->layer);
    int threads = kernel->threads;
#pragma omp parallel for num_threads(threads)
    for (int part = 0; part < threads; part++) {
        void *argmax = (char *)args->workspace + (size_t)part * plane_bytes;
        for (int64_t plane = part; plane < shape.planes; plane += threads) {
            for (int64_t row = 0; row < shape.out_h; row++)
                rows->max(&shape, args->x[0], plane, row, NULL, argmax, 0);
            for (int64_t row = 0; row < shape.in_h; row++)
                rows->gather(&shape, args->dy, argmax, 0, plane, row, args->dx[0]);
        }
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static vdnn_status run_max(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    if (kernel->pass == VDNN_FORWARD)
        max_forward(kernel, args);
    else if (keeps_argmax(kernel->layer))
        gather(kernel, args, args->aux);
    else
        search_and_gather(kernel, args);
    return VDNN_OK;
}

static vdnn_status run_average(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    if (kernel->pass == VDNN_FORWARD)
        average_forward(kernel, args);
    else
        gather(kernel, args, NULL);
    return VDNN_OK;
}

const vdnn_algorithm vdnn_maxpool_native = {
    .layer_type = "maxpool",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .channel_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .pictures_only = true,
    .refusal = vdnn_native_refusal_blocked,
    .workspace = max_workspace,
    .run = run_max,
};

const vdnn_algorithm vdnn_avgpool_native = {
    .layer_type = "avgpool",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .channel_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .pictures_only = true,
    .refusal = vdnn_native_refusal_blocked,
    .run = run_average,
};
