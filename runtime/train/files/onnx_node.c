#include "runtime/train/files/onnx_node.h"

#include "runtime/train/files/onnx_nodes.h"

#include <string.h>

/* Fields of onnx.proto. */
enum {
    GRAPH_NODE = 1,
    GRAPH_INITIALIZER = 5,
    NODE_INPUT = 1,
    NODE_OUTPUT = 2,
    NODE_NAME = 3,
    NODE_OP = 4,
    NODE_ATTRIBUTE = 5,
    ATTRIBUTE_NAME = 1,
    ATTRIBUTE_REAL = 2,
    ATTRIBUTE_INTEGER = 3,
    ATTRIBUTE_STRING = 4,
    ATTRIBUTE_INTEGERS = 8,
    ATTRIBUTE_TYPE = 20,
    TYPE_REAL = 1,
    TYPE_INTEGER = 2,
    TYPE_STRING = 3,
    TYPE_INTEGERS = 7,
    TENSOR_DIM = 1,
    TENSOR_TYPE = 2,
    TENSOR_NAME = 8,
    TENSOR_BYTES = 9,
    FLOAT = 1,
    INT64 = 7,
};

/* ---- nodes ----------------------------------------------------------------------------------- */

void vdnn_onnx_node_begin(vdnn_onnx_node *node, const char *op, const char *name)
{
    node->text = (vdnn_text){0};
    vdnn_onnx_put_string(&node->text, NODE_OP, op);
    vdnn_onnx_put_string(&node->text, NODE_NAME, name);
    vdnn_onnx_put_string(&node->text, NODE_OUTPUT, name);
}

void vdnn_onnx_node_input(vdnn_onnx_node *node, const char *name)
{
    vdnn_onnx_put_string(&node->text, NODE_INPUT, name);
}

void vdnn_onnx_node_output(vdnn_onnx_node *node, const char *name)
{
    vdnn_onnx_put_string(&node->text, NODE_OUTPUT, name);
}

void vdnn_onnx_node_end(vdnn_onnx_node *node)
{
    vdnn_onnx_put_message(node->fields, GRAPH_NODE, &node->text);
}

static void begin_attribute(vdnn_text *attribute, const char *name, int64_t type)
{
    *attribute = (vdnn_text){0};
    vdnn_onnx_put_string(attribute, ATTRIBUTE_NAME, name);
    vdnn_onnx_put_integer(attribute, ATTRIBUTE_TYPE, type);
}

void vdnn_onnx_node_integers(vdnn_onnx_node *node, const char *name, const int64_t *integers,
                             size_t count)
{
    vdnn_text attribute;
    begin_attribute(&attribute, name, TYPE_INTEGERS);
    for (size_t i = 0; i < count; i++)
        vdnn_onnx_put_integer(&attribute, ATTRIBUTE_INTEGERS, integers[i]);
    vdnn_onnx_put_message(&node->text, NODE_ATTRIBUTE, &attribute);
}

void vdnn_onnx_node_integer(vdnn_onnx_node *node, const char *name, int64_t integer)
{
    vdnn_text attribute;
    begin_attribute(&attribute, name, TYPE_INTEGER);
    vdnn_onnx_put_integer(&attribute, ATTRIBUTE_INTEGER, integer);
    vdnn_onnx_put_message(&node->text, NODE_ATTRIBUTE, &attribute);
}

static void put_real(vdnn_text *text, uint32_t field, double value)
{
    enum { FIXED32 = 5, TYPE_BITS = 3 };
    const float real = (float)value;
    char bytes[sizeof real];
    memcpy(bytes, &real, sizeof real);
    vdnn_onnx_put_varint(text, (uint64_t)field << TYPE_BITS | FIXED32);
    vdnn_text_put_bytes(text, bytes, sizeof bytes);
}

void vdnn_onnx_node_real(vdnn_onnx_node *node, const char *name, double real)
{
    vdnn_text attribute;
    begin_attribute(&attribute, name, TYPE_REAL);
    put_real(&attribute, ATTRIBUTE_REAL, real);
    vdnn_onnx_put_message(&node->text, NODE_ATTRIBUTE, &attribute);
}

void vdnn_onnx_node_string(vdnn_onnx_node *node, const char *name, const char *string)
{
    vdnn_text attribute;
    begin_attribute(&attribute, name, TYPE_STRING);
    vdnn_onnx_put_string(&attribute, ATTRIBUTE_STRING, string);
    vdnn_onnx_put_message(&node->text, NODE_ATTRIBUTE, &attribute);
}

/* ---- tensors --------------------------------------------------------------------------------- */

static void put_tensor(vdnn_text *fields, const char *name, const int64_t *dims, int rank,
                       int64_t type, const void *values, size_t element_bytes)
{
    vdnn_text tensor = {0};
    size_t count = 1;
    for (int d = 0; d < rank; d++) {
        vdnn_onnx_put_integer(&tensor, TENSOR_DIM, dims[d]);
        count *= (size_t)dims[d];
    }
    vdnn_onnx_put_integer(&tensor, TENSOR_TYPE, type);
    vdnn_onnx_put_string(&tensor, TENSOR_NAME, name);
    vdnn_onnx_put_head(&tensor, TENSOR_BYTES, count * element_bytes);
    vdnn_text_put_bytes(&tensor, values, count * element_bytes);
    vdnn_onnx_put_message(fields, GRAPH_INITIALIZER, &tensor);
}

void vdnn_onnx_node_floats(vdnn_text *fields, const char *name, const int64_t *dims, int rank,
                           const float *values)
{
    put_tensor(fields, name, dims, rank, FLOAT, values, sizeof *values);
}

void vdnn_onnx_node_numbers(vdnn_text *fields, const char *name, const int64_t *dims, int rank,
                            const int64_t *values)
{
    put_tensor(fields, name, dims, rank, INT64, values, sizeof *values);
}
