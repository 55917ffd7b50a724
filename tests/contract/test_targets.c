/* Losses over numbers: what they are compared with, and what is said of them, by the programs. */

#include "tests/support/files.h"
#include "tests/support/run_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 24, SIDE = 12, CELLS = SIDE * SIDE };

#define HEAD "name: net\ninput: {channels: 1, height: 12, width: 12}\nbatch: 8\nlayers:\n"
#define CONVOLUTIONS                                                                               \
    "  - {name: conv1, type: conv, out: 20, kernel: 3, pad: 1}\n"                                  \
    "  - {name: relu1, type: relu}\n"                                                              \
    "  - {name: conv2, type: conv, out: 20, kernel: 3, pad: 1}\n"                                  \
    "  - {name: relu2, type: relu}\n"                                                              \
    "  - {name: conv3, type: conv, out: 1, kernel: 3, pad: 1}\n"
#define TRAINING "training: {optimizer: adam, lr: 0.01, epochs: 4}\n"
/* Adam divides by the size of a gradient: it makes of the rounding of a small one a whole step. */
#define SMOOTH "training: {lr: 0.01, momentum: 0.9, epochs: 4}\n"

/* A file of NumPy, of COUNT samples of `bytes` each. */
static void write_array(const char *path, const char *type, const char *dims, const void *values,
                        size_t bytes)
{
    static const char magic[10] = {(char)0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0};
    char head[128];
    memset(head, ' ', sizeof head);
    memcpy(head, magic, sizeof magic);
    const int used = snprintf(head + 10, sizeof head - 10,
                              "{'descr': '%s', 'fortran_order': False, 'shape': (%d%s), }", type,
                              (int)COUNT, dims);
    head[10 + used] = ' ';
    head[sizeof head - 1] = '\n';
    char *all = malloc(sizeof head + COUNT * bytes);
    assert_non_null(all);
    memcpy(all, head, sizeof head);
    memcpy(all + sizeof head, values, COUNT * bytes);
    vdnn_test_write_file(path, all, sizeof head + COUNT * bytes);
    free(all);
}

/* Waves, and as targets one of the same, or whether they are above zero. */
static void write_set(const char *folder, bool are_chances)
{
    static float images[COUNT * CELLS], targets[COUNT * CELLS];
    for (int i = 0; i < COUNT * CELLS; i++) {
        images[i] = sinf(0.37F * (float)i) + 0.2F * sinf(5.1F * (float)i);
        targets[i] = are_chances ? (images[i] > 0 ? 1.0F : 0.0F) : images[i];
    }
    write_array(vdnn_test_path(folder, "images.npy"), "<f4", ", 1, 12, 12", images,
                CELLS * sizeof *images);
    write_array(vdnn_test_path(folder, "labels.npy"), "<f4", ", 12, 12", targets,
                CELLS * sizeof *targets);
}

static json_t *run_json(const char *folder, const char *options)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder, "vdnnrun --model @/net.yaml --json @/run.json %s", options);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    return vdnn_test_json(vdnn_test_path(folder, "run.json"));
}

