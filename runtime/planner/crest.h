#ifndef VDNN_RUNTIME_PLANNER_CREST_H
#define VDNN_RUNTIME_PLANNER_CREST_H

/* Where the most bytes of the device are alive: the half points of the compute stream above a
 * limit, and the maps at the highest of them.
 *
 *     bytes      _         peak
 *      ^    _  _| |_
 *      |---| |-|   |-----  limit: what is above it is kept, and tells what exceeds a higher one,
 * too |  _| |_|   |_
 *      +------------------> half points
 *
 * Invariant: a crest is that of one plan's steps, whatever becomes of the plan.
 * Threads: one.
 *
 *     vdnn_crest crest = {0};
 *     status = vdnn_crest_find(&builder, &plan, limit_bytes, &crest);
 *     vdnn_crest_tell(&crest, limit_bytes, &peak);
 *     vdnn_crest_alive(&crest, graph->map_count, alive);
 *     vdnn_crest_fini(&crest);
 */

#include "runtime/plan/trial.h"
#include "runtime/planner/builder.h"

typedef struct vdnn_crest_point {
    size_t bytes;
    int32_t parts; /* of the layer that runs there; else 1 */
} vdnn_crest_point;

typedef struct vdnn_crest_map {
    int32_t map;
    vdnn_trial_alive alive; /* of it, at the peak */
} vdnn_crest_map;

typedef struct vdnn_crest {
    vdnn_trial_peak peak; /* without what exceeds a limit */
    size_t limit_bytes;
    vdnn_crest_point *points; /* owned; those above the limit, in order */
    vdnn_crest_map *maps;     /* owned; those of which something is alive at the peak */
    int32_t point_count, map_count;
} vdnn_crest;

/* Of a plan whose lifetimes are known. Frees what is in *crest, which {0} has not. */
vdnn_status vdnn_crest_find(vdnn_builder *builder, const vdnn_plan *plan, size_t limit_bytes,
                            vdnn_crest *crest);

/* At this limit, which is not below the crest's. */
void vdnn_crest_tell(const vdnn_crest *crest, size_t limit_bytes, vdnn_trial_peak *peak);
/* One for each map of the graph. */
void vdnn_crest_alive(const vdnn_crest *crest, int32_t map_count, vdnn_trial_alive *alive);

void vdnn_crest_fini(vdnn_crest *crest);

#endif
