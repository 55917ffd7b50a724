#ifndef VDNN_RUNTIME_PLANNER_ESTIMATE_H
#define VDNN_RUNTIME_PLANNER_ESTIMATE_H

/* The cost of a plan: seconds on the clock, peaks, averages and bytes by category.
 *
 * Invariant: reads the finished plan and the builder's lifetimes; sets only figures of the plan.
 * Threads: one.
 *
 *     status = vdnn_builder_finish(&builder, plan);
 *     status = vdnn_estimate_fill(&builder, profile, plan);
 */

#include "runtime/planner/builder.h"

/* Sets seconds except the oracle's, peaks, averages, categories; after finish. VDNN_NO_MEMORY. */
vdnn_status vdnn_estimate_fill(vdnn_builder *builder, const vdnn_profile *profile, vdnn_plan *plan);

/* Per step, in seconds since the start of the first; borrowed from the builder. */
typedef struct vdnn_estimate_times {
    const double *start, *end;
} vdnn_estimate_times;

/* Estimates a plan some of whose waits for memory are not known. The real step takes at least
 * plan->step_seconds, and copies the same bytes. *times: with the known waits. */
vdnn_status vdnn_estimate_bound(vdnn_builder *builder, const vdnn_profile *profile, vdnn_plan *plan,
                                vdnn_estimate_times *times);

#endif
