/* What a trained network says of data: evaluations and predictions of the programs. */

#include "tests/support/files.h"
#include "tests/support/pictures.h"
#include "tests/support/run_program.h"
#include "tests/support/token_network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NETWORK                                                                                    \
    "name: net\ninput: {channels: 3, height: 12, width: 12}\nclasses: 2\nbatch: 4\nlayers:\n"      \
    "  - {name: conv, type: conv, out: 4, kernel: 3}\n"                                            \
    "  - {name: fc, type: fc, out: 2}\n"                                                           \
    "  - {name: loss, type: softmax_loss}\ntraining: {lr: 0.05}\n"

enum { EACH = 5, SIDE = 12 };

/* Two classes with names, of EACH pictures, and a test part. */
static void write_set(const char *folder)
{
    static const char *const parts[] = {"train", "test"}, *const classes[] = {"cat", "dog"};
    vdnn_test_write_below(folder, "net.yaml", NETWORK);
    vdnn_test_make_below(folder, "set");
    for (int p = 0; p < 2; p++) {
        char place[64];
        (void)snprintf(place, sizeof place, "set/%s", parts[p]);
        vdnn_test_make_below(folder, place);
        for (int c = 0; c < 2; c++) {
            (void)snprintf(place, sizeof place, "set/%s/%s", parts[p], classes[c]);
            vdnn_test_make_below(folder, place);
            for (int i = 0; i < EACH; i++) {
                (void)snprintf(place, sizeof place, "set/%s/%s/%d.png", parts[p], classes[c], i);
                vdnn_test_write_picture(vdnn_test_path(folder, place), SIDE, SIDE,
                                        100 * c + 10 * p + i);
            }
        }
    }
}

#define NET "vdnnrun --model @/net.yaml --profile @/profile "
#define TRAINED NET "--init @/w.safetensors "

static void train(const char *folder)
{
    write_set(folder);
    vdnn_test_run_to(folder, 0, "",
                     NET "--data images:@/set --epochs 3 --save @/w.safetensors --json @/t.json");
}

static char *read_text(const char *folder, const char *name, size_t *bytes)
{
    char *text;
    vdnn_test_read_file(vdnn_test_path(folder, name), &text, bytes);
    return text;
}

static int count_lines(const char *text)
{
    int lines = 0;
    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}

/* ---- evaluations ----------------------------------------------------------------------------- */

TEST_IN_FOLDER(an_evaluation_finds_the_accuracy_of_the_training_and_adds_up_by_class)
{
    train(*state);
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      TRAINED "--data images:@/set --evaluate --verbose --json @/e.json");
    vdnn_test_expect(&run, 0, "");
    assert_non_null(strstr(run.out, "test data: 10 samples: accuracy "));
    assert_non_null(strstr(run.out, "\ncat "));
    vdnn_test_run_free(&run);
    json_t *trained = vdnn_test_json(vdnn_test_path(*state, "t.json")),
           *json = vdnn_test_json(vdnn_test_path(*state, "e.json")),
           *found = json_object_get(json, "evaluation"),
           *classes = json_object_get(found, "classes"),
           *confusion = json_object_get(found, "confusion");
    const double accuracy = json_number_value(json_object_get(trained, "test_accuracy"));
    assert_true(json_number_value(json_object_get(found, "accuracy")) == accuracy);
    assert_true(json_number_value(json_object_get(json, "test_accuracy")) == accuracy);
    assert_true(json_number_value(json_object_get(found, "loss")) > 0);
    int64_t right = 0;
    for (size_t c = 0; c < 2; c++) {
        json_t *row = json_array_get(confusion, c), *class = json_array_get(classes, c);
        assert_string_equal(json_string_value(json_object_get(class, "class")),
                            c == 0 ? "cat" : "dog");
        assert_int_equal(json_integer_value(json_object_get(class, "samples")), EACH);
        assert_int_equal(json_integer_value(json_array_get(row, 0)) +
                             json_integer_value(json_array_get(row, 1)),
                         EACH);
        right += json_integer_value(json_array_get(row, c));
    }
    assert_true(fabs((double)right / (2 * EACH) - accuracy) < 1e-12);
    json_decref(trained);
    json_decref(json);
}

