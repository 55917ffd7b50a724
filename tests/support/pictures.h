#ifndef VDNN_TESTS_SUPPORT_PICTURES_H
#define VDNN_TESTS_SUPPORT_PICTURES_H

/* Pictures for tests, written as JPEG and PNG of every kind by the formats' own libraries.
 *
 * Invariant: what is written is a function of the arguments; a failure fails the test.
 * Threads: one.
 *
 *     vdnn_test_picture picture = vdnn_test_gradient(20, 30, 3, 0);
 *     vdnn_test_blob file = vdnn_test_jpeg(&picture, &(vdnn_test_jpeg_kind){.quality = 95});
 *     vdnn_test_write_file(path, file.bytes, file.count);
 *     free(file.bytes);
 *     free(picture.pixels);
 */

#include "tests/support/vdnn_test.h"

#include <stdbool.h>

/* height x width x components bytes; pixels are freed with free. */
typedef struct vdnn_test_picture {
    int height, width, components;
    unsigned char *pixels;
} vdnn_test_picture;

/* A smooth picture, another one for each seed; components 1 to 4. */
vdnn_test_picture vdnn_test_gradient(int height, int width, int components, int seed);

typedef struct vdnn_test_blob {
    unsigned char *bytes; /* freed with free */
    size_t count;
} vdnn_test_blob;

typedef struct vdnn_test_jpeg_kind {
    int quality;      /* 0: 98 */
    bool progressive; /* the usual scans */
    bool arithmetic;
    bool subsampled; /* colour at half the size */
    bool plain_rgb;  /* components as they are, without YCbCr */
    bool adobe;      /* of four components: inks inverted, YCCK */
    int scans;       /* progressive ones, 1 and more; 0: as usual */
    int restart_rows;
} vdnn_test_jpeg_kind;

/* One component is grey, three RGB, four CMYK (0: no ink). */
vdnn_test_blob vdnn_test_jpeg(const vdnn_test_picture *picture, const vdnn_test_jpeg_kind *kind);

typedef struct vdnn_test_png_kind {
    int bits;     /* 1, 2, 4, 8, 16; 0: 8. Pixels keep their upper bits */
    bool palette; /* of one component: pixel p is the colour (p, 255 - p, p / 2) */
    bool interlaced;
    bool transparent; /* a tRNS chunk */
} vdnn_test_png_kind;

/* One component is grey, two with alpha, three RGB, four with alpha. */
vdnn_test_blob vdnn_test_png(const vdnn_test_picture *picture, const vdnn_test_png_kind *kind);

/* The JPEG or PNG with EXIF data that say this orientation, in a byte order or the other. */
vdnn_test_blob vdnn_test_with_exif(const vdnn_test_blob *file, int orientation, bool is_big);

/* Writes a small PNG of 3 components. */
void vdnn_test_write_picture(const char *path, int height, int width, int seed);

#endif
