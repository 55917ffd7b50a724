#include "runtime/planner/steps/emit.h"

#include "runtime/planner/steps/emitter.h"
#include "runtime/planner/steps/gradient_copies.h"
#include "runtime/planner/steps/gradient_slots.h"
#include "runtime/planner/steps/map_copies.h"
#include "runtime/planner/steps/parameters.h"

enum { NONE = -1 };

/* ---- decisions ------------------------------------------------------------------------------- */

static vdnn_status check_offload(const vdnn_graph *graph, int32_t index,
                                 const vdnn_map_decision *decision)
{
    const vdnn_map *map = &graph->maps[index];
    if (decision->leaves < map->last_forward || decision->leaves >= graph->layer_count)
        return vdnn_status_fail(
            VDNN_INTERNAL, "map %s cannot leave during layer %d: forward uses it up to layer %d",
            map->name, (int)decision->leaves, (int)map->last_forward);
    if (decision->returns < map->needed_by[0] || decision->returns >= graph->layer_count)
        return vdnn_status_fail(
            VDNN_INTERNAL, "map %s cannot return during layer %d: backward needs it at layer %d",
            map->name, (int)decision->returns, (int)map->needed_by[0]);
    if (decision->spills < 0 || decision->spills > VDNN_TIER_FILE - VDNN_TIER_HOST)
        return vdnn_status_fail(VDNN_INTERNAL, "map %s cannot go %d tiers beyond the host's",
                                map->name, (int)decision->spills);
    return VDNN_OK;
}

static vdnn_status check_pieces(const vdnn_emitter *emit, int32_t index)
{
    const char *refusal = emit->decisions->maps[index].pieces
                              ? vdnn_decisions_pieces_refusal(emit->graph, emit->decisions, index)
                              : NULL;
    if (refusal != NULL)
        return vdnn_status_fail(VDNN_INTERNAL, "map %s cannot be copied in pieces: %s",
                                emit->graph->maps[index].name, refusal);
    return VDNN_OK;
}

static vdnn_status check_between(const vdnn_emitter *emit)
{
    for (int32_t m = 0; m < emit->graph->map_count; m++) {
        const char *refusal = vdnn_decisions_between_refusal(emit->graph, emit->decisions, m);
        if (refusal != NULL)
            return vdnn_status_fail(
                VDNN_INTERNAL,
                "map %s cannot have '%s' between layers of backward that need it: %s",
                emit->graph->maps[m].name, vdnn_action_text(emit->decisions->maps[m].between),
                refusal);
    }
    return VDNN_OK;
}

static vdnn_status check_loads(const vdnn_emitter *emit)
{
    if (emit->decisions->loads == VDNN_LOADS_AHEAD && emit->graph->micro_batches > 1)
        return vdnn_status_fail(VDNN_INTERNAL, "a batch in %d micro-batches is not loaded ahead",
                                (int)emit->graph->micro_batches);
    return VDNN_OK;
}

static vdnn_status list_offloads(vdnn_emitter *emit)
{
    for (int32_t m = emit->graph->map_count - 1; m >= 0; m--) {
        if (!vdnn_emitter_offloads(emit, m))
            continue;
        const vdnn_map_decision *decision = &emit->decisions->maps[m];
        vdnn_status status = check_offload(emit->graph, m, decision);
        if (status == VDNN_OK)
            status = check_pieces(emit, m);
        if (status != VDNN_OK)
            return status;
        emit->next_leaving[m] = emit->leaving[decision->leaves];
        emit->leaving[decision->leaves] = m;
        emit->next_returning[m] = emit->returning[decision->returns];
        emit->returning[decision->returns] = m;
    }
    return VDNN_OK;
}

/* ---- groups: what belongs to one layer in one half of the step ------------------------------- */

static void begin_group(vdnn_emitter *emit)
{
    emit->group++;
    emit->gate = emit->last_compute;
    emit->group_copies = emit->group_steps = 0;
    emit->group_first_step = emit->builder->step_count;
}

