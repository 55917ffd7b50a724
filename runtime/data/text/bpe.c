#include "runtime/data/text/bpe.h"

#include "runtime/base/heap.h"
#include "runtime/data/text/pieces.h"

#include <string.h>

/* Words repeat: the tokens of short pieces are kept, each where its hash says, until another piece
 * with that place comes. */
enum { KEPT = 1 << 15, KEPT_BYTES = 22, KEPT_TOKENS = 10, BYTES = 256 };

typedef struct kept_piece {
    unsigned char length, count; /* length 0: none */
    char bytes[KEPT_BYTES];
    int32_t tokens[KEPT_TOKENS];
} kept_piece;

/* A token of the piece that is being merged, in a list of those that are left. */
typedef struct part {
    int32_t token;
    int32_t before, after; /* below 0: the end */
} part;

/* A merge that may be made, of a part and the one after it, while both are what they were. */
typedef struct candidate {
    int32_t rank, at;
    int32_t left, right, token;
} candidate;

struct vdnn_bpe_encoder {
    const vdnn_bpe_table *table;
    int32_t byte_tokens[BYTES];
    bool begins_special[BYTES];
    int32_t *specials; /* owned; the longest first */
    size_t special_count, longest_special;
    kept_piece *kept; /* owned */
    part *parts;      /* owned, of the longest piece so far */
    candidate *heap;  /* owned */
    size_t capacity, heap_count;
};

/* ---- create and destroy ---------------------------------------------------------------------- */

static vdnn_status no_memory(void)
{
    return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to encode a text");
}

void vdnn_bpe_encoder_destroy(vdnn_bpe_encoder *encoder)
{
    if (encoder == NULL)
        return;
    vdnn_heap_free(encoder->specials);
    vdnn_heap_free(encoder->kept);
    vdnn_heap_free(encoder->parts);
    vdnn_heap_free(encoder->heap);
    vdnn_heap_free(encoder);
}

/* In the order of their length, the longest first, for where one begins as another does. */
static void insert_special(vdnn_bpe_encoder *own, int32_t token)
{
    const vdnn_bpe_token *tokens = own->table->tokens;
    size_t at = own->special_count++;
    for (; at > 0 && tokens[own->specials[at - 1]].bytes < tokens[token].bytes; at--)
        own->specials[at] = own->specials[at - 1];
    own->specials[at] = token;
    own->begins_special[(unsigned char)own->table->bytes[tokens[token].begin]] = true;
    own->longest_special = tokens[own->specials[0]].bytes;
}

vdnn_status vdnn_bpe_encoder_create(const vdnn_bpe_table *table, vdnn_bpe_encoder **encoder)
{
    size_t specials = 0;
    vdnn_bpe_encoder *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return no_memory();
    for (size_t i = 0; i < table->count; i++)
        specials += table->tokens[i].is_special;
    fresh->table = table;
    fresh->kept = vdnn_heap_calloc(KEPT, sizeof *fresh->kept);
    fresh->specials = vdnn_heap_calloc(specials, sizeof *fresh->specials);
    if (fresh->kept == NULL || fresh->specials == NULL) {
        vdnn_bpe_encoder_destroy(fresh);
        return no_memory();
    }
    for (int byte = 0; byte < BYTES; byte++) {
        const char one = (char)byte;
        fresh->byte_tokens[byte] = vdnn_bpe_table_find(table, &one, 1);
    }
    for (size_t i = 0; i < table->count; i++)
        if (table->tokens[i].is_special)
            insert_special(fresh, (int32_t)i);
    *encoder = fresh;
    return VDNN_OK;
}

/* ---- one piece ------------------------------------------------------------------------------- */

/* There are less than three candidates for each part: one of each pair, and two of each merge,
 * which removes a part. */
static vdnn_status reserve(vdnn_bpe_encoder *own, size_t length)
{
    if (length <= own->capacity)
        return VDNN_OK;
    part *parts = vdnn_heap_realloc(own->parts, length, sizeof *parts);
    if (parts == NULL)
        return no_memory();
    own->parts = parts;
    candidate *heap = vdnn_heap_realloc(own->heap, 3 * length, sizeof *heap);
    if (heap == NULL)
        return no_memory();
    own->heap = heap;
    own->capacity = length;
    return VDNN_OK;
}

static bool comes_before(const candidate *a, const candidate *b)
{
    return a->rank != b->rank ? a->rank < b->rank : a->at < b->at;
}

static void push(vdnn_bpe_encoder *own, const candidate *fresh)
{
    size_t at = own->heap_count++;
    for (size_t parent; at > 0 && comes_before(fresh, &own->heap[parent = (at - 1) / 2]);
         at = parent)
        own->heap[at] = own->heap[parent];
    own->heap[at] = *fresh;
}

static candidate pop(vdnn_bpe_encoder *own)
{
    const candidate first = own->heap[0], last = own->heap[--own->heap_count];
    size_t at = 0;
    for (size_t child = 1; child < own->heap_count; child = 2 * at + 1) {
        if (child + 1 < own->heap_count && comes_before(&own->heap[child + 1], &own->heap[child]))
            child++;
        if (!comes_before(&own->heap[child], &last))
            break;
        own->heap[at] = own->heap[child];
        at = child;
    }
    own->heap[at] = last;
    return first;
}

