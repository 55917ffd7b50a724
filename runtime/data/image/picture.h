#ifndef VDNN_RUNTIME_DATA_IMAGE_PICTURE_H
#define VDNN_RUNTIME_DATA_IMAGE_PICTURE_H

/* The size of a picture, and its bounds.
 *
 * Invariant: for a checked size neither the number of pixels nor that of bytes overflows.
 * Threads: plain values.
 *
 *     vdnn_picture_size size = {3, 224, 224};
 *     if (size.height > VDNN_PICTURE_MAX_SIDE)
 *         return vdnn_status_fail(VDNN_BAD_INPUT, ...);
 */

#include <stdint.h>

enum {
    VDNN_PICTURE_MAX_SIDE = 65536,
    VDNN_PICTURE_MAX_PIXELS = 1 << 26,
};

typedef struct vdnn_picture_size {
    int64_t channels, height, width;
} vdnn_picture_size;

#endif
