#include "runtime/planner/steps/passes.h"

#include "runtime/planner/steps/batch.h"
#include "runtime/planner/steps/input_gradients.h"
#include "runtime/planner/steps/moves/gradient_copies.h"
#include "runtime/planner/steps/moves/map_copies.h"
#include "runtime/planner/steps/parameters.h"

enum { NONE = -1 };

/* ---- groups ---------------------------------------------------------------------------------- */

static void begin_group(vdnn_emitter *emit)
{
    emit->group = emit->group_count++;
    emit->gate = emit->last_compute;
    emit->group_copies = emit->group_steps = 0;
    emit->group_first_step = emit->builder->step_count;
}

/* In the paper's synchronization, at the end of a layer that copied, the compute stream waits for
 * the copies, and the layer's buffers are freed only then. A group without compute steps always
 * ends so. */
static void end_group(vdnn_emitter *emit, int32_t layer, vdnn_pass half)
{
    bool each_layer = emit->decisions->sync == VDNN_SYNC_EACH_LAYER;
    if (emit->group_copies == 0 || (!each_layer && emit->group_steps > 0))
        return;
    vdnn_builder *builder = emit->builder;
    int32_t access_count = builder->access_count;
    int32_t join = vdnn_emitter_step(emit, VDNN_STEP_JOIN, layer, half, "");
    if (builder->failed)
        return;
    for (int32_t s = emit->group_first_step; s < join; s++)
        if (builder->steps[s].stream != VDNN_STREAM_COMPUTE)
            vdnn_builder_wait_for(builder, join, s);
    int32_t first = access_count;
    while (first > 0 && builder->accesses[first - 1].step >= emit->group_first_step)
        first--;
    for (int32_t i = first; i < access_count; i++) {
        int32_t buffer = builder->accesses[i].access.buffer;
        bool seen = builder->buffers[buffer].persistent;
        for (int32_t k = first; k < i && !seen; k++)
            seen = builder->accesses[k].access.buffer == buffer;
        if (!seen)
            vdnn_emitter_hold(emit, join, buffer);
    }
}

/* ---- forward --------------------------------------------------------------------------------- */

static void run_forward(vdnn_emitter *emit, const vdnn_layer *layer, int32_t out, int32_t aux)
{
    int32_t step = vdnn_emitter_kernel(emit, VDNN_STEP_RUN, layer, VDNN_FORWARD, VDNN_FORWARD);
    vdnn_emitter_access_forward(emit, step, layer, out);
    if (emit->graph->maps[out].kind == VDNN_MAP_RESULT)
        vdnn_emitter_read(emit, step, emit->labels, VDNN_BIND_LABELS, 0);
    if (aux != NONE)
        vdnn_emitter_write(emit, step, &emit->maps[aux], VDNN_BIND_AUX, 0);
}

static void make_output(vdnn_emitter *emit, const vdnn_layer *layer, int32_t map)
{
    bool begins_part =
        layer->index == emit->graph->maps[map].first_writer && emit->is_by_parts[map];
    if (emit->maps[map].buffer == NONE || begins_part)
        emit->maps[map] = vdnn_emitter_output_buffer(emit, map, layer);
}

static void forward_part(vdnn_emitter *emit, const vdnn_layer *layer)
{
    int32_t out = emit->graph->tensors[layer->output].map, aux = emit->graph->aux_map[layer->index];
    make_output(emit, layer, out);
    if (aux != NONE && emit->maps[aux].buffer == NONE)
        emit->maps[aux] = vdnn_emitter_aux_buffer(emit, aux, layer);
    if (vdnn_layer_has_pass(layer, VDNN_FORWARD))
        run_forward(emit, layer, out, aux);
    vdnn_map_copies_of_part(emit, layer);
}

