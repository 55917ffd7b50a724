/* idx: MNIST's files, plain and packed. */

#include "tests/support/datasets.h"
#include "tests/support/faults.h"
#include "tests/support/files.h"

#include "runtime/base/heap.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    COUNT = VDNN_TEST_SMALL_COUNT,
    HEIGHT = VDNN_TEST_SMALL_HEIGHT,
    WIDTH = VDNN_TEST_SMALL_WIDTH,
    PIXELS = HEIGHT * WIDTH,
    CLASSES = VDNN_TEST_SMALL_CLASSES,
    IDX_IMAGES = 16 + COUNT * PIXELS,
    IDX_LABELS = 8 + COUNT,
    FILE_LIMIT = 4096,
    MNIST_PIXELS = 28 * 28,
};

/* ---- small sets ------------------------------------------------------------------------------ */

typedef struct blob {
    unsigned char bytes[FILE_LIMIT];
    size_t count;
} blob;

static blob idx_images(void)
{
    blob file = {{0, 0, 8, 3, 0, 0, 0, COUNT, 0, 0, 0, HEIGHT, 0, 0, 0, WIDTH}, IDX_IMAGES};
    for (int i = 0; i < COUNT * PIXELS; i++)
        file.bytes[16 + i] = (unsigned char)(i * 255 / (COUNT * PIXELS - 1));
    return file;
}

static blob idx_labels(void)
{
    blob file = {{0, 0, 8, 1, 0, 0, 0, COUNT}, IDX_LABELS};
    for (int i = 0; i < COUNT; i++)
        file.bytes[8 + i] = (unsigned char)(9 - i);
    return file;
}

static void write_idx(const char *folder, const blob *images, const blob *labels)
{
    vdnn_test_write_file(vdnn_test_path(folder, "train-images-idx3-ubyte"), images->bytes,
                         images->count);
    vdnn_test_write_file(vdnn_test_path(folder, "train-labels-idx1-ubyte"), labels->bytes,
                         labels->count);
}

static void write_idx_packed(const char *folder, const blob *images, const blob *labels)
{
    vdnn_test_write_packed(vdnn_test_path(folder, "train-images-idx3-ubyte.gz"), images->bytes,
                           images->count);
    vdnn_test_write_packed(vdnn_test_path(folder, "train-labels-idx1-ubyte.gz"), labels->bytes,
                           labels->count);
}

/* ---- opening --------------------------------------------------------------------------------- */

static const vdnn_dataset_request *set_in(const char *folder)
{
    return vdnn_test_small_request("idx", folder);
}

static void assert_small_idx(const char *folder)
{
    vdnn_dataset *dataset = vdnn_test_open_dataset(set_in(folder));
    assert_int_equal(vdnn_dataset_count(dataset), COUNT);
    assert_int_equal(vdnn_dataset_per_sample(dataset, 0), PIXELS);
    blob images = idx_images();
    for (int i = COUNT - 1; i >= 0; i--) {
        float image[PIXELS];
        int32_t label = -1;
        vdnn_test_sample(dataset, (uint64_t)i, image, &label);
        assert_int_equal(label, 9 - i);
        for (int k = 0; k < PIXELS; k++)
            assert_true(image[k] == (float)images.bytes[16 + i * PIXELS + k] / 255.0f);
    }
    vdnn_dataset_close(dataset);
}

/* ---- idx ------------------------------------------------------------------------------------- */

TEST_IN_FOLDER(idx_files_are_found_plain_and_packed_in_both_spellings)
{
    static const struct {
        const char *images, *labels;
        bool packed;
    } spellings[] = {
        {"train-images-idx3-ubyte", "train-labels-idx1-ubyte", false},
        {"train-images.idx3-ubyte", "train-labels.idx1-ubyte", false},
        {"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz", true},
        {"train-images.idx3-ubyte.gz", "train-labels.idx1-ubyte.gz", true},
        {"train-images-idx3-ubyte.gz", "train-labels.idx1-ubyte", true},
        {"train-images-idx3-ubyte", "train-labels-idx1-ubyte", true},
    };
    blob images = idx_images(), labels = idx_labels();
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        const char *paths[] = {vdnn_test_path(*state, spellings[i].images),
                               vdnn_test_path(*state, spellings[i].labels)};
        (spellings[i].packed ? vdnn_test_write_packed
                             : vdnn_test_write_file)(paths[0], images.bytes, images.count);
        (spellings[i].packed ? vdnn_test_write_packed
                             : vdnn_test_write_file)(paths[1], labels.bytes, labels.count);
        assert_small_idx(*state);
        assert_int_equal(unlink(paths[0]), 0);
        assert_int_equal(unlink(paths[1]), 0);
    }
}

