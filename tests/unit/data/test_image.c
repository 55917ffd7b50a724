#include "tests/support/pictures.h"

#include "runtime/base/heap.h"
#include "runtime/data/image/image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEIGHT = 19, WIDTH = 23, LARGEST = 64 * 64 };

static vdnn_scratch scratch;

static int free_scratch(void **state)
{
    (void)state;
    vdnn_scratch_fini(&scratch);
    return 0;
}

static vdnn_status decode(const vdnn_test_blob *file, int64_t channels, int64_t height,
                          int64_t width, float *pixels)
{
    vdnn_image_file source = {file->bytes, file->count, "cat/1.jpeg"};
    vdnn_picture_size size = {channels, height, width};
    return vdnn_image_decode(&source, &size, VDNN_ORIENTATION_UPRIGHT, &scratch, pixels);
}

static void assert_near(float found, double wanted, double tolerance)
{
    if (fabs((double)found - wanted) > tolerance)
        fail_msg("a pixel is %g, expected %g within %g", (double)found, wanted, tolerance);
}

/* What RGB and grey should be of the picture's pixel (components as in pictures.h). */
static void colours_of(const vdnn_test_picture *picture, int pixel, double rgb[3])
{
    const unsigned char *p = picture->pixels + pixel * picture->components;
    bool inks = picture->components == 4;
    for (int c = 0; c < 3; c++)
        rgb[c] = (picture->components < 3 ? (double)p[0]
                  : inks                  ? (255.0 - (double)p[c]) * (255.0 - (double)p[3]) / 255.0
                                          : (double)p[c]) /
                 255.0;
}

static double grey_of(const double rgb[3])
{
    return 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
}

/* ---- JPEG ------------------------------------------------------------------------------------ */

static const struct jpeg_case {
    int components;
    vdnn_test_jpeg_kind kind;
    double tolerance;
} jpeg_cases[] = {
    {1, {.quality = 98}, 0.02},
    {3, {.quality = 98}, 0.03},
    {3, {.subsampled = true}, 0.06},
    {3, {.plain_rgb = true}, 0.02},
    {3, {.progressive = true}, 0.03},
    {3, {.arithmetic = true}, 0.03},
    {3, {.progressive = true, .arithmetic = true}, 0.03},
    {3, {.restart_rows = 1}, 0.03},
    {1, {.scans = 40}, 0.03},
    {4, {.quality = 98}, 0.03},
    {4, {.adobe = true}, 0.03},
};

TEST(every_kind_of_jpeg_is_read)
{
    for (size_t i = 0; i < sizeof jpeg_cases / sizeof *jpeg_cases; i++) {
        const struct jpeg_case *c = &jpeg_cases[i];
        vdnn_test_picture picture = vdnn_test_gradient(HEIGHT, WIDTH, c->components, (int)i);
        vdnn_test_blob file = vdnn_test_jpeg(&picture, &c->kind);
        float rgb[3 * HEIGHT * WIDTH], grey[HEIGHT * WIDTH];
        assert_ok(decode(&file, 3, HEIGHT, WIDTH, rgb));
        assert_ok(decode(&file, 1, HEIGHT, WIDTH, grey));
        for (int k = 0; k < HEIGHT * WIDTH; k++) {
            double wanted[3];
            colours_of(&picture, k, wanted);
            for (int plane = 0; plane < 3; plane++)
                assert_near(rgb[plane * HEIGHT * WIDTH + k], wanted[plane], c->tolerance);
            assert_near(grey[k], grey_of(wanted), c->tolerance);
        }
        free(file.bytes);
        free(picture.pixels);
    }
}

