#include "runtime/data/text/bpe_file.h"

#include "runtime/base/heap.h"
#include "runtime/base/input.h"
#include "runtime/base/json.h"
#include "runtime/base/system.h"
#include "runtime/data/text/utf8.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { BYTES = 256, MOST_FILE_BYTES = 64 << 20, FIRST_OTHER = 256, QUOTED = 64 };

/* ---- bytes as characters --------------------------------------------------------------------- */

/* Bytes that are printable in Latin-1 are written as that character. */
static bool is_itself(uint32_t byte)
{
    return (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
}

/* The others, in their order, as characters from U+0100 on: the `place`-th of either kind; both
 * together are GPT-2's order of all bytes. */
static int byte_at(int place)
{
    for (int others = 0; others < 2; others++)
        for (int byte = 0; byte < BYTES; byte++)
            if (is_itself((uint32_t)byte) == (others == 0) && place-- == 0)
                return byte;
    return -1;
}

static int count_itself(void)
{
    int count = 0;
    for (uint32_t byte = 0; byte < BYTES; byte++)
        count += is_itself(byte);
    return count;
}

/* Below 0: no byte is written as that character. */
static int byte_of(uint32_t number)
{
    if (number < FIRST_OTHER)
        return is_itself(number) ? (int)number : -1;
    const uint32_t place = number - FIRST_OTHER, itself = (uint32_t)count_itself();
    return place < BYTES - itself ? byte_at((int)(itself + place)) : -1;
}

typedef struct reading {
    const char *path;
    vdnn_bpe_table *table;
    int bytes_of[2 * BYTES]; /* of characters; below 0: none */
    char token[2][VDNN_BPE_MAX_BYTES];
} reading;

static void init(const char *path, vdnn_bpe_table *table, reading *r)
{
    r->path = path;
    r->table = table;
    for (uint32_t i = 0; i < 2 * BYTES; i++)
        r->bytes_of[i] = byte_of(i);
}

/* The bytes that a word stands for; 0: it has a character that none is, or is too long. */
static size_t read_word(const reading *r, const char *word, size_t length, char *bytes)
{
    size_t count = 0;
    for (size_t at = 0, step; at < length; at += step) {
        const unsigned char *text = (const unsigned char *)word + at;
        step = vdnn_utf8_bytes(text, length - at);
        const uint32_t number = step == 0 ? UINT32_MAX : vdnn_utf8_number(text, step);
        if (number >= 2 * BYTES || r->bytes_of[number] < 0 || count == VDNN_BPE_MAX_BYTES)
            return 0;
        bytes[count++] = (char)r->bytes_of[number];
    }
    return count;
}

/* Where a message is about: the line of a file of merges, or their number in another. */
static vdnn_status refuse(const reading *r, size_t line, const char *what, const char *word,
                          size_t length)
{
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s:%zu: %s: \"%.*s\"", r->path, line, what,
                            (int)(length < QUOTED ? length : QUOTED), word);
}

static vdnn_status add_token(const reading *r, int64_t number, const char *bytes, size_t count)
{
    vdnn_status status = vdnn_bpe_table_add(r->table, number, bytes, count);
    return status == VDNN_BAD_INPUT ? vdnn_status_prefix(status, "%s", r->path) : status;
}

/* ---- merges ---------------------------------------------------------------------------------- */

/* "LEFT RIGHT"; `numbers`: the token that they make gets the next number. */
static vdnn_status read_merge(reading *r, const char *text, size_t length, size_t line,
                              bool numbers)
{
    const char *blank = memchr(text, ' ', length);
    if (blank == NULL || memchr(blank + 1, ' ', length - (size_t)(blank + 1 - text)) != NULL)
        return refuse(r, line, "expected two tokens with a blank between them", text, length);
    const size_t left_length = (size_t)(blank - text);
    const size_t left = read_word(r, text, left_length, r->token[0]),
                 right = read_word(r, blank + 1, length - left_length - 1, r->token[1]);
    const int32_t first = vdnn_bpe_table_find(r->table, r->token[0], left),
                  second = vdnn_bpe_table_find(r->table, r->token[1], right);
    if (left == 0 || right == 0 || first < 0 || second < 0)
        return refuse(r, line, "a merge of what is no token before it", text, length);
    if (left + right > VDNN_BPE_MAX_BYTES)
        return refuse(r, line, "a merge that is too long", text, length);
    memcpy(r->token[0] + left, r->token[1], right);
    int32_t whole = vdnn_bpe_table_find(r->table, r->token[0], left + right);
    if (whole < 0 && !numbers)
        return refuse(r, line, "a merge whose token the vocabulary does not have", text, length);
    if (whole < 0) {
        whole = (int32_t)r->table->count;
        VDNN_TRY(add_token(r, whole, r->token[0], left + right));
    }
    return vdnn_bpe_table_merge(r->table, first, second, whole);
}

