/* A run's plan is replaced between two steps: what is kept from step to step moves through host
 * memory. */

#include "alloc/allocator.h"
#include "runtime/base/heap.h"
#include "runtime/train/kept.h"
#include "runtime/train/training/training_internal.h"

/* A tier that is large enough stays as it is. */
static vdnn_status grow_tiers(const vdnn_training_run *run, const vdnn_fit_plans *plans)
{
    const vdnn_training_request *request = &run->request;
    vdnn_status status = VDNN_OK;
    for (int t = 0; t < VDNN_TIER_COUNT && status == VDNN_OK; t++)
        if (plans->span_bytes[t] > run->reserved_bytes[t])
            status = vdnn_device_reserve(request->setup->device, (vdnn_tier)t, 0);
    for (int t = 0; t < VDNN_TIER_COUNT && status == VDNN_OK; t++)
        if (plans->span_bytes[t] > run->reserved_bytes[t])
            status =
                vdnn_device_reserve(request->setup->device, (vdnn_tier)t, plans->span_bytes[t]);
    return status;
}

static void end_executors(vdnn_training_run *run)
{
    vdnn_executor_destroy(run->executor);
    vdnn_executor_destroy(run->evaluation);
    run->executor = run->evaluation = NULL;
    vdnn_training_end_load(run); /* it begins again with the next step's batch */
}

bool vdnn_training_can_change_plan(const vdnn_training_run *run, int32_t devices)
{
    static const size_t margin = 2; /* of what is free: others take memory, too */
    const char *limit;
    return vdnn_memory_available(&limit) / margin / (size_t)devices >=
           vdnn_kept_bytes(run->request.plans->training, run->request.device);
}

vdnn_status vdnn_training_change_plan(vdnn_training_run *run, const vdnn_fit_plans *plans)
{
    const vdnn_plan *before = run->request.plans->training;
    vdnn_device *device = run->request.setup->device;
    vdnn_step_times times = {.plan = NULL};
    const int32_t rank = run->request.device;
    VDNN_INVARIANT(plans->training->graph == before->graph, ==, true);
    char *kept = vdnn_heap_calloc(vdnn_kept_bytes(before, rank) + 1, 1);
    vdnn_status status = vdnn_step_times_init(plans->training, &times);
    if (status == VDNN_OK && kept == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory to change the plan");
    VDNN_IF_OK(status, vdnn_kept_read(before, device, rank, kept));
    if (status == VDNN_OK) {
        end_executors(run);
        status = grow_tiers(run, plans);
    }
    for (int t = 0; t < VDNN_TIER_COUNT; t++)
        if (status == VDNN_OK && plans->span_bytes[t] > run->reserved_bytes[t])
            run->reserved_bytes[t] = plans->span_bytes[t];
    VDNN_IF_OK(status, vdnn_kept_write(plans->training, device, rank, kept));
    vdnn_heap_free(kept);
    VDNN_IF_OK(status, vdnn_training_create_executor(run, plans->training));
    if (status != VDNN_OK) {
        vdnn_step_times_fini(&times);
        return status;
    }
    vdnn_device_reset_high_water(device);
    vdnn_step_times_fini(&run->times);
    run->times = times;
    run->first_sample = run->sample_count;
    run->measured = (vdnn_measured){.step_seconds = 0};
    return VDNN_OK;
}
