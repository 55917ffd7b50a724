#ifndef VDNN_TESTS_SUPPORT_ONNX_FILE_H
#define VDNN_TESTS_SUPPORT_ONNX_FILE_H

/* ONNX files for tests, field by field: also ones that no exporter writes.
 *
 * Invariant: what is added appears in the file in its order.
 * Threads: one.
 *
 *     vdnn_test_onnx f = {0};
 *     vdnn_test_onnx_input(&f, "x", (int64_t[]){0, 3, 16, 16}, 4);        // 0: "N"
 *     vdnn_test_onnx_floats(&f, "conv1.weight", (int64_t[]){8, 3, 3, 3}, 4, 0.1F);
 *     vdnn_test_onnx_node(&f, "Conv", "conv1", "x conv1.weight", "y", "pads=[1,1,1,1]");
 *     vdnn_test_onnx_output(&f, "y");
 *     vdnn_test_onnx_write(&f, 13, path);     // and frees it
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that grow. */
typedef struct vdnn_test_wire {
    unsigned char *bytes;
    size_t count, capacity;
} vdnn_test_wire;

void vdnn_test_wire_add(vdnn_test_wire *wire, const void *bytes, size_t count);
void vdnn_test_wire_integer(vdnn_test_wire *wire, uint32_t field, uint64_t value);
void vdnn_test_wire_text(vdnn_test_wire *wire, uint32_t field, const char *text);
/* A field of bytes, or a message, which is freed. */
void vdnn_test_wire_bytes(vdnn_test_wire *wire, uint32_t field, const void *bytes, size_t count);
void vdnn_test_wire_message(vdnn_test_wire *wire, uint32_t field, vdnn_test_wire *message);

/* Fields of a graph; zeroed: none. */
typedef struct vdnn_test_onnx {
    vdnn_test_wire graph;
} vdnn_test_onnx;

void vdnn_test_onnx_input(vdnn_test_onnx *onnx, const char *name, const int64_t *dims, int count);
void vdnn_test_onnx_output(vdnn_test_onnx *onnx, const char *name);
/* Element i is scale * (i % 7 - 3). */
void vdnn_test_onnx_floats(vdnn_test_onnx *onnx, const char *name, const int64_t *dims, int count,
                           float scale);
/* Of a TensorProto.DataType, with these bytes as raw data. */
void vdnn_test_onnx_raw(vdnn_test_onnx *onnx, const char *name, const int64_t *dims, int count,
                        uint64_t type, const void *bytes, size_t byte_count);
void vdnn_test_onnx_integers(vdnn_test_onnx *onnx, const char *name, const int64_t *integers,
                             int count);
/* In another file; "": without the entry. */
void vdnn_test_onnx_external(vdnn_test_onnx *onnx, const char *name, const int64_t *dims, int count,
                             const char *location, const char *offset, const char *length);
/* Lists are separated by blanks. An attribute is NAME=VALUE: [1,2] integers, 0.5 a real number, 3
 * an integer, else a word. */
void vdnn_test_onnx_node(vdnn_test_onnx *onnx, const char *op, const char *name, const char *inputs,
                         const char *outputs, const char *attributes);
/* Writes the file, if there is a path, and frees the graph. */
void vdnn_test_onnx_write(vdnn_test_onnx *onnx, int64_t opset, const char *path);

#endif
