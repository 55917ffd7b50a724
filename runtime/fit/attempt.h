#ifndef VDNN_RUNTIME_FIT_ATTEMPT_H
#define VDNN_RUNTIME_FIT_ATTEMPT_H

/* What a policy plans under one budget of the device, taken by itself. A plan may take less than
 * the least budget under which it is found, so that what is refused here may fit yet:
 * smallest_budget.h.
 *
 * Invariant: without patience the same budget gives the same plan.
 * Threads: pure, but for the thread's message.
 *
 *     status = vdnn_attempt_plan(&request, device_bytes, &plans);
 *     if (status == VDNN_OK || status == VDNN_NO_FIT)
 *         vdnn_fit_plans_fini(&plans);
 */

#include "runtime/fit/fit.h"

/* On VDNN_NO_FIT *plans is set too: the smallest that the policy knows. */
vdnn_status vdnn_attempt_plan(const vdnn_fit_request *request, size_t device_bytes,
                              vdnn_fit_plans *plans);

/* The spans of that plan, also on VDNN_NO_FIT. */
vdnn_status vdnn_attempt_need(const vdnn_fit_request *request, size_t device_bytes,
                              size_t span_bytes[VDNN_TIER_COUNT]);

/* Whether the setup's budget is enough for it: VDNN_OK, VDNN_NO_FIT. */
vdnn_status vdnn_attempt_is_enough(const vdnn_fit_request *request);

#endif
