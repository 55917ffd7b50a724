#include "runtime/planner/clock/timing.h"

#include "runtime/base/heap.h"
#include "runtime/planner/clock/link.h"

#include <math.h>

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
        if (vdnn_step_row_of(step->kind)->cost == VDNN_COST_LINK)
            tasks[s] = vdnn_link_copy(rates, step->stream, step->bytes);
        else
            tasks[s] = (vdnn_clock_task){.seconds = step->seconds, .stream = (int32_t)step->stream};
        tasks[s].first_wait = step->first_wait;
        tasks[s].wait_count = step->wait_count;
    }
}

/* The plans of one link: all their tasks, one plan's after the other's, and their waits. */
typedef struct joint {
    vdnn_clock_task *tasks;
    int32_t *waits;
    double *start, *end;
} joint;

static bool joint_init(joint *all, size_t tasks, size_t waits)
{
    *all = (joint){.tasks = vdnn_heap_calloc(tasks, sizeof *all->tasks),
                   .waits = vdnn_heap_calloc(waits + 1, sizeof *all->waits),
                   .start = vdnn_heap_calloc(2 * tasks, sizeof *all->start)};
    all->end = all->start + tasks;
    return all->tasks != NULL && all->waits != NULL && all->start != NULL;
}

static void joint_fini(joint *all)
{
    vdnn_heap_free(all->tasks);
    vdnn_heap_free(all->waits);
    vdnn_heap_free(all->start);
}

static void add_plan(joint *all, const vdnn_plan *plan, const vdnn_rates *rates, int32_t device,
                     int32_t first_task, int32_t first_wait)
{
    vdnn_clock_task *tasks = all->tasks + first_task;
    vdnn_timing_tasks(plan, rates, tasks);
    for (int32_t s = 0; s < plan->step_count; s++) {
        tasks[s].stream += device * VDNN_STREAM_COUNT;
        tasks[s].first_wait += first_wait;
    }
    for (int32_t w = 0; w < plan->wait_count; w++)
        all->waits[first_wait + w] = plan->waits[w] + first_task;
}

static vdnn_status run_link(const vdnn_plan *const *plans, int32_t count, const vdnn_rates *rates,
                            double *seconds)
{
    joint all;
    size_t tasks = 0, waits = 0;
    double channels[VDNN_LINK_CHANNELS];
    for (int32_t d = 0; d < count; d++) {
        tasks += (size_t)plans[d]->step_count;
        waits += (size_t)plans[d]->wait_count;
    }
    if (!joint_init(&all, tasks, waits)) {
        joint_fini(&all);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to time %zu steps at once", tasks);
    }
    int32_t task = 0, wait = 0;
    for (int32_t d = 0; d < count; d++) {
        add_plan(&all, plans[d], rates, d, task, wait);
        task += plans[d]->step_count;
        wait += plans[d]->wait_count;
    }
    (void)vdnn_clock_run(all.tasks, task, all.waits, vdnn_link_channels(rates, count, channels),
                         all.start, all.end);
    task = 0;
    for (int32_t d = 0; d < count; d++) {
        seconds[d] = 0;
        for (int32_t s = 0; s < plans[d]->step_count; s++)
            seconds[d] = fmax(seconds[d], all.end[task++]);
    }
    joint_fini(&all);
    return VDNN_OK;
}

vdnn_status vdnn_timing_together(const vdnn_plan *const *plans, int32_t count,
                                 const vdnn_rates *rates, int32_t on_one_link, double *seconds)
{
    vdnn_status status = VDNN_OK;
    for (int32_t first = 0; status == VDNN_OK && first < count; first += on_one_link) {
        int32_t left = count - first;
        status = run_link(plans + first, left < on_one_link ? left : on_one_link, rates,
                          seconds + first);
    }
    return status;
}
