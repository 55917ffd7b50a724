#include "runtime/train/files/weight_file.h"

#include "models/onnx/onnx.h"
#include "runtime/base/heap.h"
#include "runtime/data/tensors/npz.h"

/* One of them is not NULL. */
struct vdnn_weight_file {
    vdnn_onnx *onnx;
    vdnn_npz *arrays;
    vdnn_safetensors *tensors;
};

static vdnn_status open_as(const char *path, vdnn_weight_file *file)
{
    if (vdnn_onnx_is_path(path))
        return vdnn_onnx_open(path, &file->onnx);
    if (vdnn_npz_is_path(path))
        return vdnn_npz_open(path, &file->arrays);
    return vdnn_safetensors_open(path, &file->tensors);
}

vdnn_status vdnn_weight_file_open(const char *path, vdnn_weight_file **file)
{
    vdnn_weight_file *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to open it", path);
    const vdnn_status status = open_as(path, fresh);
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
    vdnn_npz_close(file->arrays);
    vdnn_safetensors_close(file->tensors);
    vdnn_heap_free(file);
}

int32_t vdnn_weight_file_count(const vdnn_weight_file *file)
{
    if (file->onnx != NULL)
        return vdnn_onnx_count(file->onnx);
    return file->arrays != NULL ? vdnn_npz_count(file->arrays)
                                : vdnn_safetensors_count(file->tensors);
}

const char *vdnn_weight_file_name(const vdnn_weight_file *file, int32_t i)
{
    if (file->onnx != NULL)
        return vdnn_onnx_name(file->onnx, i);
    return file->arrays != NULL ? vdnn_npz_name(file->arrays, i)
                                : vdnn_safetensors_name(file->tensors, i);
}

vdnn_status vdnn_weight_file_read_part(const vdnn_weight_file *file, const char *name,
                                       const int64_t *dims, int dim_count, int64_t first,
                                       int64_t count, float *floats)
{
    if (file->onnx != NULL)
        return vdnn_onnx_read_part(file->onnx, name, dims, dim_count, first, count, floats);
    return file->arrays != NULL
               ? vdnn_npz_read_part(file->arrays, name, dims, dim_count, first, count, floats)
               : vdnn_safetensors_read_part(file->tensors, name, dims, dim_count, first, count,
                                            floats);
}
