#include "runtime/checkpoint/manifest.h"
#include "tests/support/run_program.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Checkpoints as users meet them: a run that resumes from one ends with the bits of an undisturbed
 * run, however often and wherever it was ended. */

/* Running statistics, dropout, a sum of two branches, weights in blocks and plain ones, pictures
 * that are cropped and mirrored at random, and a rate that changes all the time. */
static const char RESIDUAL[] =
    "name: residual\n"
    "input: {channels: 1, height: 12, width: 12, mean: 0.1, std: 0.5}\n"
    "classes: 10\n"
    "batch: 8\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 16, kernel: 3, pad: 1, bias: false}\n"
    "  - {name: norm1, type: batchnorm}\n"
    "  - {name: relu1, type: relu}\n"
    "  - {name: conv2, type: conv, out: 16, kernel: 3, pad: 1, bias: false}\n"
    "  - {name: norm2, type: batchnorm}\n"
    "  - {name: add2, type: add, from: [norm2, relu1]}\n"
    "  - {name: relu2, type: relu}\n"
    "  - {name: pool2, type: maxpool, kernel: 2}\n"
    "  - {name: drop3, type: dropout, p: 0.4}\n"
    "  - {name: fc3, type: fc, out: 24}\n"
    "  - {name: relu3, type: relu}\n"
    "  - {name: drop4, type: dropout, p: 0.5}\n"
    "  - {name: fc4, type: fc, out: 10}\n"
    "  - {name: loss, type: softmax_loss}\n"
    "training: {lr: 0.01, momentum: 0.9, weight_decay: 0.0005, epochs: 4, warmup: 1,\n"
    "           schedule: {type: step, every: 0.5, factor: 0.9},\n"
    "           augment: {flip: true, crop: 2}}\n";

static void write_network(const char *folder)
{
    vdnn_test_write_file(vdnn_test_path(folder, "net.yaml"), RESIDUAL, sizeof RESIDUAL - 1);
    vdnn_test_images(folder, 44); /* five batches and four pictures: an epoch is five steps */
}

/* FOLDER/NAME: the network with one of its words changed. */
static void write_variant(const char *folder, const char *name, const char *from, const char *to)
{
    char text[sizeof RESIDUAL + 256];
    const char *at = strstr(RESIDUAL, from);
    assert_non_null(at);
    int length = snprintf(text, sizeof text, "%.*s%s%s", (int)(at - RESIDUAL), RESIDUAL, to,
                          at + strlen(from));
    vdnn_test_write_file(vdnn_test_path(folder, name), text, (size_t)length);
}

static bool exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

/* Runs `command` of vdnnrun on the network and its data. */
#define NET "vdnnrun --model @/net.yaml --data npy:@ --profile @/profile "

/* What the runs reckoned: the losses of all steps and the accuracy; not how fast. */
static void expect_same_results(const char *folder, const char *a, const char *b)
{
    json_t *left = vdnn_test_json(vdnn_test_path(folder, a));
    json_t *right = vdnn_test_json(vdnn_test_path(folder, b));
    assert_true(json_array_size(json_object_get(left, "losses")) > 0);
    assert_true(json_equal(json_object_get(left, "losses"), json_object_get(right, "losses")));
    assert_true(json_equal(json_object_get(left, "test_accuracy"),
                           json_object_get(right, "test_accuracy")));
    json_decref(left);
    json_decref(right);
}

/* ---- the same bits --------------------------------------------------------------------------- */

