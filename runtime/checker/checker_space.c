#include "runtime/checker/checker_internal.h"

#include "runtime/base/heap.h"

#include <stdlib.h>

/* No two live buffers share a byte. Buffers are taken in the order of their first step, which every
 * happens-before order agrees with; a map of the tier's addresses knows the last buffer on each
 * range:
 *
 *     addresses   0        64       128      192
 *                 | buf 2  | buf 5           |        buf 7 at [64, 192):
 *                                                     all accesses of 5 must come before all of 7
 *
 * Buffers below buffer 5 were ordered before it when it was added, so they need no check:
 * transitivity. If the network requires zones behind its buffers, a zone is a part of its buffer
 * here.
 *
 * The map is a segment tree over the sorted ends of all buffers; a node has one owner, or is mixed.
 * Each buffer adds at most a few borders, so all look-ups together are O(n log n). */

enum { NOBODY = -1, MIXED = -2 };

typedef struct space {
    const vdnn_checker *checker;
    size_t *edges; /* sorted, unique begins and ends of the tier's buffers */
    size_t edge_count;
    int32_t *owner; /* of each node: a buffer, NOBODY, MIXED */
    int32_t *order; /* buffers of the tier: persistent ones, then by first step */
    size_t order_count;
} space;

static int compare_sizes(const void *a, const void *b)
{
    const size_t left = *(const size_t *)a, right = *(const size_t *)b;
    return (left > right) - (left < right);
}

static size_t end_of(const vdnn_plan *plan, const vdnn_buffer *buffer)
{
    size_t end = buffer->offset + buffer->bytes, zone = plan->graph->zone_bytes;
    return zone == 0 ? end : (end + VDNN_ALIGNMENT - 1) / VDNN_ALIGNMENT * VDNN_ALIGNMENT + zone;
}

static size_t edge_index(const space *map, size_t address)
{
    size_t low = 0, high = map->edge_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (map->edges[middle] <= address)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* All accesses of `a` are complete before any of `b` starts. */
static bool all_before(const vdnn_checker *checker, int32_t a, int32_t b)
{
    const vdnn_checker_users *early = &checker->users[a], *late = &checker->users[b];
    for (int s = 0; s < VDNN_STREAM_COUNT; s++)
        for (int t = 0; t < VDNN_STREAM_COUNT; t++)
            if (early->last[s] >= 0 && late->first[t] >= 0 &&
                !vdnn_checker_before(checker, early->last[s], late->first[t]))
                return false;
    return true;
}

static vdnn_status refuse_overlap(const vdnn_checker *checker, int32_t old, int32_t fresh)
{
    const vdnn_buffer *a = &checker->plan->buffers[old], *b = &checker->plan->buffers[fresh];
    if (a->persistent || b->persistent)
        return vdnn_checker_refuse(
            checker, -1, -1, old,
            "buffer %d (%zu bytes at %zu) shares bytes with one that is kept for ever", fresh,
            b->bytes, b->offset);
    return vdnn_checker_refuse(
        checker, b->first_step, a->last_step, old,
        "buffer %d (%zu bytes at %zu) shares bytes with one that is alive at the same time", fresh,
        b->bytes, b->offset);
}

static vdnn_status take(space *map, size_t node, size_t begin, size_t end, size_t from, size_t to,
                        int32_t buffer)
{
    if (to <= begin || end <= from)
        return VDNN_OK;
    const vdnn_checker *checker = map->checker;
    const int32_t old = map->owner[node];
    if (old >= 0 && (checker->plan->buffers[old].persistent || !all_before(checker, old, buffer)))
        return refuse_overlap(checker, old, buffer);
    if (old != MIXED && from <= begin && end <= to) {
        map->owner[node] = buffer;
        return VDNN_OK;
    }
    if (old != MIXED)
        map->owner[2 * node] = map->owner[2 * node + 1] = old;
    const size_t middle = begin + (end - begin) / 2;
    vdnn_status status = take(map, 2 * node, begin, middle, from, to, buffer);
    VDNN_IF_OK(status, take(map, 2 * node + 1, middle, end, from, to, buffer));
    map->owner[node] =
        map->owner[2 * node] == map->owner[2 * node + 1] ? map->owner[2 * node] : MIXED;
    return status;
}

/* Buffers by first step, without a sort: buckets of steps. Persistent ones come before all. */
static vdnn_status order_buffers(space *map, vdnn_tier tier)
{
    const vdnn_plan *plan = map->checker->plan;
    int32_t *next = vdnn_heap_calloc((size_t)plan->buffer_count, sizeof *next);
    int32_t *head = vdnn_heap_calloc((size_t)plan->step_count + 1, sizeof *head);
    if (next == NULL || head == NULL) {
        vdnn_heap_free(next);
        vdnn_heap_free(head);
        return vdnn_checker_no_memory((size_t)plan->buffer_count);
    }
    for (int32_t i = 0; i <= plan->step_count; i++)
        head[i] = NOBODY;
    for (int32_t b = plan->buffer_count - 1; b >= 0; b--) {
        const vdnn_buffer *buffer = &plan->buffers[b];
        if (buffer->tier != tier)
            continue;
        const int32_t bucket = buffer->persistent ? 0 : buffer->first_step + 1;
        next[b] = head[bucket];
        head[bucket] = b;
    }
    for (int32_t i = 0; i <= plan->step_count; i++)
        for (int32_t b = head[i]; b >= 0; b = next[b])
            map->order[map->order_count++] = b;
    vdnn_heap_free(next);
    vdnn_heap_free(head);
    return VDNN_OK;
}

static void find_edges(space *map)
{
    const vdnn_plan *plan = map->checker->plan;
    size_t count = 0;
    for (size_t i = 0; i < map->order_count; i++) {
        const vdnn_buffer *buffer = &plan->buffers[map->order[i]];
        map->edges[count++] = buffer->offset;
        map->edges[count++] = end_of(plan, buffer);
    }
    qsort(map->edges, count, sizeof *map->edges, compare_sizes);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || map->edges[i] != map->edges[map->edge_count - 1])
            map->edges[map->edge_count++] = map->edges[i];
}

