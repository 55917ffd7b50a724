#ifndef VDNN_TOOLS_TERMINAL_H
#define VDNN_TOOLS_TERMINAL_H

/* The terminal that a program writes to: its width, what it can show, and what it must
 * not get.
 *
 * Invariant: none; asked each time, because a window's size changes. Threads: any.
 *
 *     int columns = vdnn_terminal_columns(STDOUT_FILENO, getenv); // 0: not known
 *     bool draws = vdnn_terminal_draws(STDERR_FILENO, getenv);
 */

#include <stdbool.h>

typedef char *vdnn_terminal_environment(const char *name);

/* COLUMNS where it is a number, else the width of the terminal that `file` is; 0: neither. */
int vdnn_terminal_columns(int file, vdnn_terminal_environment *environment);

/* Whether `file` is a terminal on which a line can be drawn over: one that is not "dumb". */
bool vdnn_terminal_draws(int file, vdnn_terminal_environment *environment);

/* Whether the locale's characters are UTF-8: of LC_ALL, LC_CTYPE and LANG the first that is set. */
bool vdnn_terminal_has_utf8(vdnn_terminal_environment *environment);

/* Replaces control characters but line ends and tabs: names in files of others may hold commands
 * for the terminal, which ESC and, as one character of UTF-8, U+0080 to U+009F begin. */
void vdnn_terminal_mask(char *text);

#endif
