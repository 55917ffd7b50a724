#ifndef VDNN_RUNTIME_PLANNER_PACKER_PLACEMENT_H
#define VDNN_RUNTIME_PLANNER_PACKER_PLACEMENT_H

// clang-format off
/* Entries in an order, and the offsets that follow from it: each is placed between those before it.
 *
 *     bytes ^     ________________
 *           |    |       2        |      best fit: entry 3 goes into the smallest gap that holds it
 *           |  __|________________|      between those of lower rank that are alive at the same
 *           | |  1   | |    3   |        time
 *           | |______|_|________|__
 *           | |__________0_________|
 *           +-------------------------> time
 *
 * An entry's rank, its turn, is its index.
 *
 * Invariant: pure; placed entries that are alive at the same time share no byte; the first `fixed`
 * keep their ranks and the offsets that they were given.
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

/* Best fit scans all placed entries for each new one: for more than so many there is only the sweep
 * (sweep.h), which scans those alive. Twice as many fit 16 bits. */
enum { VDNN_PLACEMENT_MOST = 6000 };

typedef struct vdnn_placement_entry {
    int32_t start, end;  /* alive in [start, end) */
    int32_t index;       /* the caller's */
    int16_t first, last; /* start and end, as numbers of the times at which lives do either */
    size_t bytes, size, offset; /* `size`: the bytes in whole units of the alignment */
    size_t before;              /* the offset in another packing; SIZE_MAX: in none */
} vdnn_placement_entry;

typedef struct vdnn_placement {
    vdnn_placement_entry *entries;
    /* Columns: of entries that have an offset by best fit, the lowest first, and a block more; of
     * 16 bits, so that twice as many are compared at once. */
    int16_t *first, *last, *rank;
    int32_t count, placed; /* `placed`: how many are in the columns */
    int32_t fixed;         /* the first of them, whose offsets are given; they keep their ranks */
} vdnn_placement;

static inline size_t vdnn_placement_end(const vdnn_placement_entry *item)
{
    return item->offset + item->bytes;
}

/* For so many entries; without memory the region has failed. */
void vdnn_placement_init(vdnn_placement *at, vdnn_region *region, size_t count);
/* The times of at most VDNN_PLACEMENT_MOST entries, which are then placed by best fit. `numbers`:
 * zeros, one for each time up to the horizon, the last end; scratch. */
void vdnn_placement_number(vdnn_placement_entry *entries, int32_t count, int32_t horizon,
                           int32_t *numbers);

/* The highest end of the first entries, so many; the entry that ends highest of all. */
size_t vdnn_placement_span(const vdnn_placement *at, int32_t count);
int32_t vdnn_placement_topmost(const vdnn_placement *at);

/* Places all by best fit, in the order of their ranks. Returns the span, or `most` as soon as it is
 * known not to be smaller. */
size_t vdnn_placement_fit(vdnn_placement *at, size_t most);
/* Places all as in another packing, in the order of the offsets that they had there: each rests on
 * those before it, so that none is higher than it was as long as no life is longer; then those that
 * it had not, in gaps. Returns the span; none is in the columns. `floors`: one for each time up to
 * the horizon; scratch. */
size_t vdnn_placement_drop(vdnn_placement *at, size_t *floors, int32_t horizon);

/* All entries, with the offsets that they have, into the columns. */
void vdnn_placement_list(vdnn_placement *at);
/* Of entries that are all in the columns, and end no higher than `most`, one gets another rank, and
 * what that changes is placed again, as by best fit of all. False as soon as one ends above `most`;
 * the offsets are of no use then. */
bool vdnn_placement_move(vdnn_placement *at, int32_t from, int32_t to, size_t most);

/* Of one that has room for as many. */
void vdnn_placement_copy(vdnn_placement *to, const vdnn_placement *from);

#endif
