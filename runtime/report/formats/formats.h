#ifndef VDNN_RUNTIME_REPORT_FORMATS_FORMATS_H
#define VDNN_RUNTIME_REPORT_FORMATS_FORMATS_H

/* The formats of a report of one card, each of the same figures (columns.h) and words
 * (sentences.h).
 *
 * Invariant: the figures of the page are those of the record. Threads: pure.
 *
 *     status = vdnn_report_write_table(report, &text);
 */

#include "runtime/report/report.h"

/* VDNN_NO_MEMORY. */
vdnn_status vdnn_report_write_table(const vdnn_report *report, vdnn_text *text);
vdnn_status vdnn_report_write_csv(const vdnn_report *report, vdnn_text *text);
vdnn_status vdnn_report_write_markdown(const vdnn_report *report, vdnn_text *text);
vdnn_status vdnn_report_write_json(const vdnn_report *report, vdnn_text *text);
vdnn_status vdnn_report_write_html(const vdnn_report *report, vdnn_text *text);

/* What write_json writes. NULL: no memory. */
json_t *vdnn_report_record(const vdnn_report *report);

/* Of a line for people. */
size_t vdnn_report_line(const vdnn_report *report);

#endif