/* The paper's synchronization at the end of a layer that copied: the compute stream waits for the
 * copies, and the layer's buffers are freed only then. */
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

/* ---- running a layer ------------------------------------------------------------------------- */

static int32_t parts_of(const vdnn_emitter *emit, const vdnn_layer *layer)
{
    return vdnn_graph_part_count(emit->graph, layer->index);
}

static int32_t add_run(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_pass pass)
{
    return vdnn_emitter_kernel(emit, VDNN_STEP_RUN, layer, pass, pass);
}

static void run_forward(vdnn_emitter *emit, const vdnn_layer *layer, int32_t out, int32_t aux)
{
    int32_t step = add_run(emit, layer, VDNN_FORWARD);
    vdnn_emitter_access_forward(emit, step, layer, out);
    if (emit->graph->maps[out].kind == VDNN_MAP_RESULT)
        vdnn_emitter_read(emit, step, emit->labels, VDNN_BIND_LABELS, 0);
    if (aux != NONE)
        vdnn_emitter_write(emit, step, &emit->maps[aux], VDNN_BIND_AUX, 0);
}

static void emit_forward(vdnn_emitter *emit, const vdnn_layer *layer)
{
    begin_group(emit);
    vdnn_parameters_fetch_ahead(emit, layer, VDNN_FORWARD);
    vdnn_map_copies_out(emit, layer->index);
    int32_t out = emit->graph->tensors[layer->output].map, aux = emit->graph->aux_map[layer->index];
    if (emit->maps[out].buffer == NONE)
        emit->maps[out] = vdnn_emitter_map_buffer(emit, out, VDNN_TIER_DEVICE);
    if (aux != NONE)
        emit->maps[aux] = vdnn_emitter_map_buffer(emit, aux, VDNN_TIER_DEVICE);
    if (vdnn_layer_has_pass(layer, VDNN_FORWARD))
        for (int32_t parts = parts_of(emit, layer); emit->part < parts; emit->part++)
            run_forward(emit, layer, out, aux);
    emit->part = 0;
    vdnn_map_copies_out(emit, layer->index);
    end_group(emit, layer->index, VDNN_FORWARD);
    vdnn_parameters_drop(emit, layer, VDNN_FORWARD);
}

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

/* What the layer read, and what else was fetched for it: all but what returns early, for another.
 */
static void forget_needs(vdnn_emitter *emit, const vdnn_layer *layer)
{
    vdnn_needs needs = vdnn_layer_needs(layer);
    for (int32_t i = 0; (needs & VDNN_NEEDS_X) && i < layer->input_count; i++)
        vdnn_map_copies_forget(emit, emit->graph->tensors[layer->inputs[i]].map, layer->index);
    if (needs & VDNN_NEEDS_Y)
        vdnn_map_copies_forget(emit, emit->graph->tensors[layer->output].map, layer->index);
    while (emit->fetched_count > 0)
        vdnn_map_copies_forget(emit, emit->fetched[--emit->fetched_count], layer->index);
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
                          vdnn_map_copies_place(emit, emit->graph->tensors[layer->inputs[i]].map),
                          VDNN_BIND_X, i);
    if (needs & VDNN_NEEDS_Y)
        vdnn_emitter_read(emit, step, vdnn_map_copies_place(emit, out_map), VDNN_BIND_Y, 0);
    if (needs & VDNN_NEEDS_W)
        vdnn_emitter_read(emit, step, emit->weights[layer->owner], VDNN_BIND_W, 0);
    if (needs & VDNN_NEEDS_AUX)
        vdnn_emitter_read(emit, step, emit->maps[emit->graph->aux_map[layer->index]], VDNN_BIND_AUX,
                          0);
}

static int32_t add_backward(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_pass pass)
{
    vdnn_map_copies_in_parts(emit, layer, pass);
    int32_t step = add_run(emit, layer, pass);
    read_needs(emit, step, layer, pass);
    return step;
}

