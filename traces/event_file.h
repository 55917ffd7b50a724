#ifndef VDNN_TRACES_EVENT_FILE_H
#define VDNN_TRACES_EVENT_FILE_H

/* The file of a trace as a stream of events: Chrome's trace-event JSON, compressed when the path
 * ends in .gz.
 *
 * Invariant: under its own name the file is whole or absent; no more than VDNN_EVENT_FILE_HELD
 * bytes and one event are held in memory. Threads: one.
 *
 *     status = vdnn_event_file_create("trace.json.gz", &file);
 *     vdnn_text *text = vdnn_event_file_add(file, "X", process, thread);
 *     vdnn_text_add(text, ",\"name\":\"conv1\""), vdnn_event_time(text, "ts", nanoseconds);
 *     vdnn_text_add(text, "}"), status = vdnn_event_file_flush_if_full(file);
 *     status = vdnn_event_file_close(file); // destroys it, also on failure
 */

#include "runtime/base/status.h"

#include <stdint.h>

enum { VDNN_EVENT_FILE_HELD = 1 << 16 };

typedef struct vdnn_event_file vdnn_event_file;

/* VDNN_FILE, VDNN_NO_MEMORY. */
vdnn_status vdnn_event_file_create(const char *path, vdnn_event_file **file);

/* Begins an event of that phase. The caller adds other keys, each after a comma, and then "}". */
vdnn_text *vdnn_event_file_add(vdnn_event_file *file, const char *phase, int process, int thread);
/* Adds a name, escaped as JSON requires within quotes. */
void vdnn_event_escaped(vdnn_text *text, const char *string);
/* Adds a key with whole nanoseconds as microseconds, so that spans which touch do not overlap by
 * rounding. */
void vdnn_event_time(vdnn_text *text, const char *key, int64_t nanoseconds);

/* Write the events so far; the second only if there are many. VDNN_FILE, or VDNN_NO_MEMORY if an
 * earlier event had no memory. After an error these and close always fail, as the file is
 * incomplete. */
vdnn_status vdnn_event_file_flush(vdnn_event_file *file);
vdnn_status vdnn_event_file_flush_if_full(vdnn_event_file *file);

/* For messages. */
const char *vdnn_event_file_path(const vdnn_event_file *file);
vdnn_status vdnn_event_file_close(vdnn_event_file *file);
/* Discards it. Accepts NULL. */
void vdnn_event_file_abandon(vdnn_event_file *file);

#endif
