#include "runtime/exec/executor.h"
#include "runtime/base/heap.h"
#include "runtime/checker/checker.h"
#include "runtime/exec/jobs.h"
#include "traces/step_ranges.h"

#include <string.h>

enum { RESULT_FLOATS = 2 }; /* of a part of a micro-batch: mean loss, correct predictions */

/* A step in flight. */
typedef struct training_step {
    vdnn_jobs_inputs inputs; /* staging block of its result */
    double *weights;         /* per micro-batch, if they depend on the labels; else NULL */
    vdnn_span *launches;     /* plan->step_count; NULL: the device is simulated */
    vdnn_executor_batch batch;
    bool has_round, is_loading, timed;
    vdnn_first_error error; /* why not all of it was enqueued */
} training_step;

struct vdnn_executor {
    const vdnn_plan *plan; /* borrowed */
    vdnn_device *device;   /* borrowed */
    vdnn_jobs *jobs;
    training_step steps[VDNN_DEVICE_ROUNDS];
    uint64_t begun, finished; /* steps so far */
    int32_t last_load;        /* the plan's; on one stream, so it comes after the others */
    bool has_batch;           /* the next step's was loaded ahead, or is by those under way */
    vdnn_timeline timeline;
    vdnn_step_ranges *ranges; /* NULL: no tool is attached */
    vdnn_live_edge *scratch;  /* 2 * plan->buffer_count */
    bool has_begun;
    double first_begin; /* on the device's clock */
};

/* ---- making ready ---------------------------------------------------------------------------- */

static vdnn_status check_tier(const vdnn_device *device, vdnn_tier tier, size_t span_bytes)
{
    size_t bytes = vdnn_device_tier_bytes(device, tier);
    if (bytes < span_bytes)
        return vdnn_status_fail(VDNN_INTERNAL,
                                "the plan uses %zu bytes of the %s tier, of which %zu are reserved",
                                span_bytes, vdnn_tier_text(tier), bytes);
    return VDNN_OK;
}

static vdnn_status check_fit(const vdnn_plan *plan, const vdnn_device *device,
                             const size_t budget_bytes[VDNN_TIER_COUNT])
{
    vdnn_status status = vdnn_checker_check(plan, budget_bytes);
    for (int tier = 0; tier < VDNN_TIER_COUNT && status == VDNN_OK; tier++)
        status = check_tier(device, (vdnn_tier)tier, plan->span_bytes[tier]);
    return status;
}

static int32_t parts_of_loss(const vdnn_graph *graph)
{
    return vdnn_graph_part_count(graph, graph->layer_count - 1);
}

static size_t result_bytes(const vdnn_plan *plan)
{
    return (size_t)plan->graph->micro_batches * (size_t)parts_of_loss(plan->graph) * RESULT_FLOATS *
           sizeof(float);
}

/* After the result. */
static size_t found_bytes(const vdnn_plan *plan)
{
    return (size_t)plan->graph->layer_count * sizeof(vdnn_nonfinite);
}

/* Whether what the mean over a micro-batch counts is known from the labels alone. */
static bool depends_on_labels(const vdnn_graph *graph)
{
    return (graph->micro_batches > 1 || graph->devices > 1) &&
           vdnn_layer_counts_labels(vdnn_graph_loss(graph));
}

static vdnn_status make_weights(const vdnn_graph *graph, double **weights)
{
    *weights = vdnn_heap_calloc((size_t)graph->micro_batches, sizeof **weights);
    return *weights == NULL ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %d micro-batches",
                                               (int)graph->micro_batches)
                            : VDNN_OK;
}

static vdnn_status make_launches(const vdnn_plan *plan, vdnn_span **launches)
{
    *launches = vdnn_heap_calloc((size_t)plan->step_count, sizeof **launches);
    return *launches == NULL
               ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %d launches", plan->step_count)
               : VDNN_OK;
}

