#ifndef VDNN_RUNTIME_TEXT_H
#define VDNN_RUNTIME_TEXT_H

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

#include "runtime/status.h"

#include <stdarg.h>
#include <stddef.h>

/* Writes " (did you mean X?)" for the nearest name, "" when there is none. Returns `buffer`. */
const char *vdnn_text_hint(char *buffer, size_t size, const char *name, const char *const *names,
                           size_t count);

#endif
