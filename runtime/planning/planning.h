#ifndef VDNN_RUNTIME_PLANNING_PLANNING_H
#define VDNN_RUNTIME_PLANNING_PLANNING_H

/* Planning of one network: what plans of some decisions take under the budgets of all tiers, and
 * the plans. A policy decides by it; what was found stays for the next policy, or budget, that
 * asks.
 *
 *     graph, profile, budgets --> planning <-- decisions
 *                                    |
 *          bound    arenas and seconds from below, without addresses: thousands a second
 *          packed   the plan's arenas
 *          timed    its arenas and seconds, packed with little work, and only until it fits
 *          whole    its arenas, seconds and figures, packed with all work
 *
 * Invariant: the same decisions give the same outcome, which is that of the plan made from them, or
 * bounds it; but how a plan that is `timed` is packed depends on those before it under the same
 * budgets. What is whole is kept: the same decisions are planned once.
 * Threads: one.
 *
 *     vdnn_planning *planning;
 *     status = vdnn_planning_create(graph, profile, NULL, NULL, &planning);
 *     status = vdnn_planning_begin(planning, budget_bytes);
 *     status = vdnn_planning_evaluate(planning, &decisions, VDNN_BOUND, &outcome);
 *     if (outcome.fits && outcome.step_seconds < best)
 *         status = vdnn_planning_evaluate(planning, &decisions, VDNN_WHOLE, &outcome);
 *     status = vdnn_planning_plan(planning, &decisions, &training, &evaluation);
 *     vdnn_planning_destroy(planning);
 */

#include "runtime/plan/plan.h"
#include "runtime/planner/packings.h"
#include "runtime/profile/profile.h"

typedef enum vdnn_depth { VDNN_BOUND, VDNN_PACKED, VDNN_TIMED, VDNN_WHOLE } vdnn_depth;

/* What the plan of some decisions takes, as far as the depth tells. */
typedef struct vdnn_outcome {
    bool fits;                           /* the budgets of all tiers; of a bound: it may */
    size_t arena_bytes[VDNN_TIER_COUNT]; /* of a bound: it takes no less */
    double step_seconds;                 /* likewise; 0 of what is packed, or timed and too large */
    size_t offload_bytes;                /* of the same */
    const vdnn_plan_facts *facts; /* of what is whole, without texts, until the next question; NULL
                                     of others */
} vdnn_outcome;

/* Where the device's bytes are the most, and by how much they exceed a limit. */
typedef struct vdnn_device_peak {
    int32_t layer; /* whose kernel runs there; -1: none */
    bool in_backward;
    size_t bytes;
    double overflow_bytes; /* beyond the limit, summed over the steps of the compute stream: of a
                              layer in parts the mean of its parts, however many these are */
    int32_t steps;         /* of the plan, on all streams */
} vdnn_device_peak;

/* Of a map what is alive on the device at that peak: itself, and gradients of what lies on it. */
typedef struct vdnn_alive {
    size_t map_bytes, gradient_bytes;
} vdnn_alive;

/* The most device bytes that are alive beside the workspace while a layer's kernels run: in
 * forward, in backward. */
typedef size_t vdnn_live[2];

/* Who makes the network with its layers in other parts (runtime/setup/variants.h): layers, tensors
 * and maps keep their numbers and sizes, so that decisions over one are decisions over the other
 * once their choices are. */
typedef struct vdnn_parts_source {
    /* `parts`: per layer, at most vdnn_graph_most_parts. What is found is the source's, and stays
     * as long as the planning. */
    vdnn_status (*find)(void *argument, const int32_t *parts, const vdnn_graph **graph,
                        const vdnn_profile **profile);
    void *argument;
    /* To be asked for only where nothing fits in the parts that layers have: on a device that
     * computes, as other parts have other bits. */
    bool is_last_resort;
    /* Per layer, borrowed: the chains of an earlier run, whose parts the planning's graph has; none
     * but these are asked for. NULL: any may be. */
    const int32_t *chained;
} vdnn_parts_source;

