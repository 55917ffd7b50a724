#ifndef VDNN_RUNTIME_PLANNER_WORKBENCH_REGION_H
#define VDNN_RUNTIME_PLANNER_WORKBENCH_REGION_H

/* The memory that plans are made in: arrays are taken one behind the other and freed all at once.
 *
 *     |steps|accesses|clocks|lifetimes|items|             |
 *                                           ^ taken next
 *
 * Invariant: an array stays where it is until vdnn_region_clear. The memory stays beyond that:
 * after it, what takes no more than was taken before allocates nothing. The first failed allocation
 * sticks, so that several arrays are checked once.
 * Threads: one.
 *
 *     vdnn_region region = {.top = NULL};
 *     double *start = vdnn_region_take(&region, count, sizeof *start);  // not initialized
 *     int32_t *first = vdnn_region_zeros(&region, count, sizeof *first);
 *     if (region.failed) ...
 *     vdnn_region_clear(&region);                                       // before the next plan
 *     vdnn_region_fini(&region);
 */

#include <stdbool.h>
#include <stddef.h>

typedef struct vdnn_region_block vdnn_region_block;

typedef struct vdnn_region {
    vdnn_region_block *top; /* owned, with those below; NULL: none */
    size_t used;            /* bytes of the top one */
    bool failed;
} vdnn_region;

/* Memory for so many bytes in one block, if it has none yet: blocks that grow would be written to
 * once more when they become one. */
void vdnn_region_expect(vdnn_region *region, size_t bytes);

/* Memory for `count` items of `size` bytes; NULL and `failed` if there is none. */
void *vdnn_region_take(vdnn_region *region, size_t count, size_t size);
void *vdnn_region_zeros(vdnn_region *region, size_t count, size_t size);

void vdnn_region_clear(vdnn_region *region);
void vdnn_region_fini(vdnn_region *region);

#endif
