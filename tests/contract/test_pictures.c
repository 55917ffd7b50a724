#include "tests/support/pictures.h"
#include "tests/support/run_program.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Pictures, their transforms and schedules as users meet them. */

static const char NETWORK[] =
    "name: cells\n"
    "input: {channels: 3, height: 16, width: 20, mean: [0.4, 0.5, 0.6], std: 0.25}\n"
    "classes: 2\n"
    "batch: 8\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 16, kernel: 3, pad: 1}\n"
    "  - {name: relu1, type: relu}\n"
    "  - {name: pool1, type: maxpool, kernel: 2}\n"
    "  - {name: conv2, type: conv, out: 16, kernel: 3, pad: 1}\n"
    "  - {name: relu2, type: relu}\n"
    "  - {name: drop2, type: dropout, p: 0.2}\n"
    "  - {name: fc3, type: fc, out: 2}\n"
    "  - {name: loss, type: softmax_loss}\n"
    "training: {lr: 0.02, momentum: 0.9, epochs: 4, warmup: 0.5,\n"
    "           schedule: {type: cosine}, augment: {flip: true, crop: 3}}\n";

enum { PER_CLASS = 12 };

/* Dark pictures are cats, bright ones dogs; of several sizes and both formats. */
static void write_part(const char *folder, const char *part)
{
    static const char *const classes[] = {"cat", "dog"};
    char name[256];
    vdnn_test_make_below(folder, part);
    for (int i = 0; i < 2 * PER_CLASS; i++) {
        (void)snprintf(name, sizeof name, "%s/%s", part, classes[i % 2]);
        if (i < 2)
            vdnn_test_make_below(folder, name);
        vdnn_test_picture picture = vdnn_test_gradient(14 + i, 24 - i / 2, 3, i);
        for (int k = 0; i % 2 == 1 && k < picture.height * picture.width * 3; k++)
            picture.pixels[k] = (unsigned char)(255 - picture.pixels[k] / 2);
        bool jpeg = i % 4 < 2;
        vdnn_test_blob file = jpeg ? vdnn_test_jpeg(&picture, &(vdnn_test_jpeg_kind){.quality = 90})
                                   : vdnn_test_png(&picture, &(vdnn_test_png_kind){.bits = 8});
        (void)snprintf(name, sizeof name, "%s/%s/%02d.%s", part, classes[i % 2], i,
                       jpeg ? "jpeg" : "png");
        vdnn_test_write_file(vdnn_test_path(folder, name), file.bytes, file.count);
        free(file.bytes);
        free(picture.pixels);
    }
}

static void write_set(const char *folder)
{
    vdnn_test_write_file(vdnn_test_path(folder, "net.yaml"), NETWORK, sizeof NETWORK - 1);
    vdnn_test_make_below(folder, "set");
    write_part(folder, "set/train");
    write_part(folder, "set/test");
}

#define NET "vdnnrun --model @/net.yaml --profile @/profile "

static double first_loss(const char *folder, const char *name)
{
    json_t *json = vdnn_test_json(vdnn_test_path(folder, name));
    double loss = json_number_value(json_array_get(json_object_get(json, "losses"), 0));
    json_decref(json);
    return loss;
}

static double number_of(const char *folder, const char *name, const char *key)
{
    json_t *json = vdnn_test_json(vdnn_test_path(folder, name));
    double number = json_number_value(json_object_get(json, key));
    json_decref(json);
    return number;
}

/* ---- training -------------------------------------------------------------------------------- */

TEST_IN_FOLDER(pictures_are_learned)
{
    write_set(*state);
    vdnn_test_run_to(*state, 0, "", NET "--data images:@/set --epochs 12 --json @/run.json");
    json_t *json = vdnn_test_json(vdnn_test_path(*state, "run.json"));
    assert_int_equal(json_array_size(json_object_get(json, "losses")), 12 * 3);
    assert_true(json_number_value(json_object_get(json, "test_accuracy")) > 0.9);
    json_decref(json);
    vdnn_test_run_to(*state, 0, "", NET "--data images:@/set/train --test-data images:@/set/test");
    vdnn_test_run_to(*state, 0, "", NET "--data images:@/set/train --test-data images:@/set");
    vdnn_test_run_to(*state, 0, "", NET "--data images:@/set/train --steps 2 --json @/run.json");
    json = vdnn_test_json(vdnn_test_path(*state, "run.json"));
    assert_true(json_is_null(json_object_get(json, "test_accuracy")));
    json_decref(json);
}

