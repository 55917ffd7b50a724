#ifndef VDNN_RUNTIME_TRAIN_FILES_ONNX_POSITIONS_H
#define VDNN_RUNTIME_TRAIN_FILES_ONNX_POSITIONS_H

/* Attention and layers of positions as nodes of ONNX, each as several operators of opset 13.
 *
 * Invariant: the last node has the layer's name; those before it, and their tensors, are named
 * NAME/.... Threads: one for each text.
 *
 *     if (vdnn_onnx_positions_refusal(layer) == NULL)
 *         vdnn_onnx_positions_write(fields, layer, from, weight);
 */

#include "layers/layer.h"
#include "runtime/base/text.h"

/* Why the layer is not written; NULL: it is. */
const char *vdnn_onnx_positions_refusal(const vdnn_layer *layer);
/* `from`: what its inputs are called; `weight` its parameter, if it has one. */
void vdnn_onnx_positions_write(vdnn_text *fields, const vdnn_layer *layer, char *const *from,
                               const char *weight);

#endif
