/* What a session's network takes, and its parameters with their values and the optimizer's. */

#include "runtime/train/session/session_internal.h"

#include "runtime/base/versioned.h"
#include "runtime/train/weights.h"

#include <math.h>
#include <string.h>

/* ---- inputs ---------------------------------------------------------------------------------- */

int32_t vdnn_session_input_count(const vdnn_session *session)
{
    return session->setup.graph->input_count;
}

vdnn_status vdnn_session_input_at(const vdnn_session *session, int32_t i, vdnn_input *input)
{
    const vdnn_graph *graph = session->setup.graph;
    VDNN_TRY(vdnn_session_check_process(session));
    if (i < 0 || i >= graph->input_count)
        return vdnn_status_fail(VDNN_USAGE, "the network has %d inputs with the labels, and no %d",
                                (int)graph->input_count, (int)i);
    const vdnn_desc *desc = &graph->inputs[i].desc;
    vdnn_input told = {.name = graph->inputs[i].name, .below = desc->below};
    int64_t sides[VDNN_SIDES];
    vdnn_desc_sides(desc, sides);
    if (vdnn_desc_is_integer(desc)) {
        told.positions = desc->rank > 1 ? desc->dims[VDNN_POSITIONS] : 0;
    } else {
        told.channels = desc->dims[VDNN_C];
        told.height = sides[VDNN_SIDE_H];
        told.width = sides[VDNN_SIDE_W];
        told.depth = desc->depth;
    }
    return vdnn_versioned_give(input, &told, sizeof told, "vdnn_input");
}

int64_t vdnn_session_batch(const vdnn_session *session)
{
    return session->setup.graph->step_batch;
}

/* ---- parameters ------------------------------------------------------------------------------ */

/* The i-th of those that layers own; NULL: there is none. */
static const vdnn_layer *find(const vdnn_graph *graph, int32_t i, int32_t *param)
{
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int32_t p = 0; p < graph->layers[l].param_count; p++)
            if (vdnn_layer_owns(&graph->layers[l], p) && i-- == 0) {
                *param = p;
                return &graph->layers[l];
            }
    return NULL;
}

int32_t vdnn_session_parameter_count(const vdnn_session *session)
{
    int32_t count = 0, param;
    while (find(session->setup.graph, count, &param) != NULL)
        count++;
    return count;
}

static vdnn_status look_up(const vdnn_session *session, int32_t i, const vdnn_layer **layer,
                           int32_t *param)
{
    *layer = i < 0 ? NULL : find(session->setup.graph, i, param);
    return *layer != NULL
               ? VDNN_OK
               : vdnn_status_fail(VDNN_USAGE, "the network has %d parameters, and no parameter %d",
                                  (int)vdnn_session_parameter_count(session), (int)i);
}

vdnn_status vdnn_session_parameter_at(const vdnn_session *session, int32_t i,
                                      vdnn_parameter *parameter)
{
    const vdnn_layer *layer;
    int32_t p = 0;
    VDNN_TRY(vdnn_session_check_process(session));
    VDNN_TRY(look_up(session, i, &layer, &p));
    const vdnn_param *own = &layer->params[p];
    const char *module = vdnn_torch_names_of(&session->torch, layer);
    const vdnn_parameter told = {.layer = layer->name,
                                 .name = own->name,
                                 .dims = own->dims,
                                 .rank = (int32_t)own->dim_count,
                                 .count = own->count,
                                 .trainable =
                                     own->trainable && own->update == VDNN_UPDATE_OPTIMIZER,
                                 .module = module == NULL ? layer->name : module};
    return vdnn_versioned_give(parameter, &told, sizeof told, "vdnn_parameter");
}

vdnn_status vdnn_session_check_copy(const vdnn_session *session, int32_t i, int64_t count,
                                    const vdnn_layer **layer, int32_t *p)
{
    VDNN_TRY(vdnn_session_check_begun(session));
    VDNN_TRY(look_up(session, i, layer, p));
    const vdnn_param *own = &(*layer)->params[*p];
    if (session->setup.properties.simulated)
        return vdnn_status_fail(VDNN_USAGE, "a simulated device has no values of parameters");
    if (count != own->count)
        return vdnn_status_fail(VDNN_USAGE, "%s.%s has %lld values, not %lld", (*layer)->name,
                                own->name, (long long)own->count, (long long)count);
    return VDNN_OK;
}

vdnn_status vdnn_session_get_parameter(vdnn_session *session, int32_t i, float *values,
                                       int64_t count)
{
    const vdnn_layer *layer;
    int32_t p = 0;
    VDNN_TRY(vdnn_session_check_copy(session, i, count, &layer, &p));
    return vdnn_weights_get(session->plans.training, session->setup.device, layer, p,
                            VDNN_KEPT_PARAMETERS, values);
}