TEST_IN_FOLDER(every_policy_and_batch_evaluates_alike)
{
    static const char *const ways[] = {"--policy base --batch 4", "--policy all --batch 3",
                                       "--policy opt --plan-trials 50 --batch 7"};
    double first = 0;
    train(*state);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state,
                          "vdnnrun --model @/net.yaml --init @/w.safetensors --data images:@/set "
                          "--evaluate --json @/e.json %s",
                          ways[i]);
        vdnn_test_expect(&run, 0, "");
        vdnn_test_run_free(&run);
        json_t *json = vdnn_test_json(vdnn_test_path(*state, "e.json")),
               *found = json_object_get(json, "evaluation");
        const double loss = json_number_value(json_object_get(found, "loss"));
        assert_int_equal(json_integer_value(json_object_get(found, "samples")), 2 * EACH);
        assert_true(i == 0 || fabs(loss - first) < 1e-6);
        first = loss;
        json_decref(json);
    }
}

/* Synthetic samples have no end. */
TEST_IN_FOLDER(a_few_made_up_samples_are_enough)
{
    write_set(*state);
    vdnn_test_run run;
    vdnn_test_program(&run, *state, NET "--evaluate");
    vdnn_test_expect(&run, 0, "the weights are random");
    assert_non_null(strstr(run.out, "data, which has no test part: 64 samples: accuracy "));
    vdnn_test_run_free(&run);
    vdnn_test_run_to(*state, 0, "step 1: test accuracy ",
                     NET "--steps 1 --eval-every 1 --test-data synthetic");
}

/* As they are, in whatever form is asked for. */
TEST_IN_FOLDER(weights_that_are_evaluated_can_be_saved)
{
    train(*state);
    vdnn_test_run_to(*state, 0, "",
                     TRAINED "--data images:@/set --evaluate --save @/v.safetensors");
    vdnn_test_same_files(*state, "w.safetensors", "v.safetensors");
}

static size_t smallest_of(const char *folder, const char *what)
{
    char command[256];
    (void)snprintf(command, sizeof command,
                   "vdnnrun --model @/wide.yaml --policy opt %s --dry-run --json @/s.json", what);
    vdnn_test_run_to(folder, 0, "", command);
    json_t *json = vdnn_test_json(vdnn_test_path(folder, "s.json"));
    const json_int_t bytes =
        json_integer_value(json_object_get(json_object_get(json, "plan"), "smallest_bytes"));
    json_decref(json);
    return (size_t)bytes;
}

/* Neither gradients nor the optimizer's state, and parameters on the device when they are used. */
TEST_IN_FOLDER(an_evaluation_fits_where_its_training_does_not)
{
    vdnn_test_write_below(*state, "wide.yaml",
                          "name: wide\ninput: {channels: 3, height: 12, width: 12}\nclasses: 2\n"
                          "batch: 4\nlayers:\n"
                          "  - {name: norm, type: batchnorm}\n"
                          "  - {name: fc1, type: fc, out: 600}\n"
                          "  - {name: fc2, type: fc, out: 600}\n"
                          "  - {name: fc3, type: fc, out: 2}\n"
                          "  - {name: loss, type: softmax_loss}\n"
                          "training: {optimizer: adam, lr: 0.05}\n");
    const size_t trains = smallest_of(*state, ""), evaluates = smallest_of(*state, "--evaluate");
    assert_in_range(evaluates, 1, trains / 2);
    char command[256];
    vdnn_test_run_to(*state, 0, "", "vdnnrun --model @/wide.yaml --steps 3 --checkpoint @/c");
    (void)snprintf(command, sizeof command,
                   "vdnnrun --model @/wide.yaml --policy opt --evaluate --batch 2 --seed 7 "
                   "--device-mem %zu --resume @/c",
                   evaluates);
    vdnn_test_run_to(*state, 0, "", command);
}

