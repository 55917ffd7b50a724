#include "runtime/exec/jobs.h"

#include "runtime/base/heap.h"
#include "runtime/exec/job_runs.h"
#include "runtime/exec/step_digest.h"

#include <string.h>

/* ---- enqueueing ------------------------------------------------------------------------------ */

typedef struct order {
    vdnn_stream_id stream;
    const int32_t *waits;
    int32_t wait_count;
} order;

static order order_of(const vdnn_jobs *jobs, int32_t step)
{
    const vdnn_step *own = &jobs->plan->steps[step];
    return (order){own->stream, &jobs->plan->waits[own->first_wait], own->wait_count};
}

static vdnn_status enqueue_launch(const vdnn_jobs *jobs, int32_t step, vdnn_jobs_inputs *inputs)
{
    (void)inputs;
    order own = order_of(jobs, step);
    return vdnn_device_launch(jobs->device, own.stream, step, own.waits, own.wait_count,
                              &jobs->list[step].launch);
}

static vdnn_status run_nothing(void *argument, void *stream)
{
    (void)argument;
    (void)stream;
    return VDNN_OK;
}

/* Both are the network's, whoever drives the plan. */
static void name_optimizer(vdnn_jobs *jobs)
{
    const vdnn_training *training = &jobs->plan->graph->training;
    jobs->context.optimizer = training->optimizer->id;
    jobs->context.clip_norm = training->clip_norm;
}

static vdnn_status take_context(void *argument, void *stream)
{
    const vdnn_jobs_inputs *inputs = argument;
    (void)stream;
    inputs->jobs->context = inputs->context;
    inputs->jobs->weights = inputs->weights;
    inputs->jobs->found = inputs->found;
    name_optimizer(inputs->jobs);
    return VDNN_OK;
}

/* The first step of a round runs when all of the round before it is complete, and everything else
 * of the round comes after it. */
static vdnn_status enqueue_begin(const vdnn_jobs *jobs, int32_t step, vdnn_jobs_inputs *inputs)
{
    order own = order_of(jobs, step);
    vdnn_launch launch = jobs->list[step].launch;
    launch.run = take_context;
    launch.argument = inputs;
    return vdnn_device_launch(jobs->device, own.stream, step, own.waits, own.wait_count, &launch);
}

static vdnn_status enqueue_copy(const vdnn_jobs *jobs, int32_t step, vdnn_jobs_inputs *inputs)
{
    (void)inputs;
    order own = order_of(jobs, step);
    const vdnn_job *job = &jobs->list[step];
    vdnn_verify_copy copy = {own.stream, own.waits, own.wait_count, job->to, job->from};
    if (jobs->verify != NULL)
        return vdnn_verify_enqueue(jobs->verify, step, &copy);
    return vdnn_device_copy(jobs->device, own.stream, step, own.waits, own.wait_count, job->to,
                            job->from);
}

static vdnn_status enqueue_take(const vdnn_jobs *jobs, int32_t step, vdnn_jobs_inputs *inputs)
{
    (void)inputs;
    order own = order_of(jobs, step);
    const vdnn_job *job = &jobs->list[step];
    return vdnn_device_copy(jobs->device, own.stream, step, own.waits, own.wait_count, job->to,
                            job->from);
}

static vdnn_status enqueue_load(const vdnn_jobs *jobs, int32_t step, vdnn_jobs_inputs *inputs)
{
    order own = order_of(jobs, step);
    const vdnn_job *job = &jobs->list[step];
    const char *batch = inputs->inputs[job->input];
    const void *from = batch == NULL ? NULL : batch + job->offset;
    const vdnn_launch nothing = {.run = run_nothing};
    if (from == NULL && vdnn_plan_loads_ahead(jobs->plan))
        return vdnn_device_launch(jobs->device, own.stream, step, own.waits, own.wait_count,
                                  &nothing);
    return vdnn_device_load(jobs->device, own.stream, step, own.waits, own.wait_count, job->to,
                            from);
}

