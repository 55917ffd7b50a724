#include "runtime/graph/fusion.h"

void vdnn_fusion_apply(vdnn_graph *graph)
{
    for (int32_t i = 0; i < graph->layer_count && !graph->unfused; i++) {
        vdnn_layer *second = &graph->layers[i];
        if (!second->in_place || (vdnn_layer_needs(second) & VDNN_NEEDS_AUX) != 0)
            continue;
        vdnn_layer *first = &graph->layers[graph->tensors[second->inputs[0]].producer];
        first->epilogue = vdnn_layer_def_epilogue(first->def, second->def);
        second->is_fused = first->epilogue != VDNN_EPILOGUE_NONE;
    }
}
