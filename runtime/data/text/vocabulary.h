#ifndef VDNN_RUNTIME_DATA_TEXT_VOCABULARY_H
#define VDNN_RUNTIME_DATA_TEXT_VOCABULARY_H

/* What the tokens of a network stand for: bytes, where it has at most 256, else their numbers.
 *
 * Invariant: all tokens that encode adds are below the size.
 * Threads: immutable after open; any.
 *
 *     status = vdnn_vocabulary_open(256, &vocabulary);
 *     status = vdnn_vocabulary_encode(vocabulary, "some text", 9, &tokens);
 *     vdnn_vocabulary_decode(vocabulary, tokens.items[0], &text);
 *     vdnn_tokens_fini(&tokens);
 *     vdnn_vocabulary_close(vocabulary);
 */

#include "runtime/base/status.h"
#include "runtime/base/text.h"

typedef struct vdnn_vocabulary vdnn_vocabulary;

/* A list that grows. */
typedef struct vdnn_tokens {
    int32_t *items; /* owned */
    size_t count, capacity;
} vdnn_tokens;

vdnn_status vdnn_tokens_add(vdnn_tokens *tokens, int32_t token);
void vdnn_tokens_fini(vdnn_tokens *tokens); /* accepts one that is all zero */

/* Of tokens below `size`. */
vdnn_status vdnn_vocabulary_open(int64_t size, vdnn_vocabulary **vocabulary);
void vdnn_vocabulary_close(vdnn_vocabulary *vocabulary); /* accepts NULL */

/* Adds the tokens of a text. VDNN_BAD_INPUT for a byte or a number that is none. */
vdnn_status vdnn_vocabulary_encode(const vdnn_vocabulary *vocabulary, const char *text,
                                   size_t length, vdnn_tokens *tokens);
/* Adds what a text begins with where nothing is said: the end of a line, else token 0. */
vdnn_status vdnn_vocabulary_begin(const vdnn_vocabulary *vocabulary, vdnn_tokens *tokens);
/* Adds the bytes of a token, which may be a part of a character. */
void vdnn_vocabulary_decode(const vdnn_vocabulary *vocabulary, int32_t token, vdnn_text *text);

#endif
