#include "runtime/graph/pipeline_schedule.h"

#include <stdbool.h>

static const struct {
    const char *text;
    bool fills;  /* runs all forward passes first */
    bool halves; /* runs backward in two halves */
} schedules[] = {
#define X(name, ...) {__VA_ARGS__},
    VDNN_SCHEDULE_TABLE(X)
#undef X
};

const char *vdnn_schedule_text(vdnn_schedule schedule)
{
    return (size_t)schedule < VDNN_SCHEDULE_COUNT ? schedules[schedule].text : "unknown";
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Forward passes before the first backward pass of a stage that does not fill the pipeline: those
 * that the stages after it require to begin. */
static int32_t warm_up(vdnn_schedule schedule, int32_t stages, int32_t stage, int32_t micro_count)
{
    return schedules[schedule].fills ? micro_count : least(micro_count, stages - stage - 1);
}

/* The filter half of a micro-batch comes as many micro-batches after its data half as there are
 * stages before this one: each of them receives its gradient so much earlier. */
int32_t vdnn_pipeline_items(vdnn_schedule schedule, int32_t stages, int32_t stage,
                            int32_t micro_count, vdnn_pipeline_item *items)
{
    const vdnn_pipeline_pass back =
        schedules[schedule].halves ? VDNN_PIPELINE_BACKWARD_DATA : VDNN_PIPELINE_BACKWARD;
    int32_t count = 0, forward = 0, filter = schedules[schedule].halves ? 0 : micro_count;
    while (forward < warm_up(schedule, stages, stage, micro_count))
        items[count++] = (vdnn_pipeline_item){VDNN_PIPELINE_FORWARD, forward++};
    for (int32_t micro = 0; micro < micro_count; micro++) {
        if (forward < micro_count)
            items[count++] = (vdnn_pipeline_item){VDNN_PIPELINE_FORWARD, forward++};
        items[count++] = (vdnn_pipeline_item){back, micro};
        if (micro >= stage && filter < micro_count)
            items[count++] = (vdnn_pipeline_item){VDNN_PIPELINE_BACKWARD_FILTER, filter++};
    }
    while (filter < micro_count)
        items[count++] = (vdnn_pipeline_item){VDNN_PIPELINE_BACKWARD_FILTER, filter++};
    return count;
}

int32_t vdnn_pipeline_in_flight(vdnn_schedule schedule, int32_t stages, int32_t stage,
                                int32_t micro_count)
{
    if (schedules[schedule].fills)
        return micro_count;
    return least(micro_count, schedules[schedule].halves ? stages : stages - stage);
}
