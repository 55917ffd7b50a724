#include "runtime/planner/steps/neighbors.h"

#include "runtime/planner/steps/emitter.h"

enum { NONE = -1 };

void vdnn_neighbors_begin(vdnn_emitter *emit)
{
    emit->receive_gate = emit->pass_gate;
    emit->pass_gate = emit->last_compute;
}

static void add_receive(vdnn_emitter *emit, vdnn_pass half, vdnn_place *to, int32_t layer,
                        const char *label)
{
    int32_t step = vdnn_emitter_step(emit, VDNN_STEP_RECEIVE, layer, half, label);
    vdnn_emitter_write(emit, step, to, VDNN_BIND_DST, 0);
    if (!emit->builder->failed)
        vdnn_builder_wait_for(emit->builder, step, emit->receive_gate);
}

static int32_t add_send(vdnn_emitter *emit, vdnn_pass half, vdnn_place from, int32_t layer,
                        const char *label)
{
    int32_t step = vdnn_emitter_step(emit, VDNN_STEP_SEND, layer, half, label);
    vdnn_emitter_read(emit, step, from, VDNN_BIND_SRC, 0);
    if (!emit->builder->failed) /* of weights no step here was the writer */
        vdnn_builder_wait_for(emit->builder, step, emit->begin);
    return step;
}

/* The layer that makes a tensor, here or in a stage before. */
static int32_t maker_of(const vdnn_emitter *emit, int32_t tensor)
{
    return tensor - vdnn_graph_labels_row(emit->graph);
}

/* ---- maps and their gradients ---------------------------------------------------------------- */

void vdnn_neighbors_receive_maps(vdnn_emitter *emit)
{
    for (int32_t t = 0; t < emit->graph->tensor_count; t++) {
        const vdnn_tensor *tensor = &emit->graph->tensors[t];
        if (!tensor->arrives)
            continue;
        emit->maps[tensor->map] = vdnn_emitter_map_buffer(emit, tensor->map, VDNN_TIER_DEVICE);
        add_receive(emit, VDNN_FORWARD, &emit->maps[tensor->map], maker_of(emit, t), tensor->name);
    }
}

void vdnn_neighbors_send_maps(vdnn_emitter *emit)
{
    for (int32_t t = 0; t < emit->graph->tensor_count; t++) {
        const vdnn_tensor *tensor = &emit->graph->tensors[t];
        if (tensor->departs)
            (void)add_send(emit, VDNN_FORWARD, emit->maps[tensor->map], maker_of(emit, t),
                           tensor->name);
    }
}

void vdnn_neighbors_receive_gradients(vdnn_emitter *emit)
{
    for (int32_t t = 0; t < emit->graph->tensor_count; t++) {
        const vdnn_tensor *tensor = &emit->shape->tensors[t];
        if (!tensor->departs || !tensor->has_gradient)
            continue;
        emit->gradients[t] =
            vdnn_emitter_buffer(emit, VDNN_CLASS_GRADIENT_MAP, VDNN_TIER_DEVICE,
                                vdnn_desc_bytes(&tensor->desc), NONE, tensor->map, tensor->name);
        add_receive(emit, VDNN_BACKWARD_DATA, &emit->gradients[t], maker_of(emit, t), tensor->name);
    }
}

void vdnn_neighbors_send_gradients(vdnn_emitter *emit)
{
    for (int32_t t = 0; t < emit->graph->tensor_count; t++) {
        const vdnn_tensor *tensor = &emit->graph->tensors[t];
        if (!tensor->arrives || !tensor->has_gradient)
            continue;
        vdnn_gradient_copies_in(emit, (vdnn_value_id){VDNN_VALUE_GRADIENT, t}, 0);
        (void)add_send(emit, VDNN_BACKWARD_DATA, emit->gradients[t], maker_of(emit, t),
                       tensor->name);
    }
}

/* ---- shared blocks of parameters ------------------------------------------------------------- */

static vdnn_place new_block(vdnn_emitter *emit, const vdnn_stage_block *block, vdnn_class class,
                            size_t bytes)
{
    return vdnn_emitter_buffer(emit, class, VDNN_TIER_DEVICE, bytes,
                               block->here == NONE ? block->owner : block->here, NONE,
                               emit->graph->layers[block->owner].name);
}

