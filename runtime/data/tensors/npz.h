#ifndef VDNN_RUNTIME_DATA_TENSORS_NPZ_H
#define VDNN_RUNTIME_DATA_TENSORS_NPZ_H

/* Weight files of NumPy: a zip archive, of which each member NAME.npy is the tensor NAME, stored as
 * numpy.savez does, without compression.
 *
 * Invariant: in an open file the data of every tensor lie inside the file.
 * Threads: a value; one thread at a time.
 *
 *     status = vdnn_npz_open(path, &file);
 *     status = vdnn_npz_read_part(file, "conv1.weight", dims, 4, first, count, floats);
 *     vdnn_npz_close(file);
 *
 *     status = vdnn_npz_writer_create(path, entries, count, &writer);
 *     status = vdnn_npz_writer_put(writer, values, bytes);    // all data, in its order
 *     status = vdnn_npz_writer_commit(writer);
 */

#include "runtime/base/text.h"
#include "runtime/data/tensors/safetensors.h"

typedef struct vdnn_npz vdnn_npz;

/* Whether a file's name ends in ".npz". */
bool vdnn_npz_is_path(const char *path);

/* VDNN_FILE if it cannot be opened, VDNN_BAD_INPUT with the member and what was expected. */
vdnn_status vdnn_npz_open(const char *path, vdnn_npz **file);
void vdnn_npz_close(vdnn_npz *file); /* accepts NULL */

int32_t vdnn_npz_count(const vdnn_npz *file);
const char *vdnn_npz_name(const vdnn_npz *file, int32_t i);
/* As vdnn_safetensors_read_part; floats of 16, 32 or 64 bits. */
vdnn_status vdnn_npz_read_part(const vdnn_npz *file, const char *name, const int64_t *dims,
                               int dim_count, int64_t first, int64_t count, float *floats);

/* As that of safetensors; entries of float32. */
typedef struct vdnn_npz_writer vdnn_npz_writer;

vdnn_status vdnn_npz_writer_create(const char *path, const vdnn_safetensors_entry *entries,
                                   int32_t count, vdnn_npz_writer **writer);
vdnn_status vdnn_npz_writer_put(vdnn_npz_writer *writer, const void *bytes, size_t count);
vdnn_status vdnn_npz_writer_commit(vdnn_npz_writer *writer); /* destroys it, also on failure */
void vdnn_npz_writer_abandon(vdnn_npz_writer *writer);       /* accepts NULL */

/* Adds what a .npy file has before its data, of elements of the type that NumPy calls `descr`. */
void vdnn_npy_put_header(vdnn_text *text, const char *descr, const int64_t *dims, int dim_count);

#endif
