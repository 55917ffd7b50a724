#include "runtime/plan/packer.h"

#include "alloc/heap.h"

#include <stdlib.h>

/* Each order costs a scan of all placed items for each new one; beyond this many, one order is
 * enough. */
enum { QUADRATIC_LIMIT = 24000 };

typedef struct entry {
    const vdnn_packer_item *item;
    int32_t index;
    size_t offset;
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
    if (a->item->bytes != b->item->bytes)
        return a->item->bytes < b->item->bytes ? 1 : -1;
    if (a->item->start != b->item->start)
        return a->item->start < b->item->start ? -1 : 1;
    return by_index(a, b);
}

static int by_start(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    if (a->item->start != b->item->start)
        return a->item->start < b->item->start ? -1 : 1;
    if (a->item->end != b->item->end)
        return a->item->end > b->item->end ? -1 : 1;
    return by_bytes(left, right);
}

/* Long lives first, so that what stays lies at the bottom and what comes and goes above it. */
static int by_life(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    int32_t life_a = a->item->end - a->item->start, life_b = b->item->end - b->item->start;
    if (life_a != life_b)
        return life_a > life_b ? -1 : 1;
    return by_bytes(left, right);
}

static bool meet(const vdnn_packer_item *a, const vdnn_packer_item *b)
{
    return a->start < b->end && b->start < a->end;
}

/* The smallest gap between placed items alive at the same time; `placed` is sorted by offset. */
static size_t best_gap(const entry *placed, int32_t count, const vdnn_packer_item *item,
                       size_t alignment)
{
    size_t cursor = 0, best = 0, best_slack = 0;
    bool found = false;
    for (int32_t i = 0; i < count; i++) {
        if (!meet(placed[i].item, item))
            continue;
        if (placed[i].offset >= cursor && placed[i].offset - cursor >= item->bytes) {
            size_t slack = placed[i].offset - cursor - item->bytes;
            if (!found || slack < best_slack) {
                found = true;
                best = cursor;
                best_slack = slack;
            }
        }
        size_t end = align_up(placed[i].offset + placed[i].item->bytes, alignment);
        if (end > cursor)
            cursor = end;
    }
    return found ? best : cursor;
}

/* Places the entries in their order; returns the span. `placed` is scratch. */
static size_t place_in_order(entry *entries, int32_t count, entry *placed, size_t alignment)
{
    size_t span = 0;
    for (int32_t i = 0; i < count; i++) {
        entries[i].offset = best_gap(placed, i, entries[i].item, alignment);
        int32_t at = i;
        for (; at > 0 && placed[at - 1].offset > entries[i].offset; at--)
            placed[at] = placed[at - 1];
        placed[at] = entries[i];
        if (entries[i].offset + entries[i].item->bytes > span)
            span = entries[i].offset + entries[i].item->bytes;
    }
    return span;
}

static size_t live_bound(entry *entries, int32_t count)
{
    int32_t horizon = 0;
    for (int32_t i = 0; i < count; i++)
        if (entries[i].item->end > horizon)
            horizon = entries[i].item->end;
    size_t *change = vdnn_heap_calloc((size_t)horizon + 1, sizeof *change);
    if (change == NULL)
        return 0;
    for (int32_t i = 0; i < count; i++) {
        change[entries[i].item->start] += entries[i].item->bytes;
        change[entries[i].item->end] -= entries[i].item->bytes;
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
    static int (*const orders[])(const void *, const void *) = {by_bytes, by_life, by_start};
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
            entries[moving++] = (entry){&items[i], i, 0};
    size_t least = live_bound(entries, moving), best = 0;
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        qsort(entries, (size_t)moving, sizeof *entries, orders[o]);
        size_t used = place_in_order(entries, moving, placed, alignment);
        if (o == 0 || used < best) {
            best = used;
            keep_offsets(items, entries, moving, bottom);
        }
        if (best == least || moving > QUADRATIC_LIMIT)
            break;
    }
    *span_bytes = moving > 0 ? bottom + best : span;
    vdnn_heap_free(entries);
    vdnn_heap_free(placed);
    return VDNN_OK;
}
