#include "runtime/report/report.h"

#include "runtime/base/heap.h"
#include "runtime/fit/device_times.h"
#include "runtime/fit/fit.h"
#include "runtime/planner/clock/timing.h"
#include "runtime/report/cards.h"
#include "runtime/report/measured_run.h"
#include "runtime/setup/known_digits.h"
#include "runtime/setup/patience.h"

#include <math.h>
#include <string.h>

enum { NAME_BYTES = 64 };

static bool is_listed(const char *name, const char *list)
{
    char item[NAME_BYTES];
    while (list != NULL) {
        list = vdnn_text_next_item(list, item, sizeof item);
        if (strcmp(item, name) == 0)
            return true;
    }
    return false;
}

static vdnn_footprint everything(const vdnn_plan *plan)
{
    vdnn_footprint footprint = {.device_peak_bytes = plan->peak_bytes[VDNN_TIER_DEVICE],
                                .host_peak_bytes = plan->peak_bytes[VDNN_TIER_HOST],
                                .offload_bytes = plan->offload_bytes,
                                .prefetch_bytes = plan->prefetch_bytes,
                                .device_average_bytes = plan->device_average_bytes,
                                .step_seconds = plan->step_seconds,
                                .oracle_step_seconds = plan->oracle_step_seconds,
                                .peak_layer = vdnn_plan_peak_layer(plan)};
    memcpy(footprint.by_category, plan->by_category, sizeof footprint.by_category);
    memcpy(footprint.by_category_at_peak, plan->by_category_at_peak,
           sizeof footprint.by_category_at_peak);
    return footprint;
}

static vdnn_status count(const vdnn_report *report, const vdnn_plan *plan,
                         vdnn_footprint *footprint)
{
    if (report->options.counts_as_paper)
        return vdnn_paper_count(plan, report->setup.profile, footprint);
    *footprint = everything(plan);
    return VDNN_OK;
}

/* ---- a row ----------------------------------------------------------------------------------- */

void vdnn_report_row_fini(vdnn_report_row *row)
{
    vdnn_plan_destroy(row->plan);
    vdnn_plan_destroy(row->lesser_plan);
    vdnn_setup_lesser_end(&row->lesser);
    vdnn_heap_free(row->times);
}

/* The plan of a device with the smaller share; fits if that of the larger share does, else an
 * error.
 */
static vdnn_status plan_lesser(const vdnn_report *report, vdnn_algo_mode algo, vdnn_report_row *row)
{
    vdnn_fit_plans plans = {0};
    vdnn_fit_request request = {.setup = &row->lesser, .policy = row->policy, .algo = algo};
    vdnn_status status = vdnn_setup_lessen(&report->setup, row->plan, &row->lesser);
    VDNN_IF_OK(status, vdnn_fit_plan(&request, &plans));
    if (status == VDNN_NO_FIT) {
        row->verdict.fits = false;
        status = VDNN_OK;
    }
    if (status == VDNN_OK) {
        row->lesser_plan = plans.training;
        plans.training = NULL;
    }
    vdnn_fit_plans_fini(&plans);
    return status;
}