static double number_of(const json_t *json, const char *key)
{
    const json_t *value = json_object_get(json, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static bool have_same_losses(const json_t *one, const json_t *other)
{
    return json_equal(json_object_get(one, "losses"), json_object_get(other, "losses"));
}

#define DATA "--data npy:@ --test-data npy:@ --no-shuffle "

TEST_IN_FOLDER(an_input_as_the_labels_is_what_a_file_of_it_is)
{
    write_set(*state, false);
    vdnn_test_write_below(*state, "net.yaml",
                          HEAD CONVOLUTIONS "  - {name: loss, type: mse}\n" TRAINING);
    json_t *file = run_json(*state, DATA "--dtype bf16 --profile @/profile");
    vdnn_test_write_below(*state, "net.yaml",
                          HEAD CONVOLUTIONS
                          "  - {name: loss, type: mse, labels: input}\n" TRAINING);
    json_t *input = run_json(*state, DATA "--dtype bf16 --profile @/profile");
    const json_t *losses = json_object_get(file, "losses");
    const size_t last = json_array_size(losses) - 1;
    assert_true(have_same_losses(file, input));
    assert_true(json_number_value(json_array_get(losses, last)) <
                0.5 * json_number_value(json_array_get(losses, 0)));
    json_decref(file);
    json_decref(input);
}

TEST_IN_FOLDER(every_static_policy_has_the_losses_of_numbers)
{
    static const char *const losses[] = {"mse", "bce", "bce, positive_weight: 3"},
                             *const policies[] = {"base", "all", "conv"};
    for (size_t l = 0; l < sizeof losses / sizeof *losses; l++) {
        char text[1024];
        write_set(*state, l > 0);
        (void)snprintf(text, sizeof text, HEAD CONVOLUTIONS "  - {name: loss, type: %s}\n" TRAINING,
                       losses[l]);
        vdnn_test_write_below(*state, "net.yaml", text);
        json_t *first = NULL;
        for (size_t p = 0; p < sizeof policies / sizeof *policies; p++) {
            (void)snprintf(text, sizeof text, DATA "--algo m --policy %s", policies[p]);
            json_t *json = run_json(*state, text);
            first = p == 0 ? json_incref(json) : first;
            assert_true(have_same_losses(first, json));
            json_decref(json);
        }
        json_decref(first);
    }
}

/* The mean over micro-batches, and over devices, is that over the batch. */
TEST_IN_FOLDER(parts_of_a_batch_have_its_loss)
{
    static const char *const ways[] = {"", "--accumulate 3", "--devices 2", "--devices 3"};
    double first[2] = {0};
    for (size_t i = 0; i < 2 * (sizeof ways / sizeof *ways); i++) {
        const char *loss = i % 2 == 0 ? "mse" : "bce, positive_weight: 3";
        char text[1024];
        write_set(*state, i % 2 > 0);
        (void)snprintf(text, sizeof text, HEAD CONVOLUTIONS "  - {name: loss, type: %s}\n" SMOOTH,
                       loss);
        vdnn_test_write_below(*state, "net.yaml", text);
        (void)snprintf(text, sizeof text, DATA "%s", ways[i / 2]);
        json_t *json = run_json(*state, text);
        const double found = number_of(json, "test_loss");
        first[i % 2] = i < 2 ? found : first[i % 2];
        assert_true(fabs(found - first[i % 2]) < 1e-4 * first[i % 2]);
        json_decref(json);
    }
}

TEST_IN_FOLDER(an_evaluation_of_numbers_has_the_loss_of_the_training)
{
    static const char *const losses[] = {"mse", "bce, positive_weight: 3"};
    for (size_t l = 0; l < 2; l++) {
        char text[1024];
        write_set(*state, l > 0);
        (void)snprintf(text, sizeof text, HEAD CONVOLUTIONS "  - {name: loss, type: %s}\n" TRAINING,
                       losses[l]);
        vdnn_test_write_below(*state, "net.yaml", text);
        /* a batch that does not divide the samples */
        json_t *trained = run_json(*state, DATA "--batch 7 --save @/w.safetensors"),
               *json = run_json(*state, DATA "--batch 5 --init @/w.safetensors --evaluate"),
               *found = json_object_get(json, "evaluation");
        const double loss = number_of(trained, "test_loss");
        assert_true(fabs(number_of(found, "loss") - loss) < 1e-5 * loss);
        assert_int_equal(number_of(found, "samples"), COUNT);
        assert_int_equal(json_array_size(json_object_get(found, "classes")), 0);
        assert_true(json_is_null(json_object_get(found, "confusion")));
        if (l == 0) {
            assert_true(json_is_null(json_object_get(found, "accuracy")));
            assert_true(json_is_null(json_object_get(trained, "test_accuracy")));
        } else {
            assert_true(number_of(found, "accuracy") > 0.8);
            assert_true(number_of(found, "accuracy") == number_of(trained, "test_accuracy"));
        }
        json_decref(trained);
        json_decref(json);
    }
}

TEST_IN_FOLDER(the_best_checkpoint_of_numbers_has_the_lowest_loss)
{
    write_set(*state, false);
    vdnn_test_write_below(*state, "net.yaml",
                          HEAD CONVOLUTIONS "  - {name: loss, type: mse}\n" TRAINING);
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnrun --model @/net.yaml " DATA
                      "--checkpoint @/run --keep-best --eval-every 3 --json @/run.json");
    vdnn_test_expect(&run, 0, "test loss ");
    assert_non_null(strstr(run.err, "the best checkpoint, of step "));
    vdnn_test_run_free(&run);
    json_t *json = vdnn_test_json(vdnn_test_path(*state, "run.json"));
    const json_t *all = json_object_get(json, "evaluations");
    assert_int_equal(json_array_size(all), 4);
    assert_true(json_is_null(json_object_get(json_array_get(all, 0), "accuracy")));
    json_decref(json);
}

/* As NumPy reads them: in the shape of what the loss reads, or as CSV where that is a vector. */
TEST_IN_FOLDER(numbers_are_predicted)
{
    write_set(*state, true);
    vdnn_test_write_below(*state, "net.yaml",
                          HEAD CONVOLUTIONS "  - {name: loss, type: bce}\n" TRAINING);
    vdnn_test_run_to(*state, 0, "", "vdnnrun --model @/net.yaml " DATA "--save @/w.safetensors");
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/net.yaml --init @/w.safetensors --predict @/images.npy "
                     "--out @/p.npy");
    char *bytes, *labels;
    size_t count, label_count;
    vdnn_test_read_file(vdnn_test_path(*state, "p.npy"), &bytes, &count);
    vdnn_test_read_file(vdnn_test_path(*state, "labels.npy"), &labels, &label_count);
    assert_int_equal(count, 128 + COUNT * CELLS * sizeof(float));
    assert_non_null(strstr(bytes + 10, "'shape': (24, 1, 12, 12)"));
    int right = 0;
    for (size_t i = 0; i < (size_t)COUNT * CELLS; i++) {
        float found, wanted;
        memcpy(&found, bytes + 128 + i * sizeof found, sizeof found);
        memcpy(&wanted, labels + 128 + i * sizeof wanted, sizeof wanted);
        assert_true(found >= 0 && found <= 1); /* probabilities */
        right += (found > 0.5F) == (wanted > 0.5F);
    }
    assert_true(right > 0.8 * COUNT * CELLS);
    free(bytes);
    free(labels);
    vdnn_test_run_to(*state, 2, "numbers that are no vector, which only an array holds",
                     "vdnnrun --model @/net.yaml --predict @/images.npy");
    vdnn_test_run_to(*state, 2, "--top: the network's loss is over numbers",
                     "vdnnrun --model @/net.yaml --predict @/images.npy --top 2 --out @/q.npy");
    vdnn_test_write_below(*state, "net.yaml",
                          HEAD "  - {name: fc, type: fc, out: 2}\n  - {name: loss, type: mse}\n");
    vdnn_test_run run;
    vdnn_test_program(&run, *state, "vdnnrun --model @/net.yaml --predict @/images.npy");
    vdnn_test_expect(&run, 0, "");
    assert_int_equal(strncmp(run.out, "sample,value_1,value_2\n0,", 25), 0);
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(data_that_are_no_targets_are_refused)
{
    write_set(*state, false);
    vdnn_test_write_below(*state, "net.yaml",
                          HEAD CONVOLUTIONS "  - {name: loss, type: bce}\n" TRAINING);
    vdnn_test_run_to(*state, 3, "labels.npy: value ", "vdnnrun --model @/net.yaml --data npy:@");
    vdnn_test_run_to(*state, 3,
                     "idx has classes, but the network's loss is over numbers; expected npy:DIR "
                     "with a labels.npy, synthetic, or an input as the labels (`labels: input`)",
                     "vdnnrun --model @/net.yaml --data idx:@");
    vdnn_test_write_below(*state, "net.yaml",
                          HEAD "  - {name: pool, type: maxpool, kernel: 2}\n" CONVOLUTIONS
                               "  - {name: loss, type: mse}\n" TRAINING);
    vdnn_test_run_to(*state, 3,
                     "labels.npy: has 12 x 12 labels a sample, but the network reads 1 x 6 x 6",
                     "vdnnrun --model @/net.yaml --data npy:@");
}

/* Of volumes, too: each is two slices of a picture above. */
TEST_IN_FOLDER(volumes_are_compared_and_predicted)
{
    static float images[COUNT * CELLS];
    char *bytes;
    size_t count;
    for (int i = 0; i < COUNT * CELLS; i++)
        images[i] = sinf(0.37F * (float)i);
    write_array(vdnn_test_path(*state, "images.npy"), "<f4", ", 1, 2, 6, 12", images,
                CELLS * sizeof *images);
    write_array(vdnn_test_path(*state, "labels.npy"), "<f4", ", 2, 6, 12", images,
                CELLS * sizeof *images);
    vdnn_test_write_below(*state, "net.yaml",
                          "name: net\ninput: {channels: 1, depth: 2, height: 6, width: 12}\n"
                          "batch: 8\nlayers:\n"
                          "  - {name: conv, type: conv, out: 1, kernel: 3, pad: 1}\n"
                          "  - {name: loss, type: mse}\n" TRAINING);
    vdnn_test_run_to(*state, 0, "", "vdnnrun --model @/net.yaml " DATA "--save @/w.safetensors");
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/net.yaml --init @/w.safetensors --predict @/images.npy "
                     "--out @/p.npy");
    vdnn_test_read_file(vdnn_test_path(*state, "p.npy"), &bytes, &count);
    assert_int_equal(count, 128 + COUNT * CELLS * sizeof(float));
    assert_non_null(strstr(bytes + 10, "'shape': (24, 1, 2, 6, 12)"));
    free(bytes);
    write_array(vdnn_test_path(*state, "labels.npy"), "<f4", ", 6, 2, 12", images,
                CELLS * sizeof *images);
    vdnn_test_run_to(*state, 3,
                     "labels.npy: has 6 x 2 x 12 labels a sample, but the network reads 1 x 2 x 6 "
                     "x 12",
                     "vdnnrun --model @/net.yaml --data npy:@");
}

