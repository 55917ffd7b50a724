#include "runtime/plan/step_kind.h"

#include <stddef.h>

const vdnn_step_row vdnn_step_rows[VDNN_STEP_KIND_COUNT] = {
#define X(name, text, stream, work, cost, verb, forward, backward)                                 \
    {text, VDNN_STREAM_##stream, VDNN_WORK_##work,    VDNN_COST_##cost,                            \
     verb, VDNN_NVTX_##forward,  VDNN_NVTX_##backward},
    VDNN_STEP_TABLE(X)
#undef X
};

const char *vdnn_step_kind_text(vdnn_step_kind kind)
{
    return (size_t)kind < VDNN_STEP_KIND_COUNT ? vdnn_step_rows[kind].text : "unknown";
}
