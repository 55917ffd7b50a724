#ifndef VDNN_RUNTIME_REPORT_BUDGETS_H
#define VDNN_RUNTIME_REPORT_BUDGETS_H

/* The gain from more memory: the policies of a report under other device budgets.
 *
 * Invariant: a policy that fits a budget has the plan of a run under that budget. A policy that
 * searches may instead have a faster plan that was found under another budget, so that its time
 * never grows with the budget. Threads: pure.
 *
 *     status = vdnn_budgets_plan(report);             // after its rows; nothing without --budgets
 *     json_object_set_new(root, "budgets", vdnn_budgets_record(report));
 *     vdnn_budgets_add_table(report, 100, &text);
 *     vdnn_budgets_destroy(report);
 */

#include "runtime/base/text.h"

#include <jansson.h>

typedef struct vdnn_report vdnn_report;

typedef struct vdnn_budget_cell {
    bool fits, is_searched;
    size_t arena_bytes, offload_bytes;
    double recompute_seconds;
    double step_seconds, relative_speed;
} vdnn_budget_cell;

typedef struct vdnn_budget {
    size_t bytes;
    vdnn_budget_cell *cells; /* owned; one for each row of the report that is a policy */
} vdnn_budget;

/* VDNN_USAGE, with the text, for a budget that is no size, or for a report of several devices. */
vdnn_status vdnn_budgets_plan(vdnn_report *report);
void vdnn_budgets_destroy(vdnn_report *report);

/* [{budget_bytes, policies: [{policy, algo, fits, arena_bytes, offload_bytes, recompute_seconds,
 * step_seconds, relative_speed}]}]; a policy that does not fit has only the members up to `fits`.
 */
json_t *vdnn_budgets_record(const vdnn_report *report);

/* Adds a table with a line of at most `columns` columns for each budget. Policies that do not fit
 * a budget are in a second table below. */
void vdnn_budgets_add_table(const vdnn_report *report, size_t columns, vdnn_text *text);

#endif
