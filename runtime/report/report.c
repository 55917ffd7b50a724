#include "runtime/report/report.h"

#include "alloc/heap.h"
#include "runtime/train/fit.h"

#include <string.h>

static bool is_listed(const char *name, const char *list)
{
    size_t length = strlen(name);
    while (list != NULL) {
        const char *comma = strchr(list, ',');
        size_t item = comma == NULL ? strlen(list) : (size_t)(comma - list);
        if (item == length && memcmp(list, name, length) == 0)
            return true;
        list = comma == NULL ? NULL : comma + 1;
    }
    return false;
}

static vdnn_status add_row(vdnn_report *report, const vdnn_policy *policy, vdnn_algo_mode algo)
{
    vdnn_fit_plans plans = {0};
    vdnn_fit_request request = {.setup = report->setup, .policy = policy, .algo = algo};
    vdnn_verdict verdict = {0};
    vdnn_status status = vdnn_fit_plan(&request, &plans);
    if (status != VDNN_OK && status != VDNN_NO_FIT)
        return status;
    verdict.fits = status == VDNN_OK;
    status = vdnn_fit_smallest(&request, &plans, &verdict.smallest_bytes);
    if (status == VDNN_OK) {
        double step = plans.training->step_seconds;
        report->rows[report->row_count++] = (vdnn_report_row){
            .policy = policy,
            .plan = plans.training,
            .verdict = verdict,
            .relative_speed = step > 0.0 ? plans.training->oracle_step_seconds / step : 0.0};
        plans.training = NULL;
    }
    vdnn_fit_plans_fini(&plans);
    return status;
}

static vdnn_status add_policy(vdnn_report *report, const vdnn_policy *policy)
{
    if (!policy->is_static)
        return add_row(report, policy, VDNN_ALGO_P);
    vdnn_status status = add_row(report, policy, VDNN_ALGO_M);
    return status == VDNN_OK ? add_row(report, policy, VDNN_ALGO_P) : status;
}

vdnn_status vdnn_report_create(const vdnn_setup *setup, const char *policies, vdnn_report **report)
{
    size_t most = 2 * vdnn_policy_count();
    vdnn_report *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the report");
    vdnn_status status = VDNN_OK;
    fresh->setup = setup;
    fresh->rows = vdnn_heap_calloc(most, sizeof *fresh->rows);
    if (fresh->rows == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the report");
    for (size_t i = 0; status == VDNN_OK && i < vdnn_policy_count(); i++)
        if (policies == NULL || is_listed(vdnn_policy_at(i)->name, policies))
            status = add_policy(fresh, vdnn_policy_at(i));
    if (status == VDNN_OK)
        *report = fresh;
    else
        vdnn_report_destroy(fresh);
    return status;
}

void vdnn_report_destroy(vdnn_report *report)
{
    if (report == NULL)
        return;
    for (size_t i = 0; report->rows != NULL && i < report->row_count; i++)
        vdnn_plan_destroy(report->rows[i].plan);
    vdnn_heap_free(report->rows);
    vdnn_heap_free(report);
}

vdnn_status vdnn_report_verdict(const vdnn_report *report)
{
    const vdnn_report_row *best = NULL;
    for (size_t i = 0; i < report->row_count; i++) {
        const vdnn_report_row *row = &report->rows[i];
        if (row->verdict.fits)
            return VDNN_OK;
        if (row->verdict.smallest_bytes > 0 &&
            (best == NULL || row->verdict.smallest_bytes < best->verdict.smallest_bytes))
            best = row;
    }
    char people[32];
    if (best == NULL)
        return vdnn_status_fail(VDNN_NO_FIT,
                                "no policy fits: the pinned host tier (--host-mem) of %zu bytes is "
                                "too small for all of them",
                                report->setup->host_bytes);
    return vdnn_status_fail(
        VDNN_NO_FIT,
        "no policy fits the budget of %zu bytes; the smallest that is enough: "
        "--device-mem %zu (%s), for policy %s",
        report->setup->device_bytes, best->verdict.smallest_bytes,
        vdnn_text_bytes(people, sizeof people, (double)best->verdict.smallest_bytes),
        best->policy->name);
}