TEST_IN_FOLDER(the_test_part_of_idx_is_another_pair_of_files)
{
    blob images = idx_images(), labels = idx_labels();
    write_idx(*state, &images, &labels);
    vdnn_dataset_request request = *set_in(*state);
    request.split = VDNN_SPLIT_TEST;
    vdnn_dataset *dataset = NULL;
    assert_status(vdnn_dataset_open(&request, &dataset), VDNN_FILE);
    assert_message("t10k-images");
    assert_false(vdnn_dataset_has_test(request.spec)); /* what is only trained needs none */
    vdnn_test_write_file(vdnn_test_path(*state, "t10k-images-idx3-ubyte"), images.bytes,
                         images.count);
    assert_true(vdnn_dataset_has_test(request.spec));
    assert_status(vdnn_dataset_open(&request, &dataset), VDNN_FILE);
    assert_message("t10k-labels");
    vdnn_test_write_file(vdnn_test_path(*state, "t10k-labels-idx1-ubyte"), labels.bytes,
                         labels.count);
    assert_ok(vdnn_dataset_open(&request, &dataset));
    vdnn_dataset_close(dataset);
}

TEST_IN_FOLDER(idx_headers_that_lie_are_refused)
{
    static const struct {
        size_t at;
        const char *reason;
        unsigned char value;
        bool labels; /* which file */
    } lies[] = {
        {0, "0x01000803", 1, false},
        {2, "0x00000903", 9, false},
        {3, "0x00000801", 1, false},
        {3, "0x00000804", 4, false},
        {4, "images; expected 1 to", 0xff, false},
        {7, "is cut off", COUNT + 1, false},
        {7, "has more than", COUNT - 1, false},
        {7, "0 images", 0, false},
        {8, "sides must", 0xff, false},
        {11, "sides must", 0, false},
        {15, "sides must", 0, false},
        {15, "is cut off", WIDTH + 1, false},
        {11, "has more than", 1, false},
        {3, "0x00000803", 3, true},
        {7, "6 labels", COUNT + 1, true},
        {7, "4 labels", COUNT - 1, true},
        {10, "label 2 is 10, but the network has 10 classes", CLASSES, true},
        {12, "label 4 is 255", 255, true},
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        blob images = idx_images(), labels = idx_labels();
        (lies[i].labels ? &labels : &images)->bytes[lies[i].at] = lies[i].value;
        write_idx(*state, &images, &labels);
        vdnn_test_expect_no_dataset(set_in(*state), VDNN_BAD_INPUT, lies[i].reason);
        assert_message(lies[i].labels ? "train-labels-idx1-ubyte:" : "train-images-idx3-ubyte:");
    }
}

TEST_IN_FOLDER(the_largest_header_does_not_overflow)
{
    blob images = idx_images(), labels = idx_labels();
    memcpy(images.bytes + 4, (unsigned char[]){8, 0, 0, 0, 0, 0, 32, 0, 0, 0, 32, 0}, 12);
    write_idx(*state, &images, &labels);
    vdnn_test_expect_no_dataset(set_in(*state), VDNN_BAD_INPUT, "is cut off");
    memcpy(images.bytes + 4, (unsigned char[]){8, 0, 0, 1, 0, 0, 32, 0, 0, 0, 32, 0}, 12);
    write_idx(*state, &images, &labels);
    vdnn_test_expect_no_dataset(set_in(*state), VDNN_BAD_INPUT,
                                "has 134217729 images; expected 1 to 134217728");
    memcpy(images.bytes + 4, (unsigned char[]){0, 0, 0, 1, 0, 0, 32, 0, 0, 0, 32, 1}, 12);
    write_idx(*state, &images, &labels);
    vdnn_test_expect_no_dataset(set_in(*state), VDNN_BAD_INPUT, "has pictures of 1 x 8192 x 8193;");
}

