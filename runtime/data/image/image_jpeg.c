/* JPEG by libjpeg-turbo. Its errors come as a long jump to decode, which cleans up; warnings that
 * mean lost pixels are errors. */

#include "runtime/data/image/image_codec.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>

#include <jerror.h>
#include <jpeglib.h>

enum {
    RGB = 3,
    SCALE_WHOLE = 8, /* the library scales by eighths */
    SPARE = 2,       /* this many times the wanted pixels per side are left to the resizer */
    BLOCK_SIDE = 8,
    BITS = 8,
    /* Decoding a progressive picture visits all blocks once per scan, and a scan can be a few
     * bytes; cameras and encoders write about ten. */
    MAX_SCANS = 200,
};

typedef struct jpeg_reader {
    struct jpeg_decompress_struct codec;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf out;
    vdnn_image_job *job;
    vdnn_status status;
} jpeg_reader;

/* ---- errors ---------------------------------------------------------------------------------- */

_Noreturn static void leave(jpeg_reader *reader, vdnn_status status)
{
    reader->status = status;
    longjmp(reader->out, 1);
}

_Noreturn static void leave_with_message(j_common_ptr codec)
{
    jpeg_reader *reader = codec->client_data;
    char text[JMSG_LENGTH_MAX];
    codec->err->format_message(codec, text);
    bool memory = codec->err->msg_code == JERR_OUT_OF_MEMORY;
    leave(reader, vdnn_status_fail(memory ? VDNN_NO_MEMORY : VDNN_BAD_INPUT,
                                   "%s: is a damaged or unknown kind of JPEG: %s",
                                   reader->job->file->path, text));
}

/* Level -1 is a warning, higher levels are traces. */
static void on_warning(j_common_ptr codec, int level)
{
    static const int harmless[] = {JWRN_EXTRANEOUS_DATA, JWRN_ADOBE_XFORM, JWRN_BOGUS_ICC};
    if (level >= 0)
        return;
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (codec->err->msg_code == harmless[i])
            return;
    leave_with_message(codec);
}

static void on_text(j_common_ptr codec)
{
    (void)codec;
}

static void on_progress(j_common_ptr codec)
{
    jpeg_reader *reader = codec->client_data;
    if (reader->codec.input_scan_number > MAX_SCANS)
        leave(reader,
              vdnn_status_fail(VDNN_BAD_INPUT, "%s: is a JPEG of more than %d scans; save it again",
                               reader->job->file->path, (int)MAX_SCANS));
}

/* ---- one picture ----------------------------------------------------------------------------- */

/* The fewest bytes that can hold it: one bit per block, except with arithmetic coding. */
static uint64_t least_bytes(const jpeg_reader *reader)
{
    const struct jpeg_decompress_struct *codec = &reader->codec;
    if (codec->arith_code)
        return 0;
    return (uint64_t)codec->image_width * codec->image_height / (BLOCK_SIDE * BLOCK_SIDE * BITS);
}

/* The smallest scale, in eighths, that is large enough. */
static unsigned choose_scale(const jpeg_reader *reader)
{
    const vdnn_picture_size *wanted = &reader->job->wanted;
    uint64_t height = SPARE * (uint64_t)wanted->height, width = SPARE * (uint64_t)wanted->width;
    unsigned eighths = SCALE_WHOLE;
    while (eighths > 1 &&
           (uint64_t)reader->codec.image_height * eighths / 2 >= SCALE_WHOLE * height &&
           (uint64_t)reader->codec.image_width * eighths / 2 >= SCALE_WHOLE * width)
        eighths /= 2;
    return eighths;
}

static J_COLOR_SPACE choose_colours(const jpeg_reader *reader)
{
    J_COLOR_SPACE stored = reader->codec.jpeg_color_space;
    bool has_grey = stored == JCS_GRAYSCALE || stored == JCS_YCbCr;
    if (stored == JCS_GRAYSCALE || (has_grey && reader->job->wanted.channels == 1))
        return JCS_GRAYSCALE;
    return stored == JCS_CMYK || stored == JCS_YCCK ? JCS_CMYK : JCS_RGB;
}

/* In place. Adobe's programs store how much of an ink is missing. */
static void inks_to_rgb(const jpeg_reader *reader, unsigned char *row)
{
    bool missing = reader->codec.saw_Adobe_marker;
    for (JDIMENSION x = 0; x < reader->codec.output_width; x++) {
        unsigned char inks[4];
        for (int i = 0; i < 4; i++)
            inks[i] = missing ? row[4 * x + (unsigned)i]
                              : (unsigned char)(255 - row[4 * x + (unsigned)i]);
        for (int i = 0; i < RGB; i++)
            row[RGB * x + (unsigned)i] = (unsigned char)((inks[i] * inks[3] + 127) / 255);
    }
}

static void read_rows(jpeg_reader *reader)
{
    struct jpeg_decompress_struct *codec = &reader->codec;
    bool inks = codec->out_color_space == JCS_CMYK;
    int components = inks ? RGB : codec->output_components;
    JSAMPARRAY row =
        codec->mem->alloc_sarray((j_common_ptr)codec, JPOOL_IMAGE,
                                 codec->output_width * (JDIMENSION)codec->output_components, 1);
    while (codec->output_scanline < codec->output_height) {
        (void)jpeg_read_scanlines(codec, row, 1);
        if (inks)
            inks_to_rgb(reader, row[0]);
        vdnn_image_row(reader->job, row[0], components);
    }
}

static void read_picture(jpeg_reader *reader)
{
    struct jpeg_decompress_struct *codec = &reader->codec;
    jpeg_create_decompress(codec);
    codec->progress = &reader->progress;
    jpeg_mem_src(codec, reader->job->file->bytes, reader->job->file->size);
    (void)jpeg_read_header(codec, TRUE);
    vdnn_status status =
        vdnn_image_check(reader->job, codec->image_height, codec->image_width, least_bytes(reader));
    if (status != VDNN_OK)
        leave(reader, status);
    codec->scale_num = choose_scale(reader);
    codec->scale_denom = SCALE_WHOLE;
    codec->out_color_space = choose_colours(reader);
    (void)jpeg_start_decompress(codec);
    status = vdnn_image_begin(reader->job, codec->output_height, codec->output_width);
    if (status != VDNN_OK)
        leave(reader, status);
    read_rows(reader);
    (void)jpeg_finish_decompress(codec);
}

/* A separate function, because variables that change after setjmp must not be local to its caller.
 */
static void run(jpeg_reader *reader)
{
    if (setjmp(reader->out) == 0)
        read_picture(reader);
}

static vdnn_status jpeg_decode(vdnn_image_job *job)
{
    jpeg_reader reader = {.job = job, .status = VDNN_OK};
    reader.codec.err = jpeg_std_error(&reader.errors);
    reader.codec.client_data = &reader;
    reader.errors.error_exit = leave_with_message;
    reader.errors.emit_message = on_warning;
    reader.errors.output_message = on_text;
    reader.progress.progress_monitor = on_progress;
    run(&reader);
    jpeg_destroy_decompress(&reader.codec);
    return reader.status;
}

const vdnn_image_codec vdnn_jpeg_codec = {
    .name = "JPEG", .magic = "\xff\xd8\xff", .magic_bytes = 3, .decode = jpeg_decode};
