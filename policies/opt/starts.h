#ifndef VDNN_POLICIES_OPT_STARTS_H
#define VDNN_POLICIES_OPT_STARTS_H

/* Where the search starts in one network: what the other policies decide, plans by prices, and
 * descents from the fastest plan with unlimited memory. If none of these fits, the search descends
 * towards the plan of the smallest arena, to the first plan that fits.
 *
 * Threads: one.
 *
 *     status = vdnn_opt_offer_starts(own);
 */

#include "policies/opt/search.h"

/* Chooses the fastest algorithms of a layer; for forward, deterministic ones, since any map may be
 * recomputed. */
void vdnn_opt_choose_fastest_of(const vdnn_profile *profile, int32_t layer,
                                vdnn_decisions *decisions);

/* Sets *choice to a pass's fastest algorithm with at most this workspace; of forward, a
 * deterministic one. It stays where none takes less than `seconds`. */
void vdnn_opt_choose_within(const vdnn_layer_profile *at, vdnn_pass pass, size_t free_bytes,
                            double seconds, int32_t *choice);

/* Chooses the fastest algorithms whose workspace fits with what is live in the plan of these
 * decisions, and the leanest one where none fits. */
vdnn_status vdnn_opt_choose_fitting(const vdnn_policy_request *request, vdnn_decisions *decisions);

/* Keeps everything, with the fastest algorithms and the next batch loaded ahead if that is
 * possible. The caller owns the decisions. */
vdnn_status vdnn_opt_start_fastest(const vdnn_opt_search *own, vdnn_decisions *start);

/* Offers base, all, conv and dyn, then, while more trials are allowed, starts by prices
 * (opt/prices.h) and a hasty descent from everything kept with the fastest algorithms. */
vdnn_status vdnn_opt_offer_starts(vdnn_opt_search *own);

/* Descends from everything kept with the fastest algorithms, once for each of several prices of the
 * link. */
vdnn_status vdnn_opt_descend_at_prices(vdnn_opt_search *own);

/* ---- the first plan that fits ---------------------------------------------------------------- */

/* The first plan, where dyn finds none that fits.
 *
 *     arena | dyn's
 *           |   \___
 *           | - - - \_ budget: ends here
 *           |         \____ the smallest, whose arena is the smallest budget
 *
 *     dyn's smallest --descend--> smaller and smaller --one chain more--> ... until one fits
 *     dyn's smallest -----------------------------------one chain more--> ... until one fits
 *
 * The second line is followed if the first ends without a plan that fits. It is followed, too, if a
 * layer does not fit as a whole: then the faster of both plans is taken.
 *
 * Invariant: the plans do not depend on the budget, which only says where to stop; so the smallest
 * budget is exact.
 *
 *     size_t arena_bytes = SIZE_MAX;
 *     status = vdnn_opt_find_first(request, &best, &decisions, &arena_bytes);
 *     if (status == VDNN_OK && !best.search.found) ... arena_bytes is the smallest budget
 */

/* Goes down from *smallest, which dyn decided for the network as the file has it, and sets the
 * variant's best. If nothing fits, sets *smallest to the smallest plan and *arena_bytes to its
 * arena, if that is less than before. The variant becomes that of the plan's chains. */
vdnn_status vdnn_opt_find_first(const vdnn_policy_request *request, vdnn_opt_variant *best,
                                vdnn_decisions *smallest, size_t *arena_bytes);

#endif
