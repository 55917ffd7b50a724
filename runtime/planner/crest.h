#ifndef VDNN_RUNTIME_PLANNER_CREST_H
#define VDNN_RUNTIME_PLANNER_CREST_H

/* Where the most bytes of the device are alive: the highest half point of the compute stream, the
 * maps that are alive there, and what is above a limit.
 *
 *     bytes      _         peak
 *      ^    _  _| |_
 *      |---| |-|   |-----  limit
 *      |  _| |_|   |_
 *      +------------------> half points
 *
 * Invariant: a crest is that of one plan's steps, whatever becomes of the plan.
 * Threads: one.
 *
 *     vdnn_crest crest = {0};
 *     status = vdnn_crest_find(&builder, &plan, limit_bytes, &crest);
 *     vdnn_crest_alive(&crest, graph->map_count, alive);
 *     vdnn_crest_fini(&crest);
 */

#include "runtime/plan/trial.h"
#include "runtime/planner/builder.h"

typedef struct vdnn_crest_map {
    int32_t map;
    vdnn_trial_alive alive; /* of it, at the peak */
} vdnn_crest_map;

typedef struct vdnn_crest {
    vdnn_trial_peak peak;
    size_t limit_bytes;
    vdnn_trial_bound bound; /* of the plan, without may_fit */
    vdnn_crest_map *maps;   /* owned; those of which something is alive at the peak */
    int32_t map_count;
} vdnn_crest;

/* Of a plan whose lifetimes are known. Frees what is in *crest, which {0} has not. */
vdnn_status vdnn_crest_find(vdnn_builder *builder, const vdnn_plan *plan, size_t limit_bytes,
                            vdnn_crest *crest);

/* One for each map of the graph. */
void vdnn_crest_alive(const vdnn_crest *crest, int32_t map_count, vdnn_trial_alive *alive);

void vdnn_crest_fini(vdnn_crest *crest);

#endif