static vdnn_status enqueue_store(const vdnn_jobs *jobs, int32_t step, vdnn_jobs_inputs *inputs)
{
    order own = order_of(jobs, step);
    return vdnn_device_store(jobs->device, own.stream, step, own.waits, own.wait_count,
                             (char *)inputs->result + jobs->list[step].offset,
                             jobs->list[step].from);
}

static vdnn_status observe(const vdnn_step_observer *observer, int32_t step, bool is_before)
{
    if (observer == NULL)
        return VDNN_OK;
    vdnn_status (*call)(void *, int32_t) = is_before ? observer->before : observer->after;
    return call == NULL ? VDNN_OK : call(observer->context, step);
}

vdnn_status vdnn_jobs_enqueue(const vdnn_jobs *jobs, int32_t step, vdnn_jobs_inputs *inputs)
{
    vdnn_redzone *guard = jobs->guard;
    vdnn_status status = guard == NULL ? VDNN_OK : vdnn_redzone_before(guard, step);
    VDNN_IF_OK(status, observe(inputs->observer, step, true));
    VDNN_IF_OK(status, jobs->list[step].enqueue(jobs, step, inputs));
    VDNN_IF_OK(status, observe(inputs->observer, step, false));
    if (status == VDNN_OK && jobs->digests != NULL)
        status = vdnn_step_digest(jobs->plan, jobs->device, step, &jobs->digests[step]);
    return status == VDNN_OK && guard != NULL ? vdnn_redzone_after(guard, step) : status;
}

void vdnn_jobs_times(const vdnn_jobs *jobs, int32_t step, double *start, double *end)
{
    vdnn_device_times(jobs->device, step, start, end);
    if (jobs->verify != NULL)
        vdnn_verify_start(jobs->verify, step, start);
}

/* ---- making ready ---------------------------------------------------------------------------- */

/* A step's accesses by their role, as addresses. */
typedef struct bound {
    void *at[VDNN_BIND_COUNT];
    const vdnn_buffer *buffer[VDNN_BIND_COUNT];
    size_t first[VDNN_BIND_COUNT]; /* of the buffer */
    void **x, **dx;                /* room for the layer's inputs */
    bool adds_dw;                  /* what is at dw is read, too */
    vdnn_job_stage *stages;        /* what is staged, from the workspace's first byte on */
    int32_t stage_count;
    size_t staged_bytes;
} bound;

/* The next free items of the pools while the jobs are created. */
typedef struct maker {
    vdnn_jobs *jobs;
    void **next_pointer;
    vdnn_extent *next_extent;
    vdnn_job_stage *next_stage;
    vdnn_job_block *next_block;
} maker;

static char *buffer_at(const vdnn_jobs *jobs, const vdnn_buffer *buffer)
{
    char *base = vdnn_device_base(jobs->device, buffer->tier);
    return base == NULL ? NULL : base + buffer->offset;
}

/* What a pass overwrites in place is staged once. */
static vdnn_job_stage *stage_of(bound *result, char *map, const vdnn_access *access)
{
    const vdnn_stripes at = vdnn_access_stripes(access);
    for (int32_t i = 0; i < result->stage_count; i++)
        if (result->stages[i].map == map && result->stages[i].at.offset == at.offset)
            return &result->stages[i];
    vdnn_job_stage *fresh = &result->stages[result->stage_count++];
    char *workspace = result->at[VDNN_BIND_WORKSPACE];
    *fresh = (vdnn_job_stage){
        .at = at, .map = map, .own = workspace == NULL ? NULL : workspace + result->staged_bytes};
    result->staged_bytes += vdnn_part_staged_piece(&at);
    return fresh;
}

/* The workspace comes first. */
static void *stage_access(const vdnn_jobs *jobs, const vdnn_access *access, bound *result)
{
    vdnn_job_stage *stage =
        stage_of(result, buffer_at(jobs, &jobs->plan->buffers[access->buffer]), access);
    stage->reads = stage->reads || (access->mode & VDNN_READ) != 0;
    stage->writes = stage->writes || (access->mode & VDNN_WRITE) != 0;
    return stage->own;
}