TEST(a_large_jpeg_is_reduced_while_it_is_decoded)
{
    enum { SIDE = 640, SMALL = 40 };
    vdnn_test_picture picture = vdnn_test_gradient(SIDE, SIDE, 3, 1);
    vdnn_test_blob file = vdnn_test_jpeg(&picture, &(vdnn_test_jpeg_kind){.quality = 98});
    for (int side = SMALL; side < 400; side += 37) {
        float *rgb = calloc(3 * (size_t)side * (size_t)side, sizeof *rgb);
        assert_non_null(rgb);
        assert_ok(decode(&file, 3, side, side, rgb));
        for (int k = 0; k < side * side; k++) {
            int row = k / side, column = k % side;
            double wanted[3], y = (row + 0.5) * SIDE / side, x = (column + 0.5) * SIDE / side;
            colours_of(&picture, (int)y * SIDE + (int)x, wanted);
            bool inside = row > 0 && row < side - 1 && column > 0 && column < side - 1;
            for (int plane = 0; plane < 3 && inside; plane++)
                assert_near(rgb[plane * side * side + k], wanted[plane], 0.02);
        }
        free(rgb);
    }
    /* A few rows of it were kept: whole it has twelve times as many bytes as pixels. */
    assert_true(scratch.bytes[VDNN_SCRATCH_RESIZE] < SIDE * SIDE);
    free(file.bytes);
    free(picture.pixels);
}

TEST(a_jpeg_of_too_many_scans_is_refused)
{
    float rgb[3 * HEIGHT * WIDTH];
    vdnn_test_picture picture = vdnn_test_gradient(HEIGHT, WIDTH, 3, 0);
    vdnn_test_blob file = vdnn_test_jpeg(&picture, &(vdnn_test_jpeg_kind){.scans = 300});
    assert_status(decode(&file, 3, HEIGHT, WIDTH, rgb), VDNN_BAD_INPUT);
    assert_message("cat/1.jpeg: is a JPEG of more than 200 scans");
    free(file.bytes);
    free(picture.pixels);
}

/* ---- PNG ------------------------------------------------------------------------------------- */

static const struct png_case {
    int components;
    vdnn_test_png_kind kind;
} png_cases[] = {
    {1, {.bits = 1}},
    {1, {.bits = 2}},
    {1, {.bits = 4}},
    {1, {.bits = 8}},
    {1, {.bits = 16}},
    {1, {.bits = 8, .transparent = true}},
    {1, {.bits = 1, .palette = true}},
    {1, {.bits = 2, .palette = true}},
    {1, {.bits = 4, .palette = true}},
    {1, {.bits = 8, .palette = true}},
    {1, {.bits = 8, .palette = true, .transparent = true}},
    {2, {.bits = 8}},
    {2, {.bits = 16}},
    {3, {.bits = 8}},
    {3, {.bits = 16}},
    {3, {.bits = 8, .transparent = true}},
    {4, {.bits = 8}},
    {4, {.bits = 16}},
};

/* What is left of a pixel's byte with so few bits, and what the palette makes of it. */
static void png_colours(const vdnn_test_picture *picture, const vdnn_test_png_kind *kind, int pixel,
                        double rgb[3])
{
    const unsigned char *p = picture->pixels + pixel * picture->components;
    for (int c = 0; c < 3; c++) {
        int byte = p[picture->components < 3 ? 0 : c];
        if (kind->bits < 8)
            byte = (byte >> (8 - kind->bits)) * 255 / ((1 << kind->bits) - 1);
        const int palette[] = {byte, 255 - byte, byte / 2};
        rgb[c] = (kind->palette ? palette[c] : byte) / 255.0;
    }
}

TEST(every_kind_of_png_is_read_to_the_last_bit)
{
    for (size_t i = 0; i < 2 * sizeof png_cases / sizeof *png_cases; i++) {
        const struct png_case *c = &png_cases[i / 2];
        vdnn_test_png_kind kind = c->kind;
        kind.interlaced = i % 2 == 1;
        vdnn_test_picture picture = vdnn_test_gradient(HEIGHT, WIDTH, c->components, (int)i);
        vdnn_test_blob file = vdnn_test_png(&picture, &kind);
        float rgb[3 * HEIGHT * WIDTH], grey[HEIGHT * WIDTH];
        assert_ok(decode(&file, 3, HEIGHT, WIDTH, rgb));
        assert_ok(decode(&file, 1, HEIGHT, WIDTH, grey));
        for (int k = 0; k < HEIGHT * WIDTH; k++) {
            double wanted[3];
            png_colours(&picture, &kind, k, wanted);
            for (int plane = 0; plane < 3; plane++)
                assert_true(rgb[plane * HEIGHT * WIDTH + k] == (float)wanted[plane]);
            assert_near(grey[k], grey_of(wanted), 1e-6);
        }
        free(file.bytes);
        free(picture.pixels);
    }
}

