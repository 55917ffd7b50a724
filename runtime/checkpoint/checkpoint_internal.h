#ifndef VDNN_RUNTIME_CHECKPOINT_CHECKPOINT_INTERNAL_H
#define VDNN_RUNTIME_CHECKPOINT_CHECKPOINT_INTERNAL_H

/* The names of checkpoints and their folders: shared by reading them (checkpoint.c) and writing
 * them (checkpoint_folder.c).
 *
 * Invariant: only names from vdnn_checkpoint_join_step are checkpoints.
 * Threads: any.
 *
 *     status = vdnn_checkpoint_list("run", &list);
 *     status = vdnn_checkpoint_join_step("run", list.steps[list.count - 1], &path);
 *     status = vdnn_checkpoint_verify(path.text, &checkpoint);
 *     vdnn_heap_free(list.steps);
 */

#include "runtime/checkpoint/checkpoint.h"

#include <limits.h>
#include <stdbool.h>

typedef struct vdnn_checkpoint_path {
    char text[PATH_MAX];
} vdnn_checkpoint_path;

/* FOLDER/NAME, FOLDER/step-00000100. VDNN_FILE if that is too long. */
vdnn_status vdnn_checkpoint_join(const char *folder, const char *name, vdnn_checkpoint_path *path);
vdnn_status vdnn_checkpoint_join_step(const char *folder, int64_t step, vdnn_checkpoint_path *path);

/* VDNN_FILE with the system's message. */
vdnn_status vdnn_checkpoint_fail(const char *path, const char *what);

/* Whether there is a folder, not a link to one. */
vdnn_status vdnn_checkpoint_find_folder(const char *path, bool *there);

bool vdnn_checkpoint_is_link(const char *path);

/* The steps of a folder's checkpoints, complete or not, in increasing order; the array is the
 * caller's. `with_links`: also of those that are links to folders, which are read and never
 * removed. */
typedef struct vdnn_checkpoint_list {
    int64_t *steps;
    size_t count, capacity;
} vdnn_checkpoint_list;

vdnn_status vdnn_checkpoint_list_steps(const char *path, bool with_links,
                                       vdnn_checkpoint_list *list);

/* Does what vdnn_checkpoint_open does, with one checkpoint; VDNN_BAD_INPUT if it is incomplete,
 * VDNN_DIVERGED if it has values that are not finite. */
vdnn_status vdnn_checkpoint_verify(const char *path, vdnn_checkpoint **checkpoint);

#endif
