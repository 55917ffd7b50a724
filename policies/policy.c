#include "policies/policy.h"

#include "policies/common.h"
#include "policies/custom.h"
#include "runtime/plan/planner.h"

#include <string.h>

#define VDNN_POLICY_TABLE(X)                                                                       \
    X(base)                                                                                        \
    X(all)                                                                                         \
    X(conv)                                                                                        \
    X(dyn)

#define X(name) extern const vdnn_policy vdnn_policy_##name;
VDNN_POLICY_TABLE(X)
#undef X

static const vdnn_policy *const policies[] = {
#define X(name) &vdnn_policy_##name,
    VDNN_POLICY_TABLE(X)
#undef X
};

enum { POLICY_COUNT = sizeof policies / sizeof *policies };

size_t vdnn_policy_count(void)
{
    return POLICY_COUNT + vdnn_custom_policy_count();
}

const vdnn_policy *vdnn_policy_at(size_t i)
{
    return i < POLICY_COUNT ? policies[i] : vdnn_custom_policy_at(i - POLICY_COUNT);
}

const char *vdnn_policy_name(size_t i)
{
    return i < vdnn_policy_count() ? vdnn_policy_at(i)->name : NULL;
}

const vdnn_policy *vdnn_policy_find(const char *name)
{
    for (size_t i = 0; i < vdnn_policy_count(); i++)
        if (strcmp(vdnn_policy_at(i)->name, name) == 0)
            return vdnn_policy_at(i);
    return NULL;
}

/* What is too small, by how much, in words. */
static vdnn_status refuse(const vdnn_policy_request *request, const vdnn_plan *plan)
{
    bool device = plan->arena_bytes > request->device_bytes;
    size_t needed = device ? plan->arena_bytes : plan->host_arena_bytes;
    size_t budget = device ? request->device_bytes : request->host_bytes;
    char needed_text[32], budget_text[32];
    return vdnn_status_fail(
        VDNN_NO_FIT,
        "policy %s cannot train %s at batch %lld in a %s budget of %zu bytes (%s); "
        "its smallest is %zu bytes (%s)",
        plan->policy, request->graph->name, (long long)request->graph->batch,
        device ? "device" : "host", budget,
        vdnn_text_bytes(budget_text, sizeof budget_text, (double)budget), needed,
        vdnn_text_bytes(needed_text, sizeof needed_text, (double)needed));
}

vdnn_status vdnn_policy_plan(const vdnn_policy *policy, const vdnn_policy_request *request,
                             vdnn_plan **plan)
{
    vdnn_decisions decisions;
    vdnn_plan *made = NULL;
    vdnn_status decided = policy->decide == NULL
                              ? vdnn_custom_policy_decide(policy, request, &decisions)
                              : policy->decide(request, &decisions);
    if (decided != VDNN_OK && decided != VDNN_NO_FIT)
        return decided;
    vdnn_status status = vdnn_planner_plan(request->graph, request->profile, &decisions, &made);
    vdnn_decisions_fini(&decisions);
    if (status != VDNN_OK)
        return status;
    *plan = made;
    return vdnn_plan_fits(made, request->device_bytes, request->host_bytes) ? VDNN_OK
                                                                            : refuse(request, made);
}
