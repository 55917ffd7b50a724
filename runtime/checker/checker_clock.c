#include "runtime/checker/checker_internal.h"

bool vdnn_checker_before(const vdnn_checker *checker, int32_t a, int32_t b)
{
    return checker->clock[b][checker->plan->steps[a].stream] > checker->position[a];
}

/* What is complete when step `done` is complete is complete for step `i`, too. */
static void learn(vdnn_checker *checker, int32_t i, int32_t done)
{
    int32_t *mine = checker->clock[i];
    const int32_t *theirs = checker->clock[done];
    const vdnn_stream_id stream = checker->plan->steps[done].stream;
    for (int s = 0; s < VDNN_STREAM_COUNT; s++)
        if (theirs[s] > mine[s])
            mine[s] = theirs[s];
    if (checker->position[done] + 1 > mine[stream])
        mine[stream] = checker->position[done] + 1;
}

static vdnn_status check_joins(const vdnn_checker *checker)
{
    const vdnn_plan *plan = checker->plan;
    const int32_t end = plan->step_count - 1;
    for (int32_t i = 1; i <= end; i++) {
        if (!vdnn_checker_before(checker, 0, i))
            return vdnn_checker_refuse(checker, i, 0, -1,
                                       "a step does not wait for begin, so it may run while the "
                                       "training step before is not over");
        if (i < end && !vdnn_checker_before(checker, i, end))
            return vdnn_checker_refuse(checker, i, end, -1,
                                       "end does not join this step, so the next training step "
                                       "may begin while it still runs");
    }
    return VDNN_OK;
}

vdnn_status vdnn_checker_clock(vdnn_checker *checker)
{
    const vdnn_plan *plan = checker->plan;
    int32_t last[VDNN_STREAM_COUNT];
    for (int s = 0; s < VDNN_STREAM_COUNT; s++)
        last[s] = -1;
    for (int32_t i = 0; i < plan->step_count; i++) {
        const vdnn_step *step = &plan->steps[i];
        checker->position[i] = checker->length[step->stream]++;
        if (last[step->stream] >= 0)
            learn(checker, i, last[step->stream]);
        for (int32_t k = 0; k < step->wait_count; k++)
            learn(checker, i, plan->waits[step->first_wait + k]);
        last[step->stream] = i;
    }
    return check_joins(checker);
}
