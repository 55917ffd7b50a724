#include "runtime/exec/rehearsal.h"

#include "runtime/base/heap.h"
#include "runtime/exec/copy_fill.h"
#include "runtime/exec/jobs.h"

#include <string.h>

/* A plan of one step at a time, with its buffers one after the other from the bottom on. */
typedef struct stage {
    vdnn_plan plan;
    vdnn_step step;
    vdnn_buffer *buffers; /* owned */
} stage;

static bool is_kernel(const vdnn_step *step)
{
    return step->stream == VDNN_STREAM_COMPUTE && step->kind != VDNN_STEP_JOIN;
}

/* Kernels depend on algorithm and shape: those of an earlier layer with the same are loaded
 * already. */
static bool was_run(const vdnn_plan *plan, int32_t step)
{
    const vdnn_step *own = &plan->steps[step];
    for (int32_t i = 0; i < step && vdnn_step_has_kernel(own); i++) {
        const vdnn_step *other = &plan->steps[i];
        if (vdnn_step_has_kernel(other) && other->algorithm == own->algorithm &&
            vdnn_step_kernel_pass(other) == vdnn_step_kernel_pass(own) &&
            strcmp(vdnn_plan_step_layer(plan, other)->signature,
                   vdnn_plan_step_layer(plan, own)->signature) == 0)
            return true;
    }
    return false;
}

/* Assigns offsets to the buffers of a step, if `stage` is set; returns their span. */
static size_t lay_out(const vdnn_plan *plan, const vdnn_step *step, vdnn_buffer *buffers)
{
    size_t end = 0;
    for (int32_t i = 0; i < step->access_count; i++) {
        int32_t b = plan->accesses[step->first_access + i].buffer;
        if (buffers != NULL)
            buffers[b].offset = end;
        end += vdnn_plan_span_bytes(plan->buffers[b].bytes, VDNN_ALIGNMENT);
    }
    return end;
}

static size_t largest(const vdnn_plan *plan)
{
    size_t most = 0;
    for (int32_t i = 0; i < plan->step_count; i++) {
        size_t bytes = is_kernel(&plan->steps[i]) ? lay_out(plan, &plan->steps[i], NULL) : 0;
        most = bytes > most ? bytes : most;
    }
    return most;
}

static vdnn_status run_step(stage *on, const vdnn_plan *plan, int32_t step, vdnn_device *device)
{
    vdnn_jobs *jobs = NULL;
    on->step = plan->steps[step];
    on->step.wait_count = 0;
    (void)lay_out(plan, &on->step, on->buffers);
    vdnn_status status = vdnn_jobs_create(&on->plan, device, &jobs);
    VDNN_IF_OK(status, vdnn_device_round(device));
    if (status == VDNN_OK) {
        vdnn_jobs_inputs nothing = {.jobs = jobs};
        status = vdnn_jobs_enqueue(jobs, 0, &nothing);
        vdnn_status complete = vdnn_device_synchronize(device);
        status = complete != VDNN_OK ? complete : status;
    }
    vdnn_jobs_destroy(jobs);
    if (status == VDNN_OK && on->step.kind == VDNN_STEP_UPDATE) /* its weight is in the block now */
        status = vdnn_copy_fill_layer(&on->plan, device, on->step.layer);
    return status;
}

vdnn_status vdnn_rehearsal_run(const vdnn_plan *plan, vdnn_device *device)
{
    size_t count = (size_t)plan->buffer_count;
    stage on = {.plan = *plan};
    on.buffers = vdnn_heap_calloc(count, sizeof *on.buffers);
    if (on.buffers == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to rehearse %zu buffers", count);
    memcpy(on.buffers, plan->buffers, count * sizeof *on.buffers);
    on.plan.buffers = on.buffers;
    on.plan.steps = &on.step;
    on.plan.step_count = 1;
    vdnn_status status = vdnn_device_reserve(device, VDNN_TIER_DEVICE, largest(plan));
    for (int32_t i = 0; status == VDNN_OK && i < plan->step_count; i++)
        if (is_kernel(&plan->steps[i]) && !was_run(plan, i))
            status = run_step(&on, plan, i, device);
    vdnn_status freed = vdnn_device_reserve(device, VDNN_TIER_DEVICE, 0);
    vdnn_heap_free(on.buffers);
    return status == VDNN_OK ? freed : status;
}
