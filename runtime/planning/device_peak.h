#ifndef VDNN_RUNTIME_PLANNING_DEVICE_PEAK_H
#define VDNN_RUNTIME_PLANNING_DEVICE_PEAK_H

/* The device peak of a plan: the half point of the compute stream with the most live bytes, the
 * maps that are live there, and the bytes above a limit.
 *
 *     bytes      _         peak
 *      ^    _  _| |_
 *      |---| |-|   |-----  limit
 *      |  _| |_|   |_
 *      +------------------> half points
 *
 * Invariant: the result depends on one plan's steps and stays valid after the plan is destroyed.
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
    vdnn_alive alive; /* its live bytes at the peak */
} vdnn_device_peak_map;

typedef struct vdnn_device_peak_found {
    vdnn_device_peak peak;
    size_t limit_bytes;
    vdnn_outcome bound;         /* of the plan; `fits` is not set */
    vdnn_device_peak_map *maps; /* owned; the maps with live bytes at the peak */
    int32_t map_count;
} vdnn_device_peak_found;

/* `plan` has lifetimes. Frees what *found holds; the caller sets it to {0} before the first call.
 */
vdnn_status vdnn_device_peak_find(vdnn_builder *builder, const vdnn_plan *plan, size_t limit_bytes,
                                  vdnn_device_peak_found *found);

/* Sets `alive`, which has one item for each map of the graph. */
void vdnn_device_peak_alive(const vdnn_device_peak_found *found, int32_t map_count,
                            vdnn_alive *alive);

void vdnn_device_peak_fini(vdnn_device_peak_found *found);

#endif
