#include "runtime/fit/advice.h"

#include "runtime/base/heap.h"

bool vdnn_advice_is_certain(const vdnn_policy *policy, vdnn_algo_mode algo)
{
    return !policy->is_static || algo == VDNN_ALGO_M;
}

/* Whether the first fits more certainly than the best so far, or as certainly and faster. */
static bool is_better(const vdnn_fit_request *request, double step_seconds,
                      const vdnn_advice *advice, double best_seconds)
{
    if (advice->policy == NULL)
        return true;
    bool certain = vdnn_advice_is_certain(request->policy, request->algo);
    if (certain != vdnn_advice_is_certain(advice->policy, advice->algo))
        return certain;
    return step_seconds < best_seconds;
}

/* Of a policy that does not fit; of a static one with the leanest algorithms. */
static void note_smallest(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                          vdnn_smallest *own)
{
    if (request->policy->is_static && request->algo != VDNN_ALGO_M)
        return;
    own->policy = request->policy;
    own->bytes = plans->smallest_bytes;
}

/* A policy that fits, if there is one; else the smallest budget of each: the smallest of these is
 * the advice. */
static vdnn_status find_policy(const vdnn_fit_request *request, vdnn_advice *advice)
{
    double seconds = 0.0;
    size_t count = vdnn_policy_count(); /* another thread may register one meanwhile */
    advice->smallest_of = vdnn_heap_calloc(count, sizeof *advice->smallest_of);
    if (advice->smallest_of == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the needs of every policy");
    advice->count = count;
    for (size_t i = 0; i < count; i++) {
        const vdnn_policy *policy = vdnn_policy_at(i);
        for (int mode = VDNN_ALGO_M; mode <= (policy->is_static ? VDNN_ALGO_P : VDNN_ALGO_M);
             mode++) {
            vdnn_fit_plans plans = {0};
            vdnn_fit_request other = *request;
            other.policy = policy;
            other.algo = policy->is_static ? (vdnn_algo_mode)mode : VDNN_ALGO_P;
            vdnn_status status = vdnn_fit_plan(&other, &plans);
            if (status != VDNN_OK && status != VDNN_NO_FIT)
                return status;
            VDNN_INVARIANT(plans.training != NULL, ==, true);
            double step = plans.training->step_seconds;
            note_smallest(&other, &plans, &advice->smallest_of[i]);
            vdnn_fit_plans_fini(&plans);
            if (status == VDNN_NO_FIT || !is_better(&other, step, advice, seconds))
                continue;
            seconds = step;
            advice->policy = policy;
            advice->algo = other.algo;
        }
    }
    return VDNN_OK;
}

/* Of use only where none fits. */
static void forget_smallest(vdnn_advice *advice)
{
    if (advice->policy == NULL)
        return;
    vdnn_heap_free(advice->smallest_of);
    advice->smallest_of = NULL;
    advice->count = 0;
}

vdnn_status vdnn_advice_make(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                             vdnn_advice *advice)
{
    vdnn_advice fresh = {0};
    vdnn_fit_request certain = *request;
    certain.algo = VDNN_ALGO_M;
    vdnn_status status = vdnn_fit_smallest(request, plans, &fresh.smallest_bytes);
    VDNN_IF_OK(status, find_policy(request, &fresh));
    VDNN_IF_OK(status, vdnn_fit_largest_batch(&certain, &fresh.largest_batch));
    forget_smallest(&fresh);
    if (status == VDNN_OK)
        *advice = fresh;
    else
        vdnn_advice_fini(&fresh);
    return status;
}

void vdnn_advice_fini(vdnn_advice *advice)
{
    vdnn_heap_free(advice->smallest_of);
    *advice = (vdnn_advice){0};
}
