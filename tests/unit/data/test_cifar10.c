#include "tests/support/datasets.h"
#include "tests/support/files.h"

#include "runtime/base/heap.h"
#include "runtime/data/dataset.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIDE = 32, PLANE = SIDE * SIDE, PIXELS = 3 * PLANE, RECORD = 1 + PIXELS, CLASSES = 10 };

/* ---- small sets ------------------------------------------------------------------------------ */

static unsigned char pixel_of(int record, int i)
{
    return (unsigned char)(record * 37 + i * 7 + i / PLANE * 91);
}

/* `count` records numbered from `first`; record r has the label r % 10. Freed with free. */
static unsigned char *make_records(int first, int count)
{
    unsigned char *bytes = malloc((size_t)count * RECORD);
    assert_non_null(bytes);
    for (int r = 0; r < count; r++) {
        bytes[r * RECORD] = (unsigned char)((first + r) % CLASSES);
        for (int i = 0; i < PIXELS; i++)
            bytes[r * RECORD + 1 + i] = pixel_of(first + r, i);
    }
    return bytes;
}

static void write_records(const char *folder, const char *name, int first, int count)
{
    unsigned char *bytes = make_records(first, count);
    vdnn_test_write_file(vdnn_test_path(folder, name), bytes, (size_t)count * RECORD);
    free(bytes);
}

static vdnn_scratch scratch;

static int free_scratch(void **state)
{
    (void)state;
    vdnn_scratch_fini(&scratch);
    return 0;
}

/* ---- opening --------------------------------------------------------------------------------- */

static const char *spec_of(const char *folder)
{
    static char spec[1024];
    (void)snprintf(spec, sizeof spec, "cifar10:%s", folder);
    return spec;
}

static vdnn_dataset_request request_for(const char *folder, vdnn_split split)
{
    return (vdnn_dataset_request){.spec = spec_of(folder),
                                  .split = split,
                                  .inputs = {{.channels = 3, .height = SIDE, .width = SIDE}},
                                  .input_count = 1,
                                  .classes = CLASSES};
}

static vdnn_dataset *open_set(const char *folder, vdnn_split split)
{
    vdnn_dataset_request request = request_for(folder, split);
    return vdnn_test_open_dataset(&request);
}

static void assert_record(const vdnn_dataset *dataset, uint64_t index, int record)
{
    static float image[PIXELS];
    int32_t label = -1;
    assert_ok(vdnn_dataset_read(dataset, index, &scratch, (void *[]){image}, &label));
    assert_int_equal(label, record % CLASSES);
    for (int i = 0; i < PIXELS; i++)
        assert_true(image[i] == (float)pixel_of(record, i) / 255.0f);
}

/* ---- what is read ---------------------------------------------------------------------------- */

TEST_IN_FOLDER(records_are_a_label_and_three_planes_of_bytes)
{
    write_records(*state, "data_batch_1.bin", 0, 12);
    vdnn_dataset *dataset = open_set(*state, VDNN_SPLIT_TRAIN);
    assert_int_equal(vdnn_dataset_count(dataset), 12);
    assert_int_equal(vdnn_dataset_per_sample(dataset, 0), PIXELS);
    for (int i = 11; i >= 0; i--)
        assert_record(dataset, (uint64_t)i, i);
    vdnn_dataset_close(dataset);
}

/* The publisher's file ends with an empty line; a longer one is read as far as there is room. */
TEST_IN_FOLDER(classes_have_their_names_where_there_is_the_file)
{
    char many[2000];
    write_records(*state, "data_batch_1.bin", 0, 1);
    vdnn_dataset *dataset = open_set(*state, VDNN_SPLIT_TRAIN);
    assert_null(vdnn_dataset_class_name(dataset, 0));
    vdnn_dataset_close(dataset);
    vdnn_test_write_below(*state, "batches.meta.txt", "airplane\r\ncat\n\n");
    dataset = open_set(*state, VDNN_SPLIT_TRAIN);
    assert_string_equal(vdnn_dataset_class_name(dataset, 0), "airplane");
    assert_string_equal(vdnn_dataset_class_name(dataset, 1), "cat");
    assert_null(vdnn_dataset_class_name(dataset, 2));
    vdnn_dataset_close(dataset);
    memset(many, 'x', sizeof many);
    many[sizeof many - 1] = '\0';
    vdnn_test_write_below(*state, "batches.meta.txt", many);
    dataset = open_set(*state, VDNN_SPLIT_TRAIN);
    assert_in_range(strlen(vdnn_dataset_class_name(dataset, 0)), 100, sizeof many);
    assert_null(vdnn_dataset_class_name(dataset, 1));
    vdnn_dataset_close(dataset);
}

