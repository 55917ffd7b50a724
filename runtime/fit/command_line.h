#ifndef VDNN_RUNTIME_FIT_COMMAND_LINE_H
#define VDNN_RUNTIME_FIT_COMMAND_LINE_H

/* Command lines of the program with other options, to be typed or pasted.
 *
 * Invariant: each option stands in the line once. Threads: pure.
 *
 *     vdnn_command_line_add("vdnnrun --model lenet --batch 9", "--batch 64 --policy all", &text);
 *     // vdnnrun --model lenet --batch 64 --policy all
 */

#include "runtime/base/text.h"

/* Adds the words of a command line, quoted for a shell where they need it, with the options of
 * `changes`, each of which has a value, in the place of its options of these names. */
void vdnn_command_line_add(const char *command, const char *changes, vdnn_text *text);

#endif
