#include "runtime/comm/tcp/ring.h"

#include <string.h>

/* Published at a time, so that the other one reads while this one writes. */
enum { PUT_BYTES = 32 * 1024 };

void vdnn_ring_init(vdnn_ring *ring, size_t bytes)
{
    ring->bytes = bytes;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* One that waits is woken once. The order of all these operations is one and the same for both
 * processes, so that either this one sees that the other waits, or that one sees the bytes. */
static bool clear(atomic_bool *waits)
{
    return atomic_load(waits) && atomic_exchange(waits, false);
}

size_t vdnn_ring_put(vdnn_ring *ring, const void *bytes, size_t count, bool *wake)
{
    const char *from = bytes;
    uint64_t put = atomic_load_explicit(&ring->put, memory_order_relaxed);
    size_t done = 0;
    *wake = false;
    for (;;) {
        const size_t space = ring->bytes - (size_t)(put - atomic_load(&ring->taken)),
                     at = (size_t)(put % ring->bytes),
                     piece = least(least(space, ring->bytes - at), least(count - done, PUT_BYTES));
        if (piece == 0)
            return done;
        memcpy(ring->data + at, from + done, piece);
        done += piece;
        put += piece;
        atomic_store(&ring->put, put);
        *wake |= clear(&ring->reader_waits);
    }
}

const void *vdnn_ring_peek(vdnn_ring *ring, size_t *bytes)
{
    const uint64_t taken = atomic_load_explicit(&ring->taken, memory_order_relaxed);
    const size_t here = (size_t)(atomic_load(&ring->put) - taken),
                 at = (size_t)(taken % ring->bytes);
    *bytes = least(here, ring->bytes - at);
    return ring->data + at;
}

bool vdnn_ring_drop(vdnn_ring *ring, size_t bytes)
{
    if (bytes == 0)
        return false;
    atomic_store(&ring->taken, atomic_load_explicit(&ring->taken, memory_order_relaxed) + bytes);
    return clear(&ring->writer_waits);
}

bool vdnn_ring_wait_to_read(vdnn_ring *ring)
{
    atomic_store(&ring->reader_waits, true);
    return atomic_load(&ring->put) == atomic_load(&ring->taken);
}

bool vdnn_ring_wait_to_write(vdnn_ring *ring)
{
    atomic_store(&ring->writer_waits, true);
    return atomic_load(&ring->put) - atomic_load(&ring->taken) == ring->bytes;
}
