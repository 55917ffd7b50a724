#include "runtime/base/table.h"

#include <string.h>

enum { GAP = 2 }; /* blanks between two columns */

static int width_of(const vdnn_table *table, size_t column)
{
    char words[VDNN_TABLE_CELL_BYTES];
    size_t most = strlen(table->columns[column].title);
    for (size_t row = 0; row < table->row_count; row++) {
        const size_t own = strlen(table->cell(table->context, row, column, words));
        most = own > most ? own : most;
    }
    return (int)most;
}

void vdnn_table_shown(const vdnn_table *table, size_t line, bool shown[VDNN_TABLE_MOST_COLUMNS])
{
    vdnn_text_column columns[VDNN_TABLE_MOST_COLUMNS];
    for (size_t c = 0; c < table->column_count; c++)
        columns[c] = (vdnn_text_column){table->columns[c].title, width_of(table, c) + GAP - 1,
                                        table->columns[c].rank};
    vdnn_text_fit_columns(columns, table->column_count, 0, line + GAP, shown);
}

/* The widths of columns, 0: not shown. */
static void lay_out(const vdnn_table *table, size_t line, int widths[VDNN_TABLE_MOST_COLUMNS])
{
    bool shown[VDNN_TABLE_MOST_COLUMNS];
    vdnn_table_shown(table, line, shown);
    for (size_t c = 0; c < table->column_count; c++)
        widths[c] = shown[c] ? width_of(table, c) : 0;
}

/* Nothing stands after the last cell that has words. */
static void add_line(const vdnn_table *table, const int widths[VDNN_TABLE_MOST_COLUMNS],
                     const size_t *row, vdnn_text *text)
{
    char words[VDNN_TABLE_CELL_BYTES];
    int blanks = 0;
    for (size_t c = 0; c < table->column_count; c++) {
        if (widths[c] == 0)
            continue;
        const vdnn_table_column *column = &table->columns[c];
        const char *cell =
            row == NULL ? column->title : table->cell(table->context, *row, c, words);
        const int rest = widths[c] - (int)strlen(cell), left = column->is_flush_left ? 0 : rest;
        if (cell[0] == '\0') {
            blanks += widths[c] + GAP;
            continue;
        }
        vdnn_text_add(text, "%*s%s", blanks + left, "", cell);
        blanks = rest - left + GAP;
    }
    vdnn_text_add(text, "\n");
}

void vdnn_table_add(const vdnn_table *table, size_t line, vdnn_text *text)
{
    int widths[VDNN_TABLE_MOST_COLUMNS];
    lay_out(table, line, widths);
    add_line(table, widths, NULL, text);
    for (size_t row = 0; row < table->row_count; row++)
        add_line(table, widths, &row, text);
}
