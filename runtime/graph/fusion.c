#include "runtime/graph/fusion.h"

static bool saves_for_backward(const vdnn_layer *layer)
{
    vdnn_needs needs = layer->needs[VDNN_BACKWARD_DATA] | layer->needs[VDNN_BACKWARD_FILTER];
    return (needs & VDNN_NEEDS_AUX) != 0;
}

void vdnn_fusion_apply(vdnn_graph *graph)
{
    for (int32_t i = 0; i < graph->layer_count && !graph->unfused; i++) {
        vdnn_layer *second = &graph->layers[i];
        if (!second->in_place || saves_for_backward(second))
            continue;
        vdnn_layer *first = &graph->layers[graph->tensors[second->inputs[0]].producer];
        first->epilogue = vdnn_layer_def_epilogue(first->def, second->def);
        second->is_fused = first->epilogue != VDNN_EPILOGUE_NONE;
    }
}
