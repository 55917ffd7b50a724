#include "tests/support/bad_case.h"
#include "tests/support/run_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A network with several inputs as users meet it: its file, its data, the same bits under every
 * policy, checkpoints, reports, and what is refused. */

#define CHECK(cases) vdnn_test_expect_refused(*state, cases, sizeof(cases) / sizeof((cases)[0]))

#define IMAGE "  image: {channels: 1, height: 12, width: 12, mean: 0.1, std: 0.5}\n"
#define WORDS "  words: {tokens: 6, vocabulary: 20}\n"
#define SIZES "classes: 10\nbatch: 8\nlayers:\n"
#define SEEN                                                                                       \
    "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1}\n"                                   \
    "  - {name: relu1, type: relu}\n"                                                              \
    "  - {name: conv2, type: conv, out: 8, kernel: 3, pad: 1}\n"                                   \
    "  - {name: relu2, type: relu}\n"                                                              \
    "  - {name: pool, type: maxpool, kernel: 2}\n"                                                 \
    "  - {name: fc1, type: fc, out: 16}\n"
#define READ                                                                                       \
    "  - {name: word, type: embedding, out: 8, from: words}\n"                                     \
    "  - {name: relu3, type: relu}\n"                                                              \
    "  - {name: line, type: flatten}\n"
#define JOIN                                                                                       \
    "  - {name: join, type: concat, from: [fc1, line]}\n"                                          \
    "  - {name: fc2, type: fc, out: 10}\n"
#define LOSS "  - {name: loss, type: softmax_loss}\n"
#define TRAINING "training: {lr: 0.02, momentum: 0.9, epochs: 2, augment: {flip: true, crop: 1}}\n"

static const char pair[] = "name: pair\ninputs:\n" IMAGE WORDS SIZES SEEN READ JOIN LOSS TRAINING;

enum { SAMPLES = 44 }; /* five batches and four samples */

static void write_pair(const char *folder)
{
    vdnn_test_write_below(folder, "pair.yaml", pair);
    vdnn_test_image_and_words(folder, SAMPLES);
}

static void run_to(const char *folder, const char *line, const char *options)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder, "%s %s", line, options);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
}

/* Losses, accuracy and weights of two runs. */
static void expect_same(const char *folder, const char *a, const char *b)
{
    char path[2][64];
    json_t *results[2];
    char *weights[2];
    size_t counts[2];
    for (int i = 0; i < 2; i++) {
        (void)snprintf(path[i], sizeof path[i], "%s.json", i == 0 ? a : b);
        results[i] = vdnn_test_json(vdnn_test_path(folder, path[i]));
        vdnn_test_read_file(vdnn_test_path(folder, i == 0 ? a : b), &weights[i], &counts[i]);
    }
    assert_true(json_array_size(json_object_get(results[0], "losses")) > 0);
    assert_true(
        json_equal(json_object_get(results[0], "losses"), json_object_get(results[1], "losses")));
    assert_true(json_real_value(json_object_get(results[0], "test_accuracy")) > 0);
    assert_true(json_equal(json_object_get(results[0], "test_accuracy"),
                           json_object_get(results[1], "test_accuracy")));
    assert_int_equal(counts[0], counts[1]);
    assert_memory_equal(weights[0], weights[1], counts[0]);
    for (int i = 0; i < 2; i++) {
        json_decref(results[i]);
        free(weights[i]);
    }
}

#define NET "vdnnrun --model @/pair.yaml --data npy:@ --test-data npy:@ --profile @/profile "

TEST_IN_FOLDER(every_policy_gives_the_same_bits)
{
    static const char *const ways[] = {
        "--policy all",          "--policy conv --verify",
        "--policy dyn",          "--policy all --rules paper",
        "--policy all --disk @",
    };
    write_pair(*state);
    run_to(*state, NET "--policy base --algo m --json @/base.json --save @/base", "");
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        run_to(*state, NET "--algos @/base.json --json @/other.json --save @/other", ways[i]);
        expect_same(*state, "base", "other");
    }
    run_to(*state, NET "--accumulate 3 --policy base --algo m --json @/base.json --save @/base",
           "");
    run_to(*state, NET "--accumulate 3 --algos @/base.json --json @/other.json --save @/other",
           "--policy all");
    expect_same(*state, "base", "other");
}