/* The first line may say which version it is. */
static vdnn_status read_merges(reading *r, const char *text, size_t length, bool numbers)
{
    vdnn_status status = VDNN_OK;
    size_t line = 0;
    for (size_t at = 0, end; at < length && status == VDNN_OK; at = end + 1) {
        const char *newline = memchr(text + at, '\n', length - at);
        end = newline == NULL ? length : (size_t)(newline - text);
        size_t bytes = end - at;
        bytes -= bytes > 0 && text[at + bytes - 1] == '\r';
        const bool is_version = ++line == 1 && bytes >= 8 && memcmp(text + at, "#version", 8) == 0;
        if (bytes > 0 && !is_version)
            status = read_merge(r, text + at, bytes, line, numbers);
    }
    return status;
}

/* ---- vocabularies ---------------------------------------------------------------------------- */

static vdnn_status number_bytes(const reading *r)
{
    vdnn_status status = VDNN_OK;
    for (int place = 0; place < BYTES && status == VDNN_OK; place++) {
        const char byte = (char)byte_at(place);
        status = add_token(r, place, &byte, 1);
    }
    return status;
}

static vdnn_status read_vocabulary(reading *r, json_t *vocabulary)
{
    const char *word;
    json_t *number;
    if (!json_is_object(vocabulary))
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: has no object of tokens and their numbers",
                                r->path);
    json_object_foreach(vocabulary, word, number)
    {
        const size_t count = read_word(r, word, strlen(word), r->token[0]);
        /* Special tokens may be written as they are. */
        const char *bytes = count > 0 ? r->token[0] : word;
        if (!json_is_integer(number))
            return vdnn_status_fail(VDNN_BAD_INPUT, "%s: token \"%.*s\" has no number", r->path,
                                    QUOTED, word);
        VDNN_TRY(add_token(r, json_integer_value(number), bytes, count > 0 ? count : strlen(word)));
    }
    return VDNN_OK;
}

static vdnn_status check_bytes(const reading *r)
{
    for (int byte = 0; byte < BYTES; byte++) {
        const char one = (char)byte;
        if (vdnn_bpe_table_find(r->table, &one, 1) < 0)
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "%s: has no token for byte %d; expected a byte-level tokenizer",
                                    r->path, byte);
    }
    return VDNN_OK;
}

/* ---- merges.txt ------------------------------------------------------------------------------ */

/* FOLDER/vocab.json of the merges' folder. */
static vdnn_status read_numbers(const char *path, reading *r, bool *is_there)
{
    char beside[PATH_MAX];
    const char *slash = strrchr(path, '/');
    struct stat info;
    json_t *root = NULL;
    const int length = snprintf(beside, sizeof beside, "%.*svocab.json",
                                slash == NULL ? 0 : (int)(slash + 1 - path), path);
    *is_there =
        length > 0 && (size_t)length < sizeof beside && vdnn_system_stat(beside, &info) == 0;
    if (!*is_there)
        return VDNN_OK;
    VDNN_TRY(vdnn_json_read(beside, MOST_FILE_BYTES, &root));
    r->path = beside;
    vdnn_status status = read_vocabulary(r, root);
    VDNN_IF_OK(status, check_bytes(r));
    r->path = path;
    json_decref(root);
    return status;
}

static vdnn_status add_end_of_text(reading *r)
{
    const size_t bytes = strlen(VDNN_BPE_END_OF_TEXT);
    int32_t token = vdnn_bpe_table_find(r->table, VDNN_BPE_END_OF_TEXT, bytes);
    if (token < 0) {
        token = (int32_t)r->table->count;
        VDNN_TRY(add_token(r, token, VDNN_BPE_END_OF_TEXT, bytes));
    }
    r->table->tokens[token].is_special = true;
    return VDNN_OK;
}

static vdnn_status read_gpt2(const char *path, reading *r)
{
    char *text = NULL;
    size_t length = 0;
    bool has_numbers = false;
    VDNN_TRY(vdnn_input_read(path, MOST_FILE_BYTES, &text, &length));
    vdnn_status status = read_numbers(path, r, &has_numbers);
    if (status == VDNN_OK && !has_numbers)
        status = number_bytes(r);
    VDNN_IF_OK(status, read_merges(r, text, length, !has_numbers));
    VDNN_IF_OK(status, add_end_of_text(r));
    vdnn_heap_free(text);
    return status;
}

/* ---- tokenizer.json -------------------------------------------------------------------------- */

static vdnn_status refuse_key(const reading *r, const char *what)
{
    return vdnn_status_fail(VDNN_BAD_INPUT, "%s: %s", r->path, what);
}

