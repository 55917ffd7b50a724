#include "tests/support/onnx_file.h"

#include "tests/support/files.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOAT = 1, INT64 = 7, BYTES = 2, FIXED32 = 5, WORD = 256 };

/* ---- the wire format ------------------------------------------------------------------------- */

void vdnn_test_wire_add(vdnn_test_wire *wire, const void *bytes, size_t count)
{
    if (wire->capacity < wire->count + count) {
        wire->capacity = 2 * (wire->count + count);
        wire->bytes = realloc(wire->bytes, wire->capacity);
        assert_non_null(wire->bytes);
    }
    if (count > 0)
        memcpy(wire->bytes + wire->count, bytes, count);
    wire->count += count;
}

static void add_varint(vdnn_test_wire *wire, uint64_t value)
{
    for (;;) {
        const unsigned char byte = (unsigned char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        vdnn_test_wire_add(wire, &byte, 1);
        value >>= 7;
        if (value == 0)
            return;
    }
}

void vdnn_test_wire_integer(vdnn_test_wire *wire, uint32_t field, uint64_t value)
{
    add_varint(wire, (uint64_t)field << 3);
    add_varint(wire, value);
}

void vdnn_test_wire_bytes(vdnn_test_wire *wire, uint32_t field, const void *bytes, size_t count)
{
    add_varint(wire, (uint64_t)field << 3 | BYTES);
    add_varint(wire, count);
    vdnn_test_wire_add(wire, bytes, count);
}

void vdnn_test_wire_text(vdnn_test_wire *wire, uint32_t field, const char *text)
{
    vdnn_test_wire_bytes(wire, field, text, strlen(text));
}

void vdnn_test_wire_message(vdnn_test_wire *wire, uint32_t field, vdnn_test_wire *message)
{
    vdnn_test_wire_bytes(wire, field, message->bytes, message->count);
    free(message->bytes);
    *message = (vdnn_test_wire){0};
}

static void add_real(vdnn_test_wire *wire, uint32_t field, float value)
{
    add_varint(wire, (uint64_t)field << 3 | FIXED32);
    vdnn_test_wire_add(wire, &value, sizeof value);
}

/* ---- the graph ------------------------------------------------------------------------------- */

static void add_value(vdnn_test_onnx *onnx, uint32_t field, const char *name, const int64_t *dims,
                      int count)
{
    vdnn_test_wire shape = {0}, tensor = {0}, type = {0}, info = {0};
    for (int i = 0; i < count; i++) {
        vdnn_test_wire dim = {0};
        if (dims[i] == 0)
            vdnn_test_wire_text(&dim, 2, "N");
        else
            vdnn_test_wire_integer(&dim, 1, (uint64_t)dims[i]);
        vdnn_test_wire_message(&shape, 1, &dim);
    }
    vdnn_test_wire_integer(&tensor, 1, FLOAT);
    vdnn_test_wire_message(&tensor, 2, &shape);
    vdnn_test_wire_message(&type, 1, &tensor);
    vdnn_test_wire_text(&info, 1, name);
    vdnn_test_wire_message(&info, 2, &type);
    vdnn_test_wire_message(&onnx->graph, field, &info);
}

void vdnn_test_onnx_input(vdnn_test_onnx *onnx, const char *name, const int64_t *dims, int count)
{
    add_value(onnx, 11, name, dims, count);
}

void vdnn_test_onnx_output(vdnn_test_onnx *onnx, const char *name)
{
    add_value(onnx, 12, name, NULL, 0);
}

static int64_t begin_tensor(vdnn_test_wire *tensor, const char *name, const int64_t *dims,
                            int count, uint64_t type)
{
    int64_t elements = 1;
    for (int i = 0; i < count; i++) {
        vdnn_test_wire_integer(tensor, 1, (uint64_t)dims[i]);
        elements *= dims[i];
    }
    vdnn_test_wire_integer(tensor, 2, type);
    vdnn_test_wire_text(tensor, 8, name);
    return elements;
}

void vdnn_test_onnx_floats(vdnn_test_onnx *onnx, const char *name, const int64_t *dims, int count,
                           float scale)
{
    vdnn_test_wire tensor = {0};
    const int64_t elements = begin_tensor(&tensor, name, dims, count, FLOAT);
    float *floats = calloc((size_t)elements + 1, sizeof *floats);
    assert_non_null(floats);
    for (int64_t i = 0; i < elements; i++)
        floats[i] = scale * (float)(i % 7 - 3);
    vdnn_test_wire_bytes(&tensor, 9, floats, (size_t)elements * sizeof *floats);
    free(floats);
    vdnn_test_wire_message(&onnx->graph, 5, &tensor);
}

void vdnn_test_onnx_raw(vdnn_test_onnx *onnx, const char *name, const int64_t *dims, int count,
                        uint64_t type, const void *bytes, size_t byte_count)
{
    vdnn_test_wire tensor = {0};
    begin_tensor(&tensor, name, dims, count, type);
    vdnn_test_wire_bytes(&tensor, 9, bytes, byte_count);
    vdnn_test_wire_message(&onnx->graph, 5, &tensor);
}

void vdnn_test_onnx_integers(vdnn_test_onnx *onnx, const char *name, const int64_t *integers,
                             int count)
{
    vdnn_test_wire tensor = {0}, packed = {0};
    begin_tensor(&tensor, name, (int64_t[]){count}, 1, INT64);
    for (int i = 0; i < count; i++)
        add_varint(&packed, (uint64_t)integers[i]);
    vdnn_test_wire_message(&tensor, 7, &packed);
    vdnn_test_wire_message(&onnx->graph, 5, &tensor);
}

void vdnn_test_onnx_external(vdnn_test_onnx *onnx, const char *name, const int64_t *dims, int count,
                             const char *location, const char *offset, const char *length)
{
    const char *const entries[][2] = {
        {"location", location}, {"offset", offset}, {"length", length}};
    vdnn_test_wire tensor = {0};
    begin_tensor(&tensor, name, dims, count, FLOAT);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        vdnn_test_wire entry = {0};
        if (entries[i][1][0] == '\0')
            continue;
        vdnn_test_wire_text(&entry, 1, entries[i][0]);
        vdnn_test_wire_text(&entry, 2, entries[i][1]);
        vdnn_test_wire_message(&tensor, 13, &entry);
    }
    vdnn_test_wire_integer(&tensor, 14, 1);
    vdnn_test_wire_message(&onnx->graph, 5, &tensor);
}

