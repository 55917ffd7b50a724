#ifndef VDNN_RUNTIME_PLANNER_PACKER_PACKER_H
#define VDNN_RUNTIME_PLANNER_PACKER_PACKER_H

/* The packer: assigns offsets so that items live at the same time share no byte, in a small span
 * (dynamic storage allocation, which is NP-hard: the best result of several heuristics is used).
 *
 *     bytes ________________________________
 *           |      others, wherever        |
 *           | place 2 |        ___| place 2|
 *           | place 1|________|   place 1  |
 *           |________|   others   |________|
 *           |            pinned            |
 *         0 |______________________________| time
 *
 * Invariant: pure; offsets are multiples of the alignment. Pinned items are first, in their order,
 * at the bottom, and places are next, in their order. So plans with the same pinned items have the
 * same offsets for them, and a place has the offset of a further pinned item of its size.
 * Threads: any.
 *
 *     vdnn_packer_item items[n] = {{.start = 0, .end = 7, .bytes = 4096}, ...};
 *     status = vdnn_packer_pack(&region, items, n, VDNN_ALIGNMENT, &span);
 */

#include "runtime/base/status.h"
#include "runtime/planner/workbench/region.h"

#include <stdint.h>

typedef struct vdnn_packer_item {
    int32_t start, end; /* live in [start, end) */
    bool pinned;        /* always live, at the bottom */
    int32_t place;      /* above 0: shares its offset with adjacent items of that number, which have
                           the same size and are live at other times */
    bool was_packed;    /* it has an offset, `was_at`, in a similar packing */
    size_t was_at;
    size_t bytes;
    size_t offset; /* set by the packer */
} vdnn_packer_item;

/* Sets the offsets; *span_bytes is the highest end. Memory taken from the region stays taken.
 * VDNN_NO_MEMORY. */
vdnn_status vdnn_packer_pack(vdnn_region *region, vdnn_packer_item *items, int32_t count,
                             size_t alignment, size_t *span_bytes);

/* Packs with a small part of the work, for one of many plans, and ends as soon as the span is at
 * most `bytes`. A larger span may be larger than that of vdnn_packer_pack. If a packing in `bytes`
 * may be possible and *looks is above 0, columns are searched too, and *looks is reduced by the
 * work that takes; NULL: columns are not searched. */
vdnn_status vdnn_packer_pack_within(vdnn_region *region, vdnn_packer_item *items, int32_t count,
                                    size_t alignment, size_t bytes, int64_t *looks,
                                    size_t *span_bytes);

/* A lower bound of every packing's span: the most bytes that are live at one time. */
vdnn_status vdnn_packer_least(vdnn_region *region, const vdnn_packer_item *items, int32_t count,
                              size_t alignment, size_t *span_bytes);

/* Sets *excess_bytes to 0 if the packing's span is at most `bytes`, which is mostly known long
 * before the smallest span is found. Else to the excess of the lower bound, or to 1 if it has none.
 */
vdnn_status vdnn_packer_excess(vdnn_region *region, const vdnn_packer_item *items, int32_t count,
                               size_t alignment, size_t bytes, size_t *excess_bytes);

#endif
