#include "runtime/fit/refusal.h"

#include "runtime/base/text.h"

void vdnn_refusal_add_needs(vdnn_text *text, const size_t *need_bytes, const size_t *budget_bytes)
{
    for (int t = 0; t < VDNN_TIER_COUNT; t++) {
        char a[32], b[32];
        if (need_bytes[t] <= budget_bytes[t])
            continue;
        vdnn_text_add(text, "\n  it needs %zu bytes (%s) of %s; the budget (%s) is %zu bytes (%s)",
                      need_bytes[t], vdnn_text_bytes(a, sizeof a, (double)need_bytes[t]),
                      vdnn_tier_name((vdnn_tier)t), vdnn_tier_option((vdnn_tier)t), budget_bytes[t],
                      vdnn_text_bytes(b, sizeof b, (double)budget_bytes[t]));
    }
}

static void add_smallest_budgets(vdnn_text *text, const size_t *need_bytes)
{
    vdnn_text_add(text, "\n  smallest budgets of this policy:");
    for (int t = 0; t < VDNN_TIER_COUNT; t++)
        if (t < VDNN_TIER_FILE || need_bytes[t] > 0)
            vdnn_text_add(text, " %s %zu", vdnn_tier_option((vdnn_tier)t), need_bytes[t]);
}

/* A policy that needs host memory is left out where that is part of one budget. */
static void add_smallest(const vdnn_advice *advice, bool is_unified, vdnn_text *text)
{
    vdnn_text_add(text,
                  "\n"
                  "  no policy fits this budget; the smallest --%s-mem of each:",
                  is_unified ? "unified" : "device");
    for (size_t i = 0; i < advice->count; i++) {
        char people[32];
        const vdnn_smallest *row = &advice->smallest_of[i];
        if (is_unified && row->bytes == 0)
            continue;
        vdnn_text_add(text, "\n    --policy %s%s: ", row->policy->name,
                      row->policy->is_static ? " --algo m" : "");
        if (row->bytes > 0)
            vdnn_text_add(text, "%zu (%s)", row->bytes,
                          vdnn_text_bytes(people, sizeof people, (double)row->bytes));
        else
            vdnn_text_add(text, "none under this --host-mem");
    }
}

size_t vdnn_refusal_unified(const vdnn_fit_plans *plans, size_t device_bytes)
{
    const size_t host_bytes = plans->span_bytes[VDNN_TIER_HOST];
    return (device_bytes > 0 ? device_bytes : plans->span_bytes[VDNN_TIER_DEVICE]) + host_bytes;
}

static void add_unified(const vdnn_setup *setup, size_t need_bytes, vdnn_text *text)
{
    char need[32], budget[32];
    vdnn_text_add(
        text,
        "\n  it needs %zu bytes (%s) of device and host memory together; the budget "
        "(--unified-mem) is %zu bytes (%s)\n"
        "  smallest budget of this policy: --unified-mem %zu (%s)",
        need_bytes, vdnn_text_bytes(need, sizeof need, (double)need_bytes), setup->unified_bytes,
        vdnn_text_bytes(budget, sizeof budget, (double)setup->unified_bytes), need_bytes, need);
}

const char *vdnn_refusal_algo(const vdnn_fit_request *request)
{
    return !request->policy->is_static    ? ""
           : request->algo == VDNN_ALGO_M ? " --algo m"
                                          : " --algo p";
}

static void describe(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                     const vdnn_advice *advice, bool is_explained, vdnn_text *text)
{
    const vdnn_setup *setup = request->setup;
    const bool is_unified = setup->unified_bytes > 0;
    bool dynamic = !request->policy->is_static;
    char people[32];
    vdnn_text_add(text, "%s with batch %lld does not fit under policy %s%s", setup->graph->name,
                  (long long)setup->graph->step_batch, request->policy->name,
                  vdnn_refusal_algo(request));
    if (is_unified)
        add_unified(setup, vdnn_refusal_unified(plans, advice->smallest_bytes), text);
    else
        vdnn_refusal_add_needs(text, plans->span_bytes, setup->budget_bytes);
    if (!is_unified && advice->smallest_bytes > 0)
        vdnn_text_add(text, "\n  smallest budget of this policy: --device-mem %zu (%s)",
                      advice->smallest_bytes,
                      vdnn_text_bytes(people, sizeof people, (double)advice->smallest_bytes));
    else if (!is_unified)
        add_smallest_budgets(text, plans->span_bytes);
    if (advice->policy == NULL && !is_explained)
        add_smallest(advice, is_unified, text);
    else if (advice->policy != NULL)
        vdnn_text_add(text, "\n  a policy that fits this budget: --policy %s%s",
                      advice->policy->name,
                      !advice->policy->is_static    ? ""
                      : advice->algo == VDNN_ALGO_M ? " --algo m"
                                                    : " --algo p");
    if (advice->largest_batch > 0)
        vdnn_text_add(text, "\n  the largest batch that fits: --batch %lld%s",
                      (long long)advice->largest_batch * setup->graph->devices,
                      dynamic ? "" : " --algo m");
    else if (!setup->properties.recorded && /* whose times are of one batch */
             !(is_unified && plans->span_bytes[VDNN_TIER_HOST] > 0))
        vdnn_text_add(text, "\n  no batch fits this budget under this policy");
    if (!setup->properties.simulated && !vdnn_advice_is_certain(request->policy, request->algo))
        vdnn_text_add(text, "\n"
                            "  --algo p chooses by measured times, so its smallest budget varies "
                            "with them: --profile FILE keeps them");
}

vdnn_status vdnn_refusal_tell(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                              const vdnn_advice *advice, bool is_explained)
{
    vdnn_text text = {0};
    describe(request, plans, advice, is_explained, &text);
    vdnn_status status =
        vdnn_status_fail(VDNN_NO_FIT, "%s", text.failed ? "it does not fit the budget" : text.data);
    vdnn_text_fini(&text);
    return status;
}