void vdnn_passes_forward(vdnn_emitter *emit, vdnn_chain of)
{
    if (of.is_tail) {
        vdnn_map_copies_out_beside(emit, of);
        return;
    }
    begin_group(emit);
    for (int32_t l = of.begin; l < of.end; l++)
        vdnn_parameters_fetch_ahead(emit, vdnn_emitter_layer(emit, l), VDNN_FORWARD);
    vdnn_map_copies_out_beside(emit, of);
    for (int32_t i = 0; i < vdnn_run_order_count(of, VDNN_FORWARD); i++) {
        const vdnn_run run = vdnn_run_order_at(of, VDNN_FORWARD, i);
        if (i > 0 && run.begins_group) {
            end_group(emit, run.layer, VDNN_FORWARD);
            begin_group(emit);
        }
        emit->part = run.part;
        forward_part(emit, vdnn_emitter_layer(emit, run.layer));
    }
    emit->part = 0;
    vdnn_map_copies_out_behind(emit, of);
    end_group(emit, of.end - 1, VDNN_FORWARD);
    for (int32_t l = of.begin; l < of.end; l++)
        vdnn_parameters_drop(emit, vdnn_emitter_layer(emit, l), VDNN_FORWARD);
}

/* ---- backward: what a pass reads ------------------------------------------------------------- */

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
    while (emit->map_copies.fetched_count > 0)
        vdnn_map_copies_forget(emit, emit->map_copies.fetched[--emit->map_copies.fetched_count],
                               of.begin);
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
        vdnn_emitter_read(emit, step, emit->params.weights[layer->owner], VDNN_BIND_W, 0);
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
    const bool writes_dw = vdnn_layer_writes_dw(layer, VDNN_BACKWARD_DATA);
    vdnn_input_gradients_find(emit, layer, own);
    if (writes_dw)
        vdnn_parameters_begin_gradient(emit, layer);
    int32_t step = add_backward(emit, layer, VDNN_BACKWARD_DATA);
    vdnn_input_gradients_write(emit, step, layer, own);
    if (writes_dw)
        vdnn_parameters_write_gradient(emit, step, layer);
    vdnn_emitter_lend_workspace(emit, step, layer->index, VDNN_BACKWARD_DATA);
    vdnn_input_gradients_sum(emit, layer, own);
    if (writes_dw && vdnn_graph_part_ends(emit->graph, layer->index, emit->part))
        vdnn_parameters_sum_gradient(emit, layer);
}

