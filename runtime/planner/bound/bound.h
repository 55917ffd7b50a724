#ifndef VDNN_RUNTIME_PLANNER_BOUND_BOUND_H
#define VDNN_RUNTIME_PLANNER_BOUND_BOUND_H

/* A lower bound of the time of any plan of a training step under a budget, proven for the profile's
 * times.
 *
 *   compute   every pass takes its fastest algorithm whose workspace fits together with the buffers
 *             that the pass requires: parameters, those that cannot leave, operands and results
 *   batch     loaded before all compute; or, if rules and device allow loading ahead, taken before
 *             compute and loaded during it into separate memory, or after the forward pass into
 *             memory that is free before: the least of these
 *   slowed    nothing: compute and copies take at least the time that they take alone
 *   link      at the turn from forward to backward, and before each layer's backward pass, the
 *             values that backward needs and that the budget cannot hold together with the live
 *             gradients are copied out before and copied in after it, or recomputed
 *             (runtime/planner/bound/excess.h)
 *
 * Invariant: at least the bound with unlimited memory, at most the time of any plan that fits.
 * Threads: pure.
 *
 *     double oracle = vdnn_bound_unlimited(plan, profile), bound;
 *     status = vdnn_bound_seconds(plan, profile, budget_bytes, &bound);
 */

#include "runtime/plan/plan.h"
#include "runtime/profile/profile.h"

/* The bound without a budget, for plans of the same graph under the same rules: the fastest
 * algorithms, and no copies except the batch's. */
double vdnn_bound_unlimited(const vdnn_plan *plan, const vdnn_profile *profile);

/* A bound for plans of the graph in any parts and chains, if no part makes a pass faster: the
 * larger of the oracle's time and the link's, except what a chain that ends with the loss could
 * save. HUGE_VAL and VDNN_NO_MEMORY as in vdnn_bound_seconds. */
vdnn_status vdnn_bound_in_parts(const vdnn_graph *graph, const vdnn_profile *profile,
                                double oracle_seconds, const size_t budget_bytes[VDNN_TIER_COUNT],
                                double *seconds);

/* `plan`: any training plan of the graph under the rules that the bound is for. HUGE_VAL if no plan
 * can fit; VDNN_NO_MEMORY. */
vdnn_status vdnn_bound_seconds(const vdnn_plan *plan, const vdnn_profile *profile,
                               const size_t budget_bytes[VDNN_TIER_COUNT], double *seconds);

#endif
