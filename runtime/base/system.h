#ifndef VDNN_RUNTIME_BASE_SYSTEM_H
#define VDNN_RUNTIME_BASE_SYSTEM_H

/* The operating system: files, folders, mapped memory, sockets, limits, threads. The library makes
 * all system calls through here, and tests install hooks that make the n-th call fail, be short or
 * end the process, and that simulate another machine (tests/support/faults.h).
 *
 * Invariant: no other file of the library calls the functions in the table (tools/lint.sh checks
 * it); errno and results are those of the system's calls of the same names.
 * Threads: any; hooks are set while no thread of the library runs.
 *
 *     int file = vdnn_system_open(path, O_RDONLY | O_CLOEXEC, 0);
 *     ssize_t got = vdnn_system_pread(file, bytes, count, offset);   // may be short, or EINTR
 *     (void)vdnn_system_close(file);
 *     status = vdnn_input_read(path, most_bytes, &bytes, &count);     // a whole file: input.h
 *     status = vdnn_output_create(path, &output);                     // to write one: output.h
 */

#include <dirent.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>

struct io_uring_params; /* linux/io_uring.h */

/* result, its value on failure, name, parameters, arguments. Failures set errno, except for
 * pthread_create, which returns the error. */
#define VDNN_SYSTEM_TABLE(X)                                                                       \
    X(int, -1, open, (const char *path, int flags, mode_t mode), (path, flags, mode))              \
    X(int, -1, close, (int file), (file))                                                          \
    X(ssize_t, -1, read, (int file, void *to, size_t bytes), (file, to, bytes))                    \
    X(ssize_t, -1, pread, (int file, void *to, size_t bytes, off_t at), (file, to, bytes, at))     \
    X(ssize_t, -1, write, (int file, const void *from, size_t bytes), (file, from, bytes))         \
    X(ssize_t, -1, pwrite, (int file, const void *from, size_t bytes, off_t at),                   \
      (file, from, bytes, at))                                                                     \
    X(int, -1, fallocate, (int file, int mode, off_t at, off_t bytes), (file, mode, at, bytes))    \
    X(int, -1, io_uring_setup, (unsigned entries, struct io_uring_params *parameters),             \
      (entries, parameters))                                                                       \
    X(int, -1, io_uring_enter, (int ring, unsigned submitted, unsigned least, unsigned flags),     \
      (ring, submitted, least, flags))                                                             \
    X(int, -1, fsync, (int file), (file))                                                          \
    X(int, -1, flock, (int file, int operation), (file, operation))                                \
    X(int, -1, rename, (const char *from, const char *to), (from, to))                             \
    X(int, -1, unlink, (const char *path), (path))                                                 \
    X(int, -1, symlink, (const char *to, const char *path), (to, path))                            \
    X(ssize_t, -1, readlink, (const char *path, char *to, size_t bytes), (path, to, bytes))        \
    X(int, -1, mkdir, (const char *path, mode_t mode), (path, mode))                               \
    X(int, -1, rmdir, (const char *path), (path))                                                  \
    X(DIR *, NULL, opendir, (const char *path), (path))                                            \
    X(struct dirent *, NULL, readdir, (DIR * folder), (folder))                                    \
    X(int, -1, closedir, (DIR * folder), (folder))                                                 \
    X(int, -1, stat, (const char *path, struct stat *info), (path, info))                          \
    X(int, -1, lstat, (const char *path, struct stat *info), (path, info))                         \
    X(int, -1, fstat, (int file, struct stat *info), (file, info))                                 \
    X(int, -1, access, (const char *path, int mode), (path, mode))                                 \
    X(char *, NULL, realpath, (const char *path, char *resolved), (path, resolved))                \
    X(int, -1, statvfs, (const char *path, struct statvfs *info), (path, info))                    \
    X(int, -1, getrlimit, (__rlimit_resource_t what, struct rlimit * limit), (what, limit))        \
    X(void *, MAP_FAILED, mmap,                                                                    \
      (void *at, size_t bytes, int protection, int flags, int file, off_t offset),                 \
      (at, bytes, protection, flags, file, offset))                                                \
    X(int, -1, munmap, (void *at, size_t bytes), (at, bytes))                                      \
    X(int, -1, mprotect, (void *at, size_t bytes, int protection), (at, bytes, protection))        \
    X(int, -1, madvise, (void *at, size_t bytes, int advice), (at, bytes, advice))                 \
    X(int, -1, mlock, (const void *at, size_t bytes), (at, bytes))                                 \
    X(int, -1, munlock, (const void *at, size_t bytes), (at, bytes))                               \
    X(int, -1, memfd_create, (const char *name, unsigned flags), (name, flags))                    \
    X(int, -1, eventfd, (unsigned count, int flags), (count, flags))                               \
    X(ssize_t, -1, getrandom, (void *to, size_t bytes, unsigned flags), (to, bytes, flags))        \
    X(int, -1, socket, (int family, int kind, int protocol), (family, kind, protocol))             \
    X(int, -1, setsockopt, (int file, int level, int option, const void *value, socklen_t bytes),  \
      (file, level, option, value, bytes))                                                         \
    X(int, -1, bind, (int file, const struct sockaddr *address, socklen_t bytes),                  \
      (file, address, bytes))                                                                      \
    X(int, -1, listen, (int file, int backlog), (file, backlog))                                   \
    X(int, -1, accept4, (int file, struct sockaddr *address, socklen_t *bytes, int flags),         \
      (file, address, bytes, flags))                                                               \
    X(int, -1, connect, (int file, const struct sockaddr *address, socklen_t bytes),               \
      (file, address, bytes))                                                                      \
    X(int, -1, getsockname, (int file, struct sockaddr *address, socklen_t *bytes),                \
      (file, address, bytes))                                                                      \
    X(int, -1, getsockopt, (int file, int level, int option, void *value, socklen_t *bytes),       \
      (file, level, option, value, bytes))                                                         \
    X(ssize_t, -1, send, (int file, const void *from, size_t bytes, int flags),                    \
      (file, from, bytes, flags))                                                                  \
    X(ssize_t, -1, recv, (int file, void *to, size_t bytes, int flags), (file, to, bytes, flags))  \
    X(int, -1, poll, (struct pollfd * set, nfds_t count, int milliseconds),                        \
      (set, count, milliseconds))                                                                  \
    X(int, errno, pthread_create,                                                                  \
      (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *),                 \
       void *argument),                                                                            \
      (thread, attributes, run, argument))

