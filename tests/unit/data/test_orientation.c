#include "runtime/data/image/image.h"
#include "runtime/data/image/orientation.h"
#include "tests/support/pictures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEIGHT = 5, WIDTH = 8, MOST = 3 * 40 * 40 };

static vdnn_scratch scratch;

static int free_scratch(void **state)
{
    (void)state;
    vdnn_scratch_fini(&scratch);
    return 0;
}

/* ---- a picture that is stored turned --------------------------------------------------------- */

/* What EXIF's standard says the stored picture's row 0 and column 0 are of the upright one. */
typedef enum side { TOP, BOTTOM, LEFT, RIGHT } side;

static const struct {
    side row, column;
} sides[VDNN_ORIENTATION_LAST + 1] = {
    [1] = {TOP, LEFT}, [2] = {TOP, RIGHT}, [3] = {BOTTOM, RIGHT}, [4] = {BOTTOM, LEFT},
    [5] = {LEFT, TOP}, [6] = {RIGHT, TOP}, [7] = {RIGHT, BOTTOM}, [8] = {LEFT, BOTTOM}};

/* How far a pixel of the upright picture is from that side. */
static int distance(side from, const vdnn_test_picture *upright, int y, int x)
{
    const int distances[] = {y, upright->height - 1 - y, x, upright->width - 1 - x};
    return distances[from];
}

static vdnn_test_picture turned(const vdnn_test_picture *upright, int orientation)
{
    const bool swaps = sides[orientation].row == LEFT || sides[orientation].row == RIGHT;
    const int n = upright->components;
    vdnn_test_picture stored = {swaps ? upright->width : upright->height,
                                swaps ? upright->height : upright->width, n, NULL};
    stored.pixels = calloc((size_t)upright->height * (size_t)upright->width, (size_t)n);
    assert_non_null(stored.pixels);
    for (int y = 0; y < upright->height; y++)
        for (int x = 0; x < upright->width; x++) {
            const int row = distance(sides[orientation].row, upright, y, x),
                      column = distance(sides[orientation].column, upright, y, x);
            memcpy(stored.pixels + (row * stored.width + column) * n,
                   upright->pixels + (y * upright->width + x) * n, (size_t)n);
        }
    return stored;
}

static void decode(const vdnn_test_blob *file, int orientation, const vdnn_picture_size *size,
                   float *pixels)
{
    const vdnn_image_file image = {file->bytes, file->count, "a picture"};
    assert_true(size->channels * size->height * size->width <= MOST);
    assert_ok(vdnn_image_decode(&image, size, orientation, &scratch, pixels));
}

/* Pictures of noise, so that no two turns are alike. */
static vdnn_test_picture noise(int height, int width, int components)
{
    vdnn_test_rng rng = {(uint64_t)(height * width + components)};
    vdnn_test_picture picture = vdnn_test_gradient(height, width, components, 1);
    for (int i = 0; i < height * width * components; i++)
        picture.pixels[i] = (unsigned char)vdnn_test_between(&rng, 0, 255);
    return picture;
}

static void compare(const vdnn_test_picture *upright, const vdnn_picture_size *size, bool is_jpeg,
                    float tolerance)
{
    static float wanted[MOST], pixels[MOST];
    const vdnn_test_jpeg_kind jpeg = {.quality = 100};
    const vdnn_test_png_kind png = {.bits = 8};
    for (int o = 1; o <= VDNN_ORIENTATION_LAST; o++) {
        vdnn_test_picture stored = turned(upright, o);
        vdnn_test_blob first =
            is_jpeg ? vdnn_test_jpeg(upright, &jpeg) : vdnn_test_png(upright, &png);
        vdnn_test_blob other =
            is_jpeg ? vdnn_test_jpeg(&stored, &jpeg) : vdnn_test_png(&stored, &png);
        vdnn_test_blob tagged = vdnn_test_with_exif(&other, o, o % 2 == 0);
        assert_int_equal(vdnn_orientation_find(first.bytes, first.count), 1);
        assert_int_equal(vdnn_orientation_find(tagged.bytes, tagged.count), o);
        decode(&first, 1, size, wanted);
        decode(&tagged, o, size, pixels);
        for (int64_t i = 0; i < size->channels * size->height * size->width; i++)
            if (fabsf(pixels[i] - wanted[i]) > tolerance)
                fail_msg("orientation %d: value %d is %g, upright it is %g", o, (int)i,
                         (double)pixels[i], (double)wanted[i]);
        decode(&other, 1, size, wanted);
        decode(&tagged, 1, size, pixels); /* as stored: EXIF changes nothing */
        assert_memory_equal(wanted, pixels,
                            (size_t)(size->channels * size->height * size->width) * sizeof(float));
        free(stored.pixels);
        free(first.bytes);
        free(other.bytes);
        free(tagged.bytes);
    }
}