/* To the gradient of an input: all of it, or, by a part that is not the first, its samples. */
static void accumulate(vdnn_emitter *emit, const vdnn_layer *layer, int32_t input, vdnn_place *sum,
                       vdnn_place summand)
{
    const vdnn_tensor *tensor = &emit->shape->tensors[layer->inputs[input]];
    size_t bytes = vdnn_desc_bytes(&tensor->desc);
    if (emit->part > 0)
        bytes = bytes / (size_t)tensor->desc.dims[VDNN_N] *
                (size_t)vdnn_graph_part_at(emit->shape, layer->index, emit->part)->range.samples;
    int32_t step = vdnn_emitter_step(emit, VDNN_STEP_ACCUMULATE, layer->index, VDNN_BACKWARD_DATA,
                                     tensor->name);
    if (emit->builder->failed)
        return;
    emit->builder->steps[step].bytes = bytes;
    vdnn_emitter_change(emit, step, sum, VDNN_BIND_DST);
    vdnn_emitter_read(emit, step, summand, VDNN_BIND_SRC, 0);
}

static vdnn_place new_gradient(vdnn_emitter *emit, int32_t tensor)
{
    const vdnn_tensor *t = &emit->shape->tensors[tensor];
    return vdnn_emitter_buffer(emit, VDNN_CLASS_GRADIENT_MAP, VDNN_TIER_DEVICE,
                               vdnn_desc_bytes(&t->desc), NONE, t->map, t->name);
}

/* Where the gradients of a layer's inputs are written: `targets` of those that are wanted,
 * `summands` of those that are added to what another reader wrote; `shares` of those that one part
 * of the channels adds to what the parts before it wrote. */
typedef struct input_gradients {
    vdnn_place **targets, *summands, *shares;
} input_gradients;

/* The first reader in backward (the last in forward order) writes a tensor's gradient, every
 * further one a summand that is added to it; so the order of the sum is that of backward, under
 * every policy. */
static bool input_gradients_init(vdnn_emitter *emit, const vdnn_layer *layer, input_gradients *own)
{
    vdnn_region *region = &emit->builder->region;
    size_t inputs = (size_t)layer->input_count;
    int32_t over_dy = vdnn_layer_dx_over_dy(layer);
    own->targets = vdnn_region_zeros(region, inputs, sizeof(vdnn_place *));
    own->summands = vdnn_region_take(region, inputs, sizeof *own->summands);
    own->shares = vdnn_region_take(region, inputs, sizeof *own->shares);
    if (region->failed)
        return false;
    for (int32_t i = 0; i < layer->input_count; i++) {
        int32_t tensor = layer->inputs[i];
        own->summands[i] = vdnn_place_of(NONE);
        if (!layer->wants_dx[i])
            continue;
        bool is_first = emit->gradients[tensor].buffer == NONE;
        own->targets[i] = is_first ? &emit->gradients[tensor] : &own->summands[i];
        *own->targets[i] =
            i == over_dy ? emit->gradients[layer->output] : new_gradient(emit, tensor);
    }
    return true;
}

/* Of the samples of a part; a slot that gradients share holds those of all. */
static vdnn_place new_share(vdnn_emitter *emit, const vdnn_layer *layer, int32_t input)
{
    const vdnn_graph_part *part = vdnn_graph_part_at(emit->shape, layer->index, emit->part);
    vdnn_stripes range = vdnn_part_x(&emit->shape->layers[layer->index], &part->range, input);
    vdnn_place place = new_gradient(emit, layer->inputs[input]);
    if (!emit->builder->failed && emit->decisions->gradients == VDNN_GRADIENTS_EXACT) {
        emit->builder->buffers[place.buffer].bytes = range.bytes;
        emit->builder->buffers[place.buffer].map_offset = range.offset;
    }
    return place;
}

