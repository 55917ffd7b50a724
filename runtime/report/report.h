#ifndef VDNN_RUNTIME_REPORT_REPORT_H
#define VDNN_RUNTIME_REPORT_REPORT_H

/* The memory-footprint report: all policies for one network in one table.
 *
 * Several devices share the batch as evenly as it divides; each has these budgets and a plan for
 * its share. A row shows the worst of them: its bytes are those of a device with the larger share,
 * and its time is that of the slowest device, including copies on shared links and the sums of
 * gradients.
 *
 * The last row is gradient accumulation, the alternative to offloading: `base` in as few
 * micro-batches as fit. Without a device model its times are scaled from those of the whole batch.
 * Its speed is relative to the same oracle as that of the other rows.
 *
 * Invariant: one row for each dynamic policy, two (m, p) for each static one, in the given order;
 * all rows use the same profile and budgets. Threads: pure.
 *
 *     status = vdnn_report_create(&options, NULL, "base,all,dyn", &report);
 *     status = vdnn_report_write(report, VDNN_REPORT_TABLE, &text);
 *     status = vdnn_report_verdict(report);                         // VDNN_NO_FIT: none fits
 *     vdnn_report_destroy(report);
 *
 * A comparison of cards is a report with `cards`, each of which has a report, instead of rows and
 * setups (cards.h).
 */

#include "runtime/base/text.h"
#include "runtime/planner/clock/together.h"
#include "runtime/report/budgets.h"
#include "runtime/report/paper.h"
#include "runtime/setup/setup.h"
#include "runtime/train/record.h"

typedef struct vdnn_report_row {
    const vdnn_policy *policy;
    const vdnn_setup *setup; /* borrowed from the report */
    int32_t micro_batches;   /* of the row of accumulation; 0 in other rows */
    vdnn_plan *plan;         /* owned; the policy's smallest plan if none fits */
    vdnn_plan *lesser_plan;  /* owned; of a device with the smaller share; NULL: shares are equal */
    vdnn_setup lesser;       /* of such a device, with the plan's algorithms */
    vdnn_together_times *times; /* owned; of each device's step; NULL: there is one device */
    vdnn_verdict verdict;
    vdnn_footprint footprint; /* by the rule of the accounting */
    double relative_speed;    /* oracle_step_seconds / step_seconds */
    bool fits_alone;          /* the whole batch would fit one of the devices */
} vdnn_report_row;

struct vdnn_report {
    vdnn_run_options options;
    struct vdnn_cards *cards; /* owned; NULL: the report is of one card */
    int32_t device_count;
    int64_t batch;           /* of all devices */
    vdnn_setup setup;        /* of a device with the larger share of the batch */
    vdnn_planning *planning; /* owned; of its network, for all policies; NULL: not planned yet */
    vdnn_setup accumulated;  /* of the row of accumulation, with its graph and profile */
    vdnn_setup alone;        /* of one device with the whole batch, if there are several devices */
    int32_t lesser_count;    /* devices with the smaller share (vdnn_setup_lessen) */
    vdnn_report_row *rows;
    size_t row_count;
    vdnn_budget *budgets; /* owned, with the figures of their plans; NULL: none */
    size_t budget_count;
    json_t *run; /* owned; as vdnnrun wrote it; NULL: none */
};

enum { VDNN_REPORT_CELL_BYTES = 64 };

/* Writes "dyn = conv (p)", with the choice of a dynamic policy. Returns `cell`. */
const char *vdnn_report_policy_text(const vdnn_report_row *row, char cell[VDNN_REPORT_CELL_BYTES]);

/* The row with the smallest budget; NULL: the host tier is too small for every row.
 * `counts_batches`: the row of accumulation, which is not a policy, is a candidate too. */
const vdnn_report_row *vdnn_report_smallest(const vdnn_report *report, bool counts_batches);

/* The range of a step's time, as factors of the device model's time: at least half of the published
 * times are within its relative error. False: no such range is known. */
bool vdnn_report_range(const vdnn_report *report, double range[2]);

/* Significant digits of the times that people are shown, by the device model's error; 0: no error
 * is stated. */
int vdnn_report_digits(const vdnn_report *report);

/* Plans one policy under the budgets of row->setup. The caller has set the row's policy and setup;
 * all but the smallest budget is filled in. */
vdnn_status vdnn_report_plan_row(vdnn_report *report, vdnn_algo_mode algo, vdnn_report_row *row);
void vdnn_report_row_fini(vdnn_report_row *row);

/* A row of the JSON member `policies`. NULL: no memory. */
json_t *vdnn_report_row_record(const vdnn_report *report, const vdnn_report_row *row);

#endif
