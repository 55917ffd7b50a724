#include "runtime/planner/steps/gradient_copies.h"

enum { NONE = -1 };

int32_t vdnn_gradient_copies_count(const vdnn_graph *graph)
{
    return graph->tensor_count + graph->layer_count;
}

int32_t vdnn_gradient_copies_block(const vdnn_emitter *emit, int32_t owner)
{
    return emit->graph->tensor_count + owner;
}

static vdnn_place *place_of(const vdnn_emitter *emit, int32_t gradient)
{
    int32_t owner = gradient - emit->graph->tensor_count;
    return owner < 0 ? &emit->gradients[gradient] : &emit->weight_gradients[owner];
}

/* Where it waits. */
static vdnn_tier tier_of(const vdnn_emitter *emit, int32_t gradient)
{
    int32_t owner = gradient - emit->graph->tensor_count;
    return owner < 0 ? emit->decisions->maps[emit->graph->tensors[gradient].map].gradient
                     : emit->decisions->param_gradients[owner];
}

static vdnn_status check(const char *what, const char *name, vdnn_tier tier, const char *refusal)
{
    if ((unsigned)tier >= VDNN_TIER_COUNT)
        refusal = "there is no such tier";
    return refusal == NULL ? VDNN_OK
                           : vdnn_status_fail(VDNN_INTERNAL, "%s %s cannot be offloaded: %s", what,
                                              name, refusal);
}

vdnn_status vdnn_gradient_copies_check(const vdnn_emitter *emit)
{
    const vdnn_graph *graph = emit->graph;
    const vdnn_decisions *decisions = emit->decisions;
    vdnn_status status = VDNN_OK;
    for (int32_t m = 0; m < graph->map_count && status == VDNN_OK; m++)
        if (decisions->maps[m].gradient != VDNN_TIER_DEVICE)
            status = check("the gradient of map", graph->maps[m].name, decisions->maps[m].gradient,
                           vdnn_decisions_gradient_refusal(graph, decisions, m));
    for (int32_t l = 0; l < graph->layer_count && status == VDNN_OK; l++)
        if (decisions->param_gradients[l] != VDNN_TIER_DEVICE)
            status = check("the gradient of the parameters of", graph->layers[l].name,
                           decisions->param_gradients[l],
                           vdnn_decisions_param_gradient_refusal(graph, &graph->layers[l]));
    return status;
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

void vdnn_gradient_copies_leave(vdnn_emitter *emit, int32_t gradient)
{
    if (tier_of(emit, gradient) != VDNN_TIER_DEVICE && place_of(emit, gradient)->buffer != NONE)
        emit->idle[emit->idle_count++] = gradient;
}

static void copy_out(vdnn_emitter *emit, int32_t gradient, int32_t layer)
{
    vdnn_place *place = place_of(emit, gradient), *host = &emit->idle_host[gradient];
    emit->away_count += host->buffer == NONE;
    vdnn_emitter_copy(emit, VDNN_STEP_COPY_OUT, layer, VDNN_BACKWARD_DATA, *place, host);
    if (tier_of(emit, gradient) == VDNN_TIER_FILE)
        vdnn_emitter_copy(emit, VDNN_STEP_SPILL, layer, VDNN_BACKWARD_DATA, *host,
                          &emit->idle_file[gradient]);
    *place = vdnn_place_of(NONE);
}

void vdnn_gradient_copies_out(vdnn_emitter *emit, int32_t layer)
{
    for (int32_t i = 0; i < emit->idle_count; i++)
        copy_out(emit, emit->idle[i], layer);
    emit->idle_count = 0;
}

void vdnn_gradient_copies_in(vdnn_emitter *emit, int32_t gradient, int32_t layer)
{
    vdnn_place *host = &emit->idle_host[gradient];
    if (host->buffer == NONE)
        return;
    if (tier_of(emit, gradient) == VDNN_TIER_FILE)
        vdnn_emitter_copy(emit, VDNN_STEP_FILL, layer, VDNN_BACKWARD_DATA,
                          emit->idle_file[gradient], host);
    vdnn_emitter_copy(emit, VDNN_STEP_COPY_IN, layer, VDNN_BACKWARD_DATA, *host,
                      place_of(emit, gradient));
    *host = vdnn_place_of(NONE);
    emit->away_count--;
}

/* ---- gradients of maps ----------------------------------------------------------------------- */

static void copy_in_of(vdnn_emitter *emit, const vdnn_layer *layer, int32_t group)
{
    vdnn_gradient_copies_in(emit, layer->output, group);
    for (int32_t i = 0; i < layer->input_count; i++)
        if (layer->wants_dx[i])
            vdnn_gradient_copies_in(emit, layer->inputs[i], group);
}

void vdnn_gradient_copies_begin(vdnn_emitter *emit, const vdnn_layer *layer)
{
    vdnn_gradient_copies_out(emit, layer->index);
    if (emit->away_count == 0)
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
            tier_of(emit, tensor) == VDNN_TIER_DEVICE)
            continue;
        int32_t user = next_user(&emit->graph->tensors[tensor], layer->index);
        if (user < behind && !vdnn_emitter_is_used_soon(emit, behind, user))
            vdnn_gradient_copies_leave(emit, tensor);
    }
}