static void write_input_gradient(vdnn_emitter *emit, int32_t step, const vdnn_layer *layer,
                                 const input_gradients *gradients, int32_t input, bool adds)
{
    vdnn_place *target = gradients->targets[input];
    if (adds) {
        target = &gradients->shares[input];
        *target = new_share(emit, layer, input);
    }
    vdnn_emitter_write(emit, step, target, VDNN_BIND_DX, input);
}

/* Of parts of the channels that read the same, the gradient is the sum, in their order. */
static void run_backward_data(vdnn_emitter *emit, const vdnn_layer *layer,
                              const input_gradients *gradients)
{
    int32_t step = add_backward(emit, layer, VDNN_BACKWARD_DATA);
    int32_t over_dy = vdnn_layer_dx_over_dy(layer);
    bool adds =
        vdnn_part_shares_x(layer) && !vdnn_graph_part_begins(emit->graph, layer->index, emit->part);
    for (int32_t i = 0; i < layer->input_count; i++)
        if (gradients->targets[i] != NULL)
            write_input_gradient(emit, step, layer, gradients, i, adds);
    if (over_dy != NONE)
        emit->gradients[layer->output].writer = step; /* the next part's dy is beside it */
    if (vdnn_layer_writes_dw(layer, VDNN_BACKWARD_DATA))
        vdnn_parameters_write_gradient(emit, step, layer);
    vdnn_emitter_lend_workspace(emit, step, layer->index, VDNN_BACKWARD_DATA);
    for (int32_t i = 0; i < layer->input_count && adds; i++)
        if (gradients->targets[i] != NULL)
            accumulate(emit, layer, i, gradients->targets[i], gradients->shares[i]);
}

static void emit_backward_data(vdnn_emitter *emit, const vdnn_layer *layer)
{
    input_gradients own;
    fetch_needs(emit, layer, VDNN_BACKWARD_DATA);
    if (!input_gradients_init(emit, layer, &own)) {
        emit->builder->failed = true;
        return;
    }
    for (int32_t parts = parts_of(emit, layer); emit->part < parts; emit->part++)
        run_backward_data(emit, layer, &own);
    emit->part = 0;
    for (int32_t i = 0; i < layer->input_count; i++)
        if (own.summands[i].buffer != NONE)
            accumulate(emit, layer, i, &emit->gradients[layer->inputs[i]], own.summands[i]);
}

/* The gradient of the parameters is the sum over parts of the samples, in their order. */
static void run_backward_filter(vdnn_emitter *emit, const vdnn_layer *layer, bool updates)
{
    int32_t step = add_backward(emit, layer, VDNN_BACKWARD_FILTER);
    if (updates)
        vdnn_parameters_change(emit, step, layer);
    else
        vdnn_parameters_write_gradient(emit, step, layer);
    vdnn_emitter_lend_workspace(emit, step, layer->index, VDNN_BACKWARD_FILTER);
    if (!updates && vdnn_graph_part_ends(emit->graph, layer->index, emit->part))
        vdnn_parameters_sum_gradient(emit, layer);
}

static void emit_backward_filter(vdnn_emitter *emit, const vdnn_layer *layer)
{
    bool updates = vdnn_parameters_updates_itself(emit, layer);
    fetch_needs(emit, layer, VDNN_BACKWARD_FILTER);
    for (int32_t parts = parts_of(emit, layer); emit->part < parts; emit->part++)
        run_backward_filter(emit, layer, updates);
    emit->part = 0;
    if (!updates)
        vdnn_parameters_use_gradient(emit, layer);
}