/* Of the rows of several parameters the first is bound: kernels find the others from there. */
static void bind_access(const vdnn_jobs *jobs, const vdnn_access *access, bound *result)
{
    const vdnn_buffer *buffer = &jobs->plan->buffers[access->buffer];
    char *begin = buffer_at(jobs, buffer);
    void *at = begin == NULL ? NULL : begin + access->first;
    if (access->bind == VDNN_BIND_DW && access->slot > 0)
        return;
    if (access->stride > 0)
        at = stage_access(jobs, access, result);
    result->at[access->bind] = at;
    result->buffer[access->bind] = buffer;
    result->first[access->bind] = access->first;
    if (access->bind == VDNN_BIND_X)
        result->x[access->slot] = at;
    if (access->bind == VDNN_BIND_DX)
        result->dx[access->slot] = at;
    if (access->bind == VDNN_BIND_DW)
        result->adds_dw = (access->mode & VDNN_READ) != 0;
}

static void bind_accesses(maker *make, int32_t step, bound *result)
{
    const vdnn_plan *plan = make->jobs->plan;
    const vdnn_step *own = &plan->steps[step];
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < own->access_count; i++) {
            const vdnn_access *access = &plan->accesses[own->first_access + i];
            const bool is_first = access->bind == VDNN_BIND_WORKSPACE;
            if (access->mode != VDNN_HOLD && is_first == (pass == 0))
                bind_access(make->jobs, access, result);
        }
}

static void list_extents(maker *make, int32_t step)
{
    const vdnn_plan *plan = make->jobs->plan;
    const vdnn_step *own = &plan->steps[step];
    vdnn_launch *launch = &make->jobs->list[step].launch;
    launch->extents = make->next_extent;
    for (int32_t i = 0; i < own->access_count; i++) {
        const vdnn_access *access = &plan->accesses[own->first_access + i];
        const vdnn_buffer *buffer = &plan->buffers[access->buffer];
        if (access->mode == VDNN_HOLD)
            continue;
        *make->next_extent++ =
            (vdnn_extent){buffer->tier, buffer->offset + access->first, access->bytes};
        launch->extent_count++;
    }
}

static void bind_step(maker *make, int32_t step, bound *result)
{
    const vdnn_plan *plan = make->jobs->plan;
    const vdnn_step *own = &plan->steps[step];
    *result = (bound){.stages = make->next_stage};
    if (vdnn_step_has_kernel(own)) {
        int32_t inputs = plan->graph->layers[own->layer].input_count;
        result->x = make->next_pointer;
        result->dx = make->next_pointer + inputs;
        make->next_pointer += 2 * (size_t)inputs;
    }
    bind_accesses(make, step, result);
    make->next_stage += result->stage_count;
    list_extents(make, step);
}

static vdnn_status find_kernel(vdnn_jobs *jobs, const vdnn_step *step, vdnn_kernel **kernel)
{
    const vdnn_layer *layer = vdnn_plan_step_layer(jobs->plan, step);
    vdnn_pass pass = vdnn_step_kernel_pass(step);
    for (int32_t i = 0; i < jobs->kernel_count; i++) {
        vdnn_kernel *known = jobs->kernels[i];
        if (known->layer == layer && known->pass == pass && known->algorithm == step->algorithm) {
            *kernel = known;
            return VDNN_OK;
        }
    }
    vdnn_kernel *fresh = NULL;
    VDNN_TRY(vdnn_device_kernel(jobs->device, step->algorithm, layer, pass, &fresh));
    jobs->kernels[jobs->kernel_count++] = fresh;
    *kernel = fresh;
    return VDNN_OK;
}

/* The plan's workspace may be larger than the kernel requires after what is staged, never smaller.
 */
static vdnn_status check_workspace(const vdnn_kernel *kernel, const bound *at)
{
    const vdnn_buffer *workspace = at->buffer[VDNN_BIND_WORKSPACE];
    size_t lent = workspace == NULL ? 0 : workspace->bytes;
    if (lent < at->staged_bytes + kernel->workspace_bytes)
        return vdnn_status_fail(VDNN_INTERNAL,
                                "layer '%s', %s: algorithm %s requires %zu bytes of workspace, and "
                                "%zu are staged there; the plan has %zu",
                                kernel->layer->name, vdnn_pass_text(kernel->pass),
                                kernel->algorithm->name, kernel->workspace_bytes, at->staged_bytes,
                                lent);
    return VDNN_OK;
}

