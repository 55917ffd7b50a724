#ifndef VDNN_POLICIES_OPT_STARTS_H
#define VDNN_POLICIES_OPT_STARTS_H

/* Where the search starts in one network: at what the other policies decide, and at the fastest
 * plan of all, whatever memory it takes.
 *
 * Threads: one.
 *
 *     status = vdnn_opt_offer_policies(own);
 *     status = vdnn_opt_offer_fastest(own);
 */

#include "policies/opt/search.h"

/* The fastest algorithms; of forward, deterministic ones: any map may be recomputed. */
void vdnn_opt_choose_fastest(const vdnn_policy_request *request, vdnn_decisions *decisions);

/* The fastest algorithms whose workspace fits beside what is alive in the plan of these decisions,
 * with the leanest ones where none does. */
vdnn_status vdnn_opt_choose_fitting(const vdnn_policy_request *request, vdnn_decisions *decisions);

/* Base, all, conv and dyn, and descents from there as long as patience lasts. */
vdnn_status vdnn_opt_offer_policies(vdnn_opt_search *own);
/* Everything kept, by the fastest algorithms: descends from there. */
vdnn_status vdnn_opt_offer_fastest(vdnn_opt_search *own);

#endif
