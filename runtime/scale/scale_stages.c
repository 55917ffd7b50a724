/* A point whose devices are stages of a pipeline, each with as many replicas: the steps of one
 * device's plan, which keeps what backward needs, dealt out to stages on a clock. */

#include "runtime/base/heap.h"
#include "runtime/fit/fit.h"
#include "runtime/planning/partition.h"
#include "runtime/planning/pipeline_clock.h"
#include "runtime/scale/scale.h"

#include <math.h>

/* Bytes of gradients that are summed at a time. */
static const size_t bucket_bytes = (size_t)25 << 20;

/* What all layers take, and the stages that they are cut into. */
typedef struct staged {
    const vdnn_scale_point *point; /* borrowed */
    int32_t replicas;
    vdnn_setup setup; /* of a replica's share of the batch, with unlimited memory */
    double budget_bytes;
    vdnn_fit_plans plans;
    vdnn_action *actions;         /* owned; by map: what is done with it */
    vdnn_partition_layer *layers; /* owned */
    double (*seconds)[3];         /* owned; by layer: forward, data, filter, of a micro-batch */
    double *update_seconds;       /* owned; by layer */
    vdnn_rates rates;             /* with sums over the replicas */
    vdnn_reduce_way neighbor;
    vdnn_partition partition;
    vdnn_pipeline_stage *stages; /* owned */
    vdnn_pipeline_sum *sums;     /* owned; of all stages, one after the other */
} staged;

static void staged_fini(staged *own)
{
    vdnn_partition_fini(&own->partition);
    vdnn_heap_free(own->stages);
    vdnn_heap_free(own->sums);
    vdnn_heap_free(own->actions);
    vdnn_heap_free(own->layers);
    vdnn_heap_free(own->seconds);
    vdnn_heap_free(own->update_seconds);
    vdnn_fit_plans_fini(&own->plans);
    vdnn_setup_end(&own->setup);
}

/* ---- layers ---------------------------------------------------------------------------------- */

