#include "runtime/exec/executor.h"
#include "alloc/heap.h"
#include "runtime/exec/program.h"
#include "runtime/plan/checker.h"
#include "traces/nvtx.h"

#include <string.h>

enum { RESULT_FLOATS = 2 }; /* mean loss, correct predictions */

struct vdnn_executor {
    const vdnn_plan *plan; /* borrowed */
    vdnn_device *device;   /* borrowed */
    vdnn_program *program;
    float *result; /* staging block */
    vdnn_timeline timeline;
    vdnn_nvtx *ranges;       /* NULL: no tool listens */
    vdnn_live_edge *scratch; /* 2 * plan->buffer_count */
    bool has_begun;
    double first_begin; /* on the device's clock */
};

/* ---- making ready ---------------------------------------------------------------------------- */

static vdnn_status check_tier(const vdnn_device *device, vdnn_tier tier, const char *name,
                              size_t span_bytes)
{
    size_t bytes = vdnn_device_tier_bytes(device, tier);
    if (bytes < span_bytes)
        return vdnn_status_fail(VDNN_INTERNAL,
                                "the plan uses %zu bytes of the %s tier, of which %zu are reserved",
                                span_bytes, name, bytes);
    return VDNN_OK;
}

static vdnn_status check_fit(const vdnn_plan *plan, const vdnn_device *device, size_t device_bytes,
                             size_t host_bytes)
{
    vdnn_status status = vdnn_checker_check(plan, device_bytes, host_bytes);
    if (status == VDNN_OK)
        status = check_tier(device, VDNN_TIER_DEVICE, "device", plan->arena_bytes);
    if (status == VDNN_OK)
        status = check_tier(device, VDNN_TIER_HOST, "host", plan->host_arena_bytes);
    return status;
}

static size_t result_bytes(const vdnn_plan *plan)
{
    size_t bytes = RESULT_FLOATS * sizeof(float);
    for (int32_t i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == VDNN_STEP_STORE && plan->steps[i].bytes > bytes)
            bytes = plan->steps[i].bytes;
    return bytes;
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
    void *result = NULL;
    vdnn_status status = vdnn_device_stage(executor->device, result_bytes(plan), &result);
    if (status == VDNN_OK)
        executor->result = result;
    return status;
}

vdnn_status vdnn_executor_create(const vdnn_plan *plan, vdnn_device *device, size_t device_bytes,
                                 size_t host_bytes, vdnn_executor **executor)
{
    vdnn_status status = check_fit(plan, device, device_bytes, host_bytes);
    if (status != VDNN_OK)
        return status;
    vdnn_executor *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for an executor");
    fresh->plan = plan;
    fresh->device = device;
    status = make_room(fresh);
    if (status == VDNN_OK)
        status = vdnn_device_grow_events(device, plan->step_count);
    if (status == VDNN_OK)
        status = vdnn_program_create(plan, device, &fresh->program);
    if (status == VDNN_OK)
        status = vdnn_nvtx_create(plan, &fresh->ranges);
    if (status != VDNN_OK) {
        vdnn_executor_destroy(fresh);
        return status;
    }
    *executor = fresh;
    return VDNN_OK;
}

vdnn_status vdnn_executor_verify(vdnn_executor *executor)
{
    return vdnn_program_verify(executor->program);
}

void vdnn_executor_destroy(vdnn_executor *executor)
{
    if (executor == NULL)
        return;
    vdnn_program_destroy(executor->program);
    vdnn_nvtx_destroy(executor->ranges);
    if (executor->result != NULL)
        vdnn_device_unstage(executor->device, executor->result);
    vdnn_heap_free(executor->timeline.spans);
    vdnn_heap_free(executor->scratch);
    vdnn_heap_free(executor);
}

/* ---- a step ---------------------------------------------------------------------------------- */

static void note_begin(vdnn_executor *executor)
{
    double now = vdnn_device_now(executor->device);
    if (!executor->has_begun)
        executor->first_begin = now;
    executor->has_begun = true;
    executor->timeline.offset_seconds = now - executor->first_begin;
}

