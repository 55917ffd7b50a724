#ifndef VDNN_RUNTIME_DATA_TEXT_PIECES_H
#define VDNN_RUNTIME_DATA_TEXT_PIECES_H

/* A text divided into pieces, words with the blank before them for the most part, as GPT-2 does it
 * before its tokens are found in each: at each place the first of
 *
 *     's 't 're 've 'm 'll 'd
 *     an optional blank and letters, or numbers, or what is neither and no white space
 *     white space that no other character follows, but for its last one
 *     white space
 *
 * A byte that begins no character of UTF-8 is one that is neither.
 *
 * Threads: pure.
 *
 *     for (size_t at = 0; at < length; at = end) {
 *         end = vdnn_piece_end(text, length, at);
 *         use(text + at, end - at);
 *     }
 */

#include <stddef.h>

/* Bytes after a piece that say whether it ends there, at the most. */
enum { VDNN_PIECE_LOOKAHEAD = 8 };

/* Where the piece that begins at `at`, which is below the length, ends. */
size_t vdnn_piece_end(const unsigned char *text, size_t length, size_t at);

#endif
