#include "runtime/fit/attempt.h"

#include <string.h>

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static bool is_stopped(const void *argument)
{
    return vdnn_messages_interrupted(argument) != VDNN_OK;
}

/* Of the setup's network under so much device memory; the other budgets are the setup's. Once the
 * run is to end, only what is planned with patience ends with the best so far: by its plan the run
 * is left. */
typedef struct asking {
    vdnn_policy_request of_policy;
    vdnn_policy_stop stop;
    vdnn_planning *made; /* for this one alone; NULL: it is the request's */
} asking;

static vdnn_status begin(const vdnn_fit_request *request, size_t device_bytes, asking *own)
{
    const vdnn_setup *setup = request->setup;
    size_t budget_bytes[VDNN_TIER_COUNT];
    memcpy(budget_bytes, setup->budget_bytes, sizeof budget_bytes);
    budget_bytes[VDNN_TIER_DEVICE] = device_bytes;
    own->made = NULL;
    own->stop = (vdnn_policy_stop){is_stopped, &setup->messages};
    own->of_policy = (vdnn_policy_request){.planning = request->planning,
                                           .algo = request->algo,
                                           .patience = request->patience,
                                           .stop = &own->stop};
    if (request->planning == NULL) {
        VDNN_TRY(vdnn_setup_plan(setup, &own->made));
        own->of_policy.planning = own->made;
    }
    vdnn_planning_begin(own->of_policy.planning, budget_bytes);
    return VDNN_OK;
}

/* An attempt that is stopped is of no use, but with patience. */
static vdnn_status end(const vdnn_fit_request *request, asking *own, vdnn_status fits)
{
    vdnn_planning_destroy(own->made);
    if ((fits != VDNN_OK && fits != VDNN_NO_FIT) || request->patience != NULL)
        return fits;
    vdnn_status status = vdnn_messages_interrupted(&request->setup->messages);
    return status == VDNN_OK ? fits : status;
}

vdnn_status vdnn_attempt_plan(const vdnn_fit_request *request, size_t device_bytes,
                              vdnn_fit_plans *plans)
{
    asking own;
    vdnn_fit_plans fresh = {0};
    VDNN_TRY(begin(request, device_bytes, &own));
    own.of_policy.last = request->last;
    vdnn_status fits = vdnn_policy_plan(request->policy, &own.of_policy, &fresh.training,
                                        request->tests ? &fresh.evaluation : NULL);
    const bool is_too_large =
        fits == VDNN_OK && fresh.evaluation != NULL &&
        !vdnn_plan_fits(fresh.evaluation, own.of_policy.planning->budget_bytes);
    fits = end(request, &own, fits);
    if (fits != VDNN_OK && fits != VDNN_NO_FIT) {
        vdnn_fit_plans_fini(&fresh);
        return fits;
    }
    for (size_t tier = 0; tier < VDNN_TIER_COUNT; tier++)
        fresh.span_bytes[tier] =
            larger(fresh.training->span_bytes[tier],
                   fresh.evaluation == NULL ? 0 : fresh.evaluation->span_bytes[tier]);
    *plans = fresh;
    if (is_too_large)
        fits = vdnn_status_fail(VDNN_NO_FIT, "the evaluation does not fit the budget");
    return fits;
}

/* Of both plans. */
static vdnn_status need_of_both(const vdnn_fit_request *request, size_t device_bytes,
                                size_t span_bytes[VDNN_TIER_COUNT])
{
    vdnn_fit_plans plans = {0};
    vdnn_status status = vdnn_attempt_plan(request, device_bytes, &plans);
    if (status == VDNN_OK || status == VDNN_NO_FIT) {
        memcpy(span_bytes, plans.span_bytes, sizeof plans.span_bytes);
        vdnn_fit_plans_fini(&plans);
    }
    return status;
}

static vdnn_status need_of_training(const vdnn_fit_request *request, size_t device_bytes,
                                    size_t span_bytes[VDNN_TIER_COUNT])
{
    asking own;
    VDNN_TRY(begin(request, device_bytes, &own));
    return end(request, &own, vdnn_policy_need(request->policy, &own.of_policy, span_bytes));
}

vdnn_status vdnn_attempt_need(const vdnn_fit_request *request, size_t device_bytes,
                              size_t span_bytes[VDNN_TIER_COUNT])
{
    return request->tests ? need_of_both(request, device_bytes, span_bytes)
                          : need_of_training(request, device_bytes, span_bytes);
}

vdnn_status vdnn_attempt_is_enough(const vdnn_fit_request *request)
{
    const size_t device_bytes = request->setup->budget_bytes[VDNN_TIER_DEVICE];
    size_t span_bytes[VDNN_TIER_COUNT];
    asking own;
    if (request->tests)
        return need_of_both(request, device_bytes, span_bytes);
    VDNN_TRY(begin(request, device_bytes, &own));
    return end(request, &own, vdnn_policy_is_enough(request->policy, &own.of_policy));
}
