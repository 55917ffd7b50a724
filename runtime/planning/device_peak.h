#ifndef VDNN_RUNTIME_PLANNING_DEVICE_PEAK_H
#define VDNN_RUNTIME_PLANNING_DEVICE_PEAK_H

/* Where the most bytes of the device are alive: the highest half point of the compute stream, the
 * maps that are alive there, and what is above a limit.
 *
 *     bytes      _         peak
 *      ^    _  _| |_
 *      |---| |-|   |-----  limit
 *      |  _| |_|   |_
 *      +------------------> half points
 *
 * Invariant: what is found is that of one plan's steps, whatever becomes of the plan.
 * Threads: one.
 *
 *     vdnn_device_peak_found found = {0};
 *     status = vdnn_device_peak_find(&builder, &plan, limit_bytes, &found);
 *     vdnn_device_peak_alive(&found, graph->map_count, alive);
 *     vdnn_device_peak_fini(&found);
 */

#include "runtime/planner/builder.h"
#include "runtime/planning/planning.h"

typedef struct vdnn_device_peak_map {
    int32_t map;
    vdnn_alive alive; /* of it, at the peak */
} vdnn_device_peak_map;

typedef struct vdnn_device_peak_found {
    vdnn_device_peak peak;
    size_t limit_bytes;
    vdnn_outcome bound;         /* of the plan, without `fits` */
    vdnn_device_peak_map *maps; /* owned; those of which something is alive at the peak */
    int32_t map_count;
} vdnn_device_peak_found;

/* Of a plan whose lifetimes are known. Frees what is in *found, which {0} has not. */
vdnn_status vdnn_device_peak_find(vdnn_builder *builder, const vdnn_plan *plan, size_t limit_bytes,
                                  vdnn_device_peak_found *found);

/* One for each map of the graph. */
void vdnn_device_peak_alive(const vdnn_device_peak_found *found, int32_t map_count,
                            vdnn_alive *alive);

void vdnn_device_peak_fini(vdnn_device_peak_found *found);

#endif
