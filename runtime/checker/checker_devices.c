#include "runtime/checker/checker.h"

#include <string.h>

static vdnn_status check_shares(const vdnn_plan *const *plans, int32_t count)
{
    const int64_t batch = plans[0]->graph->step_batch;
    int64_t samples = 0;
    for (int32_t d = 0; d < count; d++) {
        const vdnn_graph *graph = plans[d]->graph;
        samples += graph->batch;
        if (graph->devices != count || graph->step_batch != batch)
            return vdnn_status_fail(VDNN_INTERNAL,
                                    "device %d plans a step of %lld samples on %d devices, and "
                                    "device 0 one of %lld on %d",
                                    (int)d, (long long)graph->step_batch, (int)graph->devices,
                                    (long long)batch, (int)count);
    }
    if (samples != batch)
        return vdnn_status_fail(VDNN_INTERNAL, "%d devices compute %lld samples of a step of %lld",
                                (int)count, (long long)samples, (long long)batch);
    return VDNN_OK;
}

/* The next sum over devices from step `from` on; the plan's step_count: none. */
static int32_t next_sum(const vdnn_plan *plan, int32_t from)
{
    while (from < plan->step_count && plan->steps[from].kind != VDNN_STEP_REDUCE)
        from++;
    return from;
}

static const char *sum_text(const vdnn_plan *plan, int32_t step)
{
    return step == plan->step_count ? "nothing" : plan->graph->layers[plan->steps[step].layer].name;
}

static size_t sum_bytes(const vdnn_plan *plan, int32_t step)
{
    return step == plan->step_count ? 0 : plan->steps[step].bytes;
}

static vdnn_status check_sums(const vdnn_plan *first, const vdnn_plan *other, int32_t device)
{
    int32_t a = -1, b = -1, number = 0;
    do {
        a = next_sum(first, a + 1);
        b = next_sum(other, b + 1);
        number++;
        if (strcmp(sum_text(first, a), sum_text(other, b)) != 0 ||
            sum_bytes(first, a) != sum_bytes(other, b))
            return vdnn_status_fail(VDNN_INTERNAL,
                                    "sum %d over the devices: device 0 sums %zu bytes of %s, "
                                    "device %d %zu bytes of %s",
                                    (int)number, sum_bytes(first, a), sum_text(first, a),
                                    (int)device, sum_bytes(other, b), sum_text(other, b));
    } while (a < first->step_count);
    return VDNN_OK;
}

vdnn_status vdnn_checker_check_devices(const vdnn_plan *const *plans, int32_t count)
{
    vdnn_status status = check_shares(plans, count);
    for (int32_t d = 1; d < count && status == VDNN_OK; d++)
        status = check_sums(plans[0], plans[d], d);
    return status;
}
