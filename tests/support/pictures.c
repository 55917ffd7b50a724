#include "tests/support/pictures.h"

#include "tests/support/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>
#include <zlib.h>

enum { JPEG_QUALITY = 98, MAX_SCANS = 400, BLOCK_CELLS = 64 };

static void *take(size_t bytes)
{
    void *memory = calloc(bytes, 1);
    assert_non_null(memory);
    return memory;
}

vdnn_test_picture vdnn_test_gradient(int height, int width, int components, int seed)
{
    vdnn_test_picture picture = {height, width, components, NULL};
    picture.pixels = take((size_t)height * (size_t)width * (size_t)components);
    unsigned char *pixel = picture.pixels;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int c = 0; c < components; c++) {
                int across = (c + seed) % 2 == 0 ? x : width - 1 - x;
                int down = (c + seed) % 3 == 0 ? y : height - 1 - y;
                *pixel++ = (unsigned char)(20 + 10 * (seed % 5) + across * 90 / width +
                                           down * 80 / height);
            }
    return picture;
}

/* ---- JPEG ------------------------------------------------------------------------------------ */

/* Progressive scans of one coefficient each, then the same again for the last bit. */
static int make_scans(jpeg_scan_info *scans, int components, int count)
{
    int made = 0;
    scans[made++] = (jpeg_scan_info){.comps_in_scan = components, .component_index = {0, 1, 2}};
    for (int bit = 1; bit >= 0; bit--)
        for (int c = 0; c < components; c++)
            for (int cell = 1; cell < BLOCK_CELLS && made < count; cell++)
                scans[made++] = (jpeg_scan_info){.comps_in_scan = 1,
                                                 .component_index = {c},
                                                 .Ss = cell,
                                                 .Se = cell,
                                                 .Ah = bit == 1 ? 0 : 1,
                                                 .Al = bit};
    return made;
}

static void set_kind(struct jpeg_compress_struct *codec, const vdnn_test_jpeg_kind *kind,
                     jpeg_scan_info *scans)
{
    jpeg_set_defaults(codec);
    if (kind->plain_rgb)
        jpeg_set_colorspace(codec, JCS_RGB);
    if (kind->adobe)
        jpeg_set_colorspace(codec, JCS_YCCK);
    jpeg_set_quality(codec, kind->quality > 0 ? kind->quality : JPEG_QUALITY, TRUE);
    for (int c = 0; c < codec->num_components; c++)
        codec->comp_info[c].h_samp_factor = codec->comp_info[c].v_samp_factor =
            kind->subsampled && c == 0 ? 2 : 1;
    codec->arith_code = kind->arithmetic;
    codec->restart_in_rows = kind->restart_rows;
    if (kind->progressive)
        jpeg_simple_progression(codec);
    if (kind->scans > 0) {
        codec->num_scans = make_scans(scans, codec->num_components, kind->scans);
        codec->scan_info = scans;
    }
}

vdnn_test_blob vdnn_test_jpeg(const vdnn_test_picture *picture, const vdnn_test_jpeg_kind *kind)
{
    static const J_COLOR_SPACE spaces[] = {JCS_UNKNOWN, JCS_GRAYSCALE, JCS_UNKNOWN, JCS_RGB,
                                           JCS_CMYK};
    struct jpeg_compress_struct codec;
    struct jpeg_error_mgr errors;
    jpeg_scan_info scans[MAX_SCANS];
    unsigned long count = 0;
    vdnn_test_blob file = {NULL, 0};
    codec.err = jpeg_std_error(&errors);
    jpeg_create_compress(&codec);
    jpeg_mem_dest(&codec, &file.bytes, &count);
    codec.image_height = (JDIMENSION)picture->height;
    codec.image_width = (JDIMENSION)picture->width;
    codec.input_components = picture->components;
    codec.in_color_space = spaces[picture->components];
    set_kind(&codec, kind, scans);
    /* Without a marker nobody inverts; libjpeg writes one by itself where there are inks. */
    if (picture->components == 4)
        codec.write_Adobe_marker = kind->adobe;
    jpeg_start_compress(&codec, TRUE);
    size_t row_bytes = (size_t)picture->width * (size_t)picture->components;
    unsigned char *row = take(row_bytes);
    for (int y = 0; y < picture->height; y++) {
        memcpy(row, picture->pixels + (size_t)y * row_bytes, row_bytes);
        for (size_t i = 0; kind->adobe && i < row_bytes; i++)
            row[i] = (unsigned char)(255 - row[i]);
        assert_int_equal(jpeg_write_scanlines(&codec, &row, 1), 1);
    }
    jpeg_finish_compress(&codec);
    jpeg_destroy_compress(&codec);
    free(row);
    file.count = count;
    return file;
}

/* ---- PNG ------------------------------------------------------------------------------------- */

static void append(png_structp codec, png_bytep bytes, size_t count)
{
    vdnn_test_blob *file = png_get_io_ptr(codec);
    unsigned char *grown = realloc(file->bytes, file->count + count);
    assert_non_null(grown);
    memcpy(grown + file->count, bytes, count);
    file->bytes = grown;
    file->count += count;
}

static void flush(png_structp codec)
{
    (void)codec;
}