TEST_IN_FOLDER(what_goes_on_has_the_bits_of_an_undisturbed_run)
{
    static const struct {
        const char *text, *first, *second; /* options of all runs; of the first half, whose
                                              algorithms stay, and the whole; of the second half */
    } cases[] = {
        {"--model @/net.yaml --data npy:@", "", ""},
        {"--model @/net.yaml --data npy:@", "--policy all --rules paper", "--policy base"},
        {"--model @/net.yaml --data npy:@ --no-shuffle", "--policy base", "--policy conv"},
        {"--model @/net.yaml --data npy:@ --dtype bf16 --seed 9", "", "--policy all"},
        {"--model @/net.yaml --data npy:@ --test-data npy:@ --lr 0.1", "", ""},
        {"--model @/net.yaml --data npy:@ --optimizer nesterov", "--policy all --rules paper", ""},
        {"--model @/net.yaml --data npy:@ --optimizer adam --dtype bf16", "", "--policy all"},
        {"--model @/net.yaml --data npy:@ --optimizer adamw", "--policy base", "--policy all"},
        {"--model @/clipped.yaml --data npy:@", "--policy all --rules paper", "--policy base"},
        {"--model @/net.yaml --data npy:@ --optimizer adagrad", "", "--policy base --rules paper"},
        {"--model lenet --batch 4", "", "--policy all --algo p"},
        {"--model cifar_cnn --batch 2", "--policy all", ""},
    };
    write_network(*state);
    write_variant(*state, "clipped.yaml", "momentum: 0.9,", "momentum: 0.9, clip_norm: 0.3,");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_test_run run;
        char common[512];
        (void)snprintf(common, sizeof common, "vdnnrun --profile @/profile%zu %s", i,
                       cases[i].text);
        vdnn_test_program(&run, *state, "%s %s --steps 13 --save @/a --json @/a.json", common,
                          cases[i].first);
        vdnn_test_expect(&run, 0, "");
        vdnn_test_run_free(&run);
        vdnn_test_program(&run, *state, "%s %s --steps 7 --checkpoint @/c%zu", common,
                          cases[i].first, i);
        vdnn_test_expect(&run, 0, "");
        vdnn_test_run_free(&run);
        vdnn_test_program(&run, *state,
                          "%s %s --steps 13 --resume @/c%zu --save @/b --json @/b.json", common,
                          cases[i].second, i);
        vdnn_test_expect(&run, 0, "resumes from step 7");
        vdnn_test_run_free(&run);
        vdnn_test_expect_same_file(vdnn_test_path(*state, "a"), vdnn_test_path(*state, "b"));
        expect_same_results(*state, "a.json", "b.json");
    }
}

/* One step a run, so that every step is the first of one. */
TEST_IN_FOLDER(a_run_may_be_cut_after_every_step)
{
    write_network(*state);
    vdnn_test_run_to(*state, 0, "", NET "--steps 11 --save @/a --json @/a.json");
    for (int step = 1; step <= 11; step++) {
        vdnn_test_run run;
        char part[64];
        (void)snprintf(part, sizeof part,
                       step == 1 ? "starting from the beginning" : "resumes from step %d",
                       step - 1);
        vdnn_test_program(&run, *state,
                          NET "--steps %d --checkpoint @/c --keep 1 --resume auto --save @/b "
                              "--json @/b.json",
                          step);
        vdnn_test_expect(&run, 0, part);
        vdnn_test_run_free(&run);
        assert_int_equal(vdnn_test_folder_count(vdnn_test_path(*state, "c")), 2);
    }
    vdnn_test_expect_same_file(vdnn_test_path(*state, "a"), vdnn_test_path(*state, "b"));
    expect_same_results(*state, "a.json", "b.json");
}

/* A training that is over is not trained further: what comes behind it is done again. */
TEST_IN_FOLDER(going_on_at_the_end_trains_nothing)
{
    write_network(*state);
    vdnn_test_run_to(*state, 0, "", NET "--epochs 2 --checkpoint @/c --save @/a --json @/a.json");
    vdnn_test_run_to(*state, 0, "resumes from step 10",
                     NET "--epochs 2 --checkpoint @/c --resume auto --save @/b --json @/b.json");
    vdnn_test_expect_same_file(vdnn_test_path(*state, "a"), vdnn_test_path(*state, "b"));
    expect_same_results(*state, "a.json", "b.json");
    assert_true(exists(vdnn_test_path(*state, "c/step-00000005"))); /* by default, every epoch */
}

