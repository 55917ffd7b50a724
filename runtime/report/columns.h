#ifndef VDNN_RUNTIME_REPORT_COLUMNS_H
#define VDNN_RUNTIME_REPORT_COLUMNS_H

/* Which columns of a table for people fit into a line.
 *
 * Invariant: a column leaves only if those of higher rank have left. Threads: pure.
 *
 *     static const vdnn_column columns[] = {{"time", 10, 0}, {"workspace", 12, 1}};
 *     bool shown[2];
 *     vdnn_columns_fit(columns, 2, 20, 80, shown);
 */

#include <stdbool.h>
#include <stddef.h>

typedef struct vdnn_column {
    const char *title;
    int width; /* without the blank before it; 0: never in a line */
    int rank;  /* the highest leaves first, one of rank 0 never */
} vdnn_column;

/* `taken` is what a line has besides. */
void vdnn_columns_fit(const vdnn_column *columns, size_t count, size_t taken, size_t most,
                      bool *shown);

#endif
