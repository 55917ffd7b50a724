#ifndef VDNN_LAYERS_CONV_CONV_H
#define VDNN_LAYERS_CONV_CONV_H

/* The config of a convolution, for its algorithms. Sides are height, width, depth, of a picture 1.
 *
 * Invariant: after inference groups divides the input's channels and `out`, and the window fits.
 * Threads: const once read.
 *
 *     const vdnn_conv_config *conv = layer->config;
 *     int64_t channels_per_group = layer->x[0].dims[VDNN_C] / conv->groups;
 */

#include "layers/layer.h"

typedef struct vdnn_conv_config {
    int64_t out, kernel[VDNN_SIDES], stride[VDNN_SIDES], pad[VDNN_SIDES], dilation[VDNN_SIDES];
    int64_t groups;
    bool bias; /* then params[1], after params[0], the weight: (out, channels / groups, kh, kw), or
                  (out, channels / groups, kd, kh, kw) of a volume */
} vdnn_conv_config;

#endif
