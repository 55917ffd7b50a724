#ifndef VDNN_RUNTIME_BASE_TEXT_H
#define VDNN_RUNTIME_BASE_TEXT_H

/* Small pure functions over text: sizes, nearest names, growing strings; most of them are part of
 * the public interface.
 *
 * Invariant: no function here keeps a pointer to its arguments.
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
#include <stdint.h>
#include <string.h>

/* Writes " (did you mean X?)" for the nearest name, "" when there is none. Returns `buffer`. */
const char *vdnn_text_hint(char *buffer, size_t size, const char *name, const char *const *names,
                           size_t count);

/* Control characters, which end a line or move a terminal's cursor: C0, DEL, and C1 in UTF-8. The
 * first returns the length in bytes of the one that `text` begins with, 0: none; the second whether
 * there is one anywhere. */
size_t vdnn_text_control(const char *text);
bool vdnn_text_has_control(const char *text);

/* Replaces them in a message, for terminals. A newline before two blanks stays: further lines of a
 * message begin so, and a name with one cannot pass for another message. */
void vdnn_text_mask_message(char *text);

/* The first item of a list that is separated by commas, as far as it fits. Returns the rest of the
 * list, NULL: it was the last item. */
const char *vdnn_text_next_item(const char *list, char *item, size_t size);

/* VDNN_NO_MEMORY for `what` ("the report") if the text is lost. */
vdnn_status vdnn_text_status(const vdnn_text *text, const char *what);

/* Adds a name as one unambiguous word: as it is, or in quotes if it has blanks, quotes or brackets,
 * with a backslash before quotes and backslashes. */
void vdnn_text_add_name(vdnn_text *text, const char *name);

/* Bytes of a line for people that has that many columns; 0: 100. */
size_t vdnn_text_line(int columns);

/* Adds lines for people, each broken at blanks where it has more than `columns` bytes; what follows
 * is indented by two. A word that is longer stays whole. */
void vdnn_text_add_folded(vdnn_text *text, const char *lines, size_t columns);

/* The same with lines that were built apart, which are freed; both fail together. */
void vdnn_text_move_folded(vdnn_text *text, vdnn_text *lines, size_t columns);

/* A column of a table for people. */
typedef struct vdnn_text_column {
    const char *title;
    int width; /* without the blank before it; 0: never in a line */
    int rank;  /* the highest leaves a line that is too narrow first, one of rank 0 never */
} vdnn_text_column;

/* Which columns fit into a line of `most` bytes, of which `taken` are taken. */
void vdnn_text_fit_columns(const vdnn_text_column *columns, size_t count, size_t taken, size_t most,
                           bool *shown);

/* ---- where there are thousands ---------------------------------------------------------------
 *
 * What vdnn_text_add adds by "%s", "%.*s" and "%lld", in a twentieth of its time: the length of a
 * literal is known when this is compiled.
 */

/* Makes room first; the others call it. */
void vdnn_text_put_longer(vdnn_text *text, const char *bytes, size_t count);

static inline void vdnn_text_put_bytes(vdnn_text *text, const char *bytes, size_t count)
{
    if (text->capacity - text->length <= count) { /* as of one that failed */
        vdnn_text_put_longer(text, bytes, count);
        return;
    }
    memcpy(text->data + text->length, bytes, count);
    text->length += count;
    text->data[text->length] = '\0';
}

static inline void vdnn_text_put(vdnn_text *text, const char *string)
{
    vdnn_text_put_bytes(text, string, strlen(string));
}

void vdnn_text_put_number(vdnn_text *text, int64_t number);
/* At least that many digits, up to 20, with zeros before them. */
void vdnn_text_put_digits(vdnn_text *text, uint64_t number, int least);

#endif
