#ifndef VDNN_MODELS_ONNX_PROTO_H
#define VDNN_MODELS_ONNX_PROTO_H

/* What an ONNX file says, as it says it: onnx.proto's messages with the fields that are read here.
 * Tensors' data stay in the file.
 *
 * Invariant: text has no NUL inside and is never NULL; lists and text together are bounded,
 * whatever the file is. Threads: one; const once read.
 *
 *     status = vdnn_onnx_proto_read(source, &hoard, &model);
 *     for (size_t i = 0; i < model.graph.nodes.count; i++) ... model.graph.nodes.items[i].op ...
 *     vdnn_hoard_free(&hoard);
 */

#include "models/onnx/hoard.h"
#include "models/onnx/wire.h"

/* A list in the hoard. */
#define VDNN_ONNX_LIST(type)                                                                       \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count, capacity;                                                                    \
    }

/* The data of a tensor, in the file. */
typedef struct vdnn_onnx_data {
    vdnn_wire_span span; /* of the last of its fields */
    size_t pieces;       /* how many fields there are: 0 or 1, but for an unusual file */
} vdnn_onnx_data;

typedef struct vdnn_onnx_entry {
    const char *key, *value;
} vdnn_onnx_entry;

/* TensorProto.DataType. */
enum {
    VDNN_ONNX_FLOAT = 1,
    VDNN_ONNX_INT32 = 6,
    VDNN_ONNX_INT64 = 7,
    VDNN_ONNX_BOOL = 9,
    VDNN_ONNX_FLOAT16 = 10,
    VDNN_ONNX_DOUBLE = 11,
    VDNN_ONNX_BFLOAT16 = 16,
};

typedef struct vdnn_onnx_tensor {
    const char *name;
    int64_t type;
    VDNN_ONNX_LIST(int64_t) dims;
    vdnn_onnx_data raw, floats, doubles, int32s, int64s;
    int64_t location; /* 1: in another file, which `external` names */
    VDNN_ONNX_LIST(vdnn_onnx_entry) external;
    const double *numbers; /* of one that is not in the file, but computed from it */
} vdnn_onnx_tensor;

typedef struct vdnn_onnx_attribute {
    const char *name, *text;
    int64_t integer, kind; /* AttributeProto.AttributeType; old files have none */
    float real;
    vdnn_onnx_tensor tensor;
    VDNN_ONNX_LIST(int64_t) integers;
} vdnn_onnx_attribute;

typedef struct vdnn_onnx_node {
    const char *name, *op, *domain;
    VDNN_ONNX_LIST(const char *) inputs;
    VDNN_ONNX_LIST(const char *) outputs;
    VDNN_ONNX_LIST(vdnn_onnx_attribute) attributes;
} vdnn_onnx_node;

typedef struct vdnn_onnx_dim {
    int64_t value;      /* 0: it has a name, or nothing is known of it */
    const char *symbol; /* its name, "": none */
} vdnn_onnx_dim;

typedef struct vdnn_onnx_shape {
    VDNN_ONNX_LIST(vdnn_onnx_dim) dims;
} vdnn_onnx_shape;

typedef struct vdnn_onnx_tensor_type {
    int64_t type;
    vdnn_onnx_shape shape;
} vdnn_onnx_tensor_type;

typedef struct vdnn_onnx_type {
    vdnn_onnx_tensor_type tensor;
} vdnn_onnx_type;

typedef struct vdnn_onnx_value_info {
    const char *name;
    vdnn_onnx_type type;
} vdnn_onnx_value_info;

typedef struct vdnn_onnx_graph {
    const char *name;
    VDNN_ONNX_LIST(vdnn_onnx_node) nodes;
    VDNN_ONNX_LIST(vdnn_onnx_tensor) initializers;
    VDNN_ONNX_LIST(vdnn_onnx_value_info) inputs;
    VDNN_ONNX_LIST(vdnn_onnx_value_info) outputs;
    vdnn_onnx_data sparse_initializers; /* only how many there are */
} vdnn_onnx_graph;

typedef struct vdnn_onnx_opset {
    const char *domain;
    int64_t version;
} vdnn_onnx_opset;

typedef struct vdnn_onnx_proto {
    int64_t ir_version;
    const char *producer;
    vdnn_onnx_graph graph;
    VDNN_ONNX_LIST(vdnn_onnx_opset) opsets;
} vdnn_onnx_proto;

/* Fills a zeroed struct with what the file has; its memory is the hoard's, also on failure.
 * VDNN_BAD_INPUT with the file and the position. */
vdnn_status vdnn_onnx_proto_read(const vdnn_source *source, vdnn_hoard *hoard,
                                 vdnn_onnx_proto *proto);

/* The `count` packed integers of a tensor's field, which must have no more. */
vdnn_status vdnn_onnx_proto_integers(const vdnn_source *source, const vdnn_onnx_data *data,
                                     int64_t *integers, size_t count);

#endif
