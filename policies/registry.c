#include "policies/registry.h"

#include "policies/custom.h"
#include "policies/spare_memory.h"
#include "runtime/base/versioned.h"

#include <pthread.h>
#include <string.h>

#define VDNN_POLICY_TABLE(X)                                                                       \
    X(base)                                                                                        \
    X(all)                                                                                         \
    X(conv)                                                                                        \
    X(dyn)                                                                                         \
    X(opt)

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

vdnn_status vdnn_policy_register(const vdnn_policy_type *type)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    vdnn_policy_type own;
    vdnn_status status = vdnn_versioned_take(&own, sizeof own, type, "vdnn_policy_type");
    if (status != VDNN_OK)
        return status;
    (void)pthread_mutex_lock(&lock);
    if (own.name != NULL && vdnn_policy_find(own.name) != NULL)
        status = vdnn_status_fail(VDNN_USAGE, "policy '%s' is already registered", own.name);
    else
        status = vdnn_custom_policy_add(&own);
    (void)pthread_mutex_unlock(&lock);
    return status;
}

vdnn_status vdnn_policy_decide(const vdnn_policy *policy, const vdnn_policy_request *request,
                               vdnn_decisions *decisions)
{
    VDNN_TRY(policy->decide == NULL ? vdnn_custom_policy_decide(policy, request, decisions)
                                    : policy->decide(request, decisions));
    vdnn_status status = request->asks_fit ? VDNN_OK : vdnn_spare_memory_decide(request, decisions);
    if (status != VDNN_OK)
        vdnn_decisions_fini(decisions);
    return status;
}
