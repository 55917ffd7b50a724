/* Pictures with masks beside them: the numbers of their pixels, at the size of the network. */

#include "runtime/data/dataset.h"
#include "tests/support/datasets.h"
#include "tests/support/files.h"
#include "tests/support/pictures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HIGH = 4, WIDE = 6, CELLS = HIGH * WIDE, CLASSES = 5 };

static void write_png(const char *folder, const char *path, const vdnn_test_picture *picture,
                      const vdnn_test_png_kind *kind)
{
    vdnn_test_blob file = vdnn_test_png(picture, kind);
    vdnn_test_write_file(vdnn_test_path(folder, path), file.bytes, file.count);
    free(file.bytes);
}

/* `scale` pixels to a cell in both directions; cell `i` is of class i % CLASSES, shifted to the
 * upper bits of a byte where the file has fewer. */
static void write_mask(const char *folder, const char *path, int scale,
                       const vdnn_test_png_kind *kind)
{
    const int height = HIGH * scale, width = WIDE * scale;
    vdnn_test_picture mask = {.height = height,
                              .width = width,
                              .components = 1,
                              .pixels = malloc((size_t)height * (size_t)width)};
    assert_non_null(mask.pixels);
    for (int i = 0; i < height * width; i++) {
        const int cell = i / width / scale * WIDE + i % width / scale;
        mask.pixels[i] = (unsigned char)(cell % CLASSES << (kind->bits < 8 ? 8 - kind->bits : 0));
    }
    write_png(folder, path, &mask, kind);
    free(mask.pixels);
}

static void write_pictures(const char *folder)
{
    vdnn_test_picture picture = vdnn_test_gradient(HIGH, WIDE, 3, 1);
    vdnn_test_blob photo = vdnn_test_jpeg(&picture, &(vdnn_test_jpeg_kind){.quality = 95});
    vdnn_test_make_below(folder, "images");
    vdnn_test_make_below(folder, "masks");
    write_png(folder, "images/a.png", &picture, &(vdnn_test_png_kind){.bits = 8});
    vdnn_test_write_file(vdnn_test_path(folder, "images/b.jpeg"), photo.bytes, photo.count);
    vdnn_test_write_below(folder, "images/notes.txt", "no picture");
    free(photo.bytes);
    free(picture.pixels);
}

static vdnn_dataset_request request_of(const char *folder, char spec[256])
{
    (void)snprintf(spec, 256, "images:%s", folder);
    return (vdnn_dataset_request){.spec = spec,
                                  .inputs = {{.channels = 3, .height = HIGH, .width = WIDE}},
                                  .input_count = 1,
                                  .classes = CLASSES,
                                  .labels = CELLS};
}

TEST_IN_FOLDER(masks_of_every_kind_are_read_as_they_are_stored)
{
    static const vdnn_test_png_kind kinds[] = {
        {.bits = 8}, {.bits = 8, .interlaced = true}, {.bits = 4}, {.bits = 8, .palette = true}};
    char spec[256];
    const vdnn_dataset_request request = request_of(*state, spec);
    write_pictures(*state);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int scale = 1; scale < 4; scale++) {
            write_mask(*state, "masks/a.png", scale, &kinds[k]);
            write_mask(*state, "masks/b.png", 1, &kinds[0]);
            vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
            assert_int_equal(vdnn_dataset_count(dataset), 2);
            for (uint64_t i = 0; i < 2; i++) {
                float pixels[3 * CELLS];
                int32_t labels[CELLS];
                vdnn_test_sample(dataset, i, pixels, labels);
                for (int cell = 0; cell < CELLS; cell++)
                    assert_int_equal(labels[cell], cell % CLASSES);
            }
            vdnn_dataset_close(dataset);
        }
}

