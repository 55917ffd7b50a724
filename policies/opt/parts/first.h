#ifndef VDNN_POLICIES_OPT_PARTS_FIRST_H
#define VDNN_POLICIES_OPT_PARTS_FIRST_H

/* The first plan, where dyn finds none that fits.
 *
 *     dyn's smallest --descend--> smaller and smaller --one chain more--> ... until one fits
 *     dyn's smallest -----------------------------------one chain more--> ... until one fits
 *
 * The second way is gone where the first leads nowhere, and also where a layer does not fit as a
 * whole: then the faster of both plans is taken.
 *
 * Invariant: the same plans come under every budget, which only ends them; so the smallest budget
 * is exact. Threads: one.
 *
 *     size_t arena_bytes = SIZE_MAX;
 *     status = vdnn_opt_find_first(request, &best, &decisions, &arena_bytes);
 *     if (status == VDNN_OK && !best.search.found) ... arena_bytes is the smallest budget
 */

#include "policies/opt/stage.h"

/* From *smallest, which dyn decided, over the network of a stage as the file has it: sets the
 * stage's best, or, where nothing fits, *smallest to what takes the least, and *arena_bytes to
 * that, if it is less than before. The stage becomes that of the plan's chains. */
vdnn_status vdnn_opt_find_first(const vdnn_policy_request *request, vdnn_opt_stage *best,
                                vdnn_decisions *smallest, size_t *arena_bytes);

#endif
