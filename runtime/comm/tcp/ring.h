#ifndef VDNN_RUNTIME_COMM_TCP_RING_H
#define VDNN_RUNTIME_COMM_TCP_RING_H

// clang-format off
/* A ring of bytes in memory that two processes share, from one that writes to one that reads:
 *
 *      |..........|####### written, not yet read #######|..............|
 *                 ^ taken % bytes                       ^ put % bytes
 *
 * Invariant: taken <= put <= taken + bytes; both only grow. One that says it waits is woken after
 * the next byte that moves, by the other one.
 * Threads: one that writes and one that reads, of any process.
 *
 *     size_t put = vdnn_ring_put(ring, bytes, count);        // what there is space for
 *     const void *at = vdnn_ring_peek(ring, &bytes);         // what lies there in one piece
 *     if (vdnn_ring_drop(ring, bytes))
 *         ... wake the one that writes
 */
// clang-format on

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VDNN_RING_LINE = 64 };

typedef struct vdnn_ring {
    _Alignas(VDNN_RING_LINE) _Atomic uint64_t put; /* by the one that writes */
    _Alignas(VDNN_RING_LINE) _Atomic uint64_t taken;
    _Alignas(VDNN_RING_LINE) atomic_bool reader_waits;
    atomic_bool writer_waits;
    uint64_t bytes; /* a multiple of a line */
    _Alignas(VDNN_RING_LINE) char data[];
} vdnn_ring;

static inline size_t vdnn_ring_size(size_t bytes)
{
    return sizeof(vdnn_ring) + bytes;
}

/* Makes an empty ring in zeroed memory. */
void vdnn_ring_init(vdnn_ring *ring, size_t bytes);

/* How many were written; *wake: the one that reads waits. */
size_t vdnn_ring_put(vdnn_ring *ring, const void *bytes, size_t count, bool *wake);
const void *vdnn_ring_peek(vdnn_ring *ring, size_t *bytes);
/* True: the one that writes waits. */
bool vdnn_ring_drop(vdnn_ring *ring, size_t bytes);

/* Says that it will wait; false, and it does not, where there is something to do already. */
bool vdnn_ring_wait_to_read(vdnn_ring *ring);
bool vdnn_ring_wait_to_write(vdnn_ring *ring);

#endif
