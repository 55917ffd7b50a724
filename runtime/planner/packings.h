#ifndef VDNN_RUNTIME_PLANNER_PACKINGS_H
#define VDNN_RUNTIME_PLANNER_PACKINGS_H

/* What several plannings share: finished packings, and the memory in which plans are made. Equal
 * items are packed once, whichever plan they belong to. Plans of one network for several policies
 * and budgets have many packings in common, and a tight packing takes most of a plan's time. One
 * region at a time holds the memory; the others are empty. A plan of many layers takes megabytes,
 * and new pages, which the system clears, would take longer than a trial.
 *
 * Invariant: a kept packing is the one that the packer would find.
 * Threads: one.
 *
 *     status = vdnn_packings_create(&packings);
 *     status = vdnn_packings_pack(packings, &region, items, n, VDNN_ALIGNMENT, &span);
 *     vdnn_packings_pass_on(packings, &region);   // region has the memory until the next pass_on
 *     vdnn_packings_take_back(packings, &region); // at its end
 *     vdnn_packings_destroy(packings);
 */

#include "runtime/planner/packer/packer.h"

typedef struct vdnn_packings vdnn_packings;

vdnn_status vdnn_packings_create(vdnn_packings **packings);

/* Packs as vdnn_packer_pack does. `packings` NULL: no packing is looked up or kept. */
vdnn_status vdnn_packings_pack(vdnn_packings *packings, vdnn_region *region,
                               vdnn_packer_item *items, int32_t count, size_t alignment,
                               size_t *span_bytes);

/* Gives the memory to a region that is empty or has it already. Results in another region become
 * invalid. `packings` NULL: the region allocates its memory. */
void vdnn_packings_pass_on(vdnn_packings *packings, vdnn_region *to);
/* Takes the memory from a region that ends, and leaves it empty. Accepts NULL. */
void vdnn_packings_take_back(vdnn_packings *packings, vdnn_region *from);
/* Frees the memory if no region has it. Accepts NULL. */
void vdnn_packings_trim(vdnn_packings *packings);

/* Accepts NULL. */
void vdnn_packings_destroy(vdnn_packings *packings);

#endif