static vdnn_status make_room(vdnn_executor *executor)
{
    const vdnn_plan *plan = executor->plan;
    executor->timeline.plan = plan;
    executor->timeline.spans =
        vdnn_heap_calloc((size_t)plan->step_count, sizeof *executor->timeline.spans);
    executor->scratch = vdnn_heap_calloc(2 * (size_t)plan->buffer_count, sizeof *executor->scratch);
    if (executor->timeline.spans == NULL || executor->scratch == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a timeline of %d steps",
                                plan->step_count);
    vdnn_status status = VDNN_OK;
    for (int i = 0; status == VDNN_OK && i < VDNN_DEVICE_ROUNDS; i++) {
        void *result = NULL;
        status =
            vdnn_device_stage(executor->device, result_bytes(plan) + found_bytes(plan), &result);
        executor->steps[i].inputs.result = result;
        if (status == VDNN_OK && vdnn_device_reaches(executor->device, result))
            executor->steps[i].inputs.found =
                (vdnn_nonfinite *)((char *)result + result_bytes(plan));
        if (status == VDNN_OK && depends_on_labels(plan->graph))
            status = make_weights(plan->graph, &executor->steps[i].weights);
        if (status == VDNN_OK && !vdnn_device_describe(executor->device)->simulated)
            status = make_launches(plan, &executor->steps[i].launches);
    }
    return status;
}

static int32_t find_last_load(const vdnn_plan *plan)
{
    int32_t last = plan->step_count - 1;
    while (last > 0 && plan->steps[last].kind != VDNN_STEP_LOAD)
        last--;
    return last;
}

vdnn_status vdnn_executor_create(const vdnn_plan *plan, vdnn_device *device,
                                 const size_t budget_bytes[VDNN_TIER_COUNT],
                                 vdnn_executor **executor)
{
    VDNN_TRY(check_fit(plan, device, budget_bytes));
    vdnn_executor *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for an executor");
    fresh->plan = plan;
    fresh->device = device;
    fresh->last_load = find_last_load(plan);
    vdnn_status status = make_room(fresh);
    VDNN_IF_OK(status, vdnn_device_grow_events(device, plan->step_count));
    VDNN_IF_OK(status, vdnn_jobs_create(plan, device, &fresh->jobs));
    VDNN_IF_OK(status, vdnn_step_ranges_create(plan, &fresh->ranges));
    if (status != VDNN_OK) {
        vdnn_executor_destroy(fresh);
        return status;
    }
    *executor = fresh;
    return VDNN_OK;
}

vdnn_status vdnn_executor_verify(vdnn_executor *executor)
{
    return vdnn_jobs_verify(executor->jobs);
}

vdnn_status vdnn_executor_guard(vdnn_executor *executor)
{
    return vdnn_jobs_guard(executor->jobs);
}

void vdnn_executor_note_digests(vdnn_executor *executor, uint64_t *digests)
{
    VDNN_INVARIANT(vdnn_executor_under_way(executor), ==, 0);
    executor->jobs->digests = digests;
}

vdnn_status vdnn_executor_join(vdnn_executor *executor, vdnn_group *group)
{
    return vdnn_jobs_join(executor->jobs, group);
}

bool vdnn_executor_weighs_labels(const vdnn_executor *executor)
{
    return executor->plan->graph->devices > 1 && depends_on_labels(executor->plan->graph);
}

void vdnn_executor_destroy(vdnn_executor *executor)
{
    if (executor == NULL)
        return;
    vdnn_executor_drain(executor);
    vdnn_jobs_destroy(executor->jobs);
    vdnn_step_ranges_destroy(executor->ranges);
    for (int i = 0; i < VDNN_DEVICE_ROUNDS; i++) {
        if (executor->steps[i].inputs.result != NULL)
            vdnn_device_unstage(executor->device, executor->steps[i].inputs.result);
        vdnn_heap_free(executor->steps[i].weights);
        vdnn_heap_free(executor->steps[i].launches);
    }
    vdnn_heap_free(executor->timeline.spans);
    vdnn_heap_free(executor->scratch);
    vdnn_heap_free(executor);
}

/* ---- a step ---------------------------------------------------------------------------------- */

static training_step *step_of(vdnn_executor *executor, uint64_t number)
{
    return &executor->steps[number % VDNN_DEVICE_ROUNDS];
}

static bool is_serial(const vdnn_executor *executor)
{
    return executor->jobs->guard != NULL || executor->jobs->digests != NULL;
}

