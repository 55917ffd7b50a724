#include "layers/pool/cpu_pool_rows.h"

vdnn_pool_shape vdnn_pool_shape_of(const vdnn_layer *layer)
{
    const vdnn_pool_config *pool = layer->config;
    int64_t in[VDNN_SIDES], out[VDNN_SIDES];
    vdnn_desc_sides(&layer->x[0], in);
    vdnn_desc_sides(&layer->y, out);
    return (vdnn_pool_shape){
        .in_d = in[VDNN_SIDE_D],
        .in_h = in[VDNN_SIDE_H],
        .in_w = in[VDNN_SIDE_W],
        .out_d = out[VDNN_SIDE_D],
        .out_h = out[VDNN_SIDE_H],
        .out_w = out[VDNN_SIDE_W],
        .kernel_d = pool->kernel[VDNN_SIDE_D],
        .kernel_h = pool->kernel[VDNN_SIDE_H],
        .kernel_w = pool->kernel[VDNN_SIDE_W],
        .stride_d = pool->stride[VDNN_SIDE_D],
        .stride_h = pool->stride[VDNN_SIDE_H],
        .stride_w = pool->stride[VDNN_SIDE_W],
        .pad_d = pool->pad[VDNN_SIDE_D],
        .pad_h = pool->pad[VDNN_SIDE_H],
        .pad_w = pool->pad[VDNN_SIDE_W],
        .in_rows = in[VDNN_SIDE_D] * in[VDNN_SIDE_H],
        .out_rows = out[VDNN_SIDE_D] * out[VDNN_SIDE_H],
        .planes = vdnn_native_planes(&layer->y),
        .lanes = vdnn_native_lanes(&layer->y),
        .dtype = layer->y.dtype,
        .index_bytes = vdnn_pool_index_bytes(pool),
        .count_pad = pool->count_pad,
    };
}

const vdnn_pool_rows *vdnn_pool_rows_of(const vdnn_pool_shape *shape)
{
    /* A slice under a window of one slice is a picture. */
    if (shape->in_d > 1 || shape->kernel_d > 1)
        return &vdnn_pool_volumes;
    return shape->lanes == 1 ? &vdnn_pool_strips : &vdnn_pool_lanes;
}

/* ---- passes ---------------------------------------------------------------------------------- */

static void max_forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_pool_shape shape = vdnn_pool_shape_of(kernel->layer);
    const vdnn_pool_rows *rows = vdnn_pool_rows_of(&shape);
    void *argmax = kernel->layer->aux_bytes > 0 ? args->aux : NULL;
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t i = 0; i < shape.planes * shape.out_rows; i++)
        rows->max(&shape, args->x[0], i / shape.out_rows, i % shape.out_rows, args->y, argmax,
                  i / shape.out_rows);
}

static void average_forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    vdnn_pool_shape shape = vdnn_pool_shape_of(kernel->layer);
    const vdnn_pool_rows *rows = vdnn_pool_rows_of(&shape);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t i = 0; i < shape.planes * shape.out_rows; i++)
        rows->average(&shape, args->x[0], i / shape.out_rows, i % shape.out_rows, args->y);
}

/* Of a maximum if there is an argmax, else of a mean. */
static void gather(const vdnn_kernel *kernel, const vdnn_kernel_args *args, const void *argmax)
{
    vdnn_pool_shape shape = vdnn_pool_shape_of(kernel->layer);
    const vdnn_pool_rows *rows = vdnn_pool_rows_of(&shape);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t i = 0; i < shape.planes * shape.in_rows; i++)
        rows->gather(&shape, args->dy, argmax, i / shape.in_rows, i / shape.in_rows,
                     i % shape.in_rows, args->dx[0]);
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
            for (int64_t row = 0; row < shape.out_rows; row++)
                rows->max(&shape, args->x[0], plane, row, NULL, argmax, 0);
            for (int64_t row = 0; row < shape.in_rows; row++)
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
    .refusal = vdnn_native_refusal_blocked,
    .run = run_average,
};