/* Simulates all devices at once: the times of each one's step, and the slowest. */
static vdnn_status time_devices(const vdnn_report *report, vdnn_report_row *row)
{
    int32_t count = report->device_count;
    const vdnn_plan **plans = vdnn_heap_calloc((size_t)count, sizeof *plans);
    row->times = vdnn_heap_calloc((size_t)count, sizeof *row->times);
    vdnn_status status = VDNN_OK;
    if (plans == NULL || row->times == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the plans of %d devices", count);
    for (int32_t d = 0; status == VDNN_OK && d < count; d++)
        plans[d] = d < count - report->lesser_count ? row->plan : row->lesser_plan;
    VDNN_IF_OK(status, vdnn_device_times_find(&report->setup, plans, count, row->times));
    for (int32_t d = 0; status == VDNN_OK && d < count; d++)
        row->footprint.step_seconds = fmax(row->footprint.step_seconds, row->times[d].step_seconds);
    vdnn_heap_free(plans);
    return status;
}

/* `smallest` is where the smallest budget of the policy goes; NULL: it is not searched. */
static vdnn_status fill_row(vdnn_report *report, vdnn_algo_mode algo, size_t *smallest,
                            vdnn_report_row *row)
{
    vdnn_fit_plans plans = {0};
    vdnn_patience patience;
    if (report->planning == NULL)
        VDNN_TRY(vdnn_setup_plan(&report->setup, &report->planning));
    vdnn_patience_begin(VDNN_PATIENCE_OF_REPORT, &report->options, &report->setup.messages,
                        &patience);
    vdnn_fit_request request = {
        .setup = row->setup,
        .policy = row->policy,
        .algo = algo,
        .patience = &patience.of_policy,
        .planning = row->setup->graph == report->setup.graph ? report->planning : NULL};
    vdnn_status status = vdnn_fit_plan(&request, &plans);
    if (status != VDNN_OK && status != VDNN_NO_FIT)
        return status;
    row->verdict.fits = status == VDNN_OK;
    status = smallest == NULL ? VDNN_OK : vdnn_fit_smallest(&request, &plans, smallest);
    row->plan = plans.training;
    plans.training = NULL;
    vdnn_fit_plans_fini(&plans);
    VDNN_IF_OK(status, count(report, row->plan, &row->footprint));
    if (status == VDNN_OK && report->lesser_count > 0)
        status = plan_lesser(report, algo, row);
    if (status == VDNN_OK && report->device_count > 1)
        status = time_devices(report, row);
    double step = row->footprint.step_seconds;
    row->relative_speed = step > 0.0 ? row->footprint.oracle_step_seconds / step : 0.0;
    return status;
}

vdnn_status vdnn_report_plan_row(vdnn_report *report, vdnn_algo_mode algo, vdnn_report_row *row)
{
    return fill_row(report, algo, NULL, row);
}

static vdnn_status add_row(vdnn_report *report, const vdnn_setup *setup, const vdnn_policy *policy,
                           vdnn_algo_mode algo)
{
    vdnn_report_row row = {.policy = policy, .setup = setup};
    vdnn_status status = fill_row(report, algo, &row.verdict.smallest_bytes, &row);
    if (status == VDNN_OK)
        report->rows[report->row_count++] = row;
    else
        vdnn_report_row_fini(&row);
    return status;
}

static vdnn_status add_policy(vdnn_report *report, const vdnn_policy *policy)
{
    if (!policy->is_static)
        return add_row(report, &report->setup, policy, VDNN_ALGO_P);
    vdnn_status status = add_row(report, &report->setup, policy, VDNN_ALGO_M);
    return status == VDNN_OK ? add_row(report, &report->setup, policy, VDNN_ALGO_P) : status;
}

/* Checks that each name of the list is a policy. */
static vdnn_status check_policies(const char *list)
{
    char name[NAME_BYTES];
    while (list != NULL) {
        list = vdnn_text_next_item(list, name, sizeof name);
        VDNN_TRY(vdnn_run_options_find_policy(name, NULL));
    }
    return VDNN_OK;
}

/* ---- micro-batches --------------------------------------------------------------------------- */

/* Beside all policies, of one device by its own accounting, where other shapes can be planned. */
static bool has_accumulation(const vdnn_report *report, const char *policies)
{
    return policies == NULL && report->device_count == 1 && !report->options.counts_as_paper &&
           !report->setup.properties.recorded;
}

/* Of the batch as a whole, which is the same work. */
static const vdnn_report_row *whole_row(const vdnn_report *report, const vdnn_policy *policy)
{
    const vdnn_report_row *row = report->rows;
    while (row->policy != policy || strcmp(row->plan->algo, "p") != 0)
        row++;
    return row;
}

/* By what the whole takes: parameters and state stay, gradients of parameters are summed, and the
 * rest grows with the samples of a micro-batch. */
static int32_t likely_micro_batches(const vdnn_report *report, const vdnn_report_row *whole)
{
    const vdnn_graph *graph = report->setup.graph;
    const double params = (double)vdnn_graph_param_bytes(graph),
                 fixed = params + (double)vdnn_graph_all_state_bytes(graph),
                 rest = (double)whole->plan->span_bytes[VDNN_TIER_DEVICE] - fixed,
                 left = (double)report->setup.budget_bytes[VDNN_TIER_DEVICE] - fixed - params;
    const double samples = floor((double)graph->micro_batch * left / rest);
    if (whole->verdict.fits || rest <= 0)
        return 1;
    return samples >= 1 ? (int32_t)fmin(ceil((double)graph->batch / samples), INT32_MAX)
                        : INT32_MAX;
}

static vdnn_status add_accumulation(vdnn_report *report)
{
    const vdnn_policy *base = vdnn_policy_find("base");
    const vdnn_fit_request request = {.setup = &report->setup, .policy = base, .algo = VDNN_ALGO_P};
    const vdnn_report_row *whole = whole_row(report, base);
    vdnn_graph_options options = vdnn_graph_asked(report->setup.graph);
    bool fits;
    vdnn_status status = vdnn_fit_fewest_micro_batches(
        &request, likely_micro_batches(report, whole), &options.micro_batches, &fits);
    VDNN_IF_OK(status, vdnn_fit_derive(&report->setup, &options, &report->accumulated));
    if (status == VDNN_BAD_INPUT) /* none fits, and the smallest are too small for the network */
        return VDNN_OK;
    VDNN_IF_OK(status, add_row(report, &report->accumulated, base, VDNN_ALGO_P));
    if (status != VDNN_OK)
        return status;
    vdnn_report_row *row = &report->rows[report->row_count - 1];
    row->micro_batches = options.micro_batches;
    row->footprint.oracle_step_seconds = whole->footprint.oracle_step_seconds;
    row->relative_speed = row->footprint.oracle_step_seconds / row->footprint.step_seconds;
    return VDNN_OK;
}

/* ---- one device in place of several ---------------------------------------------------------- */

static vdnn_status try_alone(const vdnn_report *report, vdnn_report_row *row)
{
    vdnn_fit_plans plans = {0};
    const vdnn_algo_mode algo = strcmp(row->plan->algo, "m") == 0 ? VDNN_ALGO_M : VDNN_ALGO_P;
    vdnn_fit_request request = {.setup = &report->alone, .policy = row->policy, .algo = algo};
    vdnn_status status = vdnn_fit_plan(&request, &plans);
    row->fits_alone = status == VDNN_OK;
    vdnn_fit_plans_fini(&plans);
    return status == VDNN_NO_FIT ? VDNN_OK : status;
}

/* Which policies need no second device. */
static vdnn_status compare_with_one(vdnn_report *report)
{
    vdnn_graph_options options = vdnn_graph_asked(report->setup.graph);
    options.batch = report->batch;
    options.devices = 1;
    options.step_batch = 0;
    vdnn_status status = vdnn_fit_derive(&report->setup, &options, &report->alone);
    for (size_t r = 0; status == VDNN_OK && r < report->row_count; r++)
        status = try_alone(report, &report->rows[r]);
    return status;
}

/* ---- the devices ----------------------------------------------------------------------------- */

static vdnn_status check_devices(const vdnn_report *report)
{
    const vdnn_device_properties *properties = &report->setup.properties;
    if (report->options.counts_as_paper)
        return vdnn_status_fail(
            VDNN_USAGE, "--devices: the paper has one device; several require --accounting full");
    if (!properties->simulated || properties->recorded)
        return vdnn_status_fail(VDNN_USAGE, "--devices: several devices can be planned only with a "
                                            "device model, --device sim:NAME");
    return VDNN_OK;
}

static vdnn_status begin_devices(const vdnn_messages *messages, vdnn_report *report)
{
    report->options.devices = (int32_t)report->options.ask.devices;
    vdnn_status status = vdnn_setup_begin(&report->options, messages, &report->setup);
    if (status != VDNN_OK)
        return status;
    const vdnn_graph *graph = report->setup.graph;
    report->device_count = graph->devices;
    report->batch = graph->step_batch;
    if (graph->devices > 1)
        status = check_devices(report);
    VDNN_IF_OK(status, vdnn_setup_measure(&report->options, messages, &report->setup));
    report->lesser_count = report->device_count - vdnn_setup_first_count(&report->setup);
    return status;
}

static vdnn_status begin(const vdnn_messages *given, vdnn_report *report)
{
    vdnn_messages messages;
    vdnn_status status = vdnn_messages_take(given, &messages);
    VDNN_IF_OK(status, begin_devices(&messages, report));
    return status == VDNN_OK ? vdnn_messages_interrupted(&messages) : status;
}

static vdnn_status add_rows(const char *policies, vdnn_report *report)
{
    vdnn_status status = VDNN_OK;
    size_t count = vdnn_policy_count(); /* another thread may register one meanwhile */
    report->rows = vdnn_heap_calloc(2 * count + 1, sizeof *report->rows);
    if (report->rows == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the report");
    for (size_t i = 0; status == VDNN_OK && i < count; i++)
        if (policies == NULL || is_listed(vdnn_policy_at(i)->name, policies))
            status = add_policy(report, vdnn_policy_at(i));
    if (status == VDNN_OK && report->device_count > 1)
        return compare_with_one(report);
    return status == VDNN_OK && has_accumulation(report, policies) ? add_accumulation(report)
                                                                   : status;
}

static vdnn_status fill(const vdnn_messages *messages, const char *policies, vdnn_report *report)
{
    vdnn_status status = vdnn_measured_run_read(report);
    VDNN_IF_OK(status, begin(messages, report));
    VDNN_IF_OK(status, vdnn_measured_run_check(report));
    VDNN_IF_OK(status, add_rows(policies, report));
    return status == VDNN_OK ? vdnn_budgets_plan(report) : status;
}

vdnn_status vdnn_report_create(const vdnn_session_options *options, const vdnn_messages *messages,
                               const char *policies, vdnn_report **report)
{
    vdnn_report *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the report");
    vdnn_status status = vdnn_run_options_init(options, &fresh->options);
    VDNN_IF_OK(status, check_policies(policies));
    VDNN_IF_OK(status, vdnn_cards_are_asked(&fresh->options)
                           ? vdnn_cards_create(&fresh->options, messages, policies, &fresh->cards)
                           : fill(messages, policies, fresh));
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
        vdnn_report_row_fini(&report->rows[i]);
    vdnn_heap_free(report->rows);
    vdnn_budgets_destroy(report);
    json_decref(report->run);
    vdnn_cards_destroy(report->cards);
    vdnn_planning_destroy(report->planning);
    vdnn_fit_derived_end(&report->accumulated);
    vdnn_fit_derived_end(&report->alone);
    vdnn_setup_end(&report->setup);
    vdnn_run_options_fini(&report->options);
    vdnn_heap_free(report);
}

bool vdnn_report_range(const vdnn_report *report, double range[2])
{
    double within = report->setup.properties.accuracy.half_within;
    range[0] = 1 / (1 + within);
    range[1] = 1 / (1 - within);
    return within > 0 && within < 1;
}

int vdnn_report_digits(const vdnn_report *report)
{
    const vdnn_device_properties *properties = &report->setup.properties;
    return properties->accuracy.half_within > 0 ? vdnn_known_digits(properties) : 0;
}

const vdnn_report_row *vdnn_report_smallest(const vdnn_report *report, bool counts_batches)
{
    const vdnn_report_row *best = NULL;
    for (size_t r = 0; r < report->row_count; r++) {
        const vdnn_report_row *row = &report->rows[r];
        const size_t bytes = row->verdict.smallest_bytes;
        if (bytes > 0 && (counts_batches || row->micro_batches == 0) &&
            (best == NULL || bytes < best->verdict.smallest_bytes))
            best = row;
    }
    return best;
}

/* The smallest budget of each row, with the options that select it. */
static void add_smallest(const vdnn_report *report, vdnn_text *text)
{
    char people[32];
    vdnn_text_add(text, "\n  the smallest --device-mem of each:");
    for (size_t i = 0; i < report->row_count; i++) {
        const vdnn_report_row *row = &report->rows[i];
        size_t bytes = row->verdict.smallest_bytes;
        vdnn_text_add(text, "\n    --policy %s", row->policy->name);
        if (row->policy->is_static)
            vdnn_text_add(text, " --algo %s", row->plan->algo);
        if (row->micro_batches > 0)
            vdnn_text_add(text, " --accumulate %d", row->micro_batches);
        if (bytes > 0)
            vdnn_text_add(text, ": %zu (%s)", bytes,
                          vdnn_text_bytes(people, sizeof people, (double)bytes));
        else
            vdnn_text_add(text, ": none under this --host-mem");
    }
}

vdnn_status vdnn_report_verdict(const vdnn_report *report)
{
    if (report->cards != NULL)
        return vdnn_cards_verdict(report->cards);
    bool fits_in_parts = false;
    for (size_t i = 0; i < report->row_count; i++)
        if (report->rows[i].verdict.fits && report->rows[i].micro_batches == 0)
            return VDNN_OK;
        else
            fits_in_parts = fits_in_parts || report->rows[i].verdict.fits;
    const vdnn_report_row *best = vdnn_report_smallest(report, false);
    if (best == NULL)
        return vdnn_status_fail(VDNN_NO_FIT,
                                "no policy fits: the pinned host tier (--host-mem) of %zu bytes is "
                                "too small for all of them",
                                report->setup.budget_bytes[VDNN_TIER_HOST]);
    char people[32];
    vdnn_text each = {0};
    add_smallest(report, &each);
    vdnn_status status = vdnn_status_fail(
        VDNN_NO_FIT,
        "no policy fits the budget of %zu bytes%s; the smallest that is enough: "
        "--device-mem %zu (%s), for policy %s%s",
        report->setup.budget_bytes[VDNN_TIER_DEVICE], fits_in_parts ? " without micro-batches" : "",
        best->verdict.smallest_bytes,
        vdnn_text_bytes(people, sizeof people, (double)best->verdict.smallest_bytes),
        best->policy->name, each.failed ? "" : each.data);
    vdnn_text_fini(&each);
    return status;
}
