/* Pipelines as users run them: in one process and in several, under every policy, stopped and
 * resumed on another number of stages; and what cannot be a pipeline. */

#include "tests/support/run_json.h"
#include "tests/support/run_program.h"
#include "tests/support/token_network.h"

#include <stdio.h>
#include <string.h>

/* Batch norm, dropout, a fork and a join, clipped gradients; 11 layers, of which some read an older
 * one. */
static const char network[] = "name: pipe\n"
                              "input: {channels: 2, height: 12, width: 12}\n"
                              "classes: 4\n"
                              "batch: 12\n"
                              "layers:\n"
                              "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"
                              "  - {name: norm1, type: batchnorm}\n"
                              "  - {name: relu1, type: relu}\n"
                              "  - {name: conv2, type: conv, out: 8, kernel: 3, pad: 1}\n"
                              "  - {name: norm2, type: batchnorm}\n"
                              "  - {name: relu2, type: relu}\n"
                              "  - {name: conv3, type: conv, out: 8, kernel: 1}\n"
                              "  - {name: both, type: add, from: [conv3, relu1]}\n"
                              "  - {name: pool, type: maxpool, kernel: 2}\n"
                              "  - {name: drop, type: dropout, p: 0.3}\n"
                              "  - {name: fc1, type: fc, out: 16}\n"
                              "  - {name: relu3, type: relu}\n"
                              "  - {name: fc2, type: fc, out: 4}\n"
                              "  - {name: loss, type: softmax_loss}\n"
                              "training: {optimizer: adamw, lr: 0.01, clip_norm: 0.5, epochs: 1}\n";

#define WITH "--device cpu --threads 1 --seed 5 --quiet "
#define RUN "vdnnrun --model @/pipe.yaml " WITH
#define RUN_TIED "vdnnrun --model @/tied.yaml --batch 12 " WITH
#define ALONE "--policy base --json @/run.json "
#define SAME "--algos @/run.json "

static int make_folder(void **state)
{
    int error = vdnn_test_make_folder(state);
    if (error == 0)
        vdnn_test_write_below(*state, "pipe.yaml", network);
    if (error == 0)
        vdnn_test_write_below(*state, "tied.yaml",
                              VDNN_TIED_LAYERS "training: {optimizer: adamw, lr: 0.01, "
                                               "clip_norm: 0.5, epochs: 1}\n");
    return error;
}

static void run(const char *folder, const char *words)
{
    vdnn_test_run one;
    vdnn_test_program(&one, folder, "%s", words);
    vdnn_test_expect(&one, 0, "");
    vdnn_test_run_free(&one);
}

TEST_WITH(stages_learn_what_one_device_does, make_folder, vdnn_test_remove_folder)
{
    static const char *const ways[] = {
        "--stages 2 --policy base --schedule gpipe", "--stages 2 --policy all",
        "--stages 3 --policy conv --schedule gpipe", "--stages 3 --policy dyn",
        "--stages 4 --policy opt --plan-trials 50",  "--stages 3 --policy all --schedule zb1p",
        "--stages 4 --schedule zb1p --launch 4",     "--stages 2 --launch 2",
        "--stages 4 --launch 4 --policy all"};
    char line[512];
    run(*state, RUN ALONE "--accumulate 4 --steps 4 --save @/one");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        (void)snprintf(line, sizeof line, RUN SAME "--micro-batches 4 --steps 4 --save @/w%zu %s",
                       i, ways[i]);
        run(*state, line);
        (void)snprintf(line, sizeof line, "w%zu", i);
        vdnn_test_same_files(*state, "one", line);
    }
}

/* The layers of all stages are in the JSON, as their plans have them, for a run of the same
 * algorithms on one device. */
