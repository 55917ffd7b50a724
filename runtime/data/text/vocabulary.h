#ifndef VDNN_RUNTIME_DATA_TEXT_VOCABULARY_H
#define VDNN_RUNTIME_DATA_TEXT_VOCABULARY_H

/* What the tokens of a network stand for: those of a tokenizer's file (bpe_file.h), else bytes,
 * where the network has at most 256, else their numbers.
 *
 * Invariant: all tokens that encode adds are below the size.
 * Threads: immutable after open; any.
 *
 *     status = vdnn_vocabulary_open(NULL, 256, &vocabulary);
 *     status = vdnn_vocabulary_encode(vocabulary, "some text", 9, &tokens);
 *     vdnn_vocabulary_decode(vocabulary, tokens.items[0], &text);
 *     vdnn_tokens_fini(&tokens);
 *     vdnn_vocabulary_close(vocabulary);
 */

#include "runtime/base/status.h"
#include "runtime/base/text.h"
#include "runtime/data/source.h"
#include "runtime/data/text/token_list.h"

typedef struct vdnn_vocabulary vdnn_vocabulary;

/* Of tokens below `size`; `tokenizer` NULL: it has none. VDNN_BAD_INPUT if the file has others. */
vdnn_status vdnn_vocabulary_open(const char *tokenizer, int64_t size, vdnn_vocabulary **vocabulary);
void vdnn_vocabulary_close(vdnn_vocabulary *vocabulary); /* accepts NULL */

/* Adds the tokens of a text. VDNN_BAD_INPUT for a byte or a number that is none. */
vdnn_status vdnn_vocabulary_encode(const vdnn_vocabulary *vocabulary, const char *text,
                                   size_t length, vdnn_tokens *tokens);
/* Adds the tokens of a file, of which a piece at a time is in memory. */
vdnn_status vdnn_vocabulary_encode_file(const vdnn_vocabulary *vocabulary,
                                        const vdnn_source *source, vdnn_tokens *tokens);
/* Adds what a text begins with where nothing is said: the end of one, or of a line, else token 0.
 */
vdnn_status vdnn_vocabulary_begin(const vdnn_vocabulary *vocabulary, vdnn_tokens *tokens);
/* Adds the bytes of a token, which may be a part of a character. */
void vdnn_vocabulary_decode(const vdnn_vocabulary *vocabulary, int32_t token, vdnn_text *text);

#endif