TEST_IN_FOLDER(idx_files_cut_off_anywhere_or_too_long_are_refused)
{
    blob images = idx_images(), labels = idx_labels();
    for (size_t cut = 0; cut < IDX_IMAGES; cut++) {
        blob part = images;
        part.count = cut;
        write_idx(*state, &part, &labels);
        vdnn_test_expect_no_dataset(set_in(*state), VDNN_BAD_INPUT, "is cut off");
    }
    for (size_t cut = 0; cut < IDX_LABELS; cut++) {
        blob part = labels;
        part.count = cut;
        write_idx(*state, &images, &part);
        vdnn_test_expect_no_dataset(set_in(*state), VDNN_BAD_INPUT, "is cut off");
    }
    images.count++;
    write_idx(*state, &images, &labels);
    vdnn_test_expect_no_dataset(set_in(*state), VDNN_BAD_INPUT, "has more than the 46 bytes");
}

TEST_IN_FOLDER(packed_files_cut_off_damaged_or_too_long_are_refused)
{
    blob images = idx_images(), labels = idx_labels();
    write_idx_packed(*state, &images, &labels);
    const char *path = vdnn_test_path(*state, "train-images-idx3-ubyte.gz");
    char *bytes;
    size_t count;
    vdnn_test_read_file(path, &bytes, &count);
    for (size_t cut = 0; cut < count; cut++) {
        vdnn_test_write_file(path, bytes, cut);
        vdnn_test_expect_no_dataset(set_in(*state), VDNN_BAD_INPUT, "train-images-idx3-ubyte.gz: ");
    }
    bytes[count - 6] = (char)(bytes[count - 6] ^ 1); /* in the checksum */
    vdnn_test_write_file(path, bytes, count);
    vdnn_test_expect_no_dataset(set_in(*state), VDNN_BAD_INPUT, "damaged");
    free(bytes);
    images.count++;
    write_idx_packed(*state, &images, &labels);
    vdnn_test_expect_no_dataset(set_in(*state), VDNN_BAD_INPUT, "has more than the 46 bytes");
}

/* What a packed file may take is bounded by its header, and the header by the file's real size. */
TEST_IN_FOLDER(a_packed_bomb_is_not_unpacked)
{
    enum { BOMB = 64 << 20 };
    blob small = idx_images(), labels = idx_labels();
    unsigned char *bomb = calloc(BOMB, 1);
    assert_non_null(bomb);
    memcpy(bomb, small.bytes, small.count);
    const char *path = vdnn_test_path(*state, "train-images-idx3-ubyte.gz");
    write_idx_packed(*state, &small, &labels);
    vdnn_test_write_packed(path, bomb, BOMB);
    free(bomb);
    vdnn_test_expect_no_dataset(set_in(*state), VDNN_BAD_INPUT, "has more than the 46 bytes");

    memcpy(small.bytes + 4, (unsigned char[]){7, 255, 255, 255}, 4);
    write_idx_packed(*state, &small, &labels);
    vdnn_test_expect_no_dataset(set_in(*state), VDNN_BAD_INPUT, "can hold");
}

/* Nor does it take what the machine cannot spare, also where header and data agree. */
TEST_IN_FOLDER(what_is_unpacked_is_bounded_by_the_memory_there_is)
{
    enum { PICTURES = 20000, BYTES = PICTURES * PIXELS };
    static const struct {
        const char *available;
        bool enough;
    } machines[] = {{"MemAvailable: 200 kB\n", false}, {"MemAvailable: 400 kB\n", true}};
    blob images = idx_images(), labels = idx_labels();
    unsigned char *file = calloc(16 + BYTES, 1);
    assert_non_null(file);
    const char *path = vdnn_test_path(*state, "train-images-idx3-ubyte.gz");
    memcpy(images.bytes + 4, (unsigned char[]){0, 0, PICTURES >> 8, PICTURES & 255}, 4);
    memcpy(file, images.bytes, 16);
    vdnn_test_write_packed(path, file, 16 + BYTES);
    memcpy(labels.bytes + 4, images.bytes + 4, 4);
    memset(file, 0, 8 + PICTURES);
    memcpy(file, labels.bytes, 8);
    vdnn_test_write_file(vdnn_test_path(*state, "train-labels-idx1-ubyte"), file, 8 + PICTURES);
    free(file);
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        vdnn_test_write_below(*state, "proc/meminfo", machines[i].available);
        const vdnn_test_fault machine = {.root = *state};
        vdnn_test_fault_begin(&machine);
        if (machines[i].enough)
            vdnn_dataset_close(vdnn_test_open_dataset(set_in(*state)));
        else
            vdnn_test_expect_no_dataset(set_in(*state), VDNN_BAD_INPUT,
                                        "that MemAvailable leaves; unpack the");
        (void)vdnn_test_fault_end();
    }
}