TEST_IN_FOLDER(every_policy_sees_the_same_pictures)
{
    write_set(*state);
    vdnn_test_run_to(*state, 0, "",
                     NET "--data images:@/set --policy base --save @/base --json @/base.json");
    /* The other rules have rows of its own in the profile, and may choose others among them. */
    vdnn_test_run_to(
        *state, 0, "",
        NET "--data images:@/set --policy all --rules paper --algos @/base.json --save @/all");
    vdnn_test_run_to(*state, 0, "", NET "--data images:@/set --policy base --save @/again");
    vdnn_test_expect_same_file(vdnn_test_path(*state, "base"), vdnn_test_path(*state, "all"));
    vdnn_test_expect_same_file(vdnn_test_path(*state, "base"), vdnn_test_path(*state, "again"));
}

TEST_IN_FOLDER(a_run_that_is_cut_goes_on_with_the_same_pictures_and_rates)
{
    write_set(*state);
    vdnn_test_run_to(
        *state, 0, "",
        NET "--data images:@/set --checkpoint @/c --checkpoint-every 5 --keep 9 --save @/whole");
    vdnn_test_run_to(*state, 0, "resumes from step 5",
                     NET "--data images:@/set --resume @/c/step-00000005 --save @/rest");
    vdnn_test_expect_same_file(vdnn_test_path(*state, "whole"), vdnn_test_path(*state, "rest"));
}

/* With a rate of 0 the weights stay, so that only the pictures can make a difference. */
TEST_IN_FOLDER(training_pictures_are_augmented_and_those_of_tests_are_not)
{
    write_set(*state);
    vdnn_test_run_to(*state, 0, "", NET "--data images:@/set --steps 1 --lr 0 --json @/a.json");
    vdnn_test_run_to(
        *state, 0, "",
        NET "--data images:@/set --steps 1 --lr 0 --test-data images:@/set/train --json @/b.json");
    size_t kept = (size_t)(strstr(NETWORK, ", augment") - NETWORK);
    char plain[sizeof NETWORK];
    (void)snprintf(plain, sizeof plain, "%.*s}\n", (int)kept, NETWORK);
    vdnn_test_write_file(vdnn_test_path(*state, "net.yaml"), plain, strlen(plain));
    vdnn_test_run_to(*state, 0, "", NET "--data images:@/set --steps 1 --lr 0 --json @/c.json");
    assert_true(number_of(*state, "a.json", "test_accuracy") ==
                number_of(*state, "c.json", "test_accuracy"));
    assert_true(first_loss(*state, "a.json") == first_loss(*state, "b.json"));
    assert_true(first_loss(*state, "a.json") != first_loss(*state, "c.json"));
}

/* ---- what is refused ------------------------------------------------------------------------- */

TEST_IN_FOLDER(sets_that_do_not_fit_the_network_are_refused)
{
    write_set(*state);
    vdnn_test_run_to(*state, 3, "has no file", "vdnnrun --model lenet --data idx:@/set");
    vdnn_test_run_to(*state, 3,
                     "has 2 folders of classes (cat, dog), but the network has 1000 classes",
                     "vdnnrun --model alexnet --data images:@/set");
    vdnn_test_run_to(*state, 3, "1 folder of classes", NET "--data images:@");
    vdnn_test_run_to(*state, 3, "nowhere: No such file or directory",
                     NET "--data images:@/nowhere");
    vdnn_test_run_to(*state, 3, "net.yaml: Not a directory", NET "--data images:@/net.yaml");
    assert_int_equal(
        rename(vdnn_test_path(*state, "set/test/dog"), vdnn_test_path(*state, "set/test/wolf")), 0);
    vdnn_test_run_to(*state, 3, "set/test: has no folder 'dog', which is a class of",
                     NET "--data images:@/set");
    vdnn_test_run_to(*state, 2, "has no path; expected images:DIR", NET "--data images");
}

TEST_IN_FOLDER(a_damaged_picture_ends_the_run_with_its_name)
{
    write_set(*state);
    assert_int_equal(truncate(vdnn_test_path(*state, "set/train/dog/05.jpeg"), 300), 0);
    vdnn_test_run_to(*state, 3,
                     "set/train/dog/05.jpeg: is a damaged or unknown kind of JPEG: Premature end",
                     NET "--data images:@/set --save @/weights");
    assert_int_not_equal(access(vdnn_test_path(*state, "weights"), F_OK), 0);
    vdnn_test_write_file(vdnn_test_path(*state, "set/train/dog/05.jpeg"), "text", 4);
    vdnn_test_run_to(*state, 3, "05.jpeg: is neither a JPEG nor a PNG picture",
                     NET "--data images:@/set");
}

TEST_IN_FOLDER(a_damaged_test_picture_does_not_take_the_weights_with_it)
{
    write_set(*state);
    assert_int_equal(truncate(vdnn_test_path(*state, "set/test/cat/00.jpeg"), 200), 0);
    vdnn_test_run_to(*state, 3, "set/test/cat/00.jpeg: is a ",
                     NET "--data images:@/set --save @/weights");
    assert_int_equal(access(vdnn_test_path(*state, "weights"), F_OK), 0);
    vdnn_test_run_to(*state, 0, "", NET "--data images:@/set/train --init @/weights --steps 1");
}
