#include "runtime/base/system.h"

#include "runtime/base/numbers/denormals.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The C library has no functions for these two. */
static int io_uring_setup(unsigned entries, struct io_uring_params *parameters)
{
    return (int)syscall(SYS_io_uring_setup, entries, parameters);
}

static int io_uring_enter(int ring, unsigned submitted, unsigned least, unsigned flags)
{
    return (int)syscall(SYS_io_uring_enter, ring, submitted, least, flags, NULL, (size_t)0);
}

/* Calls whose result is a new descriptor. Where the program has closed one of its standard streams,
 * the system would give its number to a file of the library's, into which the program then prints.
 */
#define open(...) above_streams(open(__VA_ARGS__))
#define memfd_create(...) above_streams(memfd_create(__VA_ARGS__))
#define eventfd(...) above_streams(eventfd(__VA_ARGS__))
#define socket(...) above_streams(socket(__VA_ARGS__))
#define accept4(...) above_streams(accept4(__VA_ARGS__))
#define io_uring_setup(...) above_streams(io_uring_setup(__VA_ARGS__))

static int above_streams(int file)
{
    if (file < 0 || file > STDERR_FILENO)
        return file;
    const int kept = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), error = errno;
    (void)close(file);
    errno = error;
    return kept;
}

#define X(result, failure, name, parameters, arguments)                                            \
    static result system_##name parameters                                                         \
    {                                                                                              \
        return name arguments;                                                                     \
    }
VDNN_SYSTEM_TABLE(X)
#undef X

#undef open
#undef memfd_create
#undef eventfd
#undef socket
#undef accept4
#undef io_uring_setup

const vdnn_system_hooks vdnn_system_default = {
#define X(result, failure, name, parameters, arguments) .name = system_##name,
    VDNN_SYSTEM_TABLE(X)
#undef X
};

static const vdnn_system_hooks *_Atomic hooks = &vdnn_system_default;

void vdnn_system_set(const vdnn_system_hooks *fresh)
{
    atomic_store(&hooks, fresh == NULL ? &vdnn_system_default : fresh);
}

#define X(result, failure, name, parameters, arguments)                                            \
    result vdnn_system_##name parameters                                                           \
    {                                                                                              \
        return atomic_load_explicit(&hooks, memory_order_relaxed)->name arguments;                 \
    }
VDNN_SYSTEM_TABLE(X)
#undef X

int vdnn_system_start_thread(pthread_t *thread, void *(*run)(void *), void *argument)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    uint64_t denormals = vdnn_denormals_flush(); /* inherited, as the mask is */
    int error = vdnn_system_pthread_create(thread, NULL, run, argument);
    vdnn_denormals_restore(denormals);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

bool vdnn_system_read_text(const char *path, char *text, size_t size)
{
    int file = vdnn_system_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    size_t length = 0;
    ssize_t got = file < 0 ? -1 : 1;
    while (got > 0 && length < size - 1) {
        got = vdnn_system_read(file, text + length, size - 1 - length);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got > 0)
            length += (size_t)got;
    }
    if (file >= 0)
        (void)vdnn_system_close(file);
    text[length] = '\0';
    return got >= 0;
}

bool vdnn_system_read_number(const char *path, const char *key, size_t *value)
{
    enum { TEXT_BYTES = 8192 }; /* such a file is smaller, or has the value within that */
    char text[TEXT_BYTES];
    size_t length = strlen(key);
    if (!vdnn_system_read_text(path, text, sizeof text))
        return false;
    const char *line = text;
    while (line != NULL && strncmp(line, key, length) != 0) {
        line = strchr(line, '\n');
        line += line != NULL;
    }
    if (line == NULL)
        return false;
    line += length;
    line += strspn(line, " \t");
    if (*line < '0' || *line > '9')
        return false;
    *value = (size_t)strtoull(line, NULL, 10);
    return true;
}

void vdnn_system_own_folder(char folder[PATH_MAX])
{
    static const char here;
    Dl_info info;
    struct link_map *map = NULL;
    ssize_t length = -1;
    if (dladdr1(&here, &info, (void **)&map, RTLD_DL_LINKMAP) != 0 && map != NULL &&
        map->l_name[0] == '/')
        length = snprintf(folder, PATH_MAX, "%s", map->l_name);
    else
        length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    folder[length > 0 && length < PATH_MAX ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    *(slash == NULL ? folder : slash) = '\0';
}