TEST(a_picture_is_resized_as_a_plane_is)
{
    vdnn_test_picture picture = vdnn_test_gradient(HEIGHT, WIDTH, 3, 2);
    vdnn_test_blob files[] = {
        vdnn_test_png(&picture, &(vdnn_test_png_kind){.bits = 8}),
        vdnn_test_png(&picture, &(vdnn_test_png_kind){.bits = 8, .interlaced = true})};
    static const int sizes[][2] = {{1, 1}, {5, 40}, {40, 5}, {64, 64}, {HEIGHT, 7}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        static float one[3 * LARGEST], other[3 * LARGEST];
        int height = sizes[i][0], width = sizes[i][1];
        assert_ok(decode(&files[0], 3, height, width, one));
        assert_ok(decode(&files[1], 3, height, width, other));
        assert_memory_equal(one, other, sizeof(float) * 3 * (size_t)(height * width));
        for (int k = 0; k < 3 * height * width; k++)
            assert_in_range(one[k] * 255.0f, 20, 240);
    }
    free(files[0].bytes);
    free(files[1].bytes);
    free(picture.pixels);
}

/* ---- what is refused ------------------------------------------------------------------------- */

TEST(what_is_no_picture_is_told_by_its_first_bytes)
{
    static const struct {
        const char *bytes;
        size_t count;
        const char *reason;
    } cases[] = {
        {"", 0, "cat/1.jpeg: is empty"},
        {"BM6\1\0", 5, "is neither a JPEG nor a PNG picture: it begins with 42 4d 36 01"},
        {"\xff\xd8", 2, "is neither a JPEG nor a PNG"},
        {"\x89PNG\r\n\x1a", 7, "is neither a JPEG nor a PNG"},
        {"GIF89a", 6, "is neither a JPEG nor a PNG"},
        {"\xff\xd8\xff", 3, "is a damaged or unknown kind of JPEG"},
        {"\x89PNG\r\n\x1a\n", 8, "is a PNG that is cut off after 8 bytes"},
    };
    float pixel[3];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char bytes[16];
        memcpy(bytes, cases[i].bytes, cases[i].count);
        vdnn_test_blob file = {bytes, cases[i].count};
        assert_status(decode(&file, 3, 1, 1, pixel), VDNN_BAD_INPUT);
        assert_message(cases[i].reason);
    }
}

static void assert_cut_is_refused(const vdnn_test_blob *file)
{
    float rgb[3 * HEIGHT * WIDTH];
    for (size_t cut = 0; cut < file->count; cut++) {
        /* A copy, so that a sanitizer sees a byte too many that is read. */
        vdnn_test_blob part = {malloc(cut + 1), cut};
        assert_non_null(part.bytes);
        memcpy(part.bytes, file->bytes, cut);
        part.bytes = realloc(part.bytes, cut > 0 ? cut : 1);
        vdnn_status status = decode(&part, 3, HEIGHT, WIDTH, rgb);
        free(part.bytes);
        if (status == VDNN_OK)
            fail_msg("a picture of %zu bytes is read from its first %zu", file->count, cut);
        assert_status(status, VDNN_BAD_INPUT);
        assert_message("cat/1.jpeg: is ");
    }
}

TEST(pictures_cut_off_anywhere_are_refused)
{
    vdnn_test_picture picture = vdnn_test_gradient(HEIGHT, WIDTH, 3, 3);
    const vdnn_test_jpeg_kind jpegs[] = {
        {.quality = 80}, {.progressive = true}, {.restart_rows = 1}};
    const vdnn_test_png_kind pngs[] = {{.bits = 8}, {.bits = 16, .interlaced = true}};
    for (size_t i = 0; i < sizeof jpegs / sizeof *jpegs; i++) {
        vdnn_test_blob file = vdnn_test_jpeg(&picture, &jpegs[i]);
        assert_cut_is_refused(&file);
        free(file.bytes);
    }
    for (size_t i = 0; i < sizeof pngs / sizeof *pngs; i++) {
        vdnn_test_blob file = vdnn_test_png(&picture, &pngs[i]);
        assert_cut_is_refused(&file);
        free(file.bytes);
    }
    free(picture.pixels);
}

