#include "runtime/data/text/vocabulary.h"

#include "runtime/base/heap.h"

#include <stdio.h>

enum { BYTES = 256, FIRST_CAPACITY = 64, NUMBER_BYTES = 32 };

/* How a kind of vocabulary does it. */
typedef struct vocabulary_kind {
    vdnn_status (*encode)(const vdnn_vocabulary *own, const char *text, size_t length,
                          vdnn_tokens *tokens);
    void (*decode)(const vdnn_vocabulary *own, int32_t token, vdnn_text *text);
} vocabulary_kind;

struct vdnn_vocabulary {
    const vocabulary_kind *kind;
    int64_t size;
};

/* ---- lists ----------------------------------------------------------------------------------- */

vdnn_status vdnn_tokens_add(vdnn_tokens *tokens, int32_t token)
{
    if (tokens->count == tokens->capacity) {
        const size_t capacity = tokens->capacity == 0 ? FIRST_CAPACITY : 2 * tokens->capacity;
        int32_t *grown = vdnn_heap_realloc(tokens->items, capacity, sizeof *grown);
        if (grown == NULL)
            return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %zu tokens", capacity);
        tokens->items = grown;
        tokens->capacity = capacity;
    }
    tokens->items[tokens->count++] = token;
    return VDNN_OK;
}

void vdnn_tokens_fini(vdnn_tokens *tokens)
{
    vdnn_heap_free(tokens->items);
    *tokens = (vdnn_tokens){0};
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static vdnn_status encode_bytes(const vdnn_vocabulary *own, const char *text, size_t length,
                                vdnn_tokens *tokens)
{
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)text[i];
        if (byte >= own->size)
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "byte %zu of the text is %d, but the network's vocabulary has "
                                    "0 to %lld",
                                    i, (int)byte, (long long)own->size - 1);
        VDNN_TRY(vdnn_tokens_add(tokens, byte));
    }
    return VDNN_OK;
}

static void decode_byte(const vdnn_vocabulary *own, int32_t token, vdnn_text *text)
{
    const char byte = (char)token;
    (void)own;
    vdnn_text_put_bytes(text, &byte, 1);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == ',';
}

/* A number of decimal digits; -1: it is none, or too large. */
static int64_t read_number(const char *word, size_t length)
{
    int64_t number = 0;
    for (size_t i = 0; i < length; i++) {
        if (word[i] < '0' || word[i] > '9' || number > INT32_MAX)
            return -1;
        number = 10 * number + (word[i] - '0');
    }
    return number;
}

static vdnn_status encode_numbers(const vdnn_vocabulary *own, const char *text, size_t length,
                                  vdnn_tokens *tokens)
{
    for (size_t begin = 0, end; begin < length; begin = end) {
        end = begin + 1;
        if (is_blank(text[begin]))
            continue;
        while (end < length && !is_blank(text[end]))
            end++;
        const int64_t token = read_number(text + begin, end - begin);
        if (token < 0 || token >= own->size)
            return vdnn_status_fail(VDNN_BAD_INPUT,
                                    "\"%.*s\" is no token: the network has no tokenizer, and its "
                                    "vocabulary has the numbers 0 to %lld",
                                    (int)(end - begin < NUMBER_BYTES ? end - begin : NUMBER_BYTES),
                                    text + begin, (long long)own->size - 1);
        VDNN_TRY(vdnn_tokens_add(tokens, (int32_t)token));
    }
    return VDNN_OK;
}

static void decode_number(const vdnn_vocabulary *own, int32_t token, vdnn_text *text)
{
    (void)own;
    vdnn_text_put_number(text, token);
    vdnn_text_put(text, " ");
}

/* ---- all kinds ------------------------------------------------------------------------------- */

static const vocabulary_kind byte_kind = {encode_bytes, decode_byte},
                             number_kind = {encode_numbers, decode_number};

vdnn_status vdnn_vocabulary_open(int64_t size, vdnn_vocabulary **vocabulary)
{
    vdnn_vocabulary *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a vocabulary");
    *fresh = (vdnn_vocabulary){size <= BYTES ? &byte_kind : &number_kind, size};
    *vocabulary = fresh;
    return VDNN_OK;
}

void vdnn_vocabulary_close(vdnn_vocabulary *vocabulary)
{
    vdnn_heap_free(vocabulary);
}

vdnn_status vdnn_vocabulary_encode(const vdnn_vocabulary *vocabulary, const char *text,
                                   size_t length, vdnn_tokens *tokens)
{
    return vocabulary->kind->encode(vocabulary, text, length, tokens);
}

vdnn_status vdnn_vocabulary_begin(const vdnn_vocabulary *vocabulary, vdnn_tokens *tokens)
{
    const bool has_lines = vocabulary->kind == &byte_kind && vocabulary->size > '\n';
    return vdnn_tokens_add(tokens, has_lines ? '\n' : 0);
}

void vdnn_vocabulary_decode(const vdnn_vocabulary *vocabulary, int32_t token, vdnn_text *text)
{
    vocabulary->kind->decode(vocabulary, token, text);
}
