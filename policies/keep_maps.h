#ifndef VDNN_POLICIES_KEEP_MAPS_H
#define VDNN_POLICIES_KEEP_MAPS_H

/* How many of the maps that decisions would offload or recompute stay on the device instead.
 * Offloaded maps stay first, of these those whose copies are hidden by the least compute for their
 * bytes; then those that take longest to recompute for their bytes.
 *
 * Invariant: nothing leaves that stayed before.
 * Threads: pure functions.
 *
 *     status = vdnn_keep_maps_host_lacks(request, &decisions);  // what the host has no room for
 *     if (fits)
 *         status = vdnn_keep_maps_that_fit(request, &decisions);    // and all the device has room
 * for
 */

#include "policies/policy.h"

/* As many stay as the device's budget has room for; all leave where it has room for none. */
vdnn_status vdnn_keep_maps_that_fit(const vdnn_policy_request *request, vdnn_decisions *decisions);

/* As few stay as leave the host's budget enough: where it is large, none. */
vdnn_status vdnn_keep_maps_host_lacks(const vdnn_policy_request *request,
                                      vdnn_decisions *decisions);

#endif
