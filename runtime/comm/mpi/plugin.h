#ifndef VDNN_RUNTIME_COMM_MPI_PLUGIN_H
#define VDNN_RUNTIME_COMM_MPI_PLUGIN_H

/* What the library needs of MPI, without a type of it: implementations of MPI differ in their
 * binary interface, so plugin.c is compiled once for each of them, into a separate plug-in, which
 * is loaded when a launcher of that implementation started the program.
 *
 * Invariant: messages are apart from those that the program itself sends by MPI; those between two
 * ranks with one tag arrive in the order in which they were sent. Only `begin`, `connect` and `end`
 * wait for other ranks.
 * Threads: any, one at a time.
 *
 *     const vdnn_mpi_calls *mpi = dlsym(plugin, VDNN_MPI_PLUGIN_SYMBOL);
 *     if ((code = mpi->begin(&facts)) != 0) mpi->explain(code, text);
 *     code = mpi->connect();
 *     code = mpi->send(tag, values, bytes, 2, &request);
 *     while ((code = mpi->test(&request, &done)) == 0 && !done) ...
 *     code = mpi->end(true);
 */

#include <stdbool.h>

#define VDNN_MPI_PLUGIN_SYMBOL "vdnn_mpi_plugin"

/* Changes with the table. */
enum { VDNN_MPI_PLUGIN_VERSION = 1, VDNN_MPI_TEXT_BYTES = 512 };

typedef struct vdnn_mpi_facts {
    int rank, ranks;
    bool serves_threads; /* any may call, one at a time */
    bool was_begun;      /* by the program, which also ends it */
} vdnn_mpi_facts;

/* The implementation's handle of a message on its way. */
typedef struct vdnn_mpi_request {
    void *handle;
} vdnn_mpi_request;

/* All return 0, or a code of MPI. */
typedef struct vdnn_mpi_calls {
    int version;
    int (*begin)(vdnn_mpi_facts *facts);
    int (*connect)(void); /* before the first message; all ranks */
    int (*send)(int tag, const void *from, int bytes, int rank, vdnn_mpi_request *request);
    int (*receive)(int tag, void *to, int bytes, int rank, vdnn_mpi_request *request);
    int (*test)(vdnn_mpi_request *request, bool *done);
    int (*cancel)(vdnn_mpi_request *request);      /* of a receive; it is done soon */
    int (*probe)(int tag, bool *found, int *rank); /* from whom a message can be received */
    /* Ends MPI where `begin` began it; in good order: all ranks do, which is waited for. */
    int (*end)(bool in_good_order);
    void (*explain)(int code, char text[VDNN_MPI_TEXT_BYTES]);
} vdnn_mpi_calls;

#endif
