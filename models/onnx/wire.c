#include "models/onnx/wire.h"

#include <string.h>

static vdnn_status refuse(const vdnn_wire *wire, uint64_t at, const char *what)
{
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s: byte %llu: %s", vdnn_source_path(wire->source),
                            (unsigned long long)at, what);
}

/* Moves the window to `at`, before the end of the file. */
static vdnn_status fill(vdnn_wire *wire, uint64_t at)
{
    const uint64_t left = vdnn_source_bytes(wire->source) - at;
    wire->first = at;
    wire->count = 0;
    const size_t count = left < VDNN_WIRE_WINDOW ? (size_t)left : VDNN_WIRE_WINDOW;
    VDNN_TRY(vdnn_source_read(wire->source, at, wire->window, count));
    wire->count = count;
    return VDNN_OK;
}

static bool has(const vdnn_wire *wire, uint64_t at)
{
    return at >= wire->first && at - wire->first < wire->count;
}

vdnn_status vdnn_wire_copy(vdnn_wire *wire, uint64_t at, void *to, size_t bytes)
{
    if (bytes > VDNN_WIRE_WINDOW)
        return vdnn_source_read(wire->source, at, to, bytes);
    if (bytes > 0 && (!has(wire, at) || !has(wire, at + bytes - 1)))
        VDNN_TRY(fill(wire, at));
    memcpy(to, wire->window + (bytes > 0 ? at - wire->first : 0), bytes);
    return VDNN_OK;
}

vdnn_status vdnn_wire_varint(vdnn_wire *wire, vdnn_wire_span *span, uint64_t *value)
{
    const uint64_t begin = span->begin;
    uint64_t read = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (span->begin >= span->end)
            return refuse(wire, begin, "a number is cut off by the end of its message");
        if (!has(wire, span->begin))
            VDNN_TRY(fill(wire, span->begin));
        const unsigned char byte = wire->window[span->begin - wire->first];
        span->begin++;
        read |= (uint64_t)(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0) {
            *value = read;
            return VDNN_OK;
        }
    }
    return refuse(wire, begin, "a number has more than 64 bits");
}

static vdnn_status read_fixed(vdnn_wire *wire, vdnn_wire_span *message, size_t bytes,
                              uint64_t *value)
{
    uint64_t read = 0;
    if (message->end - message->begin < bytes)
        return refuse(wire, message->begin, "a number is cut off by the end of its message");
    VDNN_TRY(vdnn_wire_copy(wire, message->begin, &read, bytes));
    message->begin += bytes;
    *value = read;
    return VDNN_OK;
}

static vdnn_status read_bytes(vdnn_wire *wire, vdnn_wire_span *message, vdnn_wire_span *span)
{
    const uint64_t begin = message->begin;
    uint64_t length;
    VDNN_TRY(vdnn_wire_varint(wire, message, &length));
    const uint64_t left = message->end - message->begin;
    if (length > left)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: byte %llu: a field of %llu bytes is longer than the %llu that "
                                "are left of its message",
                                vdnn_source_path(wire->source), (unsigned long long)begin,
                                (unsigned long long)length, (unsigned long long)left);
    *span = (vdnn_wire_span){message->begin, message->begin + length};
    message->begin += length;
    return VDNN_OK;
}

vdnn_status vdnn_wire_next(vdnn_wire *wire, vdnn_wire_span *message, vdnn_wire_field *field)
{
    enum { TYPE_BITS = 3, MOST_NUMBER = (1 << 29) - 1 };
    const uint64_t begin = message->begin;
    vdnn_wire_field read = {0};
    uint64_t key;
    VDNN_TRY(vdnn_wire_varint(wire, message, &key));
    if (key >> TYPE_BITS == 0 || key >> TYPE_BITS > MOST_NUMBER)
        return refuse(wire, begin, "is no field of a protocol buffer, which an ONNX file is");
    read.number = (uint32_t)(key >> TYPE_BITS);
    read.type = (vdnn_wire_type)(key & ((1U << TYPE_BITS) - 1));
    *field = read;
    switch (read.type) {
    case VDNN_WIRE_VARINT:
        return vdnn_wire_varint(wire, message, &field->value);
    case VDNN_WIRE_FIXED64:
        return read_fixed(wire, message, sizeof(uint64_t), &field->value);
    case VDNN_WIRE_FIXED32:
        return read_fixed(wire, message, sizeof(uint32_t), &field->value);
    case VDNN_WIRE_BYTES:
        return read_bytes(wire, message, &field->span);
    }
    return refuse(wire, begin, "is no field of a protocol buffer, which an ONNX file is");
}