static void *workspace_at(const bound *at)
{
    char *workspace = at->at[VDNN_BIND_WORKSPACE];
    return workspace == NULL ? NULL : workspace + at->staged_bytes;
}

static const vdnn_graph_part *part_of(const vdnn_plan *plan, const vdnn_step *step)
{
    return vdnn_graph_part_at(vdnn_graph_of_micro(plan->graph, step->micro), step->layer,
                              step->part);
}

/* Of the weight at `block`, which the step reads or changes; NULL: it takes none, or no copy is
 * kept. */
static void *copy_at(const vdnn_plan *plan, int32_t step, void *at)
{
    char *block = at;
    size_t offset = vdnn_plan_copy_offset(plan, &plan->graph->layers[plan->steps[step].layer]);
    return block == NULL || offset == 0 ? NULL : block + offset;
}

/* Where a part's rows begin. A copy of them that does not begin as blocks do is not used. */
static void bind_rows(const vdnn_plan *plan, const vdnn_step *step, vdnn_kernel_args *args)
{
    const vdnn_layer *layer = &plan->graph->layers[step->layer];
    if (layer->channel_parts == 1 || layer->param_count == 0)
        return;
    const vdnn_part *range = &part_of(plan, step)->range;
    size_t copied = vdnn_part_weight_copy(layer, range).offset;
    if (args->w != NULL)
        args->w = (char *)args->w + vdnn_part_param(layer, range, 0).offset;
    if (args->w_copy != NULL)
        args->w_copy = copied % VDNN_ALIGNMENT == 0 ? (const char *)args->w_copy + copied : NULL;
}

/* Of the batch, which precede those that the step computes. */
static int64_t samples_before(const vdnn_plan *plan, const vdnn_step *step)
{
    const vdnn_graph_part *part = part_of(plan, step);
    return vdnn_graph_first_sample(plan->graph, step->micro) +
           (part == NULL ? 0 : part->range.first_sample);
}

static vdnn_status make_run(maker *make, int32_t step, const bound *at)
{
    vdnn_jobs *jobs = make->jobs;
    const vdnn_graph *graph = jobs->plan->graph;
    const vdnn_step *own = &jobs->plan->steps[step];
    vdnn_job *job = &jobs->list[step];
    vdnn_kernel *kernel = NULL;
    vdnn_status status = find_kernel(jobs, own, &kernel);
    VDNN_IF_OK(status, check_workspace(kernel, at));
    if (status != VDNN_OK)
        return status;
    job->enqueue = enqueue_launch;
    job->launch.run = vdnn_job_run_kernel;
    job->kernel = kernel;
    job->layer = kernel->layer;
    job->micro = own->micro;
    job->stages = at->stages;
    job->stage_count = at->stage_count;
    job->args = (vdnn_kernel_args){
        .x = at->x,
        .y = at->at[VDNN_BIND_Y],
        .dx = at->dx,
        .dy = at->at[VDNN_BIND_DY],
        .w = at->at[VDNN_BIND_W],
        .dw = at->at[VDNN_BIND_DW],
        .state = at->at[VDNN_BIND_STATE],
        .w_copy = copy_at(jobs->plan, step, at->at[VDNN_BIND_W]),
        .aux = at->at[VDNN_BIND_AUX],
        .workspace = workspace_at(at),
        .labels = at->at[VDNN_BIND_LABELS],
        .context = &jobs->context,
        .devices = graph->devices > 1 ? &jobs->devices : NULL,
        .first_sample = samples_before(jobs->plan, own),
        .weight = vdnn_graph_part_weight(graph, own->micro, own->layer, own->part),
        .recompute = own->kind == VDNN_STEP_RECOMPUTE,
        .adds_dw = at->adds_dw,
    };
    bind_rows(jobs->plan, own, &job->args);
    return VDNN_OK;
}

