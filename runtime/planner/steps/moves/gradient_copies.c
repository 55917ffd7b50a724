#include "runtime/planner/steps/moves/gradient_copies.h"

#include "runtime/planner/steps/emitter.h"

enum { NONE = -1 };

void vdnn_gradient_copies_init(vdnn_emitter *emit)
{
    const vdnn_graph *graph = emit->graph;
    const size_t count = (size_t)graph->tensor_count + (size_t)graph->layer_count;
    emit->gradient_copies.idle =
        vdnn_region_take(&emit->builder->region, count, sizeof(vdnn_value_id));
    vdnn_residency_create(emit, VDNN_VALUE_GRADIENT, graph->tensor_count);
    vdnn_residency_create(emit, VDNN_VALUE_SUM, graph->layer_count);
}

static vdnn_value_id of_tensor(int32_t tensor)
{
    return (vdnn_value_id){VDNN_VALUE_GRADIENT, tensor};
}

static vdnn_place *place_of(const vdnn_emitter *emit, vdnn_value_id gradient)
{
    return gradient.kind == VDNN_VALUE_SUM ? &emit->params.gradients[gradient.of]
                                           : &emit->gradients[gradient.of];
}

/* Where it waits. */
static vdnn_tier tier_of(const vdnn_emitter *emit, vdnn_value_id gradient)
{
    const vdnn_decisions *decisions = emit->decisions;
    return gradient.kind == VDNN_VALUE_SUM
               ? decisions->param_gradients[gradient.of]
               : decisions->maps[emit->graph->tensors[gradient.of].map].gradient;
}

bool vdnn_gradient_copies_has(const vdnn_emitter *emit, const vdnn_buffer *buffer)
{
    switch (buffer->class) {
    case VDNN_CLASS_WEIGHT_GRADIENT:
        return emit->decisions->param_gradients[buffer->layer] != VDNN_TIER_DEVICE;
    case VDNN_CLASS_GRADIENT_MAP: /* slots that several share are of no map */
        return buffer->map != NONE &&
               emit->decisions->maps[buffer->map].gradient != VDNN_TIER_DEVICE;
    default:
        return false;
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

void vdnn_gradient_copies_leave(vdnn_emitter *emit, vdnn_value_id gradient)
{
    if (tier_of(emit, gradient) != VDNN_TIER_DEVICE && place_of(emit, gradient)->buffer != NONE)
        emit->gradient_copies.idle[emit->gradient_copies.idle_count++] = gradient;
}

static vdnn_move move_of(const vdnn_emitter *emit, vdnn_value_id gradient, int32_t layer)
{
    return (vdnn_move){.value = gradient,
                       .tier = tier_of(emit, gradient),
                       .layer = layer,
                       .half = VDNN_BACKWARD_DATA,
                       .gate = emit->gate};
}

void vdnn_gradient_copies_out(vdnn_emitter *emit, int32_t layer)
{
    vdnn_gradient_copies *own = &emit->gradient_copies;
    for (int32_t i = 0; i < own->idle_count; i++) {
        const vdnn_move move = move_of(emit, own->idle[i], layer);
        vdnn_place *place = place_of(emit, own->idle[i]);
        own->away_count +=
            vdnn_residency_in_tier(emit, own->idle[i], VDNN_TIER_HOST)->buffer == NONE;
        vdnn_residency_out(emit, &move, *place);
        *place = vdnn_place_of(NONE);
    }
    own->idle_count = 0;
}

void vdnn_gradient_copies_in(vdnn_emitter *emit, vdnn_value_id gradient, int32_t layer)
{
    vdnn_place *host = vdnn_residency_in_tier(emit, gradient, VDNN_TIER_HOST);
    if (host->buffer == NONE)
        return;
    const vdnn_move move = move_of(emit, gradient, layer);
    vdnn_residency_in(emit, &move, place_of(emit, gradient));
    *host = vdnn_place_of(NONE);
    emit->gradient_copies.away_count--;
}

/* ---- gradients of maps ----------------------------------------------------------------------- */

static void copy_in_of(vdnn_emitter *emit, const vdnn_layer *layer, int32_t group)
{
    vdnn_gradient_copies_in(emit, of_tensor(layer->output), group);
    for (int32_t i = 0; i < layer->input_count; i++)
        if (layer->wants_dx[i])
            vdnn_gradient_copies_in(emit, of_tensor(layer->inputs[i]), group);
}

void vdnn_gradient_copies_begin(vdnn_emitter *emit, const vdnn_layer *layer)
{
    vdnn_gradient_copies_out(emit, layer->index);
    if (emit->gradient_copies.away_count == 0)
        return;
    int32_t next = vdnn_emitter_next_in_backward(emit, layer->index);
    copy_in_of(emit, layer, layer->index);
    if (next >= 0)
        copy_in_of(emit, &emit->graph->layers[next], layer->index);
}

/* The layer of backward that uses a gradient next: a reader before `layer`, or the producer. */
static int32_t next_user(const vdnn_tensor *tensor, int32_t layer)
{
    int32_t user = tensor->producer;
    for (int32_t i = 0; i < tensor->reader_count && tensor->readers[i] < layer; i++)
        user = tensor->readers[i];
    return user;
}

static bool is_repeated(const vdnn_layer *layer, int32_t input)
{
    for (int32_t i = 0; i < input; i++)
        if (layer->inputs[i] == layer->inputs[input])
            return true;
    return false;
}

void vdnn_gradient_copies_drop(vdnn_emitter *emit, const vdnn_layer *layer, int32_t behind)
{
    for (int32_t i = 0; i < layer->input_count; i++) {
        int32_t tensor = layer->inputs[i];
        if (!layer->wants_dx[i] || is_repeated(layer, i) ||
            tier_of(emit, of_tensor(tensor)) == VDNN_TIER_DEVICE)
            continue;
        int32_t user = next_user(&emit->graph->tensors[tensor], layer->index);
        if (user >= 0 && user < behind && !vdnn_emitter_is_used_soon(emit, behind, user))
            vdnn_gradient_copies_leave(emit, of_tensor(tensor));
    }
}