/* ---- masks ----------------------------------------------------------------------------------- */

#define SEGMENTS                                                                                   \
    "name: net\ninput: {channels: 1, height: 12, width: 12}\nclasses: 3\nbatch: 8\nlayers:\n"      \
    "  - {name: conv1, type: conv, out: 16, kernel: 5, pad: 2}\n"                                  \
    "  - {name: relu1, type: relu}\n"                                                              \
    "  - {name: conv2, type: conv, out: 16, kernel: 5, pad: 2}\n"                                  \
    "  - {name: relu2, type: relu}\n"                                                              \
    "  - {name: scores, type: conv, out: 3, kernel: 1}\n"                                          \
    "  - {name: cells, type: to_sequence}\n"
#define DICE "  - {name: loss, type: dice, cross_entropy: 1}\n"
#define MASK_TRAINING "training: {optimizer: adam, lr: 0.01, epochs: 40}\n"

/* A bright disc, class 1, and a dark one, 2, in noise; masks are pictures of bytes. */
static void write_discs(const char *folder, uint64_t seed, const char *name)
{
    static float images[COUNT * CELLS];
    static unsigned char masks[COUNT * CELLS];
    vdnn_test_rng rng = {seed};
    char path[64];
    for (int i = 0; i < COUNT * CELLS; i++) {
        images[i] = (float)vdnn_test_between(&rng, -30, 30) / 100;
        masks[i] = 0;
    }
    for (int i = 0; i < 2 * COUNT; i++) {
        const int64_t top = vdnn_test_between(&rng, 2, SIDE - 3),
                      left = vdnn_test_between(&rng, 2, SIDE - 3),
                      square = vdnn_test_between(&rng, 4, 9);
        for (int64_t y = 0; y < SIDE; y++)
            for (int64_t x = 0; x < SIDE; x++) {
                const int64_t at = i / 2 * CELLS + y * SIDE + x;
                if ((y - top) * (y - top) + (x - left) * (x - left) > square)
                    continue;
                images[at] += i % 2 == 0 ? 1 : -1;
                masks[at] = (unsigned char)(i % 2 + 1);
            }
    }
    vdnn_test_make_below(folder, name);
    (void)snprintf(path, sizeof path, "%s/images.npy", name);
    write_array(vdnn_test_path(folder, path), "<f4", ", 1, 12, 12", images, CELLS * sizeof *images);
    (void)snprintf(path, sizeof path, "%s/labels.npy", name);
    write_array(vdnn_test_path(folder, path), "|u1", ", 12, 12", masks, CELLS);
}

