/* Text as one sequence of tokens: its windows, where they begin, and what is refused. */

#include "runtime/data/loader.h"
#include "tests/support/datasets.h"
#include "tests/support/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 4, VOCABULARY = 300, MOST = 4096 };

/* For FOLDER/NAME as such a kind; overwritten by the next call. */
static vdnn_dataset_request text_in(const char *folder, const char *kind, const char *name)
{
    static char spec[1024];
    (void)snprintf(spec, sizeof spec, "%s:%s", kind, vdnn_test_path(folder, name));
    return (vdnn_dataset_request){.spec = spec,
                                  .inputs = {{.tokens = WINDOW, .vocabulary = VOCABULARY}},
                                  .input_count = 1,
                                  .classes = VOCABULARY,
                                  .labels = WINDOW,
                                  .is_whole = true};
}

/* Bytes 0, 1, 2, ... */
static void write_text(const char *folder, const char *name, size_t bytes)
{
    unsigned char text[MOST];
    for (size_t i = 0; i < bytes; i++)
        text[i] = (unsigned char)i;
    vdnn_test_write_file(vdnn_test_path(folder, name), text, bytes);
}

/* Numbers first, first + 1, ... of two bytes, the lower one first. */
static void write_words(const char *folder, const char *name, int first, size_t count)
{
    unsigned char text[MOST];
    for (size_t i = 0; i < count; i++) {
        text[2 * i] = (unsigned char)((first + (int)i) & 0xff);
        text[2 * i + 1] = (unsigned char)((first + (int)i) >> 8);
    }
    vdnn_test_write_file(vdnn_test_path(folder, name), text, 2 * count);
}

/* Sample `index` is the tokens from `first` on, and its labels the ones after them. */
static void expect_window(const vdnn_dataset *dataset, uint64_t index, int32_t first)
{
    int32_t tokens[WINDOW], labels[WINDOW];
    vdnn_test_sample(dataset, index, tokens, labels);
    for (int i = 0; i < WINDOW; i++) {
        assert_int_equal(tokens[i], first + i);
        assert_int_equal(labels[i], first + i + 1);
    }
}

/* ---- windows --------------------------------------------------------------------------------- */

TEST_IN_FOLDER(windows_follow_each_other_and_labels_are_the_next_tokens)
{
    write_text(*state, "text", 23);
    const vdnn_dataset_request request = text_in(*state, "tokens", "text");
    vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
    assert_int_equal(vdnn_dataset_count(dataset), 5);
    assert_int_equal(vdnn_dataset_shifts(dataset), WINDOW);
    for (int i = 0; i < 5; i++)
        expect_window(dataset, (uint64_t)i, i * WINDOW);
    vdnn_dataset_close(dataset);
}

/* The last one ends with the text, where it would go beyond it. */
TEST_IN_FOLDER(windows_of_a_shift_begin_later)
{
    write_text(*state, "text", 23);
    const vdnn_dataset_request request = text_in(*state, "tokens", "text");
    vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
    for (int shift = 0; shift < WINDOW; shift++)
        for (int i = 0; i < 5; i++) {
            const int begin = i * WINDOW + shift, last = 23 - 1 - WINDOW;
            expect_window(dataset, (uint64_t)shift * 5 + (uint64_t)i, begin < last ? begin : last);
        }
    vdnn_dataset_close(dataset);
}

TEST_IN_FOLDER(numbers_of_two_bytes_are_read_with_the_lower_one_first)
{
    write_words(*state, "text", 250, 40);
    const vdnn_dataset_request request = text_in(*state, "tokens16", "text");
    vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
    assert_int_equal(vdnn_dataset_count(dataset), 9);
    for (int i = 0; i < 9; i++)
        expect_window(dataset, (uint64_t)i, 250 + i * WINDOW);
    vdnn_dataset_close(dataset);
}

/* 0x8b1f is how a compressed file begins. */
TEST_IN_FOLDER(numbers_are_no_compressed_file)
{
    write_words(*state, "text", 0x8b1f, 40);
    vdnn_dataset_request request = text_in(*state, "tokens16", "text");
    request.classes = request.inputs[0].vocabulary = 40000;
    vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
    expect_window(dataset, 1, 0x8b1f + WINDOW);
    vdnn_dataset_close(dataset);
}

