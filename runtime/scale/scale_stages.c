/* A point whose devices are stages of a pipeline, each with as many replicas: the network cut by
 * the profile, the stages planned under the policy and the budget, each on its own, and their
 * passes on a clock together. */

#include "runtime/base/heap.h"
#include "runtime/fit/device_times.h"
#include "runtime/fit/fit.h"
#include "runtime/planner/clock/clock.h"
#include "runtime/planner/clock/link.h"
#include "runtime/planner/clock/timing.h"
#include "runtime/planning/pipeline_clock.h"
#include "runtime/scale/scale.h"
#include "runtime/setup/devices/stages.h"

#include <math.h>

/* What all layers take, and the stages that they are cut into. */
typedef struct staged {
    const vdnn_scale *scale;       /* borrowed */
    const vdnn_scale_point *point; /* borrowed */
    int32_t replicas;
    vdnn_setup setup;             /* of a replica's share of the batch */
    vdnn_fit_plans whole;         /* of one device with unlimited memory */
    vdnn_action *actions;         /* owned; by map of the whole: what is done with it */
    vdnn_partition_layer *layers; /* owned */
    vdnn_reduce_way neighbor;
    vdnn_partition partition;
    vdnn_pipeline_stage *stages; /* owned */
} staged;

static void staged_fini(staged *own)
{
    vdnn_partition_fini(&own->partition);
    vdnn_heap_free(own->stages);
    vdnn_heap_free(own->layers);
    vdnn_setup_end(&own->setup);
}

/* ---- what is cut
 * ---------------------------------------------------------------------------------- */

/* A replica's step in micro-batches. */
static vdnn_status begin(staged *own)
{
    vdnn_run_options options = own->scale->options; /* borrowed */
    vdnn_messages silent;
    options.ask.batch = own->point->batch;
    options.ask.accumulate = own->point->micro_batches;
    options.devices = own->replicas;
    options.reduce = own->point->reduce;
    options.shards = own->point->shards && own->replicas > 1;
    vdnn_status status = vdnn_messages_take(NULL, &silent);
    VDNN_IF_OK(status, vdnn_setup_begin(&options, &silent, &own->setup));
    VDNN_IF_OK(status, vdnn_setup_measure(&options, &silent, &own->setup));
    VDNN_IF_OK(status, vdnn_stages_measure(&own->setup, own->point->stages, &own->layers));
    return status;
}

/* Of a send to a neighbor: a hop of a ring of two, at the rate of a ring of all. */
static vdnn_status find_neighbor(staged *own)
{
    vdnn_device_options options = own->setup.device_options;
    const int ranks[] = {2, own->point->devices};
    options.reduce = VDNN_REDUCE_RING;
    for (int i = 0; i < 2; i++) {
        vdnn_device *device;
        options.ranks = ranks[i];
        VDNN_TRY(vdnn_device_open(own->setup.kind, &options, &device));
        const vdnn_reduce_rates reduce = vdnn_device_predict_rates(device).reduce;
        vdnn_device_close(device);
        if (i == 0)
            own->neighbor.latency_seconds = reduce.half.latency_seconds;
        own->neighbor.bytes_per_second = reduce.half.bytes_per_second;
    }
    return VDNN_OK;
}

/* ---- stages ---------------------------------------------------------------------------------- */

/* `memory_bytes`: of a device for what it keeps; 0: the fastest stages, whatever they take. */
static vdnn_status cut(staged *own, double memory_bytes)
{
    const vdnn_partition_request request = {.layers = own->layers,
                                            .layer_count = own->setup.graph->layer_count,
                                            .devices = own->point->devices,
                                            .bandwidth = own->neighbor.bytes_per_second,
                                            .cut_factor = 2,
                                            .sum_factor = 2,
                                            .micro_batches =
                                                (int32_t)own->point->micro_batches * own->replicas,
                                            .stages = own->point->stages,
                                            .replicas = own->replicas,
                                            .memory_bytes = memory_bytes,
                                            .schedule = own->point->schedule};
    return vdnn_partition_find(&request, &own->partition);
}

