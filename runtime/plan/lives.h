#ifndef VDNN_RUNTIME_PLAN_LIVES_H
#define VDNN_RUNTIME_PLAN_LIVES_H

/* When each buffer of a plan lives, by what the plan's order and waits alone guarantee.
 *
 * Points are those at which live bytes are counted: 2 i during compute step i, 2 i + 1 behind it. A
 * buffer lives from its first point to the one before its end, a persistent one always.
 *
 * Invariant: the largest sum of the bytes that live at a point is the plan's peak, in every tier.
 * Threads: pure.
 *
 *     vdnn_lives lives;
 *     status = vdnn_lives_init(plan, &lives);
 *     bool alive = lives.of[b].first <= point && point < lives.of[b].end;
 *     vdnn_lives_fini(&lives);
 */

#include "runtime/plan/plan.h"

typedef struct vdnn_life {
    int32_t first, end;
} vdnn_life;

typedef struct vdnn_lives {
    vdnn_life *of;       /* per buffer; first == end: nothing uses it */
    int32_t point_count; /* two for each compute step */
} vdnn_lives;

/* VDNN_NO_MEMORY. */
vdnn_status vdnn_lives_init(const vdnn_plan *plan, vdnn_lives *lives);
void vdnn_lives_fini(vdnn_lives *lives);

#endif