/* What a search has found that no budget of the device changes, for the next one. */
typedef struct vdnn_findings {
    void *found; /* the search's; NULL: nothing yet */
    void (*forget)(void *found);
} vdnn_findings;

/* For others to read. */
typedef struct vdnn_planning {
    const vdnn_graph *graph;     /* borrowed, as the profile */
    const vdnn_profile *profile; /* its choices are the only ones: pinned algorithms are a profile
                                    with one choice each */
    const vdnn_parts_source *source; /* borrowed; NULL: layers stay in the parts that they have */
    size_t budget_bytes[VDNN_TIER_COUNT];
    struct vdnn_planning_state *state; /* planning.c */
} vdnn_planning;

/* `packings`: borrowed, shared with other planning; NULL: each plan is packed once more.
 * VDNN_NO_MEMORY. */
vdnn_status vdnn_planning_create(const vdnn_graph *graph, const vdnn_profile *profile,
                                 vdnn_packings *packings, const vdnn_parts_source *source,
                                 vdnn_planning **planning);
void vdnn_planning_destroy(vdnn_planning *planning); /* accepts NULL */

/* Plans are made under these budgets from now on. What others changed is forgotten. */
void vdnn_planning_begin(vdnn_planning *planning, const size_t budget_bytes[VDNN_TIER_COUNT]);

/* That of the network with its layers in these parts: it is owned by the first one, has its
 * budgets, and is the same for the same parts. Without a source it is the planning itself. */
vdnn_status vdnn_planning_in_parts(vdnn_planning *planning, const int32_t *parts,
                                   vdnn_planning **other);

/* Each returns VDNN_NO_MEMORY, or VDNN_INTERNAL for decisions that cannot be planned. Asked one
 * after the other for the same decisions, each takes only what it adds. */
vdnn_status vdnn_planning_evaluate(vdnn_planning *planning, const vdnn_decisions *decisions,
                                   vdnn_depth depth, vdnn_outcome *outcome);
/* The bound, and of each layer what is alive; `live` is set to 0 by the caller. */
vdnn_status vdnn_planning_live(vdnn_planning *planning, const vdnn_decisions *decisions,
                               vdnn_live *live, vdnn_outcome *bound);
/* Of one tier, or with VDNN_TIER_COUNT of any: 0: the plan fits; else at least so many bytes more
 * are alive at one time than the budget has, or 1 if packing them loses too much. */
vdnn_status vdnn_planning_excess(vdnn_planning *planning, const vdnn_decisions *decisions,
                                 vdnn_tier tier, size_t *excess_bytes);
/* Likewise whether it fits that tier, or all. */
vdnn_status vdnn_planning_fits(vdnn_planning *planning, const vdnn_decisions *decisions,
                               vdnn_tier tier, bool *fits);
/* `alive`: one for each map, which is set; NULL: not required. Comes with the bound of a plan whose
 * device buffers are packed in the limit: what has to wait for copies then does. */
vdnn_status vdnn_planning_peak(vdnn_planning *planning, const vdnn_decisions *decisions,
                               size_t limit_bytes, vdnn_alive *alive, vdnn_device_peak *peak,
                               vdnn_outcome *bound);
/* Whether the plan of an evaluation in the arena of the training fits, too. */
vdnn_status vdnn_planning_evaluates(vdnn_planning *planning, const vdnn_decisions *decisions,
                                    bool *fits);
/* Where none is whole: the plan of these decisions becomes the one that was timed, or the whole one
 * if that takes no longer. */
vdnn_status vdnn_planning_settle(vdnn_planning *planning, const vdnn_decisions *decisions);

/* The plan, of the network in the parts that are decided, and, unless `evaluation` is NULL, that of
 * an evaluation in the same arena; both are the caller's, whether they fit or not. */
vdnn_status vdnn_planning_plan(vdnn_planning *planning, const vdnn_decisions *decisions,
                               vdnn_plan **training, vdnn_plan **evaluation);

/* Those of the planning and all its other parts. */
vdnn_findings *vdnn_planning_findings(const vdnn_planning *planning);

#endif