TEST_WITH(one_device_repeats_what_stages_learn, make_folder, vdnn_test_remove_folder)
{
    static const char *const ways[] = {"--devices 3", "--launch 3"};
    char line[512];
    run(*state, RUN ALONE "--accumulate 4 --steps 4 --save @/one");
    json_t *alone = vdnn_test_json(vdnn_test_path(*state, "run.json"));
    json_t *its = json_object_get(alone, "layers"), *layer;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        (void)snprintf(line, sizeof line,
                       RUN "--stages 3 --micro-batches 4 --steps 4 --policy all --json @/cut.json "
                           "--save @/many %s",
                       ways[i]);
        run(*state, line);
        run(*state, RUN "--algos @/cut.json --accumulate 4 --steps 4 --save @/one");
        vdnn_test_same_files(*state, "many", "one");
        json_t *cut = vdnn_test_json(vdnn_test_path(*state, "cut.json"));
        json_t *layers = json_object_get(cut, "layers");
        assert_int_equal(json_array_size(layers), json_array_size(its));
        size_t l;
        json_array_foreach(layers, l, layer) assert_string_equal(
            vdnn_test_text_at(layer, "name"), vdnn_test_text_at(json_array_get(its, l), "name"));
        json_decref(cut);
    }
    json_decref(alone);
}

/* Micro-batches that the batch does not divide into, and fewer of them than stages. */
TEST_WITH(any_number_of_micro_batches_is_run, make_folder, vdnn_test_remove_folder)
{
    static const int counts[] = {1, 2, 5, 12};
    char line[512];
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        (void)snprintf(line, sizeof line, RUN ALONE "--accumulate %d --steps 3 --save @/one",
                       counts[i]);
        run(*state, line);
        (void)snprintf(line, sizeof line,
                       RUN SAME "--stages 3 --micro-batches %d --steps 3 --save @/many", counts[i]);
        run(*state, line);
        vdnn_test_same_files(*state, "one", "many");
    }
}

/* A block of layers of the first and the last stage, and one of layers of two in between. */
TEST_WITH(stages_share_weights, make_folder, vdnn_test_remove_folder)
{
    static const char *const ways[] = {
        "--stages 2 --policy all --schedule gpipe", "--stages 3 --policy conv",
        "--stages 5 --policy dyn --schedule gpipe", "--stages 6 --policy base --schedule zb1p",
        "--stages 4 --policy opt --plan-trials 50", "--stages 4 --schedule zb1p --launch 4"};
    static const int counts[] = {1, 2, 5};
    char line[512];
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        (void)snprintf(line, sizeof line, RUN_TIED ALONE "--accumulate %d --steps 3 --save @/one",
                       counts[c]);
        run(*state, line);
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            (void)snprintf(line, sizeof line,
                           RUN_TIED SAME "--micro-batches %d --steps 3 --save @/many %s", counts[c],
                           ways[i]);
            run(*state, line);
            vdnn_test_same_files(*state, "one", "many");
        }
    }
}

TEST_WITH(shared_weights_go_on_with_other_stages, make_folder, vdnn_test_remove_folder)
{
    run(*state, RUN_TIED ALONE "--accumulate 3 --steps 6 --save @/one");
    run(*state, RUN_TIED SAME "--stages 3 --micro-batches 3 --steps 2 --checkpoint @/c");
    run(*state, RUN_TIED SAME "--stages 5 --micro-batches 3 --steps 4 --launch 5 --checkpoint @/c "
                              "--resume auto");
    run(*state, RUN_TIED SAME "--accumulate 3 --steps 6 --checkpoint @/c --resume auto --save @/w");
    vdnn_test_same_files(*state, "one", "w");
    run(*state, RUN_TIED SAME "--accumulate 3 --steps 2 --save @/init");
    run(*state, RUN_TIED SAME "--accumulate 3 --steps 2 --init @/init --save @/one");
    run(*state, RUN_TIED SAME "--stages 4 --micro-batches 3 --steps 2 --init @/init --save @/many");
    vdnn_test_same_files(*state, "one", "many");
}