static json_t *algorithms_of(json_t *root, size_t layer)
{
    return json_object_get(json_array_get(json_object_get(root, "layers"), layer), "algorithms");
}

/* Without a profile in a file each run measures anew, and could find other algorithms faster. */
TEST_IN_FOLDER(the_algorithms_of_the_checkpoint_are_kept)
{
    write_network(*state);
    vdnn_test_run_to(
        *state, 0, "",
        "vdnnrun --model @/net.yaml --policy base --algo m --steps 3 --checkpoint @/c --json "
        "@/a.json");
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/net.yaml --steps 6 --resume @/c --json @/b.json");
    json_t *left = vdnn_test_json(vdnn_test_path(*state, "a.json"));
    json_t *right = vdnn_test_json(vdnn_test_path(*state, "b.json"));
    size_t count = json_array_size(json_object_get(left, "layers"));
    assert_true(count > 10);
    for (size_t l = 0; l < count; l++)
        assert_true(json_equal(algorithms_of(left, l), algorithms_of(right, l)));
    json_decref(left);
    json_decref(right);
    vdnn_test_run_to(
        *state, 0, "",
        "vdnnrun --model @/net.yaml --steps 6 --resume @/c --algos @/a.json --save @/b");
}

TEST_IN_FOLDER(algorithms_that_do_not_fit_any_more_are_a_warning)
{
    vdnn_test_run run;
    vdnn_test_network(*state);
    vdnn_test_program(&run, *state,
                      "vdnnrun --model @/net.yaml --batch 64 --profile @/p --policy all --algo m "
                      "--dry-run --json @/m.json");
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "m.json"));
    long long least =
        json_integer_value(json_object_get(json_object_get(root, "plan"), "smallest_bytes"));
    json_decref(root);
    vdnn_test_run_to(
        *state, 0, "",
        "vdnnrun --model @/net.yaml --batch 64 --profile @/p --policy base --algo p --steps 2 "
        "--checkpoint @/c");
    vdnn_test_program(&run, *state,
                      "vdnnrun --model @/net.yaml --batch 64 --profile @/p --policy all --algo m "
                      "--device-mem %lld --steps 4 --resume @/c",
                      least);
    vdnn_test_expect(&run, 0, "the budget is too small for them");
    assert_int_equal(vdnn_test_warnings(&run), 1);
    vdnn_test_run_free(&run);
    vdnn_test_run_without_warnings(
        *state, "vdnnrun --model @/net.yaml --batch 64 --profile @/p --policy all --algo m "
                "--steps 4 --resume @/c");
}

/* ---- what is refused, what is a warning -------------------------------------------------------
 */

