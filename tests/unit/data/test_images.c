#include "tests/support/datasets.h"
#include "tests/support/files.h"
#include "tests/support/pictures.h"

#include "runtime/base/heap.h"
#include "runtime/data/dataset.h"
#include "runtime/data/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIDE = 6, PIXELS = 3 * SIDE * SIDE };

static vdnn_scratch scratch;

static int free_scratch(void **state)
{
    (void)state;
    vdnn_scratch_fini(&scratch);
    return 0;
}

/* ---- small sets ------------------------------------------------------------------------------ */

/* A picture whose top left pixel tells its seed. */
static void write_picture(const char *folder, const char *name, int seed)
{
    vdnn_test_write_picture(vdnn_test_path(folder, name), SIDE, SIDE, seed);
}

static void write_text(const char *folder, const char *name)
{
    vdnn_test_write_file(vdnn_test_path(folder, name), "text", 4);
}

/* FOLDER/PART/{cat,dog}, two cats and a dog; PART may be empty. */
static void write_part(const char *folder, const char *part)
{
    char name[512];
    const char *slash = part[0] == '\0' ? "" : "/";
    if (part[0] != '\0')
        vdnn_test_make_below(folder, part);
    static const char *const entries[] = {"cat", "dog", "cat/b.PNG", "cat/a.jpeg", "dog/10.png"};
    for (int i = 0; i < 5; i++) {
        (void)snprintf(name, sizeof name, "%s%s%s", part, slash, entries[i]);
        if (i < 2)
            vdnn_test_make_below(folder, name);
        else
            write_picture(folder, name, i);
    }
}

/* ---- opening --------------------------------------------------------------------------------- */

static vdnn_dataset_request request_for(const char *folder, const char *part)
{
    static char spec[1024];
    (void)snprintf(spec, sizeof spec, "images:%s%s", folder, part);
    return (vdnn_dataset_request){.spec = spec,
                                  .inputs = {{.channels = 3, .height = SIDE, .width = SIDE}},
                                  .input_count = 1,
                                  .classes = 2};
}

static void refuse(const char *folder, vdnn_status expected, const char *reason)
{
    vdnn_dataset_request request = request_for(folder, "");
    vdnn_test_expect_no_dataset(&request, expected, reason);
}

/* The pictures are those of write_picture's seeds, with these labels. */
static void assert_pictures(const vdnn_dataset *dataset, const int *seeds, const int *labels,
                            int count)
{
    assert_int_equal(vdnn_dataset_count(dataset), count);
    for (int i = count - 1; i >= 0; i--) {
        float image[PIXELS];
        int32_t label = -1;
        vdnn_test_picture wanted = vdnn_test_gradient(SIDE, SIDE, 3, seeds[i]);
        assert_ok(vdnn_dataset_read(dataset, (uint64_t)i, &scratch, (void *[]){image}, &label));
        assert_int_equal(label, labels[i]);
        for (int k = 0; k < PIXELS; k++) {
            int pixel = k % (SIDE * SIDE), channel = k / (SIDE * SIDE);
            assert_true(image[k] == (float)wanted.pixels[3 * pixel + channel] / 255.0f);
        }
        free(wanted.pixels);
    }
}

static const int seeds[] = {3, 2, 4}, labels[] = {0, 0, 1}; /* of write_part */

/* ---- what is read ---------------------------------------------------------------------------- */

TEST_IN_FOLDER(classes_and_pictures_come_in_the_order_of_their_names)
{
    write_part(*state, "");
    write_text(*state, "README");
    write_text(*state, ".hidden");
    vdnn_test_make_below(*state, ".cache");
    write_text(*state, "cat/.DS_Store");
    vdnn_dataset_request request = request_for(*state, "");
    vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
    assert_pictures(dataset, seeds, labels, 3);
    vdnn_dataset_close(dataset);
}

