#ifndef VDNN_RUNTIME_REPORT_PAGE_PAGE_H
#define VDNN_RUNTIME_REPORT_PAGE_PAGE_H

/* The pages of all reports: files in this folder, embedded when the library is built and filled
 * with JSON values when a report is written.
 *
 * A page is text with tags. A name in a tag is a member of the current value, else of the enclosing
 * one, and may have dots:
 *
 *     {{name}}               the value, escaped for HTML; nothing if it is null or absent
 *     {{name:bytes}}         the value in units; other forms are :size, which omits 0, :seconds,
 *                            :tenth_seconds, :ratio, :tenths, :digits, :operations, :percent,
 *                            :change, and :script, which is JSON
 *     {{#rows}} {{/rows}}    the text between them: once for each item of an array, once for an
 *                            object or a value; omitted if it is absent, null, false or empty
 *     {{^rows}} {{/rows}}    the text between them if {{#rows}} would omit it
 *     {{.}}                  the item itself
 *     {{>file}}              another embedded file; if it is a page, it is filled too
 *
 * Invariant: a page is self-contained; the same value gives the same bytes. Threads: any.
 *
 *     json_t *value = json_pack("{s:s, s:o}", "name", graph->name, "report", record);
 *     status = vdnn_page_write("report.html", value, &text); // takes the reference
 */

#include "runtime/base/text.h"

#include <jansson.h>

/* Adds the page `name`, filled with `value`, to the text. Takes the reference to the value.
 * VDNN_NO_MEMORY, also if the value is NULL. */
vdnn_status vdnn_page_write(const char *name, json_t *value, vdnn_text *text);

/* The content of an embedded file; NULL: no file has that name. */
const char *vdnn_page_file(const char *name);

/* Adds a template that is not an embedded file, for tests; `value` is borrowed. */
void vdnn_page_fill(const char *page, const json_t *value, vdnn_text *text);

/* The member of that name, which may have dots; NULL: there is none. */
const json_t *vdnn_page_member(const json_t *value, const char *name);

/* Adds a value as a tag of that form does; NULL: without a form. Adds nothing for a non-number.
 * `digits`: significant ones of seconds and ratios, which on a page its member `digits` says; 0:
 * all. */
void vdnn_page_add_value(const json_t *value, const char *form, int digits, vdnn_text *text);

/* The lines of a text as an array, without line ends; empties the text. */
json_t *vdnn_page_lines(vdnn_text *lines);

/* Formats seconds with a unit: "1.250 s", "3.100 ms"; "1.3 s" of two digits. Returns `cell`. */
const char *vdnn_page_seconds(double seconds, int digits, char *cell, size_t size);

/* Adds words with a backslash before each character that Markdown would interpret. */
void vdnn_page_add_plain_markdown(vdnn_text *text, const char *words);

#endif