/* Where each operation is waited for, which is possible in the oldest round only. */
int vdnn_executor_most_under_way(const vdnn_executor *executor)
{
    return is_serial(executor) ? 1 : VDNN_DEVICE_ROUNDS;
}

int vdnn_executor_under_way(const vdnn_executor *executor)
{
    return (int)(executor->begun - executor->finished);
}

bool vdnn_executor_needs_batch(const vdnn_executor *executor)
{
    return vdnn_plan_loads_ahead(executor->plan) && !executor->has_batch;
}

vdnn_status vdnn_executor_preload(vdnn_executor *executor, const void *const *inputs)
{
    VDNN_INVARIANT(vdnn_plan_loads_ahead(executor->plan), ==, true);
    VDNN_INVARIANT(vdnn_executor_under_way(executor), ==, 0);
    const vdnn_plan *plan = executor->plan;
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; i < plan->graph->input_count && status == VDNN_OK; i++) {
        const size_t bytes = vdnn_desc_bytes(&plan->graph->inputs[i].desc); /* that there are */
        status = vdnn_device_write(executor->device, VDNN_TIER_DEVICE,
                                   plan->buffers[plan->ahead[i]].offset, inputs[i], bytes);
    }
    executor->has_batch = status == VDNN_OK;
    return status;
}

static bool is_logged(const training_step *own)
{
    return own->timed && own->batch.logged && own->launches != NULL;
}

static vdnn_status enqueue(vdnn_executor *executor, training_step *own)
{
    const bool *awaited = own->timed ? NULL : executor->jobs->awaited;
    vdnn_status status = awaited == NULL ? vdnn_device_round(executor->device)
                                         : vdnn_device_round_untimed(executor->device, awaited);
    own->has_round = status == VDNN_OK;
    if (own->has_round)
        vdnn_device_observe(executor->device, vdnn_step_ranges_observer(executor->ranges));
    for (int32_t i = 0; status == VDNN_OK && i < executor->plan->step_count; i++) {
        if (is_logged(own))
            own->launches[i].start = vdnn_device_now(executor->device);
        status = vdnn_jobs_enqueue(executor->jobs, i, &own->inputs);
        if (is_logged(own))
            own->launches[i].end = vdnn_device_now(executor->device);
        own->is_loading = own->is_loading || (status == VDNN_OK && i == executor->last_load);
    }
    return status;
}

/* After a step that was enqueued only in part nothing may run: its finish ends this one too. */
static bool follows_error(vdnn_executor *executor)
{
    return vdnn_executor_under_way(executor) > 1 &&
           step_of(executor, executor->begun - 2)->error.status != VDNN_OK;
}

/* By the labels that count, so that the mean is that over all of the batch. Without any it is not a
 * number, as each micro-batch's. */
static void weigh(const vdnn_graph *graph, const vdnn_executor_batch *batch, double *weights)
{
    const vdnn_desc *desc = vdnn_graph_labels(graph);
    const char *labels = batch->inputs[vdnn_graph_labels_row(graph)];
    const size_t per_sample = vdnn_desc_bytes(desc) / (size_t)desc->dims[VDNN_N];
    const int64_t all =
        graph->devices > 1 ? batch->counted : vdnn_graph_count_labels(graph, labels, graph->batch);
    for (int32_t micro = 0; micro < graph->micro_batches; micro++) {
        const int64_t first = vdnn_graph_first_sample(graph, micro),
                      samples = vdnn_graph_of_micro(graph, micro)->micro_batch;
        const int64_t own =
            vdnn_graph_count_labels(graph, labels + (size_t)first * per_sample, samples);
        weights[micro] = all == 0 ? vdnn_graph_weight(graph, micro) : (double)own / (double)all;
    }
}

