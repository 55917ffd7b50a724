#ifndef VDNN_MODELS_FIND_H
#define VDNN_MODELS_FIND_H

/* Finds a YAML file by its path, or by its name in the library's folders.
 *
 * Invariant: the result was a file when it was looked for; a path wins over a name.
 * Threads: any.
 *
 *     static const vdnn_find_what network = {"network", ""}, device = {"device model", "/devices"};
 *     status = vdnn_find_file(&network, "lenet", places.list, places.count, &path);
 *     vdnn_heap_free(path);
 */

#include "runtime/base/text.h"

#include <stddef.h>

typedef struct vdnn_find_what {
    const char *one;    /* for messages */
    const char *folder; /* below each of the directories: "" or "/NAME" */
} vdnn_find_what;

/* `name` if that is a file, else `name` or `name`.yaml in the first of the directories that has it;
 * *path is owned by the caller (vdnn_heap_free). VDNN_BAD_INPUT with the nearest name otherwise. */
vdnn_status vdnn_find_file(const vdnn_find_what *what, const char *name,
                           const char *const *directories, size_t count, char **path);
/* Adds the names of all of them, each once, sorted, one a line after `prefix`. VDNN_NO_MEMORY. */
vdnn_status vdnn_find_names(const vdnn_find_what *what, const char *prefix,
                            const char *const *directories, size_t count, vdnn_text *names);

#endif
