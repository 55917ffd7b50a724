#ifndef VDNN_RUNTIME_TEXT_H
#define VDNN_RUNTIME_TEXT_H

/* Small pure functions over text: sizes, nearest names, growing strings.
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

/* Parses `512M`, `12GiB`, `1.5G`, `80%`, `4096`. K, M, G, T and KiB ... TiB are powers of 1024, kB,
 * MB, GB, TB powers of 1000; a share is of `whole_bytes`. VDNN_USAGE with the reason where the text
 * is no size, is negative, is zero, or does not fit size_t. */
vdnn_status vdnn_text_parse_size(const char *text, size_t whole_bytes, size_t *bytes);

/* The name with the smallest edit distance to `name`, NULL when none is near enough to be meant
 * (further than a third of its length, at least 2). Of very many names of its length only the first
 * 5,000 are compared. */
const char *vdnn_text_nearest(const char *name, const char *const *names, size_t count);

/* Writes " (did you mean X?)" for the nearest name, "" when there is none. Returns `buffer`. */
const char *vdnn_text_hint(char *buffer, size_t size, const char *name, const char *const *names,
                           size_t count);

/* Writes bytes for people: "1.50 GiB", "640 B". Returns `buffer`. */
const char *vdnn_text_bytes(char *buffer, size_t size, double bytes);

/* A growing string. All-zero is empty. After a failed allocation it stays empty and `failed`. */
typedef struct vdnn_text {
    char *data; /* NUL-terminated once something was added; owned */
    size_t length, capacity;
    int failed;
} vdnn_text;

void vdnn_text_add(vdnn_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void vdnn_text_fini(vdnn_text *text);

#endif
