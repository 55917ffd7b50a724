#ifndef VDNN_POLICIES_CUSTOM_H
#define VDNN_POLICIES_CUSTOM_H

/* Custom policies, listed after the library's (policies/registry.h).
 *
 * Invariant: an added policy stays until the process ends.
 * Threads: adding by one at a time; reading by any, also meanwhile.
 *
 *     status = vdnn_custom_policy_add(&type);
 *     for (size_t i = 0; i < vdnn_custom_policy_count(); i++)
 *         use(vdnn_custom_policy_at(i));
 */

#include "policies/policy.h"

size_t vdnn_custom_policy_count(void);
const vdnn_policy *vdnn_custom_policy_at(size_t i);

/* VDNN_USAGE if it is not complete, or there are too many. */
vdnn_status vdnn_custom_policy_add(const vdnn_policy_type *type);

/* The counterpart of policy->decide for custom policies. */
vdnn_status vdnn_custom_policy_decide(const vdnn_policy *policy, const vdnn_policy_request *request,
                                      vdnn_decisions *decisions);

#endif
