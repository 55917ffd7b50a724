#include "runtime/data/text/vocabulary.h"

#include "runtime/base/heap.h"
#include "runtime/data/text/bpe.h"
#include "runtime/data/text/bpe_file.h"

#include <stdbool.h>
#include <string.h>

enum { BYTES = 256, NUMBER_BYTES = 32, BLOCK_BYTES = 1 << 20 };

/* How a kind of vocabulary does it. */
typedef struct vocabulary_kind {
    vdnn_status (*encode)(const vdnn_vocabulary *own, const char *text, size_t length,
                          vdnn_tokens *tokens);
    void (*decode)(const vdnn_vocabulary *own, int32_t token, vdnn_text *text);
} vocabulary_kind;

struct vdnn_vocabulary {
    const vocabulary_kind *kind;
    int64_t size;
    vdnn_bpe_table table; /* of a tokenizer */
};

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

/* ---- a tokenizer ----------------------------------------------------------------------------- */

static vdnn_status encode_text(const vdnn_vocabulary *own, const char *text, size_t length,
                               vdnn_tokens *tokens)
{
    vdnn_bpe_encoder *encoder = NULL;
    size_t used;
    VDNN_TRY(vdnn_bpe_encoder_create(&own->table, &encoder));
    vdnn_status status = vdnn_bpe_encode(encoder, text, length, true, &used, tokens);
    vdnn_bpe_encoder_destroy(encoder);
    return status;
}

/* A token that the tokenizer lacks, which a network may have, is no text. */
static void decode_text(const vdnn_vocabulary *own, int32_t token, vdnn_text *text)
{
    if ((size_t)token >= own->table.count)
        return;
    const vdnn_bpe_token *found = &own->table.tokens[token];
    vdnn_text_put_bytes(text, own->table.bytes + found->begin, found->bytes);
}

/* What is left of a block goes before the next one; a block that has no whole piece grows. */
typedef struct window {
    char *bytes; /* owned */
    size_t count, capacity;
} window;

static vdnn_status fill_window(const vdnn_source *source, uint64_t *at, window *own)
{
    const uint64_t left = vdnn_source_bytes(source) - *at;
    const size_t more = left < BLOCK_BYTES ? (size_t)left : BLOCK_BYTES;
    if (own->count + more > own->capacity) {
        char *grown = vdnn_heap_realloc(own->bytes, own->count + more, 1);
        if (grown == NULL)
            return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to encode a text");
        own->bytes = grown;
        own->capacity = own->count + more;
    }
    VDNN_TRY(vdnn_source_read(source, *at, own->bytes + own->count, more));
    own->count += more;
    *at += more;
    return VDNN_OK;
}

vdnn_status vdnn_vocabulary_encode_file(const vdnn_vocabulary *vocabulary,
                                        const vdnn_source *source, vdnn_tokens *tokens)
{
    const uint64_t all = vdnn_source_bytes(source);
    vdnn_bpe_encoder *encoder = NULL;
    window own = {0};
    VDNN_TRY(vdnn_bpe_encoder_create(&vocabulary->table, &encoder));
    vdnn_status status = VDNN_OK;
    for (uint64_t at = 0; at < all && status == VDNN_OK;) {
        size_t used = 0;
        status = fill_window(source, &at, &own);
        VDNN_IF_OK(status,
                   vdnn_bpe_encode(encoder, own.bytes, own.count, at == all, &used, tokens));
        if (status == VDNN_OK && own.bytes != NULL) {
            own.count -= used;
            memmove(own.bytes, own.bytes + used, own.count);
        }
    }
    vdnn_bpe_encoder_destroy(encoder);
    vdnn_heap_free(own.bytes);
    return status;
}

/* ---- all kinds ------------------------------------------------------------------------------- */

static const vocabulary_kind byte_kind = {encode_bytes, decode_byte},
                             number_kind = {encode_numbers, decode_number},
                             text_kind = {encode_text, decode_text};

static vdnn_status read_tokenizer(const char *path, vdnn_vocabulary *own)
{
    VDNN_TRY(vdnn_bpe_file_read(path, &own->table));
    if (own->table.count <= (uint64_t)own->size)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_BAD_INPUT,
                            "%s: has %zu tokens, but the network's vocabulary is %lld", path,
                            own->table.count, (long long)own->size);
}

vdnn_status vdnn_vocabulary_open(const char *tokenizer, int64_t size, vdnn_vocabulary **vocabulary)
{
    vdnn_vocabulary *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a vocabulary");
    fresh->kind = tokenizer != NULL ? &text_kind : size <= BYTES ? &byte_kind : &number_kind;
    fresh->size = size;
    vdnn_status status = tokenizer == NULL ? VDNN_OK : read_tokenizer(tokenizer, fresh);
    if (status != VDNN_OK) {
        vdnn_vocabulary_close(fresh);
        return status;
    }
    *vocabulary = fresh;
    return VDNN_OK;
}

void vdnn_vocabulary_close(vdnn_vocabulary *vocabulary)
{
    if (vocabulary == NULL)
        return;
    vdnn_bpe_table_fini(&vocabulary->table);
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
    int32_t token = has_lines ? '\n' : 0;
    if (vocabulary->kind == &text_kind) {
        const int32_t end = vdnn_bpe_table_find(&vocabulary->table, VDNN_BPE_END_OF_TEXT,
                                                strlen(VDNN_BPE_END_OF_TEXT));
        token = end >= 0 ? end : vdnn_bpe_table_find(&vocabulary->table, "\n", 1);
    }
    return vdnn_tokens_add(tokens, token);
}

void vdnn_vocabulary_decode(const vdnn_vocabulary *vocabulary, int32_t token, vdnn_text *text)
{
    vocabulary->kind->decode(vocabulary, token, text);
}
