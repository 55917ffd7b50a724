#include "runtime/report/algorithms.h"
#include "runtime/report/cards.h"
#include "runtime/report/formats/formats.h"
#include "runtime/report/page/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const vdnn_report_column columns[] = {
    {"policy", "label", NULL, NULL, 0, true},
    {"fits", "fits", NULL, NULL, 0, true},
    {"peak", "device_peak_bytes", "bytes", NULL, 0, false},
    {"average", "average_bytes", "bytes", NULL, 4, false},
    {"arena", "arena_bytes", "bytes", NULL, VDNN_REPORT_HIDDEN, false},
    {"host", "host_peak_bytes", "bytes", NULL, 2, false},
    {"offloaded", "offload_bytes", "bytes", NULL, 3, false},
    {"recomputed", "recompute_seconds", "seconds", NULL, 5, false},
    {"step", "step_seconds", "seconds", NULL, 0, false},
    {"speed", "relative_speed", "ratio", NULL, 0, false},
    {"smallest", "least_bytes", "size", "host too small", 1, false},
};

static const vdnn_report_field fields[] = {
    {"policy", "policy"},
    {"algo", "algo"},
    {"chosen_policy", "chosen.policy"},
    {"fits", "fits"},
    {"device_peak_bytes", "device_peak_bytes"},
    {"device_average_bytes", "rounded_average_bytes"},
    {"arena_bytes", "arena_bytes"},
    {"host_peak_bytes", "host_peak_bytes"},
    {"offload_bytes", "offload_bytes"},
    {"recompute_seconds", "recompute_seconds"},
    {"step_seconds", "step_seconds"},
    {"relative_speed", "relative_speed"},
    {"smallest_bytes", "least_bytes"},
};

/* ---- rows ------------------------------------------------------------------------------------ */

/* Whether its gradients have other last bits than those of whole layers. */
static bool is_cut(const vdnn_report_row *row)
{
    return row->plan->graph != row->setup->graph &&
           vdnn_setup_variants_change_bits(row->setup->variants);
}

const char *vdnn_report_policy_text(const vdnn_report_row *row, char cell[VDNN_REPORT_CELL_BYTES])
{
    if (row->micro_batches > 0)
        (void)snprintf(cell, VDNN_REPORT_CELL_BYTES, "accumulate %d (%s)", row->micro_batches,
                       row->plan->algo);
    else if (strcmp(row->policy->name, row->plan->policy) == 0)
        (void)snprintf(cell, VDNN_REPORT_CELL_BYTES, "%s (%s%s)", row->policy->name,
                       row->plan->algo, is_cut(row) ? ", in parts" : "");
    else
        (void)snprintf(cell, VDNN_REPORT_CELL_BYTES, "%s = %s (%s)", row->policy->name,
                       row->plan->policy, row->plan->algo);
    return cell;
}

bool vdnn_report_has_other_statistics(const vdnn_report_row *row)
{
    return row->micro_batches > 1 && vdnn_graph_couples_samples(row->setup->graph) != NULL;
}

const char *vdnn_report_first_cell(const vdnn_report_row *row, char cell[VDNN_REPORT_CELL_BYTES])
{
    size_t length = strlen(vdnn_report_policy_text(row, cell));
    if (vdnn_report_has_other_statistics(row))
        (void)snprintf(cell + length, VDNN_REPORT_CELL_BYTES - length, ", other statistics");
    return cell;
}

const vdnn_report_row *vdnn_report_fastest(const vdnn_report *report)
{
    const vdnn_report_row *best = NULL;
    for (size_t r = 0; r < report->row_count; r++) {
        const vdnn_report_row *row = &report->rows[r];
        if (!row->verdict.fits)
            continue;
        const double step = row->footprint.step_seconds;
        if (best == NULL || step < best->footprint.step_seconds ||
            (step <= best->footprint.step_seconds &&
             row->footprint.device_peak_bytes < best->footprint.device_peak_bytes))
            best = row;
    }
    return best;
}

/* A row of the JSON with its words, for a format; a terminal has no room for all of them. */
static json_t *table_row(const vdnn_report *report, size_t index, vdnn_report_format format,
                         json_t *record)
{
    const vdnn_report_row *row = &report->rows[index];
    const bool is_best = row->verdict.fits && row == vdnn_report_fastest(report);
    const char *class = !row->verdict.fits ? "no" : is_best ? "best" : "yes";
    const double average = row->footprint.device_average_bytes;
    char label[VDNN_REPORT_CELL_BYTES], policy[VDNN_REPORT_CELL_BYTES];
    json_t *object = json_copy(record);
    (void)(format == VDNN_REPORT_TABLE ? vdnn_report_policy_text : vdnn_report_first_cell)(row,
                                                                                           label);
    (void)snprintf(policy, sizeof policy, "accumulate %d", row->micro_batches);
    json_t *words = json_pack("{s:s, s:s, s:s, s:I, s:b, s:f, s:I, s:I}", "label", label, "class",
                              class, "policy", row->micro_batches > 0 ? policy : row->policy->name,
                              "index", (json_int_t)index, "open", is_best, "average_bytes", average,
                              "rounded_average_bytes", (json_int_t)nearbyint(average),
                              "least_bytes", (json_int_t)row->verdict.smallest_bytes);
    (void)json_object_update(object, words);
    json_decref(words);
    return object;
}