TEST_WITH(every_orientation_is_turned_upright, NULL, free_scratch)
{
    vdnn_test_picture colour = noise(HEIGHT, WIDTH, 3), grey = noise(WIDTH, HEIGHT, 1);
    compare(&colour, &(vdnn_picture_size){3, HEIGHT, WIDTH}, false, 0);
    compare(&colour, &(vdnn_picture_size){1, HEIGHT, WIDTH}, false, 0);
    compare(&grey, &(vdnn_picture_size){3, WIDTH, HEIGHT}, false, 0);
    free(colour.pixels);
    free(grey.pixels);
}

/* Another size has its sides swapped as well; sums of weights are rounded from another end. */
TEST_WITH(a_turned_picture_is_resized_as_the_upright_one, NULL, free_scratch)
{
    vdnn_test_picture picture = noise(23, 31, 3);
    compare(&picture, &(vdnn_picture_size){3, 9, 14}, false, 1e-5F);
    compare(&picture, &(vdnn_picture_size){3, 40, 37}, false, 1e-5F);
    compare(&picture, &(vdnn_picture_size){1, 1, 40}, false, 1e-5F);
    free(picture.pixels);
}

TEST_WITH(a_jpeg_is_turned_too, NULL, free_scratch)
{
    vdnn_test_picture picture = vdnn_test_gradient(32, 16, 3, 2);
    compare(&picture, &(vdnn_picture_size){3, 32, 16}, true, 0.04F);
    compare(&picture, &(vdnn_picture_size){3, 12, 7}, true, 0.04F);
    free(picture.pixels);
}

/* ---- what cannot be understood --------------------------------------------------------------- */

/* A JPEG's markers before its picture, with these bytes as EXIF. */
static int found_in(const unsigned char *tiff, size_t count)
{
    unsigned char file[256] = {0xff, 0xd8, 0xff, 0xe1, 0, 0, 'E', 'x', 'i', 'f', 0, 0};
    enum { HEAD = 12 };
    assert_true(count + HEAD + 2 <= sizeof file);
    file[5] = (unsigned char)(count + 8);
    memcpy(file + HEAD, tiff, count);
    file[HEAD + count] = 0xff;
    file[HEAD + count + 1] = 0xda;
    /* In memory of its exact size, so that a sanitizer sees a read behind it. */
    unsigned char *exact = malloc(HEAD + count);
    assert_non_null(exact);
    memcpy(exact, file, HEAD + count);
    const int short_of = vdnn_orientation_find(exact, HEAD + count);
    free(exact);
    assert_int_equal(short_of, vdnn_orientation_find(file, HEAD + count + 2));
    return short_of;
}

#define LITTLE "II*\0"
#define BIG "MM\0*"
#define AT_8 "\x08\0\0\0"

