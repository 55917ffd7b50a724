#ifndef VDNN_RUNTIME_DATA_TRANSFORM_H
#define VDNN_RUNTIME_DATA_TRANSFORM_H

/* The transformation of a picture between data and network: a random crop of the padded picture, a
 * random flip, then mean and standard deviation.
 *
 *     set -> [ shift by up to `crop` pixels, 0 from outside ] -> [ mirror left and right ]
 *         -> (pixel - mean) / std -> network
 *
 * Invariant: random choices are a pure function of (seed, epoch, position in the epoch): not of
 * batch, thread, policy or the step at which a run is resumed.
 * Threads: pure functions.
 *
 *     vdnn_transform_draw draw = vdnn_transform_choose(&transform, seed, epoch, position);
 *     vdnn_transform_apply(&transform, &size, &draw, from, to);
 */

#include "runtime/data/image/picture.h"

#include <stdbool.h>

enum { VDNN_TRANSFORM_MAX_CHANNELS = 16 }; /* with a mean and a deviation each */

/* All-zero changes nothing. */
typedef struct vdnn_transform {
    bool flip;       /* mirror every other picture, left and right */
    int64_t crop[2]; /* pixels of padding at each side: above and below, left and right */
    int normalized;  /* 0: pixels stay; 1: mean[0] and std[0] of all; else of each channel */
    float mean[VDNN_TRANSFORM_MAX_CHANNELS], std[VDNN_TRANSFORM_MAX_CHANNELS];
} vdnn_transform;

/* The random choices for one picture. */
typedef struct vdnn_transform_draw {
    int64_t down, right; /* the pixel at (0, 0) of the result comes from here: -crop .. crop */
    bool mirrored;
} vdnn_transform_draw;

/* Whether pixels change places, so that apply needs two pictures. */
bool vdnn_transform_moves(const vdnn_transform *transform);

vdnn_transform_draw vdnn_transform_choose(const vdnn_transform *transform, uint64_t seed,
                                          uint64_t epoch, uint64_t position);

/* Both channels x height x width; `from` may be `to` if pixels keep their places. */
void vdnn_transform_apply(const vdnn_transform *transform, const vdnn_picture_size *size,
                          const vdnn_transform_draw *draw, const float *from, float *to);

/* Of labels that are one for each pixel, which move with it: channels x height x width numbers of
 * four bytes, the one at `outside` from outside. */
void vdnn_transform_move(const vdnn_picture_size *size, const vdnn_transform_draw *draw,
                         const void *from, const void *outside, void *to);

#endif
