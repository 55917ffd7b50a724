#include "runtime/train/files/onnx_writer.h"

#include "runtime/base/heap.h"

#include <stdio.h>
#include <string.h>

/* Fields of onnx.proto. */
enum {
    MODEL_IR = 1,
    MODEL_PRODUCER = 2,
    MODEL_PRODUCER_VERSION = 3,
    MODEL_GRAPH = 7,
    MODEL_OPSET = 8,
    GRAPH_INITIALIZER = 5,
    TENSOR_DIMS = 1,
    TENSOR_TYPE = 2,
    TENSOR_NAME = 8,
    TENSOR_RAW = 9,
    TENSOR_EXTERNAL = 13,
    TENSOR_LOCATION = 14,
    ENTRY_KEY = 1,
    ENTRY_VALUE = 2,
    FLOAT = 1,
    EXTERNAL = 1,
};

struct vdnn_onnx_writer {
    vdnn_output *network, *data; /* data NULL: the weights are in the network's file */
    const char *location; /* of the data, next to the network, while tensors name it; or NULL */
    const vdnn_safetensors_entry *entries; /* borrowed */
    int32_t next, count;
    uint64_t left; /* bytes of the entry before the next */
};

static uint64_t bytes_of(const vdnn_safetensors_entry *entry)
{
    uint64_t bytes = sizeof(float);
    for (int d = 0; d < entry->dim_count; d++)
        bytes *= (uint64_t)entry->dims[d];
    return bytes;
}

/* ---- tensors --------------------------------------------------------------------------------- */

static void put_external(vdnn_text *tensor, const char *key, const char *value)
{
    vdnn_text entry = {0};
    vdnn_onnx_put_string(&entry, ENTRY_KEY, key);
    vdnn_onnx_put_string(&entry, ENTRY_VALUE, value);
    vdnn_onnx_put_message(tensor, TENSOR_EXTERNAL, &entry);
}

static void put_place(vdnn_text *tensor, const char *location, uint64_t offset, uint64_t bytes)
{
    char number[32];
    put_external(tensor, "location", location);
    (void)snprintf(number, sizeof number, "%llu", (unsigned long long)offset);
    put_external(tensor, "offset", number);
    (void)snprintf(number, sizeof number, "%llu", (unsigned long long)bytes);
    put_external(tensor, "length", number);
    vdnn_onnx_put_integer(tensor, TENSOR_LOCATION, EXTERNAL);
}

/* An initializer: all of it but its data, which follow; or, with a location, where these are. */
static void put_tensor(vdnn_text *text, const vdnn_safetensors_entry *entry, const char *location,
                       uint64_t offset)
{
    const uint64_t data = bytes_of(entry);
    vdnn_text tensor = {0};
    for (int d = 0; d < entry->dim_count; d++)
        vdnn_onnx_put_integer(&tensor, TENSOR_DIMS, entry->dims[d]);
    vdnn_onnx_put_integer(&tensor, TENSOR_TYPE, FLOAT);
    vdnn_onnx_put_string(&tensor, TENSOR_NAME, entry->name);
    if (location != NULL)
        put_place(&tensor, location, offset, data);
    else
        vdnn_onnx_put_head(&tensor, TENSOR_RAW, data);
    text->failed |= tensor.failed;
    vdnn_onnx_put_head(text, GRAPH_INITIALIZER, tensor.length + (location == NULL ? data : 0));
    if (tensor.length > 0)
        vdnn_text_put_bytes(text, tensor.data, tensor.length);
    vdnn_text_fini(&tensor);
}

/* All tensors without their data, whose bytes are added to *data. */
static vdnn_status put_tensors(const vdnn_onnx_writer *w, vdnn_text *text, uint64_t *data)
{
    for (int32_t i = 0; i < w->count; i++) {
        put_tensor(text, &w->entries[i], w->location, *data);
        *data += bytes_of(&w->entries[i]);
    }
    return vdnn_text_status(text, "the network");
}

/* ---- files ----------------------------------------------------------------------------------- */

/* What stands before the tensors, with the length of all. */
static vdnn_status put_model(vdnn_text *text, const vdnn_text *graph, uint64_t tensor_bytes)
{
    vdnn_text opset = {0};
    vdnn_onnx_put_integer(text, MODEL_IR, VDNN_ONNX_WRITTEN_IR);
    vdnn_onnx_put_string(text, MODEL_PRODUCER, "vdnn");
    vdnn_onnx_put_string(text, MODEL_PRODUCER_VERSION, vdnn_version());
    vdnn_onnx_put_string(&opset, 1, "");
    vdnn_onnx_put_integer(&opset, 2, VDNN_ONNX_WRITTEN_OPSET);
    vdnn_onnx_put_message(text, MODEL_OPSET, &opset);
    vdnn_onnx_put_head(text, MODEL_GRAPH, graph->length + tensor_bytes);
    vdnn_text_put_bytes(text, graph->data, graph->length);
    return vdnn_text_status(text, "the network");
}

