#ifndef VDNN_RUNTIME_PLAN_TRIAL_H
#define VDNN_RUNTIME_PLAN_TRIAL_H

/* Trials: what plans of some decisions take, for policies that search. The functions hide who
 * plans; the planner provides them (vdnn_planner_begin_trials).
 *
 *     bound   from below, without addresses: thousands a second       for what is only compared
 *     excess  by how much arenas exceed their budgets
 *     pack    the plan's arenas, or those of an evaluation
 *     time    a plan's arenas and time, packed until it fits          for what is chosen
 *     run     the plan's footprint and time, which are kept           for finalists
 *     settle  keeps what was timed
 *     peak    what is alive where the most is, and bounds with what memory makes wait
 *
 * Invariant: the same decisions give the same result, which is that of the plan made from them, or
 * bounds it. `bound` and `excess` allocate nothing once the workbench is large enough; `run` keeps
 * its results, so that the same decisions are planned once. Threads: one at a time for each trial.
 *
 *     vdnn_trial trial;
 *     status = vdnn_planner_begin_trials(graph, profile, budget_bytes, &trial);
 *     vdnn_trial_bound bound;
 *     status = trial.bound(&trial, &decisions, NULL, &bound);
 *     if (status == VDNN_OK && bound.may_fit && bound.step_seconds < best_seconds)
 *         status = trial.run(&trial, &decisions, &result);
 *     vdnn_planner_end_trials(&trial);
 */

#include "runtime/plan/plan.h"
#include "runtime/profile/profile.h"

typedef struct vdnn_trial_bound {
    bool may_fit;                        /* false: the plan exceeds a budget */
    size_t arena_bytes[VDNN_TIER_COUNT]; /* the plan's are no smaller */
    double step_seconds;                 /* and its step no shorter */
    size_t offload_bytes;                /* the plan's */
} vdnn_trial_bound;

typedef struct vdnn_trial_result {
    bool fits; /* the budgets of all tiers */
    /* As from vdnn_plan_describe; texts are NULL. */
    vdnn_plan_facts facts;
} vdnn_trial_result;

/* Where the device's bytes are the most, and by how much they exceed a limit. */
typedef struct vdnn_trial_peak {
    int32_t layer; /* whose kernel runs there; -1: none */
    bool in_backward;
    size_t bytes;
    double overflow_bytes; /* beyond the limit, summed over the steps of the compute stream: of a
                              layer in parts the mean of its parts, however many these are */
    int32_t steps;         /* of the plan, on all streams */
} vdnn_trial_peak;

/* Of a map what is alive on the device at that peak: itself, and gradients of what lies on it. */
typedef struct vdnn_trial_alive {
    size_t map_bytes, gradient_bytes;
} vdnn_trial_alive;

/* The most device bytes that are alive beside the workspace while a layer's kernels run: in
 * forward, in backward. */
typedef size_t vdnn_trial_live[2];

typedef struct vdnn_trial vdnn_trial;

/* The planner's (runtime/planner/packings.h): what trials of several requests share. */
typedef struct vdnn_packings vdnn_packings;
/* Likewise (runtime/planner/answers.h), of one graph and profile. */
typedef struct vdnn_answers vdnn_answers;

/* Each returns VDNN_NO_MEMORY, or VDNN_INTERNAL for decisions that cannot be planned. One behind
 * the other for the same decisions, each of the first three takes only what it adds. */
struct vdnn_trial {
    /* `live`: one for each layer, set to 0 by the caller; NULL: not required. */
    vdnn_status (*bound)(const vdnn_trial *trial, const vdnn_decisions *decisions,
                         vdnn_trial_live *live, vdnn_trial_bound *bound);
    /* Of one tier, or with VDNN_TIER_COUNT of any: 0: the plan fits; else at least so many bytes
     * more are alive at one time than the budget has, or 1 if packing them loses too much. */
    vdnn_status (*excess)(const vdnn_trial *trial, const vdnn_decisions *decisions, vdnn_tier tier,
                          size_t *excess_bytes);
    vdnn_status (*pack)(const vdnn_trial *trial, const vdnn_decisions *decisions,
                        size_t arena_bytes[VDNN_TIER_COUNT]);
    /* Those of the plan of an evaluation in the same arena. */
    vdnn_status (*pack_evaluation)(const vdnn_trial *trial, const vdnn_decisions *decisions,
                                   size_t arena_bytes[VDNN_TIER_COUNT]);
    /* The figures of a plan that is packed with little work, and only until it fits: that of `run`
     * may be in smaller arenas, and take another time. If it does not fit, its arenas alone. */
    vdnn_status (*time)(const vdnn_trial *trial, const vdnn_decisions *decisions,
                        vdnn_trial_bound *own);
    vdnn_status (*run)(const vdnn_trial *trial, const vdnn_decisions *decisions,
                       vdnn_trial_result *result);
    /* Where none was run: the plan of these decisions becomes the one that `time` found, or that of
     * `run` if it takes no longer. */
    vdnn_status (*settle)(const vdnn_trial *trial, const vdnn_decisions *decisions);
    /* `alive`: one for each map, which is set; NULL: not required. Comes with the bounds, of plans
     * whose device buffers are packed in the limit: what has to wait for copies then does. */
    vdnn_status (*peak)(const vdnn_trial *trial, const vdnn_decisions *decisions,
                        size_t limit_bytes, vdnn_trial_alive *alive, vdnn_trial_peak *peak,
                        vdnn_trial_bound *bound);
    struct vdnn_trial_state *state; /* the planner's */
    size_t budget_bytes[VDNN_TIER_COUNT];
};

/* The network with its layers in other parts, and its trials: layers, tensors and maps have the
 * numbers and sizes of the graph that was asked for, so that decisions over one are decisions over
 * the other once their choices are. */
typedef struct vdnn_variant {
    const vdnn_graph *graph;
    const vdnn_profile *profile;
    const vdnn_trial *trial;
} vdnn_variant;

typedef struct vdnn_variants vdnn_variants;

struct vdnn_variants {
    /* `parts`: per layer, at most vdnn_graph_most_parts. What is found is the owner's, and stays as
     * long as the request. */
    vdnn_status (*find)(vdnn_variants *variants, const int32_t *parts, vdnn_variant *found);
    struct vdnn_variants_state *state; /* the owner's */
    /* To be asked for only where nothing fits in the parts that layers have: on a device that
     * computes, as other parts have other bits. */
    bool is_last_resort;
    /* Per layer, borrowed: the chains of an earlier run, whose parts the request's graph has; none
     * but these are asked for. NULL: any may be. */
    const int32_t *chained;
};

#endif
