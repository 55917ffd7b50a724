#ifndef VDNN_RUNTIME_TRAIN_FILES_WEIGHT_FILE_H
#define VDNN_RUNTIME_TRAIN_FILES_WEIGHT_FILE_H

/* A file that weights are read from: ONNX if its name ends in ".onnx", NumPy's arrays if in ".npz",
 * else safetensors. All name tensors `<layer>.<param>`, and are read in parts.
 *
 * Invariant: as of the three.
 * Threads: one at a time.
 *
 *     status = vdnn_weight_file_open(path, &file);
 *     status = vdnn_weight_file_read_part(file, "fc.weight", dims, 2, first, count, floats);
 *     vdnn_weight_file_close(file);
 */

#include "runtime/base/status.h"

#include <stdint.h>

typedef struct vdnn_weight_file vdnn_weight_file;

vdnn_status vdnn_weight_file_open(const char *path, vdnn_weight_file **file);
void vdnn_weight_file_close(vdnn_weight_file *file); /* accepts NULL */

int32_t vdnn_weight_file_count(const vdnn_weight_file *file);
const char *vdnn_weight_file_name(const vdnn_weight_file *file, int32_t i);
/* `count` elements from `first` on, whole rows of dims[0]. VDNN_BAD_INPUT if there is no such
 * tensor of this shape. */
vdnn_status vdnn_weight_file_read_part(const vdnn_weight_file *file, const char *name,
                                       const int64_t *dims, int dim_count, int64_t first,
                                       int64_t count, float *floats);

#endif
