#ifndef VDNN_RUNTIME_COMM_MESH_H
#define VDNN_RUNTIME_COMM_MESH_H

// clang-format off
/* Connections of every rank with every other one, several with each: its *channels*. All ranks come
 * to rank 0, which tells each of them where the others listen:
 *
 *     rank 0     listens at the world's address; waits for all; sends the table of places
 *     rank 1     comes to 0; reads the table;                      waits for the ranks above it
 *     rank 2     comes to 0; reads the table; comes to 1;          waits for the ranks above it
 *
 * Invariant: who does not know the secret, speaks another version, or says nothing, is turned away
 * with one line of the log, and keeps nobody waiting: many are attended to at a time. A rank that
 * does not come within the world's peer_timeout is named to all that came.
 * Threads: one; afterwards each socket by one.
 *
 *     status = vdnn_mesh_open(&world, CHANNELS, &mesh);
 *     vdnn_socket_send(mesh->peers[rank].sockets[channel], ...);   // none for this rank
 *     vdnn_mesh_close(mesh);
 */
// clang-format on

#include "runtime/base/status.h"
#include "runtime/comm/handshake.h"
#include "runtime/comm/sockets.h"
#include "runtime/comm/world.h"

enum { VDNN_MESH_MOST_CHANNELS = 6, VDNN_MESH_NO_SOCKET = -1 };

typedef struct vdnn_peer {
    char host[VDNN_HANDSHAKE_HOST_BYTES];
    int32_t process; /* on that host */
    int sockets[VDNN_MESH_MOST_CHANNELS];
} vdnn_peer;

typedef struct vdnn_mesh {
    int32_t rank, ranks, channels;
    vdnn_peer *peers; /* by rank */
} vdnn_mesh;

/* VDNN_USAGE: the address cannot be used, another secret, version or number of ranks, a rank that
 * two processes claim. VDNN_PEER: a rank that did not come in time. */
vdnn_status vdnn_mesh_open(const vdnn_world *world, int32_t channels, vdnn_mesh **mesh);
/* Accepts NULL. Closes the sockets that are left. */
void vdnn_mesh_close(vdnn_mesh *mesh);

#endif
