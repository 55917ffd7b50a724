#ifndef VDNN_POLICIES_KEEP_H
#define VDNN_POLICIES_KEEP_H

/* Of the maps that decisions would offload or make again, as many stay as the budget has room for.
 *
 * Invariant: what fits before fits after, and nothing leaves that stayed before.
 * Threads: pure functions.
 *
 *     if (fits)
 *         status = vdnn_keep_what_fits(request, &decisions);
 */

#include "policies/policy.h"

/* `decisions` fit the request's budgets. Offloaded maps stay first, of these those whose copies are
 * hidden by the least compute for their bytes; then those that take longest to make again for their
 * bytes. */
vdnn_status vdnn_keep_what_fits(const vdnn_policy_request *request, vdnn_decisions *decisions);

#endif
