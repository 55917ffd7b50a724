#include "runtime/setup/output_paths.h"

#include "runtime/base/output.h"
#include "runtime/base/system.h"
#include "runtime/base/text.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The folder of a path; "/" and "." if there is no other. */
static bool parent_of(const char *path, char *folder, size_t size)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    while (length > 0 && path[length - 1] != '/')
        length--;
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (length >= size)
        return false;
    (void)snprintf(folder, size, "%.*s", length == 0 ? 1 : (int)length, length == 0 ? "." : path);
    return true;
}

/* The nearest parent folder that exists: where the bytes will be written. */
static bool home_of(const vdnn_planned_output *target, char *folder, size_t size)
{
    char path[PATH_MAX];
    if ((size_t)snprintf(path, sizeof path, "%s", target->path) >= sizeof path)
        return false;
    if (!target->is_folder)
        return parent_of(path, folder, size);
    (void)snprintf(folder, size, "%s", path);
    while (vdnn_system_access(folder, F_OK) != 0 && strcmp(folder, "/") != 0 &&
           strcmp(folder, ".") != 0) {
        (void)snprintf(path, sizeof path, "%s", folder);
        if (!parent_of(path, folder, size))
            return false;
    }
    return true;
}

static vdnn_status check_access(const vdnn_planned_output *target, const char *folder, bool tries)
{
    struct stat info;
    if (vdnn_system_stat(folder, &info) == 0 && !S_ISDIR(info.st_mode))
        return vdnn_status_fail(VDNN_FILE, "%s %s cannot be written: %s is not a folder",
                                target->option, target->path, folder);
    if (vdnn_system_access(folder, W_OK | X_OK) != 0)
        return vdnn_status_fail(VDNN_FILE, "%s %s cannot be written: %s: %s", target->option,
                                target->path, folder, strerror(errno));
    if (!tries || target->is_folder)
        return VDNN_OK;
    vdnn_output *output = NULL;
    vdnn_status status = vdnn_output_create(target->path, &output);
    if (status != VDNN_OK)
        return vdnn_status_prefix(status, "%s", target->option);
    vdnn_output_abandon(output);
    return VDNN_OK;
}

static vdnn_status check_file_size(const vdnn_planned_output *target)
{
    struct rlimit limit;
    char people[32];
    if (vdnn_system_getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur >= target->file_bytes)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_FILE,
                            "%s %s: a file of it has %llu bytes (%s), but RLIMIT_FSIZE lets a file "
                            "have %llu; raise it (ulimit -f unlimited)",
                            target->option, target->path, (unsigned long long)target->file_bytes,
                            vdnn_text_bytes(people, sizeof people, (double)target->file_bytes),
                            (unsigned long long)limit.rlim_cur);
}

/* Bytes that all targets together take on the file system of one of them. */
static uint64_t wanted_there(const vdnn_planned_output *targets, size_t count, const char *folder)
{
    struct stat here, there;
    char other[PATH_MAX];
    uint64_t bytes = 0;
    if (vdnn_system_stat(folder, &here) != 0)
        return 0;
    for (size_t i = 0; i < count; i++)
        if (targets[i].path != NULL && home_of(&targets[i], other, sizeof other) &&
            vdnn_system_stat(other, &there) == 0 && there.st_dev == here.st_dev)
            bytes += targets[i].all_bytes;
    return bytes;
}

static vdnn_status check_room(const vdnn_planned_output *targets, size_t count,
                              const vdnn_planned_output *target, const char *folder)
{
    struct statvfs disk;
    char wanted_text[32], free_text[32];
    uint64_t wanted = wanted_there(targets, count, folder), left;
    if (vdnn_system_statvfs(folder, &disk) != 0 ||
        __builtin_mul_overflow((uint64_t)disk.f_bavail, (uint64_t)disk.f_frsize, &left) ||
        wanted <= left)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_FILE,
                            "%s %s: the file system of %s must hold %llu bytes (%s) for this run, "
                            "and %llu (%s) are free there; free some space, or name another folder",
                            target->option, target->path, folder, (unsigned long long)wanted,
                            vdnn_text_bytes(wanted_text, sizeof wanted_text, (double)wanted),
                            (unsigned long long)left,
                            vdnn_text_bytes(free_text, sizeof free_text, (double)left));
}

vdnn_status vdnn_output_paths_check(const vdnn_planned_output *targets, size_t count, bool tries)
{
    vdnn_status status = VDNN_OK;
    for (size_t i = 0; i < count && status == VDNN_OK; i++) {
        const vdnn_planned_output *target = &targets[i];
        char folder[PATH_MAX];
        if (target->path == NULL)
            continue;
        if (!home_of(target, folder, sizeof folder))
            return vdnn_status_fail(VDNN_FILE, "%s %s: the path is too long", target->option,
                                    target->path);
        status = check_access(target, folder, tries);
        VDNN_IF_OK(status, check_file_size(target));
        VDNN_IF_OK(status, check_room(targets, count, target, folder));
    }
    return status;
}
