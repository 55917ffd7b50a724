#include "runtime/base/output.h"

#include "runtime/base/heap.h"
#include "runtime/base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include <xxhash.h>

enum { TEMPORARY_TRIES = 100 };

/* The kernel writes less than 2 GiB at a time. */
#define WRITE_LIMIT ((size_t)1 << 30)

struct vdnn_output {
    char *path, *temporary; /* the latter NULL once it is the former */
    int fd;
    uint64_t bytes;
    XXH3_state_t *hash;
};

static vdnn_status fail_system(const vdnn_output *output, const char *what)
{
    return vdnn_status_fail(VDNN_FILE, "%s: cannot be %s: %s", output->path, what, strerror(errno));
}

/* ---- files of others --------------------------------------------------------------------------
 */

static const char MARK[] = ".tmp-";

/* Whether FOLDER/NAME is a temporary file whose process has ended without removing it: nobody has
 * its lock. That of a process which has just made it, and not locked it yet, is left alone. */
static bool is_abandoned(const char *path, const char *process)
{
    char alive[64];
    (void)snprintf(alive, sizeof alive, "/proc/%ld", strtol(process, NULL, 10));
    if (vdnn_system_access(alive, F_OK) == 0)
        return false;
    int file = vdnn_system_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);
    bool is_free = file >= 0 && vdnn_system_flock(file, LOCK_EX | LOCK_NB) == 0;
    if (file >= 0)
        (void)vdnn_system_close(file);
    return is_free;
}

/* The digits and the dash of "12-3" alone. */
static bool is_process_and_serial(const char *text)
{
    size_t process = strspn(text, "0123456789");
    const char *serial = text + process + 1;
    return process > 0 && text[process] == '-' && *serial != '\0' &&
           serial[strspn(serial, "0123456789")] == '\0';
}

/* A process that was killed could not remove its temporary file of this path. What cannot be
 * removed stays. */
static void remove_abandoned(const char *path)
{
    char folder[PATH_MAX], other[PATH_MAX + NAME_MAX];
    const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
    const size_t length = strlen(name);
    (void)snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
    DIR *list = vdnn_system_opendir(slash == NULL ? "." : folder);
    const struct dirent *entry;
    while (list != NULL && (entry = vdnn_system_readdir(list)) != NULL) {
        const char *rest = entry->d_name + length;
        if (strncmp(entry->d_name, name, length) != 0 || strncmp(rest, MARK, strlen(MARK)) != 0 ||
            !is_process_and_serial(rest + strlen(MARK)))
            continue;
        (void)snprintf(other, sizeof other, "%s%s", slash == NULL ? "" : folder, entry->d_name);
        if (is_abandoned(other, rest + strlen(MARK)))
            (void)vdnn_system_unlink(other);
    }
    if (list != NULL)
        (void)vdnn_system_closedir(list);
}

/* ---- this process's -------------------------------------------------------------------------- */

/* Opens PATH.tmp-PID-N for the first N that does not exist. Its lock says that it is not abandoned,
 * on file systems that have locks. */
static vdnn_status open_temporary(vdnn_output *output, size_t size)
{
    static atomic_uint serial;
    for (int i = 0; i < TEMPORARY_TRIES; i++) {
        (void)snprintf(output->temporary, size, "%s%s%ld-%u", output->path, MARK, (long)getpid(),
                       atomic_fetch_add(&serial, 1));
        output->fd =
            vdnn_system_open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (output->fd >= 0) {
            (void)vdnn_system_flock(output->fd, LOCK_EX | LOCK_NB);
            return VDNN_OK;
        }
        if (errno != EEXIST)
            break;
    }
    return fail_system(output, "written");
}

static void release(vdnn_output *output)
{
    if (output->fd >= 0)
        (void)vdnn_system_close(output->fd);
    (void)XXH3_freeState(output->hash);
    vdnn_heap_free(output->temporary);
    vdnn_heap_free(output->path);
    vdnn_heap_free(output);
}

/* The file that the path leads to, so that a symbolic link stays one; a device or a folder must not
 * be renamed over. */
