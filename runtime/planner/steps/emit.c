#include "runtime/planner/steps/emit.h"

#include "runtime/planner/gradient_slots.h"
#include "runtime/planner/steps/batch.h"
#include "runtime/planner/steps/check.h"
#include "runtime/planner/steps/emitter.h"
#include "runtime/planner/steps/moves/gradient_copies.h"
#include "runtime/planner/steps/neighbors.h"
#include "runtime/planner/steps/parameters.h"
#include "runtime/planner/steps/passes.h"

enum { NONE = -1 };

/* ---- the frame of the step ------------------------------------------------------------------- */

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
    int32_t last[VDNN_STREAM_COUNT];
    for (int k = 0; k < VDNN_STREAM_COUNT; k++)
        last[k] = NONE;
    for (int32_t s = 0; s < end; s++)
        last[emit->builder->steps[s].stream] = s;
    for (int k = 0; k < VDNN_STREAM_COUNT; k++)
        if (last[k] != NONE)
            vdnn_builder_wait_for(emit->builder, end, last[k]);
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
 * result is held to the end, because no step before waits for its copy out, and what is loaded late
 * for the next step, which has it from its begin on. */
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
        if (whole || vdnn_plan_has_arrived(buffer))
            vdnn_emitter_hold(emit, emit->begin, b);
        if (whole || buffer->class == VDNN_CLASS_RESULT || vdnn_plan_is_kept(buffer))
            vdnn_emitter_hold(emit, end, b);
    }
}

/* The numbers of buffers without those that nothing uses, which are -1; returns how many are left.
 */
static int32_t number_used(const vdnn_builder *builder, int32_t *renamed)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < builder->access_count; i++)
        renamed[builder->accesses[i].access.buffer] = 1;
    for (int32_t b = 0; b < builder->buffer_count; b++)
        renamed[b] = renamed[b] || builder->buffers[b].persistent ? kept++ : NONE;
    return kept;
}

/* Removes gradient maps that share a slot, and renumbers the rest. */
static void drop_unused_buffers(vdnn_builder *builder, vdnn_plan *plan)
{
    int32_t *renamed =
        vdnn_region_zeros(&builder->region, (size_t)builder->buffer_count, sizeof *renamed);
    const int32_t kept = renamed == NULL ? builder->buffer_count : number_used(builder, renamed);
    if (kept == builder->buffer_count)
        return;
    for (int32_t b = 0; b < builder->buffer_count; b++)
        if (renamed[b] != NONE)
            builder->buffers[renamed[b]] = builder->buffers[b];
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
        if (plan->ahead[i] != NONE) {
            plan->ahead[i] = renamed[plan->ahead[i]];
            plan->arrived[i] = renamed[plan->arrived[i]];
        }
}

static void fill_copy_bytes(vdnn_builder *builder)
{
    vdnn_step *step = NULL;
    bool is_copy = false;
    for (int32_t i = 0, of = NONE; i < builder->access_count; i++) {
        const vdnn_builder_access_record *record = &builder->accesses[i];
        if (record->step != of) { /* a step's are mostly one behind the other */
            step = &builder->steps[of = record->step];
            const vdnn_step_cost cost = vdnn_step_row_of(step->kind)->cost;
            is_copy = cost == VDNN_COST_LINK || cost == VDNN_COST_TAKE || cost == VDNN_COST_PEER;
        }
        if (is_copy)
            step->bytes = builder->buffers[record->access.buffer].bytes;
    }
}

static void emit_forward(vdnn_emitter *emit, int32_t micro)
{
    const vdnn_graph *graph = emit->graph;
    vdnn_chain of = {0};
    vdnn_emitter_begin_micro(emit, micro);
    emit->group = NONE;
    vdnn_neighbors_begin(emit);
    vdnn_batch_load(emit);
    vdnn_neighbors_receive_maps(emit);
    for (int32_t l = vdnn_graph_first_layer(graph);
         l < vdnn_graph_end_layer(graph) && !emit->builder->failed; l = of.end)
        vdnn_passes_forward(emit, of = emit->chains[l]);
    emit->group = NONE;
    if (!emit->builder->failed && vdnn_graph_has_loss(graph) && !of.is_tail)
        emit_store(emit);
    if (!emit->builder->failed)
        vdnn_neighbors_send_maps(emit);
}

