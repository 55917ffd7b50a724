#ifndef VDNN_RUNTIME_PLAN_LIVES_H
#define VDNN_RUNTIME_PLAN_LIVES_H

/* When each buffer of a plan is live, as guaranteed by the plan's order and waits alone.
 *
 * Live bytes are counted at points: 2 i during compute step i, 2 i + 1 after it. A buffer is live
 * from its first point to the point before its end; a persistent one is always live.
 *
 * Invariant: in every tier the largest sum of live bytes at a point is the plan's peak.
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
    vdnn_life *of;       /* per buffer; first == end: no step uses it */
    int32_t point_count; /* two for each compute step */
} vdnn_lives;

/* Fails only with VDNN_NO_MEMORY. */
vdnn_status vdnn_lives_init(const vdnn_plan *plan, vdnn_lives *lives);
void vdnn_lives_fini(vdnn_lives *lives);

#endif
