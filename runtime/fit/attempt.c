#include "runtime/fit/attempt.h"

#include "runtime/planner/answers.h"
#include "runtime/planner/planner.h"
#include "runtime/setup/policy_plan.h"

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
} asking;

static void ask(const vdnn_fit_request *request, size_t device_bytes, asking *own)
{
    const vdnn_setup *setup = request->setup;
    own->stop = (vdnn_policy_stop){is_stopped, &setup->messages};
    own->of_policy = (vdnn_policy_request){.graph = setup->graph,
                                           .profile = setup->profile,
                                           .algo = request->algo,
                                           .patience = request->patience,
                                           .stop = &own->stop,
                                           .findings = request->findings,
                                           .packings = setup->packings,
                                           .answers = request->answers};
    memcpy(own->of_policy.budget_bytes, setup->budget_bytes, sizeof setup->budget_bytes);
    own->of_policy.budget_bytes[VDNN_TIER_DEVICE] = device_bytes;
}

static vdnn_status stopped(const vdnn_fit_request *request)
{
    return request->patience == NULL ? vdnn_messages_interrupted(&request->setup->messages)
                                     : VDNN_OK;
}

static vdnn_status plan(const vdnn_fit_request *request, asking *own, vdnn_fit_plans *plans)
{
    vdnn_setup_variants *variants = request->setup->variants;
    return request->tests
               ? vdnn_policy_plan_both(request->policy, &own->of_policy, variants, &plans->training,
                                       &plans->evaluation)
               : vdnn_policy_plan(request->policy, &own->of_policy, variants, &plans->training);
}

vdnn_status vdnn_attempt_plan(const vdnn_fit_request *request, size_t device_bytes,
                              vdnn_fit_plans *plans)
{
    asking own;
    vdnn_fit_plans fresh = {0};
    ask(request, device_bytes, &own);
    own.of_policy.last = request->last;
    vdnn_status fits = plan(request, &own, &fresh);
    if (fits != VDNN_OK && fits != VDNN_NO_FIT)
        return fits;
    vdnn_status status = stopped(request);
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
        fresh.span_bytes[tier] =
            larger(fresh.training->span_bytes[tier],
                   fresh.evaluation == NULL ? 0 : fresh.evaluation->span_bytes[tier]);
    if (status != VDNN_OK) {
        vdnn_fit_plans_fini(&fresh);
        return status;
    }
    if (fits == VDNN_OK && fresh.evaluation != NULL &&
        !vdnn_plan_fits(fresh.evaluation, own.of_policy.budget_bytes))
        fits = vdnn_status_fail(VDNN_NO_FIT, "the evaluation does not fit the budget");
    *plans = fresh;
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
    ask(request, device_bytes, &own);
    vdnn_status fits =
        vdnn_policy_need(request->policy, &own.of_policy, request->setup->variants, span_bytes);
    if (fits != VDNN_OK && fits != VDNN_NO_FIT)
        return fits;
    vdnn_status status = stopped(request);
    return status == VDNN_OK ? fits : status;
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
    ask(request, device_bytes, &own);
    vdnn_status fits =
        vdnn_policy_is_enough(request->policy, &own.of_policy, request->setup->variants);
    if (fits != VDNN_OK && fits != VDNN_NO_FIT)
        return fits;
    vdnn_status status = stopped(request);
    return status == VDNN_OK ? fits : status;
}
