#ifndef VDNN_RUNTIME_PLANNER_PACKER_SWEEP_H
#define VDNN_RUNTIME_PLANNER_PACKER_SWEEP_H

// clang-format off
/* Places entries in order of time: each in the smallest gap that holds it where its life starts. The
 * bytes are free again where its life ends.
 *
 *     bytes ^
 *           |               :     a gap without end
 *           |     __________:
 *           |____|    3     |__   entry 1 is dead: its bytes are a gap at time t
 *           | 1  |__________|
 *           |____|          :
 *           |________2______|__
 *           +---------------t-----> time
 *
 * The sweep is fast where best fit by ranks (placement.h) is slow, since it scans only free gaps,
 * not all entries. Fixed entries are below the bottom. Gaps among them are not used, since an entry
 * placed there could live longer than the gap.
 *
 * Invariant: pure; gaps are sorted by offset, and no two are adjacent.
 * Threads: one.
 *
 *     vdnn_sweep sweep;
 *     vdnn_sweep_init(&sweep, &region, count, horizon);
 *     vdnn_ranking_sort(&sorter, VDNN_RANKING_BY_START, list, &at);
 *     span = vdnn_sweep_place(&sweep, &at, bottom);
 */
// clang-format on

#include "runtime/planner/packer/placement.h"

typedef struct vdnn_sweep_gap {
    size_t offset, size;
} vdnn_sweep_gap;

typedef struct vdnn_sweep {
    vdnn_sweep_gap *gaps; /* the free ranges, the lowest first; the last gap has no end */
    int32_t gap_count;
    int32_t *dies, *next; /* per time: an entry that ends then; per entry: the next such entry */
    int32_t horizon;      /* the last end */
} vdnn_sweep;

/* Takes memory for `count` entries; on failure the region is marked as failed. */
void vdnn_sweep_init(vdnn_sweep *own, vdnn_region *region, size_t count, int32_t horizon);

/* Places entries, sorted by start, above `bottom`, where the fixed ones end. Returns the span; no
 * entry is in the placement's columns. */
size_t vdnn_sweep_place(vdnn_sweep *own, vdnn_placement *at, size_t bottom);

#endif