/* A window that is read in several pieces. */
TEST_IN_FOLDER(long_windows_are_read_whole)
{
    enum { LONG = 3000, BYTES = 3500 };
    int32_t tokens[LONG], labels[LONG];
    write_text(*state, "text", BYTES);
    vdnn_dataset_request request = text_in(*state, "tokens", "text");
    request.inputs[0].tokens = request.labels = LONG;
    vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
    assert_int_equal(vdnn_dataset_count(dataset), 1);
    vdnn_test_sample(dataset, 11, tokens, labels);
    for (int i = 0; i < LONG; i++) {
        assert_int_equal(tokens[i], (i + 11) % 256);
        assert_int_equal(labels[i], (i + 12) % 256);
    }
    vdnn_dataset_close(dataset);
}

TEST_IN_FOLDER(the_last_tenth_is_for_tests_unless_they_have_a_text)
{
    write_text(*state, "text", 200);
    vdnn_dataset_request request = text_in(*state, "tokens", "text");
    assert_true(vdnn_dataset_has_test(request.spec));
    static const struct {
        bool is_whole;
        vdnn_split split;
        int count, first;
    } parts[] = {{true, VDNN_SPLIT_TRAIN, 49, 0},
                 {true, VDNN_SPLIT_TEST, 49, 0},
                 {false, VDNN_SPLIT_TRAIN, 44, 0},
                 {false, VDNN_SPLIT_TEST, 4, 180}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        request.is_whole = parts[i].is_whole;
        request.split = parts[i].split;
        vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
        assert_int_equal(vdnn_dataset_count(dataset), parts[i].count);
        expect_window(dataset, 0, parts[i].first);
        const int last = parts[i].count - 1;
        expect_window(dataset, (uint64_t)last, parts[i].first + last * WINDOW);
        vdnn_dataset_close(dataset);
    }
}

/* ---- the loader ------------------------------------------------------------------------------ */

enum { BATCH = 6, BATCHES = 60, SEED = 7 };

/* Where the windows of BATCHES batches begin, from batch `from` on, in two shares. */
static void read_begins(const vdnn_dataset *dataset, bool shuffle, uint64_t from, int shares,
                        int32_t begins[BATCHES][BATCH])
{
    const int64_t share = BATCH / shares;
    for (int k = 0; k < shares; k++) {
        int32_t tokens[2][BATCH * WINDOW], labels[2][BATCH * WINDOW];
        const vdnn_loader_slot slots[] = {{{tokens[0], labels[0]}}, {{tokens[1], labels[1]}}};
        const vdnn_loader_request request = {.dataset = dataset,
                                             .batch = share,
                                             .step_batch = BATCH,
                                             .first_sample = k * share,
                                             .seed = SEED,
                                             .shuffle = shuffle,
                                             .first_batch = from,
                                             .slots = slots,
                                             .slot_count = 2};
        vdnn_loader *loader;
        assert_ok(vdnn_loader_create(&request, &loader));
        for (uint64_t b = from; b < BATCHES; b++) {
            vdnn_loader_batch batch;
            assert_ok(vdnn_loader_next(loader, &batch));
            const int32_t *read = batch.slot->inputs[0];
            for (int64_t i = 0; i < share; i++)
                begins[b][k * share + i] = read[i * WINDOW];
            vdnn_loader_release(loader);
        }
        vdnn_loader_destroy(loader);
    }
}

/* All windows of an epoch begin at one shift, each at another place; another epoch's at others. */
TEST_IN_FOLDER(every_epoch_has_its_shift_wherever_a_training_begins_and_whoever_shares_it)
{
    enum { TOKENS = 250, PER_EPOCH = 10 };
    static int32_t all[BATCHES][BATCH], other[BATCHES][BATCH];
    int shifts[WINDOW] = {0};
    write_text(*state, "text", TOKENS);
    const vdnn_dataset_request request = text_in(*state, "tokens", "text");
    vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
    read_begins(dataset, true, 0, 1, all);
    for (int epoch = 0; epoch < BATCHES / PER_EPOCH; epoch++) {
        const int shift = all[epoch * PER_EPOCH][0] % WINDOW;
        bool taken[TOKENS] = {false};
        shifts[shift]++;
        for (int i = 0; i < PER_EPOCH * BATCH; i++) {
            const int32_t begin = all[epoch * PER_EPOCH + i / BATCH][i % BATCH];
            assert_true(begin % WINDOW == shift || begin == TOKENS - 1 - WINDOW);
            assert_false(taken[begin]);
            taken[begin] = true;
        }
    }
    assert_true(shifts[0] < BATCHES / PER_EPOCH);
    for (uint64_t from = 0; from < BATCHES; from += 7)
        for (int shares = 1; shares <= 3; shares++) {
            memcpy(other, all, sizeof other);
            memset(other[from], 0, (BATCHES - from) * sizeof *other);
            read_begins(dataset, true, from, shares, other);
            assert_memory_equal(all, other, sizeof all);
        }
    read_begins(dataset, false, 0, 1, other);
    for (int i = 0; i < BATCHES * BATCH; i++)
        assert_int_equal(other[i / BATCH][i % BATCH], i % (PER_EPOCH * BATCH) * WINDOW);
    vdnn_dataset_close(dataset);
}

