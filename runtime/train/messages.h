#ifndef VDNN_RUNTIME_TRAIN_MESSAGES_H
#define VDNN_RUNTIME_TRAIN_MESSAGES_H

/* How a run talks to whoever started it: the library prints nothing itself.
 *
 * Invariant: a function that is NULL is not called; what is passed is valid during the call only.
 * Threads: called by the thread that runs the session.
 *
 *     vdnn_messages messages = {.log = print_line, .interrupted = signal_seen, .context =
 * &console}; vdnn_messages_log(&messages, VDNN_LOG_INFO, "%d layers", count);
 */

#include "runtime/status.h"

#include <stddef.h>
#include <stdint.h>

/* name, text; in order: a level includes those before it */
#define VDNN_LOG_TABLE(X)                                                                          \
    X(ERROR, "error")                                                                              \
    X(WARN, "warn")                                                                                \
    X(INFO, "info")                                                                                \
    X(DEBUG, "debug")

typedef enum vdnn_log_level {
#define X(name, text) VDNN_LOG_##name,
    VDNN_LOG_TABLE(X)
#undef X
        VDNN_LOG_COUNT
} vdnn_log_level;

typedef struct vdnn_progress {
    const char *what; /* "training", "testing" */
    int64_t step, step_count;
    double loss, images_per_second, seconds_left;
    size_t device_bytes, host_bytes; /* the most in use in the last step */
    size_t moved_bytes;              /* between the tiers since the beginning */
} vdnn_progress;

typedef struct vdnn_messages {
    void (*log)(void *context, vdnn_log_level level, const char *text);
    void (*progress)(void *context, const vdnn_progress *progress);
    /* Data for people: the plan as text, the footprint. */
    void (*print)(void *context, const char *text);
    /* VDNN_OK, or VDNN_INTERRUPTED or VDNN_TERMINATED once the run shall end. */
    vdnn_status (*interrupted)(void *context);
    void *context;
} vdnn_messages;

void vdnn_messages_log(const vdnn_messages *messages, vdnn_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void vdnn_messages_progress(const vdnn_messages *messages, const vdnn_progress *progress);
void vdnn_messages_print(const vdnn_messages *messages, const char *text);
/* With its own message when the run shall end. */
vdnn_status vdnn_messages_interrupted(const vdnn_messages *messages);

#endif
