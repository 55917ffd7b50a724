#ifndef VDNN_RUNTIME_FIT_REFUSAL_H
#define VDNN_RUNTIME_FIT_REFUSAL_H

/* The message of a run that does not fit: what it needs, and what would fit.
 *
 * Invariant: every number and option in it is one of the plans' or of the advice.
 * Threads: pure, but for the thread's message.
 *
 *     status = vdnn_advice_make(&request, &plans, &advice);
 *     if (status == VDNN_OK)
 *         status = vdnn_refusal_tell(&request, &plans, &advice, false); // VDNN_NO_FIT
 */

#include "runtime/base/text.h"
#include "runtime/fit/advice.h"

/* Of device and host together: the smallest of the device's that is known, or what the smallest
 * plans take of it, and what they take of the host's. */
size_t vdnn_refusal_unified(const vdnn_fit_plans *plans, size_t device_bytes);

/* The tiers of which it needs more than the budget has, a line each. */
void vdnn_refusal_add_needs(vdnn_text *text, const size_t *need_bytes, const size_t *budget_bytes);
/* The option that follows the policy's name; "" where there is none. */
const char *vdnn_refusal_algo(const vdnn_fit_request *request);

/* Returns VDNN_NO_FIT with the complete message; `is_explained`: without the smallest budget of
 * every policy, which the explanation has. */
vdnn_status vdnn_refusal_tell(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                              const vdnn_advice *advice, bool is_explained);

#endif
