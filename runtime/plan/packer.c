#include "runtime/plan/packer.h"

#include "alloc/heap.h"

#include <stdlib.h>

/* Best fit in an order of sizes scans all placed items for each new one; beyond this many items
 * only the sweep in time is tried, which scans those alive. */
enum { QUADRATIC_LIMIT = 6000 };

typedef struct entry {
    int32_t start, end, index;
    size_t bytes, offset;
} entry;

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

static size_t live_bound(entry *entries, int32_t count)
{
    int32_t horizon = 0;
    for (int32_t i = 0; i < count; i++)
        if (entries[i].end > horizon)
            horizon = entries[i].end;
    size_t *change = vdnn_heap_calloc((size_t)horizon + 1, sizeof *change);
    if (change == NULL)
        return 0;
    for (int32_t i = 0; i < count; i++) {
        change[entries[i].start] += entries[i].bytes;
        change[entries[i].end] -= entries[i].bytes;
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

static void keep_offsets(vdnn_packer_item *items, const entry *entries, int32_t count,
                         size_t bottom)
{
    for (int32_t i = 0; i < count; i++)
        items[entries[i].index].offset = bottom + entries[i].offset;
}

vdnn_status vdnn_packer_pack(vdnn_packer_item *items, int32_t count, size_t alignment,
                             size_t *span_bytes)
{
    static const struct {
        int (*compare)(const void *, const void *);
        bool in_time;
    } orders[] = {{by_start, true}, {by_bytes, false}, {by_life, false}};
    size_t span = place_pinned(items, count, alignment), bottom = align_up(span, alignment);
    entry *entries = vdnn_heap_calloc((size_t)count + 1, sizeof *entries);
    entry *placed = vdnn_heap_calloc((size_t)count + 1, sizeof *placed);
    if (entries == NULL || placed == NULL) {
        vdnn_heap_free(entries);
        vdnn_heap_free(placed);
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to pack %d buffers", (int)count);
    }
    int32_t moving = 0;
    for (int32_t i = 0; i < count; i++)
        if (!items[i].pinned)
            entries[moving++] = (entry){items[i].start, items[i].end, i, items[i].bytes, 0};
    size_t least = live_bound(entries, moving), best = SIZE_MAX;
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        if (best <= least || (moving > QUADRATIC_LIMIT && !orders[o].in_time))
            break;
        qsort(entries, (size_t)moving, sizeof *entries, orders[o].compare);
        size_t used = place_in_order(entries, moving, placed, alignment, orders[o].in_time);
        if (used < best) {
            best = used;
            keep_offsets(items, entries, moving, bottom);
        }
    }
    *span_bytes = moving > 0 ? bottom + best : span;
    vdnn_heap_free(entries);
    vdnn_heap_free(placed);
    return VDNN_OK;
}
