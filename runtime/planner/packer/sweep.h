#ifndef VDNN_RUNTIME_PLANNER_PACKER_SWEEP_H
#define VDNN_RUNTIME_PLANNER_PACKER_SWEEP_H

// clang-format off
/* Places entries in order of time: each in the smallest gap that holds it where its life starts,
 * which is free again where its life ends.
 *
 *     bytes ^
 *           |               :     a gap without end
 *           |     __________:
 *           |____|    3     |__   entry 1 has died: its bytes are a gap at time t
 *           | 1  |__________|
 *           |____|          :
 *           |________2______|__
 *           +---------------t-----> time
 *
 * Quick where best fit by ranks (placement.h) is slow: it looks only at what is free, not at all
 * entries. The fixed ones are beneath the bottom, and what they leave free there is not used: what
 * begins before it is free may live longer.
 *
 * Invariant: pure; gaps are in the order of their offsets, and no two touch.
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
    vdnn_sweep_gap *gaps; /* what is free, the lowest first; the last gap has no end */
    int32_t gap_count;
    int32_t *dies, *next; /* per time an entry whose life ends; per entry the next of that time */
    int32_t horizon;      /* the last end */
} vdnn_sweep;

/* For so many entries; without memory the region has failed. */
void vdnn_sweep_init(vdnn_sweep *own, vdnn_region *region, size_t count, int32_t horizon);

/* Entries in the order of their starts, above `bottom`, where the fixed ones end. Returns the span;
 * none is in the placement's columns. */
size_t vdnn_sweep_place(vdnn_sweep *own, vdnn_placement *at, size_t bottom);

#endif
