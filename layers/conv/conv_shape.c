#include "layers/conv/conv_shape.h"

vdnn_conv_shape vdnn_conv_shape_of(const vdnn_layer *layer)
{
    const vdnn_conv_config *conv = layer->config;
    const int64_t *x = layer->x[0].dims, *y = layer->y.dims;
    vdnn_conv_shape shape = {
        .n = x[VDNN_N],
        .c = x[VDNN_C],
        .k = y[VDNN_C],
        .groups = conv->groups,
        .group_c = x[VDNN_C] / conv->groups,
        .group_k = y[VDNN_C] / conv->groups,
        .in_cells = x[VDNN_H] * x[VDNN_W],
        .out_cells = y[VDNN_H] * y[VDNN_W],
        .is_volume = vdnn_desc_is_volume(&layer->x[0]),
        .weight_count = layer->params[0].count,
        .bias_offset =
            layer->param_count > 1 ? (int64_t)(layer->params[1].offset / sizeof(float)) : -1,
    };
    vdnn_desc_sides(&layer->x[0], shape.in);
    vdnn_desc_sides(&layer->y, shape.out);
    shape.taps = shape.group_c;
    for (int d = 0; d < VDNN_SIDES; d++) {
        shape.kernel[d] = conv->kernel[d];
        shape.stride[d] = conv->stride[d];
        shape.pad[d] = conv->pad[d];
        shape.dilation[d] = conv->dilation[d];
        shape.taps *= shape.kernel[d];
    }
    return shape;
}

float *vdnn_conv_shape_bias(const vdnn_conv_shape *shape, void *block)
{
    return shape->bias_offset < 0 ? NULL : (float *)block + shape->bias_offset;
}

float vdnn_conv_shape_bias_sum(const vdnn_conv_shape *shape, const float *dy, int64_t k)
{
    /* Partial sums in lanes let the compiler use vectors without changing the order. */
    enum { LANES = 16 };
    float sums[LANES] = {0};
    for (int64_t n = 0; n < shape->n; n++) {
        const float *cells = dy + (n * shape->k + k) * shape->out_cells;
        int64_t i = 0;
        for (; i + LANES <= shape->out_cells; i += LANES)
            for (int64_t lane = 0; lane < LANES; lane++)
                sums[lane] += cells[i + lane];
        for (int64_t lane = 0; i + lane < shape->out_cells; lane++)
            sums[lane] += cells[i + lane];
    }
    double sum = 0;
    for (int lane = 0; lane < LANES; lane++)
        sum += (double)sums[lane];
    return (float)sum;
}

const char *vdnn_conv_shape_too_large(const vdnn_layer *layer)
{
    vdnn_conv_shape shape = vdnn_conv_shape_of(layer);
    int64_t sizes[] = {shape.n,         shape.c,    shape.k,           shape.in_cells,
                       shape.out_cells, shape.taps, shape.weight_count};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (sizes[i] > INT32_MAX)
            return "one of its sizes does not fit 31 bits";
    for (int d = 0; d < VDNN_SIDES; d++)
        if (shape.stride[d] > INT16_MAX || shape.pad[d] > INT16_MAX ||
            shape.dilation[d] > INT16_MAX)
            return "its stride, pad or dilation is above 32767";
    return NULL;
}

const char *vdnn_conv_shape_refusal(const vdnn_kernel *kernel)
{
    const vdnn_layer *layer = kernel->layer;
    const vdnn_desc *x = &layer->x[0], *y = &layer->y;
    if (x->dtype != VDNN_F32 || y->dtype != VDNN_F32)
        return "it computes in f32 only";
    if (x->layout != VDNN_NCHW || y->layout != VDNN_NCHW)
        return "it reads and writes NCHW only";
    return NULL;
}
