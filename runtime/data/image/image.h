#ifndef VDNN_RUNTIME_DATA_IMAGE_IMAGE_H
#define VDNN_RUNTIME_DATA_IMAGE_IMAGE_H

/* Pictures as JPEG or PNG, from memory, at the size that a network reads.
 *
 * A picture is decoded row by row into a resizer (runtime/data/image/resize.h), so that it takes
 * only a few rows in addition to the result; an interlaced PNG is decoded completely first, and a
 * progressive JPEG by its library. A JPEG that is at least four times too large on both sides is
 * decoded at a half, a quarter or an eighth of its size, which leaves the resizer at least twice
 * the wanted pixels per side.
 *
 * One channel: 0.299 R + 0.587 G + 0.114 B; three: RGB, of grey three times the grey. Transparency
 * and colour profiles are ignored; 16 bits are rounded to 8; CMYK becomes RGB as 1 - min(1, ink).
 *
 * Invariant: the size in a file is checked against bounds and against the file's length before
 * memory is taken for it; a picture is complete or an error, never grey from some row on.
 * Threads: any, each with its scratch.
 *
 *     vdnn_image_file file = {bytes, byte_count, "cat/1.jpeg"};
 *     vdnn_picture_size size = {3, 224, 224};
 *     status = vdnn_image_decode(&file, &size, VDNN_ORIENTATION_UPRIGHT, &scratch, pixels);
 */

#include "runtime/base/status.h"
#include "runtime/data/image/orientation.h"
#include "runtime/data/image/picture.h"
#include "runtime/data/image/scratch.h"

typedef struct vdnn_image_file {
    const unsigned char *bytes; /* borrowed */
    size_t size;
    const char *path; /* what messages call it */
} vdnn_image_file;

/* `pixels` as size->channels (1 or 3) x height x width, each in [0, 1] up to rounding, of the
 * picture turned by `orientation` (orientation.h; upright: as it is stored). Takes
 * VDNN_SCRATCH_RESIZE, VDNN_SCRATCH_PICTURE and, to turn it, VDNN_SCRATCH_STORED, so `file` must
 * lie in none of them. VDNN_BAD_INPUT with path and reason if it is not a picture, damaged,
 * truncated or too large; VDNN_NO_MEMORY. */
vdnn_status vdnn_image_decode(const vdnn_image_file *file, const vdnn_picture_size *size,
                              int orientation, vdnn_scratch *scratch, float *pixels);

/* A mask: of each pixel the number of its grey or of its colour in the palette, at the size that is
 * wanted; where that is another one, of the nearest pixel; turned by `orientation`, its picture's.
 * Takes VDNN_SCRATCH_PICTURE and, to turn it, VDNN_SCRATCH_STORED. VDNN_BAD_INPUT also for what is
 * no PNG of up to 8 bits of grey or palette. */
vdnn_status vdnn_image_decode_mask(const vdnn_image_file *file, int64_t height, int64_t width,
                                   int orientation, vdnn_scratch *scratch, int32_t *labels);

#endif