/* Begins the file of the weights. */
static vdnn_status open_data(vdnn_onnx_writer *w, const char *path, vdnn_text *name)
{
    const char *slash = strrchr(path, '/');
    vdnn_text_add(name, "%s.data", path);
    VDNN_TRY(vdnn_text_status(name, "the network"));
    VDNN_TRY(vdnn_output_create(name->data, &w->data));
    w->location = name->data + (slash == NULL ? 0 : slash + 1 - path);
    return VDNN_OK;
}

static vdnn_status begin(vdnn_onnx_writer *w, const char *path, const vdnn_onnx_network *network)
{
    vdnn_text fields = {0}, head = {0}, tensors = {0}, name = {0};
    uint64_t data = 0;
    vdnn_status status = vdnn_onnx_nodes_write(network->model, network->graph, &fields);
    VDNN_IF_OK(status, put_tensors(w, &tensors, &data));
    if (status == VDNN_OK && fields.length + tensors.length + data > network->most_bytes) {
        vdnn_text_fini(&tensors);
        data = 0;
        status = open_data(w, path, &name);
        VDNN_IF_OK(status, put_tensors(w, &tensors, &data));
    }
    VDNN_IF_OK(status, put_model(&head, &fields, tensors.length + (w->data == NULL ? data : 0)));
    if (status == VDNN_OK && w->data != NULL && tensors.length > 0)
        vdnn_text_put_bytes(&head, tensors.data, tensors.length);
    VDNN_IF_OK(status, vdnn_text_status(&head, "the network"));
    VDNN_IF_OK(status, vdnn_output_create(path, &w->network));
    VDNN_IF_OK(status, vdnn_output_write(w->network, head.data, head.length));
    vdnn_text_fini(&fields);
    vdnn_text_fini(&head);
    vdnn_text_fini(&tensors);
    vdnn_text_fini(&name);
    w->location = NULL;
    return status;
}

vdnn_status vdnn_onnx_writer_create(const char *path, const vdnn_onnx_network *network,
                                    const vdnn_safetensors_entry *entries, int32_t count,
                                    vdnn_onnx_writer **writer)
{
    vdnn_onnx_writer *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to write it", path);
    fresh->entries = entries;
    fresh->count = count;
    const vdnn_status status = begin(fresh, path, network);
    if (status == VDNN_OK)
        *writer = fresh;
    else
        vdnn_onnx_writer_abandon(fresh);
    return status;
}

/* What stands before the data of the next tensor. */
static vdnn_status begin_tensor(vdnn_onnx_writer *w)
{
    vdnn_text head = {0};
    VDNN_INVARIANT(w->next, <, w->count);
    const vdnn_safetensors_entry *entry = &w->entries[w->next++];
    w->left = bytes_of(entry);
    if (w->data != NULL)
        return VDNN_OK;
    put_tensor(&head, entry, NULL, 0);
    vdnn_status status = vdnn_text_status(&head, "the network");
    VDNN_IF_OK(status, vdnn_output_write(w->network, head.data, head.length));
    vdnn_text_fini(&head);
    return status;
}

vdnn_status vdnn_onnx_writer_put(vdnn_onnx_writer *writer, const void *bytes, size_t count)
{
    if (writer->left == 0)
        VDNN_TRY(begin_tensor(writer));
    VDNN_INVARIANT(count, <=, writer->left);
    writer->left -= count;
    return vdnn_output_write(writer->data != NULL ? writer->data : writer->network, bytes, count);
}

vdnn_status vdnn_onnx_writer_commit(vdnn_onnx_writer *writer)
{
    VDNN_INVARIANT(writer->left + (uint64_t)(writer->count - writer->next), ==, 0);
    vdnn_status status = VDNN_OK;
    if (writer->data != NULL)
        status = vdnn_output_commit(writer->data);
    writer->data = NULL;
    if (status == VDNN_OK) {
        status = vdnn_output_commit(writer->network);
        writer->network = NULL;
    }
    vdnn_onnx_writer_abandon(writer);
    return status;
}

void vdnn_onnx_writer_abandon(vdnn_onnx_writer *writer)
{
    if (writer == NULL)
        return;
    vdnn_output_abandon(writer->data);
    vdnn_output_abandon(writer->network);
    vdnn_heap_free(writer);
}
