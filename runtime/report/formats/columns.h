#ifndef VDNN_RUNTIME_REPORT_FORMATS_COLUMNS_H
#define VDNN_RUNTIME_REPORT_FORMATS_COLUMNS_H

/* What stands in the cells of a report's rows, whatever they are written as: first the policy and
 * whether it fits, then the columns.
 *
 * Invariant: none. Threads: pure.
 *
 *     double values[VDNN_REPORT_COLUMNS];
 *     vdnn_report_cells(row, values);     // values[c] is that of vdnn_report_columns[c]
 */

#include "runtime/report/report.h"

/* A budget of 0: none suffices, because the host tier is too small. */
typedef enum vdnn_cell_kind {
    VDNN_CELL_BYTES,
    VDNN_CELL_BUDGET,
    VDNN_CELL_SECONDS,
    VDNN_CELL_RATIO,
    VDNN_CELL_KINDS
} vdnn_cell_kind;

typedef struct vdnn_report_column {
    const char *title, *key; /* for people, for programs */
    vdnn_cell_kind kind;
    int rank; /* in the table for people (runtime/base/table.h); VDNN_REPORT_HIDDEN: not there */
} vdnn_report_column;

enum { VDNN_REPORT_COLUMNS = 9, VDNN_REPORT_HIDDEN = -1 };

extern const vdnn_report_column vdnn_report_columns[VDNN_REPORT_COLUMNS];

void vdnn_report_cells(const vdnn_report_row *row, double values[VDNN_REPORT_COLUMNS]);

/* Of bytes, in whichever column: they have one unit. */
bool vdnn_cell_is_bytes(vdnn_cell_kind kind);

/* The policy, with what else there is to say of the row. Returns `cell`. */
const char *vdnn_report_first_cell(const vdnn_report_row *row, char cell[VDNN_REPORT_CELL_BYTES]);
const char *vdnn_report_fits_text(const vdnn_report_row *row);

/* Whether its micro-batches train otherwise than the whole batch does. */
bool vdnn_report_has_other_statistics(const vdnn_report_row *row);

/* The fastest that fits, of equal ones that with the least memory; NULL: none fits. That with the
 * smallest budget; NULL: the host tier is too small for each. */
const vdnn_report_row *vdnn_report_fastest(const vdnn_report *report);
const vdnn_report_row *vdnn_report_smallest(const vdnn_report *report);

#endif
