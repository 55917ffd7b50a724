#include "runtime/planner/packer/packer.h"

#include "runtime/planner/packer/span_search.h"

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t align_up(size_t value, size_t alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

static int32_t last_end(const vdnn_packer_item *items, int32_t count)
{
    int32_t last = 0;
    for (int32_t i = 0; i < count; i++)
        if (!items[i].pinned && items[i].end > last)
            last = items[i].end;
    return last;
}

/* What is the same in every order of the items that are not pinned. */
typedef struct limits {
    size_t pinned_end, bottom; /* they begin at the latter */
    size_t live;               /* the most of them alive at one time, in whole units */
    size_t least_span;
    int32_t horizon; /* the last end of one of them */
} limits;

static vdnn_status find_limits(vdnn_region *region, const vdnn_packer_item *items, int32_t count,
                               size_t alignment, limits *found)
{
    const int32_t horizon = last_end(items, count);
    size_t *change = vdnn_region_zeros(region, (size_t)horizon + 1, sizeof *change);
    if (change == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to pack %d buffers", (int)count);
    size_t most_rest = 0; /* of an item's last unit */
    *found = (limits){.horizon = horizon};
    for (int32_t i = 0; i < count; i++)
        if (items[i].pinned) {
            found->pinned_end = align_up(found->pinned_end, alignment) + items[i].bytes;
        } else {
            size_t size = align_up(items[i].bytes, alignment);
            change[items[i].start] += size;
            change[items[i].end] -= size;
            most_rest = size - items[i].bytes > most_rest ? size - items[i].bytes : most_rest;
        }
    size_t live = 0;
    for (int32_t t = 0; t <= horizon; t++) {
        live += change[t];
        found->live = live > found->live ? live : found->live;
    }
    found->bottom = align_up(found->pinned_end, alignment);
    found->least_span = horizon > 0 ? found->bottom : found->pinned_end;
    if (found->live > 0) /* only the topmost item may end within a unit */
        found->least_span += found->live - most_rest;
    return VDNN_OK;
}

static void place_pinned(vdnn_packer_item *items, int32_t count, size_t alignment)
{
    size_t end = 0;
    for (int32_t i = 0; i < count; i++)
        if (items[i].pinned) {
            items[i].offset = align_up(end, alignment);
            end = items[i].offset + items[i].bytes;
        }
}

/* The offset in another packing, above the bottom. */
static size_t before_of(const vdnn_packer_item *item, size_t bottom)
{
    if (!item->was_packed)
        return SIZE_MAX;
    return item->was_at > bottom ? item->was_at - bottom : 0;
}

/* The items of places, the offset of each place as the sum of those below it; then the others. */
static void list_entries(vdnn_span_search *in, const vdnn_packer_item *items, int32_t count,
                         size_t bottom)
{
    int32_t place = 0;
    size_t begin = 0;
    for (int others = 0; others < 2; others++)
        for (int32_t i = 0; i < count; i++) {
            const size_t size = align_up(items[i].bytes, in->alignment);
            if (items[i].pinned || (items[i].place == 0) != (others == 1))
                continue;
            if (items[i].place != place) {
                place = items[i].place;
                begin = in->fixed_end;
                in->fixed_end += size;
            }
            in->list[in->count++] = (vdnn_placement_entry){.start = items[i].start,
                                                           .end = items[i].end,
                                                           .index = i,
                                                           .bytes = items[i].bytes,
                                                           .size = size,
                                                           .offset = others ? 0 : begin,
                                                           .before = before_of(&items[i], bottom)};
            in->was_packed = in->was_packed || items[i].was_packed;
            in->fixed += !others;
        }
}

/* Over the items that are not pinned, for a span of so many bytes with those that are. */
static vdnn_status begin_search(vdnn_span_search *in, vdnn_region *region,
                                const vdnn_packer_item *items, int32_t count, const limits *known,
                                size_t bytes)
{
    in->list = vdnn_region_take(region, (size_t)count, sizeof *in->list);
    if (in->list == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to pack %d buffers", (int)count);
    list_entries(in, items, count, known->bottom);
    in->horizon = known->horizon;
    in->live = known->live;
    in->enough = larger(known->live, bytes > known->bottom ? bytes - known->bottom : 0);
    return vdnn_span_search_init(in, region);
}

vdnn_status vdnn_packer_least(vdnn_region *region, const vdnn_packer_item *items, int32_t count,
                              size_t alignment, size_t *span_bytes)
{
    limits known;
    vdnn_status status = find_limits(region, items, count, alignment, &known);
    if (status == VDNN_OK)
        *span_bytes = known.least_span;
    return status;
}

vdnn_status vdnn_packer_excess(vdnn_region *region, const vdnn_packer_item *items, int32_t count,
                               size_t alignment, size_t bytes, size_t *excess_bytes)
{
    limits known;
    vdnn_span_search search = {.alignment = alignment};
    size_t used = 0;
    vdnn_status status = find_limits(region, items, count, alignment, &known);
    if (status == VDNN_OK && known.least_span > bytes) {
        *excess_bytes = known.least_span - bytes;
        return VDNN_OK;
    }
    VDNN_IF_OK(status, begin_search(&search, region, items, count, &known, bytes));
    VDNN_IF_OK(status, vdnn_span_search_run(&search, region, &used));
    if (status == VDNN_OK)
        *excess_bytes = used <= (bytes > known.bottom ? bytes - known.bottom : 0) ? 0 : 1;
    return status;
}

/* Until the span is at most that many bytes. */
static vdnn_status pack_within(vdnn_region *region, vdnn_packer_item *items, int32_t count,
                               size_t alignment, size_t bytes, bool is_quick, int64_t *looks,
                               size_t *span_bytes)
{
    limits known;
    vdnn_span_search search = {.alignment = alignment, .is_quick = is_quick};
    size_t used = 0;
    VDNN_TRY(find_limits(region, items, count, alignment, &known));
    place_pinned(items, count, alignment);
    search.looks = known.least_span <= bytes ? looks : NULL;
    vdnn_status status = begin_search(&search, region, items, count, &known, bytes);
    VDNN_IF_OK(status, vdnn_span_search_run(&search, region, &used));
    if (status != VDNN_OK)
        return status;
    for (int32_t i = 0; i < search.count; i++)
        items[search.kept.entries[i].index].offset = known.bottom + search.kept.entries[i].offset;
    *span_bytes = search.count > 0 ? known.bottom + used : known.pinned_end;
    return VDNN_OK;
}

vdnn_status vdnn_packer_pack(vdnn_region *region, vdnn_packer_item *items, int32_t count,
                             size_t alignment, size_t *span_bytes)
{
    return pack_within(region, items, count, alignment, 0, false, NULL, span_bytes);
}

vdnn_status vdnn_packer_pack_within(vdnn_region *region, vdnn_packer_item *items, int32_t count,
                                    size_t alignment, size_t bytes, int64_t *looks,
                                    size_t *span_bytes)
{
    return pack_within(region, items, count, alignment, bytes, true, looks, span_bytes);
}
