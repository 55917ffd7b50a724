#ifndef VDNN_RUNTIME_TRAIN_FILES_ONNX_NODES_H
#define VDNN_RUNTIME_TRAIN_FILES_ONNX_NODES_H

/* A network as the fields of an ONNX graph, in inference form: all but the tensors of its weights,
 * which are called `<layer>.<param>` there.
 *
 * Invariant: nodes follow those that they read; a value is called as the layer that computes it.
 * Threads: any, over their own text.
 *
 *     vdnn_text graph = {0};
 *     status = vdnn_onnx_nodes_write(model, plan_graph, &graph);
 *     vdnn_onnx_put_message(&file, 7, &graph);
 */

#include "models/model.h"
#include "runtime/base/text.h"
#include "runtime/graph/graph.h"

/* Of the default domain. */
enum { VDNN_ONNX_WRITTEN_OPSET = 13, VDNN_ONNX_WRITTEN_IR = 7 };

/* Appends the fields. VDNN_USAGE with the layer that no operator of ONNX computes. */
vdnn_status vdnn_onnx_nodes_write(const vdnn_model *model, const vdnn_graph *graph,
                                  vdnn_text *fields);

/* Fields of the wire format; a text is bytes here. */
void vdnn_onnx_put_varint(vdnn_text *text, uint64_t value);
void vdnn_onnx_put_integer(vdnn_text *text, uint32_t field, int64_t value);
void vdnn_onnx_put_string(vdnn_text *text, uint32_t field, const char *string);
/* The length and key of `count` bytes that follow. */
void vdnn_onnx_put_head(vdnn_text *text, uint32_t field, uint64_t count);
/* A message, whose text is freed. */
void vdnn_onnx_put_message(vdnn_text *text, uint32_t field, vdnn_text *message);

#endif
