#include "tests/fuzz/memory_files.h"

#include "runtime/base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 24, MAX_OPEN = 24, NAME_BYTES = 200, FIRST_NUMBER = 1 << 20 };

typedef struct memory_file {
    char name[NAME_BYTES]; /* "": not there */
    unsigned char *bytes;
    size_t count, capacity;
} memory_file;

typedef struct handle {
    memory_file *file; /* NULL: free, or a folder */
    size_t position;
} handle;

/* What a DIR is here. */
typedef struct folder {
    bool open;
    char name[NAME_BYTES];
    int next;
    struct dirent entry;
} folder;

static memory_file files[MAX_FILES];
static handle handles[MAX_OPEN];
static folder folders[MAX_OPEN];
static int open_count;

/* ---- files ----------------------------------------------------------------------------------- */

/* The name below the root, "" for the root; NULL for paths elsewhere. */
static const char *name_of(const char *path)
{
    size_t length = strlen(VDNN_MEMORY_FILES);
    if (strncmp(path, VDNN_MEMORY_FILES, length) != 0)
        return NULL;
    if (path[length] == '\0')
        return "";
    return path[length] == '/' ? path + length + 1 : NULL;
}

static memory_file *find(const char *name)
{
    for (int i = 0; name != NULL && name[0] != '\0' && i < MAX_FILES; i++)
        if (strcmp(files[i].name, name) == 0)
            return &files[i];
    return NULL;
}

/* The entry of `parent` in which a file of that name lies; NULL: it lies elsewhere. */
static const char *below(const char *name, const char *parent)
{
    size_t length = strlen(parent);
    if (name[0] == '\0' || strncmp(name, parent, length) != 0)
        return NULL;
    if (length == 0)
        return name;
    return name[length] == '/' ? name + length + 1 : NULL;
}

static bool is_folder(const char *name)
{
    for (int i = 0; name != NULL && i < MAX_FILES; i++)
        if (below(files[i].name, name) != NULL)
            return true;
    return name != NULL && name[0] == '\0';
}

static memory_file *make(const char *name)
{
    memory_file *file = find(name);
    for (int i = 0; file == NULL && i < MAX_FILES; i++)
        if (files[i].name[0] == '\0')
            file = &files[i];
    if (file == NULL || name == NULL || strlen(name) >= NAME_BYTES)
        return NULL;
    memmove(file->name, name, strlen(name) + 1);
    file->count = 0;
    return file;
}

static void append(memory_file *file, const void *bytes, size_t count)
{
    if (file->count + count > file->capacity) {
        file->capacity = 2 * (file->count + count);
        file->bytes = realloc(file->bytes, file->capacity);
        if (file->bytes == NULL)
            abort();
    }
    if (count > 0)
        memcpy(file->bytes + file->count, bytes, count);
    file->count += count;
}

void vdnn_memory_files_put(const char *name, const void *bytes, size_t count)
{
    memory_file *file = make(name);
    if (file == NULL)
        abort();
    append(file, bytes, count);
}

bool vdnn_memory_files_get(const char *name, const void **bytes, size_t *count)
{
    const memory_file *file = find(name);
    if (file == NULL)
        return false;
    *bytes = file->bytes;
    *count = file->count;
    return true;
}

/* The memory stays for the next files. */
void vdnn_memory_files_clear(void)
{
    for (int i = 0; i < MAX_FILES; i++)
        files[i].name[0] = '\0';
}

int vdnn_memory_files_open_count(void)
{
    return open_count;
}

/* ---- calls that name a file ------------------------------------------------------------------ */

static int fail(int error)
{
    errno = error;
    return -1;
}

static int memory_open(const char *path, int flags, mode_t mode)
{
    (void)mode;
    const char *name = name_of(path);
    memory_file *file = find(name);
    if (file == NULL && !is_folder(name) && (flags & O_CREAT) != 0)
        file = make(name);
    else if (file != NULL && (flags & O_EXCL) != 0)
        return fail(EEXIST);
    if (file == NULL && !is_folder(name))
        return fail(ENOENT);
    if (file != NULL && (flags & O_DIRECTORY) != 0)
        return fail(ENOTDIR);
    if (file != NULL && (flags & O_TRUNC) != 0)
        file->count = 0;
    for (int i = 0; i < MAX_OPEN; i++) {
        if (handles[i].file != NULL)
            continue;
        /* A folder is opened to be synchronized only, and needs no handle. */
        if (file != NULL)
            handles[i] = (handle){file, 0};
        open_count++;
        return FIRST_NUMBER + (file == NULL ? MAX_OPEN : i);
    }
    return fail(EMFILE);
}

static int memory_rename(const char *from, const char *to)
{
    memory_file *source = find(name_of(from)), *target = find(name_of(to));
    if (source == NULL)
        return fail(ENOENT);
    if (target != NULL)
        target->name[0] = '\0';
    (void)snprintf(source->name, sizeof source->name, "%s", name_of(to));
    return 0;
}

static int memory_unlink(const char *path)
{
    memory_file *file = find(name_of(path));
    if (file == NULL)
        return fail(ENOENT);
    file->name[0] = '\0';
    return 0;
}

