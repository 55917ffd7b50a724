#ifndef VDNN_RUNTIME_DATA_TEXT_BPE_TABLE_H
#define VDNN_RUNTIME_DATA_TEXT_BPE_TABLE_H

/* The tokens and merges of byte-level byte pair encoding (Sennrich, Haddow, Birch: "Neural machine
 * translation of rare words with subword units", 2016): every byte is a token, and a merge makes
 * one token of two that follow each other; of several that could be made the one with the lower
 * rank is.
 *
 * Invariant: the bytes of a merge's token are those of its two tokens.
 * Threads: immutable once it is filled; lookups from any.
 *
 *     vdnn_bpe_table table = {0};
 *     status = vdnn_bpe_table_add(&table, 0, "a", 1);
 *     status = vdnn_bpe_table_merge(&table, left, right, token);
 *     const vdnn_bpe_merge *merge = vdnn_bpe_table_find_merge(&table, left, right); // NULL: none
 *     vdnn_bpe_table_fini(&table);
 */

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Tokens of a table, and bytes of one, at the most. */
enum { VDNN_BPE_MAX_TOKENS = 1 << 20, VDNN_BPE_MAX_BYTES = 1 << 12 };

typedef struct vdnn_bpe_token {
    uint32_t begin, bytes; /* into the table's bytes; no bytes: there is no such token */
    bool is_special;       /* is one where the text has its bytes, before any merge */
} vdnn_bpe_token;

typedef struct vdnn_bpe_merge {
    int32_t left, right; /* left below 0: the slot is free */
    int32_t rank, token;
} vdnn_bpe_merge;

typedef struct vdnn_bpe_table {
    vdnn_bpe_token *tokens; /* owned, as all here; by their numbers */
    size_t count, capacity; /* the highest number is count - 1 */
    char *bytes;
    size_t byte_count, byte_capacity;
    int32_t *by_bytes; /* a hash table of numbers; below 0: free */
    size_t slot_count, used;
    vdnn_bpe_merge *merges; /* a hash table */
    size_t merge_slots, merge_count;
} vdnn_bpe_table;

void vdnn_bpe_table_fini(vdnn_bpe_table *table); /* accepts one that is all zero */

/* VDNN_BAD_INPUT if the number or the bytes are taken, or beyond a bound. */
vdnn_status vdnn_bpe_table_add(vdnn_bpe_table *table, int64_t number, const char *bytes,
                               size_t count);
/* Below 0: there is none. */
int32_t vdnn_bpe_table_find(const vdnn_bpe_table *table, const char *bytes, size_t count);

/* Of the next rank; a pair that has a merge keeps it. */
vdnn_status vdnn_bpe_table_merge(vdnn_bpe_table *table, int32_t left, int32_t right, int32_t token);
const vdnn_bpe_merge *vdnn_bpe_table_find_merge(const vdnn_bpe_table *table, int32_t left,
                                                int32_t right);

/* FNV-1a, with its bits mixed. */
uint64_t vdnn_bpe_hash(const char *bytes, size_t count);

#endif