TEST_IN_FOLDER(a_run_that_resumes_has_the_bits_of_an_undisturbed_one)
{
    write_pair(*state);
    run_to(*state, NET "--steps 9 --json @/base.json --save @/base", "");
    run_to(*state, NET "--steps 4 --checkpoint @/c", "");
    run_to(*state,
           NET "--steps 9 --checkpoint @/c --resume auto --json @/other.json --save @/other", "");
    expect_same(*state, "base", "other");
    char text[sizeof pair + 16];
    const char *at = strstr(pair, "vocabulary: 20");
    (void)snprintf(text, sizeof text, "%.*svocabulary: 21%s", (int)(at - pair), pair,
                   at + strlen("vocabulary: 20"));
    vdnn_test_write_below(*state, "other.yaml", text);
    vdnn_test_run_to(*state, 3, "6 tokens of 21",
                     "vdnnrun --model @/other.yaml --data npy:@ --checkpoint @/c --resume auto");
}

TEST_IN_FOLDER(plans_and_reports_name_each_input)
{
    write_pair(*state);
    vdnn_test_run run;
    vdnn_test_program(&run, *state, NET "--print-plan --dry-run");
    vdnn_test_expect(&run, 0, "");
    static const char *const parts[] = {"load [image]", "load [words]", "load [labels]",
                                        "input image ", "input words "};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        assert_non_null(strstr(run.out, parts[i]));
    vdnn_test_run_free(&run);
    run_to(*state,
           "vdnnreport --model @/pair.yaml --device sim:h100 --json @/report.json --html "
           "@/report.html",
           "");
    run_to(*state, "vdnnrun --model @/pair.yaml --device sim:h100 --dry-run --explain", "");
    run_to(*state, NET "--steps 2 --trace @/trace.json", "");
    run_to(*state, "vdnnrun --model @/pair.yaml --device sim:h100 --steps 2", "");
    run_to(*state, "vdnnrun --model @/pair.yaml --steps 3 --data synthetic:5 --profile @/profile",
           "");
}

/* ---- what is refused ------------------------------------------------------------------------- */

