#include "runtime/report/table.h"

#include "runtime/base/numbers/decimal.h"
#include "runtime/base/numbers/rounded.h"
#include "runtime/base/table.h"
#include "runtime/report/page/page.h"
#include "runtime/train/record.h"

#include <math.h>
#include <stdio.h>

void vdnn_report_table_fini(vdnn_report_table *table)
{
    vdnn_text_fini(&table->head);
    vdnn_text_fini(&table->notes);
    vdnn_text_fini(&table->below);
    json_decref(table->rows);
    json_decref(table->facts);
}

static const json_t *value_at(const vdnn_report_table *table, size_t row, const char *key)
{
    return vdnn_page_member(json_array_get(table->rows, row), key);
}

static bool is_best(const vdnn_report_table *table, size_t row)
{
    const char *class = json_string_value(value_at(table, row, "class"));
    return class != NULL && strcmp(class, "best") == 0;
}

static const char *title_of(const vdnn_report_table *table, size_t column)
{
    const char *title = table->columns[column].title;
    return title != NULL ? title : table->rate.name;
}

static void add_rate(const vdnn_report_table *table, const json_t *value, vdnn_text *text)
{
    const double rate = json_number_value(value) * table->rate.per_sample;
    char cell[VDNN_TABLE_CELL_BYTES];
    if (json_is_number(value))
        vdnn_text_add(text, "%s",
                      table->digits > 0 ? vdnn_rounded_text(cell, sizeof cell, rate, table->digits)
                                        : vdnn_rounded_rate(cell, sizeof cell, rate));
}

