#include "models/onnx/proto.h"

#include "runtime/base/heap.h"
#include "runtime/base/text.h"

#include <string.h>

enum {
    MOST_TEXT = 4096,
    MOST_INTEGERS = 1024,
    MOST_BYTES = 128 << 20, /* of all lists and text */
};

/* ---- messages as tables ---------------------------------------------------------------------- */

typedef enum field_kind {
    TEXT,     /* const char * */
    TEXTS,    /* a list of them */
    INTEGER,  /* int64_t */
    INTEGERS, /* a list of them */
    REAL,     /* float */
    DATA,     /* vdnn_onnx_data */
    MESSAGE,  /* a struct, by `rules` */
    MESSAGES, /* a list of structs of `size` bytes */
} field_kind;

typedef struct message_rules message_rules;

typedef struct field_rule {
    uint32_t number;
    field_kind kind;
    size_t offset, size;
    const message_rules *rules;
} field_rule;

struct message_rules {
    const field_rule *fields;
    size_t count;
};

/* All lists begin with the same members. */
typedef VDNN_ONNX_LIST(char) any_list;

#define RULES(name)                                                                                \
    static const message_rules name = {name##_fields, sizeof name##_fields / sizeof *name##_fields}

static const field_rule entry_fields[] = {
    {1, TEXT, offsetof(vdnn_onnx_entry, key), 0, NULL},
    {2, TEXT, offsetof(vdnn_onnx_entry, value), 0, NULL},
};
RULES(entry);

static const field_rule tensor_fields[] = {
    {1, INTEGERS, offsetof(vdnn_onnx_tensor, dims), 0, NULL},
    {2, INTEGER, offsetof(vdnn_onnx_tensor, type), 0, NULL},
    {4, DATA, offsetof(vdnn_onnx_tensor, floats), 0, NULL},
    {5, DATA, offsetof(vdnn_onnx_tensor, int32s), 0, NULL},
    {7, DATA, offsetof(vdnn_onnx_tensor, int64s), 0, NULL},
    {8, TEXT, offsetof(vdnn_onnx_tensor, name), 0, NULL},
    {9, DATA, offsetof(vdnn_onnx_tensor, raw), 0, NULL},
    {10, DATA, offsetof(vdnn_onnx_tensor, doubles), 0, NULL},
    {13, MESSAGES, offsetof(vdnn_onnx_tensor, external), sizeof(vdnn_onnx_entry), &entry},
    {14, INTEGER, offsetof(vdnn_onnx_tensor, location), 0, NULL},
};
RULES(tensor);

static const field_rule attribute_fields[] = {
    {1, TEXT, offsetof(vdnn_onnx_attribute, name), 0, NULL},
    {2, REAL, offsetof(vdnn_onnx_attribute, real), 0, NULL},
    {3, INTEGER, offsetof(vdnn_onnx_attribute, integer), 0, NULL},
    {4, TEXT, offsetof(vdnn_onnx_attribute, text), 0, NULL},
    {5, MESSAGE, offsetof(vdnn_onnx_attribute, tensor), 0, &tensor},
    {8, INTEGERS, offsetof(vdnn_onnx_attribute, integers), 0, NULL},
    {20, INTEGER, offsetof(vdnn_onnx_attribute, kind), 0, NULL},
};
RULES(attribute);

static const field_rule node_fields[] = {
    {1, TEXTS, offsetof(vdnn_onnx_node, inputs), 0, NULL},
    {2, TEXTS, offsetof(vdnn_onnx_node, outputs), 0, NULL},
    {3, TEXT, offsetof(vdnn_onnx_node, name), 0, NULL},
    {4, TEXT, offsetof(vdnn_onnx_node, op), 0, NULL},
    {5, MESSAGES, offsetof(vdnn_onnx_node, attributes), sizeof(vdnn_onnx_attribute), &attribute},
    {7, TEXT, offsetof(vdnn_onnx_node, domain), 0, NULL},
};
RULES(node);

static const field_rule dim_fields[] = {
    {1, INTEGER, offsetof(vdnn_onnx_dim, value), 0, NULL},
    {2, TEXT, offsetof(vdnn_onnx_dim, symbol), 0, NULL},
};
RULES(dim);

static const field_rule shape_fields[] = {
    {1, MESSAGES, offsetof(vdnn_onnx_shape, dims), sizeof(vdnn_onnx_dim), &dim},
};
RULES(shape);

static const field_rule tensor_type_fields[] = {
    {1, INTEGER, offsetof(vdnn_onnx_tensor_type, type), 0, NULL},
    {2, MESSAGE, offsetof(vdnn_onnx_tensor_type, shape), 0, &shape},
};
RULES(tensor_type);

static const field_rule type_fields[] = {
    {1, MESSAGE, offsetof(vdnn_onnx_type, tensor), 0, &tensor_type},
};
RULES(type);

static const field_rule value_info_fields[] = {
    {1, TEXT, offsetof(vdnn_onnx_value_info, name), 0, NULL},
    {2, MESSAGE, offsetof(vdnn_onnx_value_info, type), 0, &type},
};
RULES(value_info);

static const field_rule graph_fields[] = {
    {1, MESSAGES, offsetof(vdnn_onnx_graph, nodes), sizeof(vdnn_onnx_node), &node},
    {2, TEXT, offsetof(vdnn_onnx_graph, name), 0, NULL},
    {5, MESSAGES, offsetof(vdnn_onnx_graph, initializers), sizeof(vdnn_onnx_tensor), &tensor},
    {11, MESSAGES, offsetof(vdnn_onnx_graph, inputs), sizeof(vdnn_onnx_value_info), &value_info},
    {12, MESSAGES, offsetof(vdnn_onnx_graph, outputs), sizeof(vdnn_onnx_value_info), &value_info},
    {15, DATA, offsetof(vdnn_onnx_graph, sparse_initializers), 0, NULL},
};
RULES(graph);

static const field_rule opset_fields[] = {
    {1, TEXT, offsetof(vdnn_onnx_opset, domain), 0, NULL},
    {2, INTEGER, offsetof(vdnn_onnx_opset, version), 0, NULL},
};
RULES(opset);

static const field_rule model_fields[] = {
    {1, INTEGER, offsetof(vdnn_onnx_proto, ir_version), 0, NULL},
    {2, TEXT, offsetof(vdnn_onnx_proto, producer), 0, NULL},
    {7, MESSAGE, offsetof(vdnn_onnx_proto, graph), 0, &graph},
    {8, MESSAGES, offsetof(vdnn_onnx_proto, opsets), sizeof(vdnn_onnx_opset), &opset},
};
RULES(model);

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct reader {
    vdnn_wire wire;
    vdnn_hoard *hoard;
} reader;

static const char *path_of(const reader *r)
{
    return vdnn_source_path(r->wire.source);
}

static vdnn_status no_memory(const reader *r)
{
    return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for the network", path_of(r));
}

/* After the hoard has grown. */
static vdnn_status check_bytes(const reader *r)
{
    if (r->hoard->bytes <= MOST_BYTES)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_BAD_INPUT,
                            "%s: its nodes and names take more than %d MiB, a limit of vdnn",
                            path_of(r), MOST_BYTES >> 20);
}

