#include "layers/part.h"

#include "layers/count.h"
#include "layers/shape.h"
#include "layers/signature.h"
#include "layers/weight_copy.h"
#include "runtime/base/heap.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct range {
    int64_t first, count;
} range;

vdnn_part vdnn_part_whole(const vdnn_layer *layer)
{
    return (vdnn_part){.samples = layer->x[0].dims[VDNN_N], .channels = layer->y.dims[VDNN_C]};
}

static bool is_whole(const vdnn_layer *layer, const vdnn_part *part, vdnn_axis axis)
{
    vdnn_part whole = vdnn_part_whole(layer);
    return axis == VDNN_AXIS_SAMPLES ? part->samples == whole.samples
                                     : part->channels == whole.channels;
}

/* A loss has a row of y for each of its parts: the ranges of samples are as many as the rows. */
static bool has_samples(const vdnn_layer *layer)
{
    return layer->y.dims[VDNN_N] == layer->x[0].dims[VDNN_N];
}

/* Of a part of some samples the rows of y. */
static range y_rows(const vdnn_layer *layer, const vdnn_part *part)
{
    const int64_t rows = layer->y.dims[VDNN_N], samples = layer->x[0].dims[VDNN_N];
    if (has_samples(layer))
        return (range){part->first_sample, part->samples};
    return rows == 1 ? (range){0, 1}
                     : (range){vdnn_count_pieces(part->first_sample * rows, samples), 1};
}

/* ---- which parts there are ------------------------------------------------------------------- */

/* The channels of y that cannot be separated, by the rule and by the blocks of both sides. */
static int64_t channel_unit(const vdnn_layer *layer)
{
    const vdnn_channel_rule rule = layer->def->channel_rule(layer);
    int64_t unit = rule.unit, x_unit = rule.x_unit;
    while (unit % vdnn_layout_block(layer->y.layout) != 0 ||
           x_unit % vdnn_layout_block(layer->x[0].layout) != 0) {
        unit += rule.unit;
        x_unit += rule.x_unit;
    }
    return unit;
}

static bool can_cut(const vdnn_layer *layer, vdnn_axis axis)
{
    const vdnn_layer_def *def = layer->def;
    if (axis == VDNN_AXIS_SAMPLES) /* how many labels count is known of all samples together */
        return def->splits_samples && !layer->joins_samples && !vdnn_layer_counts_labels(layer);
    return def->channel_rule != NULL && def->channel_rule(layer).unit > 0;
}

static int64_t extent_of(const vdnn_layer *layer, vdnn_axis axis)
{
    vdnn_part whole = vdnn_part_whole(layer);
    return axis == VDNN_AXIS_SAMPLES ? whole.samples : whole.channels;
}

/* All of it where the layer cannot be cut. */
static int64_t unit_of(const vdnn_layer *layer, vdnn_axis axis)
{
    if (!can_cut(layer, axis))
        return extent_of(layer, axis);
    return axis == VDNN_AXIS_SAMPLES ? 1 : channel_unit(layer);
}

static bool is_inside(int64_t first, int64_t count, int64_t extent)
{
    return first >= 0 && count >= 1 && count <= extent && first <= extent - count;
}

const char *vdnn_part_refusal(const vdnn_layer *layer, const vdnn_part *part)
{
    vdnn_part whole = vdnn_part_whole(layer);
    if (!is_inside(part->first_sample, part->samples, whole.samples) ||
        !is_inside(part->first_channel, part->channels, whole.channels))
        return "it is not within the layer";
    if (!is_whole(layer, part, VDNN_AXIS_SAMPLES) && !can_cut(layer, VDNN_AXIS_SAMPLES))
        return "its samples depend on each other";
    if (is_whole(layer, part, VDNN_AXIS_CHANNELS))
        return NULL;
    if (!can_cut(layer, VDNN_AXIS_CHANNELS))
        return "some of its channels cannot be computed without the others";
    int64_t unit = unit_of(layer, VDNN_AXIS_CHANNELS), end = part->first_channel + part->channels;
    if (part->first_channel % unit != 0 || (end % unit != 0 && end != whole.channels))
        return "it divides a group of channels, or a block of their layout";
    return NULL;
}

int64_t vdnn_part_most(const vdnn_layer *layer, vdnn_axis axis)
{
    return vdnn_count_pieces(extent_of(layer, axis), unit_of(layer, axis));
}

