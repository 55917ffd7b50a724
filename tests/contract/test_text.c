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

/* Parts of other networks. */
#define READS "input: {tokens: 16, vocabulary: 100}\nbatch: 2\n"
#define LOOK_UP "layers:\n  - {name: a, type: embedding, out: 5}\n"
#define END(n) "  - {name: f, type: fc, out: " n "}\n  - {name: l, type: softmax_loss}\n"

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
        length += (size_t)snprintf(text + length, sizeof text - length, "%s", word);
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
        vdnn_test_run_to(*state, 0, "", command);
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

/* ---- evaluations ----------------------------------------------------------------------------- */

/* A number of JSON/NAME, or of an object in it. */
static double number_of(const char *folder, const char *name, const char *object, const char *key)
{
    json_t *json = vdnn_test_json(vdnn_test_path(folder, name));
    const json_t *at = object == NULL ? json : json_object_get(json, object);
    assert_true(json_is_number(json_object_get(at, key)));
    const double number = json_number_value(json_object_get(at, key));
    json_decref(json);
    return number;
}

/* The mean over `pairs` of -log of how often the second of a pair follows the first: what no table
 * of bigrams can be better than. */
static double entropy_of(const unsigned char *text, size_t pairs)
{
    static double after[256][256], all[256];
    double sum = 0;
    memset(after, 0, sizeof after);
    memset(all, 0, sizeof all);
    for (size_t i = 0; i < pairs; i++) {
        after[text[i]][text[i + 1]]++;
        all[text[i]]++;
    }
    for (int a = 0; a < 256; a++)
        for (int b = 0; b < 256; b++)
            if (after[a][b] > 0)
                sum -= after[a][b] * log(after[a][b] / all[a]);
    return sum / (double)pairs;
}

TEST_IN_FOLDER(bigrams_are_learned_down_to_their_entropy)
{
    char *text;
    size_t bytes;
    write_inputs(*state);
    vdnn_test_read_file(vdnn_test_path(*state, "text"), &text, &bytes);
    const double entropy = entropy_of((const unsigned char *)text, (bytes - 1) / 16 * 16);
    free(text);
    vdnn_test_run_to(*state, 0, "perplexity",
                     ON_TEXT "--test-data tokens:@/text --epochs 40 --eval-every 500 "
                             "--save @/weights --json @/run");
    const double loss = number_of(*state, "run", NULL, "test_loss");
    assert_true(loss > entropy && loss < entropy + 0.02);
    assert_true(fabs(number_of(*state, "run", NULL, "perplexity") - exp(loss)) < 1e-9);
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      ON_TEXT
                      "--test-data tokens:@/text --init @/weights --evaluate --json @/said");
    vdnn_test_expect(&run, 0, "");
    assert_non_null(strstr(run.out, "187 samples, 2992 labels that count: accuracy 0."));
    assert_non_null(strstr(run.out, ", perplexity "));
    assert_null(strstr(run.out, "recall")); /* 256 classes */
    vdnn_test_run_free(&run);
    assert_true(fabs(number_of(*state, "said", "evaluation", "loss") - loss) < 1e-5);
    assert_true(fabs(number_of(*state, "said", "evaluation", "perplexity") - exp(loss)) < 1e-4);
    assert_true(number_of(*state, "said", "evaluation", "accuracy") ==
                number_of(*state, "run", NULL, "test_accuracy"));
    vdnn_test_program(&run, *state, ON_TEXT "--init @/weights --evaluate --verbose");
    vdnn_test_expect(&run, 0, "");
    assert_non_null(strstr(run.out, "recall"));
    vdnn_test_run_free(&run);
}

/* Also where the test data end in the middle of a batch, in micro-batches and on several devices:
 * each of these sums its means in another way. */
TEST_IN_FOLDER(labels_that_do_not_count_are_in_no_mean)
{
    static const char *const ways[] = {"--policy base", "--policy all --accumulate 2",
                                       "--accumulate 3", "--devices 2"};
    char text[sizeof BIGRAMS + 16];
    const char *loss = strstr(BIGRAMS, "softmax_loss");
    write_inputs(*state);
    (void)snprintf(text, sizeof text, "%.*ssoftmax_loss, ignore: 32%s", (int)(loss - BIGRAMS),
                   BIGRAMS, loss + strlen("softmax_loss"));
    vdnn_test_write_below(*state, "blanks.yaml", text);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (int ignores = 0; ignores < 2; ignores++) {
            vdnn_test_run run;
            char common[256];
            (void)snprintf(common, sizeof common,
                           "vdnnrun --model @/%s --data tokens:@/text --test-data tokens:@/other",
                           ignores ? "blanks.yaml" : "net.yaml");
            vdnn_test_program(&run, *state, "%s --steps 20 --save @/w --json @/run %s", common,
                              ways[i]);
            vdnn_test_expect(&run, 0, "");
            vdnn_test_run_free(&run);
            vdnn_test_program(&run, *state, "%s --init @/w --evaluate --json @/said", common);
            vdnn_test_expect(&run, 0, "");
            vdnn_test_run_free(&run);
            assert_true(fabs(number_of(*state, "run", NULL, "test_loss") -
                             number_of(*state, "said", "evaluation", "loss")) < 1e-5);
            assert_true(fabs(number_of(*state, "run", NULL, "test_accuracy") -
                             number_of(*state, "said", "evaluation", "accuracy")) < 1e-9);
            const double labels = number_of(*state, "said", "evaluation", "labels");
            assert_true(ignores ? labels < 2992 && labels > 2000 : labels == 2992);
        }
}

