#ifndef VDNN_RUNTIME_DATA_TENSORS_SHARDS_H
#define VDNN_RUNTIME_DATA_TENSORS_SHARDS_H

/* The tensors of one safetensors file, or of the several that an index names: a JSON file with
 * `weight_map`, from each tensor's name to the file in the same folder that has it.
 *
 * Invariant: names differ; each tensor that the index names is in the file that it says.
 * Threads: a value; one thread at a time.
 *
 *     status = vdnn_shards_open("model.safetensors.index.json", &shards);
 *     status = vdnn_shards_read(shards, "fc.weight", dims, 2, first, count, floats);
 *     vdnn_shards_close(shards);
 */

#include "runtime/data/tensors/safetensors.h"

typedef struct vdnn_shards vdnn_shards;

/* Whether a file's name ends in ".index.json". */
bool vdnn_shards_is_index(const char *path);

/* VDNN_FILE, or VDNN_BAD_INPUT with the file, or the tensor, that is missing. */
vdnn_status vdnn_shards_open(const char *path, vdnn_shards **shards);
void vdnn_shards_close(vdnn_shards *shards); /* accepts NULL */

int32_t vdnn_shards_count(const vdnn_shards *shards);
const char *vdnn_shards_name(const vdnn_shards *shards, int32_t i);
/* As vdnn_safetensors_dims. */
const int64_t *vdnn_shards_dims(const vdnn_shards *shards, int32_t i, int *dim_count);
/* `count` elements of tensor `i` from `first` on. VDNN_BAD_INPUT if it is not of floats. */
vdnn_status vdnn_shards_read_part(const vdnn_shards *shards, int32_t i, int64_t first,
                                  int64_t count, float *floats);
/* The same by name and shape, as vdnn_safetensors_read_part. */
vdnn_status vdnn_shards_read(const vdnn_shards *shards, const char *name, const int64_t *dims,
                             int dim_count, int64_t first, int64_t count, float *floats);

#endif
