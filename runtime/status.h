#ifndef VDNN_RUNTIME_STATUS_H
#define VDNN_RUNTIME_STATUS_H

/* Statuses: what every fallible function returns, and the message that goes with it.
 *
 * Invariant: a status other than VDNN_OK was made by vdnn_status_fail in this thread, so that
 * vdnn_status_message() tells the facts (which layer, how many bytes, which limit).
 * Threads: the message is thread-local; vdnn_status_text is pure.
 *
 *     vdnn_status status = vdnn_graph_create(model, batch, stash, &graph);
 *     if (status != VDNN_OK) {
 *         fprintf(stderr, "vdnnrun: %s\n", vdnn_status_message());
 *         return vdnn_status_exit_code(status);
 *     }
 */

/* name, exit code of the programs, text */
#define VDNN_STATUS_TABLE(X)                                                                       \
    X(OK, 0, "success")                                                                            \
    X(USAGE, 2, "wrong usage")                                                                     \
    X(BAD_INPUT, 3, "bad input")                                                                   \
    X(NO_FIT, 4, "does not fit the budget")                                                        \
    X(DEVICE, 5, "device missing or failed")                                                       \
    X(NO_MEMORY, 5, "out of host memory")                                                          \
    X(FILE, 6, "file or checkpoint error")                                                         \
    X(PEER, 7, "a peer process failed")                                                            \
    X(MISMATCH, 8, "verification mismatch")                                                        \
    X(INTERNAL, 9, "broken plan refused")                                                          \
    X(REQUEUE, 75, "checkpointed on a signal, please requeue")                                     \
    X(INTERRUPTED, 130, "interrupted")                                                             \
    X(TERMINATED, 143, "terminated")

typedef enum vdnn_status {
#define X(name, code, text) VDNN_##name,
    VDNN_STATUS_TABLE(X)
#undef X
} vdnn_status;

/* Records the message in this thread and is `status`, so that a caller can write
 * `return vdnn_status_fail(...)`. Messages longer than 2047 bytes are cut; control characters
 * become
 * '?', but for a line end before two blanks, which begins a further line. A macro, so that the
 * compiler sees which status comes out (and that it is not VDNN_OK). */
#define vdnn_status_fail(status, ...) (vdnn_status_record(__VA_ARGS__), (status))

void vdnn_status_record(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Puts "prefix: " before the message of this thread and returns `status` unchanged. */
vdnn_status vdnn_status_prefix(vdnn_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The message of the last failure in this thread; "" when there was none. Valid until the next
 * failure in this thread. */
const char *vdnn_status_message(void);

const char *vdnn_status_text(vdnn_status status);
int vdnn_status_exit_code(vdnn_status status);

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
