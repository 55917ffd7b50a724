#include "runtime/plan/step_kind.h"

#include <stddef.h>

const vdnn_step_row vdnn_step_rows[VDNN_STEP_KIND_COUNT] = {
#define X(name, text, stream, work, cost, verb, forward, backward)                                 \
    {text, VDNN_STREAM_##stream, VDNN_WORK_##work,    VDNN_COST_##cost,                            \
     verb, VDNN_NVTX_##forward,  VDNN_NVTX_##backward},
    VDNN_STEP_TABLE(X)
#undef X
};

vdnn_step_kind vdnn_step_kind_of_copy(vdnn_tier from, vdnn_tier to)
{
    int kind = 0;
    while (!vdnn_step_kind_copies((vdnn_step_kind)kind) ||
           vdnn_stream_from(vdnn_step_rows[kind].stream) != from ||
           vdnn_stream_to(vdnn_step_rows[kind].stream) != to)
        kind++;
    return (vdnn_step_kind)kind;
}

const char *vdnn_step_kind_text(vdnn_step_kind kind)
{
    return (size_t)kind < VDNN_STEP_KIND_COUNT ? vdnn_step_rows[kind].text : "unknown";
}
