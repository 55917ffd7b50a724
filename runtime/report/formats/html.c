#include "runtime/report/algorithms.h"
#include "runtime/report/formats/columns.h"
#include "runtime/report/formats/formats.h"
#include "runtime/report/formats/sentences.h"
#include "runtime/report/page/page.h"

#include <stdio.h>

static json_t *note_records(const vdnn_report *report)
{
    const char *note = vdnn_report_accumulation_note(report);
    vdnn_text lines = {0};
    vdnn_text_add(&lines, "%s\n", vdnn_report_speed_note(report));
    if (note != NULL)
        vdnn_text_add(&lines, "%s\n", note);
    vdnn_report_add_devices(report, "", "\n", &lines);
    vdnn_report_add_link(report, &lines);
    vdnn_text_add(&lines, "\n");
    vdnn_report_add_range(report, "", "\n", &lines);
    vdnn_report_add_figures(report, "", "\n", &lines);
    return vdnn_page_lines(&lines);
}

/* A row of the JSON with the words of its row of the table. */
static json_t *page_row(const vdnn_report_row *row, size_t index, bool is_best, json_t *record)
{
    char cell[VDNN_REPORT_CELL_BYTES];
    json_t *object = json_copy(record);
    (void)json_object_set_new(object, "label", json_string(vdnn_report_first_cell(row, cell)));
    (void)json_object_set_new(object, "class",
                              json_string(!row->verdict.fits ? "no"
                                          : is_best          ? "best"
                                                             : "yes"));
    (void)json_object_set_new(object, "index", json_integer((json_int_t)index));
    (void)json_object_set_new(object, "open", json_boolean(is_best));
    return object;
}

static json_t *page_rows(const vdnn_report *report, const json_t *root)
{
    const vdnn_report_row *best = vdnn_report_fastest(report);
    const json_t *policies = json_object_get(root, "policies");
    json_t *rows = json_array();
    size_t next = 0;
    for (size_t r = 0; r < report->row_count; r++) {
        const vdnn_report_row *row = &report->rows[r];
        json_t *record = row->micro_batches > 0 ? json_object_get(root, "accumulate")
                                                : json_array_get(policies, next++);
        (void)json_array_append_new(rows, page_row(row, r, row == best, record));
    }
    return rows;
}

/* Of the table of budgets. */
static json_t *budget_titles(const vdnn_report *report)
{
    char cell[VDNN_REPORT_CELL_BYTES];
    json_t *array = json_array();
    for (size_t r = 0; r < report->row_count; r++) {
        const vdnn_report_row *row = &report->rows[r];
        if (row->micro_batches > 0)
            continue;
        if (row->policy->is_static)
            (void)vdnn_report_policy_text(row, cell);
        else /* what it chooses depends on the budget */
            (void)snprintf(cell, sizeof cell, "%.60s", row->policy->name);
        (void)json_array_append_new(array, json_string(cell));
    }
    return array;
}

/* For the head of the page. */
static json_t *fact_records(const vdnn_report *report)
{
    const vdnn_session_options *ask = &report->options.ask;
    return json_pack("{s:s, s:s?, s:s?, s:I}", "version", vdnn_version(), "command", ask->command,
                     "date", ask->date, "host_budget_bytes",
                     (json_int_t)report->setup.budget_bytes[VDNN_TIER_HOST]);
}

/* Of the figure of algorithms; null: the peak is not known. */
static json_t *peak_line(const vdnn_report *report)
{
    vdnn_peak peak;
    vdnn_text text = {0};
    vdnn_peak_of(&report->setup, &peak);
    if (!(peak.operations_per_second > 0))
        return json_null();
    vdnn_text_add(&text, "the broken line is ");
    vdnn_peak_describe(&peak, &text);
    return vdnn_page_lines(&text);
}

vdnn_status vdnn_report_write_html(const vdnn_report *report, vdnn_text *text)
{
    vdnn_text head = {0}, conclusion = {0};
    json_t *root = vdnn_report_record(report);
    vdnn_report_add_head(report, NULL, &head);
    vdnn_report_add_conclusion(report, "", &conclusion);
    json_t *value =
        json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", report->setup.graph->name, "head",
                  vdnn_page_lines(&head), "conclusion", vdnn_page_lines(&conclusion), "rows",
                  page_rows(report, root), "notes", note_records(report));
    if (root == NULL) {
        json_decref(value);
        value = NULL;
    } else {
        (void)json_object_set_new(value, "algorithm_rows",
                                  vdnn_algorithms_rows(json_object_get(root, "layers")));
        (void)json_object_set_new(value, "peak_line", peak_line(report));
        (void)json_object_set_new(value, "report", root);
        (void)json_object_update_missing_new(value, fact_records(report));
        (void)json_object_set_new(value, "has_budgets", json_boolean(report->budget_count > 0));
        (void)json_object_set_new(value, "budget_titles", budget_titles(report));
        (void)json_object_set_new(value, "has_steps",
                                  json_boolean(!report->options.counts_as_paper));
    }
    return vdnn_page_write("report.html", value, text);
}
