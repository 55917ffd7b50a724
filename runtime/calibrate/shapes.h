#ifndef VDNN_RUNTIME_CALIBRATE_SHAPES_H
#define VDNN_RUNTIME_CALIBRATE_SHAPES_H

/* The layers that a device is calibrated by: convolutions and matrix products of known networks,
 * and layers that mostly move bytes. Each is the layer `subject` of a small network, after a layer
 * with parameters, so that it has all of its passes.
 *
 * Invariant: every prefix of the table has large and small shapes of each kind, since shapes at the
 * end are left out if time runs out.
 * Threads: const data.
 *
 *     for (size_t i = 0; i < vdnn_calibrate_shapes.count; i++) {
 *         status = vdnn_calibrate_shape_graph(&vdnn_calibrate_shapes.list[i], "cuda", VDNN_F32,
 *                                             &graph);
 *         layer = vdnn_calibrate_shape_subject(graph);
 *     }
 */

#include "runtime/graph/graph.h"

typedef enum vdnn_calibrate_kind {
    VDNN_CALIBRATE_BYTES, /* layers that mostly move bytes */
    VDNN_CALIBRATE_PRODUCT,
    VDNN_CALIBRATE_CONVOLUTION,
    VDNN_CALIBRATE_KIND_COUNT
} vdnn_calibrate_kind;

typedef struct vdnn_calibrate_shape {
    vdnn_calibrate_kind kind;
    const char *type; /* of the layer */
    int64_t batch, channels, side, out, kernel, stride, pad;
} vdnn_calibrate_shape;

typedef struct vdnn_calibrate_list {
    const vdnn_calibrate_shape *list;
    size_t count;
} vdnn_calibrate_list;

extern const vdnn_calibrate_list vdnn_calibrate_shapes;

/* Creates the network of a shape, in the layout that devices of this kind prefer, with maps of
 * `dtype`. The caller destroys the graph. */
vdnn_status vdnn_calibrate_shape_graph(const vdnn_calibrate_shape *shape, const char *device,
                                       vdnn_dtype dtype, vdnn_graph **graph);
const vdnn_layer *vdnn_calibrate_shape_subject(const vdnn_graph *graph);

#endif