TEST(data_that_is_damaged_says_nothing)
{
    static const struct {
        const char *tiff;
        size_t count;
        int found;
    } cases[] = {
#define CASE(text, found) {text, sizeof(text) - 1, found}
        CASE(LITTLE AT_8 "\1\0\x12\1\3\0\1\0\0\0\6\0\0\0", 6),
        CASE(BIG "\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1\0\6\0\0", 6),
        CASE(LITTLE AT_8 "\1\0\x12\1\4\0\1\0\0\0\6\0\0\0", 6), /* 32 bits */
        CASE(LITTLE AT_8 "\2\0\1\1\3\0\1\0\0\0\2\0\0\0\x12\1\3\0\1\0\0\0\3\0\0\0", 3),
        CASE(LITTLE AT_8 "\xff\xff\x12\1\3\0\1\0\0\0\6\0\0\0", 6), /* cut off behind it */
        CASE(LITTLE AT_8 "\xff\xff\1\1\3\0\1\0\0\0\6\0\0\0", 1),
        CASE(LITTLE AT_8 "\0\0\x12\1\3\0\1\0\0\0\6\0\0\0", 1),
        CASE(LITTLE AT_8 "\1\0\x12\1\3\0\1\0\0\0\0\0\0\0", 1), /* 0 and 9 are none */
        CASE(LITTLE AT_8 "\1\0\x12\1\3\0\1\0\0\0\x09\0\0\0", 1),
        CASE(LITTLE AT_8 "\1\0\x12\1\4\0\1\0\0\0\6\0\0\x80", 1),
        CASE(LITTLE AT_8 "\1\0\x12\1\3\0\2\0\0\0\6\0\6\0", 1), /* two of them */
        CASE(LITTLE AT_8 "\1\0\x12\1\2\0\1\0\0\0\6\0\0\0", 1), /* text */
        CASE(LITTLE AT_8 "\1\0\x12\1\3\0\1\0\0\0\6", 1),
        CASE(LITTLE AT_8 "\1", 1),
        CASE(LITTLE AT_8, 1),
        CASE(LITTLE "\xff\xff\xff\xff\1\0\x12\1\3\0\1\0\0\0\6\0\0\0", 1),
        CASE(LITTLE "\0\0\0\x80\1\0\x12\1\3\0\1\0\0\0\6\0\0\0", 1),
        CASE(LITTLE "\0\0\0\0\1\0", 1), /* the directory is the head */
        CASE("II\0*" AT_8 "\1\0\x12\1\3\0\1\0\0\0\6\0\0\0", 1),
        CASE("MM*\0" AT_8 "\1\0\x12\1\3\0\1\0\0\0\6\0\0\0", 1),
        CASE("", 1),
        CASE("II", 1),
#undef CASE
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (found_in((const unsigned char *)cases[i].tiff, cases[i].count) != cases[i].found)
            fail_msg("case %zu", i);
}

/* Cut off anywhere, and with any byte changed: an orientation or none, and no byte beyond the end
 * is read. */
TEST(a_file_that_is_cut_off_or_changed_is_read_within_it)
{
    vdnn_test_picture picture = noise(3, 4, 3);
    vdnn_test_blob files[] = {vdnn_test_jpeg(&picture, &(vdnn_test_jpeg_kind){.quality = 50}),
                              vdnn_test_png(&picture, &(vdnn_test_png_kind){.bits = 8})};
    for (int f = 0; f < 2; f++) {
        vdnn_test_blob tagged = vdnn_test_with_exif(&files[f], 6, f == 0);
        for (size_t count = 0; count <= tagged.count && count < 128; count++) {
            unsigned char *exact = malloc(count > 0 ? count : 1);
            assert_non_null(exact);
            memcpy(exact, tagged.bytes, count);
            const int found = vdnn_orientation_find(exact, count);
            assert_true(found == 1 || found == 6);
            for (int bit = 0; bit < 8 && count > 0; bit++) {
                exact[count - 1] ^= (unsigned char)(1 << bit);
                const int other = vdnn_orientation_find(exact, count);
                assert_true(other >= 1 && other <= VDNN_ORIENTATION_LAST);
                exact[count - 1] ^= (unsigned char)(1 << bit);
            }
            free(exact);
        }
        free(tagged.bytes);
        free(files[f].bytes);
    }
    free(picture.pixels);
}