static vdnn_status add_item(reader *r, any_list *list, size_t size, void **item)
{
    void *items = vdnn_hoard_grow(r->hoard, list->items, list->count, size, &list->capacity);
    if (items == NULL)
        return no_memory(r);
    list->items = items;
    *item = list->items + list->count++ * size;
    return check_bytes(r);
}

static vdnn_status wrong_type(const reader *r, const vdnn_wire_field *field, uint64_t at)
{
    return vdnn_status_fail(VDNN_BAD_INPUT,
                            "%s: byte %llu: field %u has the wire type %d, which is not that of "
                            "ONNX: the file is damaged, or no ONNX file",
                            path_of(r), (unsigned long long)at, field->number, (int)field->type);
}

static vdnn_status read_text(reader *r, const vdnn_wire_field *field, const char **text)
{
    const uint64_t length = field->span.end - field->span.begin;
    if (length > MOST_TEXT)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: byte %llu: a name has %llu bytes, expected at most %d, a "
                                "limit of vdnn",
                                path_of(r), (unsigned long long)field->span.begin,
                                (unsigned long long)length, MOST_TEXT);
    char *copy = vdnn_hoard_take(r->hoard, (size_t)length + 1, 1);
    if (copy == NULL)
        return no_memory(r);
    VDNN_TRY(vdnn_wire_copy(&r->wire, field->span.begin, copy, (size_t)length));
    if (strlen(copy) != length)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: byte %llu: a name has a NUL character",
                                path_of(r), (unsigned long long)field->span.begin);
    *text = copy;
    return check_bytes(r);
}

static vdnn_status add_integer(reader *r, any_list *list, uint64_t value, uint64_t at)
{
    int64_t *item = NULL;
    if (list->count >= MOST_INTEGERS)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: byte %llu: a list has more than %d numbers, a limit of vdnn",
                                path_of(r), (unsigned long long)at, MOST_INTEGERS);
    VDNN_TRY(add_item(r, list, sizeof *item, (void **)&item));
    *item = (int64_t)value;
    return VDNN_OK;
}

static vdnn_status read_integers(reader *r, const vdnn_wire_field *field, uint64_t at,
                                 any_list *list)
{
    if (field->type == VDNN_WIRE_VARINT)
        return add_integer(r, list, field->value, at);
    vdnn_wire_span packed = field->span;
    while (packed.begin < packed.end) {
        uint64_t value;
        VDNN_TRY(vdnn_wire_varint(&r->wire, &packed, &value));
        VDNN_TRY(add_integer(r, list, value, at));
    }
    return VDNN_OK;
}

