#include "runtime/train/files/weight_file.h"

#include "models/onnx/onnx.h"
#include "runtime/base/heap.h"
#include "runtime/data/safetensors.h"

/* One of them is not NULL. */
struct vdnn_weight_file {
    vdnn_onnx *onnx;
    vdnn_safetensors *tensors;
};

vdnn_status vdnn_weight_file_open(const char *path, vdnn_weight_file **file)
{
    vdnn_weight_file *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", path);
    const vdnn_status status = vdnn_onnx_is_path(path)
                                   ? vdnn_onnx_open(path, &fresh->onnx)
                                   : vdnn_safetensors_open(path, &fresh->tensors);
    if (status == VDNN_OK)
        *file = fresh;
    else
        vdnn_heap_free(fresh);
    return status;
}

void vdnn_weight_file_close(vdnn_weight_file *file)
{
    if (file == NULL)
        return;
    vdnn_onnx_close(file->onnx);
    vdnn_safetensors_close(file->tensors);
    vdnn_heap_free(file);
}

int32_t vdnn_weight_file_count(const vdnn_weight_file *file)
{
    return file->onnx != NULL ? vdnn_onnx_count(file->onnx) : vdnn_safetensors_count(file->tensors);
}

const char *vdnn_weight_file_name(const vdnn_weight_file *file, int32_t i)
{
    return file->onnx != NULL ? vdnn_onnx_name(file->onnx, i)
                              : vdnn_safetensors_name(file->tensors, i);
}

vdnn_status vdnn_weight_file_read_part(const vdnn_weight_file *file, const char *name,
                                       const int64_t *dims, int dim_count, int64_t first,
                                       int64_t count, float *floats)
{
    return (file->onnx != NULL
                ? vdnn_onnx_read_part(file->onnx, name, dims, dim_count, first, count, floats)
                : vdnn_safetensors_read_part(file->tensors, name, dims, dim_count, first, count,
                                             floats));
}
