#ifndef VDNN_RUNTIME_DATA_TENSORS_SAFETENSORS_H
#define VDNN_RUNTIME_DATA_TENSORS_SAFETENSORS_H

/* Weight files: safetensors with float32 tensors named `<layer>.<param>` (float64 for other numbers
 * of a checkpoint). Parts are also read of tensors of F16, BF16 and F64.
 *
 * Format: u64 little-endian header length, JSON header {name: {dtype, shape, data_offsets}}, data.
 *
 * Invariant: in an open file every range of the header lies inside the file, without overlap.
 * Threads: a value; one thread at a time.
 *
 *     status = vdnn_safetensors_open(path, &file);
 *     status = vdnn_safetensors_read(file, "conv1.weight", dims, 4, floats);
 *     vdnn_safetensors_close(file);
 *
 *     status = vdnn_safetensors_writer_create(path, entries, count, NULL, &writer);
 *     status = vdnn_safetensors_writer_put(writer, values, bytes);    // all data, in its order
 *     status = vdnn_safetensors_writer_commit(writer, &digest);
 */

#include "runtime/base/output.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct vdnn_safetensors vdnn_safetensors;

/* Dimensions of a tensor at most. */
enum { VDNN_SAFETENSORS_DIMS = 8 };

vdnn_status vdnn_safetensors_open(const char *path, vdnn_safetensors **file);
void vdnn_safetensors_close(vdnn_safetensors *file);

/* Reads one tensor into `floats`. VDNN_BAD_INPUT if there is none of that name (with the nearest
 * name), or its dtype or shape differs (with both). */
vdnn_status vdnn_safetensors_read(const vdnn_safetensors *file, const char *name,
                                  const int64_t *dims, int dim_count, float *floats);
/* The same for `count` elements from element `first` on, which must be within the shape. */
vdnn_status vdnn_safetensors_read_part(const vdnn_safetensors *file, const char *name,
                                       const int64_t *dims, int dim_count, int64_t first,
                                       int64_t count, float *floats);
/* One tensor of float64. */
vdnn_status vdnn_safetensors_read_doubles(const vdnn_safetensors *file, const char *name,
                                          const int64_t *dims, int dim_count, double *doubles);
/* The names of classes that the writer was given; borrowed. NULL: the file has none. */
const char *vdnn_safetensors_classes(const vdnn_safetensors *file);
int32_t vdnn_safetensors_count(const vdnn_safetensors *file);
const char *vdnn_safetensors_name(const vdnn_safetensors *file, int32_t i);
/* The dimensions of the tensor, at most VDNN_SAFETENSORS_DIMS; borrowed. */
const int64_t *vdnn_safetensors_dims(const vdnn_safetensors *file, int32_t i, int *dim_count);

typedef struct vdnn_safetensors_entry {
    const char *name;    /* borrowed */
    const int64_t *dims; /* borrowed */
    int dim_count;
    const float *floats; /* borrowed; not used by a writer */
    bool is_double;      /* float64, for writers only */
} vdnn_safetensors_entry;

/* Writes a file piece by piece: temporary file next to it, fsync, rename. On VDNN_FILE (path and
 * reason are in the message) the old file stays. Data begins at a multiple of 8; `__metadata__`
 * says format pt, and the names of the network's classes, a JSON array as text, unless that is
 * NULL. */
typedef struct vdnn_safetensors_writer vdnn_safetensors_writer;

vdnn_status vdnn_safetensors_writer_create(const char *path, const vdnn_safetensors_entry *entries,
                                           int32_t count, const char *classes,
                                           vdnn_safetensors_writer **writer);
/* Writes the next bytes of the data: entry after entry, without gaps. */
vdnn_status vdnn_safetensors_writer_put(vdnn_safetensors_writer *writer, const void *bytes,
                                        size_t count);
/* Destroys the writer, also on failure. `digest`: of the file; may be NULL. */
vdnn_status vdnn_safetensors_writer_commit(vdnn_safetensors_writer *writer, vdnn_digest *digest);
/* Accepts NULL. */
void vdnn_safetensors_writer_abandon(vdnn_safetensors_writer *writer);

/* All of it at once. */
vdnn_status vdnn_safetensors_write(const char *path, const vdnn_safetensors_entry *entries,
                                   int32_t count);

#endif
