#ifndef VDNN_RUNTIME_PLANNER_FLOORPLAN_H
#define VDNN_RUNTIME_PLANNER_FLOORPLAN_H

/* The offsets of a plan's buffers, by which the buffers of a similar plan are packed. Buffers are
 * matched by their purpose, not by their indexes.
 *
 *     plan    conv1's map at 0, workspace of conv2 at 8192 --note--> floorplan
 *     another conv1's map, offloaded, workspace of conv2   --tell--> 0, 8192
 *
 * Several buffers for the same purpose are matched in their order: the first to the first, and so
 * on. Threads: one.
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
    struct vdnn_floorplan_place *places; /* owned; NULL: nothing is recorded */
    size_t capacity;                     /* a power of two */
} vdnn_floorplan;

/* Records a plan's buffers and drops earlier records. The region's memory is scratch. */
vdnn_status vdnn_floorplan_note(vdnn_floorplan *own, vdnn_region *region,
                                const vdnn_buffer *buffers, int32_t count);

/* Sets the recorded offset of each buffer; SIZE_MAX: none is recorded for its purpose. */
vdnn_status vdnn_floorplan_tell(const vdnn_floorplan *own, vdnn_region *region,
                                const vdnn_buffer *buffers, int32_t count, size_t *offsets);

void vdnn_floorplan_fini(vdnn_floorplan *own);

#endif