TEST_IN_FOLDER(another_training_is_refused_with_all_that_differs)
{
    static const struct {
        const char *options, *part;
    } cases[] = {
        {"--batch 4", "batch: 8 there, 4 here (--batch)"},
        {"--accumulate 3", "micro-batches: nothing there, 3 here (--accumulate)"},
        {"--dtype bf16", "type: \"f32\" there, \"bf16\" here (--dtype)"},
        {"--seed 2", "seed: 1 there, 2 here (--seed)"},
        {"--optimizer adamw", "optimizer: \"sgd\" there, \"adamw\" here (--optimizer)"},
        {"--no-shuffle", "shuffled: true there, false here (--no-shuffle)"},
        {"--data synthetic", "samples in the data: 44 there, 1048576 here (--data)"},
        {"--data npy:@/other", "digest of some of the data"},
        {"--model @/wider.yaml", "layer fc3: \"fc(out=24,bias=1) from drop3\" there, "
                                 "\"fc(out=25,bias=1) from drop3\" here"},
        {"--model @/longer.yaml", "layers: 14 there, 15 here"},
        {"--model @/steady.yaml", "augmentation: {\"flip\": true, \"crop\": [2, 2]} there, "
                                  "{\"flip\": false, \"crop\": [2, 2]} here"},
        {"--model lenet", "input of the network: \"1 x 12 x 12\" there, \"1 x 28 x 28\" here"},
    };
    vdnn_test_run run;
    char *pixels;
    size_t count;
    write_network(*state);
    assert_int_equal(mkdir(vdnn_test_path(*state, "other"), 0700), 0);
    vdnn_test_images(vdnn_test_path(*state, "other"), 44);
    vdnn_test_read_file(vdnn_test_path(*state, "other/images.npy"), &pixels, &count);
    pixels[count - 1] ^= 1; /* of the last picture, one of those that are looked at or not */
    pixels[200] ^= 1;       /* of the first */
    vdnn_test_write_file(vdnn_test_path(*state, "other/images.npy"), pixels, count);
    free(pixels);
    write_variant(*state, "wider.yaml", "out: 24", "out: 25");
    write_variant(*state, "longer.yaml", "  - {name: loss",
                  "  - {name: more, type: relu}\n  - {name: loss");
    write_variant(*state, "steady.yaml", "flip: true, ", "");
    vdnn_test_run_to(*state, 0, "", NET "--steps 2 --checkpoint @/c");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_test_program(&run, *state, NET "--steps 4 --checkpoint @/c --resume auto %s",
                          cases[i].options);
        vdnn_test_expect(&run, 3, "belongs to another training");
        vdnn_test_expect(&run, 3, cases[i].part);
        vdnn_test_run_free(&run);
    }
    vdnn_test_run_to(*state, 3,
                     "batch: 8 there, 4 here (--batch)\n  type: \"f32\" there, \"bf16\" here",
                     NET "--steps 4 --resume @/c --batch 4 --dtype bf16");
    vdnn_test_run_to(*state, 0, "", NET "--steps 4 --checkpoint @/c --resume auto");
}

/* A manifest without one of its facts. */
static void forget_fact(const char *path, const char *key)
{
    char *bytes;
    size_t count;
    json_t *manifest = NULL;
    vdnn_text text = {0};
    vdnn_test_read_file(path, &bytes, &count);
    assert_ok(vdnn_manifest_parse(bytes, count, path, &manifest));
    assert_int_equal(json_object_del(manifest, key), 0);
    assert_int_equal(json_object_del(manifest, "xxh3_128"), 0);
    json_t *files = json_incref(json_object_get(manifest, "files"));
    assert_ok(vdnn_manifest_print(json_integer_value(json_object_get(manifest, "step")), manifest,
                                  files, &text));
    vdnn_test_write_file(path, text.data, text.length);
    vdnn_text_fini(&text);
    json_decref(files);
    json_decref(manifest);
    free(bytes);
}

/* As written before there were others. */
TEST_IN_FOLDER(a_checkpoint_that_names_no_optimizer_is_of_sgd)
{
    write_network(*state);
    vdnn_test_run_to(*state, 0, "", NET "--steps 2 --checkpoint @/c");
    forget_fact(vdnn_test_path(*state, "c/step-00000002/manifest.json"), "update_rule");
    vdnn_test_run_to(*state, 3, "optimizer: \"sgd\" there, \"adam\" here (--optimizer)",
                     NET "--steps 4 --resume @/c --optimizer adam");
    vdnn_test_run_without_warnings(*state, NET "--steps 4 --resume @/c");
}

