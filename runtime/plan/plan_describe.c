/* Plans in the public interface. */

#include "runtime/base/versioned.h"
#include "runtime/plan/plan.h"

#include <string.h>

const char *vdnn_plan_peak_layer(const vdnn_plan *plan)
{
    int32_t step = plan->peak_step;
    if (step < 0 || step >= plan->step_count || plan->steps[step].layer < 0)
        return NULL;
    return plan->graph->layers[plan->steps[step].layer].name;
}

static vdnn_category_bytes categories(const size_t bytes[VDNN_CATEGORY_COUNT])
{
    return (vdnn_category_bytes){
#define X(name) .name = bytes[VDNN_CATEGORY_##name],
        VDNN_CATEGORY_TABLE(X)
#undef X
    };
}

vdnn_status vdnn_plan_describe(const vdnn_plan *plan, vdnn_plan_facts *facts)
{
    vdnn_plan_facts own = {.policy = plan->policy,
                           .algo = plan->algo,
                           .arena_bytes = plan->span_bytes[VDNN_TIER_DEVICE],
                           .host_arena_bytes = plan->span_bytes[VDNN_TIER_HOST],
                           .device_peak_bytes = plan->peak_bytes[VDNN_TIER_DEVICE],
                           .host_peak_bytes = plan->peak_bytes[VDNN_TIER_HOST],
                           .device_average_bytes = plan->device_average_bytes,
                           .offload_bytes = plan->offload_bytes,
                           .prefetch_bytes = plan->prefetch_bytes,
                           .step_seconds = plan->step_seconds,
                           .oracle_step_seconds = plan->oracle_step_seconds,
                           .peak_layer = vdnn_plan_peak_layer(plan),
                           .by_category = categories(plan->by_category),
                           .by_category_at_peak = categories(plan->by_category_at_peak),
                           .step_count = plan->step_count,
                           .layer_count = plan->graph->layer_count,
                           .recompute_seconds = plan->recompute_seconds,
                           .file_arena_bytes = plan->span_bytes[VDNN_TIER_FILE],
                           .spill_bytes = plan->spill_bytes,
                           .fill_bytes = plan->fill_bytes};
    return vdnn_versioned_give(facts, &own, sizeof own, "vdnn_plan_facts");
}

vdnn_status vdnn_plan_step_at(const vdnn_plan *plan, int32_t i, vdnn_plan_step *step)
{
    if (i < 0 || i >= plan->step_count)
        return vdnn_status_fail(VDNN_USAGE, "the plan has %d steps, and no step %d",
                                (int)plan->step_count, (int)i);
    const vdnn_step *from = &plan->steps[i];
    bool runs = from->kind == VDNN_STEP_RUN;
    vdnn_plan_step own = {.kind = vdnn_step_kind_text(from->kind),
                          .stream = vdnn_stream_text(from->stream),
                          .layer = from->layer < 0 ? "" : plan->graph->layers[from->layer].name,
                          .pass = runs ? vdnn_pass_text(from->pass) : "",
                          .algorithm = vdnn_step_has_kernel(from) ? from->algorithm->name : "",
                          .label = from->label,
                          .bytes = from->bytes,
                          .seconds = from->seconds};
    return vdnn_versioned_give(step, &own, sizeof own, "vdnn_plan_step");
}
