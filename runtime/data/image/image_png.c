/* PNG by libpng. Its errors come as a long jump to decode, which cleans up. */

#include "runtime/data/image/image_codec.h"

#include "runtime/base/heap.h"

#include <setjmp.h>
#include <stdbool.h>
#include <string.h>

#include <png.h>

enum {
    GREY = 1,
    RGB = 3,
    DEFLATE_RATIO = 1032, /* deflate compresses at most this many bytes into one */
    CHUNK_LIMIT = 1 << 20,
    BITS = 8,
};

typedef struct png_reader {
    png_structp codec;
    png_infop info;
    jmp_buf out;
    vdnn_image_job *job;
    vdnn_status status;
    size_t position; /* in the file */
    bool starved;    /* an allocation failed: libpng reports it like any other error */
} png_reader;

/* ---- errors, memory, bytes ------------------------------------------------------------------- */

_Noreturn static void leave(png_reader *reader, vdnn_status status)
{
    reader->status = status;
    longjmp(reader->out, 1);
}

_Noreturn static void on_error(png_structp codec, png_const_charp text)
{
    png_reader *reader = png_get_error_ptr(codec);
    const char *path = reader->job->file->path;
    if (reader->starved)
        leave(reader, vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to decode it", path));
    leave(reader, vdnn_status_fail(VDNN_BAD_INPUT, "%s: is a damaged PNG: %s", path, text));
}

static void on_warning(png_structp codec, png_const_charp text)
{
    (void)codec, (void)text;
}

static png_voidp on_alloc(png_structp codec, png_alloc_size_t bytes)
{
    png_reader *reader = png_get_mem_ptr(codec);
    void *memory = vdnn_heap_calloc(bytes, 1);
    reader->starved = reader->starved || memory == NULL;
    return memory;
}

static void on_free(png_structp codec, png_voidp memory)
{
    (void)codec;
    vdnn_heap_free(memory);
}

static void on_read(png_structp codec, png_bytep to, size_t count)
{
    png_reader *reader = png_get_io_ptr(codec);
    const vdnn_image_file *file = reader->job->file;
    if (count > file->size - reader->position)
        leave(reader,
              vdnn_status_fail(VDNN_BAD_INPUT, "%s: is a PNG that is cut off after %llu bytes",
                               file->path, (unsigned long long)file->size));
    memcpy(to, file->bytes + reader->position, count);
    reader->position += count;
}

/* ---- one picture ----------------------------------------------------------------------------- */

static uint64_t least_bytes(const png_reader *reader)
{
    uint64_t bits = (uint64_t)png_get_bit_depth(reader->codec, reader->info) *
                    png_get_channels(reader->codec, reader->info);
    return (uint64_t)png_get_image_width(reader->codec, reader->info) *
           png_get_image_height(reader->codec, reader->info) * bits / BITS / DEFLATE_RATIO;
}

static void check_mask(png_reader *reader)
{
    const int color = png_get_color_type(reader->codec, reader->info),
              bits = png_get_bit_depth(reader->codec, reader->info);
    const bool has_numbers = color == PNG_COLOR_TYPE_GRAY || color == PNG_COLOR_TYPE_PALETTE;
    if (!has_numbers || bits > BITS)
        leave(reader,
              vdnn_status_fail(VDNN_BAD_INPUT,
                               "%s: is a mask of %s of %d bits, expected grey or a palette "
                               "of up to 8",
                               reader->job->file->path, has_numbers ? "grey" : "colours", bits));
}

/* Every format becomes 8-bit grey or RGB; of a mask numbers stay as they are, in bytes. */
static int begin_rows(png_reader *reader)
{
    png_structp codec = reader->codec;
    if (reader->job->labels != NULL) {
        png_set_packing(codec);
    } else {
        png_set_scale_16(codec);
        png_set_expand(codec);
        png_set_strip_alpha(codec);
    }
    int passes = png_set_interlace_handling(codec);
    png_read_update_info(codec, reader->info);
    return passes;
}

static void read_in_order(png_reader *reader, unsigned char *row, int components)
{
    int64_t height = png_get_image_height(reader->codec, reader->info);
    for (int64_t y = 0; y < height; y++) {
        png_read_row(reader->codec, row, NULL);
        vdnn_image_row(reader->job, row, components);
    }
}

static void read_interlaced(png_reader *reader, unsigned char *rows, int passes, int components)
{
    size_t row_bytes = png_get_rowbytes(reader->codec, reader->info);
    int64_t height = png_get_image_height(reader->codec, reader->info);
    for (int pass = 0; pass < passes; pass++)
        for (int64_t y = 0; y < height; y++)
            png_read_row(reader->codec, rows + (size_t)y * row_bytes, NULL);
    for (int64_t y = 0; y < height; y++)
        vdnn_image_row(reader->job, rows + (size_t)y * row_bytes, components);
}

static void read_picture(png_reader *reader)
{
    png_structp codec = reader->codec;
    vdnn_image_job *job = reader->job;
    png_read_info(codec, reader->info);
    png_uint_32 height = png_get_image_height(codec, reader->info);
    png_uint_32 width = png_get_image_width(codec, reader->info);
    vdnn_status status = vdnn_image_check(job, height, width, least_bytes(reader));
    VDNN_IF_OK(status, vdnn_image_begin(job, height, width));
    if (status != VDNN_OK)
        leave(reader, status);
    if (job->labels != NULL)
        check_mask(reader);
    int passes = begin_rows(reader);
    size_t row_bytes = png_get_rowbytes(codec, reader->info);
    int components = png_get_channels(codec, reader->info);
    VDNN_INVARIANT(components == GREY || components == RGB, ==, 1);
    VDNN_INVARIANT(row_bytes, ==, (size_t)components * width);
    unsigned char *rows = vdnn_scratch_take(job->scratch, VDNN_SCRATCH_PICTURE,
                                            passes > 1 ? row_bytes * height : row_bytes);
    if (rows == NULL)
        leave(reader,
              vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for its rows", job->file->path));
    if (passes > 1)
        read_interlaced(reader, rows, passes, components);
    else
        read_in_order(reader, rows, components);
    png_read_end(codec, NULL); /* checks what is left, and that the file ends */
}

/* Reads only the pixels: not the texts and profiles, which are compressed and may be of any size.
 */
static void set_limits(png_reader *reader)
{
    png_structp codec = reader->codec;
    png_set_user_limits(codec, UINT32_MAX >> 1,
                        UINT32_MAX >> 1); /* vdnn_image_check has a better message */
    png_set_chunk_malloc_max(codec, CHUNK_LIMIT);
    static const unsigned char skipped[] = "iCCP\0zTXt\0iTXt\0tEXt\0eXIf\0sPLT\0hIST";
    png_set_keep_unknown_chunks(codec, PNG_HANDLE_CHUNK_NEVER, skipped, sizeof skipped / 5);
}

static void open_and_read(png_reader *reader)
{
    reader->codec = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, reader, on_error, on_warning,
                                             reader, on_alloc, on_free);
    if (reader->codec != NULL)
        reader->info = png_create_info_struct(reader->codec);
    if (reader->info == NULL)
        leave(reader, vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory to decode it",
                                       reader->job->file->path));
    png_set_read_fn(reader->codec, reader, on_read);
    set_limits(reader);
    read_picture(reader);
}

/* A separate function, because variables that change after setjmp must not be local to its caller.
 */
static void run(png_reader *reader)
{
    if (setjmp(reader->out) == 0)
        open_and_read(reader);
}

static vdnn_status png_decode(vdnn_image_job *job)
{
    png_reader reader = {.job = job, .status = VDNN_OK};
    run(&reader);
    png_destroy_read_struct(&reader.codec, &reader.info, NULL);
    return reader.status;
}

const vdnn_image_codec vdnn_png_codec = {
    .name = "PNG", .magic = "\x89PNG\r\n\x1a\n", .magic_bytes = 8, .decode = png_decode};
