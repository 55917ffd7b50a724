#include "runtime/planner/steps/batch.h"

enum { NONE = -1 };

/* ---- places for the next batch --------------------------------------------------------------- */

static int32_t make_ahead(vdnn_emitter *emit, int32_t input, vdnn_class class, const char *label)
{
    const size_t bytes = vdnn_desc_bytes(&emit->graph->inputs[input].desc);
    return vdnn_emitter_buffer(emit, class, VDNN_TIER_DEVICE, bytes, NONE, NONE, label).buffer;
}

/* Of what is loaded late, the next step's is beside this one's. */
static void make_places(vdnn_emitter *emit, int32_t input, vdnn_class arrived, vdnn_class ahead)
{
    const vdnn_graph_input *row = &emit->graph->inputs[input];
    vdnn_plan *plan = emit->plan;
    plan->arrived[input] = NONE;
    if (plan->loads == VDNN_LOADS_LATE)
        plan->arrived[input] = make_ahead(emit, input, arrived, row->name);
    plan->ahead[input] = make_ahead(emit, input, ahead, row->next);
    if (plan->loads == VDNN_LOADS_AHEAD)
        plan->arrived[input] = plan->ahead[input];
}

void vdnn_batch_create(vdnn_emitter *emit)
{
    const int32_t labels = vdnn_graph_labels_row(emit->graph);
    for (int32_t i = 0; i < emit->graph->input_count; i++)
        emit->plan->ahead[i] = emit->plan->arrived[i] = NONE;
    if (emit->plan->loads == VDNN_LOADS_OWN)
        return;
    emit->late_layer = vdnn_emitter_next_in_backward(emit, emit->plan->load_layer + 1);
    make_places(emit, labels, VDNN_CLASS_LABELS_ARRIVED, VDNN_CLASS_LABELS_AHEAD);
    for (int32_t i = 0; i < labels; i++)
        make_places(emit, i, VDNN_CLASS_INPUT_ARRIVED, VDNN_CLASS_INPUT_AHEAD);
}

/* ---- loads ----------------------------------------------------------------------------------- */

static void emit_load(vdnn_emitter *emit, vdnn_place *to, int32_t behind, const char *label)
{
    int32_t step = vdnn_emitter_step(emit, VDNN_STEP_LOAD, NONE, emit->half, label);
    vdnn_emitter_write(emit, step, to, VDNN_BIND_DST, 0);
    if (!emit->builder->failed)
        vdnn_builder_wait_for(emit->builder, step, behind);
}

/* From where the step before this one had it loaded; the next step's is loaded there, at once or
 * late. */
static void emit_take(vdnn_emitter *emit, vdnn_place *to, int32_t input)
{
    const vdnn_graph_input *row = &emit->graph->inputs[input];
    vdnn_place from = vdnn_place_of(emit->plan->arrived[input]);
    int32_t step = vdnn_emitter_step(emit, VDNN_STEP_TAKE, NONE, VDNN_FORWARD, row->name);
    vdnn_emitter_read(emit, step, from, VDNN_BIND_SRC, 0);
    vdnn_emitter_write(emit, step, to, VDNN_BIND_DST, 0);
    if (emit->plan->loads == VDNN_LOADS_AHEAD)
        emit_load(emit, &from, step, row->next);
}

static void emit_input(vdnn_emitter *emit, vdnn_place *to, int32_t input)
{
    if (vdnn_plan_loads_ahead(emit->plan))
        emit_take(emit, to, input);
    else
        emit_load(emit, to, emit->gate, emit->graph->inputs[input].name);
}

void vdnn_batch_load(vdnn_emitter *emit)
{
    const int32_t labels = vdnn_graph_labels_row(emit->graph);
    emit->labels = vdnn_emitter_buffer(emit, VDNN_CLASS_LABELS, VDNN_TIER_DEVICE,
                                       vdnn_graph_label_bytes(emit->shape), NONE, NONE,
                                       emit->graph->inputs[labels].name);
    for (int32_t i = 0; i < labels; i++)
        emit->maps[i] = vdnn_emitter_map_buffer(emit, i, VDNN_TIER_DEVICE);
    if (vdnn_graph_reads_input(emit->graph, labels))
        emit_input(emit, &emit->labels, labels);
    for (int32_t i = 0; i < labels; i++)
        if (vdnn_graph_reads_input(emit->graph, i))
            emit_input(emit, &emit->maps[i], i);
}

void vdnn_batch_load_late(vdnn_emitter *emit)
{
    const vdnn_graph *graph = emit->graph;
    for (int32_t i = 0, labels = vdnn_graph_labels_row(graph); i <= labels; i++) {
        const int32_t input = i == 0 ? labels : i - 1;
        vdnn_place to = vdnn_place_of(emit->plan->ahead[input]);
        emit_load(emit, &to, emit->last_compute, graph->inputs[input].next);
    }
}
