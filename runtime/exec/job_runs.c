#include "runtime/exec/job_runs.h"

#include <string.h>

static vdnn_status clear_between(const vdnn_job *job, size_t begin, size_t end, void *stream)
{
    const vdnn_jobs *jobs = job->jobs;
    return begin == end ? VDNN_OK
                        : jobs->elementwise->clear((char *)job->args.dw + begin, end - begin,
                                                   jobs->threads, stream);
}

/* Of the gradient of a block that layers share, what a kernel did not write is 0; what it did not
 * add to remains. */
static vdnn_status clear_others(const vdnn_job *job, void *stream)
{
    const vdnn_layer *layer = job->layer;
    vdnn_status status = VDNN_OK;
    size_t end = 0;
    for (int32_t p = 0; p < layer->param_count && status == VDNN_OK; p++) {
        status = clear_between(job, end, layer->params[p].offset, stream);
        end = layer->params[p].offset + layer->params[p].bytes;
    }
    return status == VDNN_OK ? clear_between(job, end, layer->trainable_bytes, stream) : status;
}

/* Before the kernel what it reads, after it what it wrote. */
static vdnn_status move_stages(const vdnn_job *job, bool is_before, void *stream)
{
    const vdnn_jobs *jobs = job->jobs;
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; i < job->stage_count && status == VDNN_OK; i++) {
        const vdnn_job_stage *stage = &job->stages[i];
        const vdnn_stripes own = vdnn_part_compact(&stage->at);
        if (is_before && stage->reads)
            status = jobs->elementwise->move(&stage->at, stage->map, &own, stage->own,
                                             jobs->threads, stream);
        if (!is_before && stage->writes)
            status = jobs->elementwise->move(&own, stage->own, &stage->at, stage->map,
                                             jobs->threads, stream);
    }
    return status;
}

/* Where its updates note what is not finite. */
static vdnn_nonfinite *found_by(const vdnn_job *job)
{
    vdnn_nonfinite *found = job->jobs->found;
    return found == NULL ? NULL : &found[job->layer->index];
}

vdnn_status vdnn_job_run_kernel(void *argument, void *stream)
{
    vdnn_job *job = argument;
    const double *weights = job->jobs->weights;
    job->args.stream = stream;
    job->args.found = found_by(job);
    if (weights != NULL && weights[job->micro] > 0) /* else its gradient is 0 in any case */
        job->args.weight = weights[job->micro];
    vdnn_status status = move_stages(job, true, stream);
    VDNN_IF_OK(status, vdnn_kernel_run(job->kernel, &job->args));
    VDNN_IF_OK(status, move_stages(job, false, stream));
    if (status == VDNN_OK && job->args.dw != NULL && job->layer->is_tied && !job->args.adds_dw)
        status = clear_others(job, stream);
    if (status != VDNN_OK)
        return vdnn_status_prefix(status, "layer '%s', %s", job->layer->name,
                                  vdnn_pass_text(job->kernel->pass));
    return VDNN_OK;
}

static vdnn_status expect_group(const vdnn_jobs *jobs)
{
    return jobs->group != NULL
               ? VDNN_OK
               : vdnn_status_fail(VDNN_INTERNAL, "a plan of several devices is run by one alone");
}

bool vdnn_job_is_shared(const vdnn_job *job)
{
    return !job->averages && vdnn_graph_is_sharded(job->jobs->plan->graph, job->layer);
}

/* The floats of the layer's block that this device updates; alone, as when steps are rehearsed, it
 * is the first. */
static vdnn_shard share_of(const vdnn_job *job)
{
    vdnn_group *group = job->jobs->group;
    return vdnn_job_is_shared(job) ? vdnn_graph_shard(job->jobs->plan->graph, job->layer,
                                                      group == NULL ? 0 : vdnn_group_rank(group))
                                   : (vdnn_shard){0, job->layer->trainable_bytes / sizeof(float)};
}

