#ifndef VDNN_RUNTIME_BASE_INPUT_H
#define VDNN_RUNTIME_BASE_INPUT_H

/* A file that is read whole: the opposite of output.h.
 *
 * Invariant: no more memory than the caller's limit is taken, whatever the file is.
 * Threads: any.
 *
 *     char *bytes;
 *     size_t count;
 *     status = vdnn_input_read("net.yaml", VDNN_YAML_MAX_BYTES, &bytes, &count);
 *     ... bytes[count] == '\0' ...
 *     vdnn_heap_free(bytes);
 */

#include "runtime/base/status.h"

#include <stddef.h>

/* Also reads files without a length, such as pipes. VDNN_FILE with path and reason if it cannot be
 * read, VDNN_BAD_INPUT if it has more than `most_bytes`. */
vdnn_status vdnn_input_read(const char *path, size_t most_bytes, char **bytes, size_t *count);

#endif
