/* npy: arrays as numpy saves them. */

#include "tests/support/datasets.h"
#include "tests/support/files.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    COUNT = VDNN_TEST_SMALL_COUNT,
    HEIGHT = VDNN_TEST_SMALL_HEIGHT,
    WIDTH = VDNN_TEST_SMALL_WIDTH,
    PIXELS = HEIGHT * WIDTH,
    FILE_LIMIT = 4096,
};

/* ---- small sets ------------------------------------------------------------------------------ */

typedef struct blob {
    unsigned char bytes[FILE_LIMIT];
    size_t count;
} blob;

/* An npy file of this version with `text` as its dict and `data` after it. */
static blob npy_file(int version, const char *text, const void *data, size_t bytes)
{
    blob file = {{0x93, 'N', 'U', 'M', 'P', 'Y', (unsigned char)version, 0}, 0};
    size_t begin = version == 1 ? 10 : 12, length = strlen(text);
    file.bytes[8] = (unsigned char)(length & 0xff);
    file.bytes[9] = (unsigned char)(length >> 8);
    memcpy(file.bytes + begin, text, length);
    if (bytes > 0)
        memcpy(file.bytes + begin + length, data, bytes);
    file.count = begin + length + bytes;
    assert_true(file.count <= FILE_LIMIT);
    return file;
}

#define NPY_IMAGES "{'descr': '<f4', 'fortran_order': False, 'shape': (5, 1, 2, 3), }   \n"
#define NPY_LABELS "{'descr': '<i8', 'fortran_order': False, 'shape': (5,), }   \n"

static blob npy_images(int version, const char *text)
{
    float pixels[COUNT * PIXELS];
    for (int i = 0; i < COUNT * PIXELS; i++)
        pixels[i] = (float)i - 7.5f;
    return npy_file(version, text, pixels, sizeof pixels);
}

static blob npy_labels(int version, const char *text)
{
    const int64_t labels[COUNT] = {9, 8, 7, 6, 5};
    return npy_file(version, text, labels, sizeof labels);
}

static void write_npy(const char *folder, const blob *images, const blob *labels)
{
    vdnn_test_write_file(vdnn_test_path(folder, "images.npy"), images->bytes, images->count);
    vdnn_test_write_file(vdnn_test_path(folder, "labels.npy"), labels->bytes, labels->count);
}

/* ---- opening --------------------------------------------------------------------------------- */

static const vdnn_dataset_request *set_in(const char *folder)
{
    return vdnn_test_small_request("npy", folder);
}

/* ---- npy ------------------------------------------------------------------------------------- */

TEST_IN_FOLDER(npy_files_of_all_versions_are_read)
{
    static const char *const texts[][2] = {
        {NPY_IMAGES, NPY_LABELS},
        {"{'shape':(5,1,2,3),'descr':\"<f4\",'fortran_order':False}",
         "{'fortran_order': True, 'shape': (5), 'descr': '<i8'}"},
    };
    for (int version = 1; version <= 3; version++)
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            blob images = npy_images(version, texts[i][0]);
            blob labels = npy_labels(version, texts[i][1]);
            write_npy(*state, &images, &labels);
            vdnn_dataset *dataset = vdnn_test_open_dataset(set_in(*state));
            assert_int_equal(vdnn_dataset_count(dataset), COUNT);
            for (int k = 0; k < COUNT; k++) {
                float image[PIXELS];
                int32_t label = -1;
                vdnn_test_sample(dataset, (uint64_t)k, image, &label);
                assert_int_equal(label, 9 - k);
                for (int p = 0; p < PIXELS; p++)
                    assert_true(image[p] == (float)(k * PIXELS + p) - 7.5f);
            }
            vdnn_dataset_close(dataset);
        }
}