/* 4 GiB of nothing: refused before anything is unpacked. */
TEST_IN_FOLDER(more_than_two_gibibytes_are_not_unpacked)
{
    blob images = idx_images(), labels = idx_labels();
    memcpy(images.bytes + 4, (unsigned char[]){0, 0, 64, 0, 0, 0, 2, 0, 0, 0, 2, 0}, 12);
    write_idx_packed(*state, &images, &labels);
    /* What follows the packed file is no member of it, but the header can be believed. */
    assert_int_equal(truncate(vdnn_test_path(*state, "train-images-idx3-ubyte.gz"), 16 << 20), 0);
    vdnn_test_expect_no_dataset(set_in(*state), VDNN_BAD_INPUT,
                                "more than is unpacked into memory");
}

TEST_IN_FOLDER(what_is_no_regular_file_is_refused_without_waiting)
{
    blob labels = idx_labels(), images = idx_images();
    write_idx(*state, &images, &labels);
    const char *path = vdnn_test_path(*state, "train-images-idx3-ubyte");
    assert_int_equal(unlink(path), 0);
    vdnn_test_expect_no_dataset(set_in(*state), VDNN_FILE, "train-images-idx3-ubyte");
    assert_int_equal(mkfifo(path, 0600), 0);
    vdnn_test_expect_no_dataset(set_in(*state), VDNN_FILE, "is not a regular file");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    vdnn_test_expect_no_dataset(set_in(*state), VDNN_FILE, "is not a regular file");
    vdnn_test_expect_no_dataset(set_in(vdnn_test_path(*state, "nowhere")), VDNN_FILE, "nowhere: ");
}

TEST_IN_FOLDER(damaged_idx_files_never_crash)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(3000); i++) {
        blob images = idx_images(), labels = idx_labels();
        for (int64_t k = vdnn_test_between(&rng, 1, 4); k > 0; k--) {
            blob *hit = vdnn_test_between(&rng, 0, 2) == 0 ? &labels : &images;
            hit->bytes[vdnn_test_between(&rng, 0, (int64_t)hit->count - 1)] =
                (unsigned char)vdnn_test_random(&rng);
        }
        write_idx(*state, &images, &labels);
        (void)vdnn_test_dataset_survives(set_in(*state));
    }
}

TEST_IN_FOLDER(damaged_packed_files_never_crash)
{
    static const char *const names[] = {"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"};
    vdnn_test_rng rng = {vdnn_test_seed()};
    blob images = idx_images(), labels = idx_labels();
    int opened = 0;
    for (int i = 0; i < vdnn_test_count(2000); i++) {
        write_idx_packed(*state, &images, &labels);
        const char *path = vdnn_test_path(*state, names[vdnn_test_between(&rng, 0, 1)]);
        char *bytes;
        size_t count;
        vdnn_test_read_file(path, &bytes, &count);
        for (int64_t k = vdnn_test_between(&rng, 1, 3); k > 0; k--)
            bytes[vdnn_test_between(&rng, 0, (int64_t)count - 1)] = (char)vdnn_test_random(&rng);
        vdnn_test_write_file(path, bytes, count);
        free(bytes);
        opened += vdnn_test_dataset_survives(set_in(*state));
    }
    assert_true(opened < vdnn_test_count(2000)); /* the checksum sees most of it */
}

/* Each class as often as published, and the mean of all pixels between those of both parts. */
typedef struct published {
    uint64_t count[2];
    int per_class[2][CLASSES];
    double low, high;
} published;

