/* A session's plan: searched for, its parts measured, its kernels loaded, and what is said of it.
 */

#include "runtime/train/session/session_internal.h"

#include "runtime/exec/rehearsal.h"
#include "runtime/fit/refusal.h"
#include "runtime/setup/patience.h"

/* ---- what is said of it ---------------------------------------------------------------------- */

/* VDNN_NO_FIT with what would fit, and the smallest budget that would. */
static vdnn_status tell_no_fit(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                               size_t *smallest_bytes)
{
    vdnn_advice advice = {0};
    vdnn_status status = vdnn_advice_make(request, plans, &advice);
    if (status != VDNN_OK)
        return status;
    *smallest_bytes = advice.smallest_bytes;
    status = vdnn_refusal_tell(request, plans, &advice);
    vdnn_advice_fini(&advice);
    return status;
}

/* None where a signal comes meanwhile: the plan is there to be shown. */
static vdnn_status find_smallest(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                                 size_t *smallest_bytes)
{
    vdnn_status status = vdnn_fit_smallest(request, plans, smallest_bytes);
    if (!vdnn_session_is_signal(status))
        return status;
    *smallest_bytes = 0;
    return VDNN_OK;
}

static int count_in_parts(const vdnn_graph *graph)
{
    int count = 0;
    for (int32_t l = 0; l < graph->layer_count; l++)
        count += graph->layers[l].parts > 1;
    return count;
}

/* That a policy had to cut layers, unless it was told to: their gradients have other last bits. */
static void tell_parts(const vdnn_session *session, const vdnn_plan *plan)
{
    const vdnn_setup *setup = &session->setup;
    if (plan->graph == setup->graph || !vdnn_setup_variants_are_free(setup->variants) ||
        !vdnn_setup_variants_change_bits(setup->variants))
        return;
    vdnn_messages_log(&session->messages, VDNN_LOG_WARN,
                      "nothing fits with whole layers: %d run in parts, and sum the gradients of "
                      "their parameters over these, whose last bits differ from other plans'",
                      count_in_parts(plan->graph));
}

/* ---- the search ------------------------------------------------------------------------------ */

static vdnn_status plan_once(const vdnn_session *session, vdnn_fit_request request,
                             vdnn_fit_plans *plans)
{
    vdnn_patience patience;
    vdnn_patience_begin(VDNN_PATIENCE_OF_RUN, &session->options, &session->messages, &patience);
    request.patience = &patience.of_policy;
    return vdnn_fit_plan(&request, plans);
}

/* How often parts are measured, and planned anew: other parts, or other algorithms, may seem faster
 * as long as they were not measured. And by what share of a step they must be late. */
enum { MOST_MEASURED = 3 };
static const double late_share = 0.01;

/* The parts of the plan are measured; where that makes it late, it is planned anew, and *is_late. A
 * signal meanwhile leaves the plan as it is, to be run or shown. */
static vdnn_status plan_by_parts(const vdnn_session *session, const vdnn_fit_request *request,
                                 vdnn_fit_plans *plans, bool *is_late)
{
    vdnn_setup_variants *variants = session->setup.variants;
    const double planned = plans->training->step_seconds;
    vdnn_fit_plans anew = {0};
    double late = 0;
    *is_late = false;
    vdnn_status status = vdnn_setup_variants_measure(variants, plans->training, &late);
    if (vdnn_session_is_signal(status))
        return VDNN_OK;
    if (status != VDNN_OK || late <= late_share * planned)
        return status;
    status = vdnn_setup_variants_learn(variants);
    if (status == VDNN_OK)
        status = plan_once(session, *request, &anew);
    if (status == VDNN_OK) {
        *is_late = true;
        vdnn_messages_log(&session->messages, VDNN_LOG_INFO,
                          "measured, the parts of the planned step of %.6f s take %.6f s longer; "
                          "planned anew, a step takes %.6f s",
                          planned, late, anew.training->step_seconds);
        const vdnn_fit_plans before = *plans;
        *plans = anew;
        anew = before;
    }
    vdnn_fit_plans_fini(&anew);
    return status == VDNN_NO_FIT ? VDNN_OK : status; /* the one before fits */
}