static void lend_weights(vdnn_emitter *emit, const vdnn_stage_block *block)
{
    const vdnn_layer *owner = &emit->graph->layers[block->owner];
    vdnn_place received = vdnn_place_of(NONE);
    vdnn_place *weights = block->here == NONE ? &received : &emit->params.weights[block->here];
    if (block->below == NONE)
        vdnn_parameters_fetch(emit, owner, VDNN_FORWARD);
    else {
        *weights = new_block(emit, block, VDNN_CLASS_WEIGHT, block->param_bytes);
        add_receive(emit, VDNN_FORWARD, weights, block->owner, owner->name);
    }
    if (block->above != NONE)
        emit->params.lent_by = add_send(emit, VDNN_FORWARD, *weights, block->owner, owner->name);
}

void vdnn_neighbors_lend_weights(vdnn_emitter *emit)
{
    emit->receive_gate = emit->pass_gate;
    for (int32_t b = 0; b < emit->graph->stage_block_count && !emit->builder->failed; b++)
        lend_weights(emit, &emit->graph->stage_blocks[b]);
}

/* Where the sum of later stages waits: without micro-batches layers here add to it as it is. */
static int32_t sum_from_above(const vdnn_emitter *emit, const vdnn_stage_block *block)
{
    return emit->graph->micro_batches == 1 && block->here != NONE ? block->here : block->above;
}

void vdnn_neighbors_receive_sums(vdnn_emitter *emit)
{
    for (int32_t b = 0; b < emit->graph->stage_block_count && !emit->builder->failed; b++) {
        const vdnn_stage_block *block = &emit->graph->stage_blocks[b];
        if (block->above == NONE || block->trainable_bytes == 0)
            continue;
        vdnn_place *sum = &emit->params.gradients[sum_from_above(emit, block)];
        *sum = new_block(emit, block, VDNN_CLASS_WEIGHT_GRADIENT, block->trainable_bytes);
        add_receive(emit, VDNN_BACKWARD_FILTER, sum, block->owner,
                    emit->graph->layers[block->owner].name);
    }
}

void vdnn_neighbors_send_sums(vdnn_emitter *emit)
{
    for (int32_t b = 0; b < emit->graph->stage_block_count && !emit->builder->failed; b++) {
        const vdnn_stage_block *block = &emit->graph->stage_blocks[b];
        if (block->below == NONE || block->trainable_bytes == 0)
            continue;
        const int32_t sum = block->here == NONE ? block->above : block->here;
        vdnn_gradient_copies_in(emit, (vdnn_value_id){VDNN_VALUE_SUM, sum}, sum);
        (void)add_send(emit, VDNN_BACKWARD_FILTER, emit->params.gradients[sum], block->owner,
                       emit->graph->layers[block->owner].name);
    }
}

/* ---- the norm of all gradients --------------------------------------------------------------- */

static const char norm_label[] = "norm";

static bool clips(const vdnn_emitter *emit)
{
    return emit->graph->stage.count > 0 && emit->graph->training.clip_norm > 0;
}

static void new_norm(vdnn_emitter *emit)
{
    emit->params.norm = vdnn_emitter_buffer(emit, VDNN_CLASS_NORM, VDNN_TIER_DEVICE,
                                            sizeof(vdnn_norm), NONE, NONE, norm_label);
}

void vdnn_neighbors_receive_norm(vdnn_emitter *emit)
{
    if (!clips(emit) || !emit->graph->learns_behind)
        return;
    new_norm(emit);
    add_receive(emit, VDNN_BACKWARD_FILTER, &emit->params.norm, NONE, norm_label);
}

void vdnn_neighbors_complete_norm(vdnn_emitter *emit)
{
    if (!clips(emit) || emit->params.norm.buffer == NONE)
        return;
    if (emit->graph->stage.number > 0) {
        (void)add_send(emit, VDNN_BACKWARD_FILTER, emit->params.norm, NONE, norm_label);
        new_norm(emit);
        add_receive(emit, VDNN_FORWARD, &emit->params.norm, NONE, norm_label);
    }
    if (emit->graph->learns_behind)
        (void)add_send(emit, VDNN_FORWARD, emit->params.norm, NONE, norm_label);
}
