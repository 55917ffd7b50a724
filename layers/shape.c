#include "layers/shape.h"

#include "runtime/base/numbers/decimal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { PARAM_BLOCK = 16 }; /* of VDNN_PARAM_BLOCKED */

vdnn_status vdnn_shape_refuse(const vdnn_layer *layer, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vdnn_decimal_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s layer '%s': %s", layer->def->type, layer->name,
                            text);
}

int64_t vdnn_shape_positions(int64_t in, const vdnn_shape_slide *slide)
{
    int64_t reach, around, padded;
    if (__builtin_mul_overflow(slide->kernel - 1, slide->dilation, &reach) ||
        __builtin_mul_overflow(slide->pad, 2, &around) ||
        __builtin_add_overflow(in, around, &padded) || reach >= INT64_MAX / 2)
        return 0;
    int64_t room = padded - reach - 1 + (slide->ceil ? slide->stride - 1 : 0);
    if (room < 0)
        return 0;
    int64_t positions = room / slide->stride + 1;
    if (slide->ceil && (positions - 1) * slide->stride >= in + slide->pad)
        positions--;
    return positions;
}

vdnn_status vdnn_shape_window(const vdnn_layer *layer, const int64_t kernel[2],
                              const int64_t stride[2], const int64_t pad[2],
                              const int64_t dilation[2], bool ceil, int64_t dims[VDNN_DIMS])
{
    int64_t out[2];
    for (int d = 0; d < 2; d++) {
        vdnn_shape_slide slide = {kernel[d], stride[d], pad[d], dilation[d], ceil};
        out[d] = vdnn_shape_positions(layer->x[0].dims[VDNN_H + d], &slide);
    }
    if (out[0] < 1 || out[1] < 1) {
        char padding[64], spread[64] = "";
        if (pad[0] == pad[1])
            (void)snprintf(padding, sizeof padding, "pad %" PRId64, pad[0]);
        else
            (void)snprintf(padding, sizeof padding, "pad %" PRId64 "x%" PRId64, pad[0], pad[1]);
        if (dilation[0] != 1 || dilation[1] != 1)
            (void)snprintf(spread, sizeof spread, ", dilation %" PRId64 "x%" PRId64, dilation[0],
                           dilation[1]);
        return vdnn_shape_refuse(layer,
                                 "kernel %" PRId64 "x%" PRId64 " does not fit its %" PRId64
                                 "x%" PRId64 " input (%s%s)",
                                 kernel[0], kernel[1], layer->x[0].dims[VDNN_H],
                                 layer->x[0].dims[VDNN_W], padding, spread);
    }
    dims[VDNN_H] = out[0];
    dims[VDNN_W] = out[1];
    return VDNN_OK;
}

static vdnn_layout layout_of(const vdnn_layer *layer, int64_t channels)
{
    switch (layer->def->layout_rule) {
    case VDNN_LAYOUT_SAME:
        return layer->x[0].layout;
    case VDNN_LAYOUT_FREE:
        return vdnn_layout_for(channels, layer->preferred);
    case VDNN_LAYOUT_PLAIN:
    case VDNN_LAYOUT_TO_PLAIN:
        break;
    }
    return VDNN_NCHW;
}

vdnn_status vdnn_shape_set_ranked(vdnn_layer *layer, int rank, const int64_t dims[VDNN_DIMS])
{
    const vdnn_desc *x = &layer->x[0];
    vdnn_desc y = {.rank = rank,
                   .dtype = vdnn_desc_is_integer(x) ? layer->dtype : x->dtype,
                   .layout = layout_of(layer, dims[VDNN_C])};
    for (int d = 0; d < VDNN_DIMS; d++)
        y.dims[d] = dims[d];
    if (!vdnn_desc_check(&y))
        return vdnn_shape_refuse(layer,
                                 "its output of %" PRId64 "x%" PRId64 "x%" PRId64 "x%" PRId64
                                 " is larger than any memory",
                                 dims[VDNN_N], dims[VDNN_C], dims[VDNN_H], dims[VDNN_W]);
    layer->y = y;
    return VDNN_OK;
}