#define MASKS "--data npy:@/train --test-data npy:@/test "

TEST_IN_FOLDER(discs_are_segmented)
{
    write_discs(*state, 1, "train");
    write_discs(*state, 2, "test");
    vdnn_test_write_below(*state, "net.yaml", SEGMENTS DICE MASK_TRAINING);
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnrun --model @/net.yaml " MASKS
                      "--checkpoint @/run --keep-best --eval-every 40 --json @/run.json");
    vdnn_test_expect(&run, 0, "test Dice 0.");
    vdnn_test_run_free(&run);
    json_t *json = vdnn_test_json(vdnn_test_path(*state, "run.json"));
    const json_t *all = json_object_get(json, "evaluations");
    double best = 0;
    for (size_t i = 0; i < json_array_size(all); i++)
        best = fmax(best, number_of(json_array_get(all, i), "dice"));
    assert_int_equal(json_array_size(all), 3);
    assert_true(best > 0.9);
    json_decref(json);

    json = run_json(*state, MASKS "--init @/run/best/weights.safetensors --evaluate --verbose");
    const json_t *found = json_object_get(json, "evaluation"),
                 *classes = json_object_get(found, "classes");
    const double first = number_of(json_array_get(classes, 1), "dice"),
                 second = number_of(json_array_get(classes, 2), "dice");
    assert_true(fabs(number_of(found, "dice") - best) < 1e-12);
    assert_true(fabs((first + second) / 2 - best) < 1e-12); /* without the background */
    assert_int_equal(number_of(found, "labels"), COUNT * CELLS);
    json_decref(json);

    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/net.yaml --init @/run/best/weights.safetensors --predict "
                     "@/test/images.npy --out @/p.npy");
    char *bytes, *masks;
    size_t count;
    vdnn_test_read_file(vdnn_test_path(*state, "p.npy"), &bytes, &count);
    vdnn_test_read_file(vdnn_test_path(*state, "test/labels.npy"), &masks, &count);
    assert_non_null(strstr(bytes + 10, "'<i4', 'fortran_order': False, 'shape': (24, 144)"));
    int of = 0, as = 0, both = 0;
    for (size_t i = 0; i < (size_t)COUNT * CELLS; i++) {
        int32_t class;
        memcpy(&class, bytes + 128 + i * sizeof class, sizeof class);
        of += masks[128 + i] == 2;
        as += class == 2;
        both += masks[128 + i] == 2 && class == 2;
    }
    assert_true(fabs(2.0 * both / (of + as) - second) < 1e-12);
    free(bytes);
    free(masks);
}