/* What people read in a cell: `words`, filled, or a text of the table. */
static const char *cell(const vdnn_report_table *table, size_t row, size_t column,
                        char words[VDNN_TABLE_CELL_BYTES])
{
    const vdnn_report_column *of = &table->columns[column];
    const json_t *value = value_at(table, row, of->key);
    vdnn_text text = {0};
    if (json_is_string(value))
        return json_string_value(value);
    if (of->form != NULL && strcmp(of->form, "rate") == 0)
        add_rate(table, value, &text);
    else
        vdnn_page_add_value(value, of->form, table->digits, &text);
    (void)snprintf(words, VDNN_TABLE_CELL_BYTES, "%s", text.length > 0 ? text.data : "");
    vdnn_text_fini(&text);
    return words[0] != '\0' ? words : of->none == NULL ? "-" : of->none;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* What all values of one kind are counted in, so that they compare: the larger unit if any of them
 * reaches it. */
typedef struct unit {
    const char *name;
    double size;
    int decimals;
} unit;

enum { NO_UNIT, BYTES, SECONDS, KINDS };

static int kind_of(const vdnn_report_column *column)
{
    static const struct {
        const char *form;
        int kind;
    } kinds[] = {{"bytes", BYTES}, {"size", BYTES}, {"seconds", SECONDS}};
    for (size_t i = 0; column->form != NULL && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(column->form, kinds[i].form) == 0)
            return kinds[i].kind;
    return NO_UNIT;
}

static unit choose_unit(const vdnn_report_table *table, int kind)
{
    static const unit units[KINDS][2] = {
        [NO_UNIT] = {{"", 1, 0}, {"", 1, 0}},
        [BYTES] = {{"GiB", 0x1p30, 2}, {"MiB", 0x1p20, 2}},
        [SECONDS] = {{"s", 1, 3}, {"ms", 1e-3, 2}},
    };
    double most = 0;
    for (size_t r = 0; r < json_array_size(table->rows); r++)
        for (size_t c = 0; c < table->column_count; c++)
            if (kind_of(&table->columns[c]) == kind)
                most = fmax(most, json_number_value(value_at(table, r, table->columns[c].key)));
    return units[kind][most >= units[kind][0].size ? 0 : 1];
}

typedef struct layout {
    const vdnn_report_table *table;
    unit units[KINDS];
    char first_title[VDNN_TABLE_CELL_BYTES];
    vdnn_table_column columns[VDNN_TABLE_MOST_COLUMNS];
    size_t shows[VDNN_TABLE_MOST_COLUMNS]; /* of each its column of the table */
    size_t count;
} layout;

/* Of a column with a unit. */
static const char *in_unit(const layout *self, size_t row, size_t column,
                           char words[VDNN_TABLE_CELL_BYTES])
{
    const vdnn_report_column *of = &self->table->columns[column];
    const unit *in = &self->units[kind_of(of)];
    const double value = json_number_value(value_at(self->table, row, of->key));
    if (strcmp(of->form, "size") == 0 && value <= 0)
        return "-";
    if (self->table->digits > 0 && kind_of(of) == SECONDS)
        return vdnn_rounded_text(words, VDNN_TABLE_CELL_BYTES, value / in->size,
                                 self->table->digits);
    (void)vdnn_decimal_print(words, VDNN_TABLE_CELL_BYTES, "%.*f", in->decimals, value / in->size);
    return words;
}

static const char *marked(const vdnn_report_table *table, size_t row,
                          char words[VDNN_TABLE_CELL_BYTES])
{
    char first[VDNN_TABLE_CELL_BYTES];
    (void)snprintf(words, VDNN_TABLE_CELL_BYTES, "%*s%s", (int)strlen(table->mark),
                   is_best(table, row) ? table->mark : "", cell(table, row, 0, first));
    return words;
}

static const char *text_cell(const void *context, size_t row, size_t column,
                             char words[VDNN_TABLE_CELL_BYTES])
{
    const layout *self = context;
    const vdnn_report_table *table = self->table;
    const size_t shown = self->shows[column];
    const int kind = kind_of(&table->columns[shown]);
    if (table->has_units && row-- == 0)
        return self->units[kind].name;
    if (shown == 0 && table->mark != NULL)
        return marked(table, row, words);
    return table->has_units && kind != NO_UNIT ? in_unit(self, row, shown, words)
                                               : cell(table, row, shown, words);
}

static vdnn_table lay_out(const vdnn_report_table *table, layout *self)
{
    *self = (layout){.table = table};
    for (int kind = 0; kind < KINDS; kind++)
        self->units[kind] = choose_unit(table, kind);
    (void)snprintf(self->first_title, sizeof self->first_title, "%*s%s",
                   table->mark == NULL ? 0 : (int)strlen(table->mark), "", title_of(table, 0));
    for (size_t c = 0; c < table->column_count; c++) {
        const vdnn_report_column *column = &table->columns[c];
        if (column->rank == VDNN_REPORT_HIDDEN)
            continue;
        self->shows[self->count] = c;
        self->columns[self->count++] = (vdnn_table_column){
            c == 0 ? self->first_title : title_of(table, c), column->rank, column->is_flush_left};
    }
    return (vdnn_table){self->columns, self->count, json_array_size(table->rows) + table->has_units,
                        text_cell, self};
}

void vdnn_report_table_add_rows(const vdnn_report_table *table, size_t line, vdnn_text *text)
{
    layout self;
    const vdnn_table laid = lay_out(table, &self);
    vdnn_table_add(&laid, line, text);
}

/* Columns that the table has in a longer line. */
static void add_left_out(const vdnn_report_table *table, size_t line, vdnn_text *text)
{
    const char *before = "Columns hidden (terminal too narrow): ";
    bool shown[VDNN_TABLE_MOST_COLUMNS];
    layout self;
    const vdnn_table laid = lay_out(table, &self);
    vdnn_table_shown(&laid, line, shown);
    for (size_t c = 0; c < laid.column_count; c++) {
        if (shown[c])
            continue;
        vdnn_text_add(text, "%s%s", before, laid.columns[c].title);
        before = ", ";
    }
    if (before[0] == ',')
        vdnn_text_add(text, "\n");
}

static void write_text(vdnn_report_table *table, size_t line, vdnn_text *text)
{
    vdnn_text_add(&table->head, "\n\n");
    vdnn_text_move_folded(text, &table->head, line);
    vdnn_report_table_add_rows(table, line, text);
    vdnn_text_add(text, "\n%s", table->below.length > 0 ? table->below.data : "");
    if (table->has_units)
        add_left_out(table, line, &table->notes);
    vdnn_text_move_folded(text, &table->notes, line);
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static void add_field(const json_t *value, vdnn_text *text)
{
    if (json_is_string(value))
        vdnn_text_add(text, "%s", json_string_value(value));
    else if (json_is_boolean(value))
        vdnn_text_add(text, "%s", json_is_true(value) ? "true" : "false");
    else if (json_is_integer(value))
        vdnn_text_add(text, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        vdnn_text_add(text, "%.9g", json_real_value(value));
}

static void write_csv(vdnn_report_table *table, size_t line, vdnn_text *text)
{
    (void)line;
    for (size_t f = 0; f < table->field_count; f++)
        vdnn_text_add(text, "%s%s", f == 0 ? "" : ",", table->fields[f].title);
    vdnn_text_add(text, "\n");
    for (size_t r = 0; r < json_array_size(table->rows); r++) {
        for (size_t f = 0; f < table->field_count; f++) {
            vdnn_text_add(text, "%s", f == 0 ? "" : ",");
            add_field(value_at(table, r, table->fields[f].key), text);
        }
        vdnn_text_add(text, "\n");
    }
}

/* ---- Markdown -------------------------------------------------------------------------------- */

static void add_markdown_row(const vdnn_report_table *table, size_t row, vdnn_text *text)
{
    char words[VDNN_TABLE_CELL_BYTES];
    const char *bold = table->bold != NULL && is_best(table, row) ? table->bold : "";
    vdnn_text_add(text, "\n| %s", bold);
    vdnn_page_add_plain_markdown(text, cell(table, row, 0, words));
    vdnn_text_add(text, "%s |", bold);
    for (size_t c = 1; c < table->column_count; c++)
        vdnn_text_add(text, " %s |", cell(table, row, c, words));
}

static void write_markdown(vdnn_report_table *table, size_t line, vdnn_text *text)
{
    size_t i;
    json_t *note, *notes = vdnn_page_lines(&table->notes);
    (void)line;
    vdnn_page_add_plain_markdown(text, table->head.length > 0 ? table->head.data : "");
    vdnn_text_add(text, "\n\n|");
    for (size_t c = 0; c < table->column_count; c++)
        vdnn_text_add(text, " %s |", title_of(table, c));
    vdnn_text_add(text, "\n|");
    for (size_t c = 0; c < table->column_count; c++)
        vdnn_text_add(text, table->columns[c].is_flush_left ? " --- |" : " ---: |");
    for (size_t r = 0; r < json_array_size(table->rows); r++)
        add_markdown_row(table, r, text);
    vdnn_text_add(text, "\n");
    json_array_foreach(notes, i, note)
    {
        vdnn_text_add(text, "\n");
        (table->notes_are_raw ? vdnn_text_put
                              : vdnn_page_add_plain_markdown)(text, json_string_value(note));
        vdnn_text_add(text, "\n");
    }
    json_decref(notes);
}

/* ---- HTML and JSON --------------------------------------------------------------------------- */

/* Each row with the words of its cells: `first`, and `cells` after it. */
static json_t *page_rows(const vdnn_report_table *table)
{
    char words[VDNN_TABLE_CELL_BYTES];
    json_t *rows = json_array();
    for (size_t r = 0; r < json_array_size(table->rows); r++) {
        json_t *row = json_copy(json_array_get(table->rows, r)), *cells = json_array();
        (void)json_object_set_new(row, "first", json_string(cell(table, r, 0, words)));
        for (size_t c = 1; c < table->column_count; c++)
            (void)json_array_append_new(cells, json_string(cell(table, r, c, words)));
        (void)json_object_set_new(row, "cells", cells);
        (void)json_array_append_new(rows, row);
    }
    return rows;
}

static vdnn_status write_page(vdnn_report_table *table, vdnn_text *text)
{
    json_t *titles = json_array();
    for (size_t c = 0; c < table->column_count; c++)
        (void)json_array_append_new(titles, json_string(title_of(table, c)));
    json_t *value = json_pack("{s:i, s:o, s:o, s:o, s:o}", "digits", table->digits, "head",
                              vdnn_page_lines(&table->head), "titles", titles, "rows",
                              page_rows(table), "notes", vdnn_page_lines(&table->notes));
    if (json_object_update_missing(value, table->facts) == 0)
        return vdnn_page_write(table->page, value, text);
    json_decref(value);
    return vdnn_page_write(table->page, NULL, text);
}

vdnn_status vdnn_report_table_write(vdnn_report_table *table, vdnn_report_format format,
                                    size_t line, vdnn_text *text)
{
    static void (*const writers[])(vdnn_report_table *, size_t, vdnn_text *) = {
        [VDNN_REPORT_TABLE] = write_text,
        [VDNN_REPORT_CSV] = write_csv,
        [VDNN_REPORT_MARKDOWN] = write_markdown,
    };
    const bool is_lost =
        table->rows == NULL || table->head.failed || table->notes.failed || table->below.failed;
    text->failed = text->failed || is_lost;
    if (is_lost)
        return vdnn_text_status(text, table->subject);
    if (format == VDNN_REPORT_JSON)
        return vdnn_record_dump(json_incref(json_object_get(table->facts, "report")), text);
    if (format == VDNN_REPORT_HTML)
        return write_page(table, text);
    writers[format](table, line, text);
    return vdnn_text_status(text, table->subject);
}