/* Of other lengths than the publisher's, with a gap in the numbers, and 10 after 2. */
TEST_IN_FOLDER(training_files_follow_each_other_in_the_order_of_their_numbers)
{
    write_records(*state, "data_batch_10.bin", 8, 5);
    write_records(*state, "data_batch_1.bin", 0, 3);
    write_records(*state, "data_batch_2.bin", 3, 5);
    write_records(*state, "test_batch.bin", 77, 1);
    write_records(*state, "data_batch_3.bin.old", 88, 1);
    vdnn_dataset *dataset = open_set(*state, VDNN_SPLIT_TRAIN);
    assert_int_equal(vdnn_dataset_count(dataset), 13);
    for (int i = 0; i < 13; i++)
        assert_record(dataset, (uint64_t)i, i);
    vdnn_dataset_close(dataset);
}

TEST_IN_FOLDER(the_test_part_is_the_test_batch)
{
    write_records(*state, "data_batch_1.bin", 0, 3);
    vdnn_dataset_request request = request_for(*state, VDNN_SPLIT_TEST);
    assert_false(vdnn_dataset_has_test(request.spec));
    vdnn_test_expect_no_dataset(&request, VDNN_FILE, "test_batch.bin");
    write_records(*state, "test_batch.bin", 40, 2);
    assert_true(vdnn_dataset_has_test(request.spec));
    vdnn_dataset *dataset = open_set(*state, VDNN_SPLIT_TEST);
    assert_int_equal(vdnn_dataset_count(dataset), 2);
    assert_record(dataset, 1, 41);
    vdnn_dataset_close(dataset);
}

TEST(what_has_no_files_has_no_test_part)
{
    assert_false(vdnn_dataset_has_test("idx:nowhere"));
    assert_false(vdnn_dataset_has_test("npy:anywhere"));
    assert_false(vdnn_dataset_has_test("synthetic"));
    assert_false(vdnn_dataset_has_test("cifar10:nowhere"));
    assert_false(vdnn_dataset_has_test("no such kind:there"));
}

TEST_IN_FOLDER(pictures_of_cifar10_are_resized_to_the_input)
{
    unsigned char *bytes = make_records(0, 1);
    for (int i = 0; i < PIXELS; i++)
        bytes[1 + i] = (unsigned char)(51 * (1 + i / PLANE)); /* one shade a plane */
    vdnn_test_write_file(vdnn_test_path(*state, "data_batch_1.bin"), bytes, RECORD);
    free(bytes);
    vdnn_dataset_request request = request_for(*state, VDNN_SPLIT_TRAIN);
    request.inputs[0].height = 7;
    request.inputs[0].width = 41;
    vdnn_dataset *dataset = NULL;
    assert_ok(vdnn_dataset_open(&request, &dataset));
    float image[3 * 7 * 41];
    int32_t label = -1;
    assert_ok(vdnn_dataset_read(dataset, 0, &scratch, (void *[]){image}, &label));
    for (int i = 0; i < 3 * 7 * 41; i++) {
        int shade = 51 * (1 + i / (7 * 41));
        assert_true(fabsf(image[i] - (float)shade / 255.0f) < 1e-6f);
    }
    vdnn_dataset_close(dataset);
}

TEST(what_its_publisher_says_of_cifar10_holds)
{
    static const uint64_t counts[] = {1005, 974, 1032, 1016, 999, 937, 1030, 1001, 1025, 981};
    const char *folder = vdnn_test_data("cifar10");
    for (int split = 0; split < 2; split++) {
        vdnn_dataset *dataset = open_set(folder, split == 0 ? VDNN_SPLIT_TRAIN : VDNN_SPLIT_TEST);
        if (split == 0 && vdnn_dataset_count(dataset) != 10000) {
            vdnn_dataset_close(dataset);
            skip_because("%s has more than the first training file", folder);
        }
        assert_int_equal(vdnn_dataset_count(dataset), 10000);
        uint64_t found[CLASSES] = {0};
        for (uint64_t i = 0; i < 10000; i++) {
            static float image[PIXELS];
            int32_t label;
            assert_ok(vdnn_dataset_read(dataset, i, &scratch, (void *[]){image}, &label));
            found[label]++;
        }
        for (int c = 0; c < CLASSES; c++)
            assert_int_equal(found[c], split == 0 ? counts[c] : 1000);
        vdnn_dataset_close(dataset);
    }
}

/* ---- what is refused ------------------------------------------------------------------------- */

TEST_IN_FOLDER(a_file_cut_off_within_a_record_is_refused_with_file_and_record)
{
    write_records(*state, "data_batch_1.bin", 0, 2);
    write_records(*state, "data_batch_2.bin", 0, 3);
    const char *path = vdnn_test_path(*state, "data_batch_2.bin");
    vdnn_dataset_request request = request_for(*state, VDNN_SPLIT_TRAIN);
    static const struct {
        int bytes;
        const char *reason;
    } cuts[] = {
        {1, "is cut off in record 0: it has 1 of 3073 bytes"},
        {RECORD - 1, "is cut off in record 0: it has 3072 of 3073 bytes"},
        {RECORD + 1, "is cut off in record 1: it has 1 of 3073 bytes"},
        {3 * RECORD - 1, "is cut off in record 2: it has 3072 of 3073 bytes"},
        {0, "has no records"},
    };
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        write_records(*state, "data_batch_2.bin", 0, 3);
        assert_int_equal(truncate(path, cuts[i].bytes), 0);
        vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT, cuts[i].reason);
        assert_message("data_batch_2.bin:");
    }
}