TEST_IN_FOLDER(other_rates_and_machines_are_warnings)
{
    write_network(*state);
    vdnn_test_run_to(*state, 0, "", NET "--steps 2 --checkpoint @/c");
    vdnn_test_run_without_warnings(*state, NET "--steps 4 --resume @/c");
    vdnn_test_run_without_warnings(*state, NET "--steps 4 --resume @/c --policy all --lr 0.01");
    vdnn_test_run_to_warn(*state, "lr was 0.01", NET "--steps 4 --resume @/c --lr 0.5");
    vdnn_test_run_to(*state, 0, "", NET "--steps 2 --checkpoint @/a --optimizer adamw");
    write_variant(*state, "net.yaml", "momentum: 0.9, weight_decay: 0.0005",
                  "optimizer: adamw, weight_decay: 0.0005, betas: [0.9, 0.99]");
    vdnn_test_run_to_warn(*state, "betas was [0.9", NET "--steps 4 --resume @/a");
    write_network(*state);
    vdnn_test_run_to_warn(*state, "threads was 1, is 2 now: the last bits may differ",
                          NET "--steps 4 --resume @/c --threads 2 --profile @/two");
    write_variant(*state, "net.yaml", "schedule: {type: step, every: 0.5, factor: 0.9}",
                  "schedule: {type: cosine}");
    vdnn_test_run_to_warn(*state, "schedule was {\"type\": \"step\"", NET "--steps 4 --resume @/c");
    vdnn_test_run_without_warnings(*state, NET "--steps 2 --checkpoint @/d");
    vdnn_test_run_to_warn(*state, "\"steps\": 4} now: the training continues with it",
                          NET "--steps 4 --resume @/d"); /* a cosine knows where it ends */
}

TEST_IN_FOLDER(places_without_a_whole_checkpoint_exit_with_6)
{
    write_network(*state);
    vdnn_test_run_to(*state, 6, "none: cannot be read", NET "--steps 2 --resume @/none");
    assert_int_equal(mkdir(vdnn_test_path(*state, "empty"), 0700), 0);
    vdnn_test_run_to(*state, 6, "there is no checkpoint in it", NET "--steps 2 --resume @/empty");
    vdnn_test_run_to(*state, 0, "", NET "--steps 3 --checkpoint @/c --checkpoint-every 1");
    assert_int_equal(truncate(vdnn_test_path(*state, "c/step-00000003/momentum.safetensors"), 100),
                     0);
    vdnn_test_run_to(*state, 6, "momentum.safetensors: has 100 bytes instead of",
                     NET "--steps 4 --resume @/c");
    vdnn_test_run_to(*state, 6, "momentum.safetensors: has 100 bytes instead of",
                     NET "--steps 4 --resume @/c/step-00000003");
    vdnn_test_run_to(*state, 6, "cannot be created", NET "--steps 4 --checkpoint @/no/where");
    vdnn_test_run_to(*state, 6, "already holds checkpoints, up to step 2",
                     NET "--steps 4 --checkpoint @/c");
    assert_true(exists(vdnn_test_path(*state, "c/step-00000003/weights.safetensors")));
    vdnn_test_run_to(*state, 0, "step-00000003 is skipped, being incomplete",
                     NET "--steps 4 --checkpoint @/c --resume auto");
    vdnn_test_run_to(*state, 6, "remove what is newer",
                     NET "--steps 4 --checkpoint @/c --resume @/c/step-00000002");
    vdnn_test_run_to(*state, 0, "resumes from step 2",
                     NET "--steps 4 --checkpoint @/d --resume @/c/step-00000002");
    assert_true(exists(vdnn_test_path(*state, "d/step-00000004")));
}

/* ---- signals --------------------------------------------------------------------------------- */

static void pause_ms(long ms)
{
    const struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
    (void)nanosleep(&pause, NULL);
}

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The step of the newest checkpoint that has its manifest; 0: there is none. Others may vanish
 * while one looks. */
static long newest_step(const char *folder)
{
    char path[1024];
    long newest = 0;
    struct dirent *entry;
    DIR *open = opendir(folder);
    while (open != NULL && (entry = readdir(open)) != NULL) {
        long step =
            strncmp(entry->d_name, "step-", 5) == 0 ? strtol(entry->d_name + 5, NULL, 10) : 0;
        (void)snprintf(path, sizeof path, "%s/%s/manifest.json", folder, entry->d_name);
        if (step > newest && exists(path))
            newest = step;
    }
    if (open != NULL)
        (void)closedir(open);
    return newest;
}

