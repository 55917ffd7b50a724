/* Pictures that were stored as the sensor read them: how many there are is said, and --orient turns
 * them. */

#include "tests/support/pictures.h"
#include "tests/support/run_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEIGHT = 6, WIDTH = 9, MANY = 1001 };

static const char network[] = "name: small\n"
                              "input: {channels: 3, height: 6, width: 9}\n"
                              "classes: 2\n"
                              "batch: 2\n"
                              "layers:\n"
                              "  - {name: fc, type: fc, out: 2}\n"
                              "  - {name: loss, type: softmax_loss}\n"
                              "training: {lr: 0.1, epochs: 1}\n";

/* ---- sets of pictures ------------------------------------------------------------------------ */

/* A picture of this seed as PNG: upright, or stored on its side (orientation 6, the camera's right
 * side up) or on its head (3), with EXIF data that say so. */
static void write_picture(const char *folder, const char *name, int seed, int orientation)
{
    vdnn_test_picture upright = vdnn_test_gradient(HEIGHT, WIDTH, 3, seed), stored = upright;
    stored.pixels = calloc((size_t)HEIGHT * WIDTH * 3, 1);
    assert_non_null(stored.pixels);
    if (orientation == 6) {
        stored.height = WIDTH;
        stored.width = HEIGHT;
    }
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const int row = orientation == 6   ? WIDTH - 1 - x
                            : orientation == 3 ? HEIGHT - 1 - y
                                               : y,
                      column = orientation == 6   ? y
                               : orientation == 3 ? WIDTH - 1 - x
                                                  : x;
            memcpy(stored.pixels + 3 * (row * stored.width + column),
                   upright.pixels + 3 * (y * WIDTH + x), 3);
        }
    vdnn_test_blob file = vdnn_test_png(&stored, &(vdnn_test_png_kind){.bits = 8});
    vdnn_test_blob tagged = vdnn_test_with_exif(&file, orientation, seed % 2 == 0);
    const vdnn_test_blob *written = orientation == 1 ? &file : &tagged;
    vdnn_test_write_file(vdnn_test_path(folder, name), written->bytes, written->count);
    free(file.bytes);
    free(tagged.bytes);
    free(upright.pixels);
    free(stored.pixels);
}

/* FOLDER/SET/{a,b}: five pictures, the same whatever their orientations are. */
static void write_set(const char *folder, const char *set, const int orientations[5])
{
    static const char *const names[] = {"a/1.png", "a/2.png", "b/1.png", "b/2.png", "b/3.png"};
    char name[64];
    vdnn_test_make_below(folder, set);
    for (int i = 0; i < 2; i++) {
        (void)snprintf(name, sizeof name, "%s/%c", set, 'a' + i);
        vdnn_test_make_below(folder, name);
    }
    for (int i = 0; i < 5; i++) {
        (void)snprintf(name, sizeof name, "%s/%s", set, names[i]);
        write_picture(folder, name, i, orientations[i]);
    }
}

static const int none[] = {1, 1, 1, 1, 1}, some[] = {1, 6, 3, 1, 6};

static void expect_counts(const char *path, const char *part, int pictures, int seen, int found,
                          bool applied)
{
    json_t *run = vdnn_test_json(path);
    const json_t *all = json_object_get(run, "orientations"), *own = json_object_get(all, part);
    assert_int_equal(json_is_true(json_object_get(all, "applied")), applied);
    assert_int_equal(json_integer_value(json_object_get(own, "pictures")), pictures);
    assert_int_equal(json_integer_value(json_object_get(own, "seen")), seen);
    assert_int_equal(json_integer_value(json_object_get(own, "with_orientation")), found);
    json_decref(run);
}

/* ---- tests ----------------------------------------------------------------------------------- */

TEST_IN_FOLDER(how_many_have_an_orientation_is_said_before_step_1)
{
    vdnn_test_write_below(*state, "net.yaml", network);
    write_set(*state, "set", some);
    vdnn_test_run_to_warn(*state, "data: of 5 pictures, 3 have",
                          "vdnnrun --model @/net.yaml --data images:@/set "
                          "--steps 1 --json @/run.json");
    expect_counts(vdnn_test_path(*state, "run.json"), "train", 5, 5, 3, false);
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnrun --model @/net.yaml --data images:@/set --steps 1 "
                      "--test-data images:@/set --json @/test.json");
    vdnn_test_expect(&run, 0,
                     "test data: of 5 pictures, 3 have an EXIF orientation, and are read "
                     "as they are stored; --orient turns them");
    vdnn_test_run_free(&run);
    expect_counts(vdnn_test_path(*state, "test.json"), "test", 5, 5, 3, false);
}