static void emit_backward(vdnn_emitter *emit, const vdnn_layer *layer)
{
    begin_group(emit);
    if (vdnn_emitter_has_backward(layer)) {
        vdnn_gradient_copies_begin(emit, layer);
        vdnn_map_copies_free(emit, layer->index);
        vdnn_map_copies_in_ahead(emit, layer->index);
    }
    for (int32_t m = emit->returning[layer->index]; m != NONE; m = emit->next_returning[m])
        vdnn_map_copies_in(emit, m, layer->index);
    emit->fetched_count = 0;
    vdnn_parameters_fetch_ahead(emit, layer, VDNN_BACKWARD_DATA);
    if (vdnn_layer_has_pass(layer, VDNN_BACKWARD_DATA))
        emit_backward_data(emit, layer);
    if (vdnn_layer_has_pass(layer, VDNN_BACKWARD_FILTER))
        emit_backward_filter(emit, layer);
    if (vdnn_layer_writes_dw(layer, VDNN_BACKWARD_DATA)) {
        vdnn_parameters_sum_gradient(emit, layer);
        vdnn_parameters_use_gradient(emit, layer);
    }
    end_group(emit, layer->index, VDNN_BACKWARD_DATA);
    vdnn_gradient_copies_drop(emit, layer);
    forget_needs(emit, layer);
    vdnn_parameters_drop(emit, layer, VDNN_BACKWARD_DATA);
}

/* ---- the frame of the step ------------------------------------------------------------------- */

static void make_ahead(vdnn_emitter *emit, int32_t input, vdnn_class class)
{
    const vdnn_graph_input *row = &emit->graph->inputs[input];
    emit->plan->ahead[input] =
        vdnn_emitter_buffer(emit, class, VDNN_TIER_DEVICE, vdnn_desc_bytes(&row->desc), NONE, NONE,
                            row->next)
            .buffer;
}

static void make_persistent(vdnn_emitter *emit)
{
    const vdnn_graph *graph = emit->graph;
    vdnn_parameters_create(emit);
    for (int32_t i = 0; i < graph->input_count; i++)
        emit->plan->ahead[i] = NONE;
    if (emit->plan->loads == VDNN_LOADS_OWN)
        return;
    make_ahead(emit, vdnn_graph_labels_row(graph), VDNN_CLASS_LABELS_AHEAD);
    for (int32_t i = 0; i < vdnn_graph_labels_row(graph); i++)
        make_ahead(emit, i, VDNN_CLASS_INPUT_AHEAD);
}

static void emit_load(vdnn_emitter *emit, vdnn_place *to, int32_t behind, const char *label)
{
    int32_t step = vdnn_emitter_step(emit, VDNN_STEP_LOAD, NONE, VDNN_FORWARD, label);
    vdnn_emitter_write(emit, step, to, VDNN_BIND_DST, 0);
    if (!emit->builder->failed)
        vdnn_builder_wait_for(emit->builder, step, behind);
}

/* From where the step before this one had it loaded; the next step's is loaded there. */
static void emit_take(vdnn_emitter *emit, vdnn_place *to, int32_t input)
{
    const vdnn_graph_input *row = &emit->graph->inputs[input];
    vdnn_place from = vdnn_place_of(emit->plan->ahead[input]);
    int32_t step = vdnn_emitter_step(emit, VDNN_STEP_TAKE, NONE, VDNN_FORWARD, row->name);
    vdnn_emitter_read(emit, step, from, VDNN_BIND_SRC, 0);
    vdnn_emitter_write(emit, step, to, VDNN_BIND_DST, 0);
    emit_load(emit, &from, step, row->next);
}

static void emit_input(vdnn_emitter *emit, vdnn_place *to, int32_t input)
{
    if (vdnn_plan_loads_ahead(emit->plan))
        emit_take(emit, to, input);
    else
        emit_load(emit, to, emit->gate, emit->graph->inputs[input].name);
}

/* The labels come first: the first layer waits for its input, and then both are loaded. A
 * micro-batch is loaded while the last layer of the one before it runs: earlier it would take
 * memory beside the peak. */
static void emit_batch(vdnn_emitter *emit)
{
    const int32_t labels = vdnn_graph_labels_row(emit->graph);
    emit->labels = vdnn_emitter_buffer(emit, VDNN_CLASS_LABELS, VDNN_TIER_DEVICE,
                                       vdnn_graph_label_bytes(emit->shape), NONE, NONE,
                                       emit->graph->inputs[labels].name);
    for (int32_t i = 0; i < labels; i++)
        emit->maps[i] = vdnn_emitter_map_buffer(emit, i, VDNN_TIER_DEVICE);
    emit_input(emit, &emit->labels, labels);
    for (int32_t i = 0; i < labels; i++)
        emit_input(emit, &emit->maps[i], i);
}

