#ifndef VDNN_RUNTIME_TRAIN_FILES_ONNX_WRITER_H
#define VDNN_RUNTIME_TRAIN_FILES_ONNX_WRITER_H

/* A network with its weights as an ONNX file, written piece by piece. Protobuf, and so the file,
 * has a limit: weights beyond it are in a second file FILE.data, which the first one names.
 *
 * Invariant: as of runtime/base/output.h; the file of the weights appears before that of the
 * network.
 * Threads: one.
 *
 *     const vdnn_onnx_network network = {model, graph, VDNN_ONNX_MOST_BYTES};
 *     status = vdnn_onnx_writer_create(path, &network, entries, count, &writer);
 *     status = vdnn_onnx_writer_put(writer, values, bytes);    // all data, in its order
 *     status = vdnn_onnx_writer_commit(writer);
 */

#include "runtime/data/tensors/safetensors.h"
#include "runtime/train/files/onnx_nodes.h"

/* Of a file, by protobuf. */
#define VDNN_ONNX_MOST_BYTES ((uint64_t)INT32_MAX)

typedef struct vdnn_onnx_network {
    const vdnn_model *model; /* borrowed until create returns, as is the graph */
    const vdnn_graph *graph;
    uint64_t most_bytes; /* of a file with the weights in it */
} vdnn_onnx_network;

typedef struct vdnn_onnx_writer vdnn_onnx_writer;

/* The entries are borrowed until commit or abandon. VDNN_USAGE with what ONNX does not have. */
vdnn_status vdnn_onnx_writer_create(const char *path, const vdnn_onnx_network *network,
                                    const vdnn_safetensors_entry *entries, int32_t count,
                                    vdnn_onnx_writer **writer);
/* The next bytes of the data, entry after entry, none of two entries. */
vdnn_status vdnn_onnx_writer_put(vdnn_onnx_writer *writer, const void *bytes, size_t count);
/* Destroys the writer, also on failure. */
vdnn_status vdnn_onnx_writer_commit(vdnn_onnx_writer *writer);
void vdnn_onnx_writer_abandon(vdnn_onnx_writer *writer); /* accepts NULL */

#endif
