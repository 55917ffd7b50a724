#include "runtime/graph/ties.h"

#include "runtime/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NONE = -1, SHAPE_BYTES = 128 };

/* ---- names and types ------------------------------------------------------------------------- */

static void list_types(vdnn_text *text)
{
    const char *between = "";
    for (size_t i = 0; i < vdnn_layer_def_count(); i++)
        if (vdnn_layer_def_at(i)->ties_weight) {
            vdnn_text_add(text, "%s%s", between, vdnn_layer_def_at(i)->type);
            between = ", ";
        }
}

static vdnn_status refuse_type(const vdnn_model *model, const vdnn_layer_spec *layer,
                               const vdnn_layer_spec *untied)
{
    vdnn_text types = {0};
    list_types(&types);
    vdnn_status status = vdnn_status_fail(
        VDNN_BAD_INPUT,
        "%s:%d: layer '%s' reads the weight of '%s', but '%s' is a layer of type %s; layers of "
        "these types share weights: %s",
        model->path, layer->line, layer->name, layer->weight_of, untied->name, untied->def->type,
        types.failed ? "" : types.data);
    vdnn_text_fini(&types);
    return status;
}

/* The layer at the end of a chain of layers that read each other's weights; NONE: it has no end. */
static int32_t find_end(const vdnn_order *order, int32_t layer, int32_t layer_count)
{
    for (int32_t i = 0; i < layer_count; i++) {
        if (order->owners[layer] < 0)
            return layer;
        layer = order->owners[layer];
    }
    return NONE;
}

static vdnn_status refuse_chain(const vdnn_model *model, const vdnn_order *order, int32_t layer)
{
    const vdnn_layer_spec *own = &model->layers[layer],
                          *next = &model->layers[order->owners[layer]];
    int32_t end = find_end(order, layer, model->layer_count);
    if (end >= 0)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s:%d: layer '%s' reads the weight of '%s', which is that of "
                                "another layer too; expected `weight_of: %s`",
                                model->path, own->line, own->name, next->name,
                                model->layers[end].name);
    return vdnn_status_fail(VDNN_BAD_INPUT,
                            "%s:%d: layer '%s' reads the weight of '%s', but these layers form a "
                            "cycle: none of them has a weight of its own",
                            model->path, own->line, own->name, next->name);
}

static vdnn_status refuse_half_frozen(const vdnn_model *model, const vdnn_layer_spec *layer,
                                      const vdnn_layer_spec *owner)
{
    return vdnn_status_fail(VDNN_BAD_INPUT,
                            "%s:%d: layer '%s' reads the weight of '%s', and one of the two is "
                            "frozen; expected `frozen: true` in both, or in neither",
                            model->path, layer->line, layer->name, owner->name);
}

vdnn_status vdnn_ties_check(const vdnn_model *model, const vdnn_order *order, bool *is_tied)
{
    for (int32_t l = 0; l < model->layer_count; l++) {
        int32_t owner = order->owners[l];
        if (owner < 0)
            continue;
        if (!model->layers[l].def->ties_weight)
            return refuse_type(model, &model->layers[l], &model->layers[l]);
        if (!model->layers[owner].def->ties_weight)
            return refuse_type(model, &model->layers[l], &model->layers[owner]);
        if (order->owners[owner] >= 0)
            return refuse_chain(model, order, l);
        if (model->layers[l].is_frozen != model->layers[owner].is_frozen)
            return refuse_half_frozen(model, &model->layers[l], &model->layers[owner]);
        is_tied[l] = is_tied[owner] = true;
    }
    return VDNN_OK;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void write_shape(const vdnn_param *weight, char text[SHAPE_BYTES])
{
    size_t length = 0;
    for (int d = 0; d < weight->dim_count; d++)
        length += (size_t)snprintf(text + length, SHAPE_BYTES - length, "%s%" PRId64,
                                   d == 0 ? "" : " x ", weight->dims[d]);
}

static bool is_same_shape(const vdnn_param *a, const vdnn_param *b)
{
    return a->dim_count == b->dim_count &&
           memcmp(a->dims, b->dims, (size_t)a->dim_count * sizeof *a->dims) == 0;
}

/* The reader's other parameters go behind what is in the owner's block so far. */
static vdnn_status join(const vdnn_model *model, vdnn_layer *owner, vdnn_layer *reader)
{
    char own[SHAPE_BYTES], other[SHAPE_BYTES];
    const vdnn_param *weight = &reader->params[0];
    if (!is_same_shape(weight, &owner->params[0])) {
        write_shape(weight, own);
        write_shape(&owner->params[0], other);
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s:%d: layer '%s' reads a weight of %s, but that of '%s' is %s",
                                model->path, reader->line, reader->name, own, owner->name, other);
    }
    size_t more = reader->param_bytes - weight->bytes;
    if (more > (size_t)VDNN_DESC_MAX_BYTES - owner->param_bytes)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s:%d: the parameters of '%s' and of the layers that read its "
                                "weight are larger than any memory",
                                model->path, reader->line, owner->name);
    reader->owner = owner->index;
    for (int32_t p = 1; p < reader->param_count; p++)
        reader->params[p].offset += owner->param_bytes - weight->bytes;
    owner->param_bytes += more;
    owner->trainable_bytes += reader->is_frozen ? 0 : more;
    return VDNN_OK;
}

/* Backward comes to the layers of a block from the last one on. */
static bool adds_dw(const vdnn_graph *graph, const vdnn_layer *layer)
{
    int32_t l = layer->def->adds_gradient ? layer->index + 1 : graph->layer_count;
    while (l < graph->layer_count && graph->layers[l].owner != layer->owner)
        l++;
    return l < graph->layer_count;
}

vdnn_status vdnn_ties_join(const vdnn_model *model, const vdnn_order *order,
                           const int32_t *tensor_of, vdnn_graph *graph)
{
    vdnn_status status = VDNN_OK;
    for (int32_t number = 0; number < model->layer_count && status == VDNN_OK; number++) {
        int32_t place = order->layers[number], owner = order->owners[place];
        if (owner >= 0)
            status = join(model, &graph->layers[graph->tensors[tensor_of[owner]].producer],
                          &graph->layers[graph->tensors[tensor_of[place]].producer]);
    }
    for (int32_t l = 0; l < graph->layer_count && status == VDNN_OK; l++) {
        vdnn_layer *layer = &graph->layers[l];
        layer->param_bytes = graph->layers[layer->owner].param_bytes;
        layer->trainable_bytes = graph->layers[layer->owner].trainable_bytes;
        layer->adds_dw = layer->is_tied && adds_dw(graph, layer);
    }
    return status;
}
