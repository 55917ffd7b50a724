#ifndef VDNN_RUNTIME_PLANNER_WORKBENCH_WORKBENCH_H
#define VDNN_RUNTIME_PLANNER_WORKBENCH_WORKBENCH_H

/* The workbench: plans of one network, made one after the other in the same memory.
 *
 *     decisions --steps, lifetimes--> bound ........ no addresses: thousands a second
 *                        \--pack, reuse, estimate--> plan
 *
 * Invariant: what is made stays until the next one is begun. Once the memory is large enough,
 * nothing is allocated.
 * Threads: one.
 *
 *     vdnn_workbench bench = {.graph = graph, .profile = profile};
 *     status = vdnn_workbench_bound(&bench, &decisions, &plan);           // from below
 *     status = vdnn_workbench_plan(&bench, &decisions, true, &plan);      // the plan
 *     status = vdnn_plan_copy(&plan, &kept);
 *     vdnn_workbench_fini(&bench);
 */

#include "runtime/planner/builder.h"

typedef struct vdnn_workbench {
    const vdnn_graph *graph;     /* borrowed */
    const vdnn_profile *profile; /* borrowed */
    vdnn_builder builder;
} vdnn_workbench;

/* The plan of a training step, or of an evaluation. */
vdnn_status vdnn_workbench_plan(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                bool training, vdnn_plan *plan);

/* As much of the training plan as does not depend on addresses: its steps, buffers and copied
 * bytes. Its spans and step seconds are lower bounds; what else it sums up is 0. */
vdnn_status vdnn_workbench_bound(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                 vdnn_plan *plan);

/* Whether the training plan's spans are within these limits. The packer ends as soon as that is
 * known. */
vdnn_status vdnn_workbench_fits(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                const size_t most_bytes[VDNN_TIER_COUNT], bool *fits);

void vdnn_workbench_fini(vdnn_workbench *bench);

#endif