static void put_16(unsigned char *bytes, unsigned value)
{
    bytes[0] = (unsigned char)(value >> 8);
    bytes[1] = (unsigned char)value;
}

/* The frame header of a JPEG: marker, length, precision, height, width. */
static unsigned char *find_frame(const vdnn_test_blob *file)
{
    for (size_t i = 0; i + 9 < file->count; i++)
        if (file->bytes[i] == 0xff && (file->bytes[i + 1] == 0xc0 || file->bytes[i + 1] == 0xc2))
            return file->bytes + i;
    fail_msg("no frame header");
    return NULL;
}

TEST(jpeg_headers_that_lie_are_refused_before_memory_is_taken)
{
    static const struct {
        unsigned height, width;
        const char *reason;
    } lies[] = {
        {65500, 65500,
         "65500 x 65500 pixels; sides must be 1 to 65536, with at most 67108864 pixels"},
        {65535, 65535, "is a damaged or unknown kind of JPEG: "},
        {8192, 8193, "8193 x 8192 pixels; sides"},
        {8192, 8192, "8192 x 8192 pixels, which"},
        {600, 900, "900 x 600 pixels, which"},
        {19, 0, "is a damaged or unknown kind of JPEG: "},
        {0, 23, "is a damaged or unknown kind of JPEG: "},
    };
    float rgb[3 * HEIGHT * WIDTH];
    vdnn_test_picture picture = vdnn_test_gradient(HEIGHT, WIDTH, 3, 3);
    for (int progressive = 0; progressive < 2; progressive++) {
        vdnn_test_blob file =
            vdnn_test_jpeg(&picture, &(vdnn_test_jpeg_kind){.progressive = progressive == 1});
        for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
            put_16(find_frame(&file) + 5, lies[i].height);
            put_16(find_frame(&file) + 7, lies[i].width);
            assert_status(decode(&file, 3, HEIGHT, WIDTH, rgb), VDNN_BAD_INPUT);
            assert_message(lies[i].reason);
        }
        free(file.bytes);
    }
    free(picture.pixels);
}

/* CRC-32 of PNG, so that a changed header is believed. */
static uint32_t crc_of(const unsigned char *bytes, size_t count)
{
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static void put_32(unsigned char *bytes, uint32_t value)
{
    put_16(bytes, value >> 16);
    put_16(bytes + 2, value & 0xffff);
}

TEST(png_headers_that_lie_are_refused_before_memory_is_taken)
{
    enum { TYPE = 12, SIZE = 16, CHECKED = 17 };
    static const struct {
        uint32_t height, width;
        const char *reason;
    } lies[] = {
        {0x7fffffff, 0x7fffffff, "2147483647 x 2147483647 pixels; sides must be"},
        {1, 65537, "65537 x 1 pixels; sides"},
        {8193, 8192, "8192 x 8193 pixels; sides"},
        {8192, 8192, "8192 x 8192 pixels, which"},
        {19, 0, "is a damaged PNG: "},
        {0x80000000, 23, "is a damaged PNG: "},
    };
    float rgb[3 * HEIGHT * WIDTH];
    vdnn_test_picture picture = vdnn_test_gradient(HEIGHT, WIDTH, 3, 3);
    for (int interlaced = 0; interlaced < 2; interlaced++) {
        vdnn_test_blob file =
            vdnn_test_png(&picture, &(vdnn_test_png_kind){.interlaced = interlaced == 1});
        for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
            put_32(file.bytes + SIZE, lies[i].width);
            put_32(file.bytes + SIZE + 4, lies[i].height);
            put_32(file.bytes + TYPE + CHECKED, crc_of(file.bytes + TYPE, CHECKED));
            assert_status(decode(&file, 3, HEIGHT, WIDTH, rgb), VDNN_BAD_INPUT);
            assert_message(lies[i].reason);
        }
        free(file.bytes);
    }
    free(picture.pixels);
}