TEST_IN_FOLDER(volumes_have_five_dimensions_and_the_size_that_is_read)
{
    blob images = npy_images(
             1, "{'descr': '<f4', 'fortran_order': False, 'shape': (5, 1, 3, 2, 1), }   \n"),
         labels = npy_labels(1, NPY_LABELS);
    vdnn_dataset_request request = *set_in(*state);
    float image[PIXELS];
    int32_t label;
    write_npy(*state, &images, &labels);
    request.inputs[0] = (vdnn_dataset_input){.channels = 1, .depth = 3, .height = 2, .width = 1};
    vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
    assert_int_equal(vdnn_dataset_per_sample(dataset, 0), PIXELS);
    vdnn_test_sample(dataset, 2, image, &label);
    for (int p = 0; p < PIXELS; p++)
        assert_true(image[p] == (float)(2 * PIXELS + p) - 7.5f);
    vdnn_dataset_close(dataset);
    request.inputs[0].depth = 2;
    request.inputs[0].height = 3;
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT,
                                "has volumes of 3 x 2 x 1, the network's input is 2 x 3 x 1");
    vdnn_test_expect_no_dataset(set_in(*state), VDNN_BAD_INPUT, "has 5 dimensions, expected 4");
}

TEST_IN_FOLDER(npy_headers_that_lie_are_refused)
{
    static const struct {
        const char *text, *reason;
    } lies[] = {
        {"", "expected '{'"},
        {"{", "a quoted string"},
        {"{}", "has no key descr"},
        {"{'descr': '<f4', 'fortran_order': False}", "has no key shape"},
        {"{'descr': '<f4', 'descr': '<f4'}", "each key once"},
        {"{'colour': 1}", "a key descr"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (5, 1, 2, 3)}", "'<f8'"},
        {"{'descr': '>f4', 'fortran_order': False, 'shape': (5, 1, 2, 3)}", "'>f4'"},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (5,)}", "quoted string"},
        {"{'descr': '<f4', 'fortran_order': True, 'shape': (5, 1, 2, 3)}", "Fortran"},
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': (5, 1, 2, 3)}", "True or False"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (5, 6)}", "2 dimensions"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': ()}", "0 dimensions"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': 5}", "as a tuple"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (5, -1, 2, 3)}", "a dimension"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (5, 1 2, 3)}", "',' or ')'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}", "at most 8"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (6, 1, 2, 3)}", "is cut off"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4, 1, 2, 3)}", "has more than"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (0, 1, 2, 3)}", "has more than"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (5, 6, 1, 1)}", "channel"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 3, 3, 3)}",
         "2^64"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 1, 1, 1)}",
         "2^64"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 1, 2, 3)}",
         "below 2^63"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (5, 1, 2, 3)} x", "after '}'"},
        {"{'descr': '<f4' 'fortran_order': False}", "',' or '}'"},
        {"{'descr': '<f4xxxxxxxxxxxxxxxxxxx'}", "short string"},
    };
    blob labels = npy_labels(1, NPY_LABELS);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        blob images = npy_images(1, lies[i].text);
        write_npy(*state, &images, &labels);
        vdnn_test_expect_no_dataset(set_in(*state), VDNN_BAD_INPUT, lies[i].reason);
    }
}

