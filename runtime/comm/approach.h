#ifndef VDNN_RUNTIME_COMM_APPROACH_H
#define VDNN_RUNTIME_COMM_APPROACH_H

// clang-format off
/* The part of a mesh that comes: reaches another rank at one of the addresses of its name.
 *
 *     address 0   connects ..................................... nothing answers
 *     address 1        connects  x refused   connects  greeting: this is the one
 *     address 2             connects ...
 *                 0.25 s apart, each again and again
 *
 * Invariant: an address that does not answer, or at which someone else does, keeps no other one
 * waiting; a signal ends it within a fraction of a second.
 * Threads: the one that calls the session.
 *
 *     const vdnn_approach ask = {&world, rank, all, count, until, VDNN_MESH_NO_SOCKET};
 *     status = vdnn_approach_reach(&ask, &file, &greeting, &which);
 *     error = vdnn_approach_receive(&world, file, &answer, sizeof answer, until);
 */
// clang-format on

#include "runtime/comm/handshake.h"
#include "runtime/comm/sockets.h"
#include "runtime/comm/world.h"

typedef struct vdnn_approach {
    const vdnn_world *world; /* borrowed, as the addresses */
    int32_t rank;            /* the one that should be there */
    const vdnn_endpoint *all;
    int32_t count;
    double until;
    int rank_0; /* the connection to it: once that breaks there is no run. None: -1 */
} vdnn_approach;

/* VDNN_PEER names each address and what became of it; VDNN_USAGE where all that answer are others:
 * no process of vdnn, another version, another rank. */
vdnn_status vdnn_approach_reach(const vdnn_approach *ask, int *file, vdnn_greeting *greeting,
                                int32_t *which);

/* As vdnn_socket_receive, but EINTR once the program wants the run to end. */
int vdnn_approach_receive(const vdnn_world *world, int file, void *bytes, size_t count,
                          double until);

/* VDNN_OK, or the status of the signal that ends the run while the ranks meet. */
vdnn_status vdnn_approach_interrupted(const vdnn_world *world);
/* The deadline, or sooner: when to look for signals next. */
double vdnn_approach_pause(double until);

#endif
