#include "runtime/report/budgets.h"

#include "runtime/base/heap.h"
#include "runtime/base/numbers/decimal.h"
#include "runtime/base/numbers/rounded.h"
#include "runtime/report/report.h"

#include <stdio.h>
#include <string.h>

enum { MOST_BUDGETS = 256, SIZE_TEXT_BYTES = 64 };

/* ---- planning -------------------------------------------------------------------------------- */

static size_t policy_rows(const vdnn_report *report)
{
    size_t count = report->row_count;
    while (count > 0 && report->rows[count - 1].micro_batches > 0)
        count--;
    return count;
}

static vdnn_status plan_cell(vdnn_report *report, size_t budget_bytes, const vdnn_report_row *like,
                             vdnn_budget_cell *cell)
{
    vdnn_setup setup = report->setup; /* all that it owns is borrowed here */
    vdnn_report_row row = {.policy = like->policy, .setup = &setup};
    const bool is_memory = like->policy->is_static && strcmp(like->plan->algo, "m") == 0;
    setup.budget_bytes[VDNN_TIER_DEVICE] = budget_bytes;
    vdnn_status status = vdnn_report_plan_row(report, is_memory ? VDNN_ALGO_M : VDNN_ALGO_P, &row);
    if (status == VDNN_OK)
        *cell = (vdnn_budget_cell){.fits = row.verdict.fits,
                                   .is_searched = row.plan->trials > 0,
                                   .arena_bytes = row.plan->span_bytes[VDNN_TIER_DEVICE],
                                   .offload_bytes = row.footprint.offload_bytes,
                                   .recompute_seconds = row.plan->recompute_seconds,
                                   .step_seconds = row.footprint.step_seconds,
                                   .relative_speed = row.relative_speed};
    vdnn_report_row_fini(&row);
    return status;
}

/* A search that ends can miss a plan that it finds under another budget: the fastest of all that
 * fit is taken, so that time never grows with the budget. */
static vdnn_budget_cell fastest_within(const vdnn_budget_cell *planned, size_t count, size_t bytes,
                                       vdnn_budget_cell own)
{
    for (size_t b = 0; b < count && own.fits; b++)
        if (planned[b].is_searched && planned[b].fits && planned[b].arena_bytes <= bytes &&
            planned[b].step_seconds < own.step_seconds)
            own = planned[b];
    return own;
}

static vdnn_status plan_policy(vdnn_report *report, size_t row)
{
    const size_t count = report->budget_count;
    vdnn_budget *budgets = report->budgets;
    vdnn_budget_cell planned[MOST_BUDGETS];
    vdnn_status status = VDNN_OK;
    for (size_t b = 0; b < count && status == VDNN_OK; b++)
        status = plan_cell(report, budgets[b].bytes, &report->rows[row], &planned[b]);
    for (size_t b = 0; b < count && status == VDNN_OK; b++)
        budgets[b].cells[row] = fastest_within(planned, count, budgets[b].bytes, planned[b]);
    return status;
}

static vdnn_status read_budget(vdnn_report *report, const char *item)
{
    if (report->budget_count == MOST_BUDGETS)
        return vdnn_status_fail(VDNN_USAGE, "--budgets: more than %d are too many", MOST_BUDGETS);
    vdnn_budget *budget = &report->budgets[report->budget_count++];
    vdnn_status status =
        vdnn_text_parse_size(item, report->setup.properties.memory_bytes, &budget->bytes);
    if (status != VDNN_OK)
        return vdnn_status_prefix(status, "--budgets");
    budget->cells = vdnn_heap_calloc(policy_rows(report) + 1, sizeof *budget->cells);
    return budget->cells == NULL
               ? vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the plans under a budget")
               : VDNN_OK;
}

static vdnn_status read_budgets(vdnn_report *report)
{
    char item[SIZE_TEXT_BYTES];
    for (const char *list = report->options.ask.report->budgets; list != NULL;) {
        list = vdnn_text_next_item(list, item, sizeof item);
        VDNN_TRY(read_budget(report, item));
    }
    return VDNN_OK;
}

