#ifndef VDNN_RUNTIME_PLANNER_PACKER_PLACEMENT_H
#define VDNN_RUNTIME_PLANNER_PACKER_PLACEMENT_H

// clang-format off
/* An order of entries and the offsets that follow from it: each is placed among those before it.
 *
 *     bytes ^     ________________
 *           |    |       2        |      best fit: entry 3 is placed in the smallest gap that holds it
 *           |  __|________________|      between the entries of lower rank that are live at the same
 *           | |  1   | |    3   |        time
 *           | |______|_|________|__
 *           | |__________0_________|
 *           +-------------------------> time
 *
 * The rank of an entry is its index in `entries`.
 *
 * Invariant: pure; placed entries that are live at the same time share no byte; the first `fixed`
 * entries keep their ranks and their given offsets.
 * Threads: one.
 *
 *     vdnn_placement_number(entries, count, horizon, numbers);  // once, in any order
 *     vdnn_placement_init(&at, &region, count);
 *     ... at.entries, at.count and at.fixed (ranking.h) ...
 *     span = vdnn_placement_fit(&at, SIZE_MAX);
 *     if (vdnn_placement_move(&at, from, to, span))
 *         span = vdnn_placement_span(&at, at.count);            // no larger than before
 */
// clang-format on

#include "runtime/planner/workbench/region.h"

#include <stdint.h>

/* Best fit scans all placed entries for each new one. For more entries than this only the sweep is
 * used (sweep.h), which scans the live ones. Twice this many fit in 16 bits. */
enum { VDNN_PLACEMENT_MOST = 6000 };

typedef struct vdnn_placement_entry {
    int32_t start, end;         /* live in [start, end) */
    int32_t index;              /* the caller's */
    int16_t first, last;        /* start and end, as indexes into all starts and ends in order */
    size_t bytes, size, offset; /* `size`: the bytes, rounded up to the alignment */
    size_t before;              /* the offset in another packing; SIZE_MAX: none */
} vdnn_placement_entry;

typedef struct vdnn_placement {
    vdnn_placement_entry *entries;
    /* Columns: the entries that have an offset by best fit, the lowest first, and one block more.
     * They have 16 bits, so that twice as many are compared at once. */
    int16_t *first, *last, *rank;
    int32_t count, placed; /* `placed`: how many are in the columns */
    int32_t fixed;         /* how many of the first have given offsets and keep their ranks */
} vdnn_placement;

static inline size_t vdnn_placement_end(const vdnn_placement_entry *item)
{
    return item->offset + item->bytes;
}

/* Takes memory for `count` entries; on failure the region is marked as failed. */
void vdnn_placement_init(vdnn_placement *at, vdnn_region *region, size_t count);
/* Sets first and last of at most VDNN_PLACEMENT_MOST entries, before these are placed by best fit.
 * `numbers` is scratch: zeros, one for each time up to the horizon (the last end). */
void vdnn_placement_number(vdnn_placement_entry *entries, int32_t count, int32_t horizon,
                           int32_t *numbers);

/* The highest end of the first `count` entries; the entry with the highest end of all. */
size_t vdnn_placement_span(const vdnn_placement *at, int32_t count);
int32_t vdnn_placement_topmost(const vdnn_placement *at);

/* Places all entries by best fit in the order of their ranks. Returns the span, or `most` as soon
 * as the span is known to be at least that. */
size_t vdnn_placement_fit(vdnn_placement *at, size_t most);
/* Places all entries as in another packing, in the order of their offsets there. Each is as low as
 * the entries before it allow, so none is higher than in that packing unless lives are longer. Then
 * places new entries in gaps. Returns the span; no entry is in the columns. `floors` is scratch:
 * one for each time up to the horizon. */
size_t vdnn_placement_drop(vdnn_placement *at, size_t *floors, int32_t horizon);

/* Puts all entries, with their offsets, into the columns. */
void vdnn_placement_list(vdnn_placement *at);
/* Moves one entry to another rank and places again what that changes, with the result of best fit
 * of all. All entries must be in the columns and end at most at `most`. False as soon as one ends
 * above `most`; then the offsets are invalid. */
bool vdnn_placement_move(vdnn_placement *at, int32_t from, int32_t to, size_t most);

/* Copies into a placement that has memory for as many entries. */
void vdnn_placement_copy(vdnn_placement *to, const vdnn_placement *from);

#endif