/* A row of bytes as samples of so many bits. */
static void pack_row(const unsigned char *from, size_t samples, int bits, unsigned char *to)
{
    memset(to, 0, 2 * samples);
    for (size_t i = 0; i < samples; i++) {
        size_t at = i * (size_t)bits / 8, shift = 8 - (i * (size_t)bits % 8 + (size_t)bits) % 8;
        if (bits == 16)
            to[2 * i] = to[2 * i + 1] = from[i];
        else
            to[at] = (unsigned char)(to[at] | from[i] >> (8 - bits) << shift % 8);
    }
}

static void set_palette(png_structp codec, png_infop info, int bits)
{
    png_color colours[256];
    int count = 1 << bits;
    for (int i = 0; i < count; i++) {
        int value = i * 255 / (count - 1);
        colours[i] = (png_color){(png_byte)value, (png_byte)(255 - value), (png_byte)(value / 2)};
    }
    png_set_PLTE(codec, info, colours, count);
}

static void set_header(png_structp codec, png_infop info, const vdnn_test_picture *picture,
                       const vdnn_test_png_kind *kind, int bits)
{
    static const int types[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                                PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
    int type = kind->palette ? PNG_COLOR_TYPE_PALETTE : types[picture->components];
    png_byte alpha = 7;
    png_color_16 colour = {.gray = 3, .red = 1, .green = 2, .blue = 3};
    png_set_IHDR(codec, info, (png_uint_32)picture->width, (png_uint_32)picture->height, bits, type,
                 kind->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (kind->palette)
        set_palette(codec, info, bits);
    if (kind->transparent)
        png_set_tRNS(codec, info, kind->palette ? &alpha : NULL, 1, kind->palette ? NULL : &colour);
}

vdnn_test_blob vdnn_test_png(const vdnn_test_picture *picture, const vdnn_test_png_kind *kind)
{
    vdnn_test_blob file = {NULL, 0};
    int bits = kind->bits > 0 ? kind->bits : 8;
    png_structp codec = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    assert_non_null(codec);
    png_infop info = png_create_info_struct(codec);
    assert_non_null(info);
    png_set_write_fn(codec, &file, append, flush);
    set_header(codec, info, picture, kind, bits);
    png_write_info(codec, info);
    size_t samples = (size_t)picture->width * (size_t)picture->components;
    size_t row_bytes = 2 * samples + 8;
    unsigned char *rows = take(row_bytes * (size_t)picture->height);
    unsigned char **pointers = take(sizeof *pointers * (size_t)picture->height);
    for (size_t y = 0; y < (size_t)picture->height; y++) {
        pointers[y] = rows + y * row_bytes;
        pack_row(picture->pixels + y * samples, samples, bits, pointers[y]);
    }
    png_write_image(codec, pointers);
    png_write_end(codec, info);
    png_destroy_write_struct(&codec, &info);
    free(pointers);
    free(rows);
    return file;
}

/* ---- EXIF ------------------------------------------------------------------------------------ */

static void put_number(unsigned char *to, uint32_t value, int count, bool is_big)
{
    for (int i = 0; i < count; i++)
        to[is_big ? count - 1 - i : i] = (unsigned char)(value >> 8 * i);
}

/* A directory of one entry: tag, type, count, value. */
enum { TIFF_BYTES = 26 };

static void put_tiff(unsigned char *to, int orientation, bool is_big)
{
    memset(to, 0, TIFF_BYTES);
    to[0] = to[1] = is_big ? 'M' : 'I';
    put_number(to + 2, 42, 2, is_big);
    put_number(to + 4, 8, 4, is_big);
    put_number(to + 8, 1, 2, is_big);
    put_number(to + 10, 0x112, 2, is_big);
    put_number(to + 12, 3, 2, is_big);
    put_number(to + 14, 1, 4, is_big);
    put_number(to + 18, (uint32_t)orientation, 2, is_big);
}

vdnn_test_blob vdnn_test_with_exif(const vdnn_test_blob *file, int orientation, bool is_big)
{
    enum { AFTER_START = 2, AFTER_HEADER = 33, PART_BYTES = 64 };
    const bool is_png = file->bytes[0] == 0x89;
    const size_t at = is_png ? AFTER_HEADER : AFTER_START;
    unsigned char part[PART_BYTES];
    size_t count;
    if (is_png) {
        put_number(part, TIFF_BYTES, 4, true);
        memcpy(part + 4, (const unsigned char[]){'e', 'X', 'I', 'f'}, 4);
        put_tiff(part + 8, orientation, is_big);
        put_number(part + 8 + TIFF_BYTES, (uint32_t)crc32(0, part + 4, 4 + TIFF_BYTES), 4, true);
        count = 12 + TIFF_BYTES;
    } else {
        memcpy(part, (const unsigned char[]){0xff, 0xe1, 0, 0, 'E', 'x', 'i', 'f', 0, 0}, 10);
        put_number(part + 2, 8 + TIFF_BYTES, 2, true);
        put_tiff(part + 10, orientation, is_big);
        count = 10 + TIFF_BYTES;
    }
    vdnn_test_blob made = {take(file->count + count), file->count + count};
    memcpy(made.bytes, file->bytes, at);
    memcpy(made.bytes + at, part, count);
    memcpy(made.bytes + at + count, file->bytes + at, file->count - at);
    return made;
}

void vdnn_test_write_picture(const char *path, int height, int width, int seed)
{
    vdnn_test_picture picture = vdnn_test_gradient(height, width, 3, seed);
    vdnn_test_blob file = vdnn_test_png(&picture, &(vdnn_test_png_kind){.bits = 8});
    vdnn_test_write_file(path, file.bytes, file.count);
    free(file.bytes);
    free(picture.pixels);
}