/* Scores of samples that are more than are read at a time. */
TEST_IN_FOLDER(long_samples_of_many_tokens_are_scored_in_pieces)
{
    write_inputs(*state);
    vdnn_test_write_below(*state, "net.yaml",
                          "name: many\ninput: {tokens: 512, vocabulary: 3000}\nbatch: 4\nlayers:\n"
                          "  - {name: a, type: embedding, out: 5}\n" END("3000"));
    vdnn_test_run_to(*state, 0, "",
                     ON_TEXT "--test-data tokens:@/other --steps 2 --save @/w --json @/run");
    vdnn_test_run_to(*state, 0, "",
                     ON_TEXT "--test-data tokens:@/other --init @/w --evaluate --json @/said");
    assert_true(number_of(*state, "said", "evaluation", "labels") == 5 * 512);
    assert_true(fabs(number_of(*state, "run", NULL, "test_loss") -
                     number_of(*state, "said", "evaluation", "loss")) < 1e-5);
}

/* The accuracy says another step than the loss, at a rate at which a training does not settle. */
TEST_IN_FOLDER(the_best_checkpoint_of_a_sequence_has_the_lowest_loss)
{
    write_inputs(*state);
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      ON_TEXT "--lr 0.2 --steps 60 --eval-every 4 --keep-best --checkpoint @/c "
                              "--json @/run");
    vdnn_test_expect(&run, 0, "the best checkpoint, of step ");
    json_t *json = vdnn_test_json(vdnn_test_path(*state, "run")), *one;
    size_t i, best = 0, accurate = 0;
    double least = HUGE_VAL, most = 0;
    json_array_foreach(json_object_get(json, "evaluations"), i, one)
    {
        const double loss = json_number_value(json_object_get(one, "loss")),
                     accuracy = json_number_value(json_object_get(one, "accuracy"));
        best = loss < least ? i : best;
        accurate = accuracy > most ? i : accurate;
        least = fmin(least, loss);
        most = fmax(most, accuracy);
    }
    json_decref(json);
    assert_int_not_equal(best, accurate);
    char part[64];
    (void)snprintf(part, sizeof part, "the best checkpoint, of step %zu with", 4 * (best + 1));
    assert_non_null(strstr(run.err, part));
    vdnn_test_run_free(&run);
}

/* ---- sampling -------------------------------------------------------------------------------- */

/* Weights that know some bigrams. */
static void train(const char *folder)
{
    write_inputs(folder);
    vdnn_test_run_to(folder, 0, "", ON_TEXT "--epochs 8 --save @/weights");
}

#define SAMPLE NET "--init @/weights --generate "

/* Standard output of a run that ends well; freed by the caller. */
static char *said(const char *folder, const char *command)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder, "%s", command);
    vdnn_test_expect(&run, 0, "");
    char *text = strdup(run.out);
    vdnn_test_run_free(&run);
    assert_non_null(text);
    return text;
}

TEST_IN_FOLDER(the_same_text_is_sampled_under_every_policy)
{
    static const char *const ways[] = {"--policy base",
                                       "--policy all",
                                       "--policy conv",
                                       "--policy opt",
                                       "--rules paper --policy all",
                                       "--device-mem 300KiB"};
    train(*state);
    char *first = said(*state, SAMPLE "200 --seed 7 --prompt bud");
    assert_int_equal(strlen(first), 200);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char command[512];
        (void)snprintf(command, sizeof command, SAMPLE "200 --seed 7 --prompt bud %s", ways[i]);
        char *text = said(*state, command);
        assert_string_equal(text, first);
        free(text);
    }
    /* Several devices share the network's batch, and the first of them samples. */
    char *two = said(*state, SAMPLE "200 --seed 7 --prompt bud --launch 2"),
         *same = said(*state, SAMPLE "200 --seed 7 --prompt bud --devices 2");
    assert_string_equal(two, same);
    free(two);
    free(same);
    char *other = said(*state, SAMPLE "200 --seed 8 --prompt bud");
    assert_string_not_equal(other, first);
    free(other);
    free(first);
}

