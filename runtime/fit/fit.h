#ifndef VDNN_RUNTIME_FIT_FIT_H
#define VDNN_RUNTIME_FIT_FIT_H

/* Whether a run fits its budgets, and the search for the smallest budget and the largest batch that
 * do.
 *
 * Invariant: a smallest budget is exact: a run with it is planned and takes all of it, and so is a
 * run with more; with one byte less it is refused. That of a static policy with --algo p holds as
 * long as the profile is the same, since other times choose other workspaces.
 * Threads: pure, but for the thread's message.
 *
 *     vdnn_fit_request request = {&setup, policy, VDNN_ALGO_P, .tests = true};
 *     status = vdnn_fit_plan(&request, &plans);
 *     if (status == VDNN_OK || status == VDNN_NO_FIT)
 *         status = vdnn_fit_smallest(&request, &plans, &bytes);
 *     vdnn_fit_plans_fini(&plans);
 */

#include "policies/policy_plan.h"
#include "runtime/setup/setup.h"

typedef struct vdnn_fit_request {
    const vdnn_setup *setup; /* borrowed */
    const vdnn_policy *policy;
    vdnn_algo_mode algo;
    bool tests;                           /* an evaluation shall run in the same arena */
    const vdnn_policy_patience *patience; /* borrowed; for the plan alone; NULL: unlimited */
    vdnn_planning *planning; /* borrowed; of this setup alone, with what was found for others of its
                                requests; NULL: each plan is found for itself */
    vdnn_policy_last *last;  /* borrowed; of the plan alone; NULL: none */
} vdnn_fit_request;

typedef struct vdnn_fit_plans {
    vdnn_plan *training, *evaluation;   /* owned; evaluation NULL without tests */
    size_t span_bytes[VDNN_TIER_COUNT]; /* enough for both */
    bool is_smallest;      /* nothing fits: the smallest budget is known; else of no use */
    size_t smallest_bytes; /* of the device; 0: no budget is enough */
} vdnn_fit_plans;

/* On VDNN_NO_FIT *plans is set too: the policy's smallest. A budget under which the policy finds
 * nothing is enough, too, where a plan that it finds under another takes no more
 * (smallest_budget.h). */
vdnn_status vdnn_fit_plan(const vdnn_fit_request *request, vdnn_fit_plans *plans);
void vdnn_fit_plans_fini(vdnn_fit_plans *plans);

/* The smallest device budget under the setup's host budget; 0 if the host tier is too small for
 * any. */
vdnn_status vdnn_fit_smallest(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                              size_t *bytes);

/* The bytes and times of a run with another graph of its network, with times scaled from those of
 * the setup's. */
typedef struct vdnn_fit_outcome {
    bool fits; /* else all below is 0 */
    size_t device_bytes;
    double step_seconds, oracle_step_seconds;
} vdnn_fit_outcome;

/* A graph that the network cannot have does not fit: with fewer samples than micro-batches. */
vdnn_status vdnn_fit_as(const vdnn_fit_request *request, const vdnn_graph_options *options,
                        vdnn_fit_outcome *outcome);

/* The largest batch that fits, with times scaled from those of the setup's batch; 0: none does, or
 * the device was recorded with one batch alone. */
vdnn_status vdnn_fit_largest_batch(const vdnn_fit_request *request, int64_t *largest);

/* The fewest micro-batches in which the run fits, with times scaled from those of the setup's; if
 * it fits in none, the most that were tried: one a sample, up to 1024. The search begins at
 * `likely`; 1: not known. */
vdnn_status vdnn_fit_fewest_micro_batches(const vdnn_fit_request *request, int32_t likely,
                                          int32_t *count, bool *fits);

/* The setup with another graph of its network, whose profile is that of the device model, or scaled
 * from the setup's. All else is borrowed. VDNN_BAD_INPUT: there is no such network. */
vdnn_status vdnn_fit_derive(const vdnn_setup *setup, const vdnn_graph_options *options,
                            vdnn_setup *derived);
void vdnn_fit_derived_end(vdnn_setup *derived);

#endif
