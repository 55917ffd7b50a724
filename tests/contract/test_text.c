/* Networks that are trained on text: from the program's side. */

#include "tests/support/bad_case.h"
#include "tests/support/run_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The next token by the one before it alone. */
#define BIGRAMS                                                                                    \
    "name: bigrams\ninput: {tokens: 16, vocabulary: 256}\nbatch: 8\nlayers:\n"                     \
    "  - {name: words, type: embedding, out: 24}\n"                                                \
    "  - {name: fc1, type: fc, out: 32}\n"                                                         \
    "  - {name: relu1, type: relu}\n"                                                              \
    "  - {name: fc2, type: fc, out: 256}\n"                                                        \
    "  - {name: loss, type: softmax_loss}\n"                                                       \
    "training: {optimizer: adam, lr: 0.01, epochs: 1}\n"

enum { TEXT_BYTES = 3000 };

/* Words out of a few, so that something can be learned. */
static void write_text(const char *folder, const char *name, uint32_t seed)
{
    static const char *const words[] = {"step ", "map ", "copy ", "budget ", "layer\n", "plan "};
    char text[TEXT_BYTES + 16];
    size_t length = 0;
    while (length < TEXT_BYTES) {
        seed = seed * 1664525 + 1013904223;
        const char *word = words[(seed >> 24) % (sizeof words / sizeof *words)];
        memcpy(text + length, word, strlen(word));
        length += strlen(word);
    }
    vdnn_test_write_file(vdnn_test_path(folder, name), text, TEXT_BYTES);
}

static void write_inputs(const char *folder)
{
    vdnn_test_write_below(folder, "net.yaml", BIGRAMS);
    write_text(folder, "text", 1);
    write_text(folder, "other", 2);
}

#define NET "vdnnrun --model @/net.yaml --profile @/profile "
#define ON_TEXT NET "--data tokens:@/text "

/* An epoch has 21 steps. */
TEST_IN_FOLDER(a_training_that_resumes_in_the_middle_of_an_epoch_has_the_same_bits)
{
    static const char *const ways[] = {"--policy base", "--policy all", "--accumulate 2",
                                       "--devices 2", "--launch 2"};
    write_inputs(*state);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char command[512];
        (void)snprintf(command, sizeof command, ON_TEXT "--steps 50 --save @/whole%zu %s", i,
                       ways[i]);
        vdnn_test_run_to(*state, 0, "testing", command);
        (void)snprintf(command, sizeof command, ON_TEXT "--steps 31 --checkpoint @/c%zu %s", i,
                       ways[i]);
        vdnn_test_run_to(*state, 0, "", command);
        (void)snprintf(command, sizeof command,
                       ON_TEXT "--steps 50 --checkpoint @/c%zu --resume auto --save @/part %s", i,
                       ways[i]);
        vdnn_test_run_to(*state, 0, "resumes from step 31", command);
        char whole[16];
        (void)snprintf(whole, sizeof whole, "whole%zu", i);
        vdnn_test_same_files(*state, whole, "part");
    }
    vdnn_test_same_files(*state, "whole0", "whole1");
    vdnn_test_same_files(*state, "whole3", "whole4");
}

static double first_loss(const char *folder, const char *name)
{
    json_t *json = vdnn_test_json(vdnn_test_path(folder, name));
    const double loss = json_number_value(json_array_get(json_object_get(json, "losses"), 0));
    json_decref(json);
    return loss;
}

/* Of the same samples, but for the order of its sum. */
TEST_IN_FOLDER(devices_share_the_windows_of_a_batch)
{
    write_inputs(*state);
    vdnn_test_run_to(*state, 0, "", ON_TEXT "--steps 1 --json @/one");
    vdnn_test_run_to(*state, 0, "", ON_TEXT "--steps 1 --devices 2 --json @/two");
    vdnn_test_run_to(*state, 0, "", ON_TEXT "--steps 1 --seed 5 --json @/other");
    const double one = first_loss(*state, "one");
    assert_true(fabs(one - first_loss(*state, "two")) < 1e-5);
    assert_true(fabs(one - first_loss(*state, "other")) > 1e-5);
}

/* Without shuffling the windows are in the order of the text, so that those of an array are the
 * same. */
TEST_IN_FOLDER(numbers_of_two_bytes_are_the_same_text)
{
    char *text;
    size_t bytes;
    write_inputs(*state);
    vdnn_test_read_file(vdnn_test_path(*state, "text"), &text, &bytes);
    char *wide = calloc(bytes, 2);
    assert_non_null(wide);
    for (size_t i = 0; i < bytes; i++)
        wide[2 * i] = text[i];
    vdnn_test_write_file(vdnn_test_path(*state, "wide"), wide, 2 * bytes);
    free(wide);
    free(text);
    vdnn_test_run_to(*state, 0, "", ON_TEXT "--steps 30 --save @/narrow.weights");
    vdnn_test_run_to(*state, 0, "", NET "--data tokens16:@/wide --steps 30 --save @/wide.weights");
    vdnn_test_same_files(*state, "narrow.weights", "wide.weights");
}

TEST_IN_FOLDER(texts_and_networks_that_do_not_match_are_refused)
{
    static const vdnn_test_bad_case cases[] = {
        {3, ON_TEXT "--test-data tokens:@/short", "short: has 16 tokens",
         "expected at least 17, a sample of the network and the token after it"},
        {3, NET "--data tokens:@/short", "short: its first nine tenths have 15 tokens",
         "expected at least 17"},
        {3, NET "--data tokens:@/odd", "odd: its last tenth", "has 4 tokens"},
        {3, NET "--data tokens16:@/odd", "odd: has 41 bytes", "no whole tokens of 2"},
        {3, "vdnnrun --model @/small.yaml --data tokens:@/text --steps 2",
         "text: the token at byte", "but the network's vocabulary has 0 to 99"},
        {3, "vdnnrun --model @/bag.yaml --data tokens:@/text", "tokens:", "one label a sample"},
        {3, "vdnnrun --model @/less.yaml --data tokens:@/text",
         "tokens:", "the network has 99 classes and a vocabulary of 100"},
        {3, "vdnnrun --model lenet --data tokens:@/text", "tokens has text",
         "the network's input is pictures"},
        {3, NET "--data tokens:@/nowhere", "nowhere", "opened"},
        {2, NET "--data tokens", "has no path", "expected tokens:FILE"},
        {2, NET "--data token:@/text", "is not a kind", "did you mean tokens?"},
    };
#define READS "input: {tokens: 16, vocabulary: 100}\nbatch: 2\n"
#define LOOK_UP "layers:\n  - {name: a, type: embedding, out: 5}\n"
#define END(n) "  - {name: f, type: fc, out: " n "}\n  - {name: l, type: softmax_loss}\n"
    write_inputs(*state);
    vdnn_test_write_below(*state, "small.yaml", "name: small\n" READS LOOK_UP END("100"));
    vdnn_test_write_below(*state, "less.yaml", "name: less\nclasses: 99\n" READS LOOK_UP END("99"));
    vdnn_test_write_below(*state, "bag.yaml",
                          "name: bag\n" READS LOOK_UP
                          "  - {name: m, type: global_avgpool}\n" END("100"));
    vdnn_test_write_below(*state, "short", "sixteen letters.");
    vdnn_test_write_below(*state, "odd", "a text of forty-one bytes, without an end");
    vdnn_test_expect_refused(*state, cases, sizeof cases / sizeof *cases);
}
