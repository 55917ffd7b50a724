#include "runtime/planner/packer.h"

#include "runtime/base/heap.h"

#include <stdlib.h>
#include <string.h>

/* Best fit in an order of sizes scans all placed items for each new one; beyond this many items
 * only the sweep in time is tried, which scans those alive. */
enum { QUADRATIC_LIMIT = 6000 };

typedef struct entry {
    int32_t start, end, index;
    size_t bytes, offset;
} entry;

/* What the search for a better order may cost: comparisons (some ten milliseconds), and orders. */
enum { SEARCH_WORK = 16000000, SEARCH_ROUNDS = 1000 };

/* Items in the order in which they are placed, and room to try another. */
typedef struct order_search {
    entry *entries, *trial, *placed; /* `count` each */
    int32_t count;
    size_t alignment;
} order_search;

static size_t align_up(size_t value, size_t alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

static int by_index(const entry *a, const entry *b)
{
    return (a->index > b->index) - (a->index < b->index);
}

static int by_bytes(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? 1 : -1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return by_index(a, b);
}

static int by_start(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return by_bytes(left, right);
}

/* Long lives first, so that what stays lies at the bottom and what comes and goes above it. */
static int by_life(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    int32_t life_a = a->end - a->start, life_b = b->end - b->start;
    if (life_a != life_b)
        return life_a > life_b ? -1 : 1;
    return by_bytes(left, right);
}

/* The smallest gap between placed items alive at the same time; `placed` is sorted by offset. */
static size_t best_gap(const entry *placed, int32_t count, const entry *item, size_t alignment)
{
    size_t cursor = 0, best = 0, best_slack = SIZE_MAX;
    for (int32_t i = 0; i < count; i++) {
        if (placed[i].start >= item->end || item->start >= placed[i].end)
            continue;
        if (placed[i].offset >= cursor && placed[i].offset - cursor >= item->bytes &&
            placed[i].offset - cursor - item->bytes < best_slack) {
            best_slack = placed[i].offset - cursor - item->bytes;
            best = cursor;
        }
        size_t end = align_up(placed[i].offset + placed[i].bytes, alignment);
        if (end > cursor)
            cursor = end;
    }
    return best_slack < SIZE_MAX ? best : cursor;
}

static int32_t drop_dead(entry *placed, int32_t count, int32_t now)
{
    int32_t alive = 0;
    for (int32_t i = 0; i < count; i++)
        if (placed[i].end > now)
            placed[alive++] = placed[i];
    return alive;
}

/* Places the entries in their order; returns the span. `placed` is scratch. In order of time, what
 * is dead already is forgotten. */
static size_t place_in_order(entry *entries, int32_t count, entry *placed, size_t alignment,
                             bool in_time)
{
    size_t span = 0;
    int32_t placed_count = 0;
    for (int32_t i = 0; i < count; i++) {
        if (in_time && i > 0 && entries[i].start > entries[i - 1].start)
            placed_count = drop_dead(placed, placed_count, entries[i].start);
        entries[i].offset = best_gap(placed, placed_count, &entries[i], alignment);
        int32_t at = placed_count++;
        for (; at > 0 && placed[at - 1].offset > entries[i].offset; at--)
            placed[at] = placed[at - 1];
        placed[at] = entries[i];
        if (entries[i].offset + entries[i].bytes > span)
            span = entries[i].offset + entries[i].bytes;
    }
    return span;
}

/* The most that is alive at one time, in whole alignment units: no order spans less. 0 without
 * memory. */
static size_t live_bound(const order_search *in)
{
    int32_t horizon = 0;
    for (int32_t i = 0; i < in->count; i++)
        if (in->entries[i].end > horizon)
            horizon = in->entries[i].end;
    size_t *change = vdnn_heap_calloc((size_t)horizon + 1, sizeof *change);
    if (change == NULL)
        return 0;
    for (int32_t i = 0; i < in->count; i++) {
        size_t bytes = align_up(in->entries[i].bytes, in->alignment);
        change[in->entries[i].start] += bytes;
        change[in->entries[i].end] -= bytes;
    }
    size_t live = 0, most = 0;
    for (int32_t t = 0; t <= horizon; t++) {
        live += change[t];
        most = live > most ? live : most;
    }
    vdnn_heap_free(change);
    return most;
}

static size_t place_pinned(vdnn_packer_item *items, int32_t count, size_t alignment)
{
    size_t bottom = 0, end = 0;
    for (int32_t i = 0; i < count; i++)
        if (items[i].pinned) {
            items[i].offset = bottom;
            end = bottom + items[i].bytes;
            bottom = align_up(end, alignment);
        }
    return end;
}

/* A deterministic sequence: what the search tries must be the same on every run. */
static uint64_t next_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static int32_t topmost(const entry *entries, int32_t count)
{
    int32_t top = 0;
    for (int32_t i = 1; i < count; i++)
        if (entries[i].offset + entries[i].bytes > entries[top].offset + entries[top].bytes)
            top = i;
    return top;
}

static void move_entry(entry *entries, int32_t from, int32_t to)
{
    entry moved = entries[from];
    for (; from > to; from--)
        entries[from] = entries[from - 1];
    for (; from < to; from++)
        entries[from] = entries[from + 1];
    entries[to] = moved;
}

/* Hill climbing over orders: the item that ends highest is placed at an earlier turn, at times
 * any item at any turn; an order that is no worse is kept. Returns the best span; `items` then hold
 * its offsets. */
static size_t climb(order_search *in, size_t best, size_t least)
{
    int32_t count = in->count;
    uint64_t state = 1;
    int64_t rounds = SEARCH_WORK / ((int64_t)count * count + 1);
    if (rounds > SEARCH_ROUNDS)
        rounds = SEARCH_ROUNDS;
    for (int64_t round = 0; round < rounds && align_up(best, in->alignment) > least; round++) {
        memcpy(in->trial, in->entries, (size_t)count * sizeof *in->trial);
        bool any = round % 4 == 3;
        int32_t from =
            any ? (int32_t)(next_number(&state) % (uint64_t)count) : topmost(in->trial, count);
        int32_t range = any ? count : from + 1;
        move_entry(in->trial, from, (int32_t)(next_number(&state) % (uint64_t)range));
        size_t used = place_in_order(in->trial, count, in->placed, in->alignment, false);
        if (used > best)
            continue;
        entry *kept = in->trial;
        in->trial = in->entries;
        in->entries = kept;
        best = used;
    }
    return best;
}

/* The best of a few orders; the entries are left in it, with its offsets. */
static size_t best_order(order_search *in, size_t least)
{
    static const struct {
        int (*compare)(const void *, const void *);
        bool in_time;
    } orders[] = {{by_start, true}, {by_bytes, false}, {by_life, false}};
    size_t best = SIZE_MAX, bytes = (size_t)in->count * sizeof(entry);
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        if ((best < SIZE_MAX && align_up(best, in->alignment) <= least) ||
            (in->count > QUADRATIC_LIMIT && !orders[o].in_time))
            break;
        memcpy(in->trial, in->entries, bytes);
        qsort(in->trial, (size_t)in->count, sizeof(entry), orders[o].compare);
        size_t used =
            place_in_order(in->trial, in->count, in->placed, in->alignment, orders[o].in_time);
        if (used >= best)
            continue;
        best = used;
        memcpy(in->entries, in->trial, bytes);
    }
    return best;
}

vdnn_status vdnn_packer_pack(vdnn_packer_item *items, int32_t count, size_t alignment,
                             size_t *span_bytes)
{
    size_t span = place_pinned(items, count, alignment), bottom = align_up(span, alignment);
    order_search search = {.alignment = alignment};
    entry *memory = vdnn_heap_calloc(3 * ((size_t)count + 1), sizeof *memory);
    if (memory == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to pack %d buffers", (int)count);
    search.entries = memory;
    search.trial = memory + count + 1;
    search.placed = memory + 2 * (count + 1);
    for (int32_t i = 0; i < count; i++)
        if (!items[i].pinned)
            search.entries[search.count++] =
                (entry){items[i].start, items[i].end, i, items[i].bytes, 0};
    if (search.count > 0) {
        size_t least = live_bound(&search);
        size_t best = climb(&search, best_order(&search, least), least);
        for (int32_t i = 0; i < search.count; i++)
            items[search.entries[i].index].offset = bottom + search.entries[i].offset;
        span = bottom + best;
    }
    *span_bytes = span;
    vdnn_heap_free(memory);
    return VDNN_OK;
}
