#include "tests/support/faults.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

_Static_assert(VDNN_SYSTEM_CALL_COUNT <= 64, "a set of calls is 64 bits");

static vdnn_test_fault fault;
static atomic_size_t counted;
static atomic_long files, folders, mappings;

/* True if this call must fail. */
static bool strikes(vdnn_system_call call, const char *path)
{
    if ((fault.calls & UINT64_C(1) << call) == 0)
        return false;
    if (fault.path != NULL && (path == NULL || strstr(path, fault.path) == NULL))
        return false;
    size_t number = atomic_fetch_add(&counted, 1) + 1;
    if (fault.nth == 0 || (fault.lasting ? number < fault.nth : number != fault.nth))
        return false;
    if (fault.effect == VDNN_TEST_KILLS)
        (void)raise(SIGKILL);
    errno = fault.error;
    return true;
}

/* Where a path of the system is on the pretended machine. */
static const char *place(const char *path, char *buffer, size_t size)
{
    if (fault.root == NULL || (strncmp(path, "/proc/", 6) != 0 && strncmp(path, "/sys/", 5) != 0))
        return path;
    (void)snprintf(buffer, size, "%s%s", fault.root, path);
    return buffer;
}

/* ---- calls without more to say --------------------------------------------------------------- */

#define X(result, failure, name, parameters, arguments)                                            \
    static result plain_##name parameters                                                          \
    {                                                                                              \
        if (strikes(VDNN_SYSTEM_CALL_##name, NULL) && fault.effect == VDNN_TEST_FAILS)             \
            return failure;                                                                        \
        return vdnn_system_default.name arguments;                                                 \
    }
VDNN_SYSTEM_TABLE(X)
#undef X

/* ---- calls that name a file ------------------------------------------------------------------ */

static int faulty_open(const char *path, int flags, mode_t mode)
{
    char buffer[PATH_MAX];
    if (strikes(VDNN_SYSTEM_CALL_open, path) && fault.effect == VDNN_TEST_FAILS)
        return -1;
    int file = vdnn_system_default.open(place(path, buffer, sizeof buffer), flags, mode);
    atomic_fetch_add(&files, file >= 0);
    return file;
}

/* ---- calls that open a file without a path --------------------------------------------------- */

#define X(name, parameters, arguments)                                                             \
    static int faulty_##name parameters                                                            \
    {                                                                                              \
        int opened = plain_##name arguments;                                                       \
        atomic_fetch_add(&files, opened >= 0);                                                     \
        return opened;                                                                             \
    }
X(memfd_create, (const char *name, unsigned flags), (name, flags))
X(eventfd, (unsigned count, int flags), (count, flags))
X(socket, (int family, int kind, int protocol), (family, kind, protocol))
X(accept4, (int file, struct sockaddr *address, socklen_t *bytes, int flags),
  (file, address, bytes, flags))
X(io_uring_setup, (unsigned entries, struct io_uring_params *parameters), (entries, parameters))
#undef X

/* ---- calls that name a file, or a folder ----------------------------------------------------- */

static DIR *faulty_opendir(const char *path)
{
    char buffer[PATH_MAX];
    if (strikes(VDNN_SYSTEM_CALL_opendir, path) && fault.effect == VDNN_TEST_FAILS)
        return NULL;
    DIR *folder = vdnn_system_default.opendir(place(path, buffer, sizeof buffer));
    atomic_fetch_add(&folders, folder != NULL);
    return folder;
}

static int faulty_rename(const char *from, const char *to)
{
    if (strikes(VDNN_SYSTEM_CALL_rename, to) && fault.effect == VDNN_TEST_FAILS)
        return -1;
    return vdnn_system_default.rename(from, to);
}

static int faulty_unlink(const char *path)
{
    if (strikes(VDNN_SYSTEM_CALL_unlink, path) && fault.effect == VDNN_TEST_FAILS)
        return -1;
    return vdnn_system_default.unlink(path);
}

static int faulty_rmdir(const char *path)
{
    if (strikes(VDNN_SYSTEM_CALL_rmdir, path) && fault.effect == VDNN_TEST_FAILS)
        return -1;
    return vdnn_system_default.rmdir(path);
}

static int faulty_stat(const char *path, struct stat *info)
{
    char buffer[PATH_MAX];
    if (strikes(VDNN_SYSTEM_CALL_stat, path) && fault.effect == VDNN_TEST_FAILS)
        return -1;
    return vdnn_system_default.stat(place(path, buffer, sizeof buffer), info);
}

static int faulty_access(const char *path, int mode)
{
    char buffer[PATH_MAX];
    if (strikes(VDNN_SYSTEM_CALL_access, path) && fault.effect == VDNN_TEST_FAILS)
        return -1;
    return vdnn_system_default.access(place(path, buffer, sizeof buffer), mode);
}

/* ---- calls that move bytes ------------------------------------------------------------------- */

/* How many of the bytes are asked for; false where the call fails. */
static bool shorten(vdnn_system_call call, size_t *bytes)
{
    if (!strikes(call, NULL))
        return true;
    if (fault.effect == VDNN_TEST_IS_SHORT && *bytes > 1)
        *bytes = 1;
    return fault.effect != VDNN_TEST_FAILS;
}

static ssize_t faulty_read(int file, void *to, size_t bytes)
{
    return shorten(VDNN_SYSTEM_CALL_read, &bytes) ? vdnn_system_default.read(file, to, bytes) : -1;
}

static ssize_t faulty_pread(int file, void *to, size_t bytes, off_t at)
{
    return shorten(VDNN_SYSTEM_CALL_pread, &bytes) ? vdnn_system_default.pread(file, to, bytes, at)
                                                   : -1;
}

static ssize_t faulty_write(int file, const void *from, size_t bytes)
{
    return shorten(VDNN_SYSTEM_CALL_write, &bytes) ? vdnn_system_default.write(file, from, bytes)
                                                   : -1;
}

static ssize_t faulty_pwrite(int file, const void *from, size_t bytes, off_t at)
{
    return shorten(VDNN_SYSTEM_CALL_pwrite, &bytes)
               ? vdnn_system_default.pwrite(file, from, bytes, at)
               : -1;
}

static ssize_t faulty_send(int file, const void *from, size_t bytes, int flags)
{
    return shorten(VDNN_SYSTEM_CALL_send, &bytes)
               ? vdnn_system_default.send(file, from, bytes, flags)
               : -1;
}

static ssize_t faulty_recv(int file, void *to, size_t bytes, int flags)
{
    return shorten(VDNN_SYSTEM_CALL_recv, &bytes) ? vdnn_system_default.recv(file, to, bytes, flags)
                                                  : -1;
}

/* ---- calls that free: done, whatever they return -------------------------------------- */

static int given_back(vdnn_system_call call, int result)
{
    return strikes(call, NULL) && fault.effect == VDNN_TEST_FAILS ? -1 : result;
}

static int faulty_close(int file)
{
    int result = vdnn_system_default.close(file);
    atomic_fetch_sub(&files, result == 0);
    return given_back(VDNN_SYSTEM_CALL_close, result);
}

static int faulty_closedir(DIR *folder)
{
    int result = vdnn_system_default.closedir(folder);
    atomic_fetch_sub(&folders, result == 0);
    return given_back(VDNN_SYSTEM_CALL_closedir, result);
}

static int faulty_munmap(void *at, size_t bytes)
{
    int result = vdnn_system_default.munmap(at, bytes);
    if (result == 0)
        atomic_fetch_sub(&mappings, (long)bytes);
    return given_back(VDNN_SYSTEM_CALL_munmap, result);
}

static int faulty_munlock(const void *at, size_t bytes)
{
    return given_back(VDNN_SYSTEM_CALL_munlock, vdnn_system_default.munlock(at, bytes));
}

/* ---- memory and limits ----------------------------------------------------------------------- */

static void *faulty_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
    if (strikes(VDNN_SYSTEM_CALL_mmap, NULL) && fault.effect == VDNN_TEST_FAILS)
        return MAP_FAILED;
    void *block = vdnn_system_default.mmap(at, bytes, protection, flags, file, offset);
    if (block != MAP_FAILED && (flags & MAP_FIXED) == 0)
        atomic_fetch_add(&mappings, (long)bytes);
    return block;
}

static int faulty_getrlimit(__rlimit_resource_t what, struct rlimit *limit)
{
    if (strikes(VDNN_SYSTEM_CALL_getrlimit, NULL) && fault.effect == VDNN_TEST_FAILS)
        return -1;
    int result = vdnn_system_default.getrlimit(what, limit);
    if (fault.limit.given && fault.limit.what == (int)what)
        limit->rlim_cur = limit->rlim_max = fault.limit.bytes;
    return result;
}

static int faulty_statvfs(const char *path, struct statvfs *info)
{
    if (strikes(VDNN_SYSTEM_CALL_statvfs, path) && fault.effect == VDNN_TEST_FAILS)
        return -1;
    int result = vdnn_system_default.statvfs(path, info);
    if (result == 0 && fault.disk_bytes != 0) {
        info->f_frsize = 1;
        info->f_bavail = info->f_bfree = fault.disk_bytes;
    }
    return result;
}

/* ---- begin and end --------------------------------------------------------------------------- */

void vdnn_test_fault_begin(const vdnn_test_fault *wanted)
{
    static vdnn_system_hooks hooks = {
#define X(result, failure, name, parameters, arguments) .name = plain_##name,
        VDNN_SYSTEM_TABLE(X)
#undef X
    };
    hooks.open = faulty_open;
    hooks.opendir = faulty_opendir;
    hooks.rename = faulty_rename;
    hooks.unlink = faulty_unlink;
    hooks.rmdir = faulty_rmdir;
    hooks.stat = faulty_stat;
    hooks.access = faulty_access;
    hooks.read = faulty_read;
    hooks.pread = faulty_pread;
    hooks.write = faulty_write;
    hooks.pwrite = faulty_pwrite;
    hooks.send = faulty_send;
    hooks.recv = faulty_recv;
    hooks.memfd_create = faulty_memfd_create;
    hooks.eventfd = faulty_eventfd;
    hooks.socket = faulty_socket;
    hooks.accept4 = faulty_accept4;
    hooks.io_uring_setup = faulty_io_uring_setup;
    hooks.close = faulty_close;
    hooks.closedir = faulty_closedir;
    hooks.munmap = faulty_munmap;
    hooks.munlock = faulty_munlock;
    hooks.mmap = faulty_mmap;
    hooks.getrlimit = faulty_getrlimit;
    hooks.statvfs = faulty_statvfs;
    fault = *wanted;
    atomic_store(&counted, 0);
    atomic_store(&files, 0);
    atomic_store(&folders, 0);
    atomic_store(&mappings, 0);
    vdnn_system_set(&hooks);
}

size_t vdnn_test_fault_end(void)
{
    vdnn_system_set(NULL);
    return atomic_load(&counted);
}

vdnn_test_held vdnn_test_fault_held(void)
{
    return (vdnn_test_held){atomic_load(&files), atomic_load(&folders), atomic_load(&mappings)};
}

const char *vdnn_test_call_text(vdnn_system_call call)
{
    static const char *const names[] = {
#define X(result, failure, name, parameters, arguments) [VDNN_SYSTEM_CALL_##name] = #name,
        VDNN_SYSTEM_TABLE(X)
#undef X
    };
    return names[call];
}
