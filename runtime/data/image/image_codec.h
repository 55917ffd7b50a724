#ifndef VDNN_RUNTIME_DATA_IMAGE_IMAGE_CODEC_H
#define VDNN_RUNTIME_DATA_IMAGE_IMAGE_CODEC_H

/* An image format, and what the formats share: passing a picture on row by row.
 *
 * Invariant: a codec calls check before it lets its library take memory for the picture, begin
 * once, then row once for each row from the top; it returns VDNN_OK only after all of them.
 * Threads: a job is one thread's.
 *
 *     status = vdnn_image_check(job, height, width, smallest_file);
 *     status = vdnn_image_begin(job, height, width);
 *     for (...)
 *         vdnn_image_row(job, bytes, components);
 *
 * A new format is one file with a vdnn_image_codec and one line in image.c.
 */

#include "runtime/data/image/image.h"
#include "runtime/data/image/resize.h"

typedef struct vdnn_image_job {
    const vdnn_image_file *file;
    vdnn_picture_size wanted;
    vdnn_scratch *scratch;
    float *pixels;
    vdnn_resizer resizer; /* from begin on */
    float levels[256];    /* of each byte; from begin on */
    /* In the place of pixels: a mask, whose next row is read from row `row` of `stored`, h and w.
     */
    int32_t *labels;
    int64_t stored[2], row, next;
} vdnn_image_job;

typedef struct vdnn_image_codec {
    const char *name;
    const char *magic; /* the first bytes of a file */
    size_t magic_bytes;
    vdnn_status (*decode)(vdnn_image_job *job);
} vdnn_image_codec;

extern const vdnn_image_codec vdnn_jpeg_codec, vdnn_png_codec;

/* Whether a picture of this size is supported: within the bounds, and possible in a file of this
 * length, which requires at least `least_bytes`. */
vdnn_status vdnn_image_check(const vdnn_image_job *job, uint64_t height, uint64_t width,
                             uint64_t least_bytes);

/* Rows of `width` pixels follow. */
vdnn_status vdnn_image_begin(vdnn_image_job *job, int64_t height, int64_t width);

/* The next row: pixels of 1 (grey, or a mask's) or 3 (RGB) bytes. */
void vdnn_image_row(vdnn_image_job *job, const unsigned char *row, int components);

#endif