TEST_IN_FOLDER(data_without_every_input_is_refused)
{
    static const vdnn_test_bad_case cases[] = {
        {3, "vdnnrun --model @/pair.yaml --data idx:@", "idx has pictures and labels alone",
         "the network has 2 inputs; expected npy:DIR, with a NAME.npy for each, or synthetic"},
        {3, "vdnnrun --model @/pair.yaml --data images:@", "images has pictures and labels alone",
         "the network has 2 inputs"},
        {3, "vdnnrun --model @/other.yaml --data npy:@", "text.npy", "opened"},
        {3, "vdnnrun --model @/pair.yaml --data npy:@/less", "less/words.npy",
         "has 7 samples, but "},
        {3, "vdnnrun --model @/long.yaml --data npy:@", "samples have 6 tokens",
         "the network's input 'words' has 7"},
        {3, "vdnnrun --model @/small.yaml --data npy:@ --steps 6", "words.npy",
         "but the network's vocabulary has 0 to 4"},
        {3, "vdnnrun --model @/swapped.yaml --data npy:@", "words.npy",
         "has elements of type '<i4', expected '<f4'"},
        {3, "vdnnrun --model @/answers.yaml --data npy:@", "answers.npy", "opened"},
    };
    static const struct {
        const char *name, *inputs, *read, *loss;
    } networks[] = {
        {"pair.yaml", IMAGE WORDS, READ, LOSS},
        {"other.yaml", IMAGE "  text: {tokens: 6, vocabulary: 20}\n",
         "  - {name: word, type: embedding, out: 8, from: text}\n  - {name: line, type: flatten}\n",
         LOSS},
        {"long.yaml", IMAGE "  words: {tokens: 7, vocabulary: 20}\n", READ, LOSS},
        {"small.yaml", IMAGE "  words: {tokens: 6, vocabulary: 5}\n", READ, LOSS},
        {"swapped.yaml", IMAGE "  words: {channels: 1, height: 2, width: 3}\n",
         "  - {name: line, type: fc, out: 2, from: words}\n", LOSS},
        {"answers.yaml", IMAGE WORDS, READ,
         "  - {name: loss, type: softmax_loss, labels: answers}\n"},
    };
    char less[512];
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++) {
        char text[2048];
        (void)snprintf(text, sizeof text, "name: p\ninputs:\n%s" SIZES SEEN "%s" JOIN "%s",
                       networks[i].inputs, networks[i].read, networks[i].loss);
        vdnn_test_write_below(*state, networks[i].name, text);
    }
    vdnn_test_make_below(*state, "less");
    (void)snprintf(less, sizeof less, "%s", vdnn_test_path(*state, "less"));
    vdnn_test_image_and_words(less, 7);
    vdnn_test_image_and_words(*state, SAMPLES);
    (void)snprintf(less, sizeof less, "%s", vdnn_test_path(*state, "image.npy"));
    vdnn_test_run copy;
    vdnn_test_program(&copy, *state, "/bin/cp %s @/less/image.npy", less);
    vdnn_test_expect(&copy, 0, "");
    vdnn_test_run_free(&copy);
    CHECK(cases);
}

