#ifndef VDNN_POLICIES_KEEP_MAPS_H
#define VDNN_POLICIES_KEEP_MAPS_H

/* Keeps on the device some of the maps that decisions would offload or recompute. Offloaded maps
 * are kept first, those first whose copies are hidden by the least compute per byte; then those
 * that take longest to recompute per byte.
 *
 * Invariant: a map that was kept before is still kept.
 * Threads: pure functions.
 *
 *     status = vdnn_keep_maps_host_lacks(request, &decisions);   // maps that the host cannot hold
 *     if (fits)
 *         status = vdnn_keep_maps_that_fit(request, &decisions); // and all that the device can
 */

#include "policies/policy.h"

/* Keeps all, whatever that takes. */
void vdnn_keep_maps_all(vdnn_decisions *decisions);

/* Keeps as many as the device's budget can hold; none if it can hold none. */
vdnn_status vdnn_keep_maps_that_fit(const vdnn_policy_request *request, vdnn_decisions *decisions);

/* Keeps as few as the host's budget requires: none if it is large. */
vdnn_status vdnn_keep_maps_host_lacks(const vdnn_policy_request *request,
                                      vdnn_decisions *decisions);

#endif