/* A replica's step in micro-batches on one device without a budget. */
static vdnn_status plan_whole(const vdnn_scale *scale, staged *own)
{
    vdnn_run_options options = scale->options; /* borrowed */
    vdnn_messages silent;
    options.ask.batch = own->point->batch;
    options.ask.accumulate = own->point->micro_batches;
    options.devices = own->replicas;
    options.reduce = own->point->reduce;
    vdnn_status status = vdnn_messages_take(NULL, &silent);
    VDNN_IF_OK(status, vdnn_setup_begin(&options, &silent, &own->setup));
    VDNN_IF_OK(status, vdnn_setup_measure(&options, &silent, &own->setup));
    if (status != VDNN_OK)
        return status;
    own->budget_bytes = (double)own->setup.budget_bytes[VDNN_TIER_DEVICE];
    own->setup.budget_bytes[VDNN_TIER_DEVICE] = SIZE_MAX / 2;
    const vdnn_fit_request request = {
        .setup = &own->setup, .policy = vdnn_policy_find("base"), .algo = options.algo};
    status = vdnn_fit_plan(&request, &own->plans);
    VDNN_IF_OK(status, vdnn_plan_find_actions(own->plans.training, &own->actions));
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

/* Means over the micro-batches. */
static void find_seconds(staged *own)
{
    const vdnn_plan *plan = own->plans.training;
    static const int kinds[VDNN_PASS_COUNT] = {
        [VDNN_FORWARD] = 0, [VDNN_BACKWARD_DATA] = 1, [VDNN_BACKWARD_FILTER] = 2};
    for (int32_t s = 0; s < plan->step_count; s++) {
        const vdnn_step *step = &plan->steps[s];
        const vdnn_step_row *row = vdnn_step_row_of(step->kind);
        if (step->layer < 0 || row->work != VDNN_WORK_COMPUTE)
            continue;
        if (row->cost == VDNN_COST_UPDATE || row->cost == VDNN_COST_NORM)
            own->update_seconds[step->layer] += step->seconds;
        else
            own->seconds[step->layer][kinds[step->pass]] +=
                step->seconds / (double)plan->graph->micro_batches;
    }
}

/* Bytes of the tensors that layers after this one read, from this one or from before it. */
static double cut_bytes(const vdnn_graph *graph, int32_t layer)
{
    double bytes = 0;
    if (layer + 1 < graph->layer_count && graph->layers[layer + 1].is_fused)
        return (double)INFINITY;
    for (int32_t t = 0; t < graph->tensor_count; t++) {
        const vdnn_tensor *tensor = &graph->tensors[t];
        if (tensor->producer >= 0 && tensor->producer <= layer && tensor->reader_count > 0 &&
            tensor->readers[tensor->reader_count - 1] > layer)
            bytes += (double)vdnn_desc_bytes(&tensor->desc);
    }
    return bytes;
}

/* Parameters with their copy, gradients and state of a layer's block; 0: it owns none. */
static double resident_bytes(const vdnn_plan *plan, const vdnn_layer *layer)
{
    const int32_t l = layer->index;
    double bytes = (double)layer->trainable_bytes;
    if (layer->owner != l)
        return 0;
    for (int i = 0; i < 2; i++) {
        const int32_t buffer = i == 0 ? plan->param_buffer[l] : plan->state_buffer[l];
        bytes += buffer < 0 ? 0 : (double)plan->buffers[buffer].bytes;
    }
    return bytes;
}

static bool is_stashed(const staged *own, int32_t map)
{
    return own->plans.training->graph->maps[map].needed_count > 0 && own->actions[map] == VDNN_KEEP;
}

static vdnn_status find_layers(staged *own)
{
    const vdnn_plan *plan = own->plans.training;
    const vdnn_graph *graph = plan->graph;
    const size_t count = (size_t)graph->layer_count;
    own->layers = vdnn_heap_calloc(count, sizeof *own->layers);
    own->seconds = vdnn_heap_calloc(count, sizeof *own->seconds);
    own->update_seconds = vdnn_heap_calloc(count, sizeof *own->update_seconds);
    if (own->layers == NULL || own->seconds == NULL || own->update_seconds == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the layers of %d stages",
                                (int)own->point->stages);
    find_seconds(own);
    for (int32_t l = 0; l < graph->layer_count; l++)
        own->layers[l] = (vdnn_partition_layer){
            .forward_seconds = own->seconds[l][0],
            .backward_seconds = own->seconds[l][1] + own->seconds[l][2],
            .cut_bytes = cut_bytes(graph, l),
            .parameter_bytes =
                graph->layers[l].owner == l ? (double)graph->layers[l].trainable_bytes : 0,
            .resident_bytes = resident_bytes(plan, &graph->layers[l])};
    for (int32_t m = 0; m < graph->map_count; m++)
        if (is_stashed(own, m)) {
            const vdnn_map *map = &graph->maps[m];
            const int32_t first = map->first_writer >= 0 ? map->first_writer : map->readers[0];
            own->layers[first].stash_bytes += (double)map->bytes;
        }
    return VDNN_OK;
}

/* ---- stages ---------------------------------------------------------------------------------- */

/* Maps of a micro-batch that a stage has until its backward, those that it received among them. */
static double stash_bytes(const staged *own, const vdnn_partition_stage *stage)
{
    const vdnn_graph *graph = own->plans.training->graph;
    double bytes = 0;
    for (int32_t m = 0; m < graph->map_count; m++) {
        const vdnn_map *map = &graph->maps[m];
        bool is_needed = false;
        for (int32_t i = 0; i < map->needed_count; i++)
            is_needed = is_needed ||
                        (map->needed_by[i] >= stage->first && map->needed_by[i] <= stage->last);
        if (is_needed && is_stashed(own, m))
            bytes += (double)map->bytes;
    }
    return bytes;
}

/* The most that a layer of the stage works with beyond that: what crosses it, and its workspace. */
static double working_bytes(const staged *own, const vdnn_partition_stage *stage)
{
    const vdnn_plan *plan = own->plans.training;
    double most = 0, before = stage->first > 0 ? own->layers[stage->first - 1].cut_bytes : 0;
    for (int32_t l = stage->first; l <= stage->last; l++) {
        const double after = isinf(own->layers[l].cut_bytes) ? before : own->layers[l].cut_bytes;
        most = fmax(most, before + after + (double)plan->workspace_bytes[l]);
        before = after;
    }
    return most;
}

/* Blocks of its layers, once each, and what the micro-batches in flight have stashed. */
static double memory_bytes(const staged *own, int32_t s)
{
    const vdnn_graph *graph = own->plans.training->graph;
    const vdnn_partition_stage *stage = &own->partition.stages[s];
    const int32_t flight = vdnn_pipeline_in_flight(own->point->schedule, own->point->stages, s,
                                                   (int32_t)own->point->micro_batches);
    double bytes = working_bytes(own, stage) + flight * stash_bytes(own, stage);
    for (int32_t block = 0; block < graph->layer_count; block++)
        for (int32_t l = stage->first; l <= stage->last; l++)
            if (graph->layers[l].owner == block) {
                bytes += own->layers[block].resident_bytes;
                break;
            }
    return bytes;
}

static double last_seconds(const staged *own, int32_t layer)
{
    return own->seconds[layer][2] +
           (own->point->schedule == VDNN_SCHEDULE_ZB1P ? 0 : own->seconds[layer][1]);
}

/* Buckets of gradients by the layers at whose backward they are complete. */
static void add_sums(const staged *own, const vdnn_partition_stage *stage, vdnn_pipeline_sum *sums,
                     vdnn_pipeline_stage *timed)
{
    double all = 0, done = 0;
    size_t bytes = 0;
    for (int32_t l = stage->first; l <= stage->last; l++)
        all += last_seconds(own, l);
    timed->sums = sums;
    for (int32_t l = stage->last; own->replicas > 1 && l >= stage->first; l--) {
        done += last_seconds(own, l);
        bytes += (size_t)own->layers[l].parameter_bytes;
        if (bytes == 0 || (bytes < bucket_bytes && l > stage->first))
            continue;
        sums[timed->sum_count++] =
            (vdnn_pipeline_sum){.share = all > 0 ? fmin(1, done / all) : 1, .bytes = bytes};
        bytes = 0;
    }
}

static void add_stage(const staged *own, int32_t s, vdnn_pipeline_sum *sums)
{
    const vdnn_partition_stage *stage = &own->partition.stages[s];
    vdnn_pipeline_stage *timed = &own->stages[s];
    for (int32_t l = stage->first; l <= stage->last; l++) {
        timed->forward_seconds += own->seconds[l][0];
        timed->data_seconds += own->seconds[l][1];
        timed->filter_seconds += own->seconds[l][2];
        timed->update_seconds += own->update_seconds[l];
    }
    if (s + 1 < own->partition.stage_count)
        timed->next_bytes = own->layers[stage->last].cut_bytes;
    add_sums(own, stage, sums, timed);
}

/* Stages that fit, where there are any; else the fastest. */
static vdnn_status cut(staged *own)
{
    const vdnn_graph *graph = own->plans.training->graph;
    vdnn_partition_request request = {.layers = own->layers,
                                      .layer_count = graph->layer_count,
                                      .devices = own->point->devices,
                                      .bandwidth = own->neighbor.bytes_per_second,
                                      .cut_factor = 2,
                                      .sum_factor = 2,
                                      .micro_batches =
                                          (int32_t)own->point->micro_batches * own->replicas,
                                      .stages = own->point->stages,
                                      .replicas = own->replicas,
                                      .memory_bytes = own->budget_bytes,
                                      .schedule = own->point->schedule};
    vdnn_status status = vdnn_partition_find(&request, &own->partition);
    request.memory_bytes = 0;
    if (status == VDNN_NO_FIT)
        status = vdnn_partition_find(&request, &own->partition);
    VDNN_TRY(status);
    own->stages = vdnn_heap_calloc((size_t)own->point->stages, sizeof *own->stages);
    own->sums = vdnn_heap_calloc((size_t)graph->layer_count, sizeof *own->sums);
    if (own->stages == NULL || own->sums == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %d stages", (int)own->point->stages);
    for (int32_t s = 0; s < own->partition.stage_count; s++)
        add_stage(own, s, &own->sums[own->partition.stages[s].first]);
    return VDNN_OK;
}

/* ---- the point ------------------------------------------------------------------------------- */

/* The replicas of a stage are neighboring devices. */
static vdnn_status time_stages(const staged *own, vdnn_scale_figures *figures)
{
    const vdnn_pipeline pipeline = {.stages = own->stages,
                                    .stage_count = own->point->stages,
                                    .micro_count = (int32_t)own->point->micro_batches,
                                    .schedule = own->point->schedule,
                                    .neighbor = own->neighbor,
                                    .rates = &own->rates};
    vdnn_pipeline_times times;
    double most = 0;
    for (int32_t d = 0; d < own->point->devices; d++) {
        const double bytes = memory_bytes(own, d / own->replicas);
        figures->peak_bytes[d] = (size_t)bytes;
        most = fmax(most, bytes);
    }
    figures->fits = most <= own->budget_bytes;
    figures->smallest_bytes = figures->fits ? 0 : (size_t)most;
    VDNN_TRY(vdnn_pipeline_time(&pipeline, &times));
    figures->step_seconds = times.step_seconds;
    figures->exposed_reduce_seconds = times.exposed_sum_seconds;
    figures->bubble = times.bubble;
    return VDNN_OK;
}

vdnn_status vdnn_scale_stages(const vdnn_scale *scale, const vdnn_scale_point *point,
                              vdnn_scale_figures *figures)
{
    staged own = {.point = point, .replicas = point->devices / point->stages};
    vdnn_status status = plan_whole(scale, &own);
    if (status == VDNN_OK)
        own.rates = vdnn_profile_rates(own.setup.profile);
    VDNN_IF_OK(status, find_neighbor(&own));
    VDNN_IF_OK(status, find_layers(&own));
    VDNN_IF_OK(status, cut(&own));
    VDNN_IF_OK(status, time_stages(&own, figures));
    staged_fini(&own);
    return status;
}
