#include "runtime/planner/clock/timing.h"

#include "runtime/base/heap.h"
#include "runtime/planner/clock/link.h"

/* Read and written for each element. */
enum {
    UPDATE_TRAFFIC = 3, /* weights and gradients by an update, */
    SLOT_TRAFFIC = 2,   /* and each slot */
    TAKE_TRAFFIC = 2,   /* what is taken */
};

double vdnn_timing_update(const vdnn_profile *profile, const vdnn_graph *graph, size_t bytes)
{
    int32_t traffic = UPDATE_TRAFFIC + SLOT_TRAFFIC * graph->training.optimizer->slot_count;
    return profile->launch_seconds +
           traffic * (double)bytes / profile->elementwise_bytes_per_second;
}

double vdnn_timing_take(const vdnn_profile *profile, size_t bytes)
{
    return profile->launch_seconds +
           TAKE_TRAFFIC * (double)bytes / profile->elementwise_bytes_per_second;
}

void vdnn_timing_tasks(const vdnn_plan *plan, const vdnn_rates *rates, vdnn_clock_task *tasks)
{
    for (int32_t s = 0; s < plan->step_count; s++) {
        const vdnn_step *step = &plan->steps[s];
        const vdnn_step_cost cost = vdnn_step_row_of(step->kind)->cost;
        if (cost == VDNN_COST_LINK)
            tasks[s] = vdnn_link_copy(rates, step->stream, step->bytes);
        else if (cost == VDNN_COST_REDUCE && rates->reduce.way_count > 0)
            tasks[s] =
                vdnn_link_reduce(rates, vdnn_step_reduce_part(plan->graph, step), step->bytes);
        else
            tasks[s] = vdnn_link_compute(rates, step->stream, vdnn_step_compute(plan->graph, step),
                                         step->seconds);
        tasks[s].first_wait = step->first_wait;
        tasks[s].wait_count = step->wait_count;
    }
}

vdnn_status vdnn_timing_run(const vdnn_plan *plan, const vdnn_profile *profile, double *start,
                            double *end)
{
    const vdnn_rates rates = vdnn_profile_rates(profile);
    double channels[VDNN_LINK_CHANNELS];
    vdnn_clock_task *tasks = vdnn_heap_calloc((size_t)plan->step_count, sizeof *tasks);
    if (tasks == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the times of %d steps",
                                (int)plan->step_count);
    vdnn_timing_tasks(plan, &rates, tasks);
    (void)vdnn_clock_run(tasks, plan->step_count, plan->waits,
                         vdnn_link_channels(&rates, 1, channels), start, end);
    vdnn_heap_free(tasks);
    return VDNN_OK;
}
