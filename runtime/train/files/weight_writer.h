#ifndef VDNN_RUNTIME_TRAIN_FILES_WEIGHT_WRITER_H
#define VDNN_RUNTIME_TRAIN_FILES_WEIGHT_WRITER_H

/* A file that weights are written to, piece by piece: safetensors, or the network with its weights
 * as ONNX.
 *
 * Invariant: as of runtime/base/output.h: the file appears whole or not at all.
 * Threads: one.
 *
 *     status = vdnn_weight_writer_create(path, model, graph, entries, count, &writer);
 *     status = vdnn_weight_writer_put(writer, values, bytes);    // all data, in its order
 *     status = vdnn_weight_writer_commit(writer, &digest);
 */

#include "runtime/data/safetensors.h"
#include "runtime/train/files/onnx_nodes.h"

typedef struct vdnn_weight_writer vdnn_weight_writer;

/* `model` NULL: safetensors. Else ONNX; VDNN_USAGE with what ONNX does not have, or if it would
 * take 2 GiB, which its files cannot. */
vdnn_status vdnn_weight_writer_create(const char *path, const vdnn_model *model,
                                      const vdnn_graph *graph,
                                      const vdnn_safetensors_entry *entries, int32_t count,
                                      vdnn_weight_writer **writer);
/* The next bytes of the data, entry after entry, none of two entries. */
vdnn_status vdnn_weight_writer_put(vdnn_weight_writer *writer, const void *bytes, size_t count);
/* Destroys the writer, also on failure. `digest`: of the file; may be NULL. */
vdnn_status vdnn_weight_writer_commit(vdnn_weight_writer *writer, vdnn_digest *digest);
void vdnn_weight_writer_abandon(vdnn_weight_writer *writer); /* accepts NULL */

#endif