/* Also with labels that do not count, which its mean does not weigh. */
TEST_IN_FOLDER(parts_of_a_batch_have_its_dice)
{
    static const char *const ways[] = {"",
                                       "--accumulate 3",
                                       "--devices 2",
                                       "--devices 3",
                                       "--policy all",
                                       "--policy opt --plan-trials 20"};
    double first = 0;
    write_discs(*state, 3, "train");
    vdnn_test_write_below(*state, "net.yaml",
                          SEGMENTS "  - {name: loss, type: dice, cross_entropy: 0.5, ignore: 1}\n"
                                   "training: {lr: 0.1, epochs: 4}\n");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char text[256];
        (void)snprintf(text, sizeof text,
                       "--data npy:@/train --test-data npy:@/train --no-shuffle %s", ways[i]);
        json_t *json = run_json(*state, text);
        const double found = number_of(json, "test_loss");
        first = i == 0 ? found : first;
        assert_true(fabs(found - first) < 1e-4 * first);
        json_decref(json);
    }
}

/* Each pixel says its class, which is found only where both move alike. */
static void write_dots(const char *folder)
{
    static float images[COUNT * CELLS], numbers[COUNT * CELLS];
    static unsigned char masks[COUNT * CELLS];
    vdnn_test_rng rng = {7};
    for (int i = 0; i < COUNT * CELLS; i++) {
        masks[i] = (unsigned char)vdnn_test_between(&rng, 0, 1);
        images[i] = numbers[i] = (float)masks[i];
    }
    vdnn_test_make_below(folder, "dots");
    vdnn_test_make_below(folder, "numbers");
    write_array(vdnn_test_path(folder, "dots/images.npy"), "<f4", ", 1, 12, 12", images,
                CELLS * sizeof *images);
    write_array(vdnn_test_path(folder, "dots/labels.npy"), "|u1", ", 12, 12", masks, CELLS);
    write_array(vdnn_test_path(folder, "numbers/images.npy"), "<f4", ", 1, 12, 12", images,
                CELLS * sizeof *images);
    write_array(vdnn_test_path(folder, "numbers/labels.npy"), "<f4", ", 1, 12, 12", numbers,
                CELLS * sizeof *numbers);
}