static bool is_update(const vdnn_step *step)
{
    const vdnn_step_cost cost = vdnn_step_row_of(step->kind)->cost;
    return cost == VDNN_COST_UPDATE || cost == VDNN_COST_NORM;
}

/* When each step ends if nothing is waited for from other stages. */
static vdnn_status run_alone(const vdnn_plan *plan, const vdnn_profile *profile, double **end)
{
    const vdnn_rates rates = vdnn_profile_rates(profile);
    const size_t count = (size_t)plan->step_count;
    double channels[VDNN_LINK_CHANNELS];
    vdnn_clock_task *tasks = vdnn_heap_calloc(count, sizeof *tasks);
    *end = vdnn_heap_calloc(2 * count, sizeof **end);
    if (tasks == NULL || *end == NULL) {
        vdnn_heap_free(tasks);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the times of %zu steps", count);
    }
    vdnn_timing_tasks(plan, &rates, tasks);
    for (size_t s = 0; s < count; s++)
        if (vdnn_step_row_of(plan->steps[s].kind)->cost == VDNN_COST_PEER)
            tasks[s].seconds = tasks[s].bytes = 0;
    (void)vdnn_clock_run(tasks, plan->step_count, plan->waits,
                         vdnn_link_channels(&rates, 1, channels), *end + count, *end);
    vdnn_heap_free(tasks);
    return VDNN_OK;
}

/* The time up to the end of each kernel is that of its pass, with all that it waited for there;
 * updates, and what comes after the last pass, are the end. */
static void share_out(const vdnn_plan *plan, const double *end, vdnn_pipeline_stage *stage)
{
    double *of_pass[VDNN_PASS_COUNT] = {[VDNN_FORWARD] = &stage->forward_seconds,
                                        [VDNN_BACKWARD_DATA] = &stage->data_seconds,
                                        [VDNN_BACKWARD_FILTER] = &stage->filter_seconds};
    const double micros = (double)plan->graph->micro_batches;
    double before = 0, last = 0, updates = 0;
    for (int32_t s = 0; s < plan->step_count; s++) {
        const vdnn_step *step = &plan->steps[s];
        last = fmax(last, end[s]);
        updates += is_update(step) ? step->seconds : 0;
        if (!vdnn_step_has_kernel(step))
            continue;
        *of_pass[step->pass] += fmax(end[s] - before - updates, 0) / micros;
        stage->end_seconds += updates;
        before = end[s];
        updates = 0;
    }
    stage->end_seconds += last - before;
}

/* A stage's sums that no kernel of it hides. */
static double exposed_sums(const vdnn_plan *plan, const double *end)
{
    double exposed = 0, before = 0;
    for (int32_t s = 0; s < plan->step_count; s++) {
        const vdnn_step *step = &plan->steps[s];
        if (step->stream == VDNN_STREAM_COMPUTE) {
            before = fmax(before, end[s]);
            continue;
        }
        if (vdnn_step_row_of(step->kind)->cost == VDNN_COST_REDUCE && end[s] > before)
            exposed = fmax(exposed, end[s] - before);
    }
    return exposed;
}

/* Under the schedule of half passes, stages have as many micro-batches in flight as the first one:
 * they are planned like it, with whole passes, whose times have halves. */
static vdnn_stage range_of(const staged *own, int32_t s)
{
    const vdnn_partition_stage *cut = &own->partition.stages[s];
    const bool halves = own->point->schedule == VDNN_SCHEDULE_ZB1P;
    return (vdnn_stage){.first = cut->first,
                        .end = cut->last + 1,
                        .number = halves ? 0 : s,
                        .count = own->point->stages,
                        .schedule = halves ? VDNN_SCHEDULE_1F1B : own->point->schedule};
}