TEST_IN_FOLDER(npy_sets_that_do_not_fit_together_are_refused)
{
    blob images = npy_images(1, NPY_IMAGES);
    const int64_t few[] = {1, 2, 3, 4}, high[] = {0, 1, 10, 3, 4}, low[] = {0, 1, 2, 3, -1};
    const struct {
        blob labels;
        const char *reason;
    } cases[] = {
        {npy_file(1, "{'descr': '<i8', 'fortran_order': False, 'shape': (4,)}", few, sizeof few),
         "4 labels, but there are 5 images"},
        {npy_file(1, NPY_LABELS, high, sizeof high), "label 2 is 10"},
        {npy_file(1, NPY_LABELS, low, sizeof low), "label 4 is -1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_npy(*state, &images, &cases[i].labels);
        vdnn_test_expect_no_dataset(set_in(*state), VDNN_BAD_INPUT, cases[i].reason);
        assert_message("labels.npy: ");
    }
    vdnn_test_expect_no_dataset(set_in(vdnn_test_path(*state, "nowhere")), VDNN_FILE,
                                "nowhere/images.npy");
}

/* One of them would make every weight one. */
TEST_IN_FOLDER(pixels_that_are_no_numbers_are_refused_with_their_place)
{
    static const float wrong[] = {NAN, INFINITY, -INFINITY};
    blob labels = npy_labels(1, NPY_LABELS);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        blob images = npy_images(1, NPY_IMAGES);
        size_t at = images.count - (PIXELS + 2) * sizeof *wrong; /* in the last picture but one */
        memcpy(images.bytes + at, &wrong[i], sizeof *wrong);
        write_npy(*state, &images, &labels);
        vdnn_dataset *dataset = vdnn_test_open_dataset(set_in(*state));
        float image[PIXELS];
        int32_t label;
        vdnn_scratch scratch = {0};
        vdnn_test_sample(dataset, COUNT - 1, image, &label);
        assert_status(vdnn_dataset_read(dataset, COUNT - 2, &scratch, (void *[]){image}, &label),
                      VDNN_BAD_INPUT);
        assert_message("images.npy: value 4 of picture 3 is ");
        assert_message("expected a finite number");
        vdnn_scratch_fini(&scratch);
        vdnn_dataset_close(dataset);
    }
}

/* Tokens of 4 and of 8 bytes. */
TEST_IN_FOLDER(tokens_are_read_whatever_their_width)
{
    enum { TOKENS = 3, VOCABULARY = 20 };
    int32_t narrow[COUNT * TOKENS];
    int64_t wide[COUNT * TOKENS];
    const blob labels = npy_labels(1, NPY_LABELS);
    for (int i = 0; i < COUNT * TOKENS; i++)
        wide[i] = narrow[i] = (i * 7) % VOCABULARY;
    const blob files[] = {
        npy_file(1, "{'descr': '<i4', 'fortran_order': False, 'shape': (5, 3)}", narrow,
                 sizeof narrow),
        npy_file(1, "{'descr': '<i8', 'fortran_order': False, 'shape': (5, 3)}", wide, sizeof wide),
    };
    vdnn_dataset_request request = {.spec = set_in(*state)->spec,
                                    .classes = VDNN_TEST_SMALL_CLASSES,
                                    .inputs = {{.tokens = TOKENS, .vocabulary = VOCABULARY}},
                                    .input_count = 1};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        vdnn_test_write_file(vdnn_test_path(*state, "tokens.npy"), files[i].bytes, files[i].count);
        vdnn_test_write_file(vdnn_test_path(*state, "labels.npy"), labels.bytes, labels.count);
        vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
        assert_int_equal(vdnn_dataset_per_sample(dataset, 0), TOKENS);
        for (int k = 0; k < COUNT; k++) {
            int32_t tokens[TOKENS], label = -1;
            vdnn_test_sample(dataset, (uint64_t)k, tokens, &label);
            assert_int_equal(label, 9 - k);
            assert_memory_equal(tokens, narrow + (ptrdiff_t)k * TOKENS, sizeof tokens);
        }
        vdnn_dataset_close(dataset);
    }
}

