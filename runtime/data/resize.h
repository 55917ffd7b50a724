#ifndef VDNN_RUNTIME_DATA_RESIZE_H
#define VDNN_RUNTIME_DATA_RESIZE_H

/* Bilinear resizing of one plane of pixels.
 *
 * Pixel centres are at halves: the pixel at x of the result comes from (x + 0.5) * from / to - 0.5
 * of the source, clamped to the picture (as PyTorch's interpolate with align_corners=False).
 *
 * Invariant: pure; a plane of the wanted size is copied bit for bit.
 * Threads: any.
 *
 *     for (c = 0; c < channels; c++)
 *         vdnn_resize_plane(in + c * in_h * in_w, in_h, in_w, out + c * h * w, h, w);
 */

#include <stdint.h>

/* `from` (from_height x from_width) to `to` (height x width); they must not overlap. */
void vdnn_resize_plane(const float *from, int64_t from_height, int64_t from_width, float *to,
                       int64_t height, int64_t width);

#endif
