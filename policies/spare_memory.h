#ifndef VDNN_POLICIES_SPARE_MEMORY_H
#define VDNN_POLICIES_SPARE_MEMORY_H

/* What memory that a plan leaves free is used for, after any policy has decided: batches loaded
 * ahead or late (vdnn_loads), gradients of several devices in buckets (vdnn_reduce_buckets), kept
 * copies of weights (vdnn_weight_copies). Each is taken if the plan fits with it, too, together
 * with that of an evaluation, and, where it costs time, if it saves some. Buckets that the graph
 * has are given: those of another device's plan.
 *
 * Threads: any; the request's trial.
 *
 *     status = policy->decide(&request, &decisions);
 *     if (status == VDNN_OK)
 *         status = vdnn_spare_memory_decide(&request, &decisions);
 */

#include "policies/policy.h"

/* Changes decisions whose plan fits; others, and those under the paper's rules, stay. */
vdnn_status vdnn_spare_memory_decide(const vdnn_policy_request *request, vdnn_decisions *decisions);

#endif