/* Begins a training and waits until it has written a checkpoint. */
static void start_training(vdnn_test_run *run, const char *folder, const char *checkpoints,
                           const char *options)
{
    vdnn_test_start(run, folder, NET "--checkpoint @/%s --checkpoint-every 7 --json @/j %s",
                    checkpoints, options);
    const char *path = vdnn_test_path(folder, checkpoints);
    for (int i = 0; i < 6000 && newest_step(path) == 0; i++)
        pause_ms(10);
    assert_true(newest_step(path) > 0);
}

TEST_IN_FOLDER(a_signal_writes_a_checkpoint_and_says_how_to_go_on)
{
    static const struct {
        int first, second; /* 0: none */
        int code;
    } cases[] = {{SIGTERM, 0, 75}, {SIGUSR1, 0, 75}, {SIGUSR1, SIGTERM, 75}, {SIGINT, 0, 130}};
    write_network(*state);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const char words[] = "stopped on a signal after step ";
        vdnn_test_run run;
        char folder[32], path[80];
        (void)snprintf(folder, sizeof folder, "c%zu", i);
        start_training(&run, *state, folder, "--steps 100000000 --save @/s");
        assert_int_equal(kill(run.pid, cases[i].first), 0);
        if (cases[i].second != 0)
            assert_int_equal(kill(run.pid, cases[i].second), 0);
        vdnn_test_finish(&run);
        vdnn_test_expect(&run, cases[i].code, "ending after this step, with a checkpoint");
        vdnn_test_expect(&run, cases[i].code, "--resume auto resumes from it");
        const char *step = strstr(run.err, words);
        assert_non_null(step);
        long last = strtol(step + strlen(words), NULL, 10);
        (void)snprintf(path, sizeof path, "%s/step-%08ld/manifest.json", folder, last);
        assert_true(exists(vdnn_test_path(*state, path)));
        vdnn_test_run_free(&run);
        assert_false(exists(vdnn_test_path(*state, "j")) || exists(vdnn_test_path(*state, "s")));
        vdnn_test_program(&run, *state, NET "--steps 1 --resume @/%s", folder);
        (void)snprintf(path, sizeof path, "resumes from step %ld ", last);
        vdnn_test_expect(&run, 0, path);
        vdnn_test_run_free(&run);
    }
}

TEST_IN_FOLDER(a_second_ctrl_c_ends_at_once)
{
    vdnn_test_run run;
    write_network(*state);
    vdnn_test_start(&run, *state,
                    "vdnnrun --model vgg16 --batch 2 --policy base --algo m --steps 1000 "
                    "--checkpoint @/c");
    vdnn_test_wait_for(&run, "vgg16, batch 2");
    assert_int_equal(kill(run.pid, SIGINT), 0);
    vdnn_test_wait_for(&run, "ending after this step");
    assert_int_equal(kill(run.pid, SIGINT), 0);
    vdnn_test_finish(&run);
    assert_int_equal(run.code, 130);
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(two_runs_do_not_share_a_folder)
{
    vdnn_test_run run;
    write_network(*state);
    start_training(&run, *state, "c", "--steps 100000000");
    vdnn_test_run_to(*state, 6, "another run writes checkpoints there: process ",
                     NET "--steps 3 --checkpoint @/c --resume auto");
    assert_int_equal(kill(run.pid, SIGTERM), 0);
    vdnn_test_finish(&run);
    vdnn_test_expect(&run, 75, "");
    vdnn_test_run_free(&run);
}

/* ---- a disk that is full --------------------------------------------------------------------- */

/* From some moment on no file may be larger than half of the weights; what the run says, a line for
 * each checkpoint that it cannot write, is a tenth of that. */
TEST_IN_FOLDER(a_full_disk_keeps_the_old_ones_and_the_run_goes_on)
{
    const struct rlimit small = {500000, RLIM_INFINITY};
    vdnn_test_run run;
    write_network(*state);
    write_variant(*state, "net.yaml", "out: 24", "out: 400");
    start_training(&run, *state, "c", "--steps 500");
    assert_int_equal(prlimit(run.pid, RLIMIT_FSIZE, &small, NULL), 0);
    vdnn_test_finish(&run);
    vdnn_test_expect(&run, 6, "no checkpoint of step 500: ");
    vdnn_test_expect(&run, 6, "File too large; the training continues, the older ones stay");
    vdnn_test_expect(&run, 6, "the training is done, but its last checkpoint could not be written");
    assert_non_null(strstr(run.out, "500 steps"));
    vdnn_test_run_free(&run);
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "j"));
    assert_int_equal(json_array_size(json_object_get(root, "losses")), 500);
    json_decref(root);
    vdnn_test_run_to(*state, 0, "resumes from step ",
                     NET "--steps 500 --checkpoint @/c --resume auto --save @/b --json @/b.json");
    vdnn_test_run_to(*state, 0, "", NET "--steps 500 --save @/a --json @/a.json");
    vdnn_test_expect_same_file(vdnn_test_path(*state, "a"), vdnn_test_path(*state, "b"));
    expect_same_results(*state, "a.json", "b.json");
    expect_same_results(*state, "a.json", "j");
}

