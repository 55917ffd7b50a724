#include "runtime/comm/wire.h"

#include "runtime/base/heap.h"
#include "runtime/comm/sockets.h"

#include <string.h>

enum { BUFFER_BYTES = 256 * 1024 };

bool vdnn_wire_open(vdnn_wire *wire, int file)
{
    *wire = (vdnn_wire){.file = file, .buffer = vdnn_heap_calloc(1, BUFFER_BYTES)};
    return wire->buffer != NULL;
}

void vdnn_wire_close(vdnn_wire *wire)
{
    vdnn_heap_free(wire->buffer);
    wire->buffer = NULL;
}

size_t vdnn_wire_send(vdnn_wire *wire, const void *bytes, size_t count)
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

const void *vdnn_wire_peek(vdnn_wire *wire, size_t *bytes)
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

void vdnn_wire_drop(vdnn_wire *wire, size_t bytes)
{
    wire->begin += bytes;
}

size_t vdnn_wire_take(vdnn_wire *wire, void *to, size_t most)
{
    const size_t here = wire->end - wire->begin, taken = here < most ? here : most;
    if (taken > 0)
        memcpy(to, wire->buffer + wire->begin, taken);
    wire->begin += taken;
    return taken + receive(wire, (char *)to + taken, most - taken);
}

short vdnn_wire_events(const vdnn_wire *wire, bool to_send, bool to_receive)
{
    const bool has_space = wire->begin == wire->end || wire->end < BUFFER_BYTES;
    return (short)((to_send ? POLLOUT : 0) | (to_receive && has_space ? POLLIN : 0));
}
