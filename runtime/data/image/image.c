#include "runtime/data/image/image_codec.h"

#include <string.h>

static const vdnn_image_codec *const codecs[] = {&vdnn_jpeg_codec, &vdnn_png_codec};

/* ---- what codecs share ----------------------------------------------------------------------- */

vdnn_status vdnn_image_check(const vdnn_image_job *job, uint64_t height, uint64_t width,
                             uint64_t least_bytes)
{
    const vdnn_image_file *file = job->file;
    if (height == 0 || width == 0 || height > VDNN_PICTURE_MAX_SIDE ||
        width > VDNN_PICTURE_MAX_SIDE || height * width > VDNN_PICTURE_MAX_PIXELS)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: its header says %llu x %llu pixels; sides must be 1 to %d, "
                                "with at most %d pixels, "
                                "the limits of vdnn",
                                file->path, (unsigned long long)width, (unsigned long long)height,
                                (int)VDNN_PICTURE_MAX_SIDE, (int)VDNN_PICTURE_MAX_PIXELS);
    if (least_bytes > file->size)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "%s: its header says %llu x %llu pixels, which %llu bytes cannot "
                                "hold; it is cut off or damaged",
                                file->path, (unsigned long long)width, (unsigned long long)height,
                                (unsigned long long)file->size);
    return VDNN_OK;
}

vdnn_status vdnn_image_begin(vdnn_image_job *job, int64_t height, int64_t width)
{
    if (job->labels != NULL) {
        job->stored[0] = height;
        job->stored[1] = width;
        return VDNN_OK;
    }
    vdnn_resize_size size = {
        job->wanted.channels, {height, width}, {job->wanted.height, job->wanted.width}};
    void *memory = vdnn_scratch_take(job->scratch, VDNN_SCRATCH_RESIZE, vdnn_resizer_bytes(&size));
    if (memory == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to resize %lld x %lld pixels",
                                job->file->path, (long long)width, (long long)height);
    vdnn_resizer_begin(&job->resizer, &size, memory, job->pixels);
    for (int level = 0; level < 256; level++)
        job->levels[level] = (float)level / 255.0f;
    return VDNN_OK;
}

static void widen_grey(const float *levels, const unsigned char *row, int64_t width, float *to)
{
    for (int64_t x = 0; x < width; x++)
        to[x] = levels[row[x]];
}

static void widen_rgb(const float *levels, const unsigned char *row, int64_t width, float *to)
{
    for (int64_t x = 0; x < width; x++) {
        to[x] = levels[row[3 * x]];
        to[x + width] = levels[row[3 * x + 1]];
        to[x + 2 * width] = levels[row[3 * x + 2]];
    }
}

static void mix_grey(const float *levels, const unsigned char *rgb, int64_t width, float *to)
{
    for (int64_t x = 0; x < width; x++)
        to[x] = 0.299f * levels[rgb[3 * x]] + 0.587f * levels[rgb[3 * x + 1]] +
                0.114f * levels[rgb[3 * x + 2]];
}

/* The pixel whose middle is the nearest to that of pixel `i` of another size. */
static int64_t nearest(int64_t i, int64_t of, int64_t stored)
{
    return (2 * i + 1) * stored / (2 * of);
}

/* All rows of the result that it is the nearest to. */
static void take_mask_row(vdnn_image_job *job, const unsigned char *row)
{
    const int64_t height = job->wanted.height, width = job->wanted.width;
    for (; job->next < height && nearest(job->next, height, job->stored[0]) == job->row;
         job->next++)
        for (int64_t x = 0; x < width; x++)
            job->labels[job->next * width + x] = row[nearest(x, width, job->stored[1])];
    job->row++;
}

void vdnn_image_row(vdnn_image_job *job, const unsigned char *row, int components)
{
    if (job->labels != NULL) {
        take_mask_row(job, row);
        return;
    }
    float *to = vdnn_resizer_row(&job->resizer);
    int64_t width = job->resizer.size.from[1], channels = job->wanted.channels;
    if (components == 1)
        for (int64_t c = 0; c < channels; c++)
            widen_grey(job->levels, row, width, to + c * width);
    else if (channels == 1)
        mix_grey(job->levels, row, width, to);
    else
        widen_rgb(job->levels, row, width, to);
    vdnn_resizer_push(&job->resizer);
}

/* ---- decoding -------------------------------------------------------------------------------- */

static vdnn_status no_picture(const vdnn_image_file *file)
{
    if (file->size == 0)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: is empty, expected a JPEG or PNG picture",
                                file->path);
    unsigned char first[4] = {0};
    memcpy(first, file->bytes, file->size < sizeof first ? file->size : sizeof first);
    return vdnn_status_fail(VDNN_BAD_INPUT,
                            "%s: is neither a JPEG nor a PNG picture: it begins with %02x %02x "
                            "%02x %02x",
                            file->path, first[0], first[1], first[2], first[3]);
}

static vdnn_status decode(const vdnn_image_file *file, const vdnn_picture_size *size,
                          vdnn_scratch *scratch, float *pixels)
{
    vdnn_image_job job = {.file = file, .wanted = *size, .scratch = scratch, .pixels = pixels};
    VDNN_INVARIANT(size->channels == 1 || size->channels == 3, ==, 1);
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++)
        if (file->size >= codecs[i]->magic_bytes &&
            memcmp(file->bytes, codecs[i]->magic, codecs[i]->magic_bytes) == 0)
            return codecs[i]->decode(&job);
    return no_picture(file);
}

/* It is turned once it has the size that is wanted, which is less to move than what is stored. */
vdnn_status vdnn_image_decode(const vdnn_image_file *file, const vdnn_picture_size *size,
                              int orientation, vdnn_scratch *scratch, float *pixels)
{
    if (orientation == VDNN_ORIENTATION_UPRIGHT)
        return decode(file, size, scratch, pixels);
    const vdnn_picture_size turned = vdnn_orientation_stored(orientation, size);
    const size_t count = (size_t)(size->channels * size->height * size->width);
    float *stored = vdnn_scratch_take(scratch, VDNN_SCRATCH_STORED, count * sizeof *stored);
    if (stored == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to turn it", file->path);
    vdnn_status status = decode(file, &turned, scratch, stored);
    if (status == VDNN_OK)
        vdnn_orientation_apply(orientation, size, stored, pixels);
    return status;
}

vdnn_status vdnn_image_decode_mask(const vdnn_image_file *file, int64_t height, int64_t width,
                                   int orientation, vdnn_scratch *scratch, int32_t *labels)
{
    const vdnn_picture_size upright = {1, height, width};
    vdnn_image_job job = {.file = file,
                          .wanted = vdnn_orientation_stored(orientation, &upright),
                          .scratch = scratch,
                          .labels = labels};
    const vdnn_image_codec *png = &vdnn_png_codec;
    if (file->size < png->magic_bytes || memcmp(file->bytes, png->magic, png->magic_bytes) != 0)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: is a mask, expected a PNG", file->path);
    if (orientation == VDNN_ORIENTATION_UPRIGHT)
        return png->decode(&job);
    job.labels =
        vdnn_scratch_take(scratch, VDNN_SCRATCH_STORED, (size_t)(height * width) * sizeof *labels);
    if (job.labels == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to turn it", file->path);
    vdnn_status status = png->decode(&job);
    if (status == VDNN_OK)
        vdnn_orientation_apply(orientation, &upright, job.labels, labels);
    return status;
}
