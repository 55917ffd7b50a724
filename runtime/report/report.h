#ifndef VDNN_RUNTIME_REPORT_REPORT_H
#define VDNN_RUNTIME_REPORT_REPORT_H

/* The memory-footprint report: every policy side by side for one network.
 *
 * Invariant: a row for each policy that decides by itself, two (m, p) for each that takes an
 * algorithm mode, in the order asked for; all of them over the same profile and budgets. Threads:
 * pure.
 *
 *     status = vdnn_report_create(&setup, "base,all,dyn", &report); // NULL: every policy
 *     status = vdnn_report_write_table(report, &text);
 *     status = vdnn_report_verdict(report);                         // VDNN_NO_FIT: none fits
 *     vdnn_report_destroy(report);
 */

#include "runtime/text.h"
#include "runtime/train/record.h"
#include "runtime/train/setup.h"

typedef struct vdnn_report_row {
    const vdnn_policy *policy;
    vdnn_plan *plan; /* owned; where it does not fit, the smallest that the policy could do */
    vdnn_verdict verdict;
    double relative_speed; /* oracle_step_seconds / step_seconds */
} vdnn_report_row;

typedef struct vdnn_report {
    const vdnn_setup *setup; /* borrowed */
    vdnn_report_row *rows;
    size_t row_count;
} vdnn_report;

/* `policies`: names with commas, each of them known; NULL: all there are. */
vdnn_status vdnn_report_create(const vdnn_setup *setup, const char *policies, vdnn_report **report);
void vdnn_report_destroy(vdnn_report *report);

/* VDNN_NO_FIT, with the smallest budget that is enough for one of the rows, where none fits. */
vdnn_status vdnn_report_verdict(const vdnn_report *report);

/* Each adds to the text. The table is for people; JSON as the public contract says; CSV and
 * Markdown have the table's columns, CSV in bytes and seconds; HTML is one page without references
 * to others. */
vdnn_status vdnn_report_write_table(const vdnn_report *report, vdnn_text *text);
vdnn_status vdnn_report_write_json(const vdnn_report *report, vdnn_text *text);
vdnn_status vdnn_report_write_csv(const vdnn_report *report, vdnn_text *text);
vdnn_status vdnn_report_write_markdown(const vdnn_report *report, vdnn_text *text);
vdnn_status vdnn_report_write_html(const vdnn_report *report, vdnn_text *text);

#endif
