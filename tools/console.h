#ifndef VDNN_TOOLS_CONSOLE_H
#define VDNN_TOOLS_CONSOLE_H

/* Standard error and signals of a program: messages, the progress line, Ctrl-C.
 *
 * Invariant: a bar is drawn only on a terminal, never wider than it, else there is a line every few
 * seconds; messages never end up inside a bar. Threads: the main thread; the signal handler only
 * sets a flag.
 *
 *     vdnn_console console;
 *     vdnn_console_init(&console, "vdnnrun", &options);
 *     vdnn_messages messages = vdnn_console_messages(&console);
 *     return vdnn_console_finish(&console, status); // prints an error, returns the exit code
 */

#include "runtime/vdnn.h"
#include "tools/options.h"

/* number, status: what asks a run to end after its step. SIGINT comes from a person; a terminal
 * that is closed sends SIGHUP, batch systems announce the end of a job by one of the others. */
#define VDNN_CONSOLE_SIGNALS(X)                                                                    \
    X(SIGINT, INTERRUPTED)                                                                         \
    X(SIGTERM, TERMINATED)                                                                         \
    X(SIGHUP, TERMINATED)                                                                          \
    X(SIGUSR1, TERMINATED)                                                                         \
    X(SIGUSR2, TERMINATED)                                                                         \
    X(SIGXCPU, TERMINATED)

typedef struct vdnn_console {
    char program[64];
    vdnn_log_level level;
    bool is_quiet, is_terminal, has_color;
    bool is_first;   /* of the processes that train together: the others say only what went wrong */
    bool shows_data; /* standard output is a terminal */
    bool bar_is_open, text_is_open; /* a line that is not ended */
    double last_progress;           /* seconds */
} vdnn_console;

/* Installs the signal handlers, too. A first signal asks the run to end after its step, a second
 * one ends the process at once; if the run writes checkpoints, only a SIGINT does that. SIGHUP
 * stays ignored where it was (nohup). A pipe whose reader is gone is an error of the write, not the
 * end. */
void vdnn_console_init(vdnn_console *console, const char *program, const vdnn_options *options);
vdnn_messages vdnn_console_messages(vdnn_console *console);
int vdnn_console_finish(vdnn_console *console, vdnn_status status);

/* VDNN_FILE: standard output did not take what was written. Where its reader is gone, as after
 * `| head`, vdnn_console_finish returns the exit code and says nothing. */
vdnn_status vdnn_console_fail_output(void);

#endif
