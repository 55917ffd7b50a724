#ifndef VDNN_RUNTIME_FIT_ADVICE_H
#define VDNN_RUNTIME_FIT_ADVICE_H

/* What would fit if a run does not: another budget, policy or batch.
 *
 * Invariant: the advice was planned and fits, with the times of the request's profile.
 * Threads: pure, but for the thread's message.
 *
 *     vdnn_advice advice;
 *     status = vdnn_advice_make(&request, &plans, &advice);
 *     if (status == VDNN_OK)
 *         status = vdnn_refusal_tell(&request, &plans, &advice); // in words
 *     vdnn_advice_fini(&advice);
 */

#include "runtime/fit/fit.h"

typedef struct vdnn_smallest {
    const vdnn_policy *policy;
    size_t bytes; /* of a static policy with --algo m; 0: no device budget suffices */
} vdnn_smallest;

typedef struct vdnn_advice {
    size_t smallest_bytes;     /* device budget under the host budget; 0: no budget suffices */
    const vdnn_policy *policy; /* one that fits, if possible for any times; NULL: none */
    vdnn_algo_mode algo;
    int64_t largest_batch;      /* that fits, with --algo m for a static policy; 0: none does */
    vdnn_smallest *smallest_of; /* owned: every policy, if none fits; else NULL */
    size_t count;
} vdnn_advice;

/* `plans` is from vdnn_fit_plan. On failure *advice is unchanged. */
vdnn_status vdnn_advice_make(const vdnn_fit_request *request, const vdnn_fit_plans *plans,
                             vdnn_advice *advice);
void vdnn_advice_fini(vdnn_advice *advice);

/* Whether a run fits does not depend on measured times: a dynamic policy falls back on the leanest
 * algorithms. */
bool vdnn_advice_is_certain(const vdnn_policy *policy, vdnn_algo_mode algo);

#endif
