#ifndef VDNN_RUNTIME_TRAIN_FILES_WEIGHT_WRITER_H
#define VDNN_RUNTIME_TRAIN_FILES_WEIGHT_WRITER_H

/* A file that weights are written to, piece by piece: the network with them as ONNX, or NumPy's
 * arrays if the file's name ends in ".npz", else safetensors.
 *
 * Invariant: as of runtime/base/output.h: the file appears whole or not at all.
 * Threads: one.
 *
 *     status = vdnn_weight_writer_create(path, NULL, entries, count, NULL, &writer);
 *     status = vdnn_weight_writer_put(writer, values, bytes);    // all data, in its order
 *     status = vdnn_weight_writer_commit(writer, &digest);
 */

#include "runtime/train/files/onnx_writer.h"

typedef struct vdnn_weight_writer vdnn_weight_writer;

/* `network` NULL: weights alone. Else ONNX; VDNN_USAGE with what ONNX does not have. `classes`:
 * their names, as a writer of safetensors takes them; others have none. */
vdnn_status vdnn_weight_writer_create(const char *path, const vdnn_onnx_network *network,
                                      const vdnn_safetensors_entry *entries, int32_t count,
                                      const char *classes, vdnn_weight_writer **writer);
/* The next bytes of the data, entry after entry, none of two entries. */
vdnn_status vdnn_weight_writer_put(vdnn_weight_writer *writer, const void *bytes, size_t count);
/* Destroys the writer, also on failure. `digest`: of a file of safetensors; may be NULL. */
vdnn_status vdnn_weight_writer_commit(vdnn_weight_writer *writer, vdnn_digest *digest);
void vdnn_weight_writer_abandon(vdnn_weight_writer *writer); /* accepts NULL */

#endif