/* Reads all tokens up to a position, and looks up which one that is. */
#define CAUSAL                                                                                     \
    "name: causal\ninput: {tokens: 16, vocabulary: 256}\nbatch: 8\nlayers:\n"                      \
    "  - {name: words, type: embedding, out: 24}\n"                                                \
    "  - {name: fc1, type: fc, out: 72}\n"                                                         \
    "  - {name: mix, type: attention, heads: 2, causal: true}\n"                                   \
    "  - {name: sum, type: add, from: [mix, words]}\n"                                             \
    "  - {name: fc2, type: fc, out: 256}\n"                                                        \
    "  - {name: loss, type: softmax_loss}\n"                                                       \
    "training: {optimizer: adam, lr: 0.01, epochs: 8}\n"

enum { T = 16, SAMPLED = 40 };

/* FOLDER/tokens.npy: the windows that tokens were sampled by, filled up with zeros. */
static void write_windows(const char *folder, const char *all, int prompt)
{
    static const char head[] = "{'descr': '<i4', 'fortran_order': False, 'shape': (40, 16)} \n";
    static int32_t windows[SAMPLED][T];
    char file[10 + sizeof head - 1 + sizeof windows] = "\x93NUMPY\x01";
    memset(windows, 0, sizeof windows);
    for (int i = 0; i < SAMPLED; i++) {
        const int end = prompt + i, begin = end > T ? end - T : 0;
        for (int t = begin; t < end; t++)
            windows[i][t - begin] = (unsigned char)all[t];
    }
    file[8] = (char)(sizeof head - 1);
    memcpy(file + 10, head, sizeof head - 1);
    memcpy(file + 10 + sizeof head - 1, windows, sizeof windows);
    vdnn_test_write_file(vdnn_test_path(folder, "tokens.npy"), file, sizeof file);
}

/* The last window ends with the text: what the one before it has, too, is predicted twice. */
TEST_IN_FOLDER(a_text_is_predicted_window_by_window)
{
    enum { WINDOWS = 3, OF_WINDOW = T * 256, LAST = 5, BYTES = (WINDOWS - 1) * T + LAST };
    char *text, *array, *shifted;
    size_t bytes, others;
    write_inputs(*state);
    vdnn_test_write_below(*state, "net.yaml", CAUSAL);
    vdnn_test_read_file(vdnn_test_path(*state, "text"), &text, &bytes);
    vdnn_test_write_file(vdnn_test_path(*state, "part"), text, BYTES);
    vdnn_test_write_file(vdnn_test_path(*state, "end"), text + BYTES - T, T);
    free(text);
    vdnn_test_run_to(*state, 0, "p.npy has 3 predictions", NET "--predict @/part --out @/p.npy");
    vdnn_test_run_to(*state, 0, "q.npy has 1 prediction", NET "--predict @/end --out @/q.npy");
    vdnn_test_read_file(vdnn_test_path(*state, "p.npy"), &array, &bytes);
    vdnn_test_read_file(vdnn_test_path(*state, "q.npy"), &shifted, &others);
    const size_t window = OF_WINDOW * sizeof(float);
    assert_true(bytes > WINDOWS * window && others > window);
    assert_memory_equal(array + bytes - window, shifted + others - window, window);
    free(array);
    free(shifted);
}

/* Without a temperature each token is the most probable one after the last tokens before it, by
 * predictions of these windows. */
TEST_IN_FOLDER(the_most_probable_token_follows)
{
    static float p[SAMPLED][T][256];
    char *array, all[1 + SAMPLED + 1] = "m";
    size_t bytes;
    write_inputs(*state);
    vdnn_test_write_below(*state, "net.yaml", CAUSAL);
    vdnn_test_run_to(*state, 0, "", ON_TEXT "--save @/weights");
    char *text = said(*state, SAMPLE "40 --temperature 0 --prompt m");
    assert_int_equal(strlen(text), SAMPLED);
    memcpy(all + 1, text, SAMPLED);
    free(text);
    write_windows(*state, all, 1);
    vdnn_test_run_to(*state, 0, "", NET "--init @/weights --predict @/tokens.npy --out @/p.npy");
    vdnn_test_read_file(vdnn_test_path(*state, "p.npy"), &array, &bytes);
    memcpy(p, array + bytes - sizeof p, sizeof p);
    free(array);
    for (int i = 0; i < SAMPLED; i++) {
        const float *row = p[i][i < T ? i : T - 1];
        int best = 0;
        for (int c = 1; c < 256; c++)
            best = row[c] > row[best] ? c : best;
        assert_int_equal((unsigned char)all[1 + i], best);
    }
    char *longer = said(*state, SAMPLE "40 --seed 3 --prompt plan_copy_the_last_16_tokens"),
         *same = said(*state, SAMPLE "40 --seed 3 --prompt the_last_16_tokens");
    assert_string_equal(longer, same);
    free(longer);
    free(same);
}

