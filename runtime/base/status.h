#ifndef VDNN_RUNTIME_BASE_STATUS_H
#define VDNN_RUNTIME_BASE_STATUS_H

/* Statuses: what every fallible function returns, and the message that goes with it. The statuses
 * themselves are part of the public interface.
 *
 * Invariant: a status other than VDNN_OK was made by vdnn_status_fail in this thread, so that
 * vdnn_status_message() gives the details (which layer, how many bytes, which limit).
 * Threads: the message is thread-local; vdnn_status_text is pure.
 *
 *     vdnn_status status = vdnn_graph_create(model, batch, rules, &graph);
 *     if (status != VDNN_OK) {
 *         fprintf(stderr, "vdnnrun: %s\n", vdnn_status_message());
 *         return vdnn_status_exit_code(status);
 *     }
 */

#include "runtime/vdnn.h"

/* Puts "prefix: " before the message of this thread and returns `status` unchanged. */
vdnn_status vdnn_status_prefix(vdnn_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

enum { VDNN_STATUS_MESSAGE_BYTES = 2048 };

/* The first of several errors, kept with its message: work on other threads, or done later, has no
 * caller to return a status to, and clean-up that fails must not replace the message of what failed
 * before it. No error: all zero. */
typedef struct vdnn_first_error {
    vdnn_status status;
    char message[VDNN_STATUS_MESSAGE_BYTES];
} vdnn_first_error;

/* Keeps `status` with this thread's message; VDNN_OK, and any error after the first, changes
 * nothing. */
void vdnn_first_error_keep(vdnn_first_error *error, vdnn_status status);
/* Returns the error, sets this thread's message to its message, and clears it. */
vdnn_status vdnn_first_error_tell(vdnn_first_error *error);

/* Returns the status of `call` from this function unless it is VDNN_OK: where nothing was taken
 * that this function would have to free. */
#define VDNN_TRY(call)                                                                             \
    do {                                                                                           \
        const vdnn_status vdnn_tried_ = (call);                                                    \
        if (vdnn_tried_ != VDNN_OK)                                                                \
            return vdnn_tried_;                                                                    \
    } while (0)

/* Where something has to be freed at the end: calls, and takes the status, unless `status` is one
 * of failure already. */
#define VDNN_IF_OK(status, call)                                                                   \
    do {                                                                                           \
        if ((status) == VDNN_OK)                                                                   \
            (status) = (call);                                                                     \
    } while (0)

/* Ends the process on a broken invariant, with both values printed. */
#define VDNN_INVARIANT(left, op, right)                                                            \
    do {                                                                                           \
        long long vdnn_left_ = (long long)(left), vdnn_right_ = (long long)(right);                \
        if (!(vdnn_left_ op vdnn_right_))                                                          \
            vdnn_status_abort(__FILE__, __LINE__, #left " " #op " " #right, vdnn_left_,            \
                              vdnn_right_);                                                        \
    } while (0)

_Noreturn void vdnn_status_abort(const char *file, int line, const char *condition, long long left,
                                 long long right);

#endif