static vdnn_status make_update(maker *make, int32_t step, const bound *at)
{
    const vdnn_plan *plan = make->jobs->plan;
    vdnn_job *job = &make->jobs->list[step];
    job->enqueue = enqueue_launch;
    job->launch.run = vdnn_job_run_update;
    job->layer = &plan->graph->layers[plan->steps[step].layer];
    job->sum = at->at[VDNN_BIND_W];
    job->state = at->at[VDNN_BIND_STATE];
    job->copy = vdnn_job_is_shared(job) ? NULL : copy_at(plan, step, job->sum);
    job->part = at->at[VDNN_BIND_DW];
    job->norm = at->at[VDNN_BIND_SRC];
    return VDNN_OK;
}

static vdnn_status make_norm(maker *make, int32_t step, const bound *at)
{
    const vdnn_plan *plan = make->jobs->plan;
    const vdnn_step *own = &plan->steps[step];
    vdnn_job *job = &make->jobs->list[step];
    job->enqueue = enqueue_launch;
    job->launch.run = vdnn_job_run_norm;
    job->layer = &plan->graph->layers[own->layer];
    job->part = at->at[VDNN_BIND_DW];
    job->norm = at->at[VDNN_BIND_DST];
    job->is_first = true;
    for (int32_t i = 0; i < own->access_count; i++) {
        const vdnn_access *access = &plan->accesses[own->first_access + i];
        if (access->bind == VDNN_BIND_DST && (access->mode & VDNN_READ) != 0)
            job->is_first = false;
    }
    return VDNN_OK;
}

static vdnn_status make_average(maker *make, int32_t step, const bound *at)
{
    vdnn_status status = make_update(make, step, at);
    make->jobs->list[step].averages = true;
    return status;
}

static vdnn_status make_accumulate(maker *make, int32_t step, const bound *at)
{
    vdnn_job *job = &make->jobs->list[step];
    job->enqueue = enqueue_launch;
    job->launch.run = vdnn_job_run_accumulate;
    job->sum = at->at[VDNN_BIND_DST];
    job->part = at->at[VDNN_BIND_SRC];
    bool of_maps = at->buffer[VDNN_BIND_DST]->class == VDNN_CLASS_GRADIENT_MAP;
    job->dtype = of_maps ? make->jobs->plan->graph->dtype : VDNN_F32;
    job->count = (int64_t)(make->jobs->plan->steps[step].bytes / vdnn_dtype_bytes(job->dtype));
    return VDNN_OK;
}

/* Those whose updates read the sum, which may have been elsewhere meanwhile, as they lie in the
 * buffer: in one order on all devices. The checker has found that no other gradient is summed. */
static void list_blocks(maker *make, int32_t step, const bound *at)
{
    const vdnn_plan *plan = make->jobs->plan;
    vdnn_job *job = &make->jobs->list[step];
    job->blocks = make->next_block;
    for (int32_t i = step + 1; i < plan->step_count; i++) {
        const vdnn_step *own = &plan->steps[i];
        for (int32_t k = own->first_access; k < own->first_access + own->access_count; k++) {
            const vdnn_access *access = &plan->accesses[k];
            if (own->kind != VDNN_STEP_UPDATE || access->bind != VDNN_BIND_DW ||
                vdnn_plan_made_by(plan, access) != step)
                continue;
            char *bucket = at->at[VDNN_BIND_DST];
            int32_t place = job->block_count++;
            for (; place > 0 && job->blocks[place - 1].first > access->first; place--)
                job->blocks[place] = job->blocks[place - 1];
            job->blocks[place] = (vdnn_job_block){
                access->first, (float *)(void *)(bucket + access->first - at->first[VDNN_BIND_DST]),
                vdnn_layer_summed_bytes(&plan->graph->layers[own->layer]) / sizeof(float)};
        }
    }
    make->next_block += job->block_count;
}

static vdnn_status make_reduce(maker *make, int32_t step, const bound *at)
{
    vdnn_job *job = &make->jobs->list[step];
    job->enqueue = enqueue_launch;
    job->launch.run = vdnn_job_run_reduce;
    job->sum = at->at[VDNN_BIND_DST];
    if (make->jobs->plan->graph->reduce == VDNN_REDUCE_HOST)
        job->staged = at->at[VDNN_BIND_STAGED];
    job->count = (int64_t)(make->jobs->plan->steps[step].bytes / sizeof(float));
    if (vdnn_step_reduce_part(make->jobs->plan->graph, &make->jobs->plan->steps[step]) ==
        VDNN_REDUCE_SCATTER) {
        job->launch.run = vdnn_job_run_scatter;
        list_blocks(make, step, at);
    }
    return VDNN_OK;
}

