/* A point on simulated devices: its plans, of at most two shapes, on one clock. */

#include "runtime/base/heap.h"
#include "runtime/fit/device_times.h"
#include "runtime/fit/fit.h"
#include "runtime/scale/scale.h"

#include <math.h>

/* What is planned for the point. */
typedef struct planned {
    vdnn_setup first, lesser;
    vdnn_fit_plans first_plans, lesser_plans;
    int32_t first_count; /* of devices with the larger share */
} planned;

static void planned_fini(planned *own)
{
    vdnn_fit_plans_fini(&own->lesser_plans);
    vdnn_fit_plans_fini(&own->first_plans);
    vdnn_setup_lesser_end(&own->lesser);
    vdnn_setup_end(&own->first);
}

/* The larger share decides whether the point fits. */
static vdnn_status plan_first(const vdnn_run_options *options, const vdnn_messages *messages,
                              planned *own, vdnn_scale_figures *figures)
{
    vdnn_status status = vdnn_setup_begin(options, messages, &own->first);
    VDNN_IF_OK(status, vdnn_setup_measure(options, messages, &own->first));
    if (status != VDNN_OK)
        return status;
    const vdnn_fit_request request = {
        .setup = &own->first, .policy = options->policy, .algo = options->algo};
    status = vdnn_fit_plan(&request, &own->first_plans);
    figures->fits = status == VDNN_OK;
    return status == VDNN_NO_FIT
               ? vdnn_fit_smallest(&request, &own->first_plans, &figures->smallest_bytes)
               : status;
}

static vdnn_status plan_lesser(const vdnn_run_options *options, planned *own,
                               vdnn_scale_figures *figures)
{
    const vdnn_fit_request request = {
        .setup = &own->lesser, .policy = options->policy, .algo = options->algo};
    vdnn_status status = vdnn_setup_lessen(&own->first, own->first_plans.training, &own->lesser);
    VDNN_IF_OK(status, vdnn_fit_plan(&request, &own->lesser_plans));
    if (status == VDNN_NO_FIT) {
        figures->fits = false;
        return VDNN_OK;
    }
    return status;
}

static double sum_of_reductions(const vdnn_plan *plan)
{
    double bytes = 0;
    for (int32_t s = 0; s < plan->step_count; s++)
        if (vdnn_step_row_of(plan->steps[s].kind)->cost == VDNN_COST_REDUCE)
            bytes += (double)plan->steps[s].bytes;
    return bytes;
}

/* The slowest device's step, and the most that any of them shows of its sums. */
static vdnn_status time_devices(const planned *own, int32_t count, vdnn_scale_figures *figures)
{
    const vdnn_plan **plans = vdnn_heap_calloc((size_t)count, sizeof *plans);
    vdnn_together_times *times = vdnn_heap_calloc((size_t)count, sizeof *times);
    vdnn_status status = VDNN_OK;
    if (plans == NULL || times == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %d devices", (int)count);
    for (int32_t d = 0; status == VDNN_OK && d < count; d++) {
        plans[d] = d < own->first_count ? own->first_plans.training : own->lesser_plans.training;
        figures->peak_bytes[d] = plans[d]->peak_bytes[VDNN_TIER_DEVICE];
    }
    VDNN_IF_OK(status, vdnn_device_times_find(&own->first, plans, count, times));
    for (int32_t d = 0; status == VDNN_OK && d < count; d++) {
        figures->step_seconds = fmax(figures->step_seconds, times[d].step_seconds);
        figures->exposed_reduce_seconds =
            fmax(figures->exposed_reduce_seconds, times[d].exposed_reduce_seconds);
    }
    if (status == VDNN_OK)
        figures->reduced_bytes = sum_of_reductions(plans[0]);
    if (status == VDNN_OK)
        figures->saved_bytes = vdnn_graph_shard_saves(plans[0]->graph);
    vdnn_heap_free(plans);
    vdnn_heap_free(times);
    return status;
}

vdnn_status vdnn_scale_plan(const vdnn_scale *scale, const vdnn_scale_point *point,
                            vdnn_scale_figures *figures)
{
    planned own = {.first_count = point->devices};
    vdnn_run_options options = scale->options; /* borrowed */
    vdnn_messages silent;
    options.ask.batch = point->batch;
    options.devices = point->devices;
    options.reduce = point->reduce;
    options.shards = point->shards;
    vdnn_status status = vdnn_messages_take(NULL, &silent);
    VDNN_IF_OK(status, plan_first(&options, &silent, &own, figures));
    if (status == VDNN_OK)
        own.first_count = vdnn_setup_first_count(&own.first);
    if (status == VDNN_OK && own.first_count < point->devices)
        status = plan_lesser(&options, &own, figures);
    VDNN_IF_OK(status, time_devices(&own, point->devices, figures));
    planned_fini(&own);
    return status;
}