static void emit_store(vdnn_emitter *emit)
{
    const vdnn_layer *loss = &emit->graph->layers[emit->graph->layer_count - 1];
    int32_t step = vdnn_emitter_step(emit, VDNN_STEP_STORE, loss->index, VDNN_FORWARD, loss->name);
    vdnn_emitter_read(emit, step, emit->maps[emit->graph->tensors[loss->output].map], VDNN_BIND_SRC,
                      0);
}

static void emit_end(vdnn_emitter *emit)
{
    int32_t end = vdnn_emitter_step(emit, VDNN_STEP_JOIN, NONE, VDNN_BACKWARD_FILTER, "end");
    if (emit->builder->failed)
        return;
    for (int k = 0; k < VDNN_STREAM_COUNT; k++)
        for (int32_t s = end - 1; s >= 0; s--)
            if ((int)emit->builder->steps[s].stream == k) {
                vdnn_builder_wait_for(emit->builder, end, s);
                break;
            }
}

/* Freed after their last use under every rule of release. */
static bool dropped(const vdnn_emitter *emit, const vdnn_buffer *buffer)
{
    if (buffer->class == VDNN_CLASS_WEIGHT || buffer->class == VDNN_CLASS_OPTIMIZER)
        return !buffer->persistent;
    if (vdnn_gradient_copies_has(emit, buffer))
        return true;
    if (buffer->map == NONE || buffer->class == VDNN_CLASS_GRADIENT_MAP)
        return false;
    vdnn_action action = emit->decisions->maps[buffer->map].action;
    return action == VDNN_DROP || action == VDNN_RECOMPUTE;
}

/* Held from begin to end: persistent buffers, and those that the decisions do not free earlier. The
 * result is held to the end, because no step before waits for its copy out. */
static void hold_whole_step(vdnn_emitter *emit)
{
    int32_t end = emit->builder->step_count - 1;
    for (int32_t b = 0; b < emit->builder->buffer_count && !emit->builder->failed; b++) {
        const vdnn_buffer *buffer = &emit->builder->buffers[b];
        bool shared =
            emit->decisions->gradients == VDNN_GRADIENTS_SHARED_MAX &&
            (buffer->class == VDNN_CLASS_GRADIENT_MAP || buffer->class == VDNN_CLASS_WORKSPACE);
        bool kept = buffer->tier == VDNN_TIER_DEVICE && !dropped(emit, buffer) &&
                    emit->decisions->release == VDNN_RELEASE_END_OF_STEP;
        bool whole = buffer->persistent || shared || kept;
        if (whole)
            vdnn_emitter_hold(emit, emit->begin, b);
        if (whole || buffer->class == VDNN_CLASS_RESULT)
            vdnn_emitter_hold(emit, end, b);
    }
}

/* Removes gradient maps that share a slot, and renumbers the rest. */
static void drop_unused_buffers(vdnn_builder *builder, vdnn_plan *plan)
{
    int32_t *renamed =
        vdnn_region_zeros(&builder->region, (size_t)builder->buffer_count, sizeof *renamed);
    if (renamed == NULL)
        return;
    for (int32_t i = 0; i < builder->access_count; i++)
        renamed[builder->accesses[i].access.buffer] = 1;
    int32_t kept = 0;
    for (int32_t b = 0; b < builder->buffer_count; b++) {
        bool used = renamed[b] || builder->buffers[b].persistent;
        renamed[b] = used ? kept : NONE;
        if (used)
            builder->buffers[kept++] = builder->buffers[b];
    }
    builder->buffer_count = kept;
    for (int32_t i = 0; i < builder->access_count; i++)
        builder->accesses[i].access.buffer = renamed[builder->accesses[i].access.buffer];
    for (int32_t l = 0; l < plan->graph->layer_count; l++) {
        if (plan->param_buffer[l] != NONE)
            plan->param_buffer[l] = renamed[plan->param_buffer[l]];
        if (plan->state_buffer[l] != NONE)
            plan->state_buffer[l] = renamed[plan->state_buffer[l]];
    }
    for (int32_t i = 0; i < plan->graph->input_count; i++)
        if (plan->ahead[i] != NONE)
            plan->ahead[i] = renamed[plan->ahead[i]];
}

