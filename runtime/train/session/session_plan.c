/* A session's plan: searched for, its parts measured, its kernels loaded, and what is said of it.
 */

#include "runtime/train/session/session_internal.h"

#include "runtime/exec/rehearsal.h"
#include "runtime/fit/refusal.h"
#include "runtime/fit/stages_fit.h"

/* ---- what is said of it ---------------------------------------------------------------------- */

static vdnn_status refuse_stages(const vdnn_fit_request *request, size_t *smallest_bytes)
{
    vdnn_stages_need need = {0};
    VDNN_TRY(vdnn_stages_fit_find(request, &need));
    *smallest_bytes = need.smallest_bytes;
    return vdnn_stages_fit_refuse(request, &need);
}

vdnn_status vdnn_session_refuse_stages(vdnn_session *session)
{
    const vdnn_fit_request request = vdnn_session_fit_request(session);
    return refuse_stages(&request, &session->verdict.smallest_bytes);
}

/* VDNN_NO_FIT with what would fit, and the smallest budget that would. */
static vdnn_status tell_no_fit(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                               bool is_explained, size_t *smallest_bytes)
{
    if (request->setup->graph->stage.count > 0)
        return refuse_stages(request, smallest_bytes);
    vdnn_advice advice = {0};
    VDNN_TRY(vdnn_advice_make(request, plans, &advice));
    *smallest_bytes = request->setup->unified_bytes > 0
                          ? vdnn_refusal_unified(plans, advice.smallest_bytes)
                          : advice.smallest_bytes;
    vdnn_status status = vdnn_refusal_tell(request, plans, &advice, is_explained);
    vdnn_advice_fini(&advice);
    return status;
}

static vdnn_status find_of_all_stages(const vdnn_fit_request *request, size_t *smallest_bytes)
{
    vdnn_stages_need need = {0};
    VDNN_TRY(vdnn_stages_fit_find(request, &need));
    *smallest_bytes = need.smallest_bytes;
    return VDNN_OK;
}

/* None where a signal comes meanwhile: the plan is there to be shown. */
static vdnn_status find_smallest(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                                 size_t *smallest_bytes)
{
    vdnn_status status = request->setup->graph->stage.count > 0
                             ? find_of_all_stages(request, smallest_bytes)
                             : vdnn_fit_smallest(request, plans, smallest_bytes);
    if (status == VDNN_OK && request->setup->unified_bytes > 0)
        *smallest_bytes = vdnn_refusal_unified(plans, *smallest_bytes);
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

/* By how much a plan is slower than with unlimited memory where parts are worth a word. */
static const double slow_share = 0.05;

static bool is_slow(const vdnn_plan *plan)
{
    return plan->oracle_step_seconds > 0 &&
           plan->step_seconds > plan->oracle_step_seconds * (1 + slow_share);
}

/* That a policy had to cut layers, whose gradients have other last bits, or had to leave them whole
 * because of these. Nothing of parts that it was told. */
static void tell_parts(const vdnn_session *session, const vdnn_plan *plan)
{
    const vdnn_setup *setup = &session->setup;
    const bool is_cut = plan->graph != setup->graph;
    if (!vdnn_setup_variants_are_free(setup->variants) ||
        !vdnn_setup_variants_are_last_resort(setup->variants))
        return;
    if (is_cut && setup->graph->is_frozen)
        vdnn_messages_log(&session->messages, VDNN_LOG_WARN,
                          "nothing fits with whole layers: %d run in parts, which may change the "
                          "last bits of what they compute",
                          count_in_parts(plan->graph));
    else if (is_cut)
        vdnn_messages_log(
            &session->messages, VDNN_LOG_WARN,
            "nothing fits with whole layers: %d run in parts, and sum the gradients "
            "of their parameters over these, whose last bits differ from other plans'",
            count_in_parts(plan->graph));
    else if (strcmp(session->options.policy->name, "opt") == 0 && is_slow(plan))
        vdnn_messages_log(&session->messages, VDNN_LOG_INFO,
                          "a step takes %.0f %% longer than with unlimited memory; in parts of the "
                          "batch layers may take less, with other last bits: --nondeterministic",
                          100 * (plan->step_seconds / plan->oracle_step_seconds - 1));
}

/* ---- the plan -------------------------------------------------------------------------------- */

/* Once more where a budget over device and host together, divided in another way, is enough. */
static vdnn_status find_plan(vdnn_session *session, const vdnn_fit_request *request,
                             vdnn_fit_plans *plans)
{
    vdnn_status status = vdnn_session_plan_measured(session, request, plans);
    if (status != VDNN_NO_FIT || !vdnn_setup_divide(&session->setup, plans->span_bytes))
        return status;
    vdnn_fit_plans_fini(plans);
    return vdnn_session_plan_measured(session, request, plans);
}

static vdnn_status make_plan(vdnn_session *session)
{
    const vdnn_session_options *options = &session->options.ask;
    vdnn_fit_plans plans = {0};
    const vdnn_fit_request request = vdnn_session_fit_request(session);
    vdnn_status status = find_plan(session, &request, &plans);
    if (status != VDNN_OK && status != VDNN_NO_FIT) {
        vdnn_fit_plans_fini(&plans);
        return status;
    }
    vdnn_verdict verdict = {.fits = status == VDNN_OK,
                            .device_budget_bytes = session->setup.budget_bytes[VDNN_TIER_DEVICE],
                            .host_budget_bytes = session->setup.budget_bytes[VDNN_TIER_HOST]};
    if (status == VDNN_NO_FIT && !options->print->max_batch) {
        status = tell_no_fit(&request, &plans, options->print->explain, &verdict.smallest_bytes);
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
                            "the plan takes %zu bytes of the device, but next to its kernels and "
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
    if (!setup->properties.loads_late || options->dry_run || options->trust->poison)
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
