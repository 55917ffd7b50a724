#ifndef VDNN_RUNTIME_FIT_FIT_H
#define VDNN_RUNTIME_FIT_FIT_H

/* Whether a run fits its budgets, and what would fit otherwise.
 *
 * Invariant: a smallest budget is exact: a run with it is planned, with one byte less it is
 * refused. That of a static policy with --algo p holds as long as the profile is the same, since
 * other times choose other workspaces. Threads: pure, but for the thread's message.
 *
 *     vdnn_fit_request request = {&setup, policy, VDNN_ALGO_P, .tests = true};
 *     status = vdnn_fit_plan(&request, &plans);
 *     if (status == VDNN_NO_FIT)
 *         status = vdnn_fit_explain(&request, &plans, &advice); // same status, message for people
 *     vdnn_fit_plans_fini(&plans);
 */

#include "runtime/setup/setup.h"

typedef struct vdnn_fit_request {
    const vdnn_setup *setup; /* borrowed */
    const vdnn_policy *policy;
    vdnn_algo_mode algo;
    bool tests; /* an evaluation shall run in the same arena */
} vdnn_fit_request;

typedef struct vdnn_fit_plans {
    vdnn_plan *training, *evaluation; /* owned; evaluation NULL without tests */
    size_t arena_bytes, host_bytes;   /* spans that serve both */
} vdnn_fit_plans;

typedef struct vdnn_fit_advice {
    size_t smallest_bytes;     /* device budget under the host budget; 0: no budget suffices */
    const vdnn_policy *policy; /* one that fits for any times, if there is; NULL: none */
    vdnn_algo_mode algo;
    int64_t largest_batch; /* that fits, of a static policy with --algo m; 0: none does */
} vdnn_fit_advice;

/* On VDNN_NO_FIT *plans is set too: the policy's smallest. */
vdnn_status vdnn_fit_plan(const vdnn_fit_request *request, vdnn_fit_plans *plans);
void vdnn_fit_plans_fini(vdnn_fit_plans *plans);

/* The smallest device budget under the setup's host budget; 0 if the host tier is too small for
 * any. */
vdnn_status vdnn_fit_smallest(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                              size_t *bytes);

/* The largest batch that fits, with times scaled from those of the setup's batch; 0: none does, or
 * the device was recorded with one batch alone. */
vdnn_status vdnn_fit_largest_batch(const vdnn_fit_request *request, int64_t *largest);

/* Returns VDNN_NO_FIT with the whole message, or another status if that could not be determined;
 * *advice is set on VDNN_NO_FIT. */
vdnn_status vdnn_fit_explain(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                             vdnn_fit_advice *advice);

#endif