static void expect_published(const char *folder, const published *wanted)
{
    char spec[512];
    (void)snprintf(spec, sizeof spec, "idx:%s", folder);
    for (int part = 0; part < 2; part++) {
        vdnn_split split = part == 0 ? VDNN_SPLIT_TRAIN : VDNN_SPLIT_TEST;
        vdnn_dataset_request request = {.spec = spec,
                                        .split = split,
                                        .inputs = {{.channels = 1, .height = 28, .width = 28}},
                                        .input_count = 1,
                                        .classes = CLASSES};
        vdnn_dataset *dataset;
        int per_class[CLASSES] = {0};
        double sum = 0;
        assert_ok(vdnn_dataset_open(&request, &dataset));
        assert_int_equal(vdnn_dataset_count(dataset), wanted->count[part]);
        for (uint64_t k = 0; k < wanted->count[part]; k++) {
            float image[MNIST_PIXELS];
            int32_t label;
            vdnn_test_sample(dataset, k, image, &label);
            per_class[label]++;
            for (size_t p = 0; p < MNIST_PIXELS; p++)
                sum += (double)image[p];
        }
        vdnn_dataset_close(dataset);
        assert_memory_equal(per_class, wanted->per_class[part], sizeof per_class);
        double mean = sum / (double)wanted->count[part] / MNIST_PIXELS;
        assert_true(mean > wanted->low && mean < wanted->high);
    }
}

TEST(mnist_is_what_its_publishers_say)
{
    static const published mnist = {
        {60000, 10000},
        {{5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949},
         {980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009}},
        0.1305, /* published: 0.1307 and 0.1325 */
        0.1327,
    };
    expect_published(vdnn_test_data("mnist"), &mnist);
}

TEST(fashion_mnist_is_what_its_publishers_say)
{
    static const published fashion = {
        {60000, 10000},
        {{6000, 6000, 6000, 6000, 6000, 6000, 6000, 6000, 6000, 6000},
         {1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000}},
        0.2858, /* published: 0.2860; of the test part 0.2868 */
        0.2870,
    };
    expect_published(vdnn_test_fashion_mnist(), &fashion);
}

/* ---- other sizes ----------------------------------------------------------------------------- */

TEST_IN_FOLDER(another_number_of_channels_is_refused)
{
    blob images = idx_images(), labels = idx_labels();
    write_idx(*state, &images, &labels);
    vdnn_dataset_request request = *set_in(*state);
    request.inputs[0].channels = 3;
    vdnn_dataset *dataset = NULL;
    assert_status(vdnn_dataset_open(&request, &dataset), VDNN_BAD_INPUT);
    assert_message("1 channel, the network's input has 3");
    assert_null(dataset);
}

TEST_IN_FOLDER(pictures_of_another_size_are_resized)
{
    blob images = idx_images(), labels = idx_labels();
    write_idx(*state, &images, &labels);
    vdnn_dataset_request request = *set_in(*state);
    request.inputs[0].height = 4;
    request.inputs[0].width = 6;
    vdnn_dataset *dataset;
    assert_ok(vdnn_dataset_open(&request, &dataset));
    assert_int_equal(vdnn_dataset_per_sample(dataset, 0), 24);
    float image[24];
    int32_t label = -1;
    vdnn_test_sample(dataset, 2, image, &label);
    assert_int_equal(label, 7);
    float corners[4] = {image[0], image[5], image[18], image[23]};
    static const int cells[4] = {0, WIDTH - 1, PIXELS - WIDTH, PIXELS - 1};
    for (int k = 0; k < 4; k++)
        assert_true(corners[k] == (float)images.bytes[16 + 2 * PIXELS + cells[k]] / 255.0f);
    vdnn_dataset_close(dataset);
}

/* ---- memory ---------------------------------------------------------------------------------- */

TEST_IN_FOLDER(every_allocation_may_fail)
{
    blob images = idx_images(), labels = idx_labels();
    write_idx_packed(*state, &images, &labels);
    vdnn_dataset_request request = *set_in(*state);
    request.inputs[0].width++; /* so that resizing takes memory too */
    vdnn_test_every_allocation_may_fail(&request, 5);
}