static int memory_stat(const char *path, struct stat *info)
{
    const memory_file *file = find(name_of(path));
    if (file == NULL && !is_folder(name_of(path)))
        return fail(ENOENT);
    *info = (struct stat){.st_mode = file == NULL ? S_IFDIR | 0700 : S_IFREG | 0600,
                          .st_size = file == NULL ? 0 : (off_t)file->count,
                          .st_dev = 1,
                          .st_ino = file == NULL ? 1 : 2 + (ino_t)(file - files)};
    return 0;
}

static int memory_access(const char *path, int mode)
{
    struct stat info;
    (void)mode;
    return memory_stat(path, &info);
}

static char *memory_realpath(const char *path, char *resolved)
{
    struct stat info;
    if (memory_stat(path, &info) != 0)
        return NULL;
    (void)snprintf(resolved, PATH_MAX, "%s", path);
    return resolved;
}

/* ---- calls on an open file ------------------------------------------------------------------- */

static handle *handle_of(int number)
{
    if (number < FIRST_NUMBER || number >= FIRST_NUMBER + MAX_OPEN ||
        handles[number - FIRST_NUMBER].file == NULL)
        abort(); /* a number that was never given out, or is closed */
    return &handles[number - FIRST_NUMBER];
}

static int memory_close(int number)
{
    open_count--;
    if (number != FIRST_NUMBER + MAX_OPEN)
        handle_of(number)->file = NULL;
    return 0;
}

static ssize_t memory_pread(int number, void *to, size_t bytes, off_t at)
{
    const memory_file *file = handle_of(number)->file;
    size_t left = (uint64_t)at < file->count ? file->count - (size_t)at : 0;
    size_t part = bytes < left ? bytes : left;
    if (part > 0)
        memcpy(to, file->bytes + at, part);
    return (ssize_t)part;
}

static ssize_t memory_read(int number, void *to, size_t bytes)
{
    handle *open = handle_of(number);
    ssize_t got = memory_pread(number, to, bytes, (off_t)open->position);
    open->position += (size_t)got;
    return got;
}

static ssize_t memory_write(int number, const void *from, size_t bytes)
{
    append(handle_of(number)->file, from, bytes);
    return (ssize_t)bytes;
}

static int memory_fsync(int number)
{
    (void)number;
    return 0;
}

static int memory_fstat(int number, struct stat *info)
{
    char path[NAME_BYTES + sizeof VDNN_MEMORY_FILES];
    (void)snprintf(path, sizeof path, "%s/%s", VDNN_MEMORY_FILES, handle_of(number)->file->name);
    return memory_stat(path, info);
}

/* ---- folders --------------------------------------------------------------------------------- */

static DIR *memory_opendir(const char *path)
{
    const char *name = name_of(path);
    folder *found = NULL;
    for (int i = 0; i < MAX_OPEN && found == NULL; i++)
        found = folders[i].open ? NULL : &folders[i];
    if (!is_folder(name) || found == NULL) {
        errno = find(name) != NULL ? ENOTDIR : ENOENT;
        return NULL;
    }
    *found = (folder){.open = true};
    (void)snprintf(found->name, sizeof found->name, "%s", name);
    open_count++;
    return (DIR *)found;
}

/* True when an earlier file is in the same entry. */
static bool seen_before(const folder *in, int i, const char *entry, size_t length)
{
    for (int k = 0; k < i; k++) {
        const char *other = below(files[k].name, in->name);
        if (other != NULL && strcspn(other, "/") == length && strncmp(other, entry, length) == 0)
            return true;
    }
    return false;
}

static struct dirent *memory_readdir(DIR *open)
{
    folder *in = (folder *)open;
    while (in->next < MAX_FILES) {
        int i = in->next++;
        const char *entry = below(files[i].name, in->name);
        size_t length = entry == NULL ? 0 : strcspn(entry, "/");
        if (length == 0 || seen_before(in, i, entry, length))
            continue;
        in->entry = (struct dirent){.d_type = entry[length] == '/' ? DT_DIR : DT_REG};
        memcpy(in->entry.d_name, entry, length);
        return &in->entry;
    }
    return NULL;
}

static int memory_closedir(DIR *open)
{
    ((folder *)open)->open = false;
    open_count--;
    return 0;
}

void vdnn_memory_files_begin(void)
{
    static vdnn_system_hooks hooks;
    if (hooks.open != NULL)
        return;
    hooks = vdnn_system_default;
    hooks.open = memory_open;
    hooks.close = memory_close;
    hooks.read = memory_read;
    hooks.pread = memory_pread;
    hooks.write = memory_write;
    hooks.fsync = memory_fsync;
    hooks.rename = memory_rename;
    hooks.unlink = memory_unlink;
    hooks.opendir = memory_opendir;
    hooks.readdir = memory_readdir;
    hooks.closedir = memory_closedir;
    hooks.stat = memory_stat;
    hooks.lstat = memory_stat;
    hooks.fstat = memory_fstat;
    hooks.access = memory_access;
    hooks.realpath = memory_realpath;
    vdnn_system_set(&hooks);
}
