#ifndef VDNN_RUNTIME_DATA_IMAGE_PIXELS_H
#define VDNN_RUNTIME_DATA_IMAGE_PIXELS_H

/* Converts pixels stored as bytes to the floats that networks read: 0 is 0, 255 is 1.
 *
 * Invariant: no memory but the result's is used: the bytes are read to its end and widened in
 * place.
 * Threads: as vdnn_source_read.
 *
 *     float pixels[3 * 32 * 32];
 *     status = vdnn_pixels_read(source, offset, 3 * 32 * 32, pixels);
 *     if (status != VDNN_OK)
 *         return status; // pixels are undefined
 *     ... every pixel is within [0, 1] ...
 */

#include "runtime/data/source.h"

/* The `count` bytes from `offset` on, each divided by 255. Statuses of vdnn_source_read. */
vdnn_status vdnn_pixels_read(const vdnn_source *source, uint64_t offset, size_t count,
                             float *pixels);

#endif
