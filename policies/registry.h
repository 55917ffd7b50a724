#ifndef VDNN_POLICIES_REGISTRY_H
#define VDNN_POLICIES_REGISTRY_H

/* The policies there are: the library's, one line each in VDNN_POLICY_TABLE (registry.c), then
 * those that the program registered.
 *
 * Invariant: a policy keeps its index and its address until the process ends.
 * Threads: any. The list is the process's: registering takes a lock, and a policy can be seen by
 * other threads once it is complete.
 *
 *     for (size_t i = 0; i < vdnn_policy_count(); i++)
 *         use(vdnn_policy_at(i));
 *     status = vdnn_policy_decide(vdnn_policy_find("dyn"), &request, &decisions);
 */

#include "policies/policy.h"

const vdnn_policy *vdnn_policy_at(size_t i);
const vdnn_policy *vdnn_policy_find(const char *name); /* NULL: unknown */

/* The decisions of any policy, the library's or a custom one (see its decide), which then use the
 * memory that is left (spare_memory.h), unless only whether they fit is asked. Nothing changes
 * decisions after that. */
vdnn_status vdnn_policy_decide(const vdnn_policy *policy, const vdnn_policy_request *request,
                               vdnn_decisions *decisions);

#endif