/* The part and the one after it, if they can be merged. */
static void consider(vdnn_bpe_encoder *own, int32_t at)
{
    const part *parts = own->parts;
    if (at < 0 || parts[at].after < 0)
        return;
    const int32_t left = parts[at].token, right = parts[parts[at].after].token;
    const vdnn_bpe_merge *merge = vdnn_bpe_table_find_merge(own->table, left, right);
    if (merge != NULL)
        push(own, &(candidate){merge->rank, at, left, right, merge->token});
}

static void merge(vdnn_bpe_encoder *own, const candidate *one)
{
    part *parts = own->parts;
    const int32_t after = parts[one->at].after;
    if (parts[one->at].token != one->left || after < 0 || parts[after].token != one->right)
        return; /* another merge took one of them */
    parts[one->at].token = one->token;
    parts[one->at].after = parts[after].after;
    parts[after].token = -1;
    if (parts[after].after >= 0)
        parts[parts[after].after].before = one->at;
    consider(own, parts[one->at].before);
    consider(own, one->at);
}

static vdnn_status merge_piece(vdnn_bpe_encoder *own, const char *piece, size_t length,
                               vdnn_tokens *tokens)
{
    VDNN_TRY(reserve(own, length));
    const int32_t count = (int32_t)length;
    for (int32_t i = 0; i < count; i++)
        own->parts[i] =
            (part){own->byte_tokens[(unsigned char)piece[i]], i - 1, i + 1 < count ? i + 1 : -1};
    own->heap_count = 0;
    for (int32_t i = 0; i < count; i++)
        consider(own, i);
    while (own->heap_count > 0) {
        const candidate one = pop(own);
        merge(own, &one);
    }
    vdnn_status status = VDNN_OK;
    for (int32_t i = 0; i >= 0 && status == VDNN_OK; i = own->parts[i].after)
        status = vdnn_tokens_add(tokens, own->parts[i].token);
    return status;
}

static vdnn_status encode_piece(vdnn_bpe_encoder *own, const char *piece, size_t length,
                                vdnn_tokens *tokens)
{
    if (length > KEPT_BYTES)
        return merge_piece(own, piece, length, tokens);
    kept_piece *kept = &own->kept[vdnn_bpe_hash(piece, length) % KEPT];
    vdnn_status status = VDNN_OK;
    if (kept->length == length && memcmp(kept->bytes, piece, length) == 0) {
        for (int i = 0; i < kept->count && status == VDNN_OK; i++)
            status = vdnn_tokens_add(tokens, kept->tokens[i]);
        return status;
    }
    const size_t before = tokens->count;
    VDNN_TRY(merge_piece(own, piece, length, tokens));
    if (tokens->count - before > KEPT_TOKENS)
        return VDNN_OK;
    kept->length = (unsigned char)length;
    kept->count = (unsigned char)(tokens->count - before);
    memcpy(kept->bytes, piece, length);
    memcpy(kept->tokens, tokens->items + before, kept->count * sizeof *kept->tokens);
    return VDNN_OK;
}

/* ---- a text ---------------------------------------------------------------------------------- */

/* The special token that the text begins with; below 0: none. */
static int32_t special_at(const vdnn_bpe_encoder *own, const char *text, size_t length)
{
    if (!own->begins_special[(unsigned char)text[0]])
        return -1;
    for (size_t i = 0; i < own->special_count; i++) {
        const vdnn_bpe_token *token = &own->table->tokens[own->specials[i]];
        if (token->bytes <= length &&
            memcmp(own->table->bytes + token->begin, text, token->bytes) == 0)
            return own->specials[i];
    }
    return -1;
}

/* Where the next special token begins, or the text ends. */
static size_t plain_end(const vdnn_bpe_encoder *own, const char *text, size_t length, size_t at)
{
    while (at < length && special_at(own, text + at, length - at) < 0)
        at++;
    return at;
}

/* Of a text without special tokens, of which `sure` bytes cannot change any more. */
static vdnn_status encode_plain(vdnn_bpe_encoder *own, const char *text, size_t length, size_t sure,
                                size_t *used, vdnn_tokens *tokens)
{
    vdnn_status status = VDNN_OK;
    size_t at = 0;
    while (at < length && status == VDNN_OK) {
        const size_t end = vdnn_piece_end((const unsigned char *)text, length, at);
        if (end > sure)
            break;
        if (end - at > INT32_MAX / 4)
            return vdnn_status_fail(VDNN_BAD_INPUT, "a word of %zu bytes is too long", end - at);
        status = encode_piece(own, text + at, end - at, tokens);
        at = end;
    }
    *used = at;
    return status;
}

vdnn_status vdnn_bpe_encode(vdnn_bpe_encoder *encoder, const char *text, size_t length, bool is_end,
                            size_t *used, vdnn_tokens *tokens)
{
    const size_t ahead = encoder->longest_special + VDNN_PIECE_LOOKAHEAD;
    const size_t sure = is_end ? length : length > ahead ? length - ahead : 0;
    size_t at = 0;
    while (at < sure) {
        const int32_t special = special_at(encoder, text + at, length - at);
        if (special >= 0) {
            VDNN_TRY(vdnn_tokens_add(tokens, special));
            at += encoder->table->tokens[special].bytes;
            continue;
        }
        const size_t end = plain_end(encoder, text, length, at);
        /* A special token after it is whole, so that nothing is ahead of it. */
        const size_t sure_here = end < length ? end - at : sure - at;
        size_t done = 0;
        VDNN_TRY(encode_plain(encoder, text + at, end - at, sure_here, &done, tokens));
        at += done;
        if (at < end)
            break;
    }
    *used = at;
    return VDNN_OK;
}
