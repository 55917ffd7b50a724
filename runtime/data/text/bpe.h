#ifndef VDNN_RUNTIME_DATA_TEXT_BPE_H
#define VDNN_RUNTIME_DATA_TEXT_BPE_H

/* Text as tokens of a byte-level tokenizer. Special tokens are found first, then the text between
 * them is divided into pieces, and in each piece the merge of the lowest rank is made, of several
 * the first, until there is none.
 *
 * Invariant: the bytes of the tokens are the text's.
 * Threads: an encoder is of one; the table is shared.
 *
 *     status = vdnn_bpe_encoder_create(&table, &encoder);
 *     status = vdnn_bpe_encode(encoder, text, length, true, &used, &tokens); // used == length
 *     vdnn_bpe_encoder_destroy(encoder);
 */

#include "runtime/data/text/bpe_table.h"
#include "runtime/data/text/token_list.h"

typedef struct vdnn_bpe_encoder vdnn_bpe_encoder;

vdnn_status vdnn_bpe_encoder_create(const vdnn_bpe_table *table, vdnn_bpe_encoder **encoder);
void vdnn_bpe_encoder_destroy(vdnn_bpe_encoder *encoder); /* accepts NULL */

/* Adds the tokens of the text's first `used` bytes: of all where it ends there, else of the pieces
 * that what follows cannot change. */
vdnn_status vdnn_bpe_encode(vdnn_bpe_encoder *encoder, const char *text, size_t length, bool is_end,
                            size_t *used, vdnn_tokens *tokens);

#endif
