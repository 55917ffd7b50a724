#ifndef VDNN_RUNTIME_DATA_IMAGE_IMAGE_H
#define VDNN_RUNTIME_DATA_IMAGE_IMAGE_H

/* Pictures as JPEG or PNG, from memory, at the size that a network reads.
 *
 * A picture is decoded row by row into a resizer (runtime/data/image/resize.h), so that what it
 * takes beside the result is a few rows; an interlaced PNG is unpacked whole first, and a
 * progressive JPEG by its library. A JPEG that is at least four times too large on both sides is
 * decoded at a half, a quarter or an eighth of its size, which leaves the resizer twice the wanted
 * pixels a side or more.
 *
 * One channel: 0.299 R + 0.587 G + 0.114 B; three: RGB, of grey three times the grey. Transparency
 * and colour profiles are ignored; 16 bits are rounded to 8; CMYK becomes RGB as 1 - min(1, ink).
 *
 * Invariant: what a file says of its size is checked against bounds and against its length before
 * memory is taken for it; a picture is whole or an error, never grey from some row on.
 * Threads: any, each with its scratch.
 *
 *     vdnn_image_file file = {bytes, byte_count, "cat/1.jpeg"};
 *     vdnn_picture_size size = {3, 224, 224};
 *     status = vdnn_image_decode(&file, &size, &scratch, pixels);
 */

#include "runtime/base/status.h"
#include "runtime/data/image/picture.h"
#include "runtime/data/image/scratch.h"

typedef struct vdnn_image_file {
    const unsigned char *bytes; /* borrowed */
    size_t size;
    const char *path; /* what messages call it */
} vdnn_image_file;

/* `pixels` as size->channels (1 or 3) x height x width, each in [0, 1] up to rounding. Takes
 * VDNN_SCRATCH_RESIZE and VDNN_SCRATCH_PICTURE, so `file` must lie in neither. VDNN_BAD_INPUT with
 * path and reason for what is no picture, damaged, cut off or too large; VDNN_NO_MEMORY. */
vdnn_status vdnn_image_decode(const vdnn_image_file *file, const vdnn_picture_size *size,
                              vdnn_scratch *scratch, float *pixels);

#endif