void vdnn_executor_begin(vdnn_executor *executor, const vdnn_executor_batch *batch)
{
    VDNN_INVARIANT(vdnn_executor_under_way(executor), <, vdnn_executor_most_under_way(executor));
    VDNN_INVARIANT(vdnn_executor_needs_batch(executor), ==, false);
    VDNN_INVARIANT(batch->observer != NULL && vdnn_executor_under_way(executor) > 0, ==, false);
    training_step *own = step_of(executor, executor->begun++);
    own->batch = *batch;
    const void *labels = batch->inputs[vdnn_graph_labels_row(executor->plan->graph)];
    own->inputs.jobs = executor->jobs;
    own->inputs.inputs = own->batch.inputs;
    own->inputs.context = batch->context;
    own->inputs.observer = batch->observer;
    own->inputs.weights = labels == NULL ? NULL : own->weights;
    if (own->inputs.weights != NULL)
        weigh(executor->plan->graph, batch, own->weights);
    /* The checks of copies have separate events, after the plan's; observers wait for any step. */
    own->timed = !batch->untimed || executor->jobs->verify != NULL || is_serial(executor) ||
                 batch->observer != NULL;
    own->is_loading = false;
    memset(own->inputs.result, 0, result_bytes(executor->plan) + found_bytes(executor->plan));
    own->has_round = false;
    executor->has_batch = batch->inputs[0] != NULL;
    if (!follows_error(executor))
        vdnn_first_error_keep(&own->error, enqueue(executor, own));
}

static void give_back(vdnn_executor_batch *batch)
{
    if (batch->taken != NULL)
        batch->taken(batch->argument);
    batch->taken = NULL;
}

/* An error of a step that ran has precedence over that of one that could not be enqueued: it came
 * first. */
static vdnn_status complete(const vdnn_executor *executor, training_step *own)
{
    vdnn_status status = VDNN_OK;
    if (own->is_loading && own->batch.taken != NULL) {
        vdnn_device_wait(executor->device, executor->last_load);
        give_back(&own->batch);
    }
    if (own->has_round)
        status = vdnn_device_finish(executor->device);
    give_back(&own->batch);
    vdnn_status enqueued = vdnn_first_error_tell(&own->error);
    return status != VDNN_OK ? status : enqueued;
}

static double collect_spans(vdnn_executor *executor)
{
    vdnn_span *spans = executor->timeline.spans;
    double first = 0, last = 0;
    for (int32_t i = 0; i < executor->plan->step_count; i++) {
        vdnn_jobs_times(executor->jobs, i, &spans[i].start, &spans[i].end);
        if (i == 0 || spans[i].start < first)
            first = spans[i].start;
        if (i == 0 || spans[i].end > last)
            last = spans[i].end;
    }
    return last - first;
}

static double sum_stalls(const vdnn_timeline *timeline)
{
    vdnn_stall stall = {.step = -1};
    double seconds = 0;
    while (vdnn_timeline_next_stall(timeline, &stall))
        seconds += vdnn_timeline_stall_seconds(timeline, &stall);
    return seconds;
}

/* From the device's clock to since the step began, as its spans. */
static void take_launches(vdnn_executor *executor, training_step *own, double began)
{
    executor->timeline.launches = is_logged(own) ? own->launches : NULL;
    for (int32_t i = 0; is_logged(own) && i < executor->plan->step_count; i++) {
        own->launches[i].start -= began;
        own->launches[i].end -= began;
    }
}

static void take_times(vdnn_executor *executor, training_step *own, vdnn_executor_result *result)
{
    vdnn_timeline *timeline = &executor->timeline;
    double began = vdnn_device_began(executor->device);
    if (!executor->has_begun)
        executor->first_begin = began;
    executor->has_begun = true;
    timeline->offset_seconds = began - executor->first_begin;
    take_launches(executor, own, began);
    result->timed = true;
    result->seconds = collect_spans(executor);
    result->stall_seconds = sum_stalls(timeline);
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
        result->live_peak_bytes[tier] =
            vdnn_timeline_live_peak(timeline, (vdnn_tier)tier, executor->scratch);
}

/* The mean over the batch is that of its micro-batches, or of their parts, by their weights. One of
 * which nothing counts has no mean. */