static vdnn_status refuse_cut(const vdnn_layer *layer, vdnn_axis axis, int64_t count)
{
    static const char *const things[VDNN_AXES] = {"samples", "channels"};
    static const char *const reasons[VDNN_AXES] = {"which depend on each other",
                                                   "which cannot be computed without each other"};
    int64_t unit = unit_of(layer, axis), most = vdnn_part_most(layer, axis);
    char why[128] = "", fitting[32] = "1";
    if (!can_cut(layer, axis))
        (void)snprintf(why, sizeof why, ", %s", reasons[axis]);
    else if (unit > 1)
        (void)snprintf(why, sizeof why, ", at multiples of %" PRId64, unit);
    if (most > 1)
        (void)snprintf(fitting, sizeof fitting, "1 to %" PRId64, most);
    return vdnn_status_fail(
        VDNN_USAGE, "%s layer '%s': %" PRId64 " parts of its %" PRId64 " %s%s; expected %s",
        layer->def->type, layer->name, count, extent_of(layer, axis), things[axis], why, fitting);
}

vdnn_status vdnn_part_cut(const vdnn_layer *layer, vdnn_axis axis, int64_t count, int64_t i,
                          vdnn_part *part)
{
    int64_t units = vdnn_part_most(layer, axis), unit = unit_of(layer, axis);
    int64_t extent = extent_of(layer, axis);
    if (count < 1 || count > units)
        return refuse_cut(layer, axis, count);
    VDNN_INVARIANT(i, <, count);
    int64_t first = units * i / count * unit;
    int64_t end = vdnn_count_min(units * (i + 1) / count * unit, extent);
    *part = vdnn_part_whole(layer);
    *(axis == VDNN_AXIS_SAMPLES ? &part->first_sample : &part->first_channel) = first;
    *(axis == VDNN_AXIS_SAMPLES ? &part->samples : &part->channels) = end - first;
    return VDNN_OK;
}

bool vdnn_part_shares_x(const vdnn_layer *layer)
{
    return layer->def->channel_rule != NULL && layer->def->channel_rule(layer).x_unit == 0;
}

/* The channels of input i that the part reads. */
static range x_channels(const vdnn_layer *layer, const vdnn_part *part, int32_t i)
{
    range all = {0, layer->x[i].dims[VDNN_C]};
    if (is_whole(layer, part, VDNN_AXIS_CHANNELS) || vdnn_part_shares_x(layer))
        return all;
    const vdnn_channel_rule rule = layer->def->channel_rule(layer);
    int64_t units = vdnn_count_pieces(part->channels, rule.unit);
    return (range){part->first_channel / rule.unit * rule.x_unit, units * rule.x_unit};
}

/* ---- a part as a layer ----------------------------------------------------------------------- */

/* Rows of the outputs that are left. */
static vdnn_status narrow_params(const vdnn_layer *layer, const vdnn_part *part, vdnn_layer *made)
{
    vdnn_status status = VDNN_OK;
    made->param_count = 0;
    made->param_bytes = made->trainable_bytes = 0;
    for (int32_t p = 0; p < layer->param_count && status == VDNN_OK; p++) {
        vdnn_param param = layer->params[p];
        VDNN_INVARIANT(param.dims[0], ==, layer->y.dims[VDNN_C]);
        param.dims[0] = part->channels;
        status = vdnn_shape_add_param(made, &param);
    }
    return status;
}

static vdnn_status own_memory(const vdnn_layer *layer, vdnn_layer *made)
{
    size_t inputs = (size_t)layer->input_count, config_bytes = layer->def->config_bytes;
    made->config = NULL;
    made->signature = NULL;
    made->x = vdnn_heap_calloc(inputs, sizeof *made->x);
    if (made->x != NULL)
        made->config = vdnn_heap_calloc(1, config_bytes);
    if (made->config == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s layer '%s': no memory for a part of it",
                                layer->def->type, layer->name);
    if (config_bytes > 0)
        memcpy(made->config, layer->config, config_bytes);
    return VDNN_OK;
}

static double share_of(const vdnn_layer *layer, const vdnn_part *part)
{
    const vdnn_part whole = vdnn_part_whole(layer);
    return (double)part->samples / (double)whole.samples *
           ((double)part->channels / (double)whole.channels);
}