/* Labels that do not count are left out of all figures. */
TEST_IN_FOLDER(an_evaluation_of_positions_counts_the_labels_that_count)
{
    vdnn_test_write_below(*state, "positions.yaml", vdnn_position_network);
    vdnn_test_tokens(*state, 10);
    vdnn_test_run_to(*state, 0, "the weights are random",
                     "vdnnrun --model @/positions.yaml --batch 4 --data npy:@ --evaluate --json "
                     "@/e.json");
    json_t *json = vdnn_test_json(vdnn_test_path(*state, "e.json")),
           *found = json_object_get(json, "evaluation");
    assert_int_equal(json_integer_value(json_object_get(found, "labels")), 90 - 13);
    json_decref(json);
}

/* ---- predictions ----------------------------------------------------------------------------- */

TEST_IN_FOLDER(pictures_are_predicted_by_their_names_and_the_others_of_a_damaged_one_too)
{
    train(*state);
    vdnn_test_run_to(*state, 0, "",
                     TRAINED "--data images:@/set --predict @/set/test --top 2 --out @/p.csv");
    size_t bytes;
    char *text = read_text(*state, "p.csv", &bytes);
    assert_int_equal(count_lines(text), 1 + 2 * EACH);
    assert_non_null(strstr(text, "file,class,probability,class_2,probability_2\ncat/0.png,"));
    assert_non_null(strstr(text, "\ndog/4.png,"));
    free(text);
    vdnn_test_write_below(*state, "set/test/dog/2.png", "no picture");
    vdnn_test_write_below(*state, "set/test/notes.txt", "no picture either");
    vdnn_test_run_to(*state, 3, "1 of 10 pictures could not be read",
                     TRAINED "--predict @/set/test --out @/q.csv");
    text = read_text(*state, "q.csv", &bytes);
    assert_int_equal(count_lines(text), 1 + 2 * EACH);
    assert_non_null(strstr(text, "\ndog/2.png,,\ndog/3.png,"));
    free(text);
}

/* CSV, array, and one picture alone. */
/* Which data are not needed for then. */
TEST_IN_FOLDER(weights_and_checkpoints_have_the_names_of_classes)
{
    train(*state);
    vdnn_test_run_to(*state, 0, "", TRAINED "--predict @/set/test --out @/w.csv");
    vdnn_test_run_to(*state, 0, "", NET "--data images:@/set --steps 1 --checkpoint @/c");
    vdnn_test_run_to(*state, 0, "", NET "--resume @/c --predict @/set/test --out @/c.csv");
    static const char *const files[] = {"w.csv", "c.csv"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        size_t bytes;
        char *text = read_text(*state, files[i], &bytes);
        assert_int_equal(count_lines(text), 1 + 2 * EACH);
        for (const char *line = strchr(text, '\n'); line[1] != '\0'; line = strchr(line + 1, '\n'))
            assert_true(strncmp(strchr(line, ','), ",cat,", 5) == 0 ||
                        strncmp(strchr(line, ','), ",dog,", 5) == 0);
        free(text);
    }
}

