#ifndef VDNN_RUNTIME_COMM_WIRE_H
#define VDNN_RUNTIME_COMM_WIRE_H

/* Bytes between this rank and one other, both ways, in their order. Nothing here waits: what cannot
 * be done now moves no byte, and poll says when to try again.
 *
 * Invariant: after a failure no byte moves any more; what had arrived before can still be read.
 * Threads: one.
 *
 *     done += vdnn_wire_send(wire, bytes + done, count - done);
 *     const float *piece = vdnn_wire_peek(wire, &bytes);     // read where it lies
 *     vdnn_wire_drop(wire, bytes);
 *     done += vdnn_wire_take(wire, to + done, count - done); // copied
 *     if (nothing was moved)
 *         ... poll on wire->file for vdnn_wire_events(wire, has_more_to_send, expects_more)
 */

#include <stdbool.h>
#include <stddef.h>

typedef struct vdnn_wire {
    int file, error; /* errno's number of what broke it */
    char *buffer;    /* what has arrived: from begin to end */
    size_t begin, end;
} vdnn_wire;

/* On a socket, borrowed. False: no memory; then close does no harm. */
bool vdnn_wire_open(vdnn_wire *wire, int file);
void vdnn_wire_close(vdnn_wire *wire);

size_t vdnn_wire_send(vdnn_wire *wire, const void *bytes, size_t count);
const void *vdnn_wire_peek(vdnn_wire *wire, size_t *bytes);
void vdnn_wire_drop(vdnn_wire *wire, size_t bytes);
size_t vdnn_wire_take(vdnn_wire *wire, void *to, size_t most);

short vdnn_wire_events(const vdnn_wire *wire, bool to_send, bool to_receive);

#endif
