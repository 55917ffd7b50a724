#ifndef VDNN_POLICIES_OPT_STARTS_H
#define VDNN_POLICIES_OPT_STARTS_H

/* Where the search starts in one network: at what the other policies decide, at prices, and at the
 * fastest plan of all, whatever memory it takes.
 *
 * Threads: one.
 *
 *     status = vdnn_opt_offer_starts(own);
 */

#include "policies/opt/search.h"

/* The fastest algorithms of a layer; of forward, deterministic ones: any map may be recomputed. */
void vdnn_opt_choose_fastest_of(const vdnn_policy_request *request, int32_t layer,
                                vdnn_decisions *decisions);

/* The fastest algorithms whose workspace fits beside what is alive in the plan of these decisions,
 * with the leanest ones where none does. */
vdnn_status vdnn_opt_choose_fitting(const vdnn_policy_request *request, vdnn_decisions *decisions);

/* Everything kept, with the fastest algorithms and the next batch loaded ahead if that can be; the
 * caller's. */
vdnn_status vdnn_opt_start_fastest(const vdnn_opt_search *own, vdnn_decisions *start);

/* Base, all, conv and dyn; as long as patience lasts, starts by prices (opt/starts.h), and a hasty
 * descent from everything kept by the fastest algorithms. */
vdnn_status vdnn_opt_offer_starts(vdnn_opt_search *own);

/* Descents from everything kept by the fastest algorithms, each at another price of the link. */
vdnn_status vdnn_opt_descend_at_prices(vdnn_opt_search *own);

/* ---- starts by prices ------------------------------------------------------------------------ */

/* Starts by prices: memory is without limit, but each byte has a price (opt/prices.h). The lowest
 * prices at which a plan fits are looked for: first one price for all steps that take more than
 * there is, then higher ones where too much is alive, lower ones where memory is left.
 *
 *     bytes |       /\  price 1                 /--\  price 1.2
 *           | -----/--\-------- budget     ----/----\----
 *           |  /\_/    \_                  ___/      \  price 0.7
 *
 * Invariant: as the search's; what is offered fits.
 *
 *     status = vdnn_opt_offer_relaxed(own);
 */

/* At several prices of the link, from the plan of unlimited memory. */
vdnn_status vdnn_opt_offer_relaxed(vdnn_opt_search *own);

/* The plan of the smallest arena, by bounds, of those by prices beside which no time counts, within
 * the host's memory; *smallest stays where there is none. It depends on no budget of the device. */
vdnn_status vdnn_opt_relax_smallest(vdnn_opt_search *own, vdnn_decisions *smallest);

#endif
