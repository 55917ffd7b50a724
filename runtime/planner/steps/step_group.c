#include "runtime/planner/steps/step_group.h"

void vdnn_step_group_begin(vdnn_emitter *emit)
{
    emit->group = emit->group_count++;
    emit->gate = emit->last_compute;
    emit->group_copies = emit->group_steps = 0;
    emit->group_first_step = emit->builder->step_count;
}

void vdnn_step_group_end(vdnn_emitter *emit, int32_t layer, vdnn_pass half)
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
