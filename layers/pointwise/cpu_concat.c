#include "layers/cpu/native.h"

/* Pictures are copied a plane at a time: one channel of a sample in nchw, 16 channels in nChw16c.
 * If the inputs' borders are borders of blocks, that is one copy; else a block is assembled from
 * runs of lanes. */

/* Lanes of a plane that come from lanes of another. */
typedef struct run_of_lanes {
    const void *from; /* a plane */
    int64_t from_lane, to_lane, count;
} run_of_lanes;

static void copy_run(const vdnn_desc *desc, const run_of_lanes *run, char *to)
{
    size_t element = vdnn_dtype_bytes(desc->dtype), lanes = (size_t)vdnn_native_lanes(desc);
    size_t cells = (size_t)(desc->dims[VDNN_H] * desc->dims[VDNN_W]), cell = lanes * element;
    size_t bytes = (size_t)run->count * element;
    const char *from = run->from;
    if (bytes == cell) {
        memcpy(to, from, cells * cell);
        return;
    }
    from += (size_t)run->from_lane * element;
    to += (size_t)run->to_lane * element;
    for (size_t i = 0; i < cells; i++)
        memcpy(to + i * cell, from + i * cell, bytes);
}

static void *plane_of(const vdnn_desc *desc, void *map, int64_t sample, int64_t channel)
{
    int64_t cells = desc->dims[VDNN_H] * desc->dims[VDNN_W], lanes = vdnn_native_lanes(desc);
    int64_t first = sample * vdnn_desc_channels(desc) + channel / lanes * lanes;
    return vdnn_native_at(desc->dtype, map, first * cells);
}

static int64_t smallest(int64_t a, int64_t b, int64_t c)
{
    int64_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* The most lanes from `channel` of the output on that lie in one input and one plane of it; which
 * input, and which channel of that. None after the last channel. */
typedef struct place {
    int32_t input;
    int64_t channel, count;
} place;

static place place_of(const vdnn_layer *layer, int64_t channel)
{
    int64_t lanes = vdnn_native_lanes(&layer->y);
    for (int32_t i = 0; i < layer->input_count; i++) {
        int64_t channels = layer->x[i].dims[VDNN_C], left = lanes - channel % lanes;
        if (channel < channels)
            return (place){i, channel, left < channels - channel ? left : channels - channel};
        channel -= channels;
    }
    return (place){0};
}

static void clear_plane(const vdnn_desc *desc, void *plane)
{
    int64_t cells = desc->dims[VDNN_H] * desc->dims[VDNN_W];
    memset(plane, 0, (size_t)(cells * vdnn_native_lanes(desc)) * vdnn_dtype_bytes(desc->dtype));
}

/* One plane of the output. */
static void forward_plane(const vdnn_layer *layer, const vdnn_kernel_args *args, int64_t plane)
{
    const vdnn_desc *y = &layer->y;
    int64_t lanes = vdnn_native_lanes(y), planes = vdnn_desc_channels(y) / lanes;
    int64_t sample = plane / planes, first = plane % planes * lanes;
    char *to = plane_of(y, args->y, sample, first);
    if (first + lanes > y->dims[VDNN_C])
        clear_plane(y, to);
    for (int64_t lane = 0; lane < lanes && first + lane < y->dims[VDNN_C];) {
        place at = place_of(layer, first + lane);
        const vdnn_desc *x = &layer->x[at.input];
        run_of_lanes run = {.from = plane_of(x, args->x[at.input], sample, at.channel),
                            .from_lane = at.channel % lanes,
                            .to_lane = lane,
                            .count = at.count < lanes - lane ? at.count : lanes - lane};
        copy_run(y, &run, to);
        lane += run.count;
    }
}

/* One plane of an input's gradient, whose first channel is channel `offset` of the output. */
static void backward_plane(const vdnn_layer *layer, const vdnn_kernel_args *args, int32_t input,
                           int64_t offset, int64_t plane)
{
    const vdnn_desc *x = &layer->x[input];
    int64_t lanes = vdnn_native_lanes(x), planes = vdnn_desc_channels(x) / lanes;
    int64_t sample = plane / planes, first = plane % planes * lanes;
    char *to = plane_of(x, args->dx[input], sample, first);
    if (first + lanes > x->dims[VDNN_C])
        clear_plane(x, to);
    for (int64_t lane = 0; lane < lanes && first + lane < x->dims[VDNN_C];) {
        int64_t channel = offset + first + lane;
        run_of_lanes run = {.from = plane_of(&layer->y, args->dy, sample, channel),
                            .from_lane = channel % lanes,
                            .to_lane = lane,
                            .count = smallest(lanes - lane, lanes - channel % lanes,
                                              x->dims[VDNN_C] - first - lane)};
        copy_run(x, &run, to);
        lane += run.count;
    }
}

static void forward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    int64_t planes = vdnn_native_planes(&kernel->layer->y);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t plane = 0; plane < planes; plane++)
        forward_plane(kernel->layer, args, plane);
}

static void backward(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_layer *layer = kernel->layer;
    int64_t offset = 0;
    for (int32_t input = 0; input < layer->input_count; input++) {
        int64_t planes = args->dx[input] == NULL ? 0 : vdnn_native_planes(&layer->x[input]);
#pragma omp parallel for num_threads(kernel->threads)
        for (int64_t plane = 0; plane < planes; plane++)
            backward_plane(layer, args, input, offset, plane);
        offset += layer->x[input].dims[VDNN_C];
    }
}

/* The vectors of samples, or of positions: one run of each input. */
static void copy_row(const vdnn_kernel *kernel, const vdnn_kernel_args *args, int64_t row)
{
    const vdnn_layer *layer = kernel->layer;
    const vdnn_desc whole = vdnn_desc_as_vectors(&layer->y);
    int64_t offset = row * vdnn_desc_per_sample(&whole);
    for (int32_t input = 0; input < layer->input_count; input++) {
        const vdnn_desc part = vdnn_desc_as_vectors(&layer->x[input]);
        const int64_t count = vdnn_desc_per_sample(&part);
        const size_t bytes = (size_t)count * vdnn_dtype_bytes(part.dtype);
        if (kernel->pass == VDNN_FORWARD)
            memcpy(vdnn_native_at(part.dtype, args->y, offset),
                   vdnn_native_const_at(part.dtype, args->x[input], row * count), bytes);
        else if (args->dx[input] != NULL)
            memcpy(vdnn_native_at(part.dtype, args->dx[input], row * count),
                   vdnn_native_const_at(part.dtype, args->dy, offset), bytes);
        offset += count;
    }
}

static void copy_rows(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    const vdnn_desc vectors = vdnn_desc_as_vectors(&kernel->layer->y);
#pragma omp parallel for num_threads(kernel->threads)
    for (int64_t row = 0; row < vectors.dims[VDNN_N]; row++)
        copy_row(kernel, args, row);
}

static vdnn_status run(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    if (vdnn_desc_is_sequence(&kernel->layer->y))
        copy_rows(kernel, args);
    else if (kernel->pass == VDNN_FORWARD)
        forward(kernel, args);
    else
        backward(kernel, args);
    return VDNN_OK;
}

const vdnn_algorithm vdnn_concat_native = {
    .layer_type = "concat",
    .name = "native",
    .device = "cpu",
    .passes = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .deterministic = true,
    .batch_invariant = 1U << VDNN_FORWARD | 1U << VDNN_BACKWARD_DATA,
    .refusal = vdnn_native_refusal_blocked,
    .run = run,
};
