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

static void add_send(vdnn_emitter *emit, vdnn_pass half, vdnn_place from, int32_t layer,
                     const char *label)
{
    int32_t step = vdnn_emitter_step(emit, VDNN_STEP_SEND, layer, half, label);
    vdnn_emitter_read(emit, step, from, VDNN_BIND_SRC, 0);
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
            add_send(emit, VDNN_FORWARD, emit->maps[tensor->map], maker_of(emit, t), tensor->name);
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
        add_send(emit, VDNN_BACKWARD_DATA, emit->gradients[t], maker_of(emit, t), tensor->name);
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
        add_send(emit, VDNN_BACKWARD_FILTER, emit->params.norm, NONE, norm_label);
        new_norm(emit);
        add_receive(emit, VDNN_FORWARD, &emit->params.norm, NONE, norm_label);
    }
    if (emit->graph->learns_behind)
        add_send(emit, VDNN_FORWARD, emit->params.norm, NONE, norm_label);
}
