#include "runtime/planner/steps/parameters.h"

#include "runtime/planner/steps/emitter.h"

enum { NONE = -1 };

/* The layer in whose block a layer's parameters are: steps and buffers of the block are that one's.
 */
static const vdnn_layer *owner_of(const vdnn_emitter *emit, const vdnn_layer *layer)
{
    return &emit->graph->layers[layer->owner];
}

static bool is_offloaded(const vdnn_emitter *emit, int32_t layer)
{
    return emit->decisions->params[layer].action == VDNN_OFFLOAD;
}

void vdnn_parameters_init(vdnn_emitter *emit)
{
    const int32_t layers = emit->graph->layer_count;
    emit->params = (vdnn_parameters){.weights = vdnn_emitter_no_places(emit, layers),
                                     .states = vdnn_emitter_no_places(emit, layers),
                                     .gradients = vdnn_emitter_no_places(emit, layers),
                                     .earlier = vdnn_emitter_no_places(emit, layers),
                                     .leaves_at = vdnn_emitter_no_indexes(emit, layers),
                                     .lent_by = NONE,
                                     .norm = vdnn_place_of(NONE)};
    vdnn_residency_create(emit, VDNN_VALUE_WEIGHTS, layers);
    vdnn_residency_create(emit, VDNN_VALUE_STATE, layers);
}

static vdnn_value_id weights_of(int32_t owner)
{
    return (vdnn_value_id){VDNN_VALUE_WEIGHTS, owner};
}

static vdnn_value_id state_of(int32_t owner)
{
    return (vdnn_value_id){VDNN_VALUE_STATE, owner};
}

static vdnn_value_id gradient_of(const vdnn_emitter *emit, const vdnn_layer *layer)
{
    return (vdnn_value_id){VDNN_VALUE_SUM, vdnn_graph_sum_of(emit->graph, layer)};
}

