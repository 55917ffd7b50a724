#include "runtime/planner/steps/backward.h"

#include "runtime/planner/steps/batch.h"
#include "runtime/planner/steps/forward.h"
#include "runtime/planner/steps/gradient_copies.h"
#include "runtime/planner/steps/input_gradients.h"
#include "runtime/planner/steps/map_copies.h"
#include "runtime/planner/steps/parameters.h"
#include "runtime/planner/steps/step_group.h"

enum { NONE = -1 };

static void fetch(vdnn_emitter *emit, int32_t map, const vdnn_layer *layer)
{
    vdnn_map_copies_in(emit, map, layer->index);
    vdnn_recompute_map(emit, map, layer->index);
}

/* Comes before the steps of a backward pass: the maps that they read. */
static void fetch_needs(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_pass pass)
{
    vdnn_needs needs = layer->needs[pass];
    for (int32_t i = 0; (needs & VDNN_NEEDS_X) && i < layer->input_count; i++)
        fetch(emit, emit->graph->tensors[layer->inputs[i]].map, layer);
    if (needs & VDNN_NEEDS_Y)
        fetch(emit, emit->graph->tensors[layer->output].map, layer);
    if (needs & VDNN_NEEDS_AUX)
        fetch(emit, emit->graph->aux_map[layer->index], layer);
}

/* Of maps that are there a part at a time, or of the others. `behind`: the last layer that ran. */
static void forget_map(vdnn_emitter *emit, int32_t map, bool by_parts, int32_t behind)
{
    if (emit->is_by_parts[map] == by_parts)
        vdnn_map_copies_forget(emit, map, behind);
}

static void forget_read(vdnn_emitter *emit, const vdnn_layer *layer, bool by_parts, int32_t behind)
{
    vdnn_needs needs = vdnn_layer_needs(layer);
    for (int32_t i = 0; (needs & VDNN_NEEDS_X) && i < layer->input_count; i++)
        forget_map(emit, emit->graph->tensors[layer->inputs[i]].map, by_parts, behind);
    if (needs & VDNN_NEEDS_Y)
        forget_map(emit, emit->graph->tensors[layer->output].map, by_parts, behind);
}

/* What a chain read, and what else was fetched for it: all but what returns early, for another. */
static void forget_needs(vdnn_emitter *emit, vdnn_chain of)
{
    for (int32_t l = of.end - 1; l >= of.begin; l--)
        forget_read(emit, vdnn_emitter_layer(emit, l), false, of.begin);
    while (emit->fetched_count > 0)
        vdnn_map_copies_forget(emit, emit->fetched[--emit->fetched_count], of.begin);
}

static void forget_aux(vdnn_emitter *emit, vdnn_chain of)
{
    for (int32_t l = of.begin; l < of.end; l++)
        if (emit->graph->aux_map[l] != NONE)
            emit->maps[emit->graph->aux_map[l]] = vdnn_place_of(NONE);
}

/* What the next part has of its own. */
static void forget_part(vdnn_emitter *emit, vdnn_chain of)
{
    if (of.is_tail)
        forget_aux(emit, of);
    for (int32_t l = of.begin; l + 1 < of.end; l++) {
        const int32_t tensor = vdnn_emitter_layer(emit, l)->output,
                      map = emit->graph->tensors[tensor].map;
        if (emit->is_by_parts[map])
            emit->maps[map] = vdnn_place_of(NONE);
        if (vdnn_input_gradients_by_parts(emit, tensor))
            emit->gradients[tensor] = vdnn_place_of(NONE);
    }
}

/* What a backward pass declared, and dy unless it is the loss. */
static void read_needs(vdnn_emitter *emit, int32_t step, const vdnn_layer *layer, vdnn_pass pass)
{
    vdnn_needs needs = layer->needs[pass];
    int32_t out_map = emit->graph->tensors[layer->output].map;
    bool is_loss = emit->graph->maps[out_map].kind == VDNN_MAP_RESULT;
    if (!is_loss)
        vdnn_emitter_read(emit, step, emit->gradients[layer->output], VDNN_BIND_DY, 0);
    else
        vdnn_emitter_read(emit, step, emit->labels, VDNN_BIND_LABELS, 0);
    for (int32_t i = 0; (needs & VDNN_NEEDS_X) && i < layer->input_count; i++)
        vdnn_emitter_read(emit, step,
                          *vdnn_map_copies_place(emit, emit->graph->tensors[layer->inputs[i]].map),
                          VDNN_BIND_X, i);
    if (needs & VDNN_NEEDS_Y)
        vdnn_emitter_read(emit, step, *vdnn_map_copies_place(emit, out_map), VDNN_BIND_Y, 0);
    if (needs & VDNN_NEEDS_W)
        vdnn_emitter_read(emit, step, emit->weights[layer->owner], VDNN_BIND_W, 0);
    if (needs & VDNN_NEEDS_AUX)
        vdnn_emitter_read(emit, step, emit->maps[emit->graph->aux_map[layer->index]], VDNN_BIND_AUX,
                          0);
}