/* What is in the share; nothing of it: count 0. */
static vdnn_update update_of(const vdnn_job *job, const vdnn_param *param, vdnn_shard share)
{
    const vdnn_graph *graph = job->jobs->plan->graph;
    const size_t begin = param->offset / sizeof(float), end = begin + param->bytes / sizeof(float),
                 share_end = share.first + share.count;
    const size_t first = begin > share.first ? begin : share.first,
                 past = end < share_end ? end : share_end;
    if (first >= past)
        return (vdnn_update){.count = 0};
    vdnn_update update = {.rule = param->update,
                          .rate = param->rate,
                          .w = (float *)job->sum + first,
                          .dw = (const float *)job->part + first,
                          .count = (int64_t)(past - first),
                          .layer = job->layer,
                          .copy = begin == 0 ? job->copy : NULL,
                          .norm = job->norm,
                          .found = found_by(job)};
    if (param->update == VDNN_UPDATE_OPTIMIZER)
        vdnn_optimizer_place_slots(job->jobs->context.optimizer, job->state,
                                   vdnn_graph_updated_bytes(graph, job->layer),
                                   (int64_t)(first - share.first), update.slots);
    return update;
}

/* What is updated by one rule each: the layer's parameters; of a block that layers share all of it,
 * which has no statistics. */
static int32_t list_params(const vdnn_layer *layer, vdnn_param params[VDNN_LAYER_PARAMS])
{
    int32_t count = 0;
    if (layer->is_tied) {
        params[0] = (vdnn_param){
            .bytes = layer->trainable_bytes, .trainable = true, .update = VDNN_UPDATE_OPTIMIZER};
        return 1;
    }
    for (int32_t p = 0; p < layer->param_count; p++)
        if (layer->params[p].trainable)
            params[count++] = layer->params[p];
    return count;
}

/* Running statistics after each micro-batch, all others after the last. Of several devices the last
 * statistics are averaged before, too: what is summed over the devices has none. */
static bool is_changed(const vdnn_job *job, const vdnn_param *param)
{
    const bool is_average = param->update == VDNN_UPDATE_AVERAGE;
    return job->averages ? is_average : !is_average || job->jobs->plan->graph->devices == 1;
}

vdnn_status vdnn_job_run_update(void *argument, void *stream)
{
    const vdnn_job *job = argument;
    const vdnn_jobs *jobs = job->jobs;
    vdnn_param params[VDNN_LAYER_PARAMS];
    vdnn_update updates[VDNN_LAYER_PARAMS];
    int32_t count = 0, param_count = list_params(job->layer, params);
    const vdnn_shard share = share_of(job);
    for (int32_t p = 0; p < param_count; p++) {
        const vdnn_update own = update_of(job, &params[p], share);
        if (is_changed(job, &params[p]) && own.count > 0)
            updates[count++] = own;
    }
    vdnn_status status =
        jobs->elementwise->update(updates, count, jobs->threads, &jobs->context, stream);
    if (status != VDNN_OK)
        return vdnn_status_prefix(status, "layer '%s', update", job->layer->name);
    return VDNN_OK;
}

vdnn_status vdnn_job_run_norm(void *argument, void *stream)
{
    const vdnn_job *job = argument;
    const vdnn_jobs *jobs = job->jobs;
    vdnn_param params[VDNN_LAYER_PARAMS];
    vdnn_update updates[VDNN_LAYER_PARAMS];
    int32_t count = list_params(job->layer, params);
    for (int32_t p = 0; p < count; p++)
        updates[p] =
            (vdnn_update){.rule = params[p].update,
                          .dw = (const float *)job->part + params[p].offset / sizeof(float),
                          .count = (int64_t)(params[p].bytes / sizeof(float))};
    return jobs->elementwise->norm(updates, count, job->is_first, jobs->threads, &jobs->context,
                                   job->norm, stream);
}

vdnn_status vdnn_job_run_accumulate(void *argument, void *stream)
{
    const vdnn_job *job = argument;
    const vdnn_jobs *jobs = job->jobs;
    return jobs->elementwise->accumulate(job->sum, job->part, job->dtype, job->count, jobs->threads,
                                         stream);
}

