#ifndef VDNN_RUNTIME_PLANNER_PACKER_RANKING_H
#define VDNN_RUNTIME_PLANNER_PACKER_RANKING_H

/* The orders in which entries are placed, which give them their ranks.
 *
 *     as before   the lowest in another packing first
 *     by start    the first to begin, of those the last to end
 *     by bytes    the largest
 *     by life     the longest, so that long lives are at the bottom, and short ones above
 *
 * Ties are broken by bytes, the most first, then by starts, then by places in the list.
 *
 * Invariant: pure; no two entries are equal, so that there is one such order.
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

/* Memory to sort in. */
typedef struct vdnn_ranking_sorter {
    struct vdnn_ranking_key *keys, *spare;
} vdnn_ranking_sorter;

/* For so many entries; without memory the region has failed. */
void vdnn_ranking_init(vdnn_ranking_sorter *own, vdnn_region *region, size_t count);

/* The entries of the list, as many as the placement has, into it: the fixed ones, which are the
 * first of the list, as they are, the others in the order. */
void vdnn_ranking_sort(vdnn_ranking_sorter *own, vdnn_ranking by, const vdnn_placement_entry *list,
                       vdnn_placement *to);

#endif