static void narrow_maps(const vdnn_layer *layer, const vdnn_part *part, vdnn_layer *made)
{
    for (int32_t i = 0; i < layer->input_count; i++) {
        made->x[i] = layer->x[i];
        made->x[i].dims[VDNN_N] = part->samples;
        made->x[i].dims[VDNN_C] = x_channels(layer, part, i).count;
    }
    made->labels.dims[VDNN_N] = part->samples;
    made->y.dims[VDNN_N] = y_rows(layer, part).count;
    made->y.dims[VDNN_C] = part->channels;
}

vdnn_status vdnn_part_init(const vdnn_layer *layer, const vdnn_part *part, vdnn_layer *made)
{
    const vdnn_layer_def *def = layer->def;
    bool is_narrow = !is_whole(layer, part, VDNN_AXIS_CHANNELS);
    vdnn_layer own = *layer;
    vdnn_status status = own_memory(layer, &own);
    if (status != VDNN_OK)
        goto fail;
    own.whole = layer;
    own.share = share_of(layer, part);
    narrow_maps(layer, part, &own);
    if (is_narrow && def->narrow != NULL)
        def->narrow(layer, part->channels, own.config);
    if (is_narrow)
        status = narrow_params(layer, part, &own);
    own.aux_bytes = def->aux_bytes == NULL ? 0 : def->aux_bytes(&own);
    own.copy_bytes = layer->copy_bytes == 0 ? 0 : vdnn_weight_copy_bytes(&own);
    VDNN_IF_OK(status, vdnn_signature_make(&own, &own.signature));
    if (status != VDNN_OK)
        goto fail;
    *made = own;
    return VDNN_OK;
fail:
    vdnn_part_fini(&own);
    return status;
}

void vdnn_part_place_params(const vdnn_layer *layer, const vdnn_part *part, vdnn_layer *made)
{
    for (int32_t p = 0; p < layer->param_count; p++)
        made->params[p].offset =
            vdnn_part_param(layer, part, p).offset - vdnn_part_param(layer, part, 0).offset;
}

void vdnn_part_fini(vdnn_layer *made)
{
    vdnn_heap_free(made->x);
    vdnn_heap_free(made->config);
    vdnn_heap_free(made->signature);
}

/* ---- its bytes in the whole's buffers -------------------------------------------------------- */

static vdnn_stripes joined(vdnn_stripes stripes)
{
    if (stripes.bytes == stripes.stride) {
        stripes.bytes = stripes.stride *= (size_t)stripes.count;
        stripes.count = 1;
    }
    return stripes;
}

/* Both ends of the channels are at a block, or at the map's end. */
static vdnn_stripes stripes_of(const vdnn_desc *map, range samples, range channels)
{
    int64_t block = vdnn_layout_block(map->layout), stored = vdnn_desc_channels(map);
    int64_t cells = map->dims[VDNN_H] * map->dims[VDNN_W], left = stored - channels.first;
    int64_t own = vdnn_count_min(vdnn_count_pieces(channels.count, block) * block, left);
    size_t element = vdnn_dtype_bytes(map->dtype);
    bool is_abreast = vdnn_layout_is_nhwc(map->layout);
    size_t channel = element * (size_t)(is_abreast ? 1 : cells); /* from one to the next */
    return joined((vdnn_stripes){
        .offset =
            (size_t)(samples.first * stored * cells) * element + (size_t)channels.first * channel,
        .bytes = (size_t)own * channel,
        .stride = (size_t)stored * channel,
        .count = samples.count * (is_abreast ? cells : 1),
    });
}

vdnn_stripes vdnn_part_y(const vdnn_layer *layer, const vdnn_part *part)
{
    return stripes_of(&layer->y, y_rows(layer, part), (range){part->first_channel, part->channels});
}

vdnn_stripes vdnn_part_x(const vdnn_layer *layer, const vdnn_part *part, int32_t i)
{
    return stripes_of(&layer->x[i], (range){part->first_sample, part->samples},
                      x_channels(layer, part, i));
}

/* Rows of that many outputs, in blocks of some of them; the last block may be padding in part. */
static vdnn_stripes rows_of(const vdnn_part *part, int64_t outputs, int64_t block, size_t offset,
                            size_t bytes)
{
    size_t of_block = bytes / (size_t)vdnn_count_pieces(outputs, block);
    size_t own = of_block * (size_t)vdnn_count_pieces(part->channels, block);
    return (vdnn_stripes){.offset = offset + of_block * (size_t)(part->first_channel / block),
                          .bytes = own,
                          .stride = own,
                          .count = 1};
}

