/* Tokenizers, by a second implementation of them (tests/support/tokenizer_oracle.py). */

#include "runtime/data/text/bpe.h"
#include "runtime/data/text/bpe_file.h"
#include "runtime/data/text/stream.h"
#include "runtime/data/text/utf8.h"
#include "runtime/data/text/vocabulary.h"
#include "tests/support/bad_case.h"
#include "tests/support/run_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 700, SEED = 20160401 };

/* One with the standard library alone; skips where there is none. */
static const char *python(void)
{
    if (system("python3 -c 'import unicodedata' 2>/dev/null") != 0)
        skip_because("no python3");
    return "python3";
}

static void make_texts(const char *folder)
{
    char line[1024];
    (void)snprintf(line, sizeof line, "%s tests/support/tokenizer_oracle.py %s %d", python(),
                   folder, SEED);
    assert_int_equal(system(line), 0);
}

static const char *const texts[] = {"words", "learned", "one", "blanks", "end", "long", "large"};
enum { TEXTS = sizeof texts / sizeof *texts };

/* FOLDER/NAME.ENDING; in one of the buffers of vdnn_test_path. */
static const char *file_of(const char *folder, const char *name, const char *ending)
{
    char file[64];
    (void)snprintf(file, sizeof file, "%s.%s", name, ending);
    return vdnn_test_path(folder, file);
}

static void expect_tokens(const char *folder, const char *name, const char *ending,
                          const vdnn_tokens *tokens)
{
    char *wanted;
    size_t bytes;
    vdnn_test_read_file(file_of(folder, name, ending), &wanted, &bytes);
    assert_int_equal(tokens->count * sizeof *tokens->items, bytes);
    assert_memory_equal(tokens->items, wanted, bytes);
    free(wanted);
}

static vdnn_vocabulary *open_vocabulary(const char *folder, const char *tokenizer)
{
    vdnn_vocabulary *vocabulary = NULL;
    assert_ok(vdnn_vocabulary_open(vdnn_test_path(folder, tokenizer), SIZE, &vocabulary));
    return vocabulary;
}

TEST_IN_FOLDER(texts_have_the_tokens_of_a_second_implementation)
{
    static const struct {
        const char *tokenizer, *ending;
    } files[] = {{"merges.txt", "tokens"},
                 {"numbered/merges.txt", "numbered"},
                 {"tokenizer.json", "tokens"},
                 {"tokenizer_pairs.json", "tokens"}};
    make_texts(*state);
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        vdnn_vocabulary *vocabulary = open_vocabulary(*state, files[f].tokenizer);
        for (size_t i = 0; i < TEXTS; i++) {
            vdnn_tokens whole = {0}, pieces = {0};
            vdnn_text decoded = {0};
            vdnn_source *source;
            char *text;
            size_t bytes;
            vdnn_test_read_file(file_of(*state, texts[i], "txt"), &text, &bytes);
            assert_ok(vdnn_vocabulary_encode(vocabulary, text, bytes, &whole));
            expect_tokens(*state, texts[i], files[f].ending, &whole);
            assert_ok(vdnn_source_open(file_of(*state, texts[i], "txt"), &source));
            assert_ok(vdnn_vocabulary_encode_file(vocabulary, source, &pieces));
            expect_tokens(*state, texts[i], files[f].ending, &pieces);
            for (size_t k = 0; k < whole.count; k++)
                vdnn_vocabulary_decode(vocabulary, whole.items[k], &decoded);
            assert_int_equal(decoded.length, bytes);
            assert_memory_equal(decoded.data, text, bytes);
            vdnn_source_close(source);
            vdnn_text_fini(&decoded);
            vdnn_tokens_fini(&pieces);
            vdnn_tokens_fini(&whole);
            free(text);
        }
        vdnn_vocabulary_close(vocabulary);
    }
}

/* However many bytes of it are there at a time. */
TEST_IN_FOLDER(a_text_that_comes_in_parts_has_the_same_tokens)
{
    make_texts(*state);
    vdnn_bpe_table table = {0};
    char *text;
    size_t bytes;
    uint32_t random = SEED;
    assert_ok(vdnn_bpe_file_read(vdnn_test_path(*state, "merges.txt"), &table));
    vdnn_test_read_file(file_of(*state, "words", "txt"), &text, &bytes);
    for (int round = 0; round < 20; round++) {
        vdnn_bpe_encoder *encoder;
        vdnn_tokens tokens = {0};
        assert_ok(vdnn_bpe_encoder_create(&table, &encoder));
        for (size_t at = 0, seen = 0, used; at < bytes; at += used) {
            random = random * 1664525 + 1013904223;
            seen += 1 + (random >> 8) % (size_t)(1 << (1 + round % 10));
            seen = seen < bytes ? seen : bytes;
            assert_ok(
                vdnn_bpe_encode(encoder, text + at, seen - at, seen == bytes, &used, &tokens));
        }
        expect_tokens(*state, "words", "tokens", &tokens);
        vdnn_tokens_fini(&tokens);
        vdnn_bpe_encoder_destroy(encoder);
    }
    free(text);
    vdnn_bpe_table_fini(&table);
}

