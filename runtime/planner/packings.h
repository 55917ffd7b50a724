#ifndef VDNN_RUNTIME_PLANNER_PACKINGS_H
#define VDNN_RUNTIME_PLANNER_PACKINGS_H

/* Packings that were made: the same items are packed once, whichever plan they are of. Plans of one
 * network for several policies and budgets have many in common, and a packing that is tight takes
 * most of the time of a plan.
 *
 * Invariant: what is known is what the packer would find.
 * Threads: one.
 *
 *     status = vdnn_packings_create(&packings);
 *     status = vdnn_packings_pack(packings, &region, items, n, VDNN_ALIGNMENT, &span);
 *     vdnn_packings_destroy(packings);
 */

#include "runtime/plan/trial.h"
#include "runtime/planner/packer.h"

vdnn_status vdnn_packings_create(vdnn_packings **packings);

/* As vdnn_packer_pack does. `packings` NULL: none is known, and none is kept. */
vdnn_status vdnn_packings_pack(vdnn_packings *packings, vdnn_region *region,
                               vdnn_packer_item *items, int32_t count, size_t alignment,
                               size_t *span_bytes);

/* Accepts NULL. */
void vdnn_packings_destroy(vdnn_packings *packings);

#endif