TEST_WITH(a_run_goes_on_with_other_stages, make_folder, vdnn_test_remove_folder)
{
    run(*state, RUN ALONE "--accumulate 4 --steps 6 --save @/one");
    run(*state, RUN SAME "--stages 3 --micro-batches 4 --steps 2 --checkpoint @/c");
    run(*state, RUN SAME "--stages 2 --launch 2 --micro-batches 4 --steps 4 --checkpoint @/c "
                         "--resume auto");
    run(*state, RUN SAME "--accumulate 4 --steps 6 --checkpoint @/c --resume auto --save @/w");
    vdnn_test_same_files(*state, "one", "w");
    run(*state, RUN SAME "--stages 4 --micro-batches 4 --steps 6 --resume @/c/step-00000004 "
                         "--save @/x");
    vdnn_test_same_files(*state, "one", "x");
}

/* The second of two stages has the large layer. */
TEST_IN_FOLDER(the_stage_that_needs_most_is_named)
{
    vdnn_test_run one;
    vdnn_test_write_below(*state, "net.yaml",
                          "name: uneven\n"
                          "input: {channels: 100, height: 1, width: 1}\n"
                          "classes: 4\n"
                          "batch: 4\n"
                          "layers:\n"
                          "  - {name: fc1, type: fc, out: 100}\n"
                          "  - {name: relu1, type: relu}\n"
                          "  - {name: fc2, type: fc, out: 200}\n"
                          "  - {name: relu2, type: relu}\n"
                          "  - {name: fc3, type: fc, out: 6000}\n"
                          "  - {name: fc4, type: fc, out: 4}\n"
                          "  - {name: loss, type: softmax_loss}\n");
    vdnn_test_program(&one, *state,
                      "vdnnrun --model @/net.yaml --device sim:p100 --stages 2 --micro-batches 2 "
                      "--policy base --algo m --steps 1 --quiet --device-mem 1MiB");
    vdnn_test_expect(&one, 4,
                     "uneven with batch 4 in 2 stages does not fit under policy base --algo m\n"
                     "  stage 1 needs most:\n"
                     "  it needs ");
    assert_null(strstr(strstr(one.err, "uneven with") + 1, "uneven with"));
    vdnn_test_run_free(&one);
}

TEST_IN_FOLDER(a_reader_before_the_owner_of_its_weight_is_in_its_stage)
{
    vdnn_test_write_below(*state, "net.yaml",
                          "name: ahead\n"
                          "input: {channels: 4, height: 1, width: 1}\n"
                          "classes: 4\n"
                          "batch: 4\n"
                          "layers:\n"
                          "  - {name: fc1, type: fc, out: 4, weight_of: fc3}\n"
                          "  - {name: fc2, type: fc, out: 4}\n"
                          "  - {name: fc3, type: fc, out: 4}\n"
                          "  - {name: loss, type: softmax_loss}\n");
    vdnn_test_run_to(*state, 2,
                     "ahead can be cut at 1 place, into 2 stages at most: a layer that reads the "
                     "weight of a later one (weight_of) is in its stage",
                     "vdnnrun --model @/net.yaml --steps 1 --stages 3");
}

TEST_WITH(what_cannot_be_a_pipeline_is_named, make_folder, vdnn_test_remove_folder)
{
    static const struct {
        const char *words, *part;
    } rows[] = {
        {"--stages 40", "pipe can be cut at"},
        {"--stages 2 --devices 3", "expected a multiple of 2 devices"},
        {"--stages 2 --devices 4", "several replicas of each stage"},
        {"--stages 2 --schedule gppie", "did you mean gpipe?"},
        {"--stages 2 --micro-batches 13", "cannot be run in 13 micro-batches"},
        {"--stages 2 --rules paper", "--rules paper and --stages"},
        {"--stages 2 --shard optimizer", "--shard optimizer and --stages"},
        {"--stages 2 --evaluate", "--evaluate and --stages"},
        {"--stages 3 --launch 2", "2 devices cannot have as many stages"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vdnn_test_run one;
        vdnn_test_program(&one, *state, RUN "--steps 1 %s", rows[i].words);
        vdnn_test_expect(&one, 2, rows[i].part);
        vdnn_test_run_free(&one);
    }
}