typedef enum vdnn_system_call {
#define X(result, failure, name, parameters, arguments) VDNN_SYSTEM_CALL_##name,
    VDNN_SYSTEM_TABLE(X)
#undef X
        VDNN_SYSTEM_CALL_COUNT
} vdnn_system_call;

typedef struct vdnn_system_hooks {
#define X(result, failure, name, parameters, arguments) result(*name) parameters;
    VDNN_SYSTEM_TABLE(X)
#undef X
} vdnn_system_hooks;

#define X(result, failure, name, parameters, arguments) result vdnn_system_##name parameters;
VDNN_SYSTEM_TABLE(X)
#undef X

/* The system's own calls. */
extern const vdnn_system_hooks vdnn_system_default;

/* Replaces the system's calls from now on; NULL: restores them. Borrowed. For tests. */
void vdnn_system_set(const vdnn_system_hooks *fresh);

/* Starts a thread that blocks all signals, which are for the program's threads, and takes denormal
 * numbers as zero (runtime/base/numbers/denormals.h). 0, or the error. */
int vdnn_system_start_thread(pthread_t *thread, void *(*run)(void *), void *argument);

/* Reads a small file (of /proc, of /sys) up to the size of `text`, which is NUL-terminated. False,
 * without a message, if it cannot be read. */
bool vdnn_system_read_text(const char *path, char *text, size_t size);

/* The number after `key` and blanks at the start of a line of such a file; false if there is none,
 * as in "max", or a negative one. */
bool vdnn_system_read_number(const char *path, const char *key, size_t *value);

/* The folder of the file that holds the library's code: the shared library, or a program that
 * contains it. Empty: unknown. */
void vdnn_system_own_folder(char folder[PATH_MAX]);

#endif
