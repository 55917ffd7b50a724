#include "runtime/data/folder.h"

#include "runtime/base/heap.h"
#include "runtime/base/system.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_COUNT = 64, FIRST_BYTES = 1024 };

/* ---- one entry ------------------------------------------------------------------------------- */

static uint32_t kind_of(const char *folder, const struct dirent *entry)
{
    char path[PATH_MAX];
    struct stat info;
    if (entry->d_type == DT_REG)
        return VDNN_FOLDER_FILE;
    if (entry->d_type == DT_DIR)
        return VDNN_FOLDER_FOLDER;
    int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (length < 0 || (size_t)length >= sizeof path || vdnn_system_stat(path, &info) != 0)
        return VDNN_FOLDER_OTHER;
    return S_ISREG(info.st_mode)   ? VDNN_FOLDER_FILE
           : S_ISDIR(info.st_mode) ? VDNN_FOLDER_FOLDER
                                   : VDNN_FOLDER_OTHER;
}

/* Grows by `more` items; false if there is no memory. */
static bool grow(void *block, size_t *capacity, size_t used, size_t more, size_t size, size_t first)
{
    size_t wanted = *capacity == 0 ? first : *capacity;
    void **memory = block;
    while (wanted < used + more)
        wanted *= 2;
    if (wanted == *capacity)
        return true;
    void *grown = vdnn_heap_realloc(*memory, wanted, size);
    if (grown == NULL)
        return false;
    *memory = grown;
    *capacity = wanted;
    return true;
}

static vdnn_status add_entry(vdnn_folder *folder, const char *path, const char *name, uint32_t kind)
{
    size_t bytes = strlen(name) + 1;
    if (folder->name_bytes + bytes > UINT32_MAX)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has more than 2^32 bytes of names", path);
    if (!grow(&folder->names, &folder->name_capacity, folder->name_bytes, bytes, 1, FIRST_BYTES) ||
        !grow(&folder->entries, &folder->capacity, folder->count, 1, sizeof *folder->entries,
              FIRST_COUNT))
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for %zu names", path,
                                folder->count + 1);
    folder->entries[folder->count++] = (vdnn_folder_entry){(uint32_t)folder->name_bytes, kind};
    memcpy(folder->names + folder->name_bytes, name, bytes);
    folder->name_bytes += bytes;
    return VDNN_OK;
}

/* ---- the folder ------------------------------------------------------------------------------ */

typedef struct sorting {
    const char *names;
    int (*compare)(const char *, const char *);
} sorting;

static int by_name(const void *a, const void *b, void *argument)
{
    const vdnn_folder_entry *left = a, *right = b;
    const sorting *by = argument;
    return by->compare(by->names + left->name, by->names + right->name);
}

static vdnn_status read_entries(DIR *stream, const char *path, vdnn_folder *folder)
{
    for (;;) {
        errno = 0;
        const struct dirent *entry = vdnn_system_readdir(stream);
        if (entry == NULL && errno != 0)
            return vdnn_status_fail(VDNN_FILE, "%s: cannot be read: %s", path, strerror(errno));
        if (entry == NULL)
            return VDNN_OK;
        if (entry->d_name[0] == '.')
            continue;
        VDNN_TRY(add_entry(folder, path, entry->d_name, kind_of(path, entry)));
    }
}

vdnn_status vdnn_folder_read(const char *path, int (*compare)(const char *, const char *),
                             vdnn_folder *folder)
{
    vdnn_folder fresh = {0};
    DIR *stream = vdnn_system_opendir(path);
    if (stream == NULL)
        return vdnn_status_fail(VDNN_FILE, "%s: %s", path, strerror(errno));
    vdnn_status status = read_entries(stream, path, &fresh);
    (void)vdnn_system_closedir(stream);
    if (status != VDNN_OK) {
        vdnn_folder_fini(&fresh);
        return status;
    }
    sorting by = {fresh.names, compare};
    if (fresh.count > 0)
        qsort_r(fresh.entries, fresh.count, sizeof *fresh.entries, by_name, &by);
    *folder = fresh;
    return VDNN_OK;
}

void vdnn_folder_fini(vdnn_folder *folder)
{
    vdnn_heap_free(folder->names);
    vdnn_heap_free(folder->entries);
    *folder = (vdnn_folder){0};
}

const char *vdnn_folder_name(const vdnn_folder *folder, size_t i)
{
    return folder->names + folder->entries[i].name;
}

vdnn_status vdnn_folder_join(const char *folder, const char *name, char *path, size_t bytes)
{
    int length = snprintf(path, bytes, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= bytes)
        return vdnn_status_fail(VDNN_FILE, "%.100s: a path there is too long", folder);
    return VDNN_OK;
}
