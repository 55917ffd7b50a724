#ifndef VDNN_RUNTIME_REPORT_FORMATS_FORMATS_H
#define VDNN_RUNTIME_REPORT_FORMATS_FORMATS_H

/* The report of one card as a table (runtime/report/table.h): its JSON (record.c), its columns and
 * rows (columns.c), and its sentences (sentences.c).
 *
 * Invariant: all formats take their figures from the JSON. Threads: pure.
 *
 *     json_t *rows = vdnn_report_row_records(report, true);
 *     json_t *root = vdnn_report_record(report, rows);
 *     vdnn_report_add_notes(report, VDNN_REPORT_HTML, &table.notes);
 */

#include "runtime/report/report.h"
#include "runtime/report/table.h"

/* The rows as JSON, each with its step if `with_steps`, and the report built of such rows. NULL: no
 * memory. */
json_t *vdnn_report_row_records(const vdnn_report *report, bool with_steps);
json_t *vdnn_report_record(const vdnn_report *report, const json_t *rows);

/* Whether the row's micro-batches train with other statistics than the whole batch would. */
bool vdnn_report_has_other_statistics(const vdnn_report_row *row);

/* Writes the policy, with a note if the row has other statistics. Returns `cell`. */
const char *vdnn_report_first_cell(const vdnn_report_row *row, char cell[VDNN_REPORT_CELL_BYTES]);

/* The fastest row that fits, with the least memory among equal ones; NULL: no row fits. */
const vdnn_report_row *vdnn_report_fastest(const vdnn_report *report);

/* Add the headline and the conclusion; `mark` marks the fastest row. */
void vdnn_report_add_head(const vdnn_report *report, vdnn_text *text);
void vdnn_report_add_conclusion(const vdnn_report *report, const char *mark, vdnn_text *text);

/* Adds what "(m)", "(greedy)" and the like stand for, as far as they occur, in one line. */
void vdnn_report_add_terms(const vdnn_report *report, vdnn_text *text);

/* Adds the figures of the device model by what they rest on, a line for each; none if the device is
 * no model. */
void vdnn_report_add_figures(const vdnn_report *report, vdnn_text *text);

/* Adds notes, a line each: what the figures are, their errors, the gain from several devices. */
void vdnn_report_add_notes(const vdnn_report *report, vdnn_report_format format, vdnn_text *text);

#endif
