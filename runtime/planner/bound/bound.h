#ifndef VDNN_RUNTIME_PLANNER_BOUND_BOUND_H
#define VDNN_RUNTIME_PLANNER_BOUND_BOUND_H

/* A lower bound of the time of any plan of a training step under a budget: proven, given the
 * profile's times.
 *
 *   compute   every pass by the fastest algorithm whose workspace fits beside the buffers that the
 *             pass requires: its parameters, those that cannot leave, its operands and results
 *   batch     loaded before all compute; or, if the rules and the device allow loading it ahead,
 *             taken then and loaded beside it, into separate memory, or behind the forward pass,
 *             into memory that is free before: whichever is less
 *   slowed    nothing: compute and copies take what they take alone, which they never fall below
 *   link      what the budget cannot hold of what backward needs, at the turn from forward to
 *             backward and before each layer's backward pass, beside the gradients that are there
 *             then, is copied out before and copied in after, or recomputed
 *             (runtime/planner/bound/excess.h)
 *
 * Invariant: never below the same with unlimited memory, never above the time of a plan that fits.
 * Threads: pure.
 *
 *     double oracle = vdnn_bound_unlimited(plan, profile), bound;
 *     status = vdnn_bound_seconds(plan, profile, budget_bytes, &bound);
 */

#include "runtime/plan/plan.h"
#include "runtime/profile/profile.h"

/* Of any plan of the same graph under the same rules: the fastest algorithms and no copies but the
 * batch's. */
double vdnn_bound_unlimited(const vdnn_plan *plan, const vdnn_profile *profile);

/* Of any plan of the graph with its layers in whatever parts and chains, whose passes no part makes
 * faster: the oracle's time, or that of the link, but for what a chain that ends with the loss
 * could make. HUGE_VAL and VDNN_NO_MEMORY likewise. */
vdnn_status vdnn_bound_in_parts(const vdnn_graph *graph, const vdnn_profile *profile,
                                double oracle_seconds, const size_t budget_bytes[VDNN_TIER_COUNT],
                                double *seconds);

/* `plan`: any training plan of the graph under the rules that the bound is for. HUGE_VAL if it
 * proves that no plan fits; VDNN_NO_MEMORY. */
vdnn_status vdnn_bound_seconds(const vdnn_plan *plan, const vdnn_profile *profile,
                               const size_t budget_bytes[VDNN_TIER_COUNT], double *seconds);

#endif