/* Bytes that are no text: their tokens are these bytes again. */
TEST_IN_FOLDER(bytes_of_any_kind_are_encoded_and_decoded)
{
    enum { BYTES = 50000 };
    static char text[BYTES];
    uint32_t random = 7;
    make_texts(*state);
    vdnn_vocabulary *vocabulary = open_vocabulary(*state, "tokenizer.json");
    for (int i = 0; i < BYTES; i++) {
        random = random * 1664525 + 1013904223;
        text[i] = (char)(random >> 24);
    }
    vdnn_tokens tokens = {0};
    vdnn_text decoded = {0};
    assert_ok(vdnn_vocabulary_encode(vocabulary, text, BYTES, &tokens));
    for (size_t k = 0; k < tokens.count; k++)
        vdnn_vocabulary_decode(vocabulary, tokens.items[k], &decoded);
    assert_int_equal(decoded.length, BYTES);
    assert_memory_equal(decoded.data, text, BYTES);
    vdnn_text_fini(&decoded);
    vdnn_tokens_fini(&tokens);
    vdnn_vocabulary_close(vocabulary);
}

TEST_IN_FOLDER(a_text_is_encoded_once_for_all_that_read_it)
{
    make_texts(*state);
    const char *text = file_of(*state, "words", "txt"),
               *tokenizer = vdnn_test_path(*state, "merges.txt");
    vdnn_text_stream *first, *second, *other;
    assert_ok(vdnn_text_stream_open(text, tokenizer, SIZE, &first));
    assert_ok(vdnn_text_stream_open(text, tokenizer, SIZE, &second));
    assert_ptr_equal(first, second);
    vdnn_test_write_file(text, "another text", 12);
    assert_ok(vdnn_text_stream_open(text, tokenizer, SIZE, &other));
    assert_ptr_not_equal(first, other);
    vdnn_text_stream_close(first);
    assert_true(vdnn_text_stream_tokens(second)->count > 1000);
    vdnn_text_stream_close(second);
    vdnn_text_stream_close(other);
}