vdnn_stripes vdnn_part_param(const vdnn_layer *layer, const vdnn_part *part, int32_t i)
{
    const vdnn_param *param = &layer->params[i];
    if (is_whole(layer, part, VDNN_AXIS_CHANNELS))
        return (vdnn_stripes){param->offset, param->bytes, param->bytes, 1};
    int64_t block = param->layout == VDNN_PARAM_BLOCKED ? vdnn_layout_block(VDNN_NCHW16C) : 1;
    return rows_of(part, param->dims[0], block, param->offset, param->bytes);
}

vdnn_stripes vdnn_part_weight_copy(const vdnn_layer *layer, const vdnn_part *part)
{
    return rows_of(part, layer->params[0].dims[0], 1, 0, layer->copy_bytes);
}

vdnn_stripes vdnn_part_labels(const vdnn_layer *layer, const vdnn_part *part)
{
    const size_t sample = vdnn_desc_bytes(&layer->labels) / (size_t)layer->labels.dims[VDNN_N],
                 bytes = sample * (size_t)part->samples;
    return (vdnn_stripes){sample * (size_t)part->first_sample, bytes, bytes, 1};
}

bool vdnn_part_aux(const vdnn_layer *layer, const vdnn_part *part, vdnn_stripes *stripes)
{
    const vdnn_part whole = vdnn_part_whole(layer);
    bool is_all = part->samples == whole.samples && part->channels == whole.channels;
    bool is_range = layer->def->aux_by_sample && part->channels == whole.channels;
    if (!is_all && !is_range && layer->aux_bytes > 0)
        return false;
    size_t sample = layer->aux_bytes / (size_t)whole.samples;
    size_t bytes = is_all ? layer->aux_bytes : sample * (size_t)part->samples;
    *stripes = (vdnn_stripes){sample * (size_t)part->first_sample, bytes, bytes, 1};
    return true;
}

vdnn_stripes vdnn_part_compact(const vdnn_stripes *stripes)
{
    return (vdnn_stripes){0, stripes->bytes, stripes->bytes, stripes->count};
}

/* ---- copies of its maps ---------------------------------------------------------------------- */

size_t vdnn_part_staged_piece(const vdnn_stripes *stripes)
{
    size_t bytes = stripes->count > 1 ? (size_t)stripes->count * stripes->bytes : 0;
    return (bytes + VDNN_PART_ALIGNMENT - 1) / VDNN_PART_ALIGNMENT * VDNN_PART_ALIGNMENT;
}

static size_t staged_y(const vdnn_layer *layer, const vdnn_part *part)
{
    vdnn_stripes y = vdnn_part_y(layer, part);
    return vdnn_part_staged_piece(&y);
}

static size_t staged_x(const vdnn_layer *layer, const vdnn_part *part, int32_t i)
{
    vdnn_stripes x = vdnn_part_x(layer, part, i);
    return vdnn_part_staged_piece(&x);
}

static size_t staged_needs(const vdnn_layer *layer, const vdnn_part *part, vdnn_pass pass)
{
    vdnn_needs needs = layer->needs[pass];
    size_t bytes = needs & VDNN_NEEDS_Y ? staged_y(layer, part) : 0;
    for (int32_t i = 0; (needs & VDNN_NEEDS_X) && i < layer->input_count; i++)
        bytes += staged_x(layer, part, i);
    return bytes;
}

size_t vdnn_part_staged_bytes(const vdnn_layer *layer, const vdnn_part *part, vdnn_pass pass)
{
    if (is_whole(layer, part, VDNN_AXIS_CHANNELS))
        return 0; /* samples lie one after the other */
    bool is_forward = pass == VDNN_FORWARD;
    bool is_over_x = is_forward && layer->in_place;
    size_t bytes = is_over_x ? 0 : staged_y(layer, part); /* y, or dy */
    if (!is_forward)
        bytes += staged_needs(layer, part, pass);
    for (int32_t i = 0; i < layer->input_count; i++)
        if (is_forward ||
            (pass == VDNN_BACKWARD_DATA && layer->wants_dx[i] && i != vdnn_layer_dx_over_dy(layer)))
            bytes += staged_x(layer, part, i);
    return bytes;
}
