#ifndef VDNN_POLICIES_OPT_RELAXED_H
#define VDNN_POLICIES_OPT_RELAXED_H

/* Starts by prices: memory is without limit, but each byte has a price (opt/prices.h). The lowest
 * prices at which a plan fits are looked for: first one price for all steps that take more than
 * there is, then higher ones where too much is alive, lower ones where memory is left.
 *
 *     bytes |       /\  price 1                 /--\  price 1.2
 *           | -----/--\-------- budget     ----/----\----
 *           |  /\_/    \_                  ___/      \  price 0.7
 *
 * Invariant: as the search's; what is offered fits.
 * Threads: one.
 *
 *     status = vdnn_opt_offer_relaxed(own);
 */

#include "policies/opt/search.h"

/* At several prices of the link, from the plan of unlimited memory. */
vdnn_status vdnn_opt_offer_relaxed(vdnn_opt_search *own);

/* The plan of the smallest arena, by bounds, of those by prices beside which no time counts, within
 * the host's memory; *smallest stays where there is none. It depends on no budget of the device. */
vdnn_status vdnn_opt_relax_smallest(vdnn_opt_search *own, vdnn_decisions *smallest);

#endif
