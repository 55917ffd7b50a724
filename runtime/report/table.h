#ifndef VDNN_RUNTIME_REPORT_TABLE_H
#define VDNN_RUNTIME_REPORT_TABLE_H

/* The table that is common to reports, comparisons of cards or reports, and scaling studies. It has
 * rows of JSON, columns that say where in a row a value is and how it is written, and sentences
 * above and below. Invariant: one writer for each format, all with the same values. Threads: pure.
 *
 *     static const vdnn_report_column columns[] = {
 *         {"policy", "policy", NULL, NULL, 0, true},
 *         {"step", "step_seconds", "seconds", "-", 1, false}};
 *     vdnn_report_table table = {"the report", .columns = columns, .column_count = 2, ...};
 *     vdnn_text_add(&table.head, "vgg16, batch 256");
 *     status = vdnn_report_table_write(&table, VDNN_REPORT_MARKDOWN, 100, &text);
 *     vdnn_report_table_fini(&table);
 */

#include "runtime/base/text.h"
#include "runtime/setup/setup.h"

#include <jansson.h>

enum { VDNN_REPORT_HIDDEN = -1 };

typedef struct vdnn_report_column {
    const char *title; /* NULL: the unit of rates */
    const char *key;   /* of the value in a row; with dots as in page/page.h */
    const char *form;  /* as in page/page.h, or "rate"; NULL: unformatted */
    const char *none;  /* the text if there is no value; NULL: "-" */
    int rank;          /* in text, as in runtime/base/table.h; VDNN_REPORT_HIDDEN: left out */
    bool is_flush_left;
} vdnn_report_column;

/* A field of CSV, in which numbers are unformatted. */
typedef struct vdnn_report_field {
    const char *title, *key;
} vdnn_report_field;

typedef struct vdnn_report_table {
    const char *subject;   /* "the report", in messages */
    vdnn_text head, notes; /* sentences above and below, a line each */
    vdnn_text below;       /* in text only: inserted unchanged between rows and notes */
    const vdnn_report_column *columns;
    const vdnn_report_field *fields;
    size_t column_count, field_count;
    json_t *rows;            /* owned; `class` of the recommended row is "best" */
    const char *mark, *bold; /* of that row's first cell, in text and in Markdown; NULL: none */
    bool has_units;          /* in text: a unit below each title, and the names of hidden columns */
    int digits;              /* significant ones of times, their ratios and rates; 0: all */
    vdnn_rate_unit rate;     /* of columns of the form "rate" */
    bool notes_are_raw;      /* the notes contain no foreign words that Markdown could interpret */
    const char *page;        /* for HTML; filled with `facts`, head, titles, rows and notes */
    json_t *facts;           /* owned; its member `report` is written as JSON */
} vdnn_report_table;

/* Adds the titles and rows in lines of at most `line` bytes. */
void vdnn_report_table_add_rows(const vdnn_report_table *table, size_t line, vdnn_text *text);

/* `format` must be one that the table has. VDNN_NO_MEMORY, also if the rows are NULL. */
vdnn_status vdnn_report_table_write(vdnn_report_table *table, vdnn_report_format format,
                                    size_t line, vdnn_text *text);

void vdnn_report_table_fini(vdnn_report_table *table);

#endif
