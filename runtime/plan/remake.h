#ifndef VDNN_RUNTIME_PLAN_REMAKE_H
#define VDNN_RUNTIME_PLAN_REMAKE_H

/* Maps that are made again for backward: which can be. How, the planner knows (remake.c).
 *
 * Threads: pure.
 *
 *     if (vdnn_remake_refusal(graph, profile, &decisions, map) == NULL)
 *         decisions.maps[map].action = VDNN_RECOMPUTE;
 */

#include "runtime/plan/decisions.h"
#include "runtime/profile.h"

/* Why a map cannot be decided to be recomputed with these algorithms, as static text; NULL: it can.
 */
const char *vdnn_remake_refusal(const vdnn_graph *graph, const vdnn_profile *profile,
                                const vdnn_decisions *decisions, int32_t map);

#endif
