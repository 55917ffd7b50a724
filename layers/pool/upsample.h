#ifndef VDNN_LAYERS_POOL_UPSAMPLE_H
#define VDNN_LAYERS_POOL_UPSAMPLE_H

/* The config of an upsampling by whole factors, for its algorithms, and its interpolation.
 *
 * Along one side of a map of n cells, cell c * scale + k of the output, k its phase, is
 *
 *     nearest      x[c]
 *     bilinear     (1 - t) x[c - d] + t x[c - d + 1], where d is 0 or 1 and t in [0, 1), both of
 *                  the phase alone; cells before the first and after the last are these
 *
 * as PyTorch's interpolate has it (align_corners=False). All sides are interpolated, of a
 * volume three (PyTorch's trilinear).
 *
 * Invariant: pure. Threads: any.
 *
 *     const vdnn_upsample_phase phase = vdnn_upsample_phase_of(config, VDNN_SIDE_H, k);
 */

#include "layers/layer.h"

enum { VDNN_UPSAMPLE_NEAREST, VDNN_UPSAMPLE_BILINEAR, VDNN_UPSAMPLE_MODES };

typedef struct vdnn_upsample_config {
    int64_t scale[VDNN_SIDES];
    int64_t mode;
} vdnn_upsample_config;

typedef struct vdnn_upsample_phase {
    int64_t before; /* d */
    float second;   /* t */
} vdnn_upsample_phase;

static inline vdnn_upsample_phase vdnn_upsample_phase_of(const vdnn_upsample_config *upsample,
                                                         int side, int64_t k)
{
    const double scale = (double)upsample->scale[side], at = ((double)k + 0.5) / scale - 0.5;
    vdnn_upsample_phase phase = {0, 0.0F};
    if (upsample->mode == VDNN_UPSAMPLE_BILINEAR) {
        phase.before = at < 0 ? 1 : 0;
        phase.second = (float)(at + (double)phase.before);
    }
    return phase;
}

#endif