static vdnn_place *sum_of(const vdnn_emitter *emit, const vdnn_layer *layer)
{
    return &emit->params.gradients[vdnn_graph_sum_of(emit->graph, layer)];
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static size_t weight_bytes(const vdnn_emitter *emit, const vdnn_layer *layer)
{
    const bool has_copy = emit->decisions->copies == VDNN_WEIGHTS_KEPT && layer->copy_bytes > 0 &&
                          !is_offloaded(emit, layer->index);
    return has_copy ? vdnn_plan_copy_place(layer) + layer->copy_bytes : layer->param_bytes;
}

static vdnn_place add_block(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_class class,
                            size_t bytes)
{
    vdnn_tier tier = is_offloaded(emit, layer->index) ? VDNN_TIER_HOST : VDNN_TIER_DEVICE;
    return vdnn_emitter_buffer(emit, class, tier, bytes, layer->index, NONE, layer->name);
}

static void create_block(vdnn_emitter *emit, const vdnn_layer *layer)
{
    int32_t l = layer->index;
    size_t state_bytes = vdnn_graph_state_bytes(emit->graph, l);
    emit->plan->param_buffer[l] = emit->plan->state_buffer[l] = NONE;
    if (layer->param_bytes > 0)
        emit->plan->param_buffer[l] =
            add_block(emit, layer, VDNN_CLASS_WEIGHT, weight_bytes(emit, layer)).buffer;
    if (layer->trainable_bytes > 0)
        emit->plan->state_buffer[l] =
            add_block(emit, layer, VDNN_CLASS_OPTIMIZER, state_bytes).buffer;
    const bool is_away = is_offloaded(emit, l);
    *(is_away ? vdnn_residency_in_tier(emit, weights_of(l), VDNN_TIER_HOST)
              : &emit->params.weights[l]) = vdnn_place_of(emit->plan->param_buffer[l]);
    *(is_away ? vdnn_residency_in_tier(emit, state_of(l), VDNN_TIER_HOST)
              : &emit->params.states[l]) = vdnn_place_of(emit->plan->state_buffer[l]);
}

void vdnn_parameters_create(vdnn_emitter *emit)
{
    const vdnn_layer *layers = emit->graph->layers;
    for (int32_t l = 0; l < emit->graph->layer_count; l++)
        if (vdnn_graph_keeps(emit->graph, l)) {
            create_block(emit, &layers[l]);
            emit->params.are_offloaded = emit->params.are_offloaded || is_offloaded(emit, l);
        } else {
            emit->plan->param_buffer[l] = emit->plan->state_buffer[l] = NONE;
        }
    for (int32_t l = 0; l < emit->graph->layer_count; l++) {
        emit->plan->param_buffer[l] = emit->plan->param_buffer[layers[l].owner];
        emit->plan->state_buffer[l] = emit->plan->state_buffer[layers[l].owner];
    }
}

/* ---- copies ---------------------------------------------------------------------------------- */

static vdnn_move move_of(vdnn_value_id value, vdnn_pass half, int32_t gate)
{
    return (vdnn_move){
        .value = value, .tier = VDNN_TIER_HOST, .layer = value.of, .half = half, .gate = gate};
}

static void copy_in(vdnn_emitter *emit, vdnn_value_id value, vdnn_pass half, vdnn_place *to)
{
    const vdnn_move move = move_of(value, half, emit->gate);
    if (to->buffer == NONE)
        vdnn_residency_in(emit, &move, to);
}

static void copy_out(vdnn_emitter *emit, vdnn_value_id value, vdnn_place from)
{
    const vdnn_move move = move_of(value, VDNN_BACKWARD_FILTER, NONE);
    vdnn_residency_out(emit, &move, from);
}

/* Whether this half of a layer is followed by the update of its block. */
static bool is_updated(const vdnn_emitter *emit, const vdnn_layer *layer, vdnn_pass half)
{
    bool is_late =
        emit->graph->training.clip_norm > 0 || emit->graph->devices > 1 || emit->defers_filters;
    bool is_last = is_late || vdnn_graph_ends_gradient(emit->graph, layer);
    return half != VDNN_FORWARD && layer->trainable_bytes > 0 && !layer->is_lent &&
           vdnn_emitter_is_last_micro(emit) && is_last && is_late == emit->params.updates_are_late;
}

/* In the last micro-batch the sum of the layers of the block behind this one, to which its own is
 * added; NONE: there is none. */
static int32_t joined_by(const vdnn_emitter *emit, const vdnn_layer *layer)
{
    const vdnn_layer *behind = vdnn_graph_next_in_block(emit->graph, layer);
    if (emit->graph->micro_batches == 1 || !vdnn_emitter_is_last_micro(emit))
        return NONE;
    if (behind != NULL)
        return vdnn_graph_sum_of(emit->graph, behind);
    const vdnn_stage_block *block = vdnn_graph_stage_block(emit->graph, layer->owner);
    return block == NULL ? NONE : block->above;
}

static void fetch_gradient(vdnn_emitter *emit, const vdnn_layer *layer)
{
    const int32_t behind = joined_by(emit, layer);
    const vdnn_value_id whole = {VDNN_VALUE_SUM, layer->owner};
    const bool is_whole = emit->params.updates_are_late;
    vdnn_gradient_copies_in(emit, is_whole ? whole : gradient_of(emit, layer), layer->index);
    if (behind != NONE && !is_whole)
        vdnn_gradient_copies_in(emit, (vdnn_value_id){VDNN_VALUE_SUM, behind}, layer->index);
}

void vdnn_parameters_fetch(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_pass half)
{
    const vdnn_layer *owner = owner_of(emit, layer);
    int32_t l = owner->index;
    bool reads = half == VDNN_FORWARD ||
                 (!emit->params.updates_are_late && (vdnn_layer_needs(layer) & VDNN_NEEDS_W) != 0);
    if (half != VDNN_FORWARD)
        fetch_gradient(emit, layer);
    if (!is_offloaded(emit, l))
        return;
    if (reads || is_updated(emit, layer, half))
        copy_in(emit, weights_of(l), half, &emit->params.weights[l]);
    if (is_updated(emit, layer, half))
        copy_in(emit, state_of(l), half, &emit->params.states[l]);
}

/* The layer with parameters whose pass of this half comes next; NULL: none. */
static const vdnn_layer *next_with_parameters(const vdnn_emitter *emit, const vdnn_layer *layer,
                                              vdnn_pass half)
{
    int32_t by = half == VDNN_FORWARD ? 1 : -1;
    for (int32_t l = layer->index + by; l >= 0 && l < emit->graph->layer_count; l += by)
        if (emit->graph->layers[l].param_bytes > 0)
            return &emit->graph->layers[l];
    return NULL;
}

void vdnn_parameters_fetch_ahead(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_pass half)
{
    const bool all_are_there = !emit->params.are_offloaded && emit->gradient_copies.away_count == 0;
    if (layer->param_bytes == 0 || all_are_there)
        return;
    const vdnn_layer *next = layer;
    vdnn_parameters_fetch(emit, layer, half);
    for (int32_t ahead = 1; ahead <= VDNN_PARAMS_MOST_AHEAD; ahead++) {
        next = next_with_parameters(emit, next, half);
        if (next == NULL)
            return;
        if (ahead == 1 || emit->decisions->params[next->owner].ahead >= ahead)
            vdnn_parameters_fetch(emit, next, half);
    }
}

/* Unless it waits for its copies out. */
static void drop_block(vdnn_emitter *emit, int32_t owner)
{
    if (is_offloaded(emit, owner) && emit->params.leaves_at[owner] == NONE)
        emit->params.weights[owner] = emit->params.states[owner] = vdnn_place_of(NONE);
}

/* Whether the gradient of the layer's block waits for another micro-batch, for the norm, or for a
 * layer that is behind the next two with parameters: for one of these it would return at once. What
 * is summed over devices counts in the norm only behind the next block. */
static bool is_gradient_idle(const vdnn_emitter *emit, const vdnn_layer *layer)
{
    if (!vdnn_emitter_is_last_micro(emit))
        return true;
    if (vdnn_graph_ends_gradient(emit->graph, layer))
        return emit->graph->training.clip_norm > 0 && emit->graph->devices == 1;
    const vdnn_layer *next = layer;
    for (int behind = 1; behind <= 2 && next != NULL; behind++) {
        next = next_with_parameters(emit, next, VDNN_BACKWARD_DATA);
        if (next != NULL && next->owner == layer->owner)
            return false;
    }
    return true;
}

void vdnn_parameters_drop(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_pass half)
{
    const vdnn_layer *next = layer->is_tied ? next_with_parameters(emit, layer, half) : NULL;
    bool stays = half == VDNN_FORWARD && emit->decisions->params[layer->owner].stays != 0;
    if (!stays && (next == NULL || next->owner != layer->owner))
        drop_block(emit, layer->owner);
    if (half != VDNN_FORWARD && layer->trainable_bytes > 0 && is_gradient_idle(emit, layer))
        vdnn_gradient_copies_leave(emit, gradient_of(emit, layer));
}

/* ---- gradients ------------------------------------------------------------------------------- */

/* Where the last part of a block's gradient is written that is not added to another, and the sum of
 * all is: a separate buffer, or its place in a bucket; what comes before is never in one. */
static vdnn_place new_gradient(vdnn_emitter *emit, const vdnn_layer *layer)
{
    const vdnn_layer *owner = owner_of(emit, layer);
    if (vdnn_buckets_takes(emit, layer))
        return vdnn_buckets_place(emit, owner);
    return vdnn_emitter_buffer(emit, VDNN_CLASS_WEIGHT_GRADIENT, VDNN_TIER_DEVICE,
                               owner->trainable_bytes, vdnn_graph_sum_of(emit->graph, layer), NONE,
                               owner->name);
}

static void accumulate(vdnn_emitter *emit, const vdnn_layer *layer, vdnn_place *into,
                       vdnn_place from)
{
    const int32_t step = vdnn_emitter_step(emit, VDNN_STEP_ACCUMULATE, layer->index,
                                           VDNN_BACKWARD_FILTER, layer->name);
    if (emit->builder->failed)
        return;
    emit->builder->steps[step].bytes = vdnn_layer_summed_bytes(layer);
    vdnn_emitter_change(emit, step, into, VDNN_BIND_DST);
    vdnn_emitter_read(emit, step, from, VDNN_BIND_SRC, 0);
}

void vdnn_parameters_begin_gradient(vdnn_emitter *emit, const vdnn_layer *layer)
{
    const int32_t behind = joined_by(emit, layer);
    if (behind == NONE || emit->part > 0)
        return;
    vdnn_place *own = sum_of(emit, layer), *all = &emit->params.gradients[behind];
    accumulate(emit, layer, all, *own);
    *own = *all;
    *all = vdnn_place_of(NONE);
}

/* A part of the channels writes its rows of each parameter beside those of the others. What can add
 * to the sum so far does. */
void vdnn_parameters_write_gradient(vdnn_emitter *emit, int32_t step, const vdnn_layer *layer)
{
    const int32_t sum = vdnn_graph_sum_of(emit->graph, layer);
    vdnn_place *gradient = &emit->params.gradients[sum];
    int32_t writes = layer->channel_parts > 1 ? layer->param_count : 1;
    if (layer->def->adds_gradient && gradient->buffer != NONE) {
        emit->params.earlier[sum] = vdnn_place_of(NONE);
        vdnn_emitter_change(emit, step, gradient, VDNN_BIND_DW);
        return;
    }
    if (vdnn_graph_part_begins(emit->graph, layer->index, emit->part)) {
        emit->params.earlier[sum] = *gradient;
        *gradient = new_gradient(emit, layer);
    }
    for (int32_t p = 0; p < writes; p++)
        if (writes == 1 || layer->params[p].trainable)
            vdnn_emitter_write(emit, step, gradient, VDNN_BIND_DW, p);
}

/* The sum over micro-batches, of each over the layers of the block, and of each over its parts of
 * the samples, is in the order in which backward computes them, in the memory of the last:
 * statistics, which are not summed, stand beside it. */
void vdnn_parameters_sum_gradient(vdnn_emitter *emit, const vdnn_layer *layer)
{
    const vdnn_place earlier = emit->params.earlier[vdnn_graph_sum_of(emit->graph, layer)];
    if (earlier.buffer != NONE && vdnn_layer_summed_bytes(layer) > 0)
        accumulate(emit, layer, sum_of(emit, layer), earlier);
}

/* ---- updates --------------------------------------------------------------------------------- */

static void emit_average(vdnn_emitter *emit, const vdnn_layer *layer)
{
    size_t bytes = layer->trainable_bytes - vdnn_layer_summed_bytes(layer);
    if (bytes == 0)
        return;
    int32_t step =
        vdnn_emitter_step(emit, VDNN_STEP_AVERAGE, layer->index, VDNN_BACKWARD_FILTER, "");
    if (emit->builder->failed)
        return;
    emit->builder->steps[step].bytes = bytes;
    vdnn_emitter_change(emit, step, &emit->params.weights[layer->index], VDNN_BIND_W);
    vdnn_emitter_read(emit, step, emit->params.gradients[layer->index], VDNN_BIND_DW, 0);
}

bool vdnn_parameters_updates_itself(const vdnn_emitter *emit, const vdnn_layer *layer)
{
    return emit->decisions->updates == VDNN_UPDATES_FUSED &&
           vdnn_graph_can_fuse(emit->graph, layer->index) &&
           vdnn_emitter_choice(emit, layer->index, VDNN_BACKWARD_FILTER)->algorithm->updates;
}

/* Each device has updated its share, and has the others' now. */
static void emit_gather(vdnn_emitter *emit, const vdnn_layer *layer)
{
    int32_t step =
        vdnn_emitter_step(emit, VDNN_STEP_GATHER, layer->index, VDNN_BACKWARD_FILTER, layer->name);
    if (emit->builder->failed)
        return;
    emit->builder->steps[step].bytes = vdnn_layer_summed_bytes(layer);
    vdnn_emitter_change(emit, step, &emit->params.weights[layer->index], VDNN_BIND_DST);
}

/* The layer whose backward hides the copies out of what is updated; NONE: no other does. */
static int32_t leaving_layer(const vdnn_emitter *emit, const vdnn_layer *layer)
{
    const vdnn_layer *at = layer, *next = layer;
    for (int32_t behind =
             emit->params.updates_are_late ? 0 : emit->decisions->params[layer->owner].behind;
         behind > 0 && next != NULL; behind--) {
        next = next_with_parameters(emit, at, VDNN_BACKWARD_DATA);
        at = next != NULL ? next : at;
    }
    return at == layer ? NONE : at->index;
}

static void copy_block_out(vdnn_emitter *emit, int32_t owner)
{
    copy_out(emit, weights_of(owner), emit->params.weights[owner]);
    copy_out(emit, state_of(owner), emit->params.states[owner]);
}

void vdnn_parameters_leave(vdnn_emitter *emit, int32_t layer)
{
    for (int32_t l = emit->graph->layer_count - 1; emit->params.staying > 0 && l >= 0; l--) {
        if (emit->params.leaves_at[l] != layer)
            continue;
        emit->params.leaves_at[l] = NONE;
        emit->params.staying--;
        copy_block_out(emit, l);
        drop_block(emit, l);
    }
}

/* What is changed goes back to where it is kept. */
void vdnn_parameters_change(vdnn_emitter *emit, int32_t step, const vdnn_layer *layer)
{
    int32_t l = layer->index;
    if (emit->builder->failed)
        return;
    emit->builder->steps[step].bytes = vdnn_graph_updated_bytes(emit->graph, layer);
    if (vdnn_graph_stage_block(emit->graph, l) != NULL)
        vdnn_builder_wait_for(emit->builder, step, emit->params.lent_by);
    vdnn_emitter_change(emit, step, &emit->params.weights[l], VDNN_BIND_W);
    vdnn_emitter_change(emit, step, &emit->params.states[l], VDNN_BIND_STATE);
    if (vdnn_graph_is_sharded(emit->graph, layer))
        emit_gather(emit, layer);
    if (!is_offloaded(emit, l))
        return;
    emit->params.leaves_at[l] = leaving_layer(emit, layer);
    if (emit->params.leaves_at[l] == NONE)
        copy_block_out(emit, l);
    else
        emit->params.staying++;
}

static void emit_update(vdnn_emitter *emit, const vdnn_layer *layer)
{
    int32_t step =
        vdnn_emitter_step(emit, VDNN_STEP_UPDATE, layer->index, VDNN_BACKWARD_FILTER, "");
    vdnn_parameters_change(emit, step, layer);
    vdnn_emitter_read(emit, step, emit->params.gradients[layer->index], VDNN_BIND_DW, 0);
    if (emit->params.norm.buffer != NONE)
        vdnn_emitter_read(emit, step, emit->params.norm, VDNN_BIND_SRC, 0);
}

/* Squares are added in the order of backward, whatever the policy. */
static void emit_norm(vdnn_emitter *emit, const vdnn_layer *layer)
{
    int32_t step = vdnn_emitter_step(emit, VDNN_STEP_NORM, layer->index, VDNN_BACKWARD_FILTER, "");
    vdnn_emitter_read(emit, step, emit->params.gradients[layer->index], VDNN_BIND_DW, 0);
    if (emit->params.norm.buffer != NONE) {
        vdnn_emitter_change(emit, step, &emit->params.norm, VDNN_BIND_DST);
        return;
    }
    emit->params.norm = vdnn_emitter_buffer(emit, VDNN_CLASS_NORM, VDNN_TIER_DEVICE,
                                            sizeof(vdnn_norm), NONE, NONE, "norm");
    vdnn_emitter_write(emit, step, &emit->params.norm, VDNN_BIND_DST, 0);
}

/* The block that is updated after that of `layer`; NULL: none. */
static const vdnn_layer *next_updated(const vdnn_graph *graph, int32_t layer)
{
    for (int32_t l = layer - 1; l >= 0; l--)
        if (graph->layers[l].trainable_bytes > 0 && vdnn_graph_keeps(graph, l))
            return &graph->layers[l];
    return NULL;
}

/* Of gradients that were complete in another order. */
void vdnn_parameters_add_squares(vdnn_emitter *emit)
{
    const vdnn_layer *layer = next_updated(emit->graph, emit->graph->layer_count);
    for (; layer != NULL && !emit->builder->failed;
         layer = next_updated(emit->graph, layer->index)) {
        vdnn_gradient_copies_in(emit, (vdnn_value_id){VDNN_VALUE_SUM, layer->index}, layer->index);
        emit_norm(emit, layer);
    }
}

/* What an update uses comes in while the one before it runs. */
void vdnn_parameters_update_late(vdnn_emitter *emit)
{
    const vdnn_layer *layer = next_updated(emit->graph, emit->graph->layer_count), *next;
    emit->params.updates_are_late = true;
    for (; layer != NULL && !emit->builder->failed; layer = next) {
        next = next_updated(emit->graph, layer->index);
        vdnn_parameters_fetch(emit, layer, VDNN_BACKWARD_FILTER);
        if (next != NULL)
            vdnn_parameters_fetch(emit, next, VDNN_BACKWARD_FILTER);
        emit_update(emit, layer);
        drop_block(emit, layer->index);
        emit->gate = emit->last_compute;
    }
}

/* Behind the backward of the block: where it is offloaded, it is fetched once more. */
static void update_later(vdnn_emitter *emit, const vdnn_layer *layer)
{
    emit->params.updates_are_late = true;
    vdnn_parameters_fetch(emit, layer, VDNN_BACKWARD_FILTER);
    emit_update(emit, layer);
    drop_block(emit, layer->index);
    emit->params.updates_are_late = false;
}

/* ---- several devices ------------------------------------------------------------------------- */

static void use_reduced(vdnn_emitter *emit, const vdnn_layer *layer)
{
    if (emit->graph->training.clip_norm == 0) {
        update_later(emit, layer);
        return;
    }
    emit_norm(emit, layer);
    vdnn_gradient_copies_leave(emit, (vdnn_value_id){VDNN_VALUE_SUM, layer->index});
}

/* All but the last `lag` buckets of those that are handed in. */
static void use_buckets(vdnn_emitter *emit, int32_t lag)
{
    for (; emit->buckets.used < emit->buckets.full - lag; emit->buckets.used++) {
        const vdnn_bucket *bucket = &emit->buckets.list[emit->buckets.used];
        for (int32_t i = 0; i < bucket->count && !emit->builder->failed; i++)
            use_reduced(emit, &emit->graph->layers[emit->buckets.blocks[bucket->first + i]]);
    }
}

void vdnn_parameters_use_reduced(vdnn_emitter *emit)
{
    use_buckets(emit, 0);
}

/* The buckets before are used now: they were summed while this one's gradients were computed. */
static void reduce_gradient(vdnn_emitter *emit, const vdnn_layer *layer)
{
    if (vdnn_buckets_hand_in(emit, layer))
        use_buckets(emit, emit->decisions->buckets.lag + 1);
}

/* Of several devices, running statistics are updated before the bucket that they lie in is summed:
 * they are each device's own. */
void vdnn_parameters_use_gradient(vdnn_emitter *emit, const vdnn_layer *layer)
{
    const vdnn_layer *owner = owner_of(emit, layer);
    const bool is_last = vdnn_emitter_is_last_micro(emit);
    if (!is_last || emit->graph->devices > 1)
        emit_average(emit, owner);
    if (!is_last || !vdnn_graph_ends_gradient(emit->graph, layer) || emit->defers_filters)
        return; /* filter passes may recompute maps from the parameters as they are */
    if (owner->is_lent)
        return; /* its sum goes to the stage that keeps the block */
    if (emit->graph->devices > 1)
        reduce_gradient(emit, owner);
    else if (emit->graph->training.clip_norm > 0)
        emit_norm(emit, owner);
    else
        emit_update(emit, owner);
}
