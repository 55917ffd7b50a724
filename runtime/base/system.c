#include "runtime/base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#define X(result, failure, name, parameters, arguments)                                            \
    static result system_##name parameters                                                         \
    {                                                                                              \
        return name arguments;                                                                     \
    }
VDNN_OUTSIDE_TABLE(X)
#undef X

const vdnn_outside_hooks vdnn_outside_system = {
#define X(result, failure, name, parameters, arguments) .name = system_##name,
    VDNN_OUTSIDE_TABLE(X)
#undef X
};

static const vdnn_outside_hooks *_Atomic hooks = &vdnn_outside_system;

void vdnn_outside_set(const vdnn_outside_hooks *fresh)
{
    atomic_store(&hooks, fresh == NULL ? &vdnn_outside_system : fresh);
}

#define X(result, failure, name, parameters, arguments)                                            \
    result vdnn_outside_##name parameters                                                          \
    {                                                                                              \
        return atomic_load_explicit(&hooks, memory_order_relaxed)->name arguments;                 \
    }
VDNN_OUTSIDE_TABLE(X)
#undef X

int vdnn_outside_start_thread(pthread_t *thread, void *(*run)(void *), void *argument)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = vdnn_outside_pthread_create(thread, NULL, run, argument);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

bool vdnn_outside_read_text(const char *path, char *text, size_t size)
{
    int file = vdnn_outside_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    size_t length = 0;
    ssize_t got = file < 0 ? -1 : 1;
    while (got > 0 && length < size - 1) {
        got = vdnn_outside_read(file, text + length, size - 1 - length);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got > 0)
            length += (size_t)got;
    }
    if (file >= 0)
        (void)vdnn_outside_close(file);
    text[length] = '\0';
    return got >= 0;
}