static vdnn_status make_gather(maker *make, int32_t step, const bound *at)
{
    const vdnn_plan *plan = make->jobs->plan;
    vdnn_job *job = &make->jobs->list[step];
    job->enqueue = enqueue_launch;
    job->launch.run = vdnn_job_run_gather;
    job->layer = &plan->graph->layers[plan->steps[step].layer];
    job->sum = at->at[VDNN_BIND_DST];
    job->copy = copy_at(plan, step, job->sum);
    job->count = (int64_t)(plan->steps[step].bytes / sizeof(float));
    return VDNN_OK;
}

/* To or from the stage above in the pipeline, or the one below. */
static vdnn_status make_peer(maker *make, int32_t step, const bound *at)
{
    const vdnn_plan *plan = make->jobs->plan;
    const vdnn_step *own = &plan->steps[step];
    vdnn_job *job = &make->jobs->list[step];
    const bool sends = own->kind == VDNN_STEP_SEND;
    job->enqueue = enqueue_launch;
    job->launch.run = sends ? vdnn_job_run_send : vdnn_job_run_receive;
    job->part = at->at[VDNN_BIND_SRC];
    job->sum = at->at[VDNN_BIND_DST];
    job->count = (int64_t)own->bytes;
    job->peer = vdnn_step_peer(own);
    return VDNN_OK;
}

/* A join; on a simulated device, which computes nothing, every launch. */
static vdnn_status make_nothing(maker *make, int32_t step, const bound *at)
{
    (void)at;
    vdnn_job *job = &make->jobs->list[step];
    job->enqueue = step == 0 ? enqueue_begin : enqueue_launch;
    job->launch.run = run_nothing;
    return VDNN_OK;
}

static vdnn_extent extent_of(const bound *at, vdnn_bind bind, size_t bytes)
{
    const vdnn_buffer *buffer = at->buffer[bind];
    VDNN_INVARIANT(buffer != NULL, ==, true); /* the checker has proven that a copy has both */
    return (vdnn_extent){buffer->tier, buffer->offset + at->first[bind], bytes};
}

static vdnn_status make_copy(maker *make, int32_t step, const bound *at)
{
    vdnn_job *job = &make->jobs->list[step];
    size_t bytes = make->jobs->plan->steps[step].bytes;
    job->enqueue = enqueue_copy;
    job->to = extent_of(at, VDNN_BIND_DST, bytes);
    job->from = extent_of(at, VDNN_BIND_SRC, bytes);
    return VDNN_OK;
}

static vdnn_status make_take(maker *make, int32_t step, const bound *at)
{
    vdnn_status status = make_copy(make, step, at);
    make->jobs->list[step].enqueue = enqueue_take;
    return status;
}

static vdnn_status make_load(maker *make, int32_t step, const bound *at)
{
    const vdnn_graph *graph = make->jobs->plan->graph;
    const vdnn_step *own = &make->jobs->plan->steps[step];
    vdnn_job *job = &make->jobs->list[step];
    const int64_t samples = vdnn_graph_of_micro(graph, own->micro)->micro_batch;
    job->enqueue = enqueue_load;
    job->to = extent_of(at, VDNN_BIND_DST, own->bytes);
    job->input = vdnn_plan_input_of(make->jobs->plan, at->buffer[VDNN_BIND_DST]);
    job->offset =
        job->to.bytes / (size_t)samples * (size_t)vdnn_graph_first_sample(graph, own->micro);
    return VDNN_OK;
}

static vdnn_status make_store(maker *make, int32_t step, const bound *at)
{
    vdnn_job *job = &make->jobs->list[step];
    job->enqueue = enqueue_store;
    job->from = extent_of(at, VDNN_BIND_SRC, make->jobs->plan->steps[step].bytes);
    job->offset = (size_t)make->jobs->plan->steps[step].micro * job->from.bytes;
    return VDNN_OK;
}