/* ---- what is refused ------------------------------------------------------------------------- */

TEST_IN_FOLDER(texts_that_no_network_can_read_are_refused)
{
    write_text(*state, "text", 200);
    write_text(*state, "short", WINDOW);
    write_text(*state, "odd", 41);
    write_text(*state, "nothing", 0);
    vdnn_test_write_packed(vdnn_test_path(*state, "packed"), "some text", 9);
    const struct {
        const char *kind, *name;
        vdnn_status status;
        const char *reason;
    } cases[] = {
        {"tokens", "nowhere", VDNN_FILE, "opened"},
        {"tokens", "packed", VDNN_BAD_INPUT, "is compressed by gzip"},
        {"tokens", "short", VDNN_BAD_INPUT, "has 4 tokens; expected at least 5"},
        {"tokens", "nothing", VDNN_BAD_INPUT, "has 0 tokens"},
        {"tokens16", "odd", VDNN_BAD_INPUT, "has 41 bytes, which are no whole tokens of 2"},
        {"tokens16", "short", VDNN_BAD_INPUT, "has 2 tokens"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const vdnn_dataset_request request = text_in(*state, cases[i].kind, cases[i].name);
        vdnn_test_expect_no_dataset(&request, cases[i].status, cases[i].reason);
    }
    vdnn_dataset_request request = text_in(*state, "tokens", "text");
    request.inputs[0].tokens = request.labels = 180;
    request.is_whole = false;
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT, "its first nine tenths have 180 tokens");
    request.split = VDNN_SPLIT_TEST;
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT, "names another text, has 20 tokens");
    request = text_in(*state, "tokens", "text");
    request.labels = 0;
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT, "expected a loss over its positions");
    request = text_in(*state, "tokens", "text");
    request.labels = 3;
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT, "reads 4 tokens and 3 labels a sample");
    request = text_in(*state, "tokens", "text");
    request.classes = 299;
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT,
                                "has 299 classes and a vocabulary of 300");
    request = text_in(*state, "tokens", "text");
    request.inputs[0] = (vdnn_dataset_input){.channels = 1, .height = 2, .width = 2};
    vdnn_test_expect_no_dataset(&request, VDNN_BAD_INPUT,
                                "tokens has text, but the network's input is pictures");
    vdnn_test_every_allocation_may_fail((request = text_in(*state, "tokens", "text"), &request), 3);
}

TEST_IN_FOLDER(a_token_beyond_the_vocabulary_is_told_with_its_place)
{
    static const struct {
        const char *kind, *reason;
    } cases[] = {{"tokens", "the token at byte 70 is 70, but the network's vocabulary has 0 to 69"},
                 {"tokens16", "the token at byte 80 is 70, but"}};
    write_text(*state, "tokens", 120);
    write_words(*state, "tokens16", 30, 120);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_dataset_request request = text_in(*state, cases[i].kind, cases[i].kind);
        request.inputs[0].vocabulary = 70;
        vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
        vdnn_scratch scratch = {0};
        int32_t tokens[WINDOW], labels[WINDOW];
        uint64_t index = 0;
        vdnn_status status = VDNN_OK;
        while (status == VDNN_OK)
            status = vdnn_dataset_read(dataset, index++, &scratch, (void *[]){tokens}, labels);
        assert_status(status, VDNN_BAD_INPUT);
        assert_message(cases[i].reason);
        vdnn_scratch_fini(&scratch);
        vdnn_dataset_close(dataset);
    }
}

TEST_IN_FOLDER(a_text_that_becomes_shorter_is_told)
{
    write_text(*state, "text", 200);
    const vdnn_dataset_request request = text_in(*state, "tokens", "text");
    vdnn_dataset *dataset = vdnn_test_open_dataset(&request);
    write_text(*state, "text", 100);
    vdnn_scratch scratch = {0};
    int32_t tokens[WINDOW], labels[WINDOW];
    assert_status(vdnn_dataset_read(dataset, 40, &scratch, (void *[]){tokens}, labels),
                  VDNN_BAD_INPUT);
    assert_message("is cut off");
    vdnn_scratch_fini(&scratch);
    vdnn_dataset_close(dataset);
}
