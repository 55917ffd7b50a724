#ifndef VDNN_RUNTIME_PLANNING_PLANNING_H
#define VDNN_RUNTIME_PLANNING_PLANNING_H

/* Planning of one network: the memory and time of the plans of decisions under the budgets of all
 * tiers, and these plans. A policy decides by them; results are cached for the next policy or
 * budget.
 *
 *     graph, profile, budgets --> planning <-- decisions
 *                                    |
 *          bound    lower bounds of arenas and seconds, without addresses: thousands per second
 *          packed   the plan's arenas
 *          timed    its arenas and seconds; packed with little effort, only until it fits
 *          whole    its arenas, seconds and figures, packed with full effort
 *
 * Invariant: the same decisions give the same outcome: that of the plan made from them, or a bound
 * of it. The packing of a `timed` plan also depends on the plans timed before it under the same
 * budgets. Whole plans are cached, so the same decisions are planned once.
 * Threads: one.
 *
 *     vdnn_planning *planning;
 *     status = vdnn_planning_create(graph, profile, NULL, NULL, &planning);
 *     vdnn_planning_begin(planning, budget_bytes);
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

/* Memory and time of the plan of some decisions, as far as the depth determines them. */
typedef struct vdnn_outcome {
    bool fits;                           /* the budgets of all tiers; at depth bound: it may fit */
    size_t arena_bytes[VDNN_TIER_COUNT]; /* at depth bound: lower bounds */
    double step_seconds;  /* at depth bound: a lower bound; packed, or timed and too large: 0 */
    size_t offload_bytes; /* known at the same depths as step_seconds */
    const vdnn_plan_facts *facts; /* at depth whole, without texts, valid until the next question;
                                     else NULL */
} vdnn_outcome;

/* The point with the most live bytes on the device, and by how much a limit is exceeded. */
typedef struct vdnn_device_peak {
    int32_t layer; /* whose kernel runs there; -1: none */
    bool in_backward;
    size_t bytes;
    double overflow_bytes; /* above the limit, summed over the steps of the compute stream; for a
                              layer in parts the mean of its parts */
    int32_t steps;         /* of the plan, on all streams */
} vdnn_device_peak;

/* The live bytes of a map on the device at that peak, and of the gradients of its tensors. */
typedef struct vdnn_alive {
    size_t map_bytes, gradient_bytes;
} vdnn_alive;

/* The most live device bytes, without the workspace, while a layer's kernels run: in forward, in
 * backward. */
typedef size_t vdnn_live[2];

/* Creates the network with its layers in other parts (runtime/setup/variants.h). Layers, tensors
 * and maps keep their numbers and sizes, so decisions over one network are valid for the other once
 * algorithms are chosen for it. */
typedef struct vdnn_parts_source {
    /* `parts`: per layer, at most vdnn_graph_most_parts. The source owns the results, which live as
     * long as the planning. */
    vdnn_status (*find)(void *argument, const int32_t *parts, const vdnn_graph **graph,
                        const vdnn_profile **profile);
    void *argument;
    /* Use other parts only if nothing fits in the present ones: on a device that computes, other
     * parts give other bits. */
    bool is_last_resort;
    /* Per layer, borrowed: the chains of an earlier run, which are the only ones allowed; the
     * planning's graph has their parts. NULL: all chains are allowed. */
    const int32_t *chained;
} vdnn_parts_source;

/* The findings of a search that hold under every device budget, kept for the next search. */
typedef struct vdnn_findings {
    void *found; /* of the search's type; NULL: nothing yet */
    void (*forget)(void *found);
} vdnn_findings;

/* Public members are for reading only. */
typedef struct vdnn_planning {
    const vdnn_graph *graph;     /* borrowed, as is the profile */
    const vdnn_profile *profile; /* has all allowed choices; pinned algorithms are a profile with
                                    one choice each */
    const vdnn_parts_source *source; /* borrowed; NULL: layers keep their parts */
    size_t budget_bytes[VDNN_TIER_COUNT];
    struct vdnn_planning_state *state; /* planning.c */
} vdnn_planning;

/* `packings`: borrowed, shared with other planning; NULL: nothing is shared, so each plan is
 * packed. VDNN_NO_MEMORY. */
vdnn_status vdnn_planning_create(const vdnn_graph *graph, const vdnn_profile *profile,
                                 vdnn_packings *packings, const vdnn_parts_source *source,
                                 vdnn_planning **planning);
void vdnn_planning_destroy(vdnn_planning *planning); /* accepts NULL */

/* Sets the budgets for the plans from now on, and forgets results that depend on other budgets. */
void vdnn_planning_begin(vdnn_planning *planning, const size_t budget_bytes[VDNN_TIER_COUNT]);

/* The planning of the network with its layers in these parts. The first planning owns it; it has
 * the same budgets, and the same parts give the same object. Without a source it is `planning`. */
vdnn_status vdnn_planning_in_parts(vdnn_planning *planning, const int32_t *parts,
                                   vdnn_planning **other);

/* Each function returns VDNN_NO_MEMORY, or VDNN_INTERNAL for decisions that cannot be planned. A
 * second question about the same decisions computes only what the first did not. */
vdnn_status vdnn_planning_evaluate(vdnn_planning *planning, const vdnn_decisions *decisions,
                                   vdnn_depth depth, vdnn_outcome *outcome);
/* Sets the bound, and the live bytes of each layer; the caller has set `live` to 0. */
vdnn_status vdnn_planning_live(vdnn_planning *planning, const vdnn_decisions *decisions,
                               vdnn_live *live, vdnn_outcome *bound);
/* For one tier, or for all with VDNN_TIER_COUNT. *excess_bytes is 0 if the plan fits. Else it is a
 * lower bound of live bytes above the budget, or 1 if only packing makes it too large. */
vdnn_status vdnn_planning_excess(vdnn_planning *planning, const vdnn_decisions *decisions,
                                 vdnn_tier tier, size_t *excess_bytes);
/* Whether the plan fits that tier, or all tiers with VDNN_TIER_COUNT. */
vdnn_status vdnn_planning_fits(vdnn_planning *planning, const vdnn_decisions *decisions,
                               vdnn_tier tier, bool *fits);
/* `alive`: one item for each map, to be set; NULL: not required. Also sets the bound of the plan
 * with its device buffers packed within the limit, so that some steps have to wait for copies. */
vdnn_status vdnn_planning_peak(vdnn_planning *planning, const vdnn_decisions *decisions,
                               size_t limit_bytes, vdnn_alive *alive, vdnn_device_peak *peak,
                               vdnn_outcome *bound);
/* Whether the plan of an evaluation fits the arena of the training. */
vdnn_status vdnn_planning_evaluates(vdnn_planning *planning, const vdnn_decisions *decisions,
                                    bool *fits);
/* Makes the plan of these decisions whole, if it is not: keeps the timed plan, or the plan that is
 * packed with full effort if that fits and is not slower. */
vdnn_status vdnn_planning_settle(vdnn_planning *planning, const vdnn_decisions *decisions);

/* The plan of the network in the decided parts and, unless `evaluation` is NULL, of an evaluation
 * in the same arena. The caller owns both, whether or not they fit. */
vdnn_status vdnn_planning_plan(vdnn_planning *planning, const vdnn_decisions *decisions,
                               vdnn_plan **training, vdnn_plan **evaluation);

/* The findings that this planning shares with those in other parts. */
vdnn_findings *vdnn_planning_findings(const vdnn_planning *planning);

#endif
