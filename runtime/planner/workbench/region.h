#ifndef VDNN_RUNTIME_PLANNER_WORKBENCH_REGION_H
#define VDNN_RUNTIME_PLANNER_WORKBENCH_REGION_H

/* The memory in which plans are made. Arrays are taken one after the other and freed all at once.
 *
 *     |steps|accesses|clocks|lifetimes|items|             |
 *                                           ^ taken next
 *
 * Invariant: an array stays valid until vdnn_region_clear, which keeps the memory. After it, no
 * memory is allocated unless more is taken than before. The first failed allocation sets `failed`
 * for good, so that several arrays are checked once.
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
    vdnn_region_block *top; /* owned, with the blocks below; NULL: none */
    size_t used;            /* bytes of the top block */
    bool failed;
} vdnn_region;

/* Allocates `bytes` as one block if the region is empty. Blocks that grow would be written to again
 * when they are joined into one. */
void vdnn_region_expect(vdnn_region *region, size_t bytes);

/* Memory for `count` items of `size` bytes; on failure NULL, and `failed` is set. */
void *vdnn_region_take(vdnn_region *region, size_t count, size_t size);
void *vdnn_region_zeros(vdnn_region *region, size_t count, size_t size);

void vdnn_region_clear(vdnn_region *region);
void vdnn_region_fini(vdnn_region *region);

#endif