TEST_IN_FOLDER(a_label_out_of_range_is_refused_with_file_and_record)
{
    vdnn_dataset_request request = request_for(*state, VDNN_SPLIT_TRAIN);
    write_records(*state, "data_batch_1.bin", 0, 2);
    unsigned char *bytes = make_records(0, 4);
    bytes[3 * RECORD] = 10;
    vdnn_test_write_file(vdnn_test_path(*state, "data_batch_2.bin"), bytes, 4 * RECORD);
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT,
                                "the label of record 3 is 10; CIFAR-10 has 0 to 9");
    assert_message("data_batch_2.bin:");
    bytes[3 * RECORD] = 9;
    vdnn_test_write_file(vdnn_test_path(*state, "data_batch_2.bin"), bytes, 4 * RECORD);
    request.classes = 9;
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT,
                                "the label of record 3 is 9, but the network has 9 classes");
    free(bytes);
}

TEST_IN_FOLDER(a_folder_without_training_files_is_refused)
{
    vdnn_dataset_request request = request_for(*state, VDNN_SPLIT_TRAIN);
    vdnn_test_expect_no_dataset(&request, VDNN_FILE, "has no file data_batch_*.bin");
    write_records(*state, "test_batch.bin", 0, 2);
    vdnn_test_expect_no_dataset(&request, VDNN_FILE, "has no file data_batch_*.bin");
}

TEST_IN_FOLDER(a_place_that_is_no_folder_is_refused)
{
    vdnn_dataset_request request = request_for(vdnn_test_path(*state, "nowhere"), VDNN_SPLIT_TRAIN);
    vdnn_test_expect_no_dataset(&request, VDNN_FILE, "nowhere: No such file");
    write_records(*state, "data_batch_1.bin", 0, 1);
    request = request_for(vdnn_test_path(*state, "data_batch_1.bin"), VDNN_SPLIT_TRAIN);
    vdnn_test_expect_no_dataset(&request, VDNN_FILE, "data_batch_1.bin: Not a directory");
}

TEST_IN_FOLDER(a_folder_in_place_of_a_file_is_refused)
{
    write_records(*state, "data_batch_1.bin", 0, 1);
    const char *train = vdnn_test_path(*state, "data_batch_2.bin");
    const char *test = vdnn_test_path(*state, "test_batch.bin");
    assert_int_equal(mkdir(train, 0700), 0);
    assert_int_equal(mkdir(test, 0700), 0);
    vdnn_dataset_request request = request_for(*state, VDNN_SPLIT_TRAIN);
    vdnn_test_expect_no_dataset(&request, VDNN_FILE, "data_batch_2.bin: is not a regular file");
    request.split = VDNN_SPLIT_TEST;
    vdnn_test_expect_no_dataset(&request, VDNN_FILE, "test_batch.bin: is not a regular file");
    assert_int_equal(rmdir(train), 0);
    assert_int_equal(rmdir(test), 0);
}

TEST_IN_FOLDER(networks_that_want_other_than_three_channels_are_refused)
{
    write_records(*state, "data_batch_1.bin", 0, 1);
    vdnn_dataset_request request = request_for(*state, VDNN_SPLIT_TRAIN);
    request.inputs[0].channels = 1;
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT, "pictures have 3 channels");
}

TEST_IN_FOLDER(a_file_that_shrinks_while_open_is_an_error)
{
    write_records(*state, "data_batch_1.bin", 0, 3);
    vdnn_dataset *dataset = open_set(*state, VDNN_SPLIT_TRAIN);
    assert_int_equal(truncate(vdnn_test_path(*state, "data_batch_1.bin"), 2 * RECORD + 9), 0);
    assert_record(dataset, 1, 1);
    static float image[PIXELS];
    int32_t label;
    assert_status(vdnn_dataset_read(dataset, 2, &scratch, (void *[]){image}, &label),
                  VDNN_BAD_INPUT);
    assert_message("data_batch_1.bin: is cut off");
    vdnn_dataset_close(dataset);
}

TEST_IN_FOLDER(every_allocation_may_fail)
{
    write_records(*state, "data_batch_1.bin", 0, 3);
    write_records(*state, "data_batch_2.bin", 3, 1);
    vdnn_dataset_request request = request_for(*state, VDNN_SPLIT_TRAIN);
    request.inputs[0].width++; /* so that resizing takes memory too */
    vdnn_test_every_allocation_may_fail(&request, 8);
}

int main(void)
{
    return vdnn_test_main(NULL, free_scratch);
}