/* Empty text in the place of what the file does not have. */
static void begin_message(const message_rules *rules, char *object)
{
    for (size_t i = 0; i < rules->count; i++) {
        const field_rule *rule = &rules->fields[i];
        if (rule->kind == TEXT)
            *(const char **)(void *)(object + rule->offset) = "";
        else if (rule->kind == MESSAGE)
            begin_message(rule->rules, object + rule->offset);
    }
}

/* Recursion ends where the tables do. */
static vdnn_status read_message(reader *r, vdnn_wire_span span, const message_rules *rules,
                                char *object);

static vdnn_status read_field(reader *r, const field_rule *rule, const vdnn_wire_field *field,
                              uint64_t at, char *member)
{
    const bool is_bytes = field->type == VDNN_WIRE_BYTES;
    const bool is_number = field->type == VDNN_WIRE_VARINT;
    void *item = NULL;
    if ((rule->kind == INTEGER && !is_number) ||
        (rule->kind == INTEGERS && !is_number && !is_bytes) ||
        (rule->kind == REAL && field->type != VDNN_WIRE_FIXED32) ||
        ((rule->kind == TEXT || rule->kind == TEXTS || rule->kind >= MESSAGE) && !is_bytes))
        return wrong_type(r, field, at);
    switch (rule->kind) {
    case TEXT:
        return read_text(r, field, (const char **)(void *)member);
    case TEXTS:
        VDNN_TRY(add_item(r, (any_list *)(void *)member, sizeof(const char *), &item));
        return read_text(r, field, item);
    case INTEGER:
        *(int64_t *)(void *)member = (int64_t)field->value;
        return VDNN_OK;
    case INTEGERS:
        return read_integers(r, field, at, (any_list *)(void *)member);
    case REAL:
        memcpy(member, &field->value, sizeof(float));
        return VDNN_OK;
    case DATA: {
        vdnn_onnx_data *data = (vdnn_onnx_data *)(void *)member;
        data->span = field->span;
        data->pieces += is_bytes ? 1 : 2; /* a number each: not one piece */
        return VDNN_OK;
    }
    case MESSAGE:
        return read_message(r, field->span, rule->rules, member);
    case MESSAGES:
        VDNN_TRY(add_item(r, (any_list *)(void *)member, rule->size, &item));
        begin_message(rule->rules, item);
        return read_message(r, field->span, rule->rules, item);
    }
    return VDNN_OK;
}

static vdnn_status read_message(reader *r, vdnn_wire_span span, const message_rules *rules,
                                char *object)
{
    while (span.begin < span.end) {
        const uint64_t at = span.begin;
        vdnn_wire_field field;
        VDNN_TRY(vdnn_wire_next(&r->wire, &span, &field));
        const field_rule *rule = rules->fields, *end = rules->fields + rules->count;
        while (rule < end && rule->number != field.number)
            rule++;
        if (rule < end)
            VDNN_TRY(read_field(r, rule, &field, at, object + rule->offset));
    }
    return VDNN_OK;
}

vdnn_status vdnn_onnx_proto_read(const vdnn_source *source, vdnn_hoard *hoard,
                                 vdnn_onnx_proto *proto)
{
    reader *r = vdnn_heap_calloc(1, sizeof *r);
    if (r == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to read it",
                                vdnn_source_path(source));
    r->wire.source = source;
    r->hoard = hoard;
    begin_message(&model, (char *)proto);
    vdnn_status status =
        read_message(r, (vdnn_wire_span){0, vdnn_source_bytes(source)}, &model, (char *)proto);
    vdnn_heap_free(r);
    return status;
}

vdnn_status vdnn_onnx_proto_integers(const vdnn_source *source, const vdnn_onnx_data *data,
                                     int64_t *integers, size_t count)
{
    vdnn_wire *wire = vdnn_heap_calloc(1, sizeof *wire);
    vdnn_wire_span span = data->span;
    vdnn_status status = VDNN_OK;
    if (wire == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to read it",
                                vdnn_source_path(source));
    wire->source = source;
    for (size_t i = 0; i < count && status == VDNN_OK; i++) {
        uint64_t value = 0;
        status = vdnn_wire_varint(wire, &span, &value);
        integers[i] = (int64_t)value;
    }
    if (status == VDNN_OK && span.begin != span.end)
        status = vdnn_status_fail(VDNN_BAD_INPUT, "%s: byte %llu: expected %zu numbers, found more",
                                  vdnn_source_path(source), (unsigned long long)span.begin, count);
    vdnn_heap_free(wire);
    return status;
}
