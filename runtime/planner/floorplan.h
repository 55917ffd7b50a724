#ifndef VDNN_RUNTIME_PLANNER_FLOORPLAN_H
#define VDNN_RUNTIME_PLANNER_FLOORPLAN_H

/* Where the buffers of a plan lie, so that those of another plan, which is much like it, are packed
 * likewise: by what they are for, not by their numbers.
 *
 *     plan    conv1's map at 0, workspace of conv2 at 8192 --note--> floorplan
 *     another conv1's map, offloaded, workspace of conv2   --tell--> 0, 8192
 *
 * Of buffers for the same purpose the first is taken for the first, the second for the second.
 * Threads: one.
 *
 *     vdnn_floorplan own = {.places = NULL};
 *     status = vdnn_floorplan_note(&own, &region, buffers, count);
 *     status = vdnn_floorplan_tell(&own, &region, buffers, count, offsets); // SIZE_MAX: unknown
 *     vdnn_floorplan_fini(&own);
 */

#include "runtime/plan/plan.h"
#include "runtime/planner/workbench/region.h"

struct vdnn_floorplan_place;

typedef struct vdnn_floorplan {
    struct vdnn_floorplan_place *places; /* owned; NULL: nothing is noted */
    size_t capacity;                     /* a power of two */
} vdnn_floorplan;

/* Of a plan's buffers, in place of what was noted before. The region's memory is scratch. */
vdnn_status vdnn_floorplan_note(vdnn_floorplan *own, vdnn_region *region,
                                const vdnn_buffer *buffers, int32_t count);

/* The offset at which each buffer lay; SIZE_MAX: there was none for its purpose. */
vdnn_status vdnn_floorplan_tell(const vdnn_floorplan *own, vdnn_region *region,
                                const vdnn_buffer *buffers, int32_t count, size_t *offsets);

void vdnn_floorplan_fini(vdnn_floorplan *own);

#endif
