#ifndef VDNN_RUNTIME_REPORT_REPORT_H
#define VDNN_RUNTIME_REPORT_REPORT_H

/* The memory-footprint report: every policy side by side for one network.
 *
 * Several devices share the batch as evenly as it divides, each with these budgets and its own plan
 * for its share. A row is that of the worst one: its bytes are those of a device with the larger
 * share, its time is the slowest device's, with their copies on the links that they share, and the
 * sums of their gradients.
 *
 * The last row is that of accumulation, the rival of offloading: `base` in as few micro-batches as
 * fit. Its times are scaled from those of the whole batch, where there is no device model; its
 * speed is against the same oracle as that of the others.
 *
 * Invariant: one row for each dynamic policy, two (m, p) for each static one, in the given order;
 * all of them over the same profile and budgets. Threads: pure.
 *
 *     status = vdnn_report_create(&options, NULL, "base,all,dyn", &report);
 *     status = vdnn_report_write(report, VDNN_REPORT_TABLE, &text);
 *     status = vdnn_report_verdict(report);                         // VDNN_NO_FIT: none fits
 *     vdnn_report_destroy(report);
 *
 * A comparison of cards is a report that has `cards`, each with a report of its own, in place of
 * rows and setups (cards.h).
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
    int32_t micro_batches;   /* of the row of accumulation; else 0 */
    vdnn_plan *plan;         /* owned; if it does not fit, the policy's smallest plan */
    vdnn_plan *lesser_plan; /* owned; of a device with the smaller share; NULL: all have the same */
    vdnn_setup lesser;      /* of such a device, with the algorithms of the plan */
    vdnn_together_times *times; /* owned; of each device's step; NULL: there is one device */
    vdnn_verdict verdict;
    vdnn_footprint footprint; /* by the rule of the accounting */
    double relative_speed;    /* oracle_step_seconds / step_seconds */
    bool fits_alone;          /* of several devices: one would do with the whole batch */
} vdnn_report_row;

struct vdnn_report {
    vdnn_run_options options;
    struct vdnn_cards *cards; /* owned; NULL: of one card */
    int32_t device_count;
    int64_t batch;           /* of all devices */
    vdnn_setup setup;        /* of a device with the larger share of the batch */
    vdnn_planning *planning; /* owned; of its network, for all policies; NULL: not planned yet */
    vdnn_setup accumulated;  /* of the row of accumulation: graph and profile are its own */
    vdnn_setup alone;        /* of several devices: one with the whole batch, likewise */
    int32_t lesser_count;    /* devices with another setup than the first (vdnn_setup_lessen) */
    vdnn_report_row *rows;
    size_t row_count;
    vdnn_budget *budgets; /* owned, with their plans' figures; NULL: none */
    size_t budget_count;
    json_t *run; /* owned; as a run wrote it; NULL: none */
};

enum { VDNN_REPORT_CELL_BYTES = 64 };

/* "dyn = conv (p)": the choice of a dynamic policy. Returns `cell`. */
const char *vdnn_report_policy_text(const vdnn_report_row *row, char cell[VDNN_REPORT_CELL_BYTES]);

/* The row with the smallest budget; NULL: the host tier is too small for each. `counts_batches`:
 * the row of accumulation, which is no policy, is a candidate too. */
const vdnn_report_row *vdnn_report_smallest(const vdnn_report *report, bool counts_batches);

/* What a step may take, as parts of what a device model says, if that is as far off as half of the
 * published times are at most: its errors are relative to those. False: there is no such range. */
bool vdnn_report_range(const vdnn_report *report, double range[2]);

/* Plans one policy under `setup`'s budgets, into `row`, whose policy and setup are set: all but its
 * smallest budget. */
vdnn_status vdnn_report_plan_row(vdnn_report *report, vdnn_algo_mode algo, vdnn_report_row *row);
void vdnn_report_row_fini(vdnn_report_row *row);

/* A row of the JSON's `policies`. NULL: no memory. */
json_t *vdnn_report_row_record(const vdnn_report *report, const vdnn_report_row *row);

#endif
