#include "runtime/planner/steps/forward.h"

#include "runtime/planner/steps/map_copies.h"
#include "runtime/planner/steps/parameters.h"
#include "runtime/planner/steps/step_group.h"

enum { NONE = -1 };

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

void vdnn_forward_part(vdnn_emitter *emit, const vdnn_layer *layer)
{
    int32_t out = emit->graph->tensors[layer->output].map, aux = emit->graph->aux_map[layer->index];
    make_output(emit, layer, out);
    if (aux != NONE && emit->maps[aux].buffer == NONE)
        emit->maps[aux] = vdnn_emitter_aux_buffer(emit, aux, layer);
    if (vdnn_layer_has_pass(layer, VDNN_FORWARD))
        run_forward(emit, layer, out, aux);
    vdnn_map_copies_of_part(emit, layer);
}

/* Parts of a chain are groups of their own; those of a layer alone are one. */
static void forward_parts(vdnn_emitter *emit, vdnn_chain of)
{
    const bool is_alone = of.end - of.begin == 1;
    for (; emit->part < of.parts; emit->part++)
        for (int32_t l = of.begin; l < of.end; l++) {
            if (!is_alone && (emit->part > 0 || l > of.begin)) {
                vdnn_step_group_end(emit, l, VDNN_FORWARD);
                vdnn_step_group_begin(emit);
            }
            vdnn_forward_part(emit, vdnn_emitter_layer(emit, l));
        }
    emit->part = 0;
}

void vdnn_forward_chain(vdnn_emitter *emit, vdnn_chain of)
{
    if (of.is_tail) {
        vdnn_map_copies_out_beside(emit, of);
        return;
    }
    vdnn_step_group_begin(emit);
    emit->chain_group = emit->group;
    for (int32_t l = of.begin; l < of.end; l++)
        vdnn_parameters_fetch_ahead(emit, vdnn_emitter_layer(emit, l), VDNN_FORWARD);
    vdnn_map_copies_out_beside(emit, of);
    forward_parts(emit, of);
    vdnn_map_copies_out_behind(emit, of);
    vdnn_step_group_end(emit, of.end - 1, VDNN_FORWARD);
    for (int32_t l = of.begin; l < of.end; l++)
        vdnn_parameters_drop(emit, vdnn_emitter_layer(emit, l), VDNN_FORWARD);
}