TEST_IN_FOLDER(the_folder_is_the_set_or_holds_its_parts)
{
    write_part(*state, "train");
    vdnn_test_make_below(*state, "other");
    vdnn_dataset_request request = request_for(*state, ""), part = request;
    char spec[1100];
    (void)snprintf(spec, sizeof spec, "%s/train", request.spec);
    part.spec = spec;
    assert_false(vdnn_dataset_has_test(request.spec));
    request.split = VDNN_SPLIT_TEST;
    vdnn_test_expect_no_dataset(&request, VDNN_FILE,
                                "has a folder train, but neither test nor val");
    write_part(*state, "val");
    assert_true(vdnn_dataset_has_test(request.spec));
    assert_false(vdnn_dataset_has_test(part.spec));
    write_picture(*state, "val/dog/9.png", 1);
    for (int split = 0; split < 2; split++) {
        part.split = request.split = split == 0 ? VDNN_SPLIT_TRAIN : VDNN_SPLIT_TEST;
        vdnn_dataset *whole = vdnn_test_open_dataset(&request),
                     *one = vdnn_test_open_dataset(&part);
        assert_int_equal(vdnn_dataset_count(whole), split == 0 ? 3 : 4);
        assert_pictures(one, seeds, labels, 3);
        vdnn_dataset_close(whole);
        vdnn_dataset_close(one);
    }
    write_part(*state, "test");
    vdnn_dataset *tests = vdnn_test_open_dataset(&request);
    assert_pictures(tests, seeds, labels, 3);
    vdnn_dataset_close(tests);
}

/* Of trains and cars: a folder of that name that holds pictures is a class. */
TEST_IN_FOLDER(a_class_may_be_named_train)
{
    vdnn_test_make_below(*state, "train");
    vdnn_test_make_below(*state, "car");
    write_picture(*state, "train/1.png", 1);
    write_picture(*state, "car/1.png", 2);
    vdnn_dataset_request request = request_for(*state, "");
    vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
    assert_pictures(dataset, (const int[]){2, 1}, (const int[]){0, 1}, 2);
    vdnn_dataset_close(dataset);
}

TEST_IN_FOLDER(links_are_what_they_lead_to)
{
    write_part(*state, "store");
    vdnn_test_make_below(*state, "set");
    assert_int_equal(symlink("../store/cat", vdnn_test_path(*state, "set/cat")), 0);
    vdnn_test_make_below(*state, "set/dog");
    assert_int_equal(symlink("../../store/dog/10.png", vdnn_test_path(*state, "set/dog/x.png")), 0);
    vdnn_dataset_request request = request_for(*state, "/set");
    vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
    assert_pictures(dataset, seeds, labels, 3);
    vdnn_dataset_close(dataset);
}

TEST_IN_FOLDER(pictures_become_what_the_network_reads)
{
    write_part(*state, "");
    for (int channels = 1; channels <= 3; channels += 2) {
        vdnn_dataset_request request = request_for(*state, "");
        request.inputs[0].channels = channels;
        request.inputs[0].height = 9;
        request.inputs[0].width = 4;
        vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
        float image[3 * 9 * 4];
        int32_t label;
        assert_int_equal(vdnn_dataset_per_sample(dataset, 0), channels * 9 * 4);
        assert_ok(vdnn_dataset_read(dataset, 1, &scratch, (void *[]){image}, &label));
        for (int k = 0; k < channels * 9 * 4; k++)
            assert_true(image[k] > 0.0f && image[k] < 1.0f);
        vdnn_dataset_close(dataset);
    }
    vdnn_dataset_request request = request_for(*state, "");
    request.inputs[0].channels = 4;
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT,
                                "1 or 3 channels; the network's input has 4");
}

