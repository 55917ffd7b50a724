#ifndef VDNN_POLICIES_DYN_FASTEST_H
#define VDNN_POLICIES_DYN_FASTEST_H

/* The search of dyn under the lean rules: of all candidates the one with the least time. Each is
 * judged as it is, and with as many maps kept on the device as both budgets allow.
 *
 *     decisions --bound--> may they be better than the best? --pack--> do they fit? --run--> time
 *
 * Invariant: a plan is made only where bounds leave open whether it is better; of two that take the
 * same time, the one that moves less is taken, and then the first in a fixed order, so that the
 * order in which they are planned does not matter.
 * Threads: pure functions.
 *
 *     status = vdnn_dyn_fastest_take(request, &decisions);  // was: a lean candidate that fits
 */

#include "policies/policy.h"

/* Replaces *best, a lean candidate that fits. */
vdnn_status vdnn_dyn_fastest_take(const vdnn_policy_request *request, vdnn_decisions *best);

#endif