static void emit_backward(vdnn_emitter *emit, int32_t micro)
{
    const vdnn_graph *graph = emit->graph;
    const int32_t last = vdnn_graph_end_layer(graph) - 1;
    vdnn_chain of;
    vdnn_emitter_resume_micro(emit, micro);
    vdnn_emitter_begin_backward(emit);
    emit->group = NONE;
    vdnn_neighbors_begin(emit);
    vdnn_neighbors_receive_gradients(emit);
    if (vdnn_emitter_is_last_micro(emit)) {
        vdnn_neighbors_receive_sums(emit);
        vdnn_neighbors_receive_norm(emit);
    }
    for (int32_t l = last; l >= vdnn_graph_first_layer(graph) && !emit->builder->failed;
         l = of.begin - 1)
        vdnn_passes_backward(emit, of = emit->chains[l]);
    emit->group = NONE;
    if (!emit->builder->failed && emit->chains[last].is_tail)
        emit_store(emit);
    if (!emit->builder->failed) {
        vdnn_neighbors_send_gradients(emit);
        vdnn_parameters_use_reduced(emit);
    }
    vdnn_gradient_copies_out(emit, 0);
    if (emit->plan->loads == VDNN_LOADS_LATE && emit->late_layer == NONE)
        vdnn_batch_load_late(emit);
}

/* What the data passes of a micro-batch have left. */
static void emit_filters(vdnn_emitter *emit, int32_t micro)
{
    const vdnn_graph *graph = emit->graph;
    vdnn_emitter_resume_micro(emit, micro);
    emit->half = VDNN_BACKWARD_DATA;
    vdnn_neighbors_begin(emit);
    for (int32_t l = vdnn_graph_end_layer(graph) - 1;
         l >= vdnn_graph_first_layer(graph) && !emit->builder->failed; l--)
        vdnn_passes_filter(emit, &graph->layers[l]);
    emit->group = NONE;
    vdnn_gradient_copies_out(emit, 0);
}

/* Of a network that is not cut, one micro-batch is over before the next begins. */
static void emit_micro_batches(vdnn_emitter *emit)
{
    for (int32_t micro = 0; micro < emit->graph->micro_batches && !emit->builder->failed; micro++) {
        emit_forward(emit, micro);
        if (emit->training && !emit->builder->failed)
            emit_backward(emit, micro);
    }
}

static void emit_pipeline(vdnn_emitter *emit)
{
    const vdnn_stage *stage = &emit->graph->stage;
    const int32_t micros = emit->graph->micro_batches;
    vdnn_pipeline_item *items = vdnn_region_take(
        &emit->builder->region, VDNN_PIPELINE_PASSES * (size_t)micros, sizeof *items);
    const int32_t count = items == NULL ? 0
                                        : vdnn_pipeline_items(stage->schedule, stage->count,
                                                              stage->number, micros, items);
    for (int32_t i = 0; i < count && !emit->builder->failed; i++) {
        emit->defers_filters = emit->training && (items[i].pass == VDNN_PIPELINE_BACKWARD_DATA ||
                                                  items[i].pass == VDNN_PIPELINE_BACKWARD_FILTER);
        if (items[i].pass == VDNN_PIPELINE_FORWARD)
            emit_forward(emit, items[i].micro);
        else if (emit->training && items[i].pass == VDNN_PIPELINE_BACKWARD_FILTER)
            emit_filters(emit, items[i].micro);
        else if (emit->training)
            emit_backward(emit, items[i].micro);
    }
}

static void emit_all(vdnn_emitter *emit)
{
    emit->group = NONE;
    vdnn_parameters_create(emit);
    vdnn_batch_create(emit);
    emit->begin = vdnn_emitter_step(emit, VDNN_STEP_JOIN, NONE, VDNN_FORWARD, "begin");
    emit->gate = emit->last_compute = emit->pass_gate = emit->begin;
    vdnn_neighbors_lend_weights(emit);
    if (emit->graph->stage.count == 0)
        emit_micro_batches(emit);
    else
        emit_pipeline(emit);
    if (emit->defers_filters && emit->graph->training.clip_norm > 0)
        vdnn_parameters_add_squares(emit);
    if (emit->training)
        vdnn_neighbors_send_sums(emit);
    vdnn_neighbors_complete_norm(emit);
    if (emit->params.norm.buffer != NONE || emit->defers_filters)
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
    vdnn_status status = vdnn_emit_check(graph, profile, decisions, training);
    VDNN_IF_OK(status, vdnn_emitter_init(&emit));
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