/* One for each position, but for those that a network does not count. */
TEST_IN_FOLDER(labels_of_positions_are_read_and_checked)
{
    enum { POSITIONS = 3, CLASSES = 4 };
    static const char header[] = "{'descr': '<i8', 'fortran_order': False, 'shape': (5, 3)}";
    static const int64_t ignored = -100;
    int64_t tokens[COUNT * POSITIONS] = {0}, labels[COUNT * POSITIONS];
    for (int i = 0; i < COUNT * POSITIONS; i++)
        labels[i] = i % 5 == 4 ? ignored : i % CLASSES;
    const blob inputs = npy_file(1, header, tokens, sizeof tokens),
               outputs = npy_file(1, header, labels, sizeof labels),
               single = npy_labels(1, NPY_LABELS);
    vdnn_test_write_file(vdnn_test_path(*state, "tokens.npy"), inputs.bytes, inputs.count);
    vdnn_test_write_file(vdnn_test_path(*state, "labels.npy"), outputs.bytes, outputs.count);
    vdnn_dataset_request request = {.spec = set_in(*state)->spec,
                                    .classes = CLASSES,
                                    .inputs = {{.tokens = POSITIONS, .vocabulary = 1}},
                                    .input_count = 1,
                                    .labels = POSITIONS,
                                    .ignored = &ignored};
    vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
    assert_int_equal(vdnn_dataset_label_bytes(dataset), POSITIONS * sizeof(int32_t));
    for (int k = 0; k < COUNT; k++) {
        int32_t sample[POSITIONS], read[POSITIONS];
        vdnn_test_sample(dataset, (uint64_t)k, sample, read);
        for (ptrdiff_t t = 0; t < POSITIONS; t++)
            assert_int_equal(read[t], labels[k * POSITIONS + t]);
    }
    vdnn_dataset_close(dataset);
    request.ignored = NULL;
    dataset =
        vdnn_test_open_dataset(&request); /* several of a sample are checked when it is read */
    vdnn_scratch scratch = {{NULL}, {0}};
    int32_t sample[POSITIONS], read[POSITIONS];
    assert_status(vdnn_dataset_read(dataset, 1, &scratch, (void *[]){sample}, read),
                  VDNN_BAD_INPUT);
    assert_message("labels.npy: label 1 of sample 1 is -100, which is no class; expected 0 to 3");
    vdnn_scratch_fini(&scratch);
    vdnn_dataset_close(dataset);
    request.ignored = &ignored;
    request.labels = 4;
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT,
                                "has 3 labels a sample, but the network reads 4");
    vdnn_test_write_file(vdnn_test_path(*state, "labels.npy"), single.bytes, single.count);
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT,
                                "has 1 labels a sample, but the network reads 4");
}

/* As numbers of any type, in the shape that a loss reads, and within the range that it has. */
TEST_IN_FOLDER(targets_are_read_and_checked)
{
    enum { ROWS = 2, COLUMNS = 3, NUMBERS = ROWS * COLUMNS };
    vdnn_desc wanted = {
        .dims = {7, 1, ROWS, COLUMNS}, .rank = VDNN_PICTURE_RANK, .dtype = VDNN_F32};
    float floats[COUNT * NUMBERS];
    double doubles[COUNT * NUMBERS];
    unsigned char bytes[COUNT * NUMBERS];
    for (int i = 0; i < COUNT * NUMBERS; i++) {
        bytes[i] = (unsigned char)(i % 2);
        floats[i] = (float)bytes[i];
        doubles[i] = bytes[i];
    }
    const blob images = npy_images(1, NPY_IMAGES);
    const struct {
        const char *header;
        const void *data;
        size_t bytes;
    } files[] = {
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (5, 2, 3)}", floats, sizeof floats},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (5, 2, 1, 3)}", doubles,
         sizeof doubles},
        {"{'descr': '|b1', 'fortran_order': False, 'shape': (5, 1, 2, 3)}", bytes, sizeof bytes},
    };
    vdnn_dataset_request request = *set_in(*state);
    request.classes = 0;
    request.targets = &wanted;
    vdnn_test_write_file(vdnn_test_path(*state, "images.npy"), images.bytes, images.count);
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        const blob labels = npy_file(1, files[f].header, files[f].data, files[f].bytes);
        vdnn_test_write_file(vdnn_test_path(*state, "labels.npy"), labels.bytes, labels.count);
        vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
        assert_int_equal(vdnn_dataset_label_bytes(dataset), NUMBERS * sizeof(float));
        for (int k = 0; k < COUNT; k++) {
            float image[64], read[NUMBERS];
            vdnn_test_sample(dataset, (uint64_t)k, image, (int32_t *)(void *)read);
            assert_memory_equal(read, floats + (ptrdiff_t)k * NUMBERS, sizeof read);
        }
        vdnn_dataset_close(dataset);
    }
    wanted.dims[VDNN_H] = COLUMNS;
    wanted.dims[VDNN_W] = ROWS;
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT,
                                "has 1 x 2 x 3 labels a sample, but the network reads 1 x 3 x 2");
    wanted.dims[VDNN_H] = ROWS;
    wanted.dims[VDNN_W] = COLUMNS;
    wanted.below = 1; /* probabilities */
    floats[NUMBERS + 4] = 1.5F;
    const blob labels = npy_file(1, files[0].header, floats, sizeof floats);
    vdnn_test_write_file(vdnn_test_path(*state, "labels.npy"), labels.bytes, labels.count);
    vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
    vdnn_scratch scratch = {{NULL}, {0}};
    float image[64], read[NUMBERS];
    assert_status(vdnn_dataset_read(dataset, 1, &scratch, (void *[]){image}, read), VDNN_BAD_INPUT);
    assert_message("labels.npy: value 4 of sample 1 is 1.5, expected 0 to 1");
    vdnn_scratch_fini(&scratch);
    vdnn_dataset_close(dataset);
}

