#ifndef VDNN_LAYERS_POSITIONS_ROPE_H
#define VDNN_LAYERS_POSITIONS_ROPE_H

/* Rotary position embedding (Su et al., "RoFormer", 2021), for its algorithms: of each head's
 * vector at position t, pairs of features are rotated by t * theta^(-2 i / width), i the number of
 * the pair. The input is heads of q alone, or those of q, k and v, of which v stays as it is.
 *
 *     pairs of a vector    halves        i and width / 2 + i, as in Llama
 *                          interleaved   2 i and 2 i + 1
 *
 * Invariant: backward is the same rotation by the negative angle. Threads: const once read.
 *
 *     vdnn_rope_shape s = vdnn_rope_shape_of(layer);
 *     double angle = vdnn_rope_angle(&s, position, pair);
 */

#include "layers/layer.h"

typedef struct vdnn_rope_config {
    int64_t heads, kv_heads; /* kv_heads 0: the input has heads of q alone */
    double theta;
    bool interleaved;
} vdnn_rope_config;

typedef struct vdnn_rope_shape {
    int64_t rows;      /* positions of all samples */
    int64_t positions; /* of a sample */
    int64_t features;  /* of a position */
    int64_t width;     /* of a head */
    int64_t pairs;     /* of a head */
    int64_t rotated;   /* heads of a position that are: those of q and k, which come first */
    double theta;
    bool interleaved;
} vdnn_rope_shape;

vdnn_rope_shape vdnn_rope_shape_of(const vdnn_layer *layer);
double vdnn_rope_angle(const vdnn_rope_shape *shape, int64_t position, int64_t pair);

#endif
