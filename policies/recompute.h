#ifndef VDNN_POLICIES_RECOMPUTE_H
#define VDNN_POLICIES_RECOMPUTE_H

/* Which maps are recomputed for backward, instead of kept or offloaded.
 *
 *     conv2 --m1--> norm2, relu2 --m2--> conv3      backward of norm2 needs m1, that of conv3 m2:
 *                                                   m2 need not stay: one pass over m1 gives it
 *     input --> input:nhwc8 (convert) --> conv1     of the images, padded, the images stay
 *
 * Invariant: a map is chosen only if all layers that write it are cheap to recompute
 * (def->recompute_is_cheap) and all that they read stays until then anyway, or is smaller and kept
 * for it, so that each recomputed map frees bytes and no other map is recomputed for it. Threads:
 * pure functions.
 *
 *     status = vdnn_recompute_choose(request, 0.05, &decisions);
 */

#include "policies/policy.h"

/* Takes maps that `decisions`, whose algorithms are chosen, keep or offload, those with the most
 * bytes per second first, until they take `share` of the seconds of all passes; 1: all. */
vdnn_status vdnn_recompute_choose(const vdnn_policy_request *request, double share,
                                  vdnn_decisions *decisions);

/* Seconds of recomputing a map. */
double vdnn_recompute_seconds(const vdnn_policy_request *request, const vdnn_decisions *decisions,
                              int32_t map);

#endif
