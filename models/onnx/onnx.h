#ifndef VDNN_MODELS_ONNX_ONNX_H
#define VDNN_MODELS_ONNX_ONNX_H

/* An ONNX file as a network file and as a file of weights: its graph becomes the text of layers,
 * and its initializers the parameters of these layers. Weights stay in the file until they are
 * read.
 *
 * Line N of the text has the layers of node N, counted from 1, so that messages of later readers
 * name the node.
 *
 * Invariant: each weight lies within its file, has the elements of its parameter, and its name
 * belongs to a layer of the text.
 * Threads: one at a time.
 *
 *     status = vdnn_onnx_open("net.onnx", &onnx);
 *     status = vdnn_model_parse(vdnn_onnx_text(onnx), ...);
 *     status = vdnn_onnx_read_part(onnx, "conv1.weight", dims, 4, 0, count, floats);
 *     vdnn_onnx_close(onnx);
 */

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Opsets of the default domain that are read. */
enum { VDNN_ONNX_FIRST_OPSET = 9, VDNN_ONNX_LAST_OPSET = 21 };

typedef struct vdnn_onnx vdnn_onnx;

/* Whether a file's name ends in ".onnx". */
bool vdnn_onnx_is_path(const char *path);

/* VDNN_FILE if it cannot be opened, VDNN_BAD_INPUT with file, operator, node and what was expected.
 */
vdnn_status vdnn_onnx_open(const char *path, vdnn_onnx **onnx);
void vdnn_onnx_close(vdnn_onnx *net); /* accepts NULL */

/* The network, as YAML. */
const char *vdnn_onnx_text(const vdnn_onnx *net);
/* What the user should know of it, in whole lines; "": nothing. */
const char *vdnn_onnx_notes(const vdnn_onnx *net);

int32_t vdnn_onnx_count(const vdnn_onnx *net);
/* "<layer>.<param>", as in weight files. */
const char *vdnn_onnx_name(const vdnn_onnx *net, int32_t i);

/* Elements first .. first + count of a parameter, in the order of weight files: whole rows of
 * dims[0]. VDNN_BAD_INPUT if there is none of that name, or it has another shape. */
vdnn_status vdnn_onnx_read_part(vdnn_onnx *net, const char *name, const int64_t *dims,
                                int dim_count, int64_t first, int64_t count, float *floats);

#endif
