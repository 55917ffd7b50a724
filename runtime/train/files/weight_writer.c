#include "runtime/train/files/weight_writer.h"

#include "runtime/base/heap.h"

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
    FLOAT = 1,
};

struct vdnn_weight_writer {
    vdnn_safetensors_writer *tensors; /* NULL: ONNX */
    vdnn_output *output;
    const vdnn_safetensors_entry *entries; /* borrowed */
    int32_t next, count;
    uint64_t left; /* bytes of the entry before the next */
};

/* All of an initializer but its data, which follow; *data: their bytes. */
static void put_tensor(vdnn_text *text, const vdnn_safetensors_entry *entry, uint64_t *data)
{
    vdnn_text tensor = {0};
    *data = sizeof(float);
    for (int d = 0; d < entry->dim_count; d++) {
        *data *= (uint64_t)entry->dims[d];
        vdnn_onnx_put_integer(&tensor, TENSOR_DIMS, entry->dims[d]);
    }
    vdnn_onnx_put_integer(&tensor, TENSOR_TYPE, FLOAT);
    vdnn_onnx_put_string(&tensor, TENSOR_NAME, entry->name);
    vdnn_onnx_put_head(&tensor, TENSOR_RAW, *data);
    text->failed |= tensor.failed;
    vdnn_onnx_put_head(text, GRAPH_INITIALIZER, tensor.length + *data);
    if (tensor.length > 0)
        vdnn_text_put_bytes(text, tensor.data, tensor.length);
    vdnn_text_fini(&tensor);
}

/* Of all tensors, as bytes of the graph. */
static vdnn_status count_bytes(const vdnn_safetensors_entry *entries, int32_t count,
                               uint64_t *bytes)
{
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; i < count && status == VDNN_OK; i++) {
        vdnn_text head = {0};
        uint64_t data;
        put_tensor(&head, &entries[i], &data);
        *bytes += head.length + data;
        status = vdnn_text_status(&head, "the network");
        vdnn_text_fini(&head);
    }
    return status;
}

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

static vdnn_status begin_onnx(const char *path, const vdnn_model *model, const vdnn_graph *graph,
                              vdnn_weight_writer *writer)
{
    vdnn_text fields = {0}, head = {0};
    uint64_t bytes = 0;
    vdnn_status status = vdnn_onnx_nodes_write(model, graph, &fields);
    VDNN_IF_OK(status, count_bytes(writer->entries, writer->count, &bytes));
    VDNN_IF_OK(status, put_model(&head, &fields, bytes));
    if (status == VDNN_OK && head.length + bytes > INT32_MAX)
        status = vdnn_status_fail(VDNN_USAGE,
                                  "%s: the network takes %llu bytes, and an ONNX file holds fewer "
                                  "than 2^31; --save writes safetensors of any size",
                                  path, (unsigned long long)(head.length + bytes));
    VDNN_IF_OK(status, vdnn_output_create(path, &writer->output));
    VDNN_IF_OK(status, vdnn_output_write(writer->output, head.data, head.length));
    vdnn_text_fini(&fields);
    vdnn_text_fini(&head);
    return status;
}

vdnn_status vdnn_weight_writer_create(const char *path, const vdnn_model *model,
                                      const vdnn_graph *graph,
                                      const vdnn_safetensors_entry *entries, int32_t count,
                                      vdnn_weight_writer **writer)
{
    vdnn_weight_writer *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to write it", path);
    fresh->entries = entries;
    fresh->count = count;
    const vdnn_status status =
        model == NULL ? vdnn_safetensors_writer_create(path, entries, count, &fresh->tensors)
                      : begin_onnx(path, model, graph, fresh);
    if (status == VDNN_OK)
        *writer = fresh;
    else
        vdnn_weight_writer_abandon(fresh);
    return status;
}

vdnn_status vdnn_weight_writer_put(vdnn_weight_writer *writer, const void *bytes, size_t count)
{
    if (writer->tensors != NULL)
        return vdnn_safetensors_writer_put(writer->tensors, bytes, count);
    if (writer->left == 0) {
        vdnn_text head = {0};
        VDNN_INVARIANT(writer->next, <, writer->count);
        put_tensor(&head, &writer->entries[writer->next++], &writer->left);
        vdnn_status status = vdnn_text_status(&head, "the network");
        VDNN_IF_OK(status, vdnn_output_write(writer->output, head.data, head.length));
        vdnn_text_fini(&head);
        VDNN_TRY(status);
    }
    VDNN_INVARIANT(count, <=, writer->left);
    writer->left -= count;
    return vdnn_output_write(writer->output, bytes, count);
}

vdnn_status vdnn_weight_writer_commit(vdnn_weight_writer *writer, vdnn_digest *digest)
{
    vdnn_status status;
    if (writer->tensors != NULL) {
        status = vdnn_safetensors_writer_commit(writer->tensors, digest);
    } else {
        VDNN_INVARIANT(writer->left + (uint64_t)(writer->count - writer->next), ==, 0);
        if (digest != NULL)
            *digest = vdnn_output_digest(writer->output);
        status = vdnn_output_commit(writer->output);
    }
    vdnn_heap_free(writer);
    return status;
}

void vdnn_weight_writer_abandon(vdnn_weight_writer *writer)
{
    if (writer == NULL)
        return;
    if (writer->tensors != NULL)
        vdnn_safetensors_writer_abandon(writer->tensors);
    vdnn_output_abandon(writer->output);
    vdnn_heap_free(writer);
}
