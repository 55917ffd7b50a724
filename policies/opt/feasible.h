#ifndef VDNN_POLICIES_OPT_FEASIBLE_H
#define VDNN_POLICIES_OPT_FEASIBLE_H

/* The plan of the smallest arena that opt finds, whatever time it takes: what its smallest budget
 * is; or the first one on the way there that fits.
 *
 *     arena | dyn's
 *           |   \___
 *           | - - - \_ budget: ends here
 *           |         \____ the smallest
 *
 * Invariant: the way down depends on no budget of the device, so that what it needs is enough and
 * one byte less is refused.
 * Threads: one.
 */

#include "policies/opt/chains.h"
#include "policies/opt/search.h"

/* ---- one chain more each --------------------------------------------------------------------- */

/* Stages with one chain more each, where the most is alive in decisions that keep as little as they
 * can: from a network with none down to one that runs in the smallest memory.
 *
 *     arena | ____
 *           |     \___ chain 1
 *           |         \___ chain 2
 *           |             \______ ...
 *
 * Invariant: whatever the budget, the same chains come.
 *
 *     status = vdnn_opt_chain_sequence_init(request, &decisions, trials, &sequence);
 *     while (status == VDNN_OK && found) {
 *         status = vdnn_opt_chain_sequence_step(&sequence, &found);
 *         ... sequence.at, sequence.decisions ...
 *     }
 *     vdnn_opt_chain_sequence_fini(&sequence);
 */

typedef struct vdnn_opt_chain_sequence {
    const vdnn_policy_request *request; /* borrowed */
    vdnn_opt_cut cut;
    vdnn_opt_variant at;
    vdnn_decisions decisions; /* over its network */
    int chains;
} vdnn_opt_chain_sequence;

/* Of a request that may cut, from decisions over its network; `trials`: that were made before. */
vdnn_status vdnn_opt_chain_sequence_init(const vdnn_policy_request *request,
                                         const vdnn_decisions *from, int64_t trials,
                                         vdnn_opt_chain_sequence *own);
void vdnn_opt_chain_sequence_fini(vdnn_opt_chain_sequence *own);

/* *found: whether there is one more. */
vdnn_status vdnn_opt_chain_sequence_step(vdnn_opt_chain_sequence *own, bool *found);

/* ---- the first plan that fits ---------------------------------------------------------------- */

/* The first plan, where dyn finds none that fits.
 *
 *     dyn's smallest --descend--> smaller and smaller --one chain more--> ... until one fits
 *     dyn's smallest -----------------------------------one chain more--> ... until one fits
 *
 * The second way is gone where the first leads nowhere, and also where a layer does not fit as a
 * whole: then the faster of both plans is taken.
 *
 * Invariant: the same plans come under every budget, which only ends them; so the smallest budget
 * is exact.
 *
 *     size_t arena_bytes = SIZE_MAX;
 *     status = vdnn_opt_find_first(request, &best, &decisions, &arena_bytes);
 *     if (status == VDNN_OK && !best.search.found) ... arena_bytes is the smallest budget
 */

/* From *smallest, which dyn decided, over the network of a variant as the file has it: sets the
 * variant's best, or, where nothing fits, *smallest to what takes the least, and *arena_bytes to
 * that, if it is less than before. The variant becomes that of the plan's chains. */
vdnn_status vdnn_opt_find_first(const vdnn_policy_request *request, vdnn_opt_variant *best,
                                vdnn_decisions *smallest, size_t *arena_bytes);

#endif