/* ---- kill -9 --------------------------------------------------------------------------------- */

/* How long the shortest of a few runs of one step takes: that much of each run trains nothing. */
static int64_t start_ms(const char *folder)
{
    int64_t shortest = INT64_MAX;
    for (int i = 0; i < 4; i++) { /* the first one measures the profile */
        int64_t begin = now_ms();
        vdnn_test_run_to(folder, 0, "", NET "--steps 1");
        int64_t took = now_ms() - begin;
        shortest = took < shortest ? took : shortest;
    }
    return shortest;
}

/* Most of the time of these runs goes into checkpoints, so that many kills hit one being written.
 * The kills to come share what is left to train, however fast the machine is just then; in the time
 * of a pause much less is trained than without checkpoints, and before the last one at most half.
 */
TEST_IN_FOLDER(a_run_that_is_killed_again_and_again_ends_with_the_same_bits)
{
    enum { STEPS = 20000, KILLS = 50 };
    vdnn_test_rng rng = {vdnn_test_seed()};
    vdnn_test_run run;
    int kills = vdnn_test_count(KILLS), done = 0, steps = STEPS * kills / KILLS, anew = 0, torn = 0;
    write_network(*state);
    write_variant(*state, "net.yaml", "schedule: {type: step, every: 0.5, factor: 0.9}",
                  "schedule: {type: cosine, floor: 0.01}");
    int64_t start = start_ms(*state), begin = now_ms();
    vdnn_test_program(&run, *state, NET "--steps %d --save @/a --json @/a.json", steps);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    int64_t training = now_ms() - begin;
    for (bool whole = false; !whole;) {
        vdnn_test_start(&run, *state,
                        NET "--steps %d --checkpoint @/c --checkpoint-every 5 --keep 2 --resume "
                            "auto --save @/b --json @/b.json",
                        steps);
        if (done < kills) {
            int64_t left = steps - newest_step(vdnn_test_path(*state, "c"));
            int64_t share = training * left / steps / (kills - done + 3);
            pause_ms((long)vdnn_test_between(&rng, 1, start + 2 * share + 1));
            (void)kill(run.pid, SIGKILL);
        }
        vdnn_test_finish(&run);
        whole = run.code == 0;
        assert_true(whole || run.code == 128 + SIGKILL);
        done += !whole;
        anew += strstr(run.err, "starting from the beginning") != NULL;
        torn += strstr(run.err, "is skipped") != NULL;
        vdnn_test_run_free(&run);
    }
    print_message("killed %d times, %d of them while writing; begun anew %d times\n", done, torn,
                  anew);
    assert_int_equal(done, kills);
    vdnn_test_expect_same_file(vdnn_test_path(*state, "a"), vdnn_test_path(*state, "b"));
    expect_same_results(*state, "a.json", "b.json");
    assert_int_equal(vdnn_test_folder_count(vdnn_test_path(*state, "c")), 3);
}

int main(void)
{
    vdnn_test_make_folders_in_memory();
    return vdnn_test_main(NULL, NULL);
}