TEST_IN_FOLDER(names_may_have_line_ends)
{
    vdnn_test_make_below(*state, "a\nb");
    vdnn_test_make_below(*state, "c");
    write_picture(*state, "a\nb/x\ny.png", 1);
    write_picture(*state, "c/1.png", 2);
    vdnn_dataset_request request = request_for(*state, "");
    vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
    assert_pictures(dataset, (const int[]){1, 2}, (const int[]){0, 1}, 2);
    assert_int_equal(unlink(vdnn_test_path(*state, "a\nb/x\ny.png")), 0);
    float image[PIXELS];
    int32_t label;
    assert_status(vdnn_dataset_read(dataset, 0, &scratch, (void *[]){image}, &label), VDNN_FILE);
    assert_null(strchr(vdnn_status_message(), '\n'));
    vdnn_dataset_close(dataset);
}

TEST(the_blood_cells_are_what_their_publisher_says)
{
    char spec[512];
    (void)snprintf(spec, sizeof spec, "images:%s", vdnn_test_data("bccd/4class"));
    assert_true(vdnn_dataset_has_test(spec));
    for (int split = 0; split < 2; split++) {
        vdnn_dataset_request request = {.spec = spec,
                                        .inputs = {{.channels = 3, .height = 60, .width = 80}},
                                        .input_count = 1,
                                        .classes = 4};
        request.split = split == 0 ? VDNN_SPLIT_TRAIN : VDNN_SPLIT_TEST;
        vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
        int per_class[4] = {0};
        assert_int_equal(vdnn_dataset_count(dataset), split == 0 ? 1000 : 400);
        for (uint64_t i = 0; i < vdnn_dataset_count(dataset); i++) {
            static float image[3 * 60 * 80];
            int32_t label;
            assert_ok(vdnn_dataset_read(dataset, i, &scratch, (void *[]){image}, &label));
            per_class[label]++;
        }
        for (int c = 0; c < 4; c++)
            assert_int_equal(per_class[c], split == 0 ? 250 : 100);
        vdnn_dataset_close(dataset);
    }
}

/* ---- what is refused ------------------------------------------------------------------------- */

TEST_IN_FOLDER(folders_that_are_no_set_are_refused)
{
    refuse(*state, VDNN_BAD_INPUT, "has no folders; expected one for each class");
    vdnn_dataset_request request = request_for(*state, "/nowhere");
    vdnn_test_expect_no_dataset(&request, VDNN_FILE, "/nowhere: No such file or directory");
    write_text(*state, "file");
    request = request_for(*state, "/file");
    vdnn_test_expect_no_dataset(&request, VDNN_FILE, "/file: Not a directory");
    vdnn_test_make_below(*state, "cat");
    refuse(*state, VDNN_BAD_INPUT, "has 1 folder of classes (cat), but the network has 2");
    vdnn_test_make_below(*state, "dog");
    refuse(*state, VDNN_BAD_INPUT, "/cat: has no pictures, expected at least one");
    write_picture(*state, "cat/1.png", 1);
    refuse(*state, VDNN_BAD_INPUT, "/dog: has no pictures");
    write_text(*state, "dog/notes.txt");
    refuse(*state, VDNN_BAD_INPUT, "/dog/notes.txt: is not a picture by its name");
    assert_int_equal(unlink(vdnn_test_path(*state, "dog/notes.txt")), 0);
    vdnn_test_make_below(*state, "dog/deeper");
    refuse(*state, VDNN_BAD_INPUT,
           "/dog/deeper: is a folder, where the pictures of class 'dog' are expected");
    assert_int_equal(rmdir(vdnn_test_path(*state, "dog/deeper")), 0);
    write_picture(*state, "dog/1.png", 1);
    for (int i = 0; i < 9; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "more%d", i);
        vdnn_test_make_below(*state, name);
    }
    refuse(*state, VDNN_BAD_INPUT,
           "has 11 folders of classes (cat, dog, more0, more1, more2, ...), but the network has "
           "2 classes");
}

