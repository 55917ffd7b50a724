#ifndef VDNN_RUNTIME_PLANNER_PACKER_SPAN_SEARCH_H
#define VDNN_RUNTIME_PLANNER_PACKER_SPAN_SEARCH_H

// clang-format off
/* Searches for offsets with a small span: with entries in a few orders (ranking.h), then in columns
 * (skyline.h), then in orders that differ little from the best one, then in columns once more.
 *
 *     span ^ as before
 *          |     by start
 *          |          by bytes, by life
 *          |                                climbing ...
 *          |                                          columns, of less and less height
 *   enough |-------------------------------------------------------------  where the search ends
 *     live |============================ columns, of no more height =======  no span is smaller
 *          +----------------------------------------------------------> work
 *
 * The quick search, for one of many plans, is the beginning of the whole, so that it finds no
 * smaller span, unless it is given looks for one more search in columns.
 *
 * Invariant: pure; the same entries, limits and looks give the same offsets.
 * Threads: one.
 *
 *     vdnn_span_search search = {.list = list, .count = n, .horizon = last_end, .alignment = 256,
 *                                .live = live, .enough = live};
 *     status = vdnn_span_search_init(&search, &region);
 *     if (status == VDNN_OK)
 *         status = vdnn_span_search_run(&search, &region, &span);
 *     offset_of(search.kept.entries[0].index, search.kept.entries[0].offset);
 */
// clang-format on

#include "runtime/base/status.h"
#include "runtime/planner/packer/placement.h"
#include "runtime/planner/packer/ranking.h"
#include "runtime/planner/packer/skyline.h"
#include "runtime/planner/packer/sweep.h"

typedef struct vdnn_span_search {
    /* Set by the caller: */
    vdnn_placement_entry *list; /* borrowed; the fixed ones first, with their offsets */
    int32_t count, fixed;
    int32_t horizon; /* the last end */
    size_t alignment;
    size_t fixed_end; /* where the fixed ones end */
    size_t live;      /* no span is smaller than what is alive at one time */
    size_t enough;    /* the search ends at a span that is no larger */
    bool is_quick;    /* of one of many plans */
    bool was_packed;  /* some of the entries, in another packing */
    int64_t *looks;   /* borrowed; for one search in columns more, what is left; NULL: none */
    /* Its own: */
    vdnn_ranking_sorter sorter;
    vdnn_placement kept, trial;
    vdnn_sweep sweep;
    size_t *floors; /* per time */
    vdnn_skyline skyline;
    int64_t work, skyline_work;
} vdnn_span_search;

/* Its memory, and the numbers of the entries' times. VDNN_NO_MEMORY. */
vdnn_status vdnn_span_search_init(vdnn_span_search *in, vdnn_region *region);

/* The kept entries, in any order, have the offsets of *span. VDNN_NO_MEMORY. */
vdnn_status vdnn_span_search_run(vdnn_span_search *in, vdnn_region *region, size_t *span);

#endif