TEST_IN_FOLDER(networks_whose_inputs_do_not_fit_are_refused)
{
#define OF(inputs, rest) "name: n\n" inputs SIZES rest
#define TWO "inputs:\n" IMAGE WORDS
#define PAIRS "inputs: {a: {tokens: 4, vocabulary: 9}, b: {tokens: 5, vocabulary: 9}}\n"
#define LOOKED_UP                                                                                  \
    "  - {name: e, type: embedding, out: 10}\n  - {name: f, type: embedding, out: 10, from: b}\n"
#define MEAN "  - {name: m, type: global_avgpool, from: f}\n"
    static const struct {
        const char *text, *place, *expected;
    } cases[] = {
        {OF(TWO, SEEN "  - {name: fc2, type: fc, out: 10}\n" LOSS),
         "net.yaml:4: ", "no layer reads the input 'words'; add one that does (`from: words`)"},
        {OF("inputs:\n" WORDS WORDS, READ LOSS),
         "net.yaml:4: ", "a second input is named 'words'; the first is in line 3"},
        {OF(TWO, "  - {name: words, type: relu}\n" LOSS),
         "net.yaml:8: ", "a layer is named 'words', which is the name of the input in line 4"},
        {OF(TWO "input: {channels: 1, height: 12, width: 12}\n", SEEN READ JOIN LOSS),
         "net.yaml:", "both input and inputs, expected one of them"},
        {OF("inputs: {}\n", SEEN LOSS),
         "net.yaml:2: ", "inputs is empty, expected a mapping of names to inputs"},
        {OF("inputs: [image]\n", SEEN LOSS),
         "net.yaml:2: ", "inputs is a list, expected a mapping"},
        {OF("inputs: {image: 3}\n", SEEN LOSS), "net.yaml:2: ", "input 'image' is '3'"},
        {OF("inputs: {a/b: {tokens: 1, vocabulary: 2}}\n", SEEN LOSS),
         "net.yaml:2: ", "name 'a/b' has a control character or one of"},
        {OF("inputs: {image: {channels: 1, height: 12}}\n", SEEN LOSS),
         "net.yaml:2: ", "input 'image' has no key 'width', which it must have"},
        {OF("inputs: {image: {channels: 1, height: 12, width: 12, mean: [1, 2]}}\n", SEEN LOSS),
         "net.yaml:2: ", "mean of input 'image' has 2 numbers"},
        {OF(TWO, SEEN "  - {name: word, type: embedding, out: 8, from: word}\n" LOSS),
         "net.yaml:14", "form a cycle"},
        {OF(TWO, SEEN "  - {name: word, type: embedding, out: 8, from: input}\n" LOSS),
         "net.yaml:14: layer 'word' reads 'input', but no layer has this name", ""},
        {OF(TWO, SEEN READ JOIN "  - {name: loss, type: softmax_loss, labels: words}\n"),
         "net.yaml:19: ", "are called 'words', which is the name of an input"},
        {OF("inputs:\n" WORDS "  labels: {tokens: 2, vocabulary: 3}\n",
            READ "  - {name: fc2, type: fc, out: 10}\n"
                 "  - {name: other, type: embedding, out: 10, from: labels}\n"
                 "  - {name: mean, type: global_avgpool}\n"
                 "  - {name: sum, type: add, from: [fc2, mean]}\n" LOSS),
         "are called 'labels', which is the name of an input", "`labels: NAME`"},
        {OF(TWO, SEEN READ "  - {name: join, type: concat, from: [fc1, line], labels: a}\n" LOSS),
         "concat layer 'join' names labels", "which only a loss reads"},
        {OF("inputs: {a: {tokens: 4, vocabulary: 9}}\n",
            "  - {name: e, type: embedding, out: 10}\n  - {name: p, type: maxpool, kernel: "
            "1}\n" LOSS),
         "maxpool layer 'p' reads 'e'", "which is a sequence"},
        {OF(PAIRS, LOOKED_UP "  - {name: j, type: concat, from: [e, f]}\n" LOSS),
         "concat layer 'j': ", "input 2 has 5 positions but the first has 4"},
        {OF(PAIRS, LOOKED_UP MEAN "  - {name: j, type: concat, from: [e, m]}\n" LOSS),
         "concat layer 'j': ", "input 2 is no sequence but the first is"},
        {OF(PAIRS, LOOKED_UP MEAN "  - {name: j, type: concat, from: [m, e]}\n" LOSS),
         "concat layer 'j': ", "input 2 is a sequence but the first is none"},
        {OF(TWO, SEEN READ JOIN LOSS) "training: {augment: {crop: 12}}\n", "net.yaml:", "crop"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        vdnn_test_run run;
        vdnn_test_write_below(*state, "net.yaml", cases[i].text);
        vdnn_test_program(&run, *state, "vdnnrun --model @/net.yaml --dry-run");
        vdnn_test_expect(&run, 3, cases[i].place);
        assert_non_null(strstr(run.err, cases[i].expected));
        vdnn_test_run_free(&run);
    }
}

TEST_IN_FOLDER(no_more_inputs_than_the_limit_are_read)
{
    enum { LIMIT = 15 };
    for (int count = LIMIT; count <= LIMIT + 1; count++) {
        char text[4096] = "name: many\ninputs:\n", list[256] = "";
        size_t at = strlen(text);
        for (int i = 0; i < count; i++) {
            at += (size_t)snprintf(text + at, sizeof text - at,
                                   "  i%d: {channels: 1, height: 2, width: 2}\n", i);
            (void)snprintf(list + strlen(list), sizeof list - strlen(list), "%si%d",
                           i == 0 ? "" : ", ", i);
        }
        (void)snprintf(text + at, sizeof text - at,
                       "classes: 2\nbatch: 2\nlayers:\n  - {name: sum, type: add, from: [%s]}\n"
                       "  - {name: fc, type: fc, out: 2}\n" LOSS,
                       list);
        vdnn_test_write_below(*state, "many.yaml", text);
        vdnn_test_run_to(*state, count > LIMIT ? 3 : 0,
                         count > LIMIT ? "many.yaml:18: more than 15 inputs" : "",
                         "vdnnrun --model @/many.yaml --steps 2");
    }
}
