/* The calls of MPI, compiled against one implementation's header: no part of the library. */

#include "runtime/comm/mpi/plugin.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(MPI_Request) <= sizeof(vdnn_mpi_request), "a handle has room");

extern const vdnn_mpi_calls vdnn_mpi_plugin;

static MPI_Comm world; /* the library's own */
static bool is_connected, was_begun;

static int mpi_begin(vdnn_mpi_facts *facts)
{
    int has_begun, level;
    int code = MPI_Initialized(&has_begun);
    was_begun = has_begun != 0;
    if (code == MPI_SUCCESS && !was_begun)
        code = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level);
    else if (code == MPI_SUCCESS)
        code = MPI_Query_thread(&level);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_rank(MPI_COMM_WORLD, &facts->rank);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_size(MPI_COMM_WORLD, &facts->ranks);
    if (code != MPI_SUCCESS)
        return code;
    facts->serves_threads = level >= MPI_THREAD_SERIALIZED;
    facts->was_begun = was_begun;
    return 0;
}

static int mpi_connect(void)
{
    int code = MPI_Comm_dup(MPI_COMM_WORLD, &world);
    is_connected = code == MPI_SUCCESS;
    return is_connected ? MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN) : code;
}

static void keep(vdnn_mpi_request *request, MPI_Request handle)
{
    memcpy(request, &handle, sizeof handle);
}

static MPI_Request kept(const vdnn_mpi_request *request)
{
    MPI_Request handle;
    memcpy(&handle, request, sizeof handle);
    return handle;
}

static int mpi_send(int tag, const void *from, int bytes, int rank, vdnn_mpi_request *request)
{
    MPI_Request handle = MPI_REQUEST_NULL;
    int code = MPI_Isend(from, bytes, MPI_BYTE, rank, tag, world, &handle);
    keep(request, handle); /* NOLINT(clang-analyzer-optin.mpi.MPI-Checker): mpi_test waits */
    return code;
}

static int mpi_receive(int tag, void *to, int bytes, int rank, vdnn_mpi_request *request)
{
    MPI_Request handle = MPI_REQUEST_NULL;
    int code = MPI_Irecv(to, bytes, MPI_BYTE, rank, tag, world, &handle);
    keep(request, handle); /* NOLINT(clang-analyzer-optin.mpi.MPI-Checker): mpi_test waits */
    return code;
}

static int mpi_test(vdnn_mpi_request *request, bool *done)
{
    MPI_Request handle = kept(request);
    int flag = 0;
    int code = MPI_Test(&handle, &flag, MPI_STATUS_IGNORE);
    keep(request, handle);
    *done = flag != 0;
    return code;
}

static int mpi_cancel(vdnn_mpi_request *request)
{
    MPI_Request handle = kept(request);
    return MPI_Cancel(&handle);
}

static int mpi_probe(int tag, bool *found, int *rank)
{
    int flag = 0;
    MPI_Status status;
    int code = MPI_Iprobe(MPI_ANY_SOURCE, tag, world, &flag, &status);
    *found = flag != 0;
    if (code == MPI_SUCCESS && flag != 0)
        *rank = status.MPI_SOURCE;
    return code;
}

static int mpi_end(bool in_good_order)
{
    if (!in_good_order)
        return 0;
    int code = is_connected ? MPI_Comm_free(&world) : MPI_SUCCESS;
    is_connected = false;
    if (code == MPI_SUCCESS && !was_begun)
        code = MPI_Finalize();
    return code;
}

static void mpi_explain(int code, char text[VDNN_MPI_TEXT_BYTES])
{
    char whole[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (MPI_Error_string(code, whole, &length) != MPI_SUCCESS)
        (void)snprintf(whole, sizeof whole, "error %d", code);
    (void)snprintf(text, VDNN_MPI_TEXT_BYTES, "%.*s", VDNN_MPI_TEXT_BYTES - 1, whole);
}

__attribute__((visibility("default"))) const vdnn_mpi_calls vdnn_mpi_plugin = {
    .version = VDNN_MPI_PLUGIN_VERSION,
    .begin = mpi_begin,
    .connect = mpi_connect,
    .send = mpi_send,
    .receive = mpi_receive,
    .test = mpi_test,
    .cancel = mpi_cancel,
    .probe = mpi_probe,
    .end = mpi_end,
    .explain = mpi_explain,
};
