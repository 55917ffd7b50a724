#ifndef VDNN_RUNTIME_SETUP_OUTPUT_PATHS_H
#define VDNN_RUNTIME_SETUP_OUTPUT_PATHS_H

/* Checks before a run that its files can be written: the folders, the free space of their file
 * systems, the limit on a file's size.
 *
 * Invariant: no file or folder is left, and existing files are not changed. A limit that is not
 * known is treated as unlimited. Threads: any.
 *
 *     const vdnn_planned_output targets[] = {{"--save", options->save, .file_bytes = bytes}, ...};
 *     status = vdnn_output_paths_check(targets, count, true);
 */

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct vdnn_planned_output {
    const char *option;  /* option that named it, for messages */
    const char *path;    /* NULL: not written */
    uint64_t file_bytes; /* of its largest file */
    uint64_t all_bytes;  /* of all new data */
    bool is_folder;      /* a folder, which may have to be created, instead of a file */
} vdnn_planned_output;

/* VDNN_FILE with the option, the path, and the reason. `tries`: creates and removes a file;
 * otherwise only checks permissions. */
vdnn_status vdnn_output_paths_check(const vdnn_planned_output *targets, size_t count, bool tries);

#endif
