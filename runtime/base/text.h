#ifndef VDNN_RUNTIME_BASE_TEXT_H
#define VDNN_RUNTIME_BASE_TEXT_H

/* Small pure functions over text: sizes, nearest names, growing strings; most of them are part of
 * the public interface.
 *
 * Invariant: no function here keeps a pointer to what it was given.
 * Threads: any.
 *
 *     size_t bytes;
 *     status = vdnn_text_parse_size("12GiB", total, &bytes);
 *     const char *near = vdnn_text_nearest("polcy", names, count);
 */

#include "runtime/base/status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Writes " (did you mean X?)" for the nearest name, "" when there is none. Returns `buffer`. */
const char *vdnn_text_hint(char *buffer, size_t size, const char *name, const char *const *names,
                           size_t count);

/* What ends a line or moves a terminal's cursor: C0, DEL, and C1 as UTF-8 writes it. How many bytes
 * the one takes that `text` begins with, 0: there is none; whether there is one anywhere. */
size_t vdnn_text_control(const char *text);
bool vdnn_text_has_control(const char *text);

/* Adds a name as a word that one can tell from its neighbours: as it is, or in quotes where it has
 * blanks, quotes or brackets, with a backslash before quotes and backslashes. */
void vdnn_text_add_name(vdnn_text *text, const char *name);

#endif
