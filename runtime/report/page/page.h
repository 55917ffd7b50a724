#ifndef VDNN_RUNTIME_REPORT_PAGE_PAGE_H
#define VDNN_RUNTIME_REPORT_PAGE_PAGE_H

/* The pages of all reports: files beside this one, embedded when the library is built, filled with
 * values of JSON when a report is written.
 *
 * A page is text with tags; a name stands for a member of the value at hand, else of the one around
 * it, and may have dots:
 *
 *     {{name}}               the value, escaped for HTML; nothing if it is null or absent
 *     {{name:bytes}}         in units for people; likewise :size, which is nothing for 0, :seconds,
 *                            :tenth_seconds, :ratio, :tenths, :digits, :operations, :percent and
 *                            :change, and :script: as JSON
 *     {{#rows}} {{/rows}}    what is between them once for each item of an array, or once with an
 *                            object or a value; not at all if it is absent, null, false or empty
 *     {{^rows}} {{/rows}}    where {{#rows}} would not be
 *     {{.}}                  the item itself
 *     {{>file}}              another embedded file: a page is filled too, others stay as they are
 *
 * Invariant: a page is self-contained; the same value gives the same bytes. Threads: any.
 *
 *     json_t *value = json_pack("{s:s, s:o}", "name", graph->name, "report", record);
 *     status = vdnn_page_write("report.html", value, &text); // takes the reference
 */

#include "runtime/base/text.h"

#include <jansson.h>

/* Adds the page of that name, filled with `value`, to the text; takes the reference to the value.
 * VDNN_NO_MEMORY, also for a value of NULL. */
vdnn_status vdnn_page_write(const char *name, json_t *value, vdnn_text *text);

/* The content of an embedded file; NULL: there is none of that name. */
const char *vdnn_page_file(const char *name);

/* Adds a template that is no file, for tests; `value` is borrowed. */
void vdnn_page_fill(const char *page, const json_t *value, vdnn_text *text);

/* The member of that name, which may have dots; NULL: there is none. */
const json_t *vdnn_page_member(const json_t *value, const char *name);

/* Adds a value as a tag with that form does; NULL: with none. Nothing where it is not a number. */
void vdnn_page_add_value(const json_t *value, const char *form, vdnn_text *text);

/* The lines of a text, without their ends, as an array; empties the text. */
json_t *vdnn_page_lines(vdnn_text *lines);

/* A time for people: "1.250 s", "3.100 ms". Returns `cell`. */
const char *vdnn_page_seconds(double seconds, char *cell, size_t size);

/* In Markdown what it would misread gets a backslash. */
void vdnn_page_add_plain_markdown(vdnn_text *text, const char *words);

#endif