static vdnn_status resolve(const char *path, char *resolved)
{
    struct stat info;
    if (vdnn_system_stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return vdnn_status_fail(VDNN_FILE, "%s: cannot be written: is not a regular file", path);
    if (vdnn_system_realpath(path, resolved) == NULL) {
        if (strlen(path) >= PATH_MAX)
            return vdnn_status_fail(VDNN_FILE, "%s: the path is too long", path);
        if (errno == ELOOP)
            return vdnn_status_fail(VDNN_FILE, "%s: cannot be written: %s", path, strerror(errno));
        memcpy(resolved, path, strlen(path) + 1);
    }
    return VDNN_OK;
}

vdnn_status vdnn_output_create(const char *path, vdnn_output **output)
{
    char resolved[PATH_MAX];
    size_t size = PATH_MAX + 64;
    vdnn_status status = resolve(path, resolved);
    if (status != VDNN_OK)
        return status;
    vdnn_output *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to write it", path);
    fresh->fd = -1;
    fresh->path = vdnn_heap_strdup(resolved);
    fresh->temporary = vdnn_heap_calloc(size, 1);
    fresh->hash = XXH3_createState();
    if (fresh->path == NULL || fresh->temporary == NULL || fresh->hash == NULL ||
        XXH3_128bits_reset(fresh->hash) != XXH_OK)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to write it", path);
    else
        status = open_temporary(fresh, size);
    if (status == VDNN_OK)
        remove_abandoned(fresh->path);
    if (status != VDNN_OK) {
        release(fresh);
        return status;
    }
    *output = fresh;
    return VDNN_OK;
}

vdnn_status vdnn_output_write(vdnn_output *output, const void *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        size_t part = count - done < WRITE_LIMIT ? count - done : WRITE_LIMIT;
        ssize_t wrote = vdnn_system_write(output->fd, (const char *)bytes + done, part);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0)
            return fail_system(output, "written");
        done += (size_t)wrote;
    }
    (void)XXH3_128bits_update(output->hash, bytes, count);
    output->bytes += count;
    return VDNN_OK;
}

vdnn_digest vdnn_output_digest(const vdnn_output *output)
{
    XXH128_hash_t hash = XXH3_128bits_digest(output->hash);
    return (vdnn_digest){.bytes = output->bytes, .high = hash.high64, .low = hash.low64};
}

const char *vdnn_output_path(const vdnn_output *output)
{
    return output->path;
}

/* Makes the rename itself durable. Some file systems cannot synchronize a folder and return EINVAL.
 */
static vdnn_status sync_folder(vdnn_output *output)
{
    char *slash = strrchr(output->path, '/');
    int fd;
    if (slash == NULL) {
        fd = vdnn_system_open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    } else {
        char kept = slash[1];
        slash[1] = '\0';
        fd = vdnn_system_open(output->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
        slash[1] = kept;
    }
    int error = fd < 0 ? errno : vdnn_system_fsync(fd) != 0 ? errno : 0;
    if (fd >= 0)
        (void)vdnn_system_close(fd);
    errno = error;
    if (error != 0 && error != EINVAL)
        return fail_system(output, "synchronized");
    return VDNN_OK;
}

vdnn_status vdnn_output_publish(vdnn_output *output)
{
    if (vdnn_system_fsync(output->fd) != 0 && errno != EINVAL)
        return fail_system(output, "written");
    if (vdnn_system_rename(output->temporary, output->path) != 0)
        return fail_system(output, "written");
    vdnn_heap_free(output->temporary);
    output->temporary = NULL;
    return sync_folder(output);
}

vdnn_status vdnn_output_commit(vdnn_output *output)
{
    vdnn_status status = vdnn_output_publish(output);
    vdnn_output_abandon(output);
    return status;
}

void vdnn_output_abandon(vdnn_output *output)
{
    if (output == NULL)
        return;
    if (output->temporary != NULL)
        (void)vdnn_system_unlink(output->temporary);
    release(output);
}

/* ---- texts ----------------------------------------------------------------------------------- */

vdnn_status vdnn_text_check_path(const char *path)
{
    vdnn_output *output = NULL;
    vdnn_status status = vdnn_output_create(path, &output);
    if (status == VDNN_OK)
        vdnn_output_abandon(output);
    return status;
}

vdnn_status vdnn_text_save(const vdnn_text *text, const char *path)
{
    vdnn_output *output = NULL;
    if (text->failed)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for what it would hold", path);
    VDNN_TRY(vdnn_output_create(path, &output));
    vdnn_status status = vdnn_output_write(output, text->data, text->length);
    if (status == VDNN_OK)
        return vdnn_output_commit(output);
    vdnn_output_abandon(output);
    return status;
}
