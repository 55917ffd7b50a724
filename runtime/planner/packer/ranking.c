#include "runtime/planner/packer/ranking.h"

#include <string.h>

/* What is compared, one after the other, the smallest first. */
typedef struct vdnn_ranking_key {
    uint64_t order, bytes, start; /* the lower half of `start` is the entry's place */
} sort_key;

static sort_key key_of(const vdnn_placement_entry *item, int32_t place, vdnn_ranking by)
{
    uint64_t keys[] = {
        [VDNN_RANKING_AS_BEFORE] = item->before,
        [VDNN_RANKING_BY_START] = (uint64_t)item->start << 32 | (uint32_t)(INT32_MAX - item->end),
        [VDNN_RANKING_BY_BYTES] = 0,
        [VDNN_RANKING_BY_LIFE] = (uint64_t)(INT32_MAX - (item->end - item->start)),
    };
    return (sort_key){keys[by], UINT64_MAX - item->bytes,
                      (uint64_t)item->start << 32 | (uint32_t)place};
}

static bool is_before(const sort_key *a, const sort_key *b)
{
    if (a->order != b->order)
        return a->order < b->order;
    return a->bytes != b->bytes ? a->bytes < b->bytes : a->start < b->start;
}

/* Two sorted runs become one. */
static void merge_runs(const sort_key *low, const sort_key *middle, const sort_key *end,
                       sort_key *to)
{
    const sort_key *left = low, *right = middle;
    while (left < middle && right < end)
        *to++ = is_before(right, left) ? *right++ : *left++;
    while (left < middle)
        *to++ = *left++;
    while (right < end)
        *to++ = *right++;
}

/* Returns where they are sorted: one of the two. */
static sort_key *sort_keys(sort_key *keys, sort_key *spare, int32_t count)
{
    for (int32_t width = 1; width < count; width *= 2) {
        for (int32_t low = 0; low < count; low += 2 * width) {
            int32_t middle = count - low < width ? count : low + width;
            int32_t end = count - middle < width ? count : middle + width;
            merge_runs(keys + low, keys + middle, keys + end, spare + low);
        }
        sort_key *sorted = spare;
        spare = keys;
        keys = sorted;
    }
    return keys;
}

void vdnn_ranking_init(vdnn_ranking_sorter *own, vdnn_region *region, size_t count)
{
    own->keys = vdnn_region_take(region, count, sizeof *own->keys);
    own->spare = vdnn_region_take(region, count, sizeof *own->spare);
}

void vdnn_ranking_sort(vdnn_ranking_sorter *own, vdnn_ranking by, const vdnn_placement_entry *list,
                       vdnn_placement *to)
{
    const int32_t fixed = to->fixed, count = to->count - fixed;
    memcpy(to->entries, list, (size_t)fixed * sizeof *list);
    for (int32_t i = 0; i < count; i++)
        own->keys[i] = key_of(&list[fixed + i], fixed + i, by);
    const sort_key *sorted = sort_keys(own->keys, own->spare, count);
    for (int32_t i = 0; i < count; i++)
        to->entries[fixed + i] = list[(uint32_t)sorted[i].start];
}
