#include "layers/shape.h"

#include "runtime/base/numbers/decimal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

/* ---- sides ----------------------------------------------------------------------------------- */

const char *vdnn_shape_sides_text(const vdnn_layer *layer, const int64_t sides[VDNN_SIDES],
                                  char text[VDNN_SIDES_TEXT])
{
    int length = 0;
    if (vdnn_desc_is_volume(&layer->x[0]))
        length = snprintf(text, VDNN_SIDES_TEXT, "%" PRId64 "x", sides[VDNN_SIDE_D]);
    (void)snprintf(text + length, VDNN_SIDES_TEXT - (size_t)length, "%" PRId64 "x%" PRId64,
                   sides[VDNN_SIDE_H], sides[VDNN_SIDE_W]);
    return text;
}

/* One number, which is of all sides, has no other numbers than the first; of two numbers the third
 * is negative. */
static vdnn_status complete_sides(vdnn_layer *layer, const vdnn_key *key)
{
    int64_t *sides = (void *)((char *)layer->config + key->offset);
    int64_t h = sides[VDNN_SIDE_H], w = sides[VDNN_SIDE_W], d = sides[VDNN_SIDE_D];
    const int64_t least = (int64_t)key->min;
    if (vdnn_desc_is_volume(&layer->x[0]))
        return d >= 0 ? VDNN_OK
                      : vdnn_shape_refuse(layer,
                                          "%s is [%" PRId64 ", %" PRId64
                                          "], but its input is a volume; expected n or [d, h, w]",
                                          key->name, h, w);
    if (d >= 0 && d != least && (d != h || d != w))
        return vdnn_shape_refuse(layer,
                                 "%s is [%" PRId64 ", %" PRId64 ", %" PRId64
                                 "], but its input is no volume; expected n or [h, w]",
                                 key->name, d, h, w);
    sides[VDNN_SIDE_D] = least;
    return VDNN_OK;
}

vdnn_status vdnn_shape_complete(vdnn_layer *layer)
{
    for (size_t i = 0; i < layer->def->key_count; i++)
        if (layer->def->keys[i].kind == VDNN_KEY_SIDES)
            VDNN_TRY(complete_sides(layer, &layer->def->keys[i]));
    return VDNN_OK;
}

static vdnn_status refuse_window(const vdnn_layer *layer, const vdnn_shape_slides *window)
{
    char kernel[VDNN_SIDES_TEXT], input[VDNN_SIDES_TEXT], pad[VDNN_SIDES_TEXT],
        dilation[VDNN_SIDES_TEXT], spread[VDNN_SIDES_TEXT + 16] = "";
    const int64_t *p = window->pad, *d = window->dilation;
    const int sides = vdnn_desc_is_volume(&layer->x[0]) ? VDNN_SIDES : VDNN_SIDE_D;
    int64_t in[VDNN_SIDES];
    bool is_even = true, is_dilated = false;
    vdnn_desc_sides(&layer->x[0], in);
    for (int side = 0; side < sides; side++) {
        is_even = is_even && p[side] == p[0];
        is_dilated = is_dilated || d[side] != 1;
    }
    if (is_even)
        (void)snprintf(pad, sizeof pad, "%" PRId64, p[0]);
    else
        (void)vdnn_shape_sides_text(layer, p, pad);
    if (is_dilated)
        (void)snprintf(spread, sizeof spread, ", dilation %s",
                       vdnn_shape_sides_text(layer, d, dilation));
    return vdnn_shape_refuse(layer, "kernel %s does not fit its %s input (pad %s%s)",
                             vdnn_shape_sides_text(layer, window->kernel, kernel),
                             vdnn_shape_sides_text(layer, in, input), pad, spread);
}

