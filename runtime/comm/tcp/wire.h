#ifndef VDNN_RUNTIME_COMM_TCP_WIRE_H
#define VDNN_RUNTIME_COMM_TCP_WIRE_H

/* Bytes between this rank and one other, both ways, in their order: through a socket, or through
 * memory that both processes share, where the socket only wakes the other one. Nothing here waits:
 * what cannot be done now moves no byte, and poll says when to try again.
 *
 * Invariant: after a failure no byte is sent any more; what had arrived before can still be read.
 * Threads: one.
 *
 *     done += vdnn_wire_send(wire, bytes + done, count - done);
 *     const float *piece = vdnn_wire_peek(wire, &bytes);     // read where it lies
 *     vdnn_wire_drop(wire, bytes);
 *     done += vdnn_wire_take(wire, to + done, count - done); // copied
 *     if (nothing was moved && vdnn_wire_prepare(wire, has_more_to_send, expects_more, &entry))
 *         ... poll, then vdnn_wire_wake(wire, entry.revents)
 */

#include "runtime/comm/tcp/ring.h"

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct vdnn_wire_kind vdnn_wire_kind;

typedef struct vdnn_wire {
    const vdnn_wire_kind *kind;
    int file, error;     /* errno's number of what broke it */
    vdnn_ring *in, *out; /* of shared memory; borrowed, as the file */
    char *buffer;        /* of a socket: what has arrived, from begin to end */
    size_t begin, end;
} vdnn_wire;

/* False: no memory; then close does no harm. */
bool vdnn_wire_open_socket(vdnn_wire *wire, int file);
void vdnn_wire_open_rings(vdnn_wire *wire, int file, vdnn_ring *in, vdnn_ring *out);
void vdnn_wire_close(vdnn_wire *wire);

/* How many bytes were moved. */
size_t vdnn_wire_send(vdnn_wire *wire, const void *bytes, size_t count);
size_t vdnn_wire_take(vdnn_wire *wire, void *to, size_t most);
/* What lies there in one piece, and may be more later; dropped in multiples of what aligns it. */
const void *vdnn_wire_peek(vdnn_wire *wire, size_t *bytes);
void vdnn_wire_drop(vdnn_wire *wire, size_t bytes);

/* The entry for poll, with which it waits until bytes can be moved. False: they can already. */
bool vdnn_wire_prepare(vdnn_wire *wire, bool to_send, bool to_receive, struct pollfd *entry);
void vdnn_wire_wake(vdnn_wire *wire, short events);

#endif
