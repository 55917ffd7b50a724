/* CSV and Markdown. */

#include "runtime/base/numbers/decimal.h"
#include "runtime/report/formats/columns.h"
#include "runtime/report/formats/formats.h"
#include "runtime/report/formats/sentences.h"
#include "runtime/report/page/page.h"

#include <stdio.h>
#include <string.h>

/* ---- CSV ---------------------------------------------------------------------------------------
 */

vdnn_status vdnn_report_write_csv(const vdnn_report *report, vdnn_text *text)
{
    double values[VDNN_REPORT_COLUMNS];
    vdnn_text_add(text, "policy,algo,chosen_policy,fits");
    for (size_t c = 0; c < VDNN_REPORT_COLUMNS; c++)
        vdnn_text_add(text, ",%s", vdnn_report_columns[c].key);
    vdnn_text_add(text, "\n");
    for (size_t r = 0; r < report->row_count; r++) {
        const vdnn_report_row *row = &report->rows[r];
        vdnn_report_cells(row, values);
        if (row->micro_batches > 0)
            vdnn_text_add(text, "accumulate %d", row->micro_batches);
        else
            vdnn_text_add(text, "%s", row->policy->name);
        vdnn_text_add(text, ",%s,%s,%s", row->plan->algo, row->plan->policy,
                      row->verdict.fits ? "true" : "false");
        for (size_t c = 0; c < VDNN_REPORT_COLUMNS; c++)
            vdnn_text_add(text, vdnn_cell_is_bytes(vdnn_report_columns[c].kind) ? ",%.0f" : ",%.9g",
                          values[c]);
        vdnn_text_add(text, "\n");
    }
    return vdnn_text_status(text, "the report");
}

/* ---- Markdown ----------------------------------------------------------------------------------
 */

static const char *for_people(vdnn_cell_kind kind, double value, char cell[VDNN_REPORT_CELL_BYTES])
{
    if (kind == VDNN_CELL_BUDGET && value <= 0)
        return "host too small";
    if (vdnn_cell_is_bytes(kind))
        return vdnn_text_bytes(cell, VDNN_REPORT_CELL_BYTES, value);
    if (kind == VDNN_CELL_RATIO)
        (void)vdnn_decimal_print(cell, VDNN_REPORT_CELL_BYTES, "%.3f", value);
    else
        (void)vdnn_page_seconds(value, cell, VDNN_REPORT_CELL_BYTES);
    return cell;
}

vdnn_status vdnn_report_write_markdown(const vdnn_report *report, vdnn_text *text)
{
    char cell[VDNN_REPORT_CELL_BYTES];
    double values[VDNN_REPORT_COLUMNS];
    const char *note = vdnn_report_accumulation_note(report);
    vdnn_report_add_head(report, vdnn_page_add_plain_markdown, text);
    vdnn_text_add(text, "\n\n| policy | fits |");
    for (size_t c = 0; c < VDNN_REPORT_COLUMNS; c++)
        vdnn_text_add(text, " %s |", vdnn_report_columns[c].title);
    vdnn_text_add(text, "\n| --- | --- |");
    for (size_t c = 0; c < VDNN_REPORT_COLUMNS; c++)
        vdnn_text_add(text, " ---: |");
    for (size_t r = 0; r < report->row_count; r++) {
        const vdnn_report_row *row = &report->rows[r];
        vdnn_report_cells(row, values);
        vdnn_text_add(text, "\n| ");
        vdnn_page_add_plain_markdown(text, vdnn_report_first_cell(row, cell));
        vdnn_text_add(text, " | %s |", vdnn_report_fits_text(row));
        for (size_t c = 0; c < VDNN_REPORT_COLUMNS; c++)
            vdnn_text_add(text, " %s |", for_people(vdnn_report_columns[c].kind, values[c], cell));
    }
    vdnn_text_add(text, "\n");
    if (report->options.counts_as_paper || report->device_count > 1)
        vdnn_text_add(text, "\n%s\n", vdnn_report_speed_note(report));
    if (note != NULL)
        vdnn_text_add(text, "\n%s\n", note);
    vdnn_report_add_devices(report, "\n", "\n", text);
    vdnn_text_add(text, "\n");
    vdnn_report_add_link(report, text);
    vdnn_text_add(text, "\n");
    vdnn_report_add_range(report, "\n", "\n", text);
    vdnn_report_add_figures(report, "\n", "\n", text);
    return vdnn_text_status(text, "the report");
}