/* What is committed is what Python of the same Unicode knows. */
TEST(kinds_of_characters_are_those_of_unicode)
{
    (void)python();
    if (system("python3 -c 'import unicodedata; exit(unicodedata.unidata_version not in "
               "open(\"runtime/data/text/categories.inc\").readline())'") != 0)
        skip_because("Python has another version of Unicode");
    assert_int_equal(system("python3 tools/generate/categories.py | "
                            "cmp - runtime/data/text/categories.inc"),
                     0);
    static const struct {
        uint32_t number;
        vdnn_character_kind kind;
    } cases[] = {{'a', VDNN_CHARACTER_LETTER},    {'Z', VDNN_CHARACTER_LETTER},
                 {'7', VDNN_CHARACTER_NUMBER},    {' ', VDNN_CHARACTER_SPACE},
                 {0x3000, VDNN_CHARACTER_SPACE},  {0x4e00, VDNN_CHARACTER_LETTER},
                 {0x2167, VDNN_CHARACTER_NUMBER}, {0x1f600, VDNN_CHARACTER_OTHER},
                 {0x10ffff, VDNN_CHARACTER_OTHER}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(vdnn_character_kind_of(cases[i].number), cases[i].kind);
}

/* ---- networks -------------------------------------------------------------------------------- */

#define NETWORK                                                                                    \
    "name: words\ninput: {tokens: 8, vocabulary: 700, tokenizer: merges.txt}\nbatch: 8\nlayers:\n" \
    "  - {name: words, type: embedding, out: 24}\n"                                                \
    "  - {name: fc, type: fc, out: 700}\n"                                                         \
    "  - {name: loss, type: softmax_loss}\ntraining: {optimizer: adam, lr: 0.01, epochs: 2}\n"

/* The same steps as on the tokens that the second implementation found, and text is sampled. */
TEST_IN_FOLDER(a_network_is_trained_on_a_text_and_writes_one)
{
    char *tokens, *words;
    size_t bytes;
    make_texts(*state);
    vdnn_test_write_below(*state, "net.yaml", NETWORK);
    vdnn_test_read_file(file_of(*state, "learned", "tokens"), &tokens, &bytes);
    words = malloc(bytes / 2);
    assert_non_null(words);
    for (size_t i = 0; i < bytes / 4; i++)
        memcpy(words + 2 * i, tokens + 4 * i, 2);
    vdnn_test_write_file(vdnn_test_path(*state, "words16"), words, bytes / 2);
    free(words);
    free(tokens);
#define NET "vdnnrun --model @/net.yaml --profile @/profile "
    vdnn_test_run_to(*state, 0, "", NET "--data tokens16:@/words16 --save @/a");
    vdnn_test_run_to(*state, 0, "", NET "--data tokens:@/learned.txt --save @/b");
    vdnn_test_same_files(*state, "a", "b");
    vdnn_test_run_to(*state, 0, "",
                     NET "--data tokens:@/learned.txt --devices 2 --steps 60 --checkpoint @/c");
    vdnn_test_run_to(*state, 0, "resumes from step 60",
                     NET "--data tokens:@/learned.txt --devices 2 --checkpoint @/c --resume auto "
                         "--save @/d");
    vdnn_test_run_to(*state, 0, "", NET "--data tokens:@/learned.txt --devices 2 --save @/e");
    vdnn_test_same_files(*state, "d", "e");
    vdnn_test_run run;
    vdnn_test_program(&run, *state, NET "--init @/a --generate 50 --prompt don't --json @/said");
    vdnn_test_expect(&run, 0, "");
    assert_true(strlen(run.out) > 50);
    json_t *json = vdnn_test_json(vdnn_test_path(*state, "said"));
    assert_int_equal(
        json_array_size(json_object_get(json_object_get(json, "generation"), "tokens")), 50);
    json_decref(json);
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(tokenizers_that_are_not_understood_are_refused)
{
    static const vdnn_test_bad_case cases[] = {
        {3, NET "--data tokens:@/net.yaml", "merges.txt", "opened"},
        {3, "vdnnrun --model @/small.yaml --data tokens:@/net.yaml", "good/merges.txt: has 259",
         "the network's vocabulary is 258"},
        {3, "vdnnrun --model @/one.yaml --data tokens:@/net.yaml", "one/merges.txt:2: expected two",
         "\"ab\""},
        {3, "vdnnrun --model @/late.yaml --data tokens:@/net.yaml", "late/merges.txt:1: a merge of",
         "\"ab c\""},
        {3, "vdnnrun --model @/odd.yaml --data tokens:@/net.yaml",
         "odd/merges.txt:1: ", "\"a \xe6"},
        {3, "vdnnrun --model @/few.yaml --data tokens:@/net.yaml", "few/vocab.json",
         "has no token for byte 0"},
        {3, "vdnnrun --model @/word.yaml --data tokens:@/net.yaml", "word/t.json",
         "its model is not of type BPE"},
        {3, "vdnnrun --model @/norm.yaml --data tokens:@/net.yaml", "norm/t.json",
         "it has a normalizer"},
        {3, "vdnnrun --model @/pre.yaml --data tokens:@/net.yaml", "pre/t.json",
         "its pre_tokenizer is not ByteLevel"},
        {3, "vdnnrun --model @/back.yaml --data tokens:@/net.yaml", "back/t.json",
         "its model has byte_fallback"},
        {3, "vdnnrun --model @/list.yaml --data tokens:@/net.yaml", "list.yaml:2: tokenizer is",
         "expected a path"},
    };
#define MODEL "\"model\": {\"type\": \"BPE\", \"vocab\": {}, \"merges\": []"
#define PIECES "\"pre_tokenizer\": {\"type\": \"ByteLevel\"}"
    static const struct {
        const char *name, *tokenizer, *text, *size;
    } files[] = {
        {"small", "good/merges.txt", "a b\nab c\n", "258"},
        {"one", "one/merges.txt", "a b\nab\n", "700"},
        {"late", "late/merges.txt", "ab c\na b\n", "700"},
        {"odd", "odd/merges.txt", "a \xe6\x97\xa5\n", "700"},
        {"few", "few/merges.txt", "", "700"},
        {"word", "word/t.json", "{\"model\": {\"type\": \"WordPiece\"}}", "700"},
        {"norm", "norm/t.json", "{" MODEL "}, \"normalizer\": {\"type\": \"NFC\"}}", "700"},
        {"pre", "pre/t.json", "{" MODEL "}, \"pre_tokenizer\": {\"type\": \"Metaspace\"}}", "700"},
        {"back", "back/t.json", "{" MODEL ", \"byte_fallback\": true}, " PIECES "}", "700"},
        {"list", "[a]", NULL, "700"},
    };
    vdnn_test_write_below(*state, "net.yaml", NETWORK);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char name[32], text[512];
        (void)snprintf(name, sizeof name, "%s.yaml", files[i].name);
        (void)snprintf(text, sizeof text,
                       "name: n\ninput: {tokens: 8, vocabulary: %s, tokenizer: %s}\nbatch: 2\n"
                       "layers:\n  - {name: a, type: embedding, out: %s}\n"
                       "  - {name: l, type: softmax_loss}\n",
                       files[i].size, files[i].tokenizer, files[i].size);
        vdnn_test_write_below(*state, name, text);
        if (files[i].text != NULL)
            vdnn_test_write_below(*state, files[i].tokenizer, files[i].text);
    }
    vdnn_test_write_below(*state, "few/vocab.json", "{\"a\": 0, \"b\": 1}");
    vdnn_test_expect_refused(*state, cases, sizeof cases / sizeof *cases);
}