static void sum_results(const vdnn_graph *graph, const vdnn_jobs_inputs *inputs,
                        vdnn_executor_result *sum)
{
    const int32_t parts = parts_of_loss(graph), loss = graph->layer_count - 1;
    const float *result = inputs->result;
    for (int32_t i = 0; i < graph->micro_batches * parts; i++, result += RESULT_FLOATS) {
        const double weight = inputs->weights == NULL
                                  ? vdnn_graph_part_weight(graph, i / parts, loss, i % parts)
                                  : inputs->weights[i / parts];
        sum->loss += weight > 0 ? weight * (double)result[0] : 0;
        sum->correct += (double)result[1];
    }
}

static bool may_update(const vdnn_step *step)
{
    return step->kind == VDNN_STEP_UPDATE || step->kind == VDNN_STEP_AVERAGE ||
           (step->kind == VDNN_STEP_RUN && step->pass == VDNN_BACKWARD_FILTER);
}

/* The first in the order of the plan. */
static vdnn_executor_found first_found(const vdnn_plan *plan, const vdnn_nonfinite *found)
{
    for (int32_t i = 0; found != NULL && i < plan->step_count; i++) {
        const vdnn_step *step = &plan->steps[i];
        if (may_update(step) && (found[step->layer].gradient || found[step->layer].weight))
            return (vdnn_executor_found){step->layer, found[step->layer].gradient != 0};
    }
    return (vdnn_executor_found){.layer = -1};
}

vdnn_status vdnn_executor_finish(vdnn_executor *executor, vdnn_executor_result *result)
{
    VDNN_INVARIANT(vdnn_executor_under_way(executor), >, 0);
    training_step *own = step_of(executor, executor->finished++);
    vdnn_first_error error = {VDNN_OK, ""};
    vdnn_first_error_keep(&error, complete(executor, own));
    vdnn_first_error_keep(&error, vdnn_collectives_check(executor->jobs->collectives));
    if (error.status != VDNN_OK) {
        vdnn_group_leave(executor->jobs->group, error.status, error.message);
        vdnn_executor_drain(executor);
        return vdnn_first_error_tell(&error);
    }
    vdnn_executor_result fresh = {
        .offload_bytes =
            vdnn_device_moved_bytes(executor->device, VDNN_TIER_DEVICE, VDNN_TIER_HOST),
        .prefetch_bytes =
            vdnn_device_moved_bytes(executor->device, VDNN_TIER_HOST, VDNN_TIER_DEVICE),
        .spill_bytes = vdnn_device_moved_bytes(executor->device, VDNN_TIER_HOST, VDNN_TIER_FILE),
        .fill_bytes = vdnn_device_moved_bytes(executor->device, VDNN_TIER_FILE, VDNN_TIER_HOST),
    };
    sum_results(executor->plan->graph, &own->inputs, &fresh);
    fresh.found = first_found(executor->plan, own->inputs.found);
    if (own->timed)
        take_times(executor, own, &fresh);
    *result = fresh;
    return VDNN_OK;
}

void vdnn_executor_drain(vdnn_executor *executor)
{
    if (executor == NULL)
        return;
    executor->has_batch = false;
    if (vdnn_executor_under_way(executor) == 0)
        return;
    vdnn_group_leave(executor->jobs->group, VDNN_PEER, "it ended its steps");
    (void)vdnn_device_synchronize(executor->device);
    for (; executor->finished < executor->begun; executor->finished++) {
        training_step *own = step_of(executor, executor->finished);
        give_back(&own->batch);
        own->error.status = VDNN_OK;
    }
}

vdnn_status vdnn_executor_step(vdnn_executor *executor, const vdnn_executor_batch *batch,
                               vdnn_executor_result *result)
{
    VDNN_INVARIANT(vdnn_executor_under_way(executor), ==, 0);
    vdnn_executor_batch own = *batch;
    if (vdnn_plan_loads_ahead(executor->plan)) {
        vdnn_status status = vdnn_executor_preload(executor, batch->inputs);
        if (status != VDNN_OK) {
            give_back(&own);
            return status;
        }
        memset(own.inputs, 0, sizeof own.inputs);
    }
    vdnn_executor_begin(executor, &own);
    return vdnn_executor_finish(executor, result);
}

const vdnn_timeline *vdnn_executor_timeline(const vdnn_executor *executor)
{
    return &executor->timeline;
}

double vdnn_executor_first_begin(const vdnn_executor *executor)
{
    return executor->first_begin;
}
