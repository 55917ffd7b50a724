#ifndef VDNN_RUNTIME_BASE_TABLE_H
#define VDNN_RUNTIME_BASE_TABLE_H

/* Tables for people, as wide as their cells are, within a line: columns that matter less leave it
 * where it is too narrow.
 *
 * Invariant: none; the cells are asked for as often as needed. Threads: pure.
 *
 *     static const vdnn_table_column columns[] = {{"batch", 0, false}, {"arena", 1, false}};
 *     const vdnn_table table = {columns, 2, row_count, fill_cell, rows};
 *     vdnn_table_add(&table, 100, &text);
 */

#include "runtime/base/text.h"

enum { VDNN_TABLE_CELL_BYTES = 64 };

typedef struct vdnn_table_column {
    const char *title;
    int rank; /* the highest leaves a line that is too narrow first, one of rank 0 never */
    bool is_flush_left;
} vdnn_table_column;

/* What is in a cell: `words`, filled, or a text that lives as long as the table's context. */
typedef const char *vdnn_table_cell(const void *context, size_t row, size_t column,
                                    char words[VDNN_TABLE_CELL_BYTES]);

enum { VDNN_TABLE_MOST_COLUMNS = 16 };

typedef struct vdnn_table {
    const vdnn_table_column *columns;
    size_t column_count; /* at most VDNN_TABLE_MOST_COLUMNS */
    size_t row_count;
    vdnn_table_cell *cell;
    const void *context;
} vdnn_table;

/* Which columns fit into lines of at most `line` bytes. */
void vdnn_table_shown(const vdnn_table *table, size_t line, bool shown[VDNN_TABLE_MOST_COLUMNS]);

/* Adds a line of titles and one for each row, in lines of at most `line` bytes where the columns of
 * rank 0 need no more. */
void vdnn_table_add(const vdnn_table *table, size_t line, vdnn_text *text);

#endif
