#ifndef VDNN_RUNTIME_REPORT_REPORT_H
#define VDNN_RUNTIME_REPORT_REPORT_H

/* The memory-footprint report: every policy side by side for one network.
 *
 * Invariant: a row for each policy that decides by itself, two (m, p) for each that takes an
 * algorithm mode, in the order asked for; all of them over the same profile and budgets. Threads:
 * pure.
 *
 *     status = vdnn_report_create(&options, NULL, "base,all,dyn", &report);
 *     status = vdnn_report_write(report, VDNN_REPORT_TABLE, &text);
 *     status = vdnn_report_verdict(report);                         // VDNN_NO_FIT: none fits
 *     vdnn_report_destroy(report);
 */

#include "runtime/report/paper.h"
#include "runtime/text.h"
#include "runtime/train/record.h"
#include "runtime/train/setup.h"

typedef struct vdnn_report_row {
    const vdnn_policy *policy;
    vdnn_plan *plan; /* owned; where it does not fit, the smallest that the policy could do */
    vdnn_verdict verdict;
    vdnn_footprint footprint; /* by the rule of the accounting */
    double relative_speed;    /* oracle_step_seconds / step_seconds */
} vdnn_report_row;

struct vdnn_report {
    vdnn_run_options options;
    vdnn_setup setup;
    vdnn_report_row *rows;
    size_t row_count;
};

#endif
