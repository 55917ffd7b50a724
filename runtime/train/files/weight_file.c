#include "runtime/train/files/weight_file.h"

#include "models/onnx/onnx.h"
#include "runtime/base/heap.h"
#include "runtime/data/tensors/npz.h"
#include "runtime/train/files/hugging_face.h"

#include <string.h>

/* One of the first three is not NULL. */
struct vdnn_weight_file {
    vdnn_onnx *onnx;
    vdnn_npz *arrays;
    vdnn_shards *tensors;
    vdnn_hugging_face *published; /* the tensors as those of a network here; NULL: they are */
};

static vdnn_status open_as(const char *path, vdnn_weight_file *file)
{
    if (vdnn_onnx_is_path(path))
        return vdnn_onnx_open(path, &file->onnx);
    if (vdnn_npz_is_path(path))
        return vdnn_npz_open(path, &file->arrays);
    VDNN_TRY(vdnn_shards_open(path, &file->tensors));
    return vdnn_hugging_face_open(file->tensors, path, &file->published);
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
        vdnn_weight_file_close(fresh);
    return status;
}

void vdnn_weight_file_close(vdnn_weight_file *file)
{
    if (file == NULL)
        return;
    vdnn_onnx_close(file->onnx);
    vdnn_npz_close(file->arrays);
    vdnn_hugging_face_close(file->published);
    vdnn_shards_close(file->tensors);
    vdnn_heap_free(file);
}

int32_t vdnn_weight_file_count(const vdnn_weight_file *file)
{
    if (file->onnx != NULL)
        return vdnn_onnx_count(file->onnx);
    if (file->arrays != NULL)
        return vdnn_npz_count(file->arrays);
    return file->published != NULL ? vdnn_hugging_face_count(file->published)
                                   : vdnn_shards_count(file->tensors);
}

const char *vdnn_weight_file_name(const vdnn_weight_file *file, int32_t i)
{
    if (file->onnx != NULL)
        return vdnn_onnx_name(file->onnx, i);
    if (file->arrays != NULL)
        return vdnn_npz_name(file->arrays, i);
    return file->published != NULL ? vdnn_hugging_face_name(file->published, i)
                                   : vdnn_shards_name(file->tensors, i);
}

vdnn_status vdnn_weight_file_read_part(const vdnn_weight_file *file, const char *name,
                                       const int64_t *dims, int dim_count, int64_t first,
                                       int64_t count, float *floats)
{
    if (file->onnx != NULL)
        return vdnn_onnx_read_part(file->onnx, name, dims, dim_count, first, count, floats);
    if (file->arrays != NULL)
        return vdnn_npz_read_part(file->arrays, name, dims, dim_count, first, count, floats);
    return file->published != NULL
               ? vdnn_hugging_face_read_part(file->published, name, dims, dim_count, first, count,
                                             floats)
               : vdnn_shards_read(file->tensors, name, dims, dim_count, first, count, floats);
}