/* Everything up to the last load is enqueued. */
static void give_back(const vdnn_executor *executor, const vdnn_executor_batch *batch,
                      int32_t enqueued)
{
    if (batch->taken == NULL)
        return;
    for (int32_t i = 0; i < enqueued; i++)
        if (executor->plan->steps[i].kind == VDNN_STEP_LOAD)
            vdnn_device_wait(executor->device, i);
    batch->taken(batch->argument);
}

/* An error of a step that ran is told rather than that of one that could not be enqueued: it came
 * first. */
static vdnn_status run_round(vdnn_executor *executor, const vdnn_executor_batch *batch)
{
    vdnn_program_inputs inputs = {batch->images, batch->labels, executor->result};
    vdnn_status status = vdnn_device_round(executor->device);
    bool has_round = status == VDNN_OK;
    int32_t enqueued = 0;
    vdnn_device_observe(executor->device, vdnn_nvtx_observer(executor->ranges));
    while (status == VDNN_OK && enqueued < executor->plan->step_count) {
        status = vdnn_program_enqueue(executor->program, enqueued, &inputs);
        enqueued += status == VDNN_OK;
    }
    give_back(executor, batch, enqueued);
    if (!has_round)
        return status;
    vdnn_status complete = vdnn_device_synchronize(executor->device);
    vdnn_device_observe(executor->device, NULL);
    return complete != VDNN_OK ? complete : status;
}

static double collect_spans(vdnn_executor *executor)
{
    vdnn_span *spans = executor->timeline.spans;
    double first = 0, last = 0;
    for (int32_t i = 0; i < executor->plan->step_count; i++) {
        vdnn_program_times(executor->program, i, &spans[i].start, &spans[i].end);
        if (i == 0 || spans[i].start < first)
            first = spans[i].start;
        if (i == 0 || spans[i].end > last)
            last = spans[i].end;
    }
    return last - first;
}

/* The compute stream stalls between two of its steps when something that the second waits for ends
 * after the first. Other gaps are the device's own. */
static double sum_stalls(const vdnn_executor *executor)
{
    const vdnn_plan *plan = executor->plan;
    const vdnn_span *spans = executor->timeline.spans, *before = NULL;
    double stalls = 0;
    for (int32_t i = 0; i < plan->step_count; i++) {
        const vdnn_step *step = &plan->steps[i];
        if (step->stream != VDNN_STREAM_COMPUTE)
            continue;
        bool waited = false;
        for (int32_t k = 0; before != NULL && k < step->wait_count; k++)
            waited = waited || spans[plan->waits[step->first_wait + k]].end > before->end;
        if (waited)
            stalls += spans[i].start - before->end;
        before = &spans[i];
    }
    return stalls;
}

static size_t sum_bytes(const vdnn_plan *plan, vdnn_step_kind kind)
{
    size_t bytes = 0;
    for (int32_t i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == kind)
            bytes += plan->steps[i].bytes;
    return bytes;
}

vdnn_status vdnn_executor_step(vdnn_executor *executor, const vdnn_executor_batch *batch,
                               vdnn_executor_result *result)
{
    const vdnn_timeline *timeline = &executor->timeline;
    executor->program->context = batch->context;
    memset(executor->result, 0, RESULT_FLOATS * sizeof(float));
    note_begin(executor);
    vdnn_status status = run_round(executor, batch);
    if (status != VDNN_OK)
        return status;
    double seconds = collect_spans(executor);
    *result = (vdnn_executor_result){
        .loss = (double)executor->result[0],
        .correct = (double)executor->result[1],
        .seconds = seconds,
        .stall_seconds = sum_stalls(executor),
        .device_live_peak_bytes =
            vdnn_timeline_live_peak(timeline, VDNN_TIER_DEVICE, executor->scratch),
        .host_live_peak_bytes =
            vdnn_timeline_live_peak(timeline, VDNN_TIER_HOST, executor->scratch),
        .offload_bytes = sum_bytes(executor->plan, VDNN_STEP_COPY_OUT),
        .prefetch_bytes = sum_bytes(executor->plan, VDNN_STEP_COPY_IN),
    };
    return VDNN_OK;
}

const vdnn_timeline *vdnn_executor_timeline(const vdnn_executor *executor)
{
    return &executor->timeline;
}
