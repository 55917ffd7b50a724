#ifndef VDNN_RUNTIME_TRAIN_FILES_ONNX_NODE_H
#define VDNN_RUNTIME_TRAIN_FILES_ONNX_NODE_H

/* A node of an ONNX graph, field by field, and tensors that nodes read.
 *
 * Invariant: a node's first output has its name. Where memory lacked, `fields` says that it failed.
 * Threads: one for each text.
 *
 *     vdnn_onnx_node node = {.fields = fields};
 *     vdnn_onnx_node_begin(&node, "Transpose", "turned");
 *     vdnn_onnx_node_input(&node, "x");
 *     vdnn_onnx_node_integers(&node, "perm", (const int64_t[]){0, 2, 1}, 3);
 *     vdnn_onnx_node_end(&node);
 */

#include "runtime/base/text.h"

#include <stdint.h>

typedef struct vdnn_onnx_node {
    vdnn_text *fields; /* of the graph */
    vdnn_text text;    /* the node's, until its end */
} vdnn_onnx_node;

void vdnn_onnx_node_begin(vdnn_onnx_node *node, const char *op, const char *name);
void vdnn_onnx_node_input(vdnn_onnx_node *node, const char *name);
void vdnn_onnx_node_output(vdnn_onnx_node *node, const char *name); /* one more */
void vdnn_onnx_node_integers(vdnn_onnx_node *node, const char *name, const int64_t *integers,
                             size_t count);
void vdnn_onnx_node_integer(vdnn_onnx_node *node, const char *name, int64_t integer);
void vdnn_onnx_node_real(vdnn_onnx_node *node, const char *name, double real);
void vdnn_onnx_node_string(vdnn_onnx_node *node, const char *name, const char *string);
void vdnn_onnx_node_end(vdnn_onnx_node *node);

/* Tensors of the file, row-major; rank 0: a number. */
void vdnn_onnx_node_floats(vdnn_text *fields, const char *name, const int64_t *dims, int rank,
                           const float *values);
void vdnn_onnx_node_numbers(vdnn_text *fields, const char *name, const int64_t *dims, int rank,
                            const int64_t *values);

#endif