/* Plans whose layers run in parts count on times of whole layers, until these are measured. */
static vdnn_status plan_and_measure(const vdnn_session *session, const vdnn_fit_request *request,
                                    vdnn_fit_plans *plans)
{
    vdnn_status status = plan_once(session, *request, plans);
    bool is_late = status == VDNN_OK;
    for (int i = 0; is_late && status == VDNN_OK && i < MOST_MEASURED; i++)
        status = plan_by_parts(session, request, plans, &is_late);
    return status;
}

static vdnn_status make_plan(vdnn_session *session)
{
    const vdnn_session_options *options = &session->options.ask;
    vdnn_fit_plans plans = {0};
    const vdnn_fit_request request = vdnn_session_fit_request(session);
    vdnn_status status = plan_and_measure(session, &request, &plans);
    if (status != VDNN_OK && status != VDNN_NO_FIT) {
        vdnn_fit_plans_fini(&plans);
        return status;
    }
    vdnn_verdict verdict = {.fits = status == VDNN_OK,
                            .device_budget_bytes = session->setup.budget_bytes[VDNN_TIER_DEVICE],
                            .host_budget_bytes = session->setup.budget_bytes[VDNN_TIER_HOST]};
    if (status == VDNN_NO_FIT && !options->max_batch) {
        status = tell_no_fit(&request, &plans, &verdict.smallest_bytes);
    } else if (status == VDNN_OK && (options->dry_run || request.policy->is_static)) {
        status = find_smallest(&request, &plans, &verdict.smallest_bytes);
    }
    if (status == VDNN_OK || status == VDNN_NO_FIT) {
        session->plans = plans;
        session->verdict = verdict;
        session->is_planned = true;
        if (verdict.fits)
            tell_parts(session, plans.training);
    } else {
        vdnn_fit_plans_fini(&plans);
    }
    return status;
}

/* ---- kernels that are loaded late ------------------------------------------------------------ */

static vdnn_status fail_late(const vdnn_session *session, size_t free_bytes)
{
    return vdnn_status_fail(VDNN_DEVICE,
                            "the plan takes %zu bytes of the device, but beside its kernels and "
                            "libraries only %zu are free; ask for less: --device-mem %zu",
                            session->plans.span_bytes[VDNN_TIER_DEVICE], free_bytes, free_bytes);
}

/* Kernels that are loaded late are loaded now: their memory is not part of a plan, and the default
 * budget is what they leave. Another plan may run other kernels, so a few are tried. */
static vdnn_status load_kernels(vdnn_session *session)
{
    enum { MOST_PLANS = 4 };
    const vdnn_session_options *options = &session->options.ask;
    vdnn_setup *setup = &session->setup;
    vdnn_status status = VDNN_OK;
    if (!setup->properties.loads_late || options->dry_run || options->poison)
        return VDNN_OK;
    for (int i = 1; status == VDNN_OK; i++) {
        status = vdnn_rehearsal_run(session->plans.training, setup->device);
        size_t free_bytes = vdnn_device_free_bytes(setup->device);
        if (status != VDNN_OK || session->plans.span_bytes[VDNN_TIER_DEVICE] <= free_bytes)
            return status;
        if (options->device_mem != NULL || i == MOST_PLANS)
            return fail_late(session, free_bytes);
        setup->budget_bytes[VDNN_TIER_DEVICE] = free_bytes;
        vdnn_fit_plans_fini(&session->plans);
        session->is_planned = false;
        status = make_plan(session);
    }
    return status;
}

vdnn_status vdnn_session_make_plan(vdnn_session *session)
{
    vdnn_status status = make_plan(session);
    return status == VDNN_OK ? load_kernels(session) : status;
}
