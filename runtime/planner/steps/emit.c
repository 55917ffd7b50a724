#include "runtime/planner/steps/emit.h"

#include "runtime/planner/steps/batch.h"
#include "runtime/planner/steps/emitter.h"
#include "runtime/planner/steps/gradient_copies.h"
#include "runtime/planner/steps/gradient_slots.h"
#include "runtime/planner/steps/parameters.h"
#include "runtime/planner/steps/passes.h"

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

static vdnn_status check_tail(const vdnn_emitter *emit)
{
    for (int32_t m = 0; m < emit->graph->map_count && emit->training; m++) {
        const char *refusal = vdnn_decisions_tail_refusal(emit->graph, emit->decisions, m);
        if (refusal != NULL)
            return vdnn_status_fail(VDNN_INTERNAL, "map %s can only be kept: %s",
                                    emit->graph->maps[m].name, refusal);
    }
    return VDNN_OK;
}

static vdnn_status check_chains(const vdnn_emitter *emit)
{
    for (int32_t l = 0; l < emit->graph->layer_count; l++) {
        const char *refusal = emit->decisions->chained[l]
                                  ? vdnn_decisions_chain_refusal(emit->graph, emit->decisions, l)
                                  : NULL;
        if (refusal != NULL)
            return vdnn_status_fail(VDNN_INTERNAL, "layer %s cannot be chained: %s",
                                    emit->graph->layers[l].name, refusal);
    }
    return VDNN_OK;
}

/* Of those that return during one layer, what backward needs first comes first. */
static void list_returning(vdnn_emitter *emit, int32_t map)
{
    const vdnn_map *maps = emit->graph->maps;
    int32_t *at = &emit->returning[emit->decisions->maps[map].returns];
    while (*at != NONE && maps[*at].needed_by[0] > maps[map].needed_by[0])
        at = &emit->next_returning[*at];
    emit->next_returning[map] = *at;
    *at = map;
}

static vdnn_status list_offloads(vdnn_emitter *emit)
{
    for (int32_t m = emit->graph->map_count - 1; m >= 0; m--) {
        if (!vdnn_emitter_offloads(emit, m))
            continue;
        const vdnn_map_decision *decision = &emit->decisions->maps[m];
        vdnn_status status = check_offload(emit->graph, m, decision);
        VDNN_IF_OK(status, check_pieces(emit, m));
        if (status != VDNN_OK)
            return status;
        const int32_t writer = emit->graph->maps[m].last_writer;
        int32_t *written = &emit->written[writer < 0 ? 0 : writer];
        emit->next_written[m] = *written;
        *written = m;
        list_returning(emit, m);
    }
    return VDNN_OK;
}

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
            is_copy = cost == VDNN_COST_LINK || cost == VDNN_COST_TAKE;
        }
        if (is_copy)
            step->bytes = builder->buffers[record->access.buffer].bytes;
    }
}

static void emit_micro_batch(vdnn_emitter *emit, int32_t micro)
{
    const vdnn_graph *graph = emit->graph;
    vdnn_emitter_begin_micro(emit, micro);
    emit->group = NONE;
    vdnn_batch_load(emit);
    vdnn_chain of = {0};
    for (int32_t l = 0; l < graph->layer_count && !emit->builder->failed; l = of.end)
        vdnn_passes_forward(emit, of = emit->chains[l]);
    const bool has_tail = of.is_tail;
    emit->group = NONE;
    if (!emit->builder->failed && !has_tail)
        emit_store(emit);
    vdnn_emitter_begin_backward(emit);
    for (int32_t l = graph->layer_count - 1; l >= 0 && emit->training && !emit->builder->failed;
         l = of.begin - 1)
        vdnn_passes_backward(emit, of = emit->chains[l]);
    emit->group = NONE;
    if (!emit->builder->failed && has_tail)
        emit_store(emit);
    if (!emit->builder->failed)
        vdnn_parameters_use_reduced(emit);
    vdnn_gradient_copies_out(emit, 0);
}

static void emit_all(vdnn_emitter *emit)
{
    emit->group = NONE;
    vdnn_parameters_create(emit);
    vdnn_batch_create(emit);
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
    VDNN_IF_OK(status, vdnn_batch_check(&emit));
    VDNN_IF_OK(status, check_chains(&emit));
    VDNN_IF_OK(status, check_tail(&emit));
    VDNN_IF_OK(status, vdnn_parameters_check(&emit));
    VDNN_IF_OK(status, vdnn_gradient_copies_check(&emit));
    VDNN_IF_OK(status, check_between(&emit));
    VDNN_IF_OK(status, list_offloads(&emit));
    VDNN_IF_OK(status, vdnn_recompute_check(&emit));
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