TEST_IN_FOLDER(predictions_are_the_same_in_every_form)
{
    float rows[2 * EACH][2];
    char line[64];
    train(*state);
    vdnn_test_run_to(*state, 0, "", TRAINED "--predict @/set/test --out @/p.npy");
    size_t bytes;
    char *array = read_text(*state, "p.npy", &bytes);
    assert_non_null(strstr(array + 10, "'shape': (10, 2)"));
    memcpy(rows, array + bytes - sizeof rows, sizeof rows);
    free(array);
    vdnn_test_run run;
    vdnn_test_program(&run, *state, TRAINED "--predict @/set/test/dog/1.png");
    vdnn_test_expect(&run, 0, "");
    const float *row = rows[EACH + 1];
    assert_true(fabsf(row[0] + row[1] - 1) < 1e-6f);
    const int best = row[1] > row[0];
    (void)snprintf(line, sizeof line, "file,class,probability\n1.png,%s,%.9g\n",
                   best > 0 ? "dog" : "cat", (double)row[best]);
    assert_string_equal(run.out, line);
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(rows_of_an_array_are_predicted_by_number)
{
    vdnn_test_network(*state);
    vdnn_test_images(*state, 21);
    vdnn_test_run run;
    vdnn_test_program(&run, *state, "vdnnrun --model @/net.yaml --predict @/images.npy --top 10");
    vdnn_test_expect(&run, 0, "the weights are random");
    assert_int_equal(count_lines(run.out), 22);
    assert_non_null(strstr(run.out, "\n20,"));
    vdnn_test_run_free(&run);
}

/* ---- bad input ------------------------------------------------------------------------------- */

TEST_IN_FOLDER(what_cannot_be_predicted_is_refused_before_anything_is_written)
{
    static const struct {
        const char *arguments, *message;
        int code;
    } rows[] = {
        {"--predict @/set/test --out @/there.csv", "there.csv is there already; --force", 6},
        {"--predict @/set/test --out @/p.txt", "ends in .csv or .npy", 2},
        {"--predict @/set/test --top 3", "--top 3: the network has 2 classes", 2},
        {"--predict @/none", "none: No such file", 3},
        {"--predict @/empty", "has no pictures by their names", 3},
        {"--predict @/net.yaml", "net.yaml", 3},
        {"--predict @/set/test --steps 3", "--steps: nothing is trained", 2},
        {"--evaluate --trace @/t.json", "--trace: nothing is trained", 2},
        {"--evaluate --epochs 1", "--epochs: nothing is trained", 2},
        {"--out @/p.csv", "--predict says of what", 2},
        {"--evaluate --device sim:titan-x-maxwell", "--evaluate: --device sim:", 2},
    };
    write_set(*state);
    vdnn_test_make_below(*state, "empty");
    vdnn_test_write_below(*state, "there.csv", "mine");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state, "vdnnrun --model @/net.yaml %s", rows[i].arguments);
        vdnn_test_expect(&run, rows[i].code, rows[i].message);
        vdnn_test_run_free(&run);
    }
    size_t bytes;
    char *text = read_text(*state, "there.csv", &bytes);
    assert_string_equal(text, "mine");
    free(text);
    vdnn_test_run_to(*state, 0, "",
                     NET "--predict @/set/test --out @/there.csv --force --data images:@/set");
}

/* ---- what there is --------------------------------------------------------------------------- */

TEST_IN_FOLDER(what_there_is_is_listed)
{
    static const struct {
        const char *what, *line;
    } rows[] = {{"models", "lenet\n"},
                {"devices", "sim:h100\n"},
                {"policies", "opt\n"},
                {"layers", "relu\n"},
                {"data", "synthetic[:SEED]\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state, "vdnnrun --list %s", rows[i].what);
        vdnn_test_expect(&run, 0, "");
        assert_non_null(strstr(run.out, rows[i].line));
        vdnn_test_run_free(&run);
    }
    vdnn_test_run_to(*state, 2, "did you mean layers", "vdnnrun --list layer");
}

TEST_IN_FOLDER(a_training_says_a_line_for_each_epoch_and_one_that_is_done_says_so)
{
    write_set(*state);
    vdnn_test_run run;
    vdnn_test_program(&run, *state, NET "--data images:@/set --epochs 2 --checkpoint @/c");
    vdnn_test_expect(&run, 0, "epoch 2: mean loss ");
    assert_non_null(strstr(run.err, "epoch 1: mean loss "));
    vdnn_test_run_free(&run);
    vdnn_test_run_to(*state, 0, "nothing is left to train: the checkpoint has all 4 steps",
                     NET "--data images:@/set --epochs 2 --checkpoint @/c --resume auto");
}