static vdnn_status make_job(maker *make, int32_t step)
{
    static vdnn_status (*const makers[])(maker * make, int32_t step, const bound *at) = {
        [VDNN_STEP_JOIN] = make_nothing,    [VDNN_STEP_LOAD] = make_load,
        [VDNN_STEP_TAKE] = make_take,       [VDNN_STEP_RUN] = make_run,
        [VDNN_STEP_RECOMPUTE] = make_run,   [VDNN_STEP_ACCUMULATE] = make_accumulate,
        [VDNN_STEP_REDUCE] = make_reduce,   [VDNN_STEP_GATHER] = make_gather,
        [VDNN_STEP_AVERAGE] = make_average, [VDNN_STEP_NORM] = make_norm,
        [VDNN_STEP_UPDATE] = make_update,   [VDNN_STEP_STORE] = make_store,
        [VDNN_STEP_SEND] = make_peer,       [VDNN_STEP_RECEIVE] = make_peer,
    };
    _Static_assert(sizeof makers / sizeof *makers == VDNN_STEP_KIND_COUNT, "each kind has a row");
    vdnn_job *job = &make->jobs->list[step];
    bound at;
    job->jobs = make->jobs;
    job->launch.argument = job;
    bind_step(make, step, &at);
    const vdnn_step *own = &make->jobs->plan->steps[step];
    const vdnn_stream_id stream = own->stream;
    job->launch.seconds = own->seconds;
    job->launch.compute = vdnn_step_compute(make->jobs->plan->graph, own);
    if (vdnn_step_row_of(own->kind)->cost == VDNN_COST_REDUCE) {
        job->launch.reduced_bytes = own->bytes;
        job->launch.reduce_part = vdnn_step_reduce_part(make->jobs->plan->graph, own);
    }
    bool is_launch = vdnn_stream_launches(stream);
    if (is_launch && vdnn_device_describe(make->jobs->device)->simulated)
        return make_nothing(make, step, &at);
    return vdnn_step_kind_copies(own->kind) ? make_copy(make, step, &at)
                                            : makers[own->kind](make, step, &at);
}

/* The host waits for loads: then the batch is taken. */
static void find_awaited(vdnn_jobs *jobs)
{
    const vdnn_plan *plan = jobs->plan;
    for (int32_t i = 0; i < plan->step_count; i++) {
        const vdnn_step *step = &plan->steps[i];
        jobs->awaited[i] = step->kind == VDNN_STEP_LOAD;
        for (int32_t k = 0; k < step->wait_count; k++)
            jobs->awaited[plan->waits[step->first_wait + k]] = true;
    }
}

/* The most that a kernel sums over the devices, of all of them. */
static size_t count_numbers(const vdnn_graph *graph)
{
    size_t most = 0;
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int pass = 0; pass < VDNN_PASS_COUNT; pass++) {
            const size_t count = vdnn_layer_joint_count(&graph->layers[l], (vdnn_pass)pass);
            most = count > most ? count : most;
        }
    return most * (size_t)graph->devices;
}

static vdnn_status make_room(vdnn_jobs *jobs)
{
    const vdnn_plan *plan = jobs->plan;
    size_t runs = 0, pointers = 0, stages = 0, updates = 0;
    for (int32_t i = 0; i < plan->access_count; i++)
        stages += plan->accesses[i].stride > 0;
    for (int32_t i = 0; i < plan->step_count; i++) {
        updates += plan->steps[i].kind == VDNN_STEP_UPDATE;
        if (!vdnn_step_has_kernel(&plan->steps[i]))
            continue;
        runs++;
        pointers += 2 * (size_t)plan->graph->layers[plan->steps[i].layer].input_count;
    }
    jobs->list = vdnn_heap_calloc((size_t)plan->step_count, sizeof *jobs->list);
    jobs->awaited = vdnn_heap_calloc((size_t)plan->step_count, sizeof *jobs->awaited);
    jobs->extents = vdnn_heap_calloc((size_t)plan->access_count, sizeof *jobs->extents);
    jobs->pointers = vdnn_heap_calloc(pointers, sizeof *jobs->pointers);
    jobs->stages = vdnn_heap_calloc(stages, sizeof *jobs->stages);
    jobs->blocks = vdnn_heap_calloc(updates, sizeof *jobs->blocks);
    jobs->kernels = vdnn_heap_calloc(runs, sizeof(vdnn_kernel *));
    jobs->numbers = vdnn_heap_calloc(count_numbers(plan->graph), sizeof *jobs->numbers);
    if (jobs->list == NULL || jobs->awaited == NULL || jobs->extents == NULL ||
        jobs->pointers == NULL || jobs->stages == NULL || jobs->blocks == NULL ||
        jobs->kernels == NULL || jobs->numbers == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to prepare a plan of %d steps",
                                plan->step_count);
    return VDNN_OK;
}

