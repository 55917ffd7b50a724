/* A run's plan is replaced between two steps: what is kept from step to step moves through host
 * memory. */

#include "alloc/allocator.h"
#include "runtime/base/heap.h"
#include "runtime/exec/copy_fill.h"
#include "runtime/train/training/training_internal.h"

/* ---- what is kept ---------------------------------------------------------------------------- */

enum { BLOCKS = 2 }; /* of a layer: parameters, and the optimizer's state */

static const vdnn_buffer *block_of(const vdnn_plan *plan, int32_t layer, int which)
{
    const int32_t buffers[BLOCKS] = {plan->param_buffer[layer], plan->state_buffer[layer]};
    bool is_own = plan->graph->layers[layer].owner == layer;
    return is_own && buffers[which] >= 0 ? &plan->buffers[buffers[which]] : NULL;
}

static size_t kept_bytes(const vdnn_plan *plan)
{
    size_t bytes = 0;
    for (int32_t l = 0; l < plan->graph->layer_count; l++)
        for (int b = 0; b < BLOCKS; b++)
            bytes += block_of(plan, l, b) == NULL ? 0 : block_of(plan, l, b)->bytes;
    return bytes;
}

typedef enum direction { TO_HOST, TO_DEVICE } direction;

/* All kept blocks, one behind the other in the host's memory. */
static vdnn_status move_kept(const vdnn_plan *plan, vdnn_device *device, direction to, char *host)
{
    vdnn_status status = VDNN_OK;
    for (int32_t l = 0; l < plan->graph->layer_count; l++)
        for (int b = 0; b < BLOCKS && status == VDNN_OK; b++) {
            const vdnn_buffer *block = block_of(plan, l, b);
            if (block == NULL)
                continue;
            status =
                to == TO_HOST
                    ? vdnn_device_read(device, host, block->tier, block->offset, block->bytes)
                    : vdnn_device_write(device, block->tier, block->offset, host, block->bytes);
            host += block->bytes;
        }
    return status;
}

static vdnn_status read_kept(const vdnn_plan *plan, vdnn_device *device, char *to)
{
    return move_kept(plan, device, TO_HOST, to);
}

/* And the copies of weights that are made from them. */
static vdnn_status write_kept(const vdnn_plan *plan, vdnn_device *device, char *from)
{
    vdnn_status status = move_kept(plan, device, TO_DEVICE, from);
    return status == VDNN_OK ? vdnn_copy_fill(plan, device) : status;
}

/* ---- the exchange ---------------------------------------------------------------------------- */

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
    vdnn_training_end_load(run); /* it begins anew with the next step's batch */
}

bool vdnn_training_can_change_plan(const vdnn_training_run *run, int32_t devices)
{
    static const size_t margin = 2; /* of what is free: others take memory, too */
    const char *limit;
    return vdnn_memory_available(&limit) / margin / (size_t)devices >=
           kept_bytes(run->request.plans->training);
}

vdnn_status vdnn_training_change_plan(vdnn_training_run *run, const vdnn_fit_plans *plans)
{
    const vdnn_plan *before = run->request.plans->training;
    vdnn_device *device = run->request.setup->device;
    vdnn_step_times times = {.plan = NULL};
    char *kept = vdnn_heap_calloc(kept_bytes(before) + 1, 1);
    vdnn_status status = vdnn_step_times_init(plans->training, &times);
    if (status == VDNN_OK && kept == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory to change the plan");
    if (status == VDNN_OK)
        status = read_kept(before, device, kept);
    if (status == VDNN_OK) {
        end_executors(run);
        status = grow_tiers(run, plans);
    }
    for (int t = 0; t < VDNN_TIER_COUNT; t++)
        if (status == VDNN_OK && plans->span_bytes[t] > run->reserved_bytes[t])
            run->reserved_bytes[t] = plans->span_bytes[t];
    if (status == VDNN_OK)
        status = write_kept(plans->training, device, kept);
    vdnn_heap_free(kept);
    if (status == VDNN_OK)
        status = vdnn_training_create_executor(run, plans->training);
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
