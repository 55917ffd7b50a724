/* A session's plan, whose layers in parts count on times of whole layers until theirs are measured:
 *
 *     search -> plan -> its parts are measured -> in time: run
 *                                              -> late: search from the fastest, by these times
 *
 * Other parts, or other algorithms, may seem faster as long as they were not measured, so this ends
 * after a few turns, with the plan that was fastest by its measured parts.
 */

#include "runtime/base/numbers/rounded.h"
#include "runtime/setup/patience.h"
#include "runtime/train/session/session_internal.h"

enum { MOST_ANEW = 3 };
static const double late_share = 0.01; /* of a step */

typedef struct measured {
    const vdnn_session *session;
    vdnn_fit_request request; /* without patience */
    vdnn_fit_plans *plans;    /* the last */
    vdnn_policy_last last;    /* what they decide */
    double seconds;           /* of a step as it was planned, before its parts were measured */
    vdnn_policy_last fastest; /* of what was measured */
    double fastest_seconds;
} measured;

static vdnn_status search(const measured *own, vdnn_policy_last *last, vdnn_fit_plans *plans)
{
    const vdnn_session *session = own->session;
    vdnn_fit_request request = own->request;
    vdnn_patience patience;
    vdnn_patience_begin(VDNN_PATIENCE_OF_RUN, &session->options, &session->messages, &patience);
    request.patience = &patience.of_policy;
    request.last = last;
    return vdnn_fit_plan(&request, plans);
}

/* The plans that the status is of take the place of the last; where there are none, these stay. A
 * signal meanwhile ends nothing: they are run, or shown. */
static vdnn_status take(measured *own, vdnn_status status, vdnn_fit_plans *made)
{
    if (status == VDNN_OK) {
        vdnn_fit_plans_fini(own->plans);
        *own->plans = *made;
        return VDNN_OK;
    }
    vdnn_fit_plans_fini(made);
    return status == VDNN_NO_FIT || vdnn_session_is_signal(status) ? VDNN_OK : status;
}

/* What was decided, at the times that are known now: nothing is searched for. */
static vdnn_status time_anew(measured *own, vdnn_policy_last *decided)
{
    vdnn_fit_request request = own->request;
    vdnn_fit_plans made = {0};
    request.last = decided;
    return take(own, vdnn_fit_plan(&request, &made), &made);
}

static double step_seconds(const measured *own)
{
    return own->plans->training->step_seconds;
}

/* Whether the plan is late by its parts, which it has the times of then. */
static vdnn_status measure(measured *own, bool *is_late)
{
    vdnn_setup_variants *variants = own->session->setup.variants;
    double late_seconds = 0;
    *is_late = false;
    own->seconds = step_seconds(own);
    vdnn_status status = vdnn_setup_variants_measure(variants, own->plans->training, &late_seconds);
    if (vdnn_session_is_signal(status))
        return VDNN_OK;
    if (status != VDNN_OK || late_seconds <= late_share * own->seconds)
        return status;
    *is_late = true;
    status = vdnn_setup_variants_learn(variants);
    return status == VDNN_OK ? time_anew(own, &own->last) : status;
}

static vdnn_status keep_if_fastest(measured *own)
{
    if (own->fastest.is_known && step_seconds(own) >= own->fastest_seconds)
        return VDNN_OK;
    own->fastest_seconds = step_seconds(own);
    return vdnn_policy_last_set(&own->fastest, &own->last.decisions);
}

static void tell(const measured *own, double late_seconds, const char *how)
{
    enum { DIGITS = 3 };
    char planned[32], late[32], now[32];
    vdnn_messages_log(&own->session->messages, VDNN_LOG_INFO,
                      "measured, the parts of the planned step of %s take %s longer; %s, a step "
                      "takes %s",
                      vdnn_rounded_seconds(planned, sizeof planned, own->seconds, DIGITS),
                      vdnn_rounded_seconds(late, sizeof late, late_seconds, DIGITS), how,
                      vdnn_rounded_seconds(now, sizeof now, step_seconds(own), DIGITS));
}

/* From the fastest that was measured, so that no slower one comes. */
static vdnn_status search_on(measured *own)
{
    vdnn_fit_plans made = {0};
    vdnn_status status = vdnn_policy_last_set(&own->last, &own->fastest.decisions);
    return status == VDNN_OK ? take(own, search(own, &own->last, &made), &made) : status;
}

/* Another plan; the last time the fastest of those that were measured. */
static vdnn_status plan_anew(measured *own, bool is_last)
{
    const double late_seconds = step_seconds(own) - own->seconds;
    vdnn_status status = keep_if_fastest(own);
    VDNN_IF_OK(status, is_last ? time_anew(own, &own->fastest) : search_on(own));
    if (status == VDNN_OK)
        tell(own, late_seconds, is_last ? "by the fastest that was measured" : "planned again");
    return status;
}

vdnn_status vdnn_session_plan_measured(const vdnn_session *session, const vdnn_fit_request *request,
                                       vdnn_fit_plans *plans)
{
    measured own = {.session = session, .request = *request, .plans = plans};
    bool is_late = true;
    vdnn_status status = search(&own, &own.last, plans);
    for (int i = 0; is_late && status == VDNN_OK && i <= MOST_ANEW; i++) {
        status = measure(&own, &is_late);
        if (is_late && status == VDNN_OK)
            status = plan_anew(&own, i == MOST_ANEW);
    }
    vdnn_policy_last_fini(&own.last);
    vdnn_policy_last_fini(&own.fastest);
    return status;
}