vdnn_status vdnn_jobs_create(const vdnn_plan *plan, vdnn_device *device, vdnn_jobs **jobs)
{
    const vdnn_device_properties *properties = vdnn_device_describe(device);
    const vdnn_elementwise *elementwise = vdnn_elementwise_find(properties->kind);
    if (elementwise == NULL && !properties->simulated)
        return vdnn_status_fail(VDNN_DEVICE, "there are no kernels for the device %s",
                                properties->kind);
    vdnn_jobs *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to prepare a plan");
    fresh->plan = plan;
    fresh->device = device;
    fresh->elementwise = elementwise;
    fresh->threads = properties->threads;
    fresh->devices = (vdnn_kernel_devices){vdnn_jobs_sum_numbers, fresh};
    name_optimizer(fresh);
    vdnn_status status = vdnn_device_select(device); /* whose kernels are created */
    VDNN_IF_OK(status, make_room(fresh));
    maker make = {fresh, fresh->pointers, fresh->extents, fresh->stages, fresh->blocks};
    for (int32_t i = 0; status == VDNN_OK && i < plan->step_count; i++)
        status = make_job(&make, i);
    if (status != VDNN_OK) {
        vdnn_jobs_destroy(fresh);
        return status;
    }
    find_awaited(fresh);
    *jobs = fresh;
    return VDNN_OK;
}

vdnn_status vdnn_jobs_verify(vdnn_jobs *jobs)
{
    VDNN_INVARIANT(jobs->verify == NULL, ==, true);
    return vdnn_verify_create(jobs->plan, jobs->device, &jobs->context, &jobs->verify);
}

vdnn_status vdnn_jobs_guard(vdnn_jobs *jobs)
{
    VDNN_INVARIANT(jobs->guard == NULL, ==, true);
    return vdnn_redzone_create(jobs->plan, jobs->device, &jobs->context, &jobs->guard);
}

vdnn_status vdnn_jobs_join(vdnn_jobs *jobs, vdnn_group *group)
{
    VDNN_INVARIANT(jobs->group == NULL, ==, true);
    jobs->group = group;
    vdnn_status status = vdnn_device_select(jobs->device);
    VDNN_IF_OK(status, vdnn_collectives_open(vdnn_device_describe(jobs->device)->kind, group,
                                             &jobs->collectives));
    if (status != VDNN_OK) /* the others do not wait for it */
        vdnn_group_leave(group, status, vdnn_status_message());
    return status;
}

void vdnn_jobs_destroy(vdnn_jobs *jobs)
{
    if (jobs == NULL)
        return;
    (void)vdnn_device_select(jobs->device);
    for (int32_t i = 0; i < jobs->kernel_count; i++)
        vdnn_kernel_destroy(jobs->kernels[i]);
    vdnn_collectives_close(jobs->collectives);
    vdnn_verify_destroy(jobs->verify);
    vdnn_redzone_destroy(jobs->guard);
    vdnn_heap_free(jobs->numbers);
    vdnn_heap_free(jobs->kernels);
    vdnn_heap_free(jobs->blocks);
    vdnn_heap_free(jobs->stages);
    vdnn_heap_free(jobs->pointers);
    vdnn_heap_free(jobs->extents);
    vdnn_heap_free(jobs->awaited);
    vdnn_heap_free(jobs->list);
    vdnn_heap_free(jobs);
}