static bool is_text(const json_t *object, const char *key, const char *value)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL && strcmp(text, value) == 0;
}

/* Absent, null, false, 0 or "". */
static bool is_nothing(const json_t *value)
{
    return value == NULL || json_is_null(value) || json_is_false(value) ||
           (json_is_string(value) && json_string_length(value) == 0) ||
           (json_is_number(value) && !(json_number_value(value) > 0));
}

/* What would divide or change the text in another way than vdnn does. */
static vdnn_status check_form(const reading *r, const json_t *root)
{
    static const char *const others[] = {"dropout", "continuing_subword_prefix",
                                         "end_of_word_suffix", "byte_fallback", "ignore_merges"};
    const json_t *model = json_object_get(root, "model"),
                 *pieces = json_object_get(root, "pre_tokenizer"),
                 *regex = json_object_get(pieces, "use_regex");
    char what[128];
    if (!is_text(model, "type", "BPE"))
        return refuse_key(r, "its model is not of type BPE");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!is_nothing(json_object_get(model, others[i]))) {
            (void)snprintf(what, sizeof what, "its model has %s, which vdnn does not", others[i]);
            return refuse_key(r, what);
        }
    if (!is_nothing(json_object_get(root, "normalizer")))
        return refuse_key(r, "it has a normalizer, and vdnn reads texts as they are");
    if (!is_text(pieces, "type", "ByteLevel") || json_is_false(regex))
        return refuse_key(r, "its pre_tokenizer is not ByteLevel with GPT-2's pattern");
    if (!is_nothing(json_object_get(pieces, "add_prefix_space")))
        return refuse_key(r, "its pre_tokenizer has add_prefix_space, which vdnn does not");
    return VDNN_OK;
}

/* "LEFT RIGHT", or [LEFT, RIGHT]. */
static vdnn_status read_merge_json(reading *r, const json_t *merge, size_t number)
{
    char text[2 * VDNN_BPE_MAX_BYTES];
    const char *left = json_string_value(json_array_get(merge, 0)),
               *right = json_string_value(json_array_get(merge, 1));
    if (json_is_string(merge))
        return read_merge(r, json_string_value(merge), json_string_length(merge), number, false);
    const int length =
        left == NULL || right == NULL ? -1 : snprintf(text, sizeof text, "%s %s", left, right);
    if (length < 0 || (size_t)length >= sizeof text)
        return vdnn_status_fail(VDNN_BAD_INPUT, "%s: merge %zu is not of two tokens", r->path,
                                number);
    return read_merge(r, text, (size_t)length, number, false);
}

static vdnn_status read_added(reading *r, const json_t *added)
{
    size_t i;
    const json_t *one;
    json_array_foreach(added, i, one)
    {
        const json_t *content = json_object_get(one, "content");
        const json_int_t number = json_integer_value(json_object_get(one, "id"));
        if (!json_is_string(content))
            return vdnn_status_fail(VDNN_BAD_INPUT, "%s: added token %zu has no content", r->path,
                                    i);
        const char *text = json_string_value(content);
        int32_t token = vdnn_bpe_table_find(r->table, text, strlen(text));
        if (token < 0) {
            VDNN_TRY(add_token(r, number, text, strlen(text)));
            token = (int32_t)number;
        }
        r->table->tokens[token].is_special = true;
    }
    return VDNN_OK;
}

static vdnn_status read_hugging_face(const char *path, reading *r)
{
    json_t *root = NULL;
    VDNN_TRY(vdnn_json_read(path, MOST_FILE_BYTES, &root));
    const json_t *model = json_object_get(root, "model"), *merge;
    size_t i;
    vdnn_status status = check_form(r, root);
    VDNN_IF_OK(status, read_vocabulary(r, json_object_get(model, "vocab")));
    VDNN_IF_OK(status, check_bytes(r));
    json_array_foreach(json_object_get(model, "merges"), i, merge)
    {
        VDNN_IF_OK(status, read_merge_json(r, merge, i + 1));
    }
    VDNN_IF_OK(status, read_added(r, json_object_get(root, "added_tokens")));
    json_decref(root);
    return status;
}

vdnn_status vdnn_bpe_file_read(const char *path, vdnn_bpe_table *table)
{
    const size_t length = strlen(path), ending = strlen(".json");
    const bool is_json = length > ending && strcmp(path + length - ending, ".json") == 0;
    reading *r = vdnn_heap_calloc(1, sizeof *r);
    if (r == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: no memory for a tokenizer", path);
    init(path, table, r);
    vdnn_status status = is_json ? read_hugging_face(path, r) : read_gpt2(path, r);
    vdnn_heap_free(r);
    return status;
}
