#ifndef VDNN_RUNTIME_PLANNER_PACKER_SPAN_SEARCH_H
#define VDNN_RUNTIME_PLANNER_PACKER_SPAN_SEARCH_H

// clang-format off
/* Searches for offsets with a small span: first places entries in a few orders (ranking.h), then
 * fills columns (skyline.h), then changes the best order a little, then fills columns once more.
 *
 *     span ^ as before
 *          |     by start
 *          |          by bytes, by life
 *          |                                climbing ...
 *          |                                          columns, with smaller and smaller heights
 *   enough |-------------------------------------------------------------  where the search ends
 *     live |============================ columns, at this height ==========  no span is smaller
 *          +----------------------------------------------------------> work
 *
 * The quick search, for one of many plans, is the first part of the full one. So it finds no smaller
 * span than that, unless `looks` allows it one more search in columns.
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
    vdnn_placement_entry *list; /* borrowed; the fixed ones are first, with their offsets */
    int32_t count, fixed;
    int32_t horizon; /* the last end */
    size_t alignment;
    size_t fixed_end; /* where the fixed ones end */
    size_t live;      /* the most bytes live at one time; no span is smaller */
    size_t enough;    /* the search ends at a span of at most this */
    bool is_quick;    /* the search is for one of many plans */
    bool was_packed;  /* some of the entries have an offset from another packing */
    int64_t *looks;   /* borrowed; the work left for one more search in columns; NULL: none */
    /* Set by init: */
    vdnn_ranking_sorter sorter;
    vdnn_placement kept, trial;
    vdnn_sweep sweep;
    size_t *floors; /* per time */
    vdnn_skyline skyline;
    int64_t work, skyline_work;
} vdnn_span_search;

/* Takes the memory, and numbers the entries' times. VDNN_NO_MEMORY. */
vdnn_status vdnn_span_search_init(vdnn_span_search *in, vdnn_region *region);

/* Sets *span, and in `kept` the entries, in any order, with their offsets. VDNN_NO_MEMORY. */
vdnn_status vdnn_span_search_run(vdnn_span_search *in, vdnn_region *region, size_t *span);

#endif