TEST_IN_FOLDER(pictures_without_one_are_not_mentioned)
{
    vdnn_test_run run;
    vdnn_test_write_below(*state, "net.yaml", network);
    write_set(*state, "set", none);
    vdnn_test_program(&run, *state,
                      "vdnnrun --model @/net.yaml --data images:@/set --steps 2 "
                      "--json @/run.json");
    vdnn_test_expect(&run, 0, "");
    assert_null(strstr(run.err, "EXIF"));
    vdnn_test_run_free(&run);
    expect_counts(vdnn_test_path(*state, "run.json"), "train", 5, 5, 0, false);
}

TEST_IN_FOLDER(turned_pictures_train_the_weights_of_upright_ones)
{
    static const char *const line = "vdnnrun --model @/net.yaml --data images:@/%s --steps 4 "
                                    "--save @/%s.safetensors --json @/%s.json%s";
    static const struct {
        const char *set, *out, *options, *part;
    } runs[] = {{"upright", "upright", "", ""},
                {"upright", "same", " --orient", ""},
                {"turned", "orient", " --orient",
                 "of 5 pictures, 3 have an EXIF orientation, and "
                 "are turned by it (--orient)"},
                {"turned", "stored", "", "read as they are stored"}};
    vdnn_test_write_below(*state, "net.yaml", network);
    write_set(*state, "upright", none);
    write_set(*state, "turned", some);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        vdnn_test_run run;
        char command[512];
        (void)snprintf(command, sizeof command, line, runs[i].set, runs[i].out, runs[i].out,
                       runs[i].options);
        vdnn_test_program(&run, *state, "%s", command);
        vdnn_test_expect(&run, 0, runs[i].part);
        vdnn_test_run_free(&run);
    }
    expect_counts(vdnn_test_path(*state, "orient.json"), "train", 5, 5, 3, true);
    const char *upright = vdnn_test_path(*state, "upright.safetensors");
    vdnn_test_expect_same_file(upright, vdnn_test_path(*state, "same.safetensors"));
    vdnn_test_expect_same_file(upright, vdnn_test_path(*state, "orient.safetensors"));
    char *bytes[2];
    size_t counts[2];
    vdnn_test_read_file(upright, &bytes[0], &counts[0]);
    vdnn_test_read_file(vdnn_test_path(*state, "stored.safetensors"), &bytes[1], &counts[1]);
    assert_int_equal(counts[0], counts[1]);
    assert_memory_not_equal(bytes[0], bytes[1], counts[0]);
    free(bytes[0]);
    free(bytes[1]);
}

/* Links to one file, each a picture of the set. */
TEST_IN_FOLDER(of_many_pictures_those_that_were_read_are_counted)
{
    char name[512], first[512];
    vdnn_test_run run;
    vdnn_test_write_below(*state, "net.yaml", network);
    write_set(*state, "set", some);
    (void)snprintf(first, sizeof first, "%s", vdnn_test_path(*state, "set/a/2.png"));
    for (int i = 0; i < MANY - 5; i++) {
        (void)snprintf(name, sizeof name, "set/a/more%d.png", i);
        assert_int_equal(link(first, vdnn_test_path(*state, name)), 0);
    }
    vdnn_test_program(&run, *state,
                      "vdnnrun --model @/net.yaml --data images:@/set --no-shuffle "
                      "--steps 3 --json @/run.json");
    vdnn_test_expect(&run, 0, "data: pictures have");
    vdnn_test_unfold(run.err);
    assert_non_null(strstr(run.err, "pictures have an EXIF orientation, and are read as they are"));
    assert_non_null(strstr(run.err, "of 6 pictures that were read, 5 have an EXIF orientation"));
    vdnn_test_run_free(&run);
    expect_counts(vdnn_test_path(*state, "run.json"), "train", MANY, 6, 5, false);
}

TEST_IN_FOLDER(a_run_is_resumed_with_the_same_orientation)
{
    static const struct {
        const char *options;
        int code;
        const char *part;
    } runs[] = {{"--steps 1", 0, ""},
                {"--steps 2 --resume auto --orient", 3, "(--orient)"},
                {"--steps 2 --resume auto", 0, ""}};
    vdnn_test_write_below(*state, "net.yaml", network);
    write_set(*state, "set", some);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "vdnnrun --model @/net.yaml --data images:@/set --checkpoint @/c %s",
                          runs[i].options);
        vdnn_test_expect(&run, runs[i].code, runs[i].part);
        vdnn_test_run_free(&run);
    }
}