static void add_attribute(vdnn_test_wire *node, char *text)
{
    vdnn_test_wire attribute = {0};
    char *value = strchr(text, '=');
    assert_non_null(value);
    *value++ = '\0';
    vdnn_test_wire_text(&attribute, 1, text);
    if (*value == '[') {
        char *rest = value;
        for (char *at = strtok_r(value, "[],", &rest); at != NULL;
             at = strtok_r(NULL, "[],", &rest))
            vdnn_test_wire_integer(&attribute, 8, (uint64_t)strtoll(at, NULL, 10));
    } else if (strchr(value, '.') != NULL) {
        add_real(&attribute, 2, strtof(value, NULL));
    } else if ((*value >= '0' && *value <= '9') || *value == '-') {
        vdnn_test_wire_integer(&attribute, 3, (uint64_t)strtoll(value, NULL, 10));
    } else {
        vdnn_test_wire_text(&attribute, 4, value);
    }
    vdnn_test_wire_message(node, 5, &attribute);
}

/* Calls with each word of a list. */
static void each_word(const char *list, vdnn_test_wire *node, uint32_t field)
{
    char copy[WORD], *rest = copy;
    assert_true(strlen(list) < sizeof copy);
    (void)snprintf(copy, sizeof copy, "%s", list);
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        if (field == 0)
            add_attribute(node, word);
        else
            vdnn_test_wire_text(node, field, word);
}

void vdnn_test_onnx_node(vdnn_test_onnx *onnx, const char *op, const char *name, const char *inputs,
                         const char *outputs, const char *attributes)
{
    vdnn_test_wire node = {0};
    each_word(inputs, &node, 1);
    each_word(outputs, &node, 2);
    vdnn_test_wire_text(&node, 3, name);
    vdnn_test_wire_text(&node, 4, op);
    each_word(attributes, &node, 0);
    vdnn_test_wire_message(&onnx->graph, 1, &node);
}

void vdnn_test_onnx_write(vdnn_test_onnx *onnx, int64_t opset, const char *path)
{
    vdnn_test_wire model = {0}, import = {0};
    vdnn_test_wire_integer(&import, 2, (uint64_t)opset);
    vdnn_test_wire_integer(&model, 1, 8);
    vdnn_test_wire_message(&model, 8, &import);
    vdnn_test_wire_message(&model, 7, &onnx->graph);
    if (path != NULL)
        vdnn_test_write_file(path, model.bytes, model.count);
    free(model.bytes);
}
