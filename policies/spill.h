#ifndef VDNN_POLICIES_SPILL_H
#define VDNN_POLICIES_SPILL_H

/* Which offloaded maps, and gradients, go on to the file tier: if the host tier is too small for
 * all of them, those with the longest time between copy out and copy in, and as few as the host
 * tier requires. Gradients of parameters wait longest, between micro-batches and for the norm.
 *
 * Invariant: without a file tier decisions do not change.
 * Threads: pure function.
 *
 *     status = vdnn_spill_choose(request, &decisions);   // after it is decided what is offloaded
 */

#include "policies/policy.h"

vdnn_status vdnn_spill_choose(const vdnn_policy_request *request, vdnn_decisions *decisions);

#endif