/* Also tokens that are no characters: a high temperature draws all bytes. */
TEST_IN_FOLDER(json_has_the_tokens_and_their_text)
{
    train(*state);
    vdnn_test_run_to(*state, 0, "", SAMPLE "300 --temperature 50 --json @/said --prompt map");
    json_t *json = vdnn_test_json(vdnn_test_path(*state, "said"));
    const json_t *generation = json_object_get(json, "generation");
    assert_int_equal(json_array_size(json_object_get(generation, "tokens")), 300);
    assert_int_equal(json_array_size(json_object_get(generation, "prompt")), 3);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(generation, "prompt"), 1)),
                     'a');
    assert_non_null(strstr(json_string_value(json_object_get(generation, "text")), "\xef\xbf\xbd"));
    json_decref(json);
    char *only = said(*state, SAMPLE "5 --json -");
    assert_int_equal(only[0], '{');
    free(only);
}

/* More tokens than bytes, and no tokenizer. */
TEST_IN_FOLDER(tokens_without_a_text_are_numbers)
{
    vdnn_test_write_below(*state, "net.yaml",
                          "name: numbers\ninput: {tokens: 4, vocabulary: 300}\nbatch: 2\nlayers:\n"
                          "  - {name: words, type: embedding, out: 300}\n"
                          "  - {name: loss, type: softmax_loss}\n");
    char *text = said(*state, NET "--generate 3 --prompt 299");
    int numbers[3], end = 0;
    assert_int_equal(sscanf(text, "%d %d %d %n", &numbers[0], &numbers[1], &numbers[2], &end), 3);
    assert_int_equal(end, strlen(text));
    free(text);
}

TEST_IN_FOLDER(what_cannot_be_sampled_is_refused)
{
    static const vdnn_test_bad_case cases[] = {
        {3, NET "--predict @/net.yaml/.. --out @/p.npy", "net.yaml/..", "Not a directory"},
        {3, NET "--predict @ --out @/p.npy", "is not a regular file", ""},
        {3, NET "--predict @/short --out @/p.npy", "short: has 3 tokens; expected at least 16",
         "a sample of the network"},
        {3, "vdnnrun --model lenet --generate 3", "network lenet says of no token", "expected one"},
        {3, "vdnnrun --model @/bag.yaml --generate 3", "network bag says of no token",
         "with a label for each of them"},
        {3, "vdnnrun --model @/small.yaml --generate 3 --prompt map",
         "--prompt: byte 0 of the text", "is 109, but the network's vocabulary has 0 to 99"},
        {3, "vdnnrun --model @/large.yaml --generate 3 --prompt map",
         "--prompt: \"map\" is no token", "its vocabulary has the numbers 0 to 299"},
        {3, "vdnnrun --model @/large.yaml --generate 3 --prompt 300", "\"300\" is no token",
         "0 to 299"},
        {2, NET "--generate 0", "--generate", "the least is 1"},
        {2, NET "--generate 3 --top 257", "--top 257", "has 256 classes"},
        {2, NET "--generate 3 --steps 5", "--steps: nothing is trained", "--generate"},
        {2, NET "--prompt A", "--prompt", "--generate N samples N tokens"},
        {2, NET "--generate 3 --device sim:h100", "--generate", "only simulates time"},
    };
    write_inputs(*state);
    vdnn_test_write_below(*state, "short", "abc");
    vdnn_test_write_below(*state, "bag.yaml",
                          "name: bag\n" READS LOOK_UP
                          "  - {name: m, type: global_avgpool}\n" END("100"));
    vdnn_test_write_below(*state, "small.yaml", "name: small\n" READS LOOK_UP END("100"));
    vdnn_test_write_below(
        *state, "large.yaml",
        "name: large\ninput: {tokens: 4, vocabulary: 300}\nbatch: 2\n" LOOK_UP END("300"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_test_run run;
        vdnn_test_program(&run, *state, "%s", cases[i].line);
        vdnn_test_expect(&run, cases[i].code, cases[i].place);
        assert_non_null(strstr(run.err, cases[i].expected));
        vdnn_test_run_free(&run);
    }
}

/* ---- the same text --------------------------------------------------------------------------- */

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