TEST_IN_FOLDER(a_test_part_has_the_classes_that_were_trained)
{
    char test[1024];
    write_part(*state, "train");
    write_part(*state, "test");
    write_part(*state, "else");
    (void)snprintf(test, sizeof test, "images:%s/else", (char *)*state);
    vdnn_dataset_request request = request_for(*state, "");
    request.trained_on = request.spec;
    request.split = VDNN_SPLIT_TEST;
    vdnn_dataset_close(vdnn_test_open_dataset(&request));
    request.spec = test;
    vdnn_dataset_close(vdnn_test_open_dataset(&request));
    assert_int_equal(
        rename(vdnn_test_path(*state, "else/dog"), vdnn_test_path(*state, "else/duck")), 0);
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT,
                                "has no folder 'dog', which is a class of");
    vdnn_test_make_below(*state, "else/dog");
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT,
                                "has a folder 'duck', which is not a class of");
    request.trained_on = "synthetic";
    request.classes = 3;
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT, "else/dog: has no pictures");
}

TEST_IN_FOLDER(links_that_lead_nowhere_are_refused)
{
    write_part(*state, "");
    static const char *const names[] = {"loop", "cat/loop.png", "dog/gone.png"};
    static const char *const targets[] = {"loop", "loop.png", "nowhere"};
    static const char *const reasons[] = {"/loop: Too many levels of symbolic links",
                                          "/cat/loop.png: Too many levels of symbolic links",
                                          "/dog/gone.png: No such file or directory"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(symlink(targets[i], vdnn_test_path(*state, names[i])), 0);
        refuse(*state, VDNN_FILE, reasons[i]);
        assert_int_equal(unlink(vdnn_test_path(*state, names[i])), 0);
    }
    assert_int_equal(mkfifo(vdnn_test_path(*state, "cat/fifo.png"), 0600), 0);
    refuse(*state, VDNN_BAD_INPUT, "/cat/fifo.png: is neither a file nor a folder");
}

/* A folder that is in itself is not walked down. */
TEST_IN_FOLDER(a_folder_within_itself_is_refused)
{
    write_part(*state, "");
    assert_int_equal(symlink("..", vdnn_test_path(*state, "cat/up")), 0);
    refuse(*state, VDNN_BAD_INPUT, "/cat/up: is a folder, where the pictures of class 'cat'");
    assert_int_equal(unlink(vdnn_test_path(*state, "cat/up")), 0);
    assert_int_equal(symlink(".", vdnn_test_path(*state, "train")), 0);
    refuse(*state, VDNN_BAD_INPUT, "has 3 folders of classes (cat, dog, train)");
}

TEST_IN_FOLDER(what_may_not_be_read_is_refused)
{
    write_part(*state, "");
    vdnn_dataset_request request = request_for(*state, "");
    assert_int_equal(chmod(*state, 0755), 0);
    assert_int_equal(chmod(vdnn_test_path(*state, "cat"), 0755), 0);
    assert_int_equal(chmod(vdnn_test_path(*state, "dog"), 0), 0);
    assert_int_equal(chmod(vdnn_test_path(*state, "cat/a.jpeg"), 0), 0);
    bool root = geteuid() == 0;
    if (root && seteuid(65534) != 0)
        skip_because("root may read everything, and cannot become another user");
    refuse(*state, VDNN_FILE, "/dog: Permission denied");
    if (root)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(vdnn_test_path(*state, "dog"), 0755), 0);
    vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
    float image[PIXELS];
    int32_t label;
    if (root)
        assert_int_equal(seteuid(65534), 0);
    vdnn_status status = vdnn_dataset_read(dataset, 0, &scratch, (void *[]){image}, &label);
    if (root)
        assert_int_equal(seteuid(0), 0);
    assert_status(status, VDNN_FILE);
    assert_message("/cat/a.jpeg: cannot be opened: Permission denied");
    vdnn_dataset_close(dataset);
}

