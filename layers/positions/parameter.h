#ifndef VDNN_LAYERS_POSITIONS_PARAMETER_H
#define VDNN_LAYERS_POSITIONS_PARAMETER_H

/* Learned vectors in a sequence, for the algorithms of `parameter`: added to those of x, one for
 * each position, or put before them.
 *
 *     add       y[n][t] = x[n][t] + w[t]                      t < T
 *     before    y[n][t] = w[t], then y[n][length + t] = x[n][t]
 *
 * Invariant: after inference params[0] is the weight, (length, features), whose vectors lie one
 * after the other as those of a sample do: the layer computes with whole samples as rows.
 * Threads: const once read.
 *
 *     vdnn_parameter_shape s = vdnn_parameter_shape_of(layer);
 *     copy(y + n * s.of_y + s.first, x + n * s.of_x, s.of_x);
 */

#include "layers/layer.h"

typedef enum vdnn_parameter_join {
    VDNN_PARAMETER_ADD,
    VDNN_PARAMETER_BEFORE,
    VDNN_PARAMETER_JOINS
} vdnn_parameter_join;

typedef struct vdnn_parameter_config {
    int64_t length; /* 0: that of x */
    int64_t join;   /* vdnn_parameter_join */
} vdnn_parameter_config;

/* Elements of a sample of x and of y, of the weight that are in each sample of y, from its begin
 * on, and where x begins in it. */
typedef struct vdnn_parameter_shape {
    int64_t samples, of_x, of_y, of_w, first;
} vdnn_parameter_shape;

vdnn_parameter_shape vdnn_parameter_shape_of(const vdnn_layer *layer);

#endif
