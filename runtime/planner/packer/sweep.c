#include "runtime/planner/packer/sweep.h"

#include <string.h>

void vdnn_sweep_init(vdnn_sweep *own, vdnn_region *region, size_t count, int32_t horizon)
{
    const size_t times = (size_t)horizon + 1;
    own->gaps = vdnn_region_take(region, count + 1, sizeof *own->gaps);
    own->dies = vdnn_region_take(region, times, sizeof *own->dies);
    own->next = vdnn_region_take(region, count, sizeof *own->next);
    own->horizon = horizon;
}

/* Nothing is placed, and no life has ended. */
static void begin(vdnn_sweep *own, size_t bottom)
{
    memset(own->dies, -1, ((size_t)own->horizon + 1) * sizeof *own->dies);
    own->gaps[0] = (vdnn_sweep_gap){bottom, SIZE_MAX};
    own->gap_count = 1;
}

/* The smallest gap that is large enough, the lowest of equal ones. */
static void take_gap(vdnn_sweep *own, vdnn_placement_entry *item)
{
    int32_t best = own->gap_count - 1;
    for (int32_t i = 0; i < own->gap_count; i++)
        if (own->gaps[i].size >= item->bytes && own->gaps[i].size < own->gaps[best].size)
            best = i;
    vdnn_sweep_gap *taken = &own->gaps[best];
    item->offset = taken->offset;
    taken->offset += item->size;
    taken->size -= item->size;
    if (taken->size > 0)
        return;
    own->gap_count--;
    memmove(taken, taken + 1, (size_t)(own->gap_count - best) * sizeof *taken);
}

/* With the gaps on both sides, it becomes one. */
static void free_gap(vdnn_sweep *own, const vdnn_placement_entry *item)
{
    int32_t low = 0, high = own->gap_count - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (own->gaps[middle].offset < item->offset)
            low = middle + 1;
        else
            high = middle;
    }
    vdnn_sweep_gap *above = &own->gaps[low];
    bool joins_above = item->offset + item->size == above->offset;
    bool joins_below = low > 0 && above[-1].offset + above[-1].size == item->offset;
    if (joins_above && joins_below) {
        above[-1].size += item->size + above->size;
        own->gap_count--;
        memmove(above, above + 1, (size_t)(own->gap_count - low) * sizeof *above);
    } else if (joins_above) {
        *above = (vdnn_sweep_gap){item->offset, item->size + above->size};
    } else if (joins_below) {
        above[-1].size += item->size;
    } else {
        memmove(above + 1, above, (size_t)(own->gap_count - low) * sizeof *above);
        *above = (vdnn_sweep_gap){item->offset, item->size};
        own->gap_count++;
    }
}

size_t vdnn_sweep_place(vdnn_sweep *own, vdnn_placement *at, size_t bottom)
{
    size_t span = vdnn_placement_span(at, at->fixed);
    int32_t now = 0;
    at->placed = 0; /* in no columns */
    begin(own, bottom);
    for (int32_t i = at->fixed; i < at->count; i++) {
        vdnn_placement_entry *item = &at->entries[i];
        for (; now <= item->start; now++)
            for (int32_t dead = own->dies[now]; dead >= 0; dead = own->next[dead])
                free_gap(own, &at->entries[dead]);
        take_gap(own, item);
        own->next[i] = own->dies[item->end];
        own->dies[item->end] = i;
        const size_t end = vdnn_placement_end(item);
        span = end > span ? end : span;
    }
    return span;
}