/* The gradient of the parameters is the sum over parts of the samples, in their order. */
static void backward_filter_part(vdnn_emitter *emit, const vdnn_layer *layer)
{
    bool updates = vdnn_parameters_updates_itself(emit, layer);
    fetch_needs(emit, layer, VDNN_BACKWARD_FILTER);
    vdnn_parameters_begin_gradient(emit, layer);
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

/* Whether the filter pass of a layer runs after the data passes of all layers: nothing that it
 * reads is overwritten by its data pass. */
static bool is_deferred(const vdnn_emitter *emit, const vdnn_layer *layer)
{
    return emit->defers_filters && vdnn_layer_has_pass(layer, VDNN_BACKWARD_FILTER) &&
           !vdnn_parameters_updates_itself(emit, layer) && vdnn_layer_dx_over_dy(layer) == NONE &&
           !vdnn_graph_dx_over_x(emit->graph, layer);
}

/* Of one layer both, each of which it may lack. */
static void backward_passes(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_input_gradient *own)
{
    const bool has_filter =
                   vdnn_layer_has_pass(layer, VDNN_BACKWARD_FILTER) && !is_deferred(emit, layer),
               filter_first = has_filter && is_filter_first(emit, layer);
    if (filter_first)
        backward_filter_part(emit, layer);
    if (vdnn_layer_has_pass(layer, VDNN_BACKWARD_DATA))
        backward_data_part(emit, layer, own);
    if (has_filter && !filter_first)
        backward_filter_part(emit, layer);
}

static void backward_part(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_input_gradient *own,
                          bool is_last)
{
    if (is_last && emit->plan->loads == VDNN_LOADS_LATE && emit->late_layer == layer->index)
        vdnn_batch_load_late(emit);
    vdnn_map_copies_return(emit, layer->index, true);
    backward_passes(emit, layer, own);
    if (is_last && !is_deferred(emit, layer))
        use_gradient(emit, layer);
    forget_read(emit, layer, true, layer->index);
}

/* The i-th of a tail: what is to return during a layer returns before it. */
static void begin_tail_run(vdnn_emitter *emit, vdnn_chain of, int32_t i)
{
    const int32_t layer = vdnn_run_order_returning_in(of, i);
    if (i > 0 && emit->group_steps > 0) /* else nothing is there to wait for */
        end_group(emit, of.begin, VDNN_BACKWARD_DATA);
    if (i > 0)
        begin_group(emit);
    emit->part = 0; /* of the chains below nothing has run */
    if (layer != NONE)
        vdnn_map_copies_return(emit, layer, false);
}

/* In a tail also forward. */
static void run_part(vdnn_emitter *emit, vdnn_chain of, vdnn_run run, vdnn_input_gradient *own)
{
    const vdnn_layer *layer = vdnn_emitter_layer(emit, run.layer);
    emit->part = run.part;
    if (run.half == VDNN_FORWARD) {
        vdnn_parameters_fetch(emit, layer, VDNN_FORWARD);
        forward_part(emit, layer);
        return;
    }
    backward_part(emit, layer, own, run.part == of.parts - 1);
    if (run.layer == of.begin)
        forget_part(emit, of);
}

static void run_all(vdnn_emitter *emit, vdnn_chain of)
{
    vdnn_input_gradient **own = vdnn_input_gradients_take(emit, of);
    if (own == NULL)
        emit->builder->failed = true;
    for (int32_t i = 0; i < vdnn_run_order_count(of, VDNN_BACKWARD_DATA) && own != NULL; i++) {
        const vdnn_run run = vdnn_run_order_at(of, VDNN_BACKWARD_DATA, i);
        if (of.is_tail)
            begin_tail_run(emit, of, i);
        run_part(emit, of, run, own[run.layer - of.begin]);
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

void vdnn_passes_backward(vdnn_emitter *emit, vdnn_chain of)
{
    begin_group(emit);
    for (int32_t l = of.end - 1; l >= of.begin; l--)
        begin_backward(emit, vdnn_emitter_layer(emit, l), of.is_tail);
    emit->map_copies.fetched_count = 0;
    for (int32_t l = of.end - 1; l >= of.begin; l--)
        vdnn_parameters_fetch_ahead(emit, vdnn_emitter_layer(emit, l), VDNN_BACKWARD_DATA);
    run_all(emit, of);
    for (int32_t l = of.end - 1; l >= of.begin; l--)
        vdnn_parameters_leave(emit, l);
    end_group(emit, of.begin, VDNN_BACKWARD_DATA);
    for (int32_t l = of.end - 1; l >= of.begin; l--)
        vdnn_gradient_copies_drop(emit, vdnn_emitter_layer(emit, l), of.begin);
    forget_needs(emit, of);
    for (int32_t l = of.end - 1; l >= of.begin; l--)
        vdnn_parameters_drop(emit, vdnn_emitter_layer(emit, l), VDNN_BACKWARD_DATA);
}

/* Of one layer, whose data pass has run. */
static void run_filter(vdnn_emitter *emit, const vdnn_layer *layer)
{
    begin_group(emit);
    vdnn_gradient_copies_out(emit, layer->index);
    emit->map_copies.fetched_count = 0;
    vdnn_parameters_fetch(emit, layer, VDNN_BACKWARD_DATA);
    for (; emit->part < vdnn_graph_part_count(emit->graph, layer->index); emit->part++) {
        backward_filter_part(emit, layer);
        forget_read(emit, layer, true, layer->index);
    }
    emit->part = 0;
    use_gradient(emit, layer);
}

void vdnn_passes_filter(vdnn_emitter *emit, const vdnn_layer *layer)
{
    const bool runs = is_deferred(emit, layer);
    if (runs)
        run_filter(emit, layer);
    vdnn_parameters_leave(emit, layer->index);
    if (!runs)
        return;
    end_group(emit, layer->index, VDNN_BACKWARD_DATA);
    vdnn_parameters_drop(emit, layer, VDNN_BACKWARD_DATA);
}