static void fill_copy_bytes(vdnn_builder *builder)
{
    for (int32_t i = 0; i < builder->access_count; i++) {
        const vdnn_builder_access_record *record = &builder->accesses[i];
        vdnn_step *step = &builder->steps[record->step];
        vdnn_step_cost cost = vdnn_step_row_of(step->kind)->cost;
        if (cost == VDNN_COST_LINK || cost == VDNN_COST_TAKE)
            step->bytes = builder->buffers[record->access.buffer].bytes;
    }
}

static void emit_micro_batch(vdnn_emitter *emit, int32_t micro)
{
    const vdnn_graph *graph = emit->graph;
    vdnn_emitter_begin_micro(emit, micro);
    emit->group = NONE;
    emit_batch(emit);
    emit->group = 2 * graph->layer_count * micro - 1;
    for (int32_t l = 0; l < graph->layer_count && !emit->builder->failed; l++)
        emit_forward(emit, &graph->layers[l]);
    int32_t last_group = emit->group;
    emit->group = NONE;
    if (!emit->builder->failed)
        emit_store(emit);
    emit->group = last_group;
    vdnn_emitter_begin_backward(emit);
    for (int32_t l = graph->layer_count - 1; l >= 0 && emit->training && !emit->builder->failed;
         l--)
        emit_backward(emit, &graph->layers[l]);
    emit->group = NONE;
    if (!emit->builder->failed)
        vdnn_parameters_use_reduced(emit);
    vdnn_gradient_copies_out(emit, 0);
}

static void emit_all(vdnn_emitter *emit)
{
    emit->group = NONE;
    make_persistent(emit);
    emit->begin = vdnn_emitter_step(emit, VDNN_STEP_JOIN, NONE, VDNN_FORWARD, "begin");
    emit->gate = emit->begin;
    for (int32_t micro = 0; micro < emit->graph->micro_batches && !emit->builder->failed; micro++)
        emit_micro_batch(emit, micro);
    if (emit->norm.buffer != NONE)
        vdnn_parameters_update_late(emit);
    if (!emit->builder->failed)
        emit_end(emit);
}

vdnn_status vdnn_emit_steps(vdnn_builder *builder, const vdnn_graph *graph,
                            const vdnn_profile *profile, const vdnn_decisions *decisions,
                            bool training, vdnn_plan *plan)
{
    vdnn_emitter emit = {.builder = builder,
                         .graph = graph,
                         .profile = profile,
                         .decisions = decisions,
                         .plan = plan,
                         .training = training};
    vdnn_status status = vdnn_emitter_init(&emit);
    if (status == VDNN_OK)
        status = check_loads(&emit);
    if (status == VDNN_OK)
        status = vdnn_parameters_check(&emit);
    if (status == VDNN_OK)
        status = vdnn_gradient_copies_check(&emit);
    if (status == VDNN_OK)
        status = check_between(&emit);
    if (status == VDNN_OK)
        status = list_offloads(&emit);
    if (status == VDNN_OK)
        status = vdnn_recompute_check(&emit);
    if (status != VDNN_OK)
        return status;
    emit_all(&emit);
    if (!builder->failed && decisions->gradients == VDNN_GRADIENTS_SHARED_MAX)
        vdnn_gradient_slots_share(builder);
    if (!builder->failed)
        drop_unused_buffers(builder, plan);
    hold_whole_step(&emit);
    if (!builder->failed)
        fill_copy_bytes(builder);
    return vdnn_builder_status(builder);
}
