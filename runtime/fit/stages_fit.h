#ifndef VDNN_RUNTIME_FIT_STAGES_FIT_H
#define VDNN_RUNTIME_FIT_STAGES_FIT_H

/* The smallest budget of a pipeline: the largest one of its stages, of which each has a device of
 * the same budget. A stage is planned by itself, so that one may fit where another does not.
 *
 *     stage      0    1    2
 *     smallest   4    6    5 MiB     under 5 MiB stage 1 does not fit; the pipeline's is 6
 *
 * Invariant: under these budgets every stage is planned.
 * Threads: pure, but for the thread's message.
 *
 *     vdnn_stages_need need;
 *     status = vdnn_stages_fit_find(&request, &need);    // the setup's graph is one of the stages
 *     if (status == VDNN_OK && need.smallest_bytes > budget_bytes)
 *         status = vdnn_stages_fit_refuse(&request, &need); // VDNN_NO_FIT
 */

#include "runtime/fit/fit.h"

/* Of the stage that needs most. */
typedef struct vdnn_stages_need {
    int32_t stage;
    size_t smallest_bytes;              /* of its device; 0: no budget is enough */
    size_t span_bytes[VDNN_TIER_COUNT]; /* of its plan under the request's, or of its smallest */
} vdnn_stages_need;

vdnn_status vdnn_stages_fit_find(const vdnn_fit_request *request, vdnn_stages_need *need);

/* Returns VDNN_NO_FIT with the complete message. */
vdnn_status vdnn_stages_fit_refuse(const vdnn_fit_request *request, const vdnn_stages_need *need);

#endif
