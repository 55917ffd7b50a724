#include "runtime/comm/tcp/wire.h"

#include "runtime/base/heap.h"
#include "runtime/comm/sockets.h"

#include <string.h>

enum { BUFFER_BYTES = 256 * 1024, RUNG_BYTES = 64 };

struct vdnn_wire_kind {
    size_t (*send)(vdnn_wire *wire, const void *bytes, size_t count);
    size_t (*take)(vdnn_wire *wire, void *to, size_t most);
    const void *(*peek)(vdnn_wire *wire, size_t *bytes);
    void (*drop)(vdnn_wire *wire, size_t bytes);
    bool (*prepare)(vdnn_wire *wire, bool to_send, bool to_receive, struct pollfd *entry);
    void (*wake)(vdnn_wire *wire, short events);
};

/* ---- sockets --------------------------------------------------------------------------------- */

static size_t socket_send(vdnn_wire *wire, const void *bytes, size_t count)
{
    size_t sent = 0;
    if (wire->error == 0 && count > 0)
        wire->error = vdnn_socket_send_some(wire->file, bytes, count, &sent);
    return sent;
}

static size_t receive(vdnn_wire *wire, void *to, size_t most)
{
    size_t received = 0;
    if (wire->error == 0 && most > 0)
        wire->error = vdnn_socket_receive_some(wire->file, to, most, &received);
    return received;
}

static size_t socket_take(vdnn_wire *wire, void *to, size_t most)
{
    const size_t here = wire->end - wire->begin, taken = here < most ? here : most;
    if (taken > 0)
        memcpy(to, wire->buffer + wire->begin, taken);
    wire->begin += taken;
    return taken + receive(wire, (char *)to + taken, most - taken);
}

static const void *socket_peek(vdnn_wire *wire, size_t *bytes)
{
    if (wire->begin == wire->end)
        wire->begin = wire->end = 0;
    if (wire->end == BUFFER_BYTES && wire->begin > BUFFER_BYTES / 2) {
        memmove(wire->buffer, wire->buffer + wire->begin, wire->end - wire->begin);
        wire->end -= wire->begin;
        wire->begin = 0;
    }
    wire->end += receive(wire, wire->buffer + wire->end, BUFFER_BYTES - wire->end);
    *bytes = wire->end - wire->begin;
    return wire->buffer + wire->begin;
}

static void socket_drop(vdnn_wire *wire, size_t bytes)
{
    wire->begin += bytes;
}

static bool socket_prepare(vdnn_wire *wire, bool to_send, bool to_receive, struct pollfd *entry)
{
    entry->fd = wire->file;
    entry->events = (short)((to_send ? POLLOUT : 0) | (to_receive ? POLLIN : 0));
    return true;
}

static void socket_wake(vdnn_wire *wire, short events)
{
    (void)wire;
    (void)events;
}

static const vdnn_wire_kind socket_kind = {.send = socket_send,
                                           .take = socket_take,
                                           .peek = socket_peek,
                                           .drop = socket_drop,
                                           .prepare = socket_prepare,
                                           .wake = socket_wake};

/* ---- shared memory --------------------------------------------------------------------------- */

/* A byte of the socket, which says nothing but that there is something to do. If there is no space
 * for it, the other one has many to read. */
static void wake_other(vdnn_wire *wire)
{
    size_t sent;
    if (wire->error == 0)
        wire->error = vdnn_socket_send_some(wire->file, "", 1, &sent);
}

static size_t ring_send(vdnn_wire *wire, const void *bytes, size_t count)
{
    bool wake;
    if (wire->error != 0)
        return 0;
    const size_t sent = vdnn_ring_put(wire->out, bytes, count, &wake);
    if (wake)
        wake_other(wire);
    return sent;
}

static const void *ring_peek(vdnn_wire *wire, size_t *bytes)
{
    return vdnn_ring_peek(wire->in, bytes);
}

static void ring_drop(vdnn_wire *wire, size_t bytes)
{
    if (vdnn_ring_drop(wire->in, bytes))
        wake_other(wire);
}

static size_t ring_take(vdnn_wire *wire, void *to, size_t most)
{
    size_t taken = 0, piece = 1;
    while (taken < most && piece > 0) {
        const void *from = vdnn_ring_peek(wire->in, &piece);
        piece = piece < most - taken ? piece : most - taken;
        memcpy((char *)to + taken, from, piece);
        ring_drop(wire, piece);
        taken += piece;
    }
    return taken;
}

static bool ring_prepare(vdnn_wire *wire, bool to_send, bool to_receive, struct pollfd *entry)
{
    entry->fd = wire->file;
    entry->events = POLLIN;
    return (!to_send || vdnn_ring_wait_to_write(wire->out)) &&
           (!to_receive || vdnn_ring_wait_to_read(wire->in));
}

static void ring_wake(vdnn_wire *wire, short events)
{
    char rung[RUNG_BYTES];
    if (events != 0)
        (void)receive(wire, rung, sizeof rung);
}

static const vdnn_wire_kind ring_kind = {.send = ring_send,
                                         .take = ring_take,
                                         .peek = ring_peek,
                                         .drop = ring_drop,
                                         .prepare = ring_prepare,
                                         .wake = ring_wake};

/* ---- either ---------------------------------------------------------------------------------- */

bool vdnn_wire_open_socket(vdnn_wire *wire, int file)
{
    *wire = (vdnn_wire){
        .kind = &socket_kind, .file = file, .buffer = vdnn_heap_calloc(1, BUFFER_BYTES)};
    return wire->buffer != NULL;
}

void vdnn_wire_open_rings(vdnn_wire *wire, int file, vdnn_ring *in, vdnn_ring *out)
{
    *wire = (vdnn_wire){.kind = &ring_kind, .file = file, .in = in, .out = out};
}

void vdnn_wire_close(vdnn_wire *wire)
{
    vdnn_heap_free(wire->buffer);
    wire->buffer = NULL;
}

size_t vdnn_wire_send(vdnn_wire *wire, const void *bytes, size_t count)
{
    return wire->kind->send(wire, bytes, count);
}

size_t vdnn_wire_take(vdnn_wire *wire, void *to, size_t most)
{
    return wire->kind->take(wire, to, most);
}

const void *vdnn_wire_peek(vdnn_wire *wire, size_t *bytes)
{
    return wire->kind->peek(wire, bytes);
}

void vdnn_wire_drop(vdnn_wire *wire, size_t bytes)
{
    wire->kind->drop(wire, bytes);
}

bool vdnn_wire_prepare(vdnn_wire *wire, bool to_send, bool to_receive, struct pollfd *entry)
{
    return wire->kind->prepare(wire, to_send, to_receive, entry);
}

void vdnn_wire_wake(vdnn_wire *wire, short events)
{
    wire->kind->wake(wire, events);
}
