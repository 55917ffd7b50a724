#ifndef VDNN_RUNTIME_PLANNER_PACKER_SKYLINE_H
#define VDNN_RUNTIME_PLANNER_PACKER_SKYLINE_H

/* Packs items below a given height, by a search that fills the columns of a skyline from below.
 *
 * A column is a time whose set of live items is not part of another time's. Its floor is the lowest
 * offset that is free in it. An item can rest at the highest floor of its columns. No floor may
 * rise so high that the items left for its column would end above the height. The search takes a
 * column with few items that can rest on its floor, tries each of them, and then tries none. It
 * restarts, with other items first and with the columns where it failed, until the work is used up.
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
    int32_t start, end; /* live in [start, end) */
    int32_t size;       /* above 0, in a unit of the caller's choice */
    int32_t offset;     /* in the same unit; set by the search, given for fixed items */
} vdnn_skyline_item;

struct vdnn_skyline_change;
struct vdnn_skyline_branch;

typedef struct vdnn_skyline {
    vdnn_skyline_item *items; /* borrowed */
    int32_t count, column_count;
    int32_t fixed; /* how many of the first items keep their offsets */
    /* Per item: */
    int32_t *first, *last; /* its columns: [first, last) */
    int32_t *rank;         /* the lowest is tried first */
    int32_t *rest;         /* the offset at which it can rest; -1: it is placed */
    double *score;         /* the rank follows from it */
    /* Per column: */
    int32_t *begin, *over; /* the items over column c: over[begin[c]] until over[begin[c + 1]] */
    int32_t *floor, *left; /* `left`: the sum of the sizes of items that are not placed */
    int32_t *resting;      /* how many of these items can rest on its floor */
    int32_t *weight;       /* how often the search failed there */
    /* To return to an earlier try: */
    struct vdnn_skyline_change *changes;
    struct vdnn_skyline_branch *branches;
    int32_t change_count, change_limit, branch_count, branch_limit;
    int32_t height;
    int64_t work;
} vdnn_skyline;

/* The sizes of items live at one time sum to at most INT32_MAX. The first `fixed` items have
 * offsets, and leave no gap below them, from 0 upwards. VDNN_NO_MEMORY. */
vdnn_status vdnn_skyline_init(vdnn_skyline *search, vdnn_region *region, vdnn_skyline_item *items,
                              int32_t count, int32_t fixed);

/* Whether offsets were found. The unit of work is one value that is examined. */
bool vdnn_skyline_pack(vdnn_skyline *search, int32_t height, int64_t work);

#endif