vdnn_status vdnn_budgets_plan(vdnn_report *report)
{
    if (report->options.ask.report->budgets == NULL)
        return VDNN_OK;
    if (report->device_count > 1)
        return vdnn_status_fail(VDNN_USAGE, "--budgets: plans of one device; --devices is %d",
                                report->device_count);
    report->budgets = vdnn_heap_calloc(MOST_BUDGETS, sizeof *report->budgets);
    if (report->budgets == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the budgets");
    vdnn_status status = read_budgets(report);
    for (size_t r = 0; status == VDNN_OK && r < policy_rows(report); r++)
        status = plan_policy(report, r);
    return status;
}

void vdnn_budgets_destroy(vdnn_report *report)
{
    for (size_t b = 0; b < report->budget_count; b++)
        vdnn_heap_free(report->budgets[b].cells);
    vdnn_heap_free(report->budgets);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *cell_record(const vdnn_report_row *row, const vdnn_budget_cell *cell)
{
    json_t *object =
        json_pack("{s:s, s:s, s:b}", "policy", row->policy->name, "algo",
                  row->policy->is_static ? row->plan->algo : "p", "fits", cell->fits ? 1 : 0);
    json_t *figures = json_pack(
        "{s:I, s:I, s:f, s:f, s:f}", "arena_bytes", (json_int_t)cell->arena_bytes, "offload_bytes",
        (json_int_t)cell->offload_bytes, "recompute_seconds", cell->recompute_seconds,
        "step_seconds", cell->step_seconds, "relative_speed", cell->relative_speed);
    if (cell->fits)
        (void)json_object_update(object, figures);
    json_decref(figures);
    return object;
}

json_t *vdnn_budgets_record(const vdnn_report *report)
{
    json_t *array = json_array();
    for (size_t b = 0; b < report->budget_count; b++) {
        const vdnn_budget *budget = &report->budgets[b];
        json_t *policies = json_array();
        for (size_t r = 0; r < policy_rows(report); r++)
            (void)json_array_append_new(policies, cell_record(&report->rows[r], &budget->cells[r]));
        (void)json_array_append_new(array,
                                    json_pack("{s:I, s:o}", "budget_bytes",
                                              (json_int_t)budget->bytes, "policies", policies));
    }
    return array;
}

/* ---- for people ------------------------------------------------------------------------------ */

enum { BUDGET_WIDTH = 11, CELL_WIDTH = 10 };

/* In milliseconds. */
static const char *step_text(const vdnn_report *report, double seconds,
                             char cell[VDNN_REPORT_CELL_BYTES])
{
    const int digits = vdnn_report_digits(report);
    if (digits > 0)
        return vdnn_rounded_text(cell, VDNN_REPORT_CELL_BYTES, 1e3 * seconds, digits);
    (void)vdnn_decimal_print(cell, VDNN_REPORT_CELL_BYTES, "%.2f", 1e3 * seconds);
    return cell;
}

/* Some of the policies, from `first` to before `end`. */
static void add_policies(const vdnn_report *report, size_t first, size_t end, vdnn_text *text)
{
    char cell[VDNN_REPORT_CELL_BYTES];
    vdnn_text_add(text, "%-*s", BUDGET_WIDTH, "budget");
    for (size_t r = first; r < end; r++) {
        const vdnn_report_row *row = &report->rows[r];
        (void)snprintf(cell, sizeof cell, row->policy->is_static ? "%.40s (%s)" : "%.40s",
                       row->policy->name, row->plan->algo);
        vdnn_text_add(text, " %*s", CELL_WIDTH, cell);
    }
    for (size_t b = 0; b < report->budget_count; b++) {
        const vdnn_budget *budget = &report->budgets[b];
        vdnn_text_add(text, "\n%-*s", BUDGET_WIDTH,
                      vdnn_text_bytes(cell, sizeof cell, (double)budget->bytes));
        for (size_t r = first; r < end; r++)
            if (budget->cells[r].fits)
                vdnn_text_add(text, " %*s", CELL_WIDTH,
                              step_text(report, budget->cells[r].step_seconds, cell));
            else
                vdnn_text_add(text, " %*s", CELL_WIDTH, "-");
    }
    vdnn_text_add(text, "\n\n");
}

void vdnn_budgets_add_table(const vdnn_report *report, size_t columns, vdnn_text *text)
{
    const size_t count = policy_rows(report);
    const size_t fit =
        columns > BUDGET_WIDTH + CELL_WIDTH ? (columns - BUDGET_WIDTH) / (1 + CELL_WIDTH) : 1;
    if (report->budget_count == 0)
        return;
    vdnn_text_add(text, "Milliseconds of a step under other budgets (-: no fit):\n");
    for (size_t first = 0; first < count; first += fit)
        add_policies(report, first, first + fit < count ? first + fit : count, text);
}
