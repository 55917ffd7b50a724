#ifndef VDNN_RUNTIME_DATA_FOLDER_H
#define VDNN_RUNTIME_DATA_FOLDER_H

/* The contents of a folder: names in order, and which of them are files and folders.
 *
 * Names that begin with a dot are left out. A symbolic link counts as its target.
 *
 * Invariant: the order depends on the names alone.
 * Threads: immutable once read.
 *
 *     vdnn_folder folder = {0};
 *     status = vdnn_folder_read("data/train", strcmp, &folder);
 *     for (size_t i = 0; i < folder.count; i++)
 *         if (folder.entries[i].kind == VDNN_FOLDER_FOLDER)
 *             use(vdnn_folder_name(&folder, i));
 *     vdnn_folder_fini(&folder);
 */

#include "runtime/base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef enum vdnn_folder_kind {
    VDNN_FOLDER_FILE,
    VDNN_FOLDER_FOLDER,
    VDNN_FOLDER_OTHER, /* a device, a broken link, ... */
} vdnn_folder_kind;

typedef struct vdnn_folder_entry {
    uint32_t name; /* where it begins in `names` */
    uint32_t kind; /* vdnn_folder_kind */
} vdnn_folder_entry;

/* All-zero is empty. */
typedef struct vdnn_folder {
    char *names;
    size_t name_bytes, name_capacity;
    vdnn_folder_entry *entries;
    size_t count, capacity;
} vdnn_folder;

/* VDNN_FILE if it is not a folder or cannot be read. On failure *folder is empty. */
vdnn_status vdnn_folder_read(const char *path, int (*compare)(const char *, const char *),
                             vdnn_folder *folder);
void vdnn_folder_fini(vdnn_folder *folder);

const char *vdnn_folder_name(const vdnn_folder *folder, size_t i);

/* Writes "FOLDER/NAME". VDNN_FILE if `bytes` is too small. */
vdnn_status vdnn_folder_join(const char *folder, const char *name, char *path, size_t bytes);

#endif
