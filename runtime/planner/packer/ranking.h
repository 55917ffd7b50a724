#ifndef VDNN_RUNTIME_PLANNER_PACKER_RANKING_H
#define VDNN_RUNTIME_PLANNER_PACKER_RANKING_H

/* The orders in which entries are placed, which set their ranks.
 *
 *     as before   the lowest in another packing first
 *     by start    the first to start; among equal ones, the last to end
 *     by bytes    the largest first
 *     by life     the longest first, so that long lives are at the bottom
 *
 * Ties are broken by bytes (the most first), then by start, then by index in the list.
 *
 * Invariant: pure; no two entries compare equal, so each order is unique.
 * Threads: one.
 *
 *     vdnn_ranking_sorter sorter;
 *     vdnn_ranking_init(&sorter, &region, count);
 *     vdnn_ranking_sort(&sorter, VDNN_RANKING_BY_BYTES, list, &at); // at.count, at.fixed are set
 */

#include "runtime/planner/packer/placement.h"

typedef enum vdnn_ranking {
    VDNN_RANKING_AS_BEFORE,
    VDNN_RANKING_BY_START,
    VDNN_RANKING_BY_BYTES,
    VDNN_RANKING_BY_LIFE
} vdnn_ranking;

struct vdnn_ranking_key;

/* Memory for sorting. */
typedef struct vdnn_ranking_sorter {
    struct vdnn_ranking_key *keys, *spare;
} vdnn_ranking_sorter;

/* Takes memory for `count` entries; on failure the region is marked as failed. */
void vdnn_ranking_init(vdnn_ranking_sorter *own, vdnn_region *region, size_t count);

/* Copies to->count entries of the list into the placement: the fixed ones, which are first in the
 * list, unchanged, then the others in the order `by`. */
void vdnn_ranking_sort(vdnn_ranking_sorter *own, vdnn_ranking by, const vdnn_placement_entry *list,
                       vdnn_placement *to);

#endif
