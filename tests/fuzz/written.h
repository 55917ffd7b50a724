#ifndef VDNN_TESTS_FUZZ_WRITTEN_H
#define VDNN_TESTS_FUZZ_WRITTEN_H

/* Reads again what the library wrote, the way that other programs and people do: a name can neither
 * end what holds it nor pass for something else.
 *
 * Invariant: what does not hold ends the process (fuzz.h).
 * Threads: one.
 *
 *     json_t *root = vdnn_written_json(text.data, text.length);
 *     vdnn_written_plan(&text, plan);
 *     vdnn_written_html(&text, graph->name);
 */

#include "runtime/plan/plan.h"

#include <jansson.h>

/* One value, no key twice. The reference is the caller's. */
json_t *vdnn_written_json(const void *bytes, size_t count);

/* For terminals: nothing but text and line ends. */
void vdnn_written_people(const vdnn_text *text);

/* As many lines as said, each with as many fields as the first. */
void vdnn_written_csv(const vdnn_text *text, size_t lines);

/* A line of text that is text alone, with `name` in it; a table whose lines have as many cells as
 * its first, `rows` below its head. */
void vdnn_written_markdown(const vdnn_text *text, const char *name, size_t rows);

/* Known tags that close what they open, and `name` for its title. */
void vdnn_written_html(const vdnn_text *text, const char *name);

/* The buffers and steps of the plan, with the names that its graph has. */
void vdnn_written_plan(const vdnn_text *text, const vdnn_plan *plan);

#endif