/* A picture that is resized, one that is not, and tokens; an input called as in a file without
 * names has its file. */
TEST_IN_FOLDER(several_inputs_have_files_of_their_names)
{
    enum { TOKENS = 3, VOCABULARY = 20 };
    int64_t tokens[COUNT * TOKENS];
    for (int i = 0; i < COUNT * TOKENS; i++)
        tokens[i] = (i * 7) % VOCABULARY;
    const blob words = npy_file(1, "{'descr': '<i8', 'fortran_order': False, 'shape': (5, 3)}",
                                tokens, sizeof tokens),
               pictures = npy_images(1, NPY_IMAGES), labels = npy_labels(1, NPY_LABELS);
    write_npy(*state, &pictures, &labels);
    vdnn_test_write_file(vdnn_test_path(*state, "photo.npy"), pictures.bytes, pictures.count);
    vdnn_test_write_file(vdnn_test_path(*state, "words.npy"), words.bytes, words.count);
    vdnn_test_write_file(vdnn_test_path(*state, "sold.npy"), labels.bytes, labels.count);
    vdnn_dataset_request request = {
        .spec = set_in(*state)->spec,
        .inputs = {{.name = "photo", .channels = 1, .height = 2 * HEIGHT, .width = 2 * WIDTH},
                   {.name = "words", .tokens = TOKENS, .vocabulary = VOCABULARY},
                   {.name = "input", .channels = 1, .height = HEIGHT, .width = WIDTH}},
        .input_count = 3,
        .classes = VDNN_TEST_SMALL_CLASSES,
        .labels_name = "sold"};
    vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
    assert_int_equal(vdnn_dataset_inputs(dataset), 3);
    assert_int_equal(vdnn_dataset_per_sample(dataset, 0), 4 * PIXELS);
    assert_int_equal(vdnn_dataset_per_sample(dataset, 1), TOKENS);
    vdnn_scratch scratch = {0};
    for (int k = 0; k < COUNT; k++) {
        float photo[4 * PIXELS], plain[PIXELS];
        int32_t read[TOKENS], label = -1;
        assert_ok(vdnn_dataset_read(dataset, (uint64_t)k, &scratch, (void *[]){photo, read, plain},
                                    &label));
        assert_int_equal(label, 9 - k);
        for (ptrdiff_t t = 0; t < TOKENS; t++)
            assert_int_equal(read[t], tokens[k * TOKENS + t]);
        for (int p = 0; p < PIXELS; p++)
            assert_true(plain[p] == (float)(k * PIXELS + p) - 7.5F);
        assert_true(photo[0] == plain[0] && photo[4 * PIXELS - 1] == plain[PIXELS - 1]);
    }
    vdnn_scratch_fini(&scratch);
    vdnn_dataset_close(dataset);
    vdnn_test_every_allocation_may_fail(&request, 8);
    request.inputs[1].tokens = 4;
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT,
                                "samples have 3 tokens, the network's input 'words' has 4");
    request.inputs[1].name = "text";
    vdnn_test_expect_no_dataset(&request, VDNN_FILE, "text.npy");
}