static vdnn_status time_stage(staged *own, int32_t s, const vdnn_setup *setup,
                              const vdnn_plan *plan, vdnn_scale_figures *figures)
{
    double *end;
    vdnn_status status = run_alone(plan, setup->profile, &end);
    if (status == VDNN_OK) {
        const vdnn_rates rates = vdnn_profile_rates(setup->profile);
        const double exposed = exposed_sums(plan, end);
        share_out(plan, end, &own->stages[s]);
        own->stages[s].end_seconds += vdnn_device_times_taken(plan, &rates, exposed);
        figures->exposed_reduce_seconds = fmax(figures->exposed_reduce_seconds, exposed);
        if (s + 1 < own->point->stages)
            own->stages[s].next_bytes = own->layers[own->partition.stages[s].last].cut_bytes;
    }
    vdnn_heap_free(end);
    return status;
}

/* The replicas of a stage are neighboring devices. */
static vdnn_status plan_stage(staged *own, int32_t s, vdnn_scale_figures *figures)
{
    vdnn_graph_options options = vdnn_graph_asked(own->setup.graph);
    vdnn_setup derived;
    vdnn_fit_plans plans = {0};
    size_t smallest_bytes = 0;
    options.stage = range_of(own, s);
    VDNN_TRY(vdnn_fit_derive(&own->setup, &options, &derived));
    const vdnn_fit_request request = {
        .setup = &derived, .policy = own->scale->options.policy, .algo = own->scale->options.algo};
    vdnn_status status = vdnn_fit_plan(&request, &plans);
    if (status == VDNN_OK) {
        for (int32_t r = 0; r < own->replicas; r++)
            figures->peak_bytes[s * own->replicas + r] =
                plans.training->peak_bytes[VDNN_TIER_DEVICE];
        status = time_stage(own, s, &derived, plans.training, figures);
    } else if (status == VDNN_NO_FIT) {
        figures->fits = false;
        status = vdnn_fit_smallest(&request, &plans, &smallest_bytes);
        if (smallest_bytes > figures->smallest_bytes)
            figures->smallest_bytes = smallest_bytes;
    }
    vdnn_fit_plans_fini(&plans);
    vdnn_fit_derived_end(&derived);
    return status;
}

static vdnn_status plan_stages(staged *own, vdnn_scale_figures *figures)
{
    const size_t count = (size_t)own->point->stages;
    vdnn_heap_free(own->stages);
    own->stages = vdnn_heap_calloc(count, sizeof *own->stages);
    if (own->stages == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %zu stages", count);
    figures->fits = true;
    figures->smallest_bytes = 0;
    vdnn_status status = VDNN_OK;
    for (int32_t s = 0; s < own->point->stages; s++)
        VDNN_IF_OK(status, plan_stage(own, s, figures));
    return status;
}

/* The fastest stages; where these do not fit, the fastest that fit by what they keep. */
static vdnn_status cut_and_plan(staged *own, vdnn_scale_figures *figures)
{
    const size_t budget_bytes = own->setup.budget_bytes[VDNN_TIER_DEVICE];
    VDNN_TRY(cut(own, 0));
    VDNN_TRY(plan_stages(own, figures));
    if (figures->fits)
        return VDNN_OK;
    vdnn_status status = cut(own, (double)budget_bytes);
    if (status == VDNN_NO_FIT)
        return VDNN_OK;
    return status == VDNN_OK ? plan_stages(own, figures) : status;
}

/* ---- the point ------------------------------------------------------------------------------- */

vdnn_status vdnn_scale_stages(const vdnn_scale *scale, const vdnn_scale_point *point,
                              vdnn_scale_figures *figures)
{
    staged own = {.scale = scale, .point = point, .replicas = point->devices / point->stages};
    vdnn_pipeline_times times = {0};
    vdnn_status status = begin(&own);
    VDNN_IF_OK(status, find_neighbor(&own));
    VDNN_IF_OK(status, cut_and_plan(&own, figures));
    const vdnn_pipeline pipeline = {.stages = own.stages,
                                    .stage_count = point->stages,
                                    .micro_count = (int32_t)point->micro_batches,
                                    .schedule = point->schedule,
                                    .neighbor = own.neighbor};
    if (status == VDNN_OK && figures->fits)
        status = vdnn_pipeline_time(&pipeline, &times);
    figures->step_seconds = times.step_seconds;
    figures->bubble = times.bubble;
    staged_fini(&own);
    return status;
}
