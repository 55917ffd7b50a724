#ifndef VDNN_RUNTIME_SETUP_OUTPUT_PATHS_H
#define VDNN_RUNTIME_SETUP_OUTPUT_PATHS_H

/* Whether what a run shall write can be written, found out before the run starts: the folders, the
 * room on their file systems, the size that a file may have.
 *
 * Invariant: nothing is left behind, and what is there is not touched. A limit that cannot be found
 * out is none. Threads: any.
 *
 *     const vdnn_planned_output targets[] = {{"--save", options->save, .file_bytes = bytes}, ...};
 *     status = vdnn_output_paths_check(targets, count, true);
 */

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct vdnn_planned_output {
    const char *option;  /* that named it, for messages */
    const char *path;    /* NULL: nothing is to be written */
    uint64_t file_bytes; /* of its largest file */
    uint64_t all_bytes;  /* of all that it will hold beside what is there now */
    bool is_folder;      /* a folder, which may have to be made, instead of a file */
} vdnn_planned_output;

/* VDNN_FILE with the option, the path, and what is missing. `tries`: by making a file and removing
 * it, where else the permissions are asked. */
vdnn_status vdnn_output_paths_check(const vdnn_planned_output *targets, size_t count, bool tries);

#endif