vdnn_status vdnn_shape_window(const vdnn_layer *layer, const vdnn_shape_slides *window,
                              int64_t sides[VDNN_SIDES])
{
    int64_t in[VDNN_SIDES], out[VDNN_SIDES];
    vdnn_desc_sides(&layer->x[0], in);
    for (int s = 0; s < VDNN_SIDES; s++) {
        const vdnn_shape_slide slide = {window->kernel[s], window->stride[s], window->pad[s],
                                        window->dilation[s], window->ceil};
        out[s] = vdnn_shape_positions(in[s], &slide);
        if (out[s] < 1)
            return refuse_window(layer, window);
    }
    memcpy(sides, out, sizeof out);
    return VDNN_OK;
}

/* ---- outputs --------------------------------------------------------------------------------- */

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

/* `depth`: of a volume. */
static vdnn_status set_output(vdnn_layer *layer, int rank, const int64_t dims[VDNN_DIMS],
                              int64_t depth)
{
    const vdnn_desc *x = &layer->x[0];
    vdnn_desc y = {.rank = rank,
                   .dtype = vdnn_desc_is_integer(x) ? layer->dtype : x->dtype,
                   .layout = layout_of(layer, dims[VDNN_C]),
                   .depth = rank == VDNN_VOLUME_RANK ? depth : 0};
    char sample[VDNN_DESC_TEXT];
    for (int d = 0; d < VDNN_DIMS; d++)
        y.dims[d] = dims[d];
    if (!vdnn_desc_check(&y))
        return vdnn_shape_refuse(layer, "its output of %" PRId64 "x%s is larger than any memory",
                                 dims[VDNN_N], vdnn_desc_text(&y, sample));
    layer->y = y;
    return VDNN_OK;
}

vdnn_status vdnn_shape_set_ranked(vdnn_layer *layer, int rank, const int64_t dims[VDNN_DIMS])
{
    return set_output(layer, rank, dims, 0);
}

vdnn_status vdnn_shape_set_output(vdnn_layer *layer, const int64_t dims[VDNN_DIMS])
{
    return set_output(layer, layer->x[0].rank, dims, layer->x[0].depth);
}

vdnn_status vdnn_shape_set_sides(vdnn_layer *layer, int64_t channels,
                                 const int64_t sides[VDNN_SIDES])
{
    const vdnn_desc *x = &layer->x[0];
    int64_t dims[VDNN_DIMS] = {x->dims[VDNN_N], channels, 0, sides[VDNN_SIDE_W]};
    if (__builtin_mul_overflow(sides[VDNN_SIDE_D], sides[VDNN_SIDE_H], &dims[VDNN_H]))
        return vdnn_shape_refuse(layer, "its output is larger than any memory");
    const bool is_picture = x->rank < VDNN_PICTURE_RANK && (dims[VDNN_H] > 1 || dims[VDNN_W] > 1);
    return set_output(layer, is_picture ? VDNN_PICTURE_RANK : x->rank, dims, sides[VDNN_SIDE_D]);
}

vdnn_status vdnn_shape_set_common(vdnn_layer *layer)
{
    const vdnn_desc *first = &layer->x[0];
    for (int32_t i = 1; i < layer->input_count; i++) {
        const vdnn_desc *x = &layer->x[i];
        char own[VDNN_DESC_TEXT], other[VDNN_DESC_TEXT];
        if (!vdnn_shape_has_sides(x, first) || x->dims[VDNN_C] != first->dims[VDNN_C])
            return vdnn_shape_refuse(layer,
                                     "input %d is %s but the first is %s (channels x %sheight x "
                                     "width must be equal)",
                                     i + 1, vdnn_desc_text(x, own), vdnn_desc_text(first, other),
                                     vdnn_desc_is_volume(first) ? "depth x " : "");
    }
    return vdnn_shape_set_output(layer, first->dims);
}

bool vdnn_shape_has_sides(const vdnn_desc *a, const vdnn_desc *b)
{
    int64_t of_a[VDNN_SIDES], of_b[VDNN_SIDES];
    vdnn_desc_sides(a, of_a);
    vdnn_desc_sides(b, of_b);
    return vdnn_desc_is_volume(a) == vdnn_desc_is_volume(b) && memcmp(of_a, of_b, sizeof of_a) == 0;
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
