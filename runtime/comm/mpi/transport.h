#ifndef VDNN_RUNTIME_COMM_MPI_TRANSPORT_H
#define VDNN_RUNTIME_COMM_MPI_TRANSPORT_H

/* The transport over MPI, whichever implementation it is.
 *
 * Invariant: no call waits within MPI for another rank, but join and close: a rank asks whether its
 * messages have arrived, and between two questions whether a rank has left.
 * Threads: as in group.h; MPI is called by one at a time.
 *
 *     status = vdnn_mpi_load("openmpi", "Open MPI", &calls);
 *     status = vdnn_mpi_join(calls, world, &state);   // the row's join does both
 */

#include "runtime/comm/group.h"
#include "runtime/comm/mpi/plugin.h"
#include "runtime/comm/world.h"

/* Loads an implementation's plug-in, once for the process. VDNN_DEVICE with what was tried. */
vdnn_status vdnn_mpi_load(const char *name, const char *title, const vdnn_mpi_calls **calls);

/* VDNN_USAGE where MPI knows of another rank or number of ranks than the world, VDNN_PEER where a
 * call of MPI fails, VDNN_NO_MEMORY. */
vdnn_status vdnn_mpi_join(const vdnn_mpi_calls *calls, const vdnn_world *world, void **state);

/* The other functions of a row. */
vdnn_status vdnn_mpi_reduce_scatter(void *state, float *values, size_t count,
                                    vdnn_shard_rule *rule);
vdnn_status vdnn_mpi_all_gather(void *state, float *values, size_t count, vdnn_shard_rule *rule);
vdnn_status vdnn_mpi_send(void *state, int32_t to, const void *bytes, size_t count);
vdnn_status vdnn_mpi_receive(void *state, int32_t from, void *bytes, size_t count);
vdnn_status vdnn_mpi_exchange(void *state, vdnn_lane lane, const void *own, size_t bytes,
                              void *all);
vdnn_status vdnn_mpi_check(void *state, const char *missed);
void vdnn_mpi_leave(void *state, vdnn_status status, const char *why);
void vdnn_mpi_close(void *state);

#endif
