#ifndef VDNN_RUNTIME_BASE_MESSAGES_H
#define VDNN_RUNTIME_BASE_MESSAGES_H

/* How a run reports to its program: the library itself prints nothing.
 *
 * Invariant: a function that is NULL is not called; what is passed is valid during the call only.
 * Threads: called by the thread that runs the session.
 *
 *     vdnn_messages messages = {
 *         .log = print_line, .interrupted = signal_seen, .context = &console};
 *     vdnn_messages_log(&messages, VDNN_LOG_INFO, "%d layers", count);
 */

#include "runtime/base/status.h"

/* Copies the program's functions; NULL: a session without messages. */
vdnn_status vdnn_messages_take(const vdnn_messages *given, vdnn_messages *messages);

void vdnn_messages_log(const vdnn_messages *messages, vdnn_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void vdnn_messages_progress(const vdnn_messages *messages, const vdnn_progress *progress);
void vdnn_messages_print(const vdnn_messages *messages, const char *text);
/* By print where the program has no such function. */
void vdnn_messages_write(const vdnn_messages *messages, const char *bytes, size_t count);
/* Fails, with a message, once the program wants the run to end. */
vdnn_status vdnn_messages_interrupted(const vdnn_messages *messages);

#endif