TEST(damaged_pictures_never_crash)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    vdnn_test_picture picture = vdnn_test_gradient(HEIGHT, WIDTH, 3, 3);
    for (int i = 0; i < vdnn_test_count(20000); i++) {
        vdnn_test_blob file =
            i % 3 == 0   ? vdnn_test_jpeg(&picture, &(vdnn_test_jpeg_kind){.quality = 90})
            : i % 3 == 1 ? vdnn_test_jpeg(&picture, &(vdnn_test_jpeg_kind){.progressive = true})
                         : vdnn_test_png(&picture, &(vdnn_test_png_kind){.interlaced = i % 2 == 0});
        for (int64_t k = vdnn_test_between(&rng, 1, 6); k > 0; k--)
            file.bytes[vdnn_test_between(&rng, 0, (int64_t)file.count - 1)] =
                (unsigned char)vdnn_test_random(&rng);
        float rgb[3 * 8 * 8];
        vdnn_status status = decode(&file, 3, 8, 8, rgb);
        assert_true(status == VDNN_OK || status == VDNN_BAD_INPUT);
        for (int k = 0; k < 3 * 8 * 8 && status == VDNN_OK; k++)
            assert_true(rgb[k] >= 0 && rgb[k] <= 1.00001f);
        free(file.bytes);
    }
    free(picture.pixels);
}

TEST(every_allocation_may_fail)
{
    vdnn_test_picture picture = vdnn_test_gradient(HEIGHT, WIDTH, 3, 3);
    vdnn_test_blob files[] = {
        vdnn_test_jpeg(&picture, &(vdnn_test_jpeg_kind){.quality = 90}),
        vdnn_test_png(&picture, &(vdnn_test_png_kind){.bits = 8, .interlaced = true})};
    for (size_t i = 0; i < 2; i++) {
        float rgb[3 * HEIGHT * WIDTH], wanted[3 * HEIGHT * WIDTH];
        vdnn_scratch_fini(&scratch);
        assert_ok(decode(&files[i], 3, HEIGHT, WIDTH, wanted));
        vdnn_scratch_fini(&scratch);
        size_t before = vdnn_heap_live_count(), n = 0;
        vdnn_status status = VDNN_NO_MEMORY;
        while (status != VDNN_OK) {
            vdnn_heap_fail_after(++n);
            status = decode(&files[i], 3, HEIGHT, WIDTH, rgb);
            vdnn_heap_fail_after(0);
            vdnn_scratch_fini(&scratch);
            assert_int_equal(vdnn_heap_live_count(), before);
            if (status != VDNN_OK)
                assert_status(status, VDNN_NO_MEMORY);
        }
        assert_memory_equal(rgb, wanted, sizeof rgb);
        assert_true(n > (i == 0 ? 1 : 4));
        free(files[i].bytes);
    }
    free(picture.pixels);
}

/* ---- scratch memory -------------------------------------------------------------------------- */

TEST(scratch_memory_grows_to_the_largest_and_gives_what_is_huge_back)
{
    enum { SMALL = 100, LARGE = 64 << 20 };
    vdnn_scratch own = {0};
    size_t before = vdnn_heap_live_count(), calls;
    assert_non_null(vdnn_scratch_take(&own, VDNN_SCRATCH_FILE, 10 * SMALL));
    calls = vdnn_heap_call_count();
    assert_non_null(vdnn_scratch_take(&own, VDNN_SCRATCH_FILE, SMALL));
    assert_int_equal(vdnn_heap_call_count(), calls);
    assert_non_null(vdnn_scratch_take(&own, VDNN_SCRATCH_PICTURE, 0));
    assert_non_null(vdnn_scratch_take(&own, VDNN_SCRATCH_FILE, LARGE));
    assert_non_null(vdnn_scratch_take(&own, VDNN_SCRATCH_FILE, SMALL));
    assert_int_equal(own.bytes[VDNN_SCRATCH_FILE], SMALL);
    vdnn_heap_fail_after(1);
    assert_null(vdnn_scratch_take(&own, VDNN_SCRATCH_FILE, LARGE));
    vdnn_heap_fail_after(0);
    assert_non_null(vdnn_scratch_take(&own, VDNN_SCRATCH_FILE, SMALL));
    vdnn_scratch_fini(&own);
    vdnn_scratch_fini(&own);
    assert_int_equal(vdnn_heap_live_count(), before);
}

int main(void)
{
    return vdnn_test_main(NULL, free_scratch);
}
