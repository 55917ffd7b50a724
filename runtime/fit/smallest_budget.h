#ifndef VDNN_RUNTIME_FIT_SMALLEST_BUDGET_H
#define VDNN_RUNTIME_FIT_SMALLEST_BUDGET_H

/* The smallest budget of the device: that of the smallest plan which a policy finds under any
 * budget. What is planned from spare memory, or happens to be packed well, may take less than the
 * least budget under which it is found; as a budget that much is enough, since the run then takes
 * the plan that is found under the other one.
 *
 *     budget   0        refused   a        b
 *              |-----------|------|--------|---------
 *                                 |  plan  |         found under b, takes a: the smallest is a
 *
 * Invariant: the search is the same whatever the setup's budget, which only ends it. So every run
 * finds the same smallest budget, and the plan for that takes all of it.
 * Threads: pure, but for the thread's message.
 *
 *     vdnn_smallest_budget least;
 *     status = vdnn_smallest_budget_find(&request, budget_bytes, &least);
 *     if (status == VDNN_OK && least.bytes > 0 && least.bytes <= budget_bytes)
 *         status = vdnn_smallest_budget_plan(&request, &least, &plans);
 */

#include "runtime/fit/attempt.h"

typedef struct vdnn_smallest_budget {
    size_t bytes;       /* bytes of the device that its plan takes; 0: there is no plan */
    size_t found_under; /* the budget that finds it, also where it is more than that */
    bool is_searched;   /* by a search with a fixed count of trials, not with the request's */
} vdnn_smallest_budget;

/* The search ends at the first plan of at most `enough` bytes; 0: at the smallest plan. */
vdnn_status vdnn_smallest_budget_find(const vdnn_fit_request *request, size_t enough,
                                      vdnn_smallest_budget *least);

/* Its plans, also where the setup's budget is less; what is decided last is this. */
vdnn_status vdnn_smallest_budget_plan(const vdnn_fit_request *request,
                                      const vdnn_smallest_budget *least, vdnn_fit_plans *plans);

#endif