static int32_t add_backward(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_pass pass)
{
    vdnn_map_copies_in_parts(emit, layer, pass);
    int32_t step = vdnn_emitter_kernel(emit, VDNN_STEP_RUN, layer, pass, pass);
    read_needs(emit, step, layer, pass);
    return step;
}

static void backward_data_part(vdnn_emitter *emit, const vdnn_layer *layer,
                               vdnn_input_gradient *own)
{
    fetch_needs(emit, layer, VDNN_BACKWARD_DATA);
    vdnn_input_gradients_find(emit, layer, own);
    int32_t step = add_backward(emit, layer, VDNN_BACKWARD_DATA);
    vdnn_input_gradients_write(emit, step, layer, own);
    if (vdnn_layer_writes_dw(layer, VDNN_BACKWARD_DATA))
        vdnn_parameters_write_gradient(emit, step, layer);
    vdnn_emitter_lend_workspace(emit, step, layer->index, VDNN_BACKWARD_DATA);
    vdnn_input_gradients_sum(emit, layer, own);
}

/* The gradient of the parameters is the sum over parts of the samples, in their order. */
static void backward_filter_part(vdnn_emitter *emit, const vdnn_layer *layer)
{
    bool updates = vdnn_parameters_updates_itself(emit, layer);
    fetch_needs(emit, layer, VDNN_BACKWARD_FILTER);
    int32_t step = add_backward(emit, layer, VDNN_BACKWARD_FILTER);
    if (updates)
        vdnn_parameters_change(emit, step, layer);
    else
        vdnn_parameters_write_gradient(emit, step, layer);
    vdnn_emitter_lend_workspace(emit, step, layer->index, VDNN_BACKWARD_FILTER);
    if (!updates && vdnn_graph_part_ends(emit->graph, layer->index, emit->part))
        vdnn_parameters_sum_gradient(emit, layer);
}

/* The last part of the gradient is written. */
static void use_gradient(vdnn_emitter *emit, const vdnn_layer *layer)
{
    const int32_t current = emit->part;
    bool with_data = vdnn_layer_writes_dw(layer, VDNN_BACKWARD_DATA),
         by_filter = vdnn_layer_has_pass(layer, VDNN_BACKWARD_FILTER) &&
                     !vdnn_parameters_updates_itself(emit, layer);
    emit->part = 0;
    if (with_data)
        vdnn_parameters_sum_gradient(emit, layer);
    if (with_data || by_filter)
        vdnn_parameters_use_gradient(emit, layer);
    emit->part = current;
}

/* Whether backward needs a map no further behind a layer, or has it again for the next. */
static bool is_gone_behind(const vdnn_emitter *emit, int32_t map, const vdnn_layer *layer)
{
    const vdnn_map *at = &emit->graph->maps[map];
    const vdnn_map_decision *decision = &emit->decisions->maps[map];
    const bool comes_again = decision->action != VDNN_KEEP && decision->between == decision->action;
    return at->needed_count > 0 &&
           (comes_again || at->needed_by[at->needed_count - 1] == layer->index);
}

/* Whether a layer's backward filter runs before its backward data: then x is gone before dx comes,
 * for the gradient of the parameters, which is there beside both, as that of earlier parts would be
 * anyway. Not where x would be waited for, nor where that pass changes the weights, which the other
 * one reads. */
static bool is_filter_first(const vdnn_emitter *emit, const vdnn_layer *layer)
{
    size_t gone_bytes = 0;
    if (emit->graph->rules == VDNN_RULES_PAPER || vdnn_parameters_updates_itself(emit, layer))
        return false;
    for (int32_t i = 0; i < layer->input_count; i++) {
        const int32_t map = emit->graph->tensors[layer->inputs[i]].map;
        if (vdnn_map_copies_are_late(emit, map, layer->index))
            return false;
        if (is_gone_behind(emit, map, layer))
            gone_bytes += emit->graph->maps[map].bytes / (size_t)layer->parts;
    }
    return gone_bytes >= (layer->parts > 1 ? 1 : layer->trainable_bytes);
}