vdnn_status vdnn_jobs_sum_numbers(void *context, double *numbers, size_t count)
{
    const vdnn_jobs *jobs = context;
    double *all = jobs->numbers;
    vdnn_status status = expect_group(jobs);
    VDNN_IF_OK(status, vdnn_group_exchange(jobs->group, VDNN_LANE_COMPUTE, numbers,
                                           count * sizeof *numbers, all));
    for (size_t i = 0; i < count && status == VDNN_OK; i++) {
        numbers[i] = all[i];
        for (size_t r = 1; r < (size_t)vdnn_group_ranks(jobs->group); r++)
            numbers[i] += all[r * count + i];
    }
    return status;
}

/* Which values each device sums. */
static vdnn_shard_rule *const shard_rules[VDNN_REDUCE_COUNT] = {
    [VDNN_REDUCE_RING] = vdnn_shard_even,
    [VDNN_REDUCE_GATHER] = vdnn_shard_first,
    [VDNN_REDUCE_HOST] = vdnn_shard_even,
};

static vdnn_status sum_over_devices(const vdnn_jobs *jobs, float *values, size_t count,
                                    void *stream)
{
    vdnn_shard_rule *rule = shard_rules[jobs->plan->graph->reduce];
    vdnn_status status = expect_group(jobs);
    return status == VDNN_OK ? vdnn_collectives_sum(jobs->collectives, values, count, rule, stream)
                             : status;
}

vdnn_status vdnn_job_run_reduce(void *argument, void *stream)
{
    const vdnn_job *job = argument;
    const size_t count = (size_t)job->count;
    if (job->staged == NULL)
        return sum_over_devices(job->jobs, job->sum, count, stream);
    memcpy(job->staged, job->sum, count * sizeof(float));
    vdnn_status status = sum_over_devices(job->jobs, job->staged, count, stream);
    memcpy(job->sum, job->staged, count * sizeof(float));
    return status;
}

vdnn_status vdnn_job_run_scatter(void *argument, void *stream)
{
    const vdnn_job *job = argument;
    vdnn_status status = expect_group(job->jobs);
    for (int32_t b = 0; status == VDNN_OK && b < job->block_count; b++)
        status = vdnn_collectives_reduce_scatter(job->jobs->collectives, job->blocks[b].values,
                                                 job->blocks[b].count, vdnn_shard_even, stream);
    return status;
}

/* A copy of the weight is of all shares, so it is filled once they are here. */
vdnn_status vdnn_job_run_gather(void *argument, void *stream)
{
    const vdnn_job *job = argument;
    const vdnn_jobs *jobs = job->jobs;
    float *values = job->sum;
    vdnn_status status = expect_group(jobs);
    VDNN_IF_OK(status, vdnn_collectives_all_gather(jobs->collectives, values, (size_t)job->count,
                                                   vdnn_shard_even, stream));
    if (status == VDNN_OK && job->copy != NULL)
        status = jobs->elementwise->copy(
            job->layer, values + job->layer->params[0].offset / sizeof(float), job->copy, stream);
    return status;
}

static int32_t peer_of(const vdnn_job *job)
{
    return vdnn_group_rank(job->jobs->group) + job->peer;
}

vdnn_status vdnn_job_run_send(void *argument, void *stream)
{
    const vdnn_job *job = argument;
    vdnn_status status = expect_group(job->jobs);
    return status == VDNN_OK ? vdnn_collectives_send(job->jobs->collectives, peer_of(job),
                                                     job->part, (size_t)job->count, stream)
                             : status;
}

vdnn_status vdnn_job_run_receive(void *argument, void *stream)
{
    const vdnn_job *job = argument;
    vdnn_status status = expect_group(job->jobs);
    return status == VDNN_OK ? vdnn_collectives_receive(job->jobs->collectives, peer_of(job),
                                                        job->sum, (size_t)job->count, stream)
                             : status;
}
