#ifndef VDNN_RUNTIME_REPORT_FORMATS_FORMATS_H
#define VDNN_RUNTIME_REPORT_FORMATS_FORMATS_H

/* The report of one card as a table (runtime/report/table.h): its JSON (record.c), its columns and
 * rows (columns.c), and what it says in words (sentences.c).
 *
 * Invariant: all formats take their figures from the JSON. Threads: pure.
 *
 *     json_t *rows = vdnn_report_row_records(report, true);
 *     json_t *root = vdnn_report_record(report, rows);
 *     vdnn_report_add_notes(report, VDNN_REPORT_HTML, &table.notes);
 */

#include "runtime/report/report.h"
#include "runtime/report/table.h"

/* Each row, with its step if the whole JSON is to be built of them, which the second does. NULL: no
 * memory. */
json_t *vdnn_report_row_records(const vdnn_report *report, bool with_steps);
json_t *vdnn_report_record(const vdnn_report *report, const json_t *rows);

/* Whether its micro-batches train otherwise than the whole batch does. */
bool vdnn_report_has_other_statistics(const vdnn_report_row *row);

/* The policy, with what else there is to say of the row. Returns `cell`. */
const char *vdnn_report_first_cell(const vdnn_report_row *row, char cell[VDNN_REPORT_CELL_BYTES]);

/* The fastest that fits, of equal ones that with the least memory; NULL: none fits. */
const vdnn_report_row *vdnn_report_fastest(const vdnn_report *report);

/* The headline; `mark` is that of the fastest row. */
void vdnn_report_add_head(const vdnn_report *report, vdnn_text *text);
void vdnn_report_add_conclusion(const vdnn_report *report, const char *mark, vdnn_text *text);

/* What the figures are, how sure they are, and what several devices buy: each a line. */
void vdnn_report_add_notes(const vdnn_report *report, vdnn_report_format format, vdnn_text *text);

#endif
