#include "runtime/fit/stages_fit.h"

#include "runtime/base/text.h"
#include "runtime/fit/refusal.h"
#include "runtime/setup/devices/stages.h"

#include <string.h>

static vdnn_status find_of_stage(const vdnn_fit_request *request, int32_t stage,
                                 vdnn_stages_need *need)
{
    vdnn_setup setup;
    vdnn_fit_plans plans = {0};
    VDNN_TRY(vdnn_stages_other(request->setup, stage, &setup));
    const vdnn_fit_request its = {
        .setup = &setup, .policy = request->policy, .algo = request->algo, .tests = request->tests};
    vdnn_status status = vdnn_fit_plan(&its, &plans);
    if (status == VDNN_OK || status == VDNN_NO_FIT)
        status = vdnn_fit_smallest(&its, &plans, &need->smallest_bytes);
    need->stage = stage;
    memcpy(need->span_bytes, plans.span_bytes, sizeof need->span_bytes);
    vdnn_fit_plans_fini(&plans);
    vdnn_setup_lesser_end(&setup);
    return status;
}

/* One for which no budget is enough needs more than any other. */
static bool needs_more(const vdnn_stages_need *a, const vdnn_stages_need *b)
{
    return b->smallest_bytes > 0 &&
           (a->smallest_bytes == 0 || a->smallest_bytes > b->smallest_bytes);
}

vdnn_status vdnn_stages_fit_find(const vdnn_fit_request *request, vdnn_stages_need *need)
{
    VDNN_TRY(find_of_stage(request, 0, need));
    for (int32_t s = 1; s < request->setup->graph->stage.count; s++) {
        vdnn_stages_need other = {0};
        VDNN_TRY(find_of_stage(request, s, &other));
        if (needs_more(&other, need))
            *need = other;
    }
    return VDNN_OK;
}

vdnn_status vdnn_stages_fit_refuse(const vdnn_fit_request *request, const vdnn_stages_need *need)
{
    const vdnn_setup *setup = request->setup;
    const vdnn_graph *graph = setup->graph;
    char people[32];
    vdnn_text text = {0};
    vdnn_text_add(&text,
                  "%s with batch %lld in %d stages does not fit under policy %s%s\n"
                  "  stage %d needs most:",
                  graph->name, (long long)graph->step_batch, (int)graph->stage.count,
                  request->policy->name, vdnn_refusal_algo(request), (int)need->stage);
    vdnn_refusal_add_needs(&text, need->span_bytes, setup->budget_bytes);
    if (need->smallest_bytes > 0)
        vdnn_text_add(&text, "\n  smallest budget of this policy: --device-mem %zu (%s)",
                      need->smallest_bytes,
                      vdnn_text_bytes(people, sizeof people, (double)need->smallest_bytes));
    if (!setup->properties.simulated)
        vdnn_text_add(&text, "\n  stages are cut by measured times, so what they need varies with "
                             "these: --profile FILE keeps them");
    vdnn_status status = vdnn_status_fail(
        VDNN_NO_FIT, "%s", text.failed ? "a stage does not fit the budget" : text.data);
    vdnn_text_fini(&text);
    return status;
}
