#ifndef VDNN_LAYERS_POSITIONS_SLICE_H
#define VDNN_LAYERS_POSITIONS_SLICE_H

/* Some positions of a sequence, for the algorithms of `slice`: y[n][t] = x[n][begin + t], and dx
 * zeros elsewhere.
 *
 * Invariant: after inference begin + count is no more than the positions of x.
 * Threads: const once read.
 *
 *     vdnn_slice_shape s = vdnn_slice_shape_of(layer);
 *     copy(y + n * s.of_y, x + n * s.of_x + s.first, s.of_y);
 */

#include "layers/layer.h"

typedef struct vdnn_slice_config {
    int64_t begin, count;
} vdnn_slice_config;

/* Elements of a sample of x and of y, and where y begins in x. */
typedef struct vdnn_slice_shape {
    int64_t samples, of_x, of_y, first;
} vdnn_slice_shape;

vdnn_slice_shape vdnn_slice_shape_of(const vdnn_layer *layer);

#endif