TEST_IN_FOLDER(damaged_files_are_told_when_they_are_read)
{
    write_part(*state, "");
    vdnn_dataset_request request = request_for(*state, "");
    vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
    const char *path = vdnn_test_path(*state, "dog/10.png");
    float image[PIXELS];
    int32_t label = -1;
    assert_ok(vdnn_dataset_read(dataset, 2, &scratch, (void *[]){image}, &label));
    assert_int_equal(truncate(path, 60), 0);
    assert_status(vdnn_dataset_read(dataset, 2, &scratch, (void *[]){image}, &label),
                  VDNN_BAD_INPUT);
    assert_message("/dog/10.png: is a PNG that is cut off after 60 bytes");
    assert_int_equal(truncate(path, 0), 0);
    assert_status(vdnn_dataset_read(dataset, 2, &scratch, (void *[]){image}, &label),
                  VDNN_BAD_INPUT);
    assert_message("/dog/10.png: is empty");
    assert_int_equal(truncate(path, (off_t)1 << 40), 0); /* sparse */
    assert_status(vdnn_dataset_read(dataset, 2, &scratch, (void *[]){image}, &label),
                  VDNN_BAD_INPUT);
    assert_message("/dog/10.png: has 1099511627776 bytes; a picture may have at most 268435456");
    vdnn_test_write_packed(path, "x", 1);
    assert_status(vdnn_dataset_read(dataset, 2, &scratch, (void *[]){image}, &label),
                  VDNN_BAD_INPUT);
    assert_message("/dog/10.png: is gzip-compressed");
    assert_int_equal(unlink(path), 0);
    vdnn_test_make_below(*state, "dog/10.png");
    assert_status(vdnn_dataset_read(dataset, 2, &scratch, (void *[]){image}, &label), VDNN_FILE);
    assert_message("/dog/10.png: is not a regular file");
    assert_ok(vdnn_dataset_read(dataset, 1, &scratch, (void *[]){image}, &label));
    vdnn_dataset_close(dataset);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Names of pictures alone are kept: no picture is read before it is needed. */
TEST_IN_FOLDER(a_large_set_takes_little_memory)
{
    enum { COUNT = 3000 };
    write_part(*state, "");
    for (int i = 0; i < COUNT; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "dog/%05d.jpg", COUNT - i);
        assert_int_equal(link(vdnn_test_path(*state, "cat/a.jpeg"), vdnn_test_path(*state, name)),
                         0);
    }
    vdnn_dataset_request request = request_for(*state, "");
    size_t blocks = vdnn_heap_live_count();
    vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
    assert_int_equal(vdnn_dataset_count(dataset), COUNT + 3);
    assert_true(vdnn_heap_live_count() - blocks < 20);
    float image[PIXELS];
    int32_t label = -1;
    assert_ok(vdnn_dataset_read(dataset, COUNT + 2, &scratch, (void *[]){image}, &label));
    assert_int_equal(label, 1);
    vdnn_dataset_close(dataset);
}

TEST(paths_that_are_too_long_are_refused)
{
    char spec[8192] = "images:";
    memset(spec + 7, 'x', sizeof spec - 8);
    spec[sizeof spec - 1] = '\0';
    for (size_t length = sizeof spec - 1; length > 4080; length -= 7) {
        spec[length] = '\0';
        vdnn_dataset_request request = {.spec = spec,
                                        .inputs = {{.channels = 3, .height = SIDE, .width = SIDE}},
                                        .input_count = 1,
                                        .classes = 2};
        vdnn_test_expect_no_dataset(&request, VDNN_FILE,
                                    length > 4104 ? "xxx: a path there is too long" : "");
    }
}

TEST_IN_FOLDER(every_allocation_may_fail)
{
    write_part(*state, "train");
    write_part(*state, "test");
    vdnn_dataset_request request = request_for(*state, "");
    request.trained_on = request.spec;
    request.split = VDNN_SPLIT_TEST;
    vdnn_test_every_allocation_may_fail(&request, 8);
}

int main(void)
{
    return vdnn_test_main(NULL, free_scratch);
}
