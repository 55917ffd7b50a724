/* The plug-ins: one row of transports for each implementation of MPI. */

#include "runtime/base/system.h"
#include "runtime/base/text.h"
#include "runtime/comm/mpi/transport.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#ifndef VDNN_LIBDIR
#define VDNN_LIBDIR "/usr/local/lib/vdnn"
#endif

/* Seen from bin/ or lib/ of an installation, and from build/bin; from build/CONFIG/bin; from the
 * tests. The last resort is the loader's own path. */
static const char *const beside[] = {"../lib/vdnn", "../../lib/vdnn", "../../../lib/vdnn"};

/* An absolute path if the file is there. */
static bool find_file(const char *file, char path[PATH_MAX])
{
    char folder[PATH_MAX];
    vdnn_system_own_folder(folder);
    for (size_t i = 0; folder[0] != '\0' && i < sizeof beside / sizeof *beside; i++) {
        const int length = snprintf(path, PATH_MAX, "%s/%s/%s", folder, beside[i], file);
        if (length < PATH_MAX && vdnn_system_access(path, R_OK) == 0)
            return true;
    }
    (void)snprintf(path, PATH_MAX, "%s/%s", VDNN_LIBDIR, file);
    return vdnn_system_access(path, R_OK) == 0;
}

vdnn_status vdnn_mpi_load(const char *name, const char *title, const vdnn_mpi_calls **calls)
{
    char file[64], path[PATH_MAX];
    (void)snprintf(file, sizeof file, "libvdnn-mpi-%s.so", name);
    /* Global: implementations load further parts, which look for its functions. Never closed:
     * those parts have threads and handlers that stay. */
    void *plugin = dlopen(find_file(file, path) ? path : file, RTLD_NOW | RTLD_GLOBAL);
    if (plugin == NULL)
        return vdnn_status_fail(
            VDNN_DEVICE,
            "the program was started by %s, and what joins vdnn to it cannot be loaded: %s "
            "(it is built where %s's compiler, mpicc.%s, is installed)",
            title, dlerror(), title, name);
    const vdnn_mpi_calls *found = dlsym(plugin, VDNN_MPI_PLUGIN_SYMBOL);
    if (found == NULL || found->version != VDNN_MPI_PLUGIN_VERSION)
        return vdnn_status_fail(VDNN_DEVICE, "%s is of another version of vdnn", file);
    *calls = found;
    return VDNN_OK;
}

#define ROW(symbol, file, title)                                                                   \
    static vdnn_status join_##symbol(const vdnn_world *world, void **state)                        \
    {                                                                                              \
        const vdnn_mpi_calls *calls;                                                               \
        vdnn_status status = vdnn_mpi_load(file, title, &calls);                                   \
        return status == VDNN_OK ? vdnn_mpi_join(calls, world, state) : status;                    \
    }                                                                                              \
    const vdnn_transport vdnn_transport_##symbol = {.name = file,                                  \
                                                    .join = join_##symbol,                         \
                                                    .reduce_scatter = vdnn_mpi_reduce_scatter,     \
                                                    .all_gather = vdnn_mpi_all_gather,             \
                                                    .send = vdnn_mpi_send,                         \
                                                    .receive = vdnn_mpi_receive,                   \
                                                    .exchange = vdnn_mpi_exchange,                 \
                                                    .check = vdnn_mpi_check,                       \
                                                    .leave = vdnn_mpi_leave,                       \
                                                    .close = vdnn_mpi_close};

ROW(openmpi, "openmpi", "Open MPI")
ROW(mpich, "mpich", "MPICH")