TEST_IN_FOLDER(inputs_of_other_numbers_of_samples_are_refused)
{
    const float pixels[4 * PIXELS] = {0};
    const blob pictures = npy_images(1, NPY_IMAGES), labels = npy_labels(1, NPY_LABELS),
               fewer =
                   npy_file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 1, 2, 3)}",
                            pixels, sizeof pixels);
    write_npy(*state, &pictures, &labels);
    vdnn_test_write_file(vdnn_test_path(*state, "fewer.npy"), fewer.bytes, fewer.count);
    vdnn_dataset_request request = *set_in(*state);
    request.inputs[0].name = "input";
    request.inputs[1] = request.inputs[0];
    request.inputs[1].name = "fewer";
    request.input_count = 2;
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT, "fewer.npy: has 4 samples, but ");
    assert_message("images.npy has 5");
}

TEST_IN_FOLDER(npy_files_cut_off_anywhere_are_refused)
{
    blob images = npy_images(1, NPY_IMAGES), labels = npy_labels(1, NPY_LABELS);
    for (size_t cut = 0; cut < images.count; cut++) {
        blob part = images;
        part.count = cut;
        write_npy(*state, &part, &labels);
        vdnn_test_expect_no_dataset(set_in(*state), VDNN_BAD_INPUT, "images.npy: is cut off");
    }
}

TEST_IN_FOLDER(damaged_npy_files_never_crash)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(5000); i++) {
        blob images = npy_images(1 + i % 3, NPY_IMAGES), labels = npy_labels(1, NPY_LABELS);
        for (int64_t k = vdnn_test_between(&rng, 1, 4); k > 0; k--) {
            blob *hit = vdnn_test_between(&rng, 0, 3) == 0 ? &labels : &images;
            /* Mostly the header. */
            int64_t last = vdnn_test_between(&rng, 0, 3) > 0 ? 90 : (int64_t)hit->count - 1;
            hit->bytes[vdnn_test_between(&rng, 0, last)] =
                vdnn_test_between(&rng, 0, 1) == 0
                    ? (unsigned char)vdnn_test_random(&rng)
                    : (unsigned char)"0123456789(),'{}"[vdnn_test_between(&rng, 0, 15)];
        }
        write_npy(*state, &images, &labels);
        (void)vdnn_test_dataset_survives(set_in(*state));
    }
}

TEST_IN_FOLDER(a_file_that_shrinks_while_open_is_an_error_not_a_crash)
{
    blob images = npy_images(1, NPY_IMAGES), labels = npy_labels(1, NPY_LABELS);
    write_npy(*state, &images, &labels);
    vdnn_dataset *dataset = vdnn_test_open_dataset(set_in(*state));
    assert_int_equal(truncate(vdnn_test_path(*state, "images.npy"), 100), 0);
    float image[PIXELS];
    int32_t label;
    vdnn_scratch scratch = {0};
    assert_status(vdnn_dataset_read(dataset, 4, &scratch, (void *[]){image}, &label),
                  VDNN_BAD_INPUT);
    assert_message("is cut off");
    vdnn_dataset_close(dataset);
}

/* ---- memory ---------------------------------------------------------------------------------- */

TEST_IN_FOLDER(every_allocation_may_fail)
{
    blob images = npy_images(1, NPY_IMAGES), labels = npy_labels(1, NPY_LABELS);
    write_npy(*state, &images, &labels);
    vdnn_dataset_request request = *set_in(*state);
    request.inputs[0].width++; /* so that resizing takes memory too */
    vdnn_test_every_allocation_may_fail(&request, 5);
}
