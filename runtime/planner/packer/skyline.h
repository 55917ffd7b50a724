#ifndef VDNN_RUNTIME_PLANNER_PACKER_SKYLINE_H
#define VDNN_RUNTIME_PLANNER_PACKER_SKYLINE_H

/* Packs items below a given height, by a search that fills the columns of a skyline from below.
 *
 * A column is a time at which no other's items are all alive too; its floor is the lowest offset
 * that is left in it. An item may rest where the highest floor of its columns is, and no floor may
 * rise so high that what is left to place in its column ends above the height. The search takes a
 * column with few items that may rest on its floor and tries each of them, then that none does; it
 * begins anew, with other items first and with the columns where it failed, until the work is done.
 *
 *     height ____________________________
 *                       _____
 *            floors ___|     |    ______
 *                  |  placed |___|
 *            0 ____|_____________|______  columns
 *
 * Invariant: pure; the same items, height and work give the same offsets. More work only adds
 * tries. Threads: any.
 *
 *     vdnn_skyline search;
 *     status = vdnn_skyline_init(&search, &region, items, count, fixed);
 *     if (status == VDNN_OK && vdnn_skyline_pack(&search, height, work))
 *         use(items[0].offset);
 */

#include "runtime/base/status.h"
#include "runtime/planner/workbench/region.h"

#include <stdint.h>

typedef struct vdnn_skyline_item {
    int32_t start, end; /* alive in [start, end) */
    int32_t size;       /* above 0, in units of the caller's */
    int32_t offset;     /* out, in the same; of those that are fixed given */
} vdnn_skyline_item;

struct vdnn_skyline_change;
struct vdnn_skyline_branch;

typedef struct vdnn_skyline {
    vdnn_skyline_item *items; /* borrowed */
    int32_t count, column_count;
    int32_t fixed; /* so many of the items, the first, are where they are */
    /* Of each item: */
    int32_t *first, *last; /* its columns: [first, last) */
    int32_t *rank;         /* the lowest is tried first */
    int32_t *rest;         /* the offset at which it may rest; placed: -1 */
    double *score;         /* what it is ranked by */
    /* Of each column: */
    int32_t *begin, *over; /* the items over column c: over[begin[c]] until over[begin[c + 1]] */
    int32_t *floor, *left; /* `left`: the sizes of those that are not placed */
    int32_t *resting;      /* how many of them may rest on its floor */
    int32_t *weight;       /* how often the search failed there */
    /* To return to an earlier try: */
    struct vdnn_skyline_change *changes;
    struct vdnn_skyline_branch *branches;
    int32_t change_count, change_limit, branch_count, branch_limit;
    int32_t height;
    int64_t work;
} vdnn_skyline;

/* The sizes of all that are alive at one time are together at most INT32_MAX. The first `fixed`
 * items have offsets; from 0 on they leave no gap below one another. VDNN_NO_MEMORY. */
vdnn_status vdnn_skyline_init(vdnn_skyline *search, vdnn_region *region, vdnn_skyline_item *items,
                              int32_t count, int32_t fixed);

/* Whether it found offsets; the work is counted in values that are looked at. */
bool vdnn_skyline_pack(vdnn_skyline *search, int32_t height, int64_t work);

#endif
