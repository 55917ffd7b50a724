#include "runtime/report/formats/columns.h"

#include <stdio.h>
#include <string.h>

/* title for people, key for programs, kind, rank in the table for people, value of `row` */
#define COLUMN_TABLE(X)                                                                            \
    X("peak", "device_peak_bytes", BYTES, 0, (double)row->footprint.device_peak_bytes)             \
    X("average", "device_average_bytes", BYTES, 4, row->footprint.device_average_bytes)            \
    X("arena", "arena_bytes", BYTES, VDNN_REPORT_HIDDEN,                                           \
      (double)row->plan->span_bytes[VDNN_TIER_DEVICE])                                             \
    X("host", "host_peak_bytes", BYTES, 2, (double)row->footprint.host_peak_bytes)                 \
    X("offloaded", "offload_bytes", BYTES, 3, (double)row->footprint.offload_bytes)                \
    X("recomputed", "recompute_seconds", SECONDS, 5, row->plan->recompute_seconds)                 \
    X("step", "step_seconds", SECONDS, 0, row->footprint.step_seconds)                             \
    X("speed", "relative_speed", RATIO, 0, row->relative_speed)                                    \
    X("smallest", "smallest_bytes", BUDGET, 1, (double)row->verdict.smallest_bytes)

const vdnn_report_column vdnn_report_columns[] = {
#define X(title, key, kind, rank, value) {title, key, VDNN_CELL_##kind, rank},
    COLUMN_TABLE(X)
#undef X
};

void vdnn_report_cells(const vdnn_report_row *row, double values[VDNN_REPORT_COLUMNS])
{
    const double all[] = {
#define X(title, key, kind, rank, value) value,
        COLUMN_TABLE(X)
#undef X
    };
    memcpy(values, all, sizeof all);
}

bool vdnn_cell_is_bytes(vdnn_cell_kind kind)
{
    return kind == VDNN_CELL_BYTES || kind == VDNN_CELL_BUDGET;
}

/* Whether its gradients have other last bits than those of whole layers. */
static bool is_cut(const vdnn_report_row *row)
{
    return row->plan->graph != row->setup->graph &&
           vdnn_setup_variants_change_bits(row->setup->variants);
}

const char *vdnn_report_policy_text(const vdnn_report_row *row, char cell[VDNN_REPORT_CELL_BYTES])
{
    if (row->micro_batches > 0)
        (void)snprintf(cell, VDNN_REPORT_CELL_BYTES, "accumulate %d (%s)", row->micro_batches,
                       row->plan->algo);
    else if (strcmp(row->policy->name, row->plan->policy) == 0)
        (void)snprintf(cell, VDNN_REPORT_CELL_BYTES, "%s (%s%s)", row->policy->name,
                       row->plan->algo, is_cut(row) ? ", in parts" : "");
    else
        (void)snprintf(cell, VDNN_REPORT_CELL_BYTES, "%s = %s (%s)", row->policy->name,
                       row->plan->policy, row->plan->algo);
    return cell;
}

bool vdnn_report_has_other_statistics(const vdnn_report_row *row)
{
    return row->micro_batches > 1 && vdnn_graph_couples_samples(row->setup->graph) != NULL;
}

const char *vdnn_report_first_cell(const vdnn_report_row *row, char cell[VDNN_REPORT_CELL_BYTES])
{
    size_t length = strlen(vdnn_report_policy_text(row, cell));
    if (vdnn_report_has_other_statistics(row))
        (void)snprintf(cell + length, VDNN_REPORT_CELL_BYTES - length, ", other statistics");
    return cell;
}

const char *vdnn_report_fits_text(const vdnn_report_row *row)
{
    return row->verdict.fits ? "yes" : "no";
}

const vdnn_report_row *vdnn_report_fastest(const vdnn_report *report)
{
    const vdnn_report_row *best = NULL;
    for (size_t r = 0; r < report->row_count; r++) {
        const vdnn_report_row *row = &report->rows[r];
        if (!row->verdict.fits)
            continue;
        const double step = row->footprint.step_seconds;
        if (best == NULL || step < best->footprint.step_seconds ||
            (step <= best->footprint.step_seconds &&
             row->footprint.device_peak_bytes < best->footprint.device_peak_bytes))
            best = row;
    }
    return best;
}

const vdnn_report_row *vdnn_report_smallest(const vdnn_report *report)
{
    const vdnn_report_row *best = NULL;
    for (size_t r = 0; r < report->row_count; r++) {
        const vdnn_report_row *row = &report->rows[r];
        const size_t bytes = row->verdict.smallest_bytes;
        if (bytes > 0 && (best == NULL || bytes < best->verdict.smallest_bytes))
            best = row;
    }
    return best;
}