TEST_IN_FOLDER(labels_of_pixels_move_with_them)
{
    static const char *const ends[][2] = {
        {"  - {name: scores, type: conv, out: 2, kernel: 1}\n"
         "  - {name: cells, type: to_sequence}\n"
         "  - {name: loss, type: softmax_loss}\n",
         "dots"},
        {"  - {name: scores, type: conv, out: 2, kernel: 1}\n"
         "  - {name: cells, type: to_sequence}\n"
         "  - {name: loss, type: dice, ignore: 9, cross_entropy: 1}\n",
         "dots"},
        {"  - {name: chance, type: conv, out: 1, kernel: 1}\n  - {name: loss, type: bce}\n",
         "numbers"},
    };
    write_dots(*state);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char text[1024], run[256];
        (void)snprintf(
            text, sizeof text,
            "name: net\ninput: {channels: 1, height: 12, width: 12}\n%sbatch: 8\nlayers:\n"
            "%straining: {optimizer: adam, lr: 0.1, epochs: 60, "
            "augment: {flip: true, crop: 3}}\n",
            i < 2 ? "classes: 2\n" : "", ends[i][0]);
        vdnn_test_write_below(*state, "net.yaml", text);
        (void)snprintf(run, sizeof run, "--data npy:@/%s", ends[i][1]);
        json_t *json = run_json(*state, run);
        const json_t *losses = json_object_get(json, "losses");
        const double last = json_number_value(json_array_get(losses, json_array_size(losses) - 1));
        if (!(last < 0.1))
            fail_msg("the last loss with %s is %g", ends[i][0], last);
        json_decref(json);
    }
}

TEST_IN_FOLDER(masks_that_do_not_fit_are_refused)
{
    write_discs(*state, 4, "train");
    vdnn_test_write_below(*state, "net.yaml",
                          "name: net\ninput: {channels: 1, height: 12, width: 12}\nclasses: 2\n"
                          "batch: 8\nlayers:\n"
                          "  - {name: scores, type: conv, out: 2, kernel: 1}\n"
                          "  - {name: cells, type: to_sequence}\n" DICE);
    vdnn_test_run_to(*state, 3, "is 2, which is no class; expected 0 to 1",
                     "vdnnrun --model @/net.yaml --data npy:@/train");
    vdnn_test_run_to(*state, 2, "a class for each position, which only an array holds",
                     "vdnnrun --model @/net.yaml --predict @/train/images.npy");
    vdnn_test_write_below(*state, "net.yaml",
                          "name: net\ninput: {channels: 1, height: 12, width: 12}\nclasses: 2\n"
                          "batch: 8\nlayers:\n"
                          "  - {name: half, type: maxpool, kernel: 2}\n"
                          "  - {name: scores, type: conv, out: 2, kernel: 1}\n"
                          "  - {name: cells, type: to_sequence}\n" DICE
                          "training: {augment: {flip: true}, lr: 0.1}\n");
    vdnn_test_run_to(
        *state, 3,
        "augment moves pictures, but not the labels that 'loss' reads, one for each place of them, "
        "but not for each pixel",
        "vdnnrun --model @/net.yaml --data npy:@/train");
    vdnn_test_write_below(*state, "net.yaml",
                          "name: net\ninput: {channels: 1, height: 12, width: 12}\nclasses: 3\n"
                          "batch: 8\nlayers:\n  - {name: fc, type: fc, out: 3}\n" DICE);
    vdnn_test_run_to(*state, 3, "its input is no sequence of positions; a to_sequence layer makes",
                     "vdnnrun --model @/net.yaml");
}
