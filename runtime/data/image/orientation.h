#ifndef VDNN_RUNTIME_DATA_IMAGE_ORIENTATION_H
#define VDNN_RUNTIME_DATA_IMAGE_ORIENTATION_H

/* The orientation in the EXIF data of a JPEG or PNG picture: how it must be turned to be upright.
 *
 *     1        2       3      4         5            6           7          8
 *
 *     888888  888888      88  88      8888888888  88                  88  8888888888
 *     88          88      88  88      88  88      88  88          88  88      88  88
 *     8888      8888    8888  8888    88          8888888888  8888888888          88
 *     88          88      88  88
 *     88          88  888888  888888
 *
 * (an F as it is stored, of each). Cameras store what the sensor reads, and say by this number how
 * they were held.
 *
 * Invariant: no byte outside the file is read, whatever lengths and offsets it claims; data that
 * cannot be understood say nothing.
 * Threads: any.
 *
 *     int orientation = vdnn_orientation_find(file.bytes, file.size);
 *     if (orientation != VDNN_ORIENTATION_UPRIGHT)
 *         vdnn_orientation_apply(orientation, &upright, stored, pixels);
 */

#include "runtime/data/image/picture.h"

#include <stddef.h>

enum { VDNN_ORIENTATION_UPRIGHT = 1, VDNN_ORIENTATION_LAST = 8 };

/* 1 to 8; upright where the file says nothing. Reads the headers alone. */
int vdnn_orientation_find(const unsigned char *bytes, size_t size);

/* The size of the picture as it is stored, of one that has `upright` once it is turned. */
vdnn_picture_size vdnn_orientation_stored(int orientation, const vdnn_picture_size *upright);

/* Channels x height x width numbers of four bytes, as stored and as `upright` says; they must not
 * overlap. */
void vdnn_orientation_apply(int orientation, const vdnn_picture_size *upright, const void *stored,
                            void *pixels);

#endif
