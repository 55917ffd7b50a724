#ifndef VDNN_POLICIES_CUSTOM_H
#define VDNN_POLICIES_CUSTOM_H

/* Custom policies, listed after the library's.
 *
 * Invariant: a registered policy stays until the process ends.
 * Threads: registering before any other thread uses the library; reading by any.
 *
 *     status = vdnn_policy_register(&type);
 *     for (size_t i = 0; i < vdnn_custom_policy_count(); i++)
 *         use(vdnn_custom_policy_at(i));
 */

#include "policies/policy.h"

size_t vdnn_custom_policy_count(void);
const vdnn_policy *vdnn_custom_policy_at(size_t i);

/* The counterpart of policy->decide for custom policies. */
vdnn_status vdnn_custom_policy_decide(const vdnn_policy *policy, const vdnn_policy_request *request,
                                      vdnn_decisions *decisions);

#endif
