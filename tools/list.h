#ifndef VDNN_TOOLS_LIST_H
#define VDNN_TOOLS_LIST_H

/* What there is: networks, devices, policies, layers with their keys, kinds of data.
 *
 * Threads: one.
 *
 *     status = vdnn_list_print("layers");   // to standard output, one a line
 */

#include "runtime/vdnn.h"

/* `what`: one of the words of the option --list. */
vdnn_status vdnn_list_print(const char *what);

#endif
