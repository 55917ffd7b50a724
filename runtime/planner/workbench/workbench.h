#ifndef VDNN_RUNTIME_PLANNER_WORKBENCH_WORKBENCH_H
#define VDNN_RUNTIME_PLANNER_WORKBENCH_WORKBENCH_H

/* The workbench: plans of one network, made one after the other in the same memory, which benches
 * that share packings pass on.
 *
 *     decisions --order--> steps, lifetimes --bound--> least spans and seconds: thousands a second
 *                               |   \--excess--> whether spans are within limits
 *                               \--pack--> spans --finish--> plan
 *
 * Steps are ordered once for what is asked of the same decisions without others in between: each of
 * bound, excess and pack, and at last the plan.
 *
 * Invariant: what is made stays until the next one is begun, on a bench that shares the memory too:
 * a bench whose memory is another's orders its steps anew. Once the memory is large enough,
 * nothing is allocated.
 * Threads: one.
 *
 *     vdnn_workbench bench = {.graph = graph, .profile = profile};
 *     status = vdnn_workbench_bound(&bench, &decisions, most, &plan);     // from below
 *     status = vdnn_workbench_plan(&bench, &decisions, true, &plan);      // the plan
 *     status = vdnn_workbench_keep(&bench, &decisions, &kept);            // a copy of it
 *     vdnn_workbench_fini(&bench);
 */

#include "runtime/planner/builder.h"
#include "runtime/planner/floorplan.h"
#include "runtime/planner/packings.h"

/* The buffers of one tier, in the order of their numbers. */
typedef struct vdnn_tier_items {
    vdnn_packer_item *items;
    int32_t count;
} vdnn_tier_items;

typedef struct vdnn_workbench {
    const vdnn_graph *graph;     /* borrowed */
    const vdnn_profile *profile; /* borrowed */
    vdnn_packings *packings;     /* borrowed; NULL: none are kept, and the memory is its own */
    vdnn_builder builder;
    vdnn_decisions decisions; /* owned; whose steps are ordered */
    vdnn_plan plan;           /* as far as it is made */
    vdnn_tier_items tiers[VDNN_TIER_COUNT];
    unsigned asked; /* bits: what was asked since the steps were ordered; 0: there are none */
    /* Of training plans by vdnn_updates and vdnn_loads; 0: unknown. */
    double oracle_seconds[2][VDNN_LOADS_COUNT];
} vdnn_workbench;

/* The plan of a training step, or of an evaluation. */
vdnn_status vdnn_workbench_plan(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                bool training, vdnn_plan *plan);

/* The training plan, packed only until its spans are within these limits, with little work: so that
 * nothing waits for copies out, if that is found, else like another plan if a floorplan is given.
 * *fits: they are, else the plan has nothing but its spans. *looks: for packings that are found
 * with more work only (packer.h). */
vdnn_status vdnn_workbench_plan_within(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                       const size_t most_bytes[VDNN_TIER_COUNT],
                                       const vdnn_floorplan *like, int64_t *looks, vdnn_plan *plan,
                                       bool *fits);

/* As much of the training plan as does not depend on addresses: its steps, buffers and copied
 * bytes. Its spans are lower bounds, and its step seconds for packings of the device's buffers in
 * so many bytes; what else it sums up is 0. */
vdnn_status vdnn_workbench_bound(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                 size_t most_bytes, vdnn_plan *plan);

/* By how much one of the training plan's spans exceeds these limits, at least; 0: none does. The
 * packer ends as soon as that is known. */
vdnn_status vdnn_workbench_excess(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                  const size_t most_bytes[VDNN_TIER_COUNT], size_t *excess_bytes);

/* The training plan's spans. */
vdnn_status vdnn_workbench_pack(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                size_t span_bytes[VDNN_TIER_COUNT]);
/* Packs as before: the spans, and the offsets of all buffers, of an earlier plan of the same
 * decisions. */
vdnn_status vdnn_workbench_place(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                 const size_t span_bytes[VDNN_TIER_COUNT], const size_t *offsets);

/* The training plan, and the evaluation's in the same arena, as copies that are the caller's
 * (planner.h). */
vdnn_status vdnn_workbench_keep(vdnn_workbench *bench, const vdnn_decisions *decisions,
                                vdnn_plan **plan);
vdnn_status vdnn_workbench_keep_evaluation(vdnn_workbench *bench, const vdnn_decisions *training,
                                           vdnn_plan **plan);

void vdnn_workbench_fini(vdnn_workbench *bench);

#endif
