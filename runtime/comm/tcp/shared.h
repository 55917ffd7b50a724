#ifndef VDNN_RUNTIME_COMM_TCP_SHARED_H
#define VDNN_RUNTIME_COMM_TCP_SHARED_H

// clang-format off
/* Memory that the ranks of one host share: each has a file without a name, with a ring to every
 * other rank, which those that can open and map.
 *
 *     rank 1's file:  | token | ring 1 -> 0 | (ring 1 -> 1) | ring 1 -> 2 |
 *
 * Two ranks share memory if each finds the other's token in what it mapped: so neither the name of
 * a host, nor a container, nor rights are guessed at. Any other two use their socket.
 *
 * Invariant: the files have no name in any folder and are closed before open returns: nothing is
 * left, however the processes end.
 * Threads: one; then the rings by one each.
 *
 *     status = vdnn_shared_open(&world, mesh, channel, &shared);
 *     if (shared->in[rank] != NULL)
 *         ... shared->in[rank] and shared->out[rank]
 *     vdnn_shared_close(shared);
 */
// clang-format on

#include "runtime/base/status.h"
#include "runtime/comm/mesh.h"
#include "runtime/comm/tcp/ring.h"

typedef struct vdnn_shared {
    int32_t rank, ranks;
    size_t ring_bytes, bytes; /* of a ring's data; of a file */
    char **files;             /* by rank: where its file is mapped; NULL: it is not */
    vdnn_ring **in, **out;    /* by rank; both or none */
} vdnn_shared;

/* All ranks call it, on that channel of the mesh. VDNN_NO_MEMORY; VDNN_PEER: a rank was lost. Where
 * no memory can be shared there are no rings. */
vdnn_status vdnn_shared_open(const vdnn_world *world, vdnn_mesh *mesh, int32_t channel,
                             vdnn_shared **shared);
/* Accepts NULL. */
void vdnn_shared_close(vdnn_shared *shared);

#endif
