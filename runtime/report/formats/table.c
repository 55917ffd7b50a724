/* The table for people. */

#include "runtime/base/table.h"
#include "runtime/base/numbers/decimal.h"
#include "runtime/report/formats/columns.h"
#include "runtime/report/formats/formats.h"
#include "runtime/report/formats/sentences.h"
#include "runtime/report/run_beside.h"

#include <math.h>
#include <stdio.h>

/* ---- units ----------------------------------------------------------------------------------- */

/* What all cells of a kind are counted in, so that they compare. */
typedef struct unit {
    const char *name;
    double size;
    int decimals;
} unit;

static unit choose_unit(const vdnn_report *report, vdnn_cell_kind kind)
{
    static const unit units[][2] = {
        [VDNN_CELL_BYTES] = {{"GiB", 1024.0 * 1024 * 1024, 2}, {"MiB", 1024.0 * 1024, 2}},
        [VDNN_CELL_BUDGET] = {{"GiB", 1024.0 * 1024 * 1024, 2}, {"MiB", 1024.0 * 1024, 2}},
        [VDNN_CELL_SECONDS] = {{"s", 1, 3}, {"ms", 1e-3, 2}},
        [VDNN_CELL_RATIO] = {{"", 1, 3}, {"", 1, 3}}};
    double values[VDNN_REPORT_COLUMNS], most = 0;
    for (size_t r = 0; r < report->row_count; r++) {
        vdnn_report_cells(&report->rows[r], values);
        for (size_t c = 0; c < VDNN_REPORT_COLUMNS; c++)
            if (vdnn_report_columns[c].kind == kind ||
                (vdnn_cell_is_bytes(kind) && vdnn_cell_is_bytes(vdnn_report_columns[c].kind)))
                most = fmax(most, values[c]);
    }
    return units[kind][most >= units[kind][0].size ? 0 : 1];
}

/* ---- cells ----------------------------------------------------------------------------------- */

enum { POLICY, FITS, FIRST_NUMBER, MOST_COLUMNS = FIRST_NUMBER + VDNN_REPORT_COLUMNS };

/* Below the titles stand the units, and below them the report's rows. */
enum { UNITS, FIRST_ROW };

typedef struct layout {
    const vdnn_report *report;
    const vdnn_report_row *best; /* has a mark; NULL: none */
    unit units[VDNN_CELL_KINDS];
    vdnn_table_column columns[MOST_COLUMNS];
    size_t column_count;
    size_t shows[MOST_COLUMNS]; /* of a number, its column of the report */
} layout;

static layout lay_out(const vdnn_report *report)
{
    layout own = {.report = report,
                  .best = vdnn_report_fastest(report),
                  .columns = {[POLICY] = {" policy", 0, true}, [FITS] = {"fits", 0, true}},
                  .column_count = FIRST_NUMBER};
    for (int kind = 0; kind < VDNN_CELL_KINDS; kind++)
        own.units[kind] = choose_unit(report, (vdnn_cell_kind)kind);
    for (size_t c = 0; c < VDNN_REPORT_COLUMNS; c++) {
        const vdnn_report_column *column = &vdnn_report_columns[c];
        if (column->rank == VDNN_REPORT_HIDDEN)
            continue;
        own.shows[own.column_count] = c;
        own.columns[own.column_count++] = (vdnn_table_column){column->title, column->rank, false};
    }
    return own;
}

static const char *number_cell(const layout *own, const vdnn_report_row *row, size_t column,
                               char words[VDNN_TABLE_CELL_BYTES])
{
    const vdnn_cell_kind kind = vdnn_report_columns[column].kind;
    const unit *in = &own->units[kind];
    double values[VDNN_REPORT_COLUMNS];
    vdnn_report_cells(row, values);
    if (kind == VDNN_CELL_BUDGET && values[column] <= 0)
        return "-";
    (void)vdnn_decimal_print(words, VDNN_TABLE_CELL_BYTES, "%.*f", in->decimals,
                             values[column] / in->size);
    return words;
}

static const char *cell(const void *context, size_t row, size_t column,
                        char words[VDNN_TABLE_CELL_BYTES])
{
    const layout *own = context;
    const vdnn_report_row *of = row == UNITS ? NULL : &own->report->rows[row - FIRST_ROW];
    char policy[VDNN_REPORT_CELL_BYTES];
    switch (column) {
    case POLICY:
        (void)snprintf(words, VDNN_TABLE_CELL_BYTES, "%s%.62s", of == own->best ? "*" : " ",
                       of == NULL ? "" : vdnn_report_policy_text(of, policy));
        return of == NULL ? "" : words;
    case FITS:
        return of == NULL ? "" : vdnn_report_fits_text(of);
    default:
        return of == NULL ? own->units[vdnn_report_columns[own->shows[column]].kind].name
                          : number_cell(own, of, own->shows[column], words);
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool lacks_host(const vdnn_report *report)
{
    size_t count = 0;
    for (size_t r = 0; r < report->row_count; r++)
        count += report->rows[r].verdict.smallest_bytes == 0;
    return count > 0;
}

static void add_notes(const vdnn_report *report, vdnn_text *text)
{
    const char *note = vdnn_report_accumulation_note(report);
    vdnn_report_add_conclusion(report, "* ", text);
    vdnn_run_beside_add_line(report, text);
    vdnn_text_add(text, "%s\n", vdnn_report_speed_note(report));
    if (note != NULL)
        vdnn_text_add(text, "%s\n", note);
    if (lacks_host(report))
        vdnn_text_add(text, "-: no device memory suffices with this much host memory\n");
    vdnn_report_add_devices(report, "", "\n", text);
    vdnn_report_add_link(report, text);
    vdnn_text_add(text, "\n");
    vdnn_report_add_range(report, "", "\n", text);
    vdnn_report_add_figures(report, "", "\n", text);
}

/* Columns that the table has where there is room. */
static void add_left_out(const vdnn_table *table, size_t line, vdnn_text *text)
{
    const char *before = "Left out for want of columns: ";
    bool shown[VDNN_TABLE_MOST_COLUMNS];
    vdnn_table_shown(table, line, shown);
    for (size_t c = 0; c < table->column_count; c++) {
        if (shown[c])
            continue;
        vdnn_text_add(text, "%s%s", before, table->columns[c].title);
        before = ", ";
    }
    if (before[0] == ',')
        vdnn_text_add(text, "\n");
}

vdnn_status vdnn_report_write_table(const vdnn_report *report, vdnn_text *text)
{
    const layout own = lay_out(report);
    const vdnn_table table = {own.columns, own.column_count, FIRST_ROW + report->row_count, cell,
                              &own};
    const size_t line = vdnn_report_line(report);
    vdnn_text lines = {0};
    vdnn_report_add_head(report, NULL, &lines);
    vdnn_text_add(&lines, "\n\n");
    vdnn_text_move_folded(text, &lines, line);
    vdnn_table_add(&table, line, text);
    vdnn_text_add(text, "\n");
    vdnn_budgets_add_table(report, line, text);
    add_notes(report, &lines);
    add_left_out(&table, line, &lines);
    vdnn_text_move_folded(text, &lines, line);
    return vdnn_text_status(text, "the report");
}