static vdnn_status check_overlaps(const vdnn_checker *checker, vdnn_tier tier)
{
    const vdnn_plan *plan = checker->plan;
    const size_t most = 2 * (size_t)plan->buffer_count + 1;
    space map = {.checker = checker};
    map.edges = vdnn_heap_calloc(most, sizeof *map.edges);
    map.owner = vdnn_heap_calloc(4 * most, sizeof *map.owner);
    map.order = vdnn_heap_calloc(most, sizeof *map.order);
    vdnn_status status = VDNN_OK;
    if (map.edges == NULL || map.owner == NULL || map.order == NULL)
        status = vdnn_checker_no_memory(most);
    VDNN_IF_OK(status, order_buffers(&map, tier));
    if (status == VDNN_OK) {
        find_edges(&map);
        map.owner[1] = NOBODY;
    }
    for (size_t i = 0; status == VDNN_OK && i < map.order_count; i++) {
        const vdnn_buffer *buffer = &plan->buffers[map.order[i]];
        status = take(&map, 1, 0, map.edge_count - 1, edge_index(&map, buffer->offset),
                      edge_index(&map, end_of(plan, buffer)), map.order[i]);
    }
    vdnn_heap_free(map.edges);
    vdnn_heap_free(map.owner);
    vdnn_heap_free(map.order);
    return status;
}

static vdnn_status check_span(const vdnn_checker *checker, vdnn_tier tier)
{
    const vdnn_plan *plan = checker->plan;
    const size_t claimed = plan->span_bytes[tier], budget = checker->budget_bytes[tier];
    size_t span = 0;
    for (int32_t b = 0; b < plan->buffer_count; b++) {
        const vdnn_buffer *buffer = &plan->buffers[b];
        if (buffer->tier != tier)
            continue;
        if (buffer->offset % vdnn_tier_alignment(tier) != 0)
            return vdnn_checker_refuse(checker, -1, -1, b, "an offset is no multiple of %zu",
                                       vdnn_tier_alignment(tier));
        if (buffer->offset > claimed || buffer->bytes > claimed - buffer->offset ||
            end_of(plan, buffer) > claimed)
            return vdnn_checker_refuse(checker, -1, -1, b,
                                       "a buffer reaches beyond the %s span of %zu bytes",
                                       vdnn_tier_text(tier), claimed);
        if (end_of(plan, buffer) > span)
            span = end_of(plan, buffer);
    }
    if (claimed - span >= VDNN_ALIGNMENT)
        return vdnn_checker_refuse(checker, -1, -1, -1,
                                   "the plan claims a %s span of %zu bytes, but uses %zu",
                                   vdnn_tier_text(tier), claimed, span);
    if (claimed > budget)
        return vdnn_status_fail(VDNN_NO_FIT,
                                "the plan needs %zu bytes of %s memory, the budget is %zu bytes",
                                claimed, vdnn_tier_text(tier), budget);
    return VDNN_OK;
}

vdnn_status vdnn_checker_space(vdnn_checker *checker)
{
    vdnn_status status = VDNN_OK;
    for (int tier = 0; tier < VDNN_TIER_COUNT && status == VDNN_OK; tier++)
        status = check_span(checker, (vdnn_tier)tier);
    for (int tier = 0; tier < VDNN_TIER_COUNT && status == VDNN_OK; tier++)
        status = check_overlaps(checker, (vdnn_tier)tier);
    return status;
}