/* ---- the page -------------------------------------------------------------------------------- */

/* Of the table of budgets: without what a policy chooses, which depends on the budget. */
static json_t *budget_titles(const vdnn_report *report)
{
    char cell[VDNN_REPORT_CELL_BYTES];
    json_t *array = json_array();
    for (size_t r = 0; r < report->row_count; r++) {
        const vdnn_report_row *row = &report->rows[r];
        if (row->micro_batches == 0)
            (void)json_array_append_new(array, json_string(row->policy->is_static
                                                               ? vdnn_report_policy_text(row, cell)
                                                               : row->policy->name));
    }
    return array;
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

static json_t *page_facts(const vdnn_report *report, json_t *root)
{
    const vdnn_session_options *ask = &report->options.ask;
    vdnn_text conclusion = {0}, terms = {0}, figures = {0};
    vdnn_report_add_conclusion(report, "", &conclusion);
    vdnn_report_add_terms(report, &terms);
    vdnn_report_add_figures(report, &figures);
    const bool has_figures = figures.length > 0;
    return json_pack(
        "{s:s, s:o, s:o, s:b, s:b, s:o, s:s, s:s, s:s?, s:s?, s:I, s:o, s:o, s:b, s:o, s:b, s:o}",
        "name", report->setup.graph->name, "conclusion", vdnn_page_lines(&conclusion), "terms",
        vdnn_page_lines(&terms), "is_simulated", report->setup.properties.simulated, "has_figures",
        has_figures, "figures", vdnn_page_lines(&figures), "rules",
        report->setup.graph->rules == VDNN_RULES_PAPER
            ? "paper (keeps for backward what the paper keeps)"
            : "lean (keeps for backward the least that is correct)",
        "version", vdnn_version(), "command", ask->report->command, "date", ask->report->date,
        "host_budget_bytes", (json_int_t)report->setup.budget_bytes[VDNN_TIER_HOST],
        "algorithm_rows", vdnn_algorithms_rows(json_object_get(root, "layers")), "peak_line",
        peak_line(report), "has_budgets", report->budget_count > 0, "budget_titles",
        budget_titles(report), "has_steps", !report->options.counts_as_paper, "report", root);
}

/* ---- the table ------------------------------------------------------------------------------- */

static void fill_table(const vdnn_report *report, vdnn_report_format format, size_t line,
                       vdnn_report_table *table)
{
    const bool is_whole = format == VDNN_REPORT_JSON || format == VDNN_REPORT_HTML;
    json_t *records = vdnn_report_row_records(report, is_whole), *record;
    size_t r;
    *table = (vdnn_report_table){.subject = "the report",
                                 .columns = columns,
                                 .column_count = sizeof columns / sizeof *columns,
                                 .fields = fields,
                                 .field_count = sizeof fields / sizeof *fields,
                                 .mark = "*",
                                 .has_units = true,
                                 .digits = vdnn_report_digits(report),
                                 .notes_are_raw = true,
                                 .page = "report.html",
                                 .rows = records == NULL ? NULL : json_array()};
    json_array_foreach(records, r, record)
    {
        (void)json_array_append_new(table->rows, table_row(report, r, format, record));
    }
    if (records != NULL && is_whole)
        table->facts = page_facts(report, vdnn_report_record(report, records));
    json_decref(records);
    vdnn_report_add_head(report, &table->head);
    vdnn_report_add_notes(report, format, &table->notes);
    vdnn_budgets_add_table(report, line, &table->below);
}

vdnn_status vdnn_report_write(const vdnn_report *report, vdnn_report_format format, vdnn_text *text)
{
    const size_t line = vdnn_text_line(report->options.columns);
    vdnn_report_table table;
    if ((int)format < 0 || format > VDNN_REPORT_ALGORITHMS)
        return vdnn_status_fail(VDNN_USAGE, "a report has no format %d", (int)format);
    if (format == VDNN_REPORT_ALGORITHMS && report->cards != NULL)
        return vdnn_status_fail(VDNN_USAGE, "--algorithms lists those of one device: --device "
                                            "names several cards, or --price is given");
    if (format == VDNN_REPORT_ALGORITHMS)
        return vdnn_algorithms_write_table(&report->setup, line, text);
    if (report->cards != NULL)
        vdnn_cards_fill_table(report, format, &table);
    else
        fill_table(report, format, line, &table);
    const vdnn_status status = vdnn_report_table_write(&table, format, line, text);
    vdnn_report_table_fini(&table);
    return status;
}