/* Of one layer both, each of which it may lack. */
static void backward_passes(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_input_gradient *own)
{
    const bool has_filter = vdnn_layer_has_pass(layer, VDNN_BACKWARD_FILTER),
               filter_first = has_filter && is_filter_first(emit, layer);
    if (filter_first)
        backward_filter_part(emit, layer);
    if (vdnn_layer_has_pass(layer, VDNN_BACKWARD_DATA))
        backward_data_part(emit, layer, own);
    if (has_filter && !filter_first)
        backward_filter_part(emit, layer);
}

/* The current part, of the passes of one layer. */
static void backward_part(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_input_gradient *own,
                          bool is_last)
{
    if (is_last && emit->plan->loads == VDNN_LOADS_LATE && emit->plan->load_layer == layer->index)
        vdnn_batch_load_late(emit);
    vdnn_map_copies_return(emit, layer->index, true);
    backward_passes(emit, layer, own);
    if (is_last)
        use_gradient(emit, layer);
    forget_read(emit, layer, true, layer->index);
}

/* A layer of a tail, forward or backward, is a group. What is to return during a layer comes as
 * long before the end of the tail as what is to leave does behind its begin. */
static void begin_run(vdnn_emitter *emit, vdnn_chain of, int32_t run)
{
    const int32_t left = vdnn_emitter_tail_runs(of) - 1 - run, layer = of.begin + left / of.parts;
    if (run > 0 && emit->group_steps > 0) /* else nothing is there to wait for */
        vdnn_step_group_end(emit, of.begin, VDNN_BACKWARD_DATA);
    if (run > 0)
        vdnn_step_group_begin(emit);
    if (left != vdnn_emitter_run_beside(of, layer) || layer >= of.end)
        return;
    const int32_t current = emit->part;
    emit->part = 0; /* of the chains below nothing has run */
    vdnn_map_copies_return(emit, layer, false);
    emit->part = current;
}

static void forward_tail(vdnn_emitter *emit, vdnn_chain of)
{
    const int32_t before = 2 * emit->part * (of.end - of.begin);
    for (int32_t l = of.begin; l < of.end; l++) {
        begin_run(emit, of, before + l - of.begin);
        vdnn_parameters_fetch(emit, vdnn_emitter_layer(emit, l), VDNN_FORWARD);
        vdnn_forward_part(emit, vdnn_emitter_layer(emit, l));
    }
}

static void backward_parts(vdnn_emitter *emit, vdnn_chain of)
{
    const int32_t layers = of.end - of.begin;
    vdnn_input_gradient **own = vdnn_input_gradients_take(emit, of);
    if (own == NULL)
        emit->builder->failed = true;
    for (; emit->part < of.parts && own != NULL; emit->part++) {
        if (of.is_tail)
            forward_tail(emit, of);
        for (int32_t l = of.end - 1; l >= of.begin; l--) {
            if (of.is_tail)
                begin_run(emit, of, (2 * emit->part + 1) * layers + of.end - 1 - l);
            backward_part(emit, vdnn_emitter_layer(emit, l), own[l - of.begin],
                          emit->part == of.parts - 1);
        }
        forget_part(emit, of);
    }
    emit->part = 0;
}

/* What comes and goes while the layer runs, but for what only it reads. */
static void begin_backward(vdnn_emitter *emit, const vdnn_layer *layer, bool is_of_tail)
{
    if (vdnn_emitter_has_backward(layer)) {
        vdnn_gradient_copies_begin(emit, layer);
        vdnn_map_copies_free(emit, layer->index);
        vdnn_map_copies_in_ahead(emit, layer->index);
    }
    if (!is_of_tail)
        vdnn_map_copies_return(emit, layer->index, false);
}

void vdnn_backward_chain(vdnn_emitter *emit, vdnn_chain of)
{
    vdnn_step_group_begin(emit);
    for (int32_t l = of.end - 1; l >= of.begin; l--)
        begin_backward(emit, vdnn_emitter_layer(emit, l), of.is_tail);
    emit->fetched_count = 0;
    for (int32_t l = of.end - 1; l >= of.begin; l--)
        vdnn_parameters_fetch_ahead(emit, vdnn_emitter_layer(emit, l), VDNN_BACKWARD_DATA);
    backward_parts(emit, of);
    for (int32_t l = of.end - 1; l >= of.begin; l--)
        vdnn_parameters_leave(emit, l);
    vdnn_step_group_end(emit, of.begin, VDNN_BACKWARD_DATA);
    for (int32_t l = of.end - 1; l >= of.begin; l--)
        vdnn_gradient_copies_drop(emit, vdnn_emitter_layer(emit, l), of.begin);
    forget_needs(emit, of);
    for (int32_t l = of.end - 1; l >= of.begin; l--)
        vdnn_parameters_drop(emit, vdnn_emitter_layer(emit, l), VDNN_BACKWARD_DATA);
}
