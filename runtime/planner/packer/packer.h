#ifndef VDNN_RUNTIME_PLANNER_PACKER_PACKER_H
#define VDNN_RUNTIME_PLANNER_PACKER_PACKER_H

/* The packer: assigns offsets so that items alive at the same time share no byte, in as small a
 * span as it finds (dynamic storage allocation, known to be NP-hard; a few greedy orders are tried
 * and the best is kept).
 *
 *     bytes ________________________________
 *           |      others, wherever        |
 *           | place 2 |        ___| place 2|
 *           | place 1|________|   place 1  |
 *           |________|   others   |________|
 *           |            pinned            |
 *         0 |______________________________| time
 *
 * Invariant: pure; offsets are multiples of the alignment; `pinned` items come first, in their
 * order, at the bottom, and places next, in theirs, so that plans with the same pinned items give
 * them the same offsets, and places those of further pinned items of their sizes.
 * Threads: any.
 *
 *     vdnn_packer_item items[n] = {{.start = 0, .end = 7, .bytes = 4096}, ...};
 *     status = vdnn_packer_pack(&region, items, n, VDNN_ALIGNMENT, &span);
 */

#include "runtime/base/status.h"
#include "runtime/planner/workbench/region.h"

#include <stdint.h>

typedef struct vdnn_packer_item {
    int32_t start, end; /* alive in [start, end) */
    bool pinned;        /* alive always, at the bottom */
    int32_t place;      /* above 0: where the others of that number are, which are next to it, of
                           its size, and alive at other times */
    bool was_packed;    /* in another packing that is much like this one: at `was_at` */
    size_t was_at;
    size_t bytes;
    size_t offset; /* out */
} vdnn_packer_item;

/* Fills the offsets; *span_bytes is the highest end. What it takes of the region stays
 * taken. VDNN_NO_MEMORY. */
vdnn_status vdnn_packer_pack(vdnn_region *region, vdnn_packer_item *items, int32_t count,
                             size_t alignment, size_t *span_bytes);

/* The same, but ends as soon as the span is at most that many bytes, and after a small part of the
 * work: for one of many plans. A span that is too large may be more than the packing's. Where a
 * packing in so many bytes is not impossible, and *looks is above 0, it is searched for in columns,
 * too, and *looks falls by what that took; NULL: it is not. */
vdnn_status vdnn_packer_pack_within(vdnn_region *region, vdnn_packer_item *items, int32_t count,
                                    size_t alignment, size_t bytes, int64_t *looks,
                                    size_t *span_bytes);

/* No packing of the items has a smaller span: from what is alive at one time. */
vdnn_status vdnn_packer_least(vdnn_region *region, const vdnn_packer_item *items, int32_t count,
                              size_t alignment, size_t *span_bytes);

/* Whether the packing's span is at most that many bytes: 0, mostly known long before the smallest
 * span is found. Else the bytes that the least span has more; 1 if it has not. */
vdnn_status vdnn_packer_excess(vdnn_region *region, const vdnn_packer_item *items, int32_t count,
                               size_t alignment, size_t bytes, size_t *excess_bytes);

#endif