static vdnn_status check_values(const vdnn_session *session, const vdnn_layer *layer, int32_t p,
                                const float *values)
{
    if (session->peers != NULL)
        return vdnn_status_fail(VDNN_USAGE,
                                "parameters are set where one device trains in a process");
    for (int64_t k = 0; k < layer->params[p].count; k++)
        if (!isfinite(values[k]))
            return vdnn_status_fail(
                VDNN_BAD_INPUT, "value %lld of %s.%s is %g, expected a finite number", (long long)k,
                layer->name, layer->params[p].name, (double)values[k]);
    return VDNN_OK;
}

vdnn_status vdnn_session_set_parameter(vdnn_session *session, int32_t i, const float *values,
                                       int64_t count)
{
    const vdnn_layer *layer;
    int32_t p = 0;
    VDNN_TRY(vdnn_session_check_copy(session, i, count, &layer, &p));
    VDNN_TRY(check_values(session, layer, p, values));
    return vdnn_weights_set(session->plans.training, session->setup.device, layer, p,
                            VDNN_KEPT_PARAMETERS, values);
}

vdnn_status vdnn_session_find_parameter(const vdnn_session *session, const char *name,
                                        int32_t *index)
{
    const vdnn_layer *layer;
    int32_t p = 0;
    VDNN_TRY(vdnn_session_check_process(session));
    for (int32_t i = 0; (layer = find(session->setup.graph, i, &p)) != NULL; i++) {
        const size_t head = strlen(layer->name);
        if (strncmp(name, layer->name, head) != 0 || name[head] != '.' ||
            strcmp(name + head + 1, layer->params[p].name) != 0)
            continue;
        *index = i;
        return VDNN_OK;
    }
    return vdnn_status_fail(VDNN_USAGE,
                            "the network has no parameter '%s': they are named LAYER.NAME, as "
                            "conv1.weight, and one that layers share after the first of them",
                            name);
}

/* ---- the optimizer's state ------------------------------------------------------------------- */

int32_t vdnn_session_state_count(const vdnn_session *session)
{
    return session->setup.graph->training.optimizer->slot_count;
}

const char *vdnn_session_state_name(const vdnn_session *session, int32_t slot)
{
    const vdnn_optimizer *optimizer = session->setup.graph->training.optimizer;
    return slot >= 0 && slot < optimizer->slot_count ? optimizer->slots[slot] : NULL;
}

vdnn_status vdnn_session_check_trained(const vdnn_session *session, const vdnn_layer *layer,
                                       int32_t p)
{
    const vdnn_param *own = &layer->params[p];
    if (!own->trainable || own->update != VDNN_UPDATE_OPTIMIZER)
        return vdnn_status_fail(VDNN_USAGE, "the optimizer does not change %s.%s", layer->name,
                                own->name);
    if (vdnn_graph_is_sharded(session->setup.graph, layer))
        return vdnn_status_fail(VDNN_USAGE,
                                "%s.%s is in shares, of which each device has one (--shard)",
                                layer->name, own->name);
    return VDNN_OK;
}

static vdnn_status check_state(const vdnn_session *session, int32_t i, int32_t slot, int64_t count,
                               const vdnn_layer **layer, int32_t *p)
{
    VDNN_TRY(vdnn_session_check_copy(session, i, count, layer, p));
    VDNN_TRY(vdnn_session_check_trained(session, *layer, *p));
    if (vdnn_session_state_name(session, slot) == NULL)
        return vdnn_status_fail(VDNN_USAGE, "%s keeps %d values for each parameter, and no %d",
                                session->setup.graph->training.optimizer->name,
                                (int)vdnn_session_state_count(session), (int)slot);
    return VDNN_OK;
}

vdnn_status vdnn_session_get_state(vdnn_session *session, int32_t i, int32_t slot, float *values,
                                   int64_t count)
{
    const vdnn_layer *layer;
    int32_t p = 0;
    VDNN_TRY(check_state(session, i, slot, count, &layer, &p));
    return vdnn_weights_get(session->plans.training, session->setup.device, layer, p, slot, values);
}

vdnn_status vdnn_session_set_state(vdnn_session *session, int32_t i, int32_t slot,
                                   const float *values, int64_t count)
{
    const vdnn_layer *layer;
    int32_t p = 0;
    VDNN_TRY(check_state(session, i, slot, count, &layer, &p));
    VDNN_TRY(check_values(session, layer, p, values));
    return vdnn_weights_set(session->plans.training, session->setup.device, layer, p, slot, values);
}