vdnn_status vdnn_shape_set_output(vdnn_layer *layer, const int64_t dims[VDNN_DIMS])
{
    return vdnn_shape_set_ranked(layer, layer->x[0].rank, dims);
}

vdnn_status vdnn_shape_set_common(vdnn_layer *layer)
{
    const int64_t *first = layer->x[0].dims;
    for (int32_t i = 1; i < layer->input_count; i++) {
        const int64_t *dims = layer->x[i].dims;
        if (dims[VDNN_C] != first[VDNN_C] || dims[VDNN_H] != first[VDNN_H] ||
            dims[VDNN_W] != first[VDNN_W])
            return vdnn_shape_refuse(layer,
                                     "input %d is %" PRId64 "x%" PRId64 "x%" PRId64
                                     " but the first is %" PRId64 "x%" PRId64 "x%" PRId64
                                     " (channels x height x width must be equal)",
                                     i + 1, dims[VDNN_C], dims[VDNN_H], dims[VDNN_W], first[VDNN_C],
                                     first[VDNN_H], first[VDNN_W]);
    }
    return vdnn_shape_set_output(layer, first);
}

vdnn_channel_rule vdnn_shape_same_channels(const vdnn_layer *layer)
{
    (void)layer;
    return (vdnn_channel_rule){.unit = 1, .x_unit = 1};
}

vdnn_status vdnn_shape_add_param(vdnn_layer *layer, const vdnn_param *param)
{
    VDNN_INVARIANT(layer->param_count, <, VDNN_LAYER_PARAMS);
    VDNN_INVARIANT(!param->trainable || layer->trainable_bytes == layer->param_bytes, ==, 1);
    int64_t count = 1, stored = 1, bytes = 0, total = 0;
    bool overflow = false;
    for (int d = 0; d < param->dim_count; d++) {
        int64_t block = param->layout == VDNN_PARAM_BLOCKED && d < 2 ? PARAM_BLOCK : 1;
        overflow =
            overflow || __builtin_mul_overflow(count, param->dims[d], &count) ||
            __builtin_mul_overflow(stored, (param->dims[d] + block - 1) / block * block, &stored);
    }
    overflow = overflow || __builtin_mul_overflow(stored, (int64_t)sizeof(float), &bytes) ||
               __builtin_add_overflow(bytes, (int64_t)layer->param_bytes, &total) ||
               total > VDNN_DESC_MAX_BYTES;
    if (overflow)
        return vdnn_shape_refuse(layer, "its %s is larger than any memory", param->name);
    vdnn_param *added = &layer->params[layer->param_count++];
    *added = *param;
    added->count = count;
    added->bytes = (size_t)bytes;
    added->offset = layer->param_bytes;
    layer->param_bytes = (size_t)total;
    if (param->trainable)
        layer->trainable_bytes = (size_t)total;
    return VDNN_OK;
}

vdnn_status vdnn_shape_add_weight(vdnn_layer *layer, const vdnn_param *weight, bool bias)
{
    const vdnn_param added = {.name = "bias",
                              .dims = {weight->dims[0]},
                              .dim_count = 1,
                              .trainable = true,
                              .is_bias = true};
    vdnn_status status = vdnn_shape_add_param(layer, weight);
    return status == VDNN_OK && bias ? vdnn_shape_add_param(layer, &added) : status;
}

double vdnn_shape_weight_flops(const vdnn_layer *layer, vdnn_pass pass)
{
    double outputs = (double)vdnn_desc_count(&layer->y);
    bool adds_bias = layer->param_count > 1 && pass != VDNN_BACKWARD_DATA;
    return 2 * outputs * (double)layer->params[0].fan_in + (adds_bias ? outputs : 0);
}
