#ifndef VDNN_RUNTIME_PLANNER_WORKBENCH_WORKBENCH_H
#define VDNN_RUNTIME_PLANNER_WORKBENCH_WORKBENCH_H

/* The workbench: makes plans of one network one after the other in the same memory. Benches that
 * share packings also share that memory.
 *
 *     decisions --order--> steps, lifetimes --bound--> least spans and seconds: thousands per
 * second |   \--excess--> whether spans are within limits
 *                               \--pack--> spans --finish--> plan
 *
 * Consecutive calls with the same decisions, such as bound, excess, pack and at last plan, order
 * the steps once.
 *
 * Invariant: a result is valid until the next one is begun, also on a bench that shares the memory.
 * A bench that has lost the memory orders its steps again. Once the memory is large enough, nothing
 * is allocated.
 *
 *     vdnn_workbench bench = {.graph = graph, .profile = profile};
 *     status = vdnn_workbench_bound(&bench, &decisions, most, &plan);     // lower bounds
 *     status = vdnn_workbench_plan(&bench, &decisions, true, &plan);      // the plan
 *     status = vdnn_workbench_keep(&bench, &decisions, &kept);            // a copy of it
 *     vdnn_workbench_fini(&bench);
 */

#include "runtime/planner/builder.h"
#include "runtime/planner/floorplan.h"
#include "runtime/planner/packings.h"

/* The buffers of one tier, in the order of their indexes. */
typedef struct vdnn_tier_items {
    vdnn_packer_item *items;
    int32_t count;
} vdnn_tier_items;

typedef struct vdnn_workbench {
    const vdnn_graph *graph;     /* borrowed */
    const vdnn_profile *profile; /* borrowed */
    vdnn_packings *packings;     /* borrowed; NULL: none are kept, and the memory is not shared */
    vdnn_builder builder;
    vdnn_decisions decisions; /* owned; those whose steps are ordered */
    vdnn_plan plan;           /* as far as it is made */
    vdnn_tier_items tiers[VDNN_TIER_COUNT];
    unsigned asked; /* bits: questions since the steps were ordered; 0: no steps are ordered */
    /* For training plans by vdnn_updates and vdnn_loads; 0: unknown. */
    double oracle_seconds[2][VDNN_LOADS_COUNT];
} vdnn_workbench;

/* The plan of a training step, or of an evaluation. */
vdnn_status vdnn_workbench_plan(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                bool training, vdnn_plan *plan);

/* The training plan, packed with little effort, only until its spans are within these limits. First
 * a packing is sought in which nothing waits for copies out; else, if a floorplan is given, one
 * like another plan's. *fits: the spans are within the limits; else the plan has only its spans.
 * *looks: the work left for packings that take more effort (packer.h). */
vdnn_status vdnn_workbench_plan_within(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                       const size_t most_bytes[VDNN_TIER_COUNT],
                                       const vdnn_floorplan *like, int64_t *looks, vdnn_plan *plan,
                                       bool *fits);

/* The part of the training plan that does not depend on addresses: its steps, buffers and copied
 * bytes. Its spans are lower bounds. Its step seconds are a lower bound for packings of the
 * device's buffers in `most_bytes`. All other figures are 0. */
vdnn_status vdnn_workbench_bound(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                 size_t most_bytes, vdnn_plan *plan);

/* A lower bound of the bytes by which one of the training plan's spans exceeds these limits; 0:
 * none does. The packer ends as soon as that is known. */
vdnn_status vdnn_workbench_excess(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                  const size_t most_bytes[VDNN_TIER_COUNT], size_t *excess_bytes);

/* Sets the training plan's spans. */
vdnn_status vdnn_workbench_pack(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                size_t span_bytes[VDNN_TIER_COUNT]);
/* Uses an earlier packing of the same decisions instead: its spans and the offsets of all buffers.
 */
vdnn_status vdnn_workbench_place(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                 const size_t span_bytes[VDNN_TIER_COUNT], const size_t *offsets);

/* Copies of the training plan, and of the evaluation's plan in the same arena; the caller owns them
 * (planner.h). */
vdnn_status vdnn_workbench_keep(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                vdnn_plan **plan);
vdnn_status vdnn_workbench_keep_evaluation(vdnn_workbench *bench, const vdnn_decisions *training,
                                           vdnn_plan **plan);

void vdnn_workbench_fini(vdnn_workbench *bench);

#endif
