#ifndef VDNN_MODELS_ONNX_WIRE_H
#define VDNN_MODELS_ONNX_WIRE_H

/* The wire format of protocol buffers, read from a file field by field: what is skipped, such as
 * the data of a tensor, is never in memory.
 *
 * Invariant: a field lies within its message, and a message within the file, whatever the lengths
 * in the file say. Threads: one.
 *
 *     vdnn_wire wire = {.source = source};
 *     vdnn_wire_span message = {0, vdnn_source_bytes(source)};
 *     while (message.begin < message.end) {
 *         VDNN_TRY(vdnn_wire_next(&wire, &message, &field));
 *         if (field.number == 7) ... field.span ...
 *     }
 */

#include "runtime/data/source.h"

enum { VDNN_WIRE_WINDOW = 4096 };

/* Bytes of the file. */
typedef struct vdnn_wire_span {
    uint64_t begin, end;
} vdnn_wire_span;

typedef struct vdnn_wire {
    const vdnn_source *source; /* borrowed */
    uint64_t first;            /* what the window has: bytes of the file from here on */
    size_t count;
    unsigned char window[VDNN_WIRE_WINDOW];
} vdnn_wire;

typedef enum vdnn_wire_type {
    VDNN_WIRE_VARINT = 0,
    VDNN_WIRE_FIXED64 = 1,
    VDNN_WIRE_BYTES = 2,
    VDNN_WIRE_FIXED32 = 5,
} vdnn_wire_type;

typedef struct vdnn_wire_field {
    uint32_t number;
    vdnn_wire_type type;
    uint64_t value;      /* of numbers */
    vdnn_wire_span span; /* of bytes: a string, a message or packed numbers */
} vdnn_wire_field;

/* Reads the field that a message begins with, and moves the message's begin past it. VDNN_BAD_INPUT
 * with the file and the position if there is none. */
vdnn_status vdnn_wire_next(vdnn_wire *wire, vdnn_wire_span *message, vdnn_wire_field *field);

/* The same for one of packed integers. */
vdnn_status vdnn_wire_varint(vdnn_wire *wire, vdnn_wire_span *span, uint64_t *value);

/* Copies bytes of the file, which has them. */
vdnn_status vdnn_wire_copy(vdnn_wire *wire, uint64_t at, void *to, size_t bytes);

#endif
