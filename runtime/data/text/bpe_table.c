#include "runtime/data/text/bpe_table.h"

#include "runtime/base/heap.h"

#include <string.h>

/* Slots of a table are a power of two, at most half of which are taken. */
enum { FIRST_SLOTS = 1024, FIRST_TOKENS = 512, FIRST_BYTES = 4096 };

static uint64_t mix(uint64_t hash)
{
    hash ^= hash >> 33;
    hash *= 0xff51afd7ed558ccd;
    return hash ^ hash >> 29;
}

uint64_t vdnn_bpe_hash(const char *bytes, size_t count)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3;
    return mix(hash);
}

static vdnn_status no_memory(void)
{
    return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a tokenizer");
}

void vdnn_bpe_table_fini(vdnn_bpe_table *table)
{
    vdnn_heap_free(table->tokens);
    vdnn_heap_free(table->bytes);
    vdnn_heap_free(table->by_bytes);
    vdnn_heap_free(table->merges);
    *table = (vdnn_bpe_table){0};
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static size_t slot_of(const vdnn_bpe_table *table, const char *bytes, size_t count)
{
    size_t slot = (size_t)vdnn_bpe_hash(bytes, count) & (table->slot_count - 1);
    while (table->by_bytes[slot] >= 0) {
        const vdnn_bpe_token *token = &table->tokens[table->by_bytes[slot]];
        if (token->bytes == count && memcmp(table->bytes + token->begin, bytes, count) == 0)
            break;
        slot = (slot + 1) & (table->slot_count - 1);
    }
    return slot;
}

int32_t vdnn_bpe_table_find(const vdnn_bpe_table *table, const char *bytes, size_t count)
{
    return table->slot_count == 0 ? -1 : table->by_bytes[slot_of(table, bytes, count)];
}

/* Numbers with their bytes go to a table of twice the slots. */
static vdnn_status grow_slots(vdnn_bpe_table *table)
{
    if (2 * table->used < table->slot_count)
        return VDNN_OK;
    const size_t before = table->slot_count;
    int32_t *old = table->by_bytes,
            *grown = vdnn_heap_calloc(before == 0 ? FIRST_SLOTS : 2 * before, sizeof *grown);
    if (grown == NULL)
        return no_memory();
    table->by_bytes = grown;
    table->slot_count = before == 0 ? FIRST_SLOTS : 2 * before;
    memset(grown, 0xff, table->slot_count * sizeof *grown);
    for (size_t i = 0; i < before; i++)
        if (old[i] >= 0) {
            const vdnn_bpe_token *token = &table->tokens[old[i]];
            grown[slot_of(table, table->bytes + token->begin, token->bytes)] = old[i];
        }
    vdnn_heap_free(old);
    return VDNN_OK;
}

/* A place for that token, and those before it. */
static vdnn_status grow_tokens(vdnn_bpe_table *table, size_t count)
{
    size_t capacity = table->capacity == 0 ? FIRST_TOKENS : table->capacity;
    while (capacity < count)
        capacity *= 2;
    if (capacity > table->capacity) {
        vdnn_bpe_token *grown = vdnn_heap_realloc(table->tokens, capacity, sizeof *grown);
        if (grown == NULL)
            return no_memory();
        memset(grown + table->capacity, 0, (capacity - table->capacity) * sizeof *grown);
        table->tokens = grown;
        table->capacity = capacity;
    }
    table->count = table->count < count ? count : table->count;
    return VDNN_OK;
}

static vdnn_status grow_bytes(vdnn_bpe_table *table, size_t count)
{
    size_t capacity = table->byte_capacity == 0 ? FIRST_BYTES : table->byte_capacity;
    while (capacity < table->byte_count + count)
        capacity *= 2;
    if (capacity == table->byte_capacity)
        return VDNN_OK;
    if (capacity > UINT32_MAX)
        return vdnn_status_fail(VDNN_BAD_INPUT, "its tokens have more than 2^32 bytes");
    char *grown = vdnn_heap_realloc(table->bytes, capacity, 1);
    if (grown == NULL)
        return no_memory();
    table->bytes = grown;
    table->byte_capacity = capacity;
    return VDNN_OK;
}

vdnn_status vdnn_bpe_table_add(vdnn_bpe_table *table, int64_t number, const char *bytes,
                               size_t count)
{
    if (number < 0 || number >= VDNN_BPE_MAX_TOKENS)
        return vdnn_status_fail(VDNN_BAD_INPUT,
                                "token %lld is out of range, 0 to %d is the limit of vdnn",
                                (long long)number, (int)VDNN_BPE_MAX_TOKENS - 1);
    if (count == 0 || count > VDNN_BPE_MAX_BYTES)
        return vdnn_status_fail(VDNN_BAD_INPUT, "token %lld has %zu bytes, expected 1 to %d",
                                (long long)number, count, (int)VDNN_BPE_MAX_BYTES);
    const int32_t same = vdnn_bpe_table_find(table, bytes, count);
    if (same >= 0)
        return vdnn_status_fail(VDNN_BAD_INPUT, "tokens %d and %lld are the same", (int)same,
                                (long long)number);
    VDNN_TRY(grow_tokens(table, (size_t)number + 1));
    VDNN_TRY(grow_bytes(table, count));
    vdnn_bpe_token *token = &table->tokens[number];
    if (token->bytes > 0)
        return vdnn_status_fail(VDNN_BAD_INPUT, "two tokens have the number %lld",
                                (long long)number);
    VDNN_TRY(grow_slots(table));
    memcpy(table->bytes + table->byte_count, bytes, count);
    const size_t slot = slot_of(table, bytes, count);
    token->begin = (uint32_t)table->byte_count;
    token->bytes = (uint32_t)count;
    table->byte_count += count;
    table->by_bytes[slot] = (int32_t)number;
    table->used++;
    return VDNN_OK;
}

/* ---- merges ---------------------------------------------------------------------------------- */

static size_t merge_slot(const vdnn_bpe_table *table, int32_t left, int32_t right)
{
    const uint64_t pair = (uint64_t)(uint32_t)left << 32 | (uint32_t)right;
    size_t slot = (size_t)mix(pair * 0x9e3779b97f4a7c15) & (table->merge_slots - 1);
    while (table->merges[slot].left >= 0 &&
           (table->merges[slot].left != left || table->merges[slot].right != right))
        slot = (slot + 1) & (table->merge_slots - 1);
    return slot;
}

static vdnn_status grow_merges(vdnn_bpe_table *table)
{
    if (2 * table->merge_count < table->merge_slots)
        return VDNN_OK;
    const size_t before = table->merge_slots, slots = before == 0 ? FIRST_SLOTS : 2 * before;
    vdnn_bpe_merge *old = table->merges, *grown = vdnn_heap_calloc(slots, sizeof *grown);
    if (grown == NULL)
        return no_memory();
    for (size_t i = 0; i < slots; i++)
        grown[i].left = -1;
    table->merges = grown;
    table->merge_slots = slots;
    for (size_t i = 0; i < before; i++)
        if (old[i].left >= 0)
            grown[merge_slot(table, old[i].left, old[i].right)] = old[i];
    vdnn_heap_free(old);
    return VDNN_OK;
}

vdnn_status vdnn_bpe_table_merge(vdnn_bpe_table *table, int32_t left, int32_t right, int32_t token)
{
    VDNN_TRY(grow_merges(table));
    vdnn_bpe_merge *merge = &table->merges[merge_slot(table, left, right)];
    if (merge->left >= 0)
        return VDNN_OK;
    *merge = (vdnn_bpe_merge){left, right, (int32_t)table->merge_count++, token};
    return VDNN_OK;
}

const vdnn_bpe_merge *vdnn_bpe_table_find_merge(const vdnn_bpe_table *table, int32_t left,
                                                int32_t right)
{
    if (table->merge_slots == 0)
        return NULL;
    const vdnn_bpe_merge *merge = &table->merges[merge_slot(table, left, right)];
    return merge->left >= 0 ? merge : NULL;
}
