#ifndef VDNN_POLICIES_OPT_PARTS_CUTS_H
#define VDNN_POLICIES_OPT_PARTS_CUTS_H

/* In how many parts of its samples each layer runs: a layer in parts has workspace for one of them,
 * so that a faster algorithm fits beside what is alive.
 *
 *     bytes | budget ------------------------------
 *           |            | workspace |  in 4 parts:
 *           | live ------|           |-- | ws | ----
 *
 * Threads: pure functions.
 *
 *     status = vdnn_opt_cuts_choose(request, &stage, 1, &cut);
 */

#include "policies/opt/stage.h"

/* Of a request with variants: for each layer the number of parts with the least time of its fastest
 * algorithms that fit beside what is alive in the best plan of a stage, into this share of the
 * budget; its chains stay. */
vdnn_status vdnn_opt_cuts_choose(const vdnn_policy_request *request, const vdnn_opt_stage *stage,
                                 double share, vdnn_opt_cut *cut);

#endif
