#ifndef VDNN_TOOLS_PROGRAM_H
#define VDNN_TOOLS_PROGRAM_H

/* What all programs have in common around their one call of the library.
 *
 * Invariant: none.
 * Threads: the main thread.
 *
 *     return vdnn_program_main(VDNN_PROGRAM_RUN, "vdnnrun", argc, argv, run);
 */

#include "runtime/vdnn.h"
#include "tools/console.h"
#include "tools/options.h"

typedef vdnn_status (*vdnn_program_body)(const vdnn_options *options,
                                         const vdnn_messages *messages);

/* Options, --help, --version, signals, the message and the exit code of what `body` returns. */
int vdnn_program_main(unsigned program, const char *name, int argc, char **argv,
                      vdnn_program_body body);

/* What the program's options say, with what all programs set. VDNN_USAGE without a model. The
 * session's options name its topics in `structs`. */
vdnn_status vdnn_program_fill(const vdnn_options *options, vdnn_option_structs *structs);

/* The folder of cached profiles: XDG_CACHE_HOME/vdnn, else HOME/.cache/vdnn, into `folder`. NULL if
 * neither variable is an absolute path. */
const char *vdnn_program_cache(char *(*environment)(const char *name), char *folder, size_t size);

/* The columns of a line for people on standard output: at most 100. */
int vdnn_program_columns(void);

/* Adds the command line as it can be typed again, quoted for a shell, without these options. The
 * program is called `program`. Returns the text's data. */
const char *vdnn_program_command(const vdnn_options *options, const char *program,
                                 const vdnn_option_id *without, size_t count, vdnn_text *text);

/* To a file that appears whole or not at all, or to standard output for "-". NULL: nowhere. */
vdnn_status vdnn_program_write(const char *path, const vdnn_text *text);

/* VDNN_FILE where nothing could be written there: to be said before any work. */
vdnn_status vdnn_program_check_output(const char *path);

/* The same of each file that the options ask for (VDNN_WRITES). */
vdnn_status vdnn_program_check_outputs(const vdnn_options *options);

typedef vdnn_status vdnn_program_adder(void *results, vdnn_report_format format, vdnn_text *text);

/* Writes the results to each file that the options ask for, and, as `shown`, to standard output
 * where `is_shown` or there is no such file. */
vdnn_status vdnn_program_write_outputs(const vdnn_options *options, vdnn_program_adder *add,
                                       void *results, vdnn_report_format shown, bool is_shown);

#endif