/* 2: mirrored, 3: on its head; the mask is stored as the picture is. */
TEST_IN_FOLDER(a_mask_is_turned_with_its_picture)
{
    char spec[256];
    vdnn_dataset_request request = request_of(*state, spec);
    write_pictures(*state);
    write_mask(*state, "masks/a.png", 1, &(vdnn_test_png_kind){.bits = 8});
    write_mask(*state, "masks/b.png", 1, &(vdnn_test_png_kind){.bits = 8});
    vdnn_test_picture picture = vdnn_test_gradient(HIGH, WIDE, 3, 1);
    vdnn_test_blob plain = vdnn_test_png(&picture, &(vdnn_test_png_kind){.bits = 8});
    for (int orientation = 2; orientation <= 3; orientation++)
        for (int turns = 0; turns < 2; turns++) {
            vdnn_test_blob file = vdnn_test_with_exif(&plain, orientation, true);
            float pixels[3 * CELLS];
            int32_t labels[CELLS];
            vdnn_test_write_file(vdnn_test_path(*state, "images/a.png"), file.bytes, file.count);
            free(file.bytes);
            request.orient = turns == 1;
            vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
            vdnn_test_sample(dataset, 0, pixels, labels);
            vdnn_dataset_close(dataset);
            for (int y = 0; y < HIGH; y++)
                for (int x = 0; x < WIDE; x++) {
                    const int row = turns == 1 && orientation == 3 ? HIGH - 1 - y : y,
                              column = turns == 1 ? WIDE - 1 - x : x, at = row * WIDE + column;
                    assert_int_equal(labels[y * WIDE + x], at % CLASSES);
                    assert_true(fabsf(pixels[y * WIDE + x] * 255 - (float)picture.pixels[3 * at]) <
                                0.01F);
                }
        }
    free(plain.bytes);
    free(picture.pixels);
}

static void expect_no_sample(const vdnn_dataset_request *request, const char *message)
{
    float pixels[3 * CELLS];
    int32_t labels[CELLS];
    vdnn_scratch scratch = {{NULL}, {0}};
    vdnn_dataset *dataset = vdnn_test_open_dataset(request);
    assert_status(vdnn_dataset_read(dataset, 0, &scratch, (void *[]){pixels}, labels),
                  VDNN_BAD_INPUT);
    assert_message(message);
    vdnn_scratch_fini(&scratch);
    vdnn_dataset_close(dataset);
}

TEST_IN_FOLDER(what_is_no_mask_is_refused_with_its_name)
{
    char spec[256];
    vdnn_dataset_request request = request_of(*state, spec);
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT,
                                "expected the folders images, of pictures");
    write_pictures(*state);
    write_mask(*state, "masks/a.png", 1, &(vdnn_test_png_kind){.bits = 8});
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT, "images/b.jpeg: has no mask ");
    write_mask(*state, "masks/b.png", 1, &(vdnn_test_png_kind){.bits = 8});
    request.labels = CELLS / 2;
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT,
                                "a label for each cell of the network's input, 4 x 6, but the "
                                "network reads 12");
    request.labels = CELLS;
    request.classes = CLASSES - 1;
    expect_no_sample(&request,
                     "masks/a.png: label 4 of sample 0 is 4, which is no class; expected 0 to 3");
    request.ignored = &(int64_t){CLASSES - 1};
    vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
    float pixels[3 * CELLS];
    int32_t labels[CELLS];
    vdnn_test_sample(dataset, 0, pixels, labels);
    assert_int_equal(labels[CLASSES - 1], CLASSES - 1);
    vdnn_dataset_close(dataset);
    write_mask(*state, "masks/a.png", 1, &(vdnn_test_png_kind){.bits = 16});
    expect_no_sample(&request, "masks/a.png: is a mask of grey of 16 bits, expected grey or a");
    vdnn_test_picture colours = vdnn_test_gradient(HIGH, WIDE, 3, 1);
    write_png(*state, "masks/a.png", &colours, &(vdnn_test_png_kind){.bits = 8});
    expect_no_sample(&request, "masks/a.png: is a mask of colours of 8 bits, expected grey or a");
    vdnn_test_blob photo = vdnn_test_jpeg(&colours, &(vdnn_test_jpeg_kind){.quality = 95});
    vdnn_test_write_file(vdnn_test_path(*state, "masks/a.png"), photo.bytes, photo.count);
    expect_no_sample(&request, "masks/a.png: is a mask, expected a PNG");
    free(photo.bytes);
    free(colours.pixels);
}

TEST_IN_FOLDER(parts_have_masks)
{
    static const char *const parts[] = {"train", "val"};
    char spec[256];
    vdnn_dataset_request request = request_of(*state, spec);
    for (int p = 0; p < 2; p++) {
        vdnn_test_make_below(*state, parts[p]);
        write_pictures(vdnn_test_path(*state, parts[p]));
        write_mask(vdnn_test_path(*state, parts[p]), "masks/a.png", 1,
                   &(vdnn_test_png_kind){.bits = 8});
        write_mask(vdnn_test_path(*state, parts[p]), "masks/b.png", 1,
                   &(vdnn_test_png_kind){.bits = 8});
        request.split = p == 0 ? VDNN_SPLIT_TRAIN : VDNN_SPLIT_TEST;
        vdnn_dataset *dataset = NULL;
        if (p == 1)
            dataset = vdnn_test_open_dataset(&request);
        vdnn_dataset_close(dataset);
    }
    assert_true(vdnn_dataset_has_test(spec));
}
