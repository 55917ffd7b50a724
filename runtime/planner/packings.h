#ifndef VDNN_RUNTIME_PLANNER_PACKINGS_H
#define VDNN_RUNTIME_PLANNER_PACKINGS_H

/* What several plannings share: packings that were made, and the memory that plans are
 * made in. The same items are packed once, whichever plan they are of: plans of one network for
 * several policies and budgets have many in common, and a packing that is tight takes most of the
 * time of a plan. The memory is one region's at a time, of which others are empty: a plan of many
 * layers takes megabytes, and pages that the system clears take longer than a trial in them.
 *
 * Invariant: what is known is what the packer would find.
 * Threads: one.
 *
 *     status = vdnn_packings_create(&packings);
 *     status = vdnn_packings_pack(packings, &region, items, n, VDNN_ALIGNMENT, &span);
 *     vdnn_packings_pass_on(packings, &region);   // has the memory until it is passed on again
 *     vdnn_packings_take_back(packings, &region); // at its end
 *     vdnn_packings_destroy(packings);
 */

#include "runtime/planner/packer/packer.h"

typedef struct vdnn_packings vdnn_packings;

vdnn_status vdnn_packings_create(vdnn_packings **packings);

/* As vdnn_packer_pack does. `packings` NULL: none is known, and none is kept. */
vdnn_status vdnn_packings_pack(vdnn_packings *packings, vdnn_region *region,
                               vdnn_packer_item *items, int32_t count, size_t alignment,
                               size_t *span_bytes);

/* To a region that is empty or has the memory already; what was made in it elsewhere is gone.
 * `packings` NULL: the region grows by itself. */
void vdnn_packings_pass_on(vdnn_packings *packings, vdnn_region *to);
/* Of a region that ends: it is empty then, if it had the memory. Accepts NULL. */
void vdnn_packings_take_back(vdnn_packings *packings, vdnn_region *from);
/* Frees memory that was taken back and not passed on since. Accepts NULL. */
void vdnn_packings_trim(vdnn_packings *packings);

/* Accepts NULL. */
void vdnn_packings_destroy(vdnn_packings *packings);

#endif
