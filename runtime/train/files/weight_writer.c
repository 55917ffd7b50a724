#include "runtime/train/files/weight_writer.h"

#include "runtime/base/heap.h"
#include "runtime/data/tensors/npz.h"

/* One of them is not NULL. */
struct vdnn_weight_writer {
    vdnn_onnx_writer *onnx;
    vdnn_npz_writer *arrays;
    vdnn_safetensors_writer *tensors;
};

vdnn_status vdnn_weight_writer_create(const char *path, const vdnn_onnx_network *network,
                                      const vdnn_safetensors_entry *entries, int32_t count,
                                      const char *classes, vdnn_weight_writer **writer)
{
    vdnn_weight_writer *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    vdnn_status status;
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to write it", path);
    if (network != NULL)
        status = vdnn_onnx_writer_create(path, network, entries, count, &fresh->onnx);
    else if (vdnn_npz_is_path(path))
        status = vdnn_npz_writer_create(path, entries, count, &fresh->arrays);
    else
        status = vdnn_safetensors_writer_create(path, entries, count, classes, &fresh->tensors);
    if (status == VDNN_OK)
        *writer = fresh;
    else
        vdnn_heap_free(fresh);
    return status;
}

vdnn_status vdnn_weight_writer_put(vdnn_weight_writer *writer, const void *bytes, size_t count)
{
    if (writer->onnx != NULL)
        return vdnn_onnx_writer_put(writer->onnx, bytes, count);
    return writer->arrays != NULL ? vdnn_npz_writer_put(writer->arrays, bytes, count)
                                  : vdnn_safetensors_writer_put(writer->tensors, bytes, count);
}

vdnn_status vdnn_weight_writer_commit(vdnn_weight_writer *writer, vdnn_digest *digest)
{
    vdnn_status status;
    if (writer->onnx != NULL)
        status = vdnn_onnx_writer_commit(writer->onnx);
    else if (writer->arrays != NULL)
        status = vdnn_npz_writer_commit(writer->arrays);
    else
        status = vdnn_safetensors_writer_commit(writer->tensors, digest);
    vdnn_heap_free(writer);
    return status;
}

void vdnn_weight_writer_abandon(vdnn_weight_writer *writer)
{
    if (writer == NULL)
        return;
    vdnn_onnx_writer_abandon(writer->onnx);
    vdnn_npz_writer_abandon(writer->arrays);
    vdnn_safetensors_writer_abandon(writer->tensors);
    vdnn_heap_free(writer);
}
