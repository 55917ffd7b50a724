#include "policies/policy.h"

#include "policies/custom.h"

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

vdnn_status vdnn_policy_try(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                            vdnn_trial_live *live, vdnn_trial_result *result)
{
    return request->trial->run(request->trial, decisions, live, result);
}

vdnn_status vdnn_policy_fits(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                             vdnn_tier tier, bool *fits)
{
    return request->trial->fits(request->trial, decisions, tier, fits);
}

vdnn_status vdnn_policy_decide(const vdnn_policy *policy, const vdnn_policy_request *request,
                               vdnn_decisions *decisions)
{
    return policy->decide == NULL ? vdnn_custom_policy_decide(policy, request, decisions)
                                  : policy->decide(request, decisions);
}
