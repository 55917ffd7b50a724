#ifndef VDNN_RUNTIME_DATA_IMAGE_RESIZE_H
#define VDNN_RUNTIME_DATA_IMAGE_RESIZE_H

/* Bilinear resizing of a picture row by row, so that a large one is never in memory as a whole.
 *
 * Pixel centres are at halves: the pixel at x of the result lies at (x + 0.5) * from / to - 0.5 of
 * the source. Enlarged, it is interpolated between its two neighbours, at the edge the edge itself
 * (PyTorch's interpolate with align_corners=False). Made smaller, the triangle of the interpolation
 * is widened by from / to, so that every pixel of the source counts and fine detail does not alias
 * (the same with antialias=True; Pillow's and torchvision's resize).
 *
 *     source rows ->  [ ring of the rows that the next result row needs ]
 *                         | weighted sum over rows, then over columns
 *                         v
 *                     result, channel by channel
 *
 * Invariant: each row of the result is written once, as soon as the last row that it needs was
 * pushed; a side that keeps its size is copied bit for bit.
 * Threads: one at a time.
 *
 *     vdnn_resize_size size = {channels, {from_height, from_width}, {height, width}};
 *     vdnn_resizer_begin(&resizer, &size, memory, to); // vdnn_resizer_bytes(&size) bytes
 *     for (y = 0; y < from_height; y++) {
 *         float *row = vdnn_resizer_row(&resizer); // fill: channels x from_width
 *         vdnn_resizer_push(&resizer);
 *     }
 */

#include <stddef.h>
#include <stdint.h>

typedef struct vdnn_resize_size {
    int64_t channels;
    int64_t from[2], to[2]; /* height, width; each 1 to VDNN_PICTURE_MAX_SIDE */
} vdnn_resize_size;

/* The cells of the source that a cell of the result averages, along one axis. */
typedef struct vdnn_resize_axis {
    int32_t *first, *count; /* (to) */
    float *weights;         /* (to, stride) */
    int64_t stride;         /* the largest count */
} vdnn_resize_axis;

typedef struct vdnn_resizer {
    vdnn_resize_size size;
    vdnn_resize_axis rows, columns;
    float *ring;             /* (rows.stride, channels, from width); row r is at r % stride */
    float *line;             /* (channels, from width): a row of the result before its columns */
    float *to;               /* (channels, height, width); borrowed */
    int64_t pushed, written; /* rows of the source and of the result */
} vdnn_resizer;

/* Bytes that a resizer requires in addition to its struct. */
size_t vdnn_resizer_bytes(const vdnn_resize_size *size);

/* `memory` is aligned for floats, `to` channels x to[0] x to[1]; both are borrowed until the last
 * row was pushed. */
void vdnn_resizer_begin(vdnn_resizer *resizer, const vdnn_resize_size *size, void *memory,
                        float *to);

/* Where to write the next row of the source: its channels one after the other. */
float *vdnn_resizer_row(const vdnn_resizer *resizer);
/* The row is complete. At most from[0] times. */
void vdnn_resizer_push(vdnn_resizer *resizer);

#endif
